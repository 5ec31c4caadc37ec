package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// h is the finest cell's edge in these tests, m; a base cell is 8 of them.
const h = .05

// trial is a box of 4×3×4 base cells, all of it domain.
type trial struct {
	g   *layout.Grid
	d   *cutting.Discretiser
	gr  graph.Graph
	phi []float32
}

// newTrial sets the level of each base cell by its place.
func newTrial(t *testing.T, level func(at [3]int) uint8) *trial {
	t.Helper()
	dim := [3]int{4, 3, 4}
	q := &trial{g: layout.New([3]float64{}, h, dim, layout.MaxLevel)}
	q.g.OnGrow(func(n int) { q.phi = append(q.phi, make([]float32, n-len(q.phi))...) })
	pool := par.New(2)
	t.Cleanup(pool.Close)
	q.d = cutting.New(q.g, pool, [3]float64{}, [3]float64{8 * h * 4, 8 * h * 3, 8 * h * 4}, [6]bool{})
	for b := range int32(q.g.Bases()) {
		q.g.Set(b, level(q.g.BaseCoords(b)))
	}
	q.g.Settle()
	return q
}

func uniform(level uint8) func([3]int) uint8 { return func([3]int) uint8 { return level } }

// halves is fine for x in the lower half, a level coarser in the upper.
func halves(at [3]int) uint8 {
	if at[0] < 2 {
		return 3
	}
	return 2
}

// each calls f with every cell, its centre and its edge, m.
func (q *trial) each(f func(cell int32, x r3.Vec, size float64)) {
	for b := range int32(q.g.Bases()) {
		level := q.g.Cur.Level[b]
		n, size, lo := 1<<level, q.g.CellSize(level), q.g.Corner(b)
		for c := range n * n * n {
			x := r3.Vec{X: lo[0] + (float64(c%n)+.5)*size, Y: lo[1] + (float64(c/n%n)+.5)*size, Z: lo[2] + (float64(c/(n*n))+.5)*size}
			f(q.g.Cur.First[b]+int32(c), x, size)
		}
	}
}

// fill makes the graph of the liquid where phi is negative, with bodies in it.
func (q *trial) fill(phi func(x r3.Vec) float64, bodies ...rigid.Solid) {
	q.each(func(c int32, x r3.Vec, _ float64) { q.phi[c] = float32(phi(x)) })
	q.d.Solids(bodies, cutting.Near{})
	q.d.Fill(&q.gr, q.phi, len(bodies))
}

func distance(f func(x r3.Vec) float64) shapes.Distance {
	return func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(f(x))
		}
	}
}

// thickness is that of walls which are everywhere as thick, m.
func thickness(t float64) func(r3.Box) float64 { return func(r3.Box) float64 { return t } }

func everywhere(r3.Vec) float64 { return -1 }

// What a sphere leaves open is the domain less the sphere, on any layout.
func TestVolumesLessASphere(t *testing.T) {
	const radius = .31
	centre := r3.Vec{X: .83, Y: .61, Z: .77}
	want := 8*h*4*8*h*3*8*h*4 - 4*math.Pi/3*radius*radius*radius
	for name, level := range map[string]func([3]int) uint8{"fine": uniform(3), "coarse": uniform(2), "mixed": halves} {
		q := newTrial(t, level)
		q.d.SetStatic(distance(func(x r3.Vec) float64 { return r3.Norm(r3.Sub(x, centre)) - radius }), thickness(2*radius))
		q.fill(everywhere)
		sum := 0.
		q.each(func(c int32, _ r3.Vec, _ float64) { sum += float64(q.d.Volume[c]) })
		if math.Abs(sum-want) > .02*4*math.Pi/3*radius*radius*radius {
			t.Errorf("%s: %g m³ are open, want %g", name, sum, want)
		}
	}
}

// A plane wall cuts faces so that what is open of a cell closes with the wall: their sum points along its normal.
func TestPlaneWallClosesCells(t *testing.T) {
	q := newTrial(t, uniform(3))
	n := r3.Unit(r3.Vec{X: 1, Y: .5, Z: .3})
	q.d.SetStatic(distance(func(x r3.Vec) float64 { return r3.Dot(n, x) - .7 }), thickness(math.Inf(1)))
	q.fill(everywhere)
	// The outflow of a constant velocity through a cell's open faces is what enters the wall: along n.
	for r := range q.gr.Rows {
		var area r3.Vec
		for side, f := range q.gr.Cubes.Sides[r] {
			if f < 0 {
				continue
			}
			a := float64(side&1*2-1) * q.gr.Area[f] * q.gr.Open[f]
			switch q.gr.Cubes.Axis[f] {
			case 0:
				area.X += a
			case 1:
				area.Y += a
			default:
				area.Z += a
			}
		}
		x := q.gr.Centre[r]
		if inner := min(x[0], x[1], x[2], 8*h*4-x[0], 8*h*3-x[1], 8*h*4-x[2]); inner < h {
			continue // at the domain's own walls
		}
		if d := r3.Norm(r3.Cross(area, n)); d > 1e-4*h*h {
			t.Fatalf("row %d at %.3f: its faces leave %.3g m² open, %g of it along the wall", r, x, area, d)
		}
	}
}

