package cutting_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// What a thin plane wall leaves open on its two sides is the domain less the wall, however it slants: to within a tenth
// of a cell's edge over its area, along the diagonal a fifth.
func TestThinWallsLeaveWhatThereIs(t *testing.T) {
	const wall = .1 * h
	random := rand.New(rand.NewPCG(5, 6))
	volume := 8 * h * 4 * 8 * h * 3 * 8 * h * 4
	for n := range 40 {
		normal, atMost := r3.Unit(r3.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}), .1
		if n < 8 {
			normal, atMost = r3.Unit(r3.Vec{X: 1, Y: 1, Z: 1}), .2
		}
		at := r3.Dot(normal, r3.Vec{X: .8, Y: .6, Z: .8}) + h*random.Float64()
		plate := func(x r3.Vec) float64 { return math.Abs(r3.Dot(normal, x)-at) - wall/2 }
		q := newTrial(t, uniform(3))
		q.d.SetStatic(distance(plate), thickness(wall))
		q.fill(everywhere)
		open, area := 0., 0.
		q.each(func(c int32, x r3.Vec, size float64) {
			open += float64(q.d.Volume[c])
			for k := range 64 { // of the plane, counted in a slab
				p := r3.Add(x, r3.Scale(size/4, r3.Vec{X: float64(k%4) - 1.5, Y: float64(k/4%4) - 1.5, Z: float64(k/16) - 1.5}))
				if plate(p) < h-wall/2 {
					area += size * size * size / 64 / (2 * h)
				}
			}
		})
		if more := (open - (volume - area*wall)) / (area * h); math.Abs(more) > atMost {
			t.Errorf("normal %.2f at %.3f m: %.3f cells more over its area", normal, at, more)
		}
	}
}

// Of what lies between the domain's sides and a thin wall just beyond them no cell has any, as coarse as it may be.
func TestThinWallsLeaveNothingBeyondTheDomain(t *testing.T) {
	size := r3.Vec{X: 8 * h * 4, Y: 8 * h * 3, Z: 8 * h * 4}
	for level := range uint8(4) {
		q := newTrial(t, uniform(level))
		beyond := .3 * q.g.CellSize(level)
		shell := func(x r3.Vec) float64 {
			p := r3.Sub(x, r3.Scale(.5, size))
			in := max(math.Abs(p.X)-size.X/2, math.Abs(p.Y)-size.Y/2, math.Abs(p.Z)-size.Z/2) - beyond
			return math.Abs(in) - .05*h
		}
		q.d.SetStatic(distance(shell), thickness(.1*h))
		q.fill(everywhere)
		open, volume := 0., size.X*size.Y*size.Z
		q.each(func(c int32, _ r3.Vec, _ float64) { open += float64(q.d.Volume[c]) })
		if math.Abs(open/volume-1) > 1e-3 {
			t.Errorf("level %d: %.3f of the domain is open", level, open/volume)
		}
	}
}

// A solid that may have thin walls but has none takes what it is large: as exactly as its cells are fine.
func TestThickSolidsTakeTheirVolume(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	total := 8 * h * 4 * 8 * h * 3 * 8 * h * 4
	for _, size := range []r3.Vec{{X: .5, Y: .3, Z: .7}, {X: .2, Y: .2, Z: .2}, {X: .13, Y: .4, Z: .4}} {
		volume := size.X * size.Y * size.Z
		for range 5 {
			centre := r3.Vec{X: .7 + .2*random.Float64(), Y: .5 + .2*random.Float64(), Z: .7 + .2*random.Float64()}
			turn := r3.NewRotation(3*random.Float64(), r3.Unit(r3.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}))
			solid := func(x r3.Vec) float64 {
				p := turn.Rotate(r3.Sub(x, centre))
				q := r3.Vec{X: math.Abs(p.X) - size.X/2, Y: math.Abs(p.Y) - size.Y/2, Z: math.Abs(p.Z) - size.Z/2}
				return r3.Norm(r3.Vec{X: max(q.X, 0), Y: max(q.Y, 0), Z: max(q.Z, 0)}) + min(max(q.X, q.Y, q.Z), 0)
			}
			for level, off := range [4]float64{1: .1, 2: .04, 3: .02} {
				if off == 0 {
					continue // its cells are larger than the solids
				}
				q := newTrial(t, uniform(uint8(level)))
				q.d.SetStatic(distance(solid), thickness(0))
				q.fill(everywhere)
				open := 0.
				q.each(func(c int32, _ r3.Vec, _ float64) { open += float64(q.d.Volume[c]) })
				if took := total - open; math.Abs(took-volume) > off*volume {
					t.Errorf("box %.2f at %.3f, level %d: takes %.4f m³, is %.4f", size, centre, level, took, volume)
				}
			}
		}
	}
}
