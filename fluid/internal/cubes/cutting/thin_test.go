package cutting_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"gonum.org/v1/gonum/spatial/r3"
)

// boxDistance is the distance of a point from a box, m.
func boxDistance(p, centre, half r3.Vec) float64 {
	q := r3.Sub(p, centre)
	q = r3.Vec{X: math.Abs(q.X) - half.X, Y: math.Abs(q.Y) - half.Y, Z: math.Abs(q.Z) - half.Z}
	return r3.Norm(r3.Vec{X: max(q.X, 0), Y: max(q.Y, 0), Z: max(q.Z, 0)}) + min(max(q.X, q.Y, q.Z), 0)
}

// cup is the distance to an open box with walls of a thickness, m, whose hollow is a cube of edge .6 m
// about the origin, open towards +y.
func cup(wall float64) func(p r3.Vec) float64 {
	const half = .3
	w := wall / 2
	return func(p r3.Vec) float64 {
		d := boxDistance(p, r3.Vec{Y: -half - w}, r3.Vec{X: half + wall, Y: w, Z: half + wall})
		for _, side := range []float64{-1, 1} {
			d = min(d, boxDistance(p, r3.Vec{X: side * (half + w), Y: -w}, r3.Vec{X: w, Y: half + w, Z: half + wall}))
			d = min(d, boxDistance(p, r3.Vec{Z: side * (half + w), Y: -w}, r3.Vec{X: half + wall, Y: half + w, Z: w}))
		}
		return d
	}
}

// Wherever a cup with walls thinner than a cell stands, no open faces lead from its inside to its outside
// but over the rim.
func TestThinCupIsTight(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		wall := h * (.05 + 1.95*random.Float64())
		centre := r3.Vec{X: .8 + .1*random.Float64(), Y: .6 + .05*random.Float64(), Z: .8 + .1*random.Float64()}
		axis := r3.Unit(r3.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()})
		angle := .3 * random.Float64() * float64(n%3) / 2
		turn := r3.NewRotation(-angle, axis)
		local := func(x r3.Vec) r3.Vec { return turn.Rotate(r3.Sub(x, centre)) }
		solid := cup(wall)
		q := newTrial(t, uniform(3))
		reach := r3.Vec{X: .6, Y: .6, Z: .6}
		q.fill(everywhere, rigid.Solid{
			Distance: distance(func(x r3.Vec) float64 { return solid(local(x)) }),
			Bounds:   r3.Box{Min: r3.Sub(centre, reach), Max: r3.Add(centre, reach)}, Centre: centre, Thickness: wall, Thin: wall < 1.5*h, Sheet: wall < h,
		})
		q.checkTight(t, local, wall, func(r int32, x r3.Vec) {
			t.Errorf("wall %.4f, centre %.3f, turned by %.3f about %.2f: row %d at %.3f (in the cup's frame %.3f) is reached from the inside", wall, centre, angle, axis, r, x, local(x))
		})
	}
}

// What is known of a cup depends on where it is, and not on where it was before.
func TestThinCupForgetsWhereItWas(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	solid := cup(.8 * h)
	moved := newTrial(t, uniform(3))
	for range 8 {
		centre := r3.Vec{X: .8 + .1*random.Float64(), Y: .6 + .05*random.Float64(), Z: .8 + .1*random.Float64()}
		turn := r3.NewRotation(.3*random.Float64(), r3.Unit(r3.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}))
		reach := r3.Vec{X: .6, Y: .6, Z: .6}
		body := rigid.Solid{
			Distance: distance(func(x r3.Vec) float64 { return solid(turn.Rotate(r3.Sub(x, centre))) }),
			Bounds:   r3.Box{Min: r3.Sub(centre, reach), Max: r3.Add(centre, reach)}, Centre: centre, Thickness: .8 * h, Thin: true, Sheet: true,
		}
		put := newTrial(t, uniform(3))
		put.fill(everywhere, body)
		moved.fill(everywhere, body)
		if a, b := moved.gr.Bodies[0], put.gr.Bodies[0]; !reflect.DeepEqual(a, b) {
			t.Fatalf("moved to %v its inertia in the liquid is %v and %v, put there at once %v and %v", centre, a.More, a.Less, b.More, b.Less)
		}
	}
}

// checkTight walks from the cup's middle through open faces as far as it gets without coming near the
// rim, and reports rows that are outside.
func (q *trial) checkTight(t *testing.T, local func(r3.Vec) r3.Vec, wall float64, leaked func(row int32, x r3.Vec)) {
	t.Helper()
	gr := &q.gr
	seen := make([]bool, gr.Rows)
	var front []int32
	at := func(r int32) r3.Vec { c := gr.Centre[r]; return r3.Vec{X: c[0], Y: c[1], Z: c[2]} }
	for r := range int32(gr.Rows) {
		if p := local(at(r)); r3.Norm(p) < 2*h {
			seen[r] = true
			front = append(front, r)
		}
	}
	for len(front) > 0 {
		r := front[0]
		front = front[1:]
		for _, f := range gr.Cubes.Sides[r] {
			if f < 0 {
				continue
			}
			to := gr.A[f]
			if to == r {
				to = gr.B[f]
			}
			if to < 0 || seen[to] || gr.Open[f] == 0 {
				continue
			}
			p := local(at(to))
			if p.Y > .3-3*h {
				continue
			}
			seen[to] = true
			front = append(front, to)
			if out := .3 + wall + .01*h; math.Abs(p.X) > out || math.Abs(p.Z) > out || p.Y < -out {
				leaked(to, at(to))
				return
			}
		}
	}
}

// A strip narrower than a cell that stands across the way between two cells' centres, as far from all of their corners as can be, parts
// them in blocks of any level.
func TestStripStandsAcrossAWay(t *testing.T) {
	for level := range uint8(4) {
		q := newTrial(t, uniform(level))
		edge := q.g.CellSize(level)
		low := r3.Vec{X: 1.5 * edge, Y: 1.5 * edge, Z: 1.5 * edge} // the centre of the second cell along each axis
		half := r3.Vec{X: .01 * edge, Y: edge, Z: .02 * edge}
		for _, at := range []float64{.03, .3, .5, .7, .97} {
			centre := r3.Add(low, r3.Vec{X: at * edge})
			q.fill(everywhere, rigid.Solid{
				Distance: distance(func(x r3.Vec) float64 { return boxDistance(x, centre, half) }),
				Bounds:   r3.Box{Min: r3.Sub(centre, half), Max: r3.Add(centre, half)}, Centre: centre,
				Thickness: 2 * half.X, Thin: true, Sheet: true,
			})
			q.each(func(cell int32, x r3.Vec, _ float64) {
				if r3.Norm(r3.Sub(x, r3.Add(low, r3.Vec{X: edge}))) < .1*edge && q.d.Open[0][cell] != 0 {
					t.Errorf("level %d, %v of the way: %v of the face is open", level, at, q.d.Open[0][cell])
				}
			})
		}
	}
}
