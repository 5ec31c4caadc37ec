package transport

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// surfaceOf is what WriteFaces needs to know of a surface without solids.
func (r *rig) surfaceOf(distance func(x [3]float64) float64) *Surface {
	is := &Surface{Phi: make([]float64, r.l.Vertices()), Open: make([]float64, r.l.Edges())}
	for v, x := range r.l.Position {
		is.Phi[v] = distance(x)
	}
	for e := range is.Open {
		is.Open[e] = 1
	}
	return is
}

// newFaces is room for a velocity on the faces of the grid's cells.
func (r *rig) newFaces() *[3][]float32 {
	var faces [3][]float32
	r.grid.OnGrow(func(n int) {
		for a := range faces {
			faces[a] = append(faces[a], make([]float32, n-len(faces[a]))...)
		}
	})
	return &faces
}

// level is the distance of a level surface at so many cells from the bottom, negative below.
func (r *rig) level(cells float64) func(x [3]float64) float64 {
	y := r.grid.Origin[1] + cells*r.grid.CellSize(2)
	return func(x [3]float64) float64 { return x[1] - y }
}

// What passes through a level surface raises it by the transpose of how its height acts on edges to the air: whatever passes, and however columns of cells are raised, the work
// that the height of where the edges cross the surface does on what passes is that of the columns' height on what they rise by.
func TestSurfaceRisesByWhatPasses(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, cells := range []float64{4, 4.1, 4.25, 4.4, 4.5, 4.6, 4.75, 4.999} {
		r := newRig(t, [3]int{2, 2, 2}, .05, 1, uniform(2))
		distance, h := r.level(cells), r.grid.CellSize(2)
		is, g := r.surfaceOf(distance), r.fill(distance)
		for f := range g.U {
			g.U[f] = rnd.NormFloat64()
		}
		r.tr.Begin(r.l)
		r.tr.Extrapolate(g, &Solids{})
		var height [8][8]float64 // of inner columns, by their place along x and z
		for i := 1; i < 7; i++ {
			for k := 1; k < 7; k++ {
				height[i][k] = rnd.NormFloat64()
			}
		}
		at := func(v int32) (sum float64) { // the mean height of the columns about a vertex
			x, z := (r.l.Position[v][0]-r.grid.Origin[0])/h, (r.l.Position[v][2]-r.grid.Origin[2])/h
			for _, d := range [4][2]float64{{-.1, -.1}, {-.1, .1}, {.1, -.1}, {.1, .1}} {
				i, k := min(max(int(x+d[0]), 0), 7), min(max(int(z+d[1]), 0), 7)
				sum += height[i][k] / 4
			}
			return sum
		}
		onEdges, onColumns := 0., 0.
		for f, e := range g.Slot {
			if g.A[f] >= 0 && g.B[f] >= 0 {
				continue
			}
			p, q, flux := r.l.Ends[e][0], r.l.Ends[e][1], g.U[f]*g.Area[f]
			if is.Phi[q] < 0 {
				p, q, flux = q, p, -flux
			}
			theta := is.Phi[p] / (is.Phi[p] - is.Phi[q])
			onEdges += flux * ((1-theta)*at(p) + theta*at(q))
		}
		moved := &rise{field: r.tr.next(), surface: is}
		moved.find(r.pool)
		for v, c := range r.l.Cell {
			if top := is.Phi[v] + h; c >= 0 && is.Phi[v] < 0 && top >= 0 { // the highest in the liquid
				if moved.moves[v] == apart {
					t.Fatalf("%g cells: a cell at the surface does not move with it", cells)
				}
				onColumns += h * h * at(int32(v)) * moved.by[v][1]
			}
		}
		if math.Abs(onEdges-onColumns) > 1e-9*math.Abs(onEdges) {
			t.Errorf("%g cells: %g on edges, %g on columns", cells, onEdges, onColumns)
		}
	}
}

// A surface that moves with its liquid as one keeps its shape: the layout's faces have that very velocity, however the surface lies.
func TestSurfaceMovesWithItsLiquid(t *testing.T) {
	along := [3]float64{.7, -.4, .5}
	for seed := range uint64(6) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		r := newRig(t, [3]int{4, 4, 4}, .05, 1, uniform(2))
		n, whole := r3.Unit(r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64(), Z: rnd.NormFloat64()}), r.grid.Whole()
		middle := r3.Scale(.5, r3.Add(whole.Min, whole.Max))
		distance := func(x [3]float64) float64 { return r3.Dot(n, r3.Sub(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, middle)) }
		g := r.fill(distance)
		r.set(g, func([3]float64) [3]float64 { return along })
		r.tr.Begin(r.l)
		r.tr.Extrapolate(g, &Solids{})
		faces := r.newFaces()
		r.tr.WriteFaces(faces, r.surfaceOf(distance))
		r.tr.Publish()
		r.grid.Settle()
		v := layout.NewVelocity(r.grid)
		v.Gather(r.pool, faces)
		for range 200 {
			x := r.inside(rnd, .36)
			if math.Abs(distance(x)) > 1.5*r.grid.CellSize(2) {
				continue
			}
			vx, vy, vz := v.At(r.grid.ToPoint(x[0], x[1], x[2]))
			if d := geom.Sub(&[3]float64{float64(vx), float64(vy), float64(vz)}, &along); geom.Norm(&d) > 1e-5 {
				t.Fatalf("seed %d: off by %.4g m/s", seed, d)
			}
		}
	}
}