// The surface of a body that is wholly in the liquid is closed: its areas and moments cancel.
func TestBodyCouplingIsClosed(t *testing.T) {
	centre := r3.Vec{X: .81, Y: .62, Z: .79}
	shapes := map[string]func(p r3.Vec) float64{
		"sphere": func(p r3.Vec) float64 { return r3.Norm(p) - .27 },
		"box": func(p r3.Vec) float64 {
			q := r3.Vec{X: math.Abs(p.X) - .25, Y: math.Abs(p.Y) - .15, Z: math.Abs(p.Z) - .2}
			out := r3.Norm(r3.Vec{X: max(q.X, 0), Y: max(q.Y, 0), Z: max(q.Z, 0)})
			return out + min(max(q.X, q.Y, q.Z), 0)
		},
	}
	for name, f := range shapes {
		for layout, level := range map[string]func([3]int) uint8{"fine": uniform(3), "coarse": uniform(2), "mixed": halves} {
			q := newTrial(t, level)
			q.fill(everywhere, rigid.Solid{
				Distance: distance(func(x r3.Vec) float64 { return f(r3.Sub(x, centre)) }),
				Bounds:   r3.Box{Min: r3.Sub(centre, r3.Vec{X: .3, Y: .3, Z: .3}), Max: r3.Add(centre, r3.Vec{X: .3, Y: .3, Z: .3})},
				Centre:   centre,
			})
			w := &q.gr.Bodies[0]
			var sum [6]float64
			for _, k := range w.K {
				for d := range sum {
					sum[d] += k[d]
				}
			}
			if len(w.K) == 0 || w.Area <= 0 {
				t.Fatalf("%s, %s: not wetted", name, layout)
			}
			for d, s := range sum {
				if math.Abs(s) > 1e-6*w.Area {
					t.Errorf("%s, %s: K sums to %.3g in direction %d; the wetted area is %.3g m²", name, layout, s, d, w.Area)
				}
			}
		}
	}
}

// Still liquid under a plane surface, whichever way it slopes, has no pressure left over across a
// composite face that the surface cuts through.
func TestBridgeKeepsLinearPressure(t *testing.T) {
	const gradient = 9810.
	for _, up := range []r3.Vec{{Y: 1}, {X: .1, Y: 1, Z: .05}, {X: 1, Y: .2}, {Y: 1, Z: 1}} {
		up = r3.Unit(up)
		for _, known := range []bool{false, true} {
			q := newTrial(t, halves)
			depth := func(x r3.Vec) float64 { return r3.Dot(up, r3.Sub(x, r3.Vec{X: .8, Y: .63, Z: .81})) }
			q.fill(depth)
			pressure := make([]float64, len(q.phi))
			if known {
				for c, phi := range q.phi {
					pressure[c] = max(0, -gradient*float64(phi))
				}
			}
			w := r3.Scale(-gradient, up)
			weight := [3]float64{w.X, w.Y, w.Z}
			q.d.SetGhostPressures(&q.gr, q.phi, pressure, weight)
			if cut := q.checkBridged(t, weight); cut == 0 {
				t.Errorf("up %v: the surface cuts no composite face", up)
			}
		}
	}
}

// checkBridged compares the pressure's gradient with the weight on faces whose quad is part air, and
// tells how many there are.
func (q *trial) checkBridged(t *testing.T, weight [3]float64) (cut int) {
	t.Helper()
	gr := &q.gr
	p := make([]float64, gr.Rows)
	for r, c := range gr.Cell {
		p[r] = 9810 * -float64(q.phi[c])
	}
	for f := range gr.Faces() {
		mixed := false
		for _, side := range []int32{gr.A[f], gr.B[f]} {
			if side < 0 && side != graph.Air {
				air := 0
				for _, r := range gr.Cubes.Quads[^side] {
					if r == graph.Air {
						air++
					}
				}
				mixed = mixed || air > 0 && air < 4
			}
		}
		if !mixed {
			continue
		}
		cut++
		got := (gr.Mean(gr.B[f], p, gr.Jump[f]) - gr.Mean(gr.A[f], p, gr.Jump[f])) / gr.Dist[f]
		if want := weight[gr.Cubes.Axis[f]]; math.Abs(got-want) > 1 {
			t.Errorf("face at %.3f, axis %d: gradient %g Pa/m, want %g", gr.FaceCentre(f), gr.Cubes.Axis[f], got, want)
		}
	}
	return cut
}
