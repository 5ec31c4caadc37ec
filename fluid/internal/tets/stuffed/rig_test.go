package stuffed_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffed"
)

const (
	density = 1000.
	dt      = 1. / 60
)

var (
	strict  = pressure.Options{Tolerance: 1e-13, MaxIterations: 300}
	gravity = r3.Vec{X: 2.1, Y: -8.7, Z: -3.9} // tilted to all planes of the lattice
	up      = r3.Scale(-1/r3.Norm(gravity), gravity)
)

// rig is a lattice with what makes graphs of it.
type rig struct {
	t    testing.TB
	grid *layout.Grid
	l    *bcc.Lattice
	d    *stuffed.Discretiser
	g    *graph.Graph
	pool *par.Pool
	phi  []float64
}

// newRig lays levels out, from the low corner on, in a domain that ends at the layout's sides or, if hi isn't zero, at lo and hi.
func newRig(t testing.TB, workers int, dim [3]int, h float64, corner [3]float64, levels []uint8, lo, hi [3]float64) *rig {
	r := &rig{t: t, pool: par.New(workers), g: &graph.Graph{}, l: &bcc.Lattice{}}
	t.Cleanup(r.pool.Close)
	r.grid = layout.New(corner, h, dim, 0)
	r.grid.Lay(levels)
	if hi == lo {
		whole := r.grid.Whole()
		lo, hi = [3]float64{whole.Min.X, whole.Min.Y, whole.Min.Z}, [3]float64{whole.Max.X, whole.Max.Y, whole.Max.Z}
	}
	r.d = stuffed.New(r.grid, r.pool, lo, hi)
	r.d.Up, r.d.Walls = [3]float64{up.X, up.Y, up.Z}, true
	r.build()
	return r
}

func (r *rig) build() {
	r.l.Build(r.grid, &r.grid.Cur, r.pool)
	r.phi = make([]float64, r.l.Vertices())
}

// uniform is so many levels alike.
func uniform(dim [3]int, level uint8) []uint8 {
	levels := make([]uint8, dim[0]*dim[1]*dim[2])
	for i := range levels {
		levels[i] = level
	}
	return levels
}

// randomLevels are levels that differ by one at most across faces and edges.
func randomLevels(dim [3]int, seed uint64) []uint8 {
	r := rand.New(rand.NewPCG(seed, 3))
	levels := make([]uint8, dim[0]*dim[1]*dim[2])
	mean := 1 + r.IntN(2)
	for b := range levels {
		levels[b] = uint8(min(3, max(0, mean+r.IntN(3)-1)))
		if r.IntN(8) == 0 {
			levels[b] = uint8(r.IntN(4))
		}
	}
	g := layout.New([3]float64{}, 1, dim, 0)
	for again := true; again; {
		again = false
		for b := range levels {
			for i, nb := range g.Nearby(int32(b)) {
				apart := i%3&1 + i/3%3&1 + i/9&1
				if nb >= 0 && apart >= 1 && levels[nb] > levels[b]+1 {
					levels[b] = levels[nb] - 1
					again = true
				}
			}
		}
	}
	return levels
}

// surface sets φ at all vertices; nil: all is liquid.
func (r *rig) surface(f func(x r3.Vec) float64) {
	for v, x := range r.l.Position {
		r.phi[v] = -1
		if f != nil {
			r.phi[v] = f(r3.Vec{X: x[0], Y: x[1], Z: x[2]})
		}
	}
}

// fill makes the graph, which must be sound.
func (r *rig) fill(bodies []rigid.Solid) {
	r.t.Helper()
	r.d.Fill(r.g, r.l, r.phi, bodies)
	if err := r.d.Mesh.Check(); err != nil {
		r.t.Fatal(err)
	}
	if err := r.g.Check(); err != nil {
		r.t.Fatal(err)
	}
}

// solve projects the graph.
func (r *rig) solve(bodies []rigid.Body, opt pressure.Options) (pi []float64, rep pressure.Report) {
	r.t.Helper()
	s := pressure.New(r.pool)
	s.Prepare(r.g)
	pi = make([]float64, r.g.Rows)
	rep, err := s.Solve(r.g, density, dt, bodies, nil, make([]float64, r.g.Rows), pi, opt)
	if err != nil {
		r.t.Fatal(rep, err)
	}
	return pi, rep
}

// fall has gravity act for a step.
func (r *rig) fall() {
	v := r3.Scale(dt, gravity)
	r.g.Accelerate(0, r.g.Faces(), [3]float64{v.X, v.Y, v.Z})
}

// moves is the greatest velocity on a face after gravity has acted and the solve is done, over what gravity gives.
func (r *rig) moves(bodies []rigid.Body) float64 {
	r.t.Helper()
	r.fall()
	r.solve(bodies, strict)
	top := 0.
	for _, u := range r.g.U {
		top = max(top, math.Abs(u))
	}
	return top / (dt * r3.Norm(gravity))
}

// plane is how far above a plane places are.
func plane(at, normal r3.Vec) func(x r3.Vec) float64 {
	return func(x r3.Vec) float64 { return r3.Dot(r3.Sub(x, at), normal) }
}

// distance is a solid's, in single precision.
func distance(f func(x r3.Vec) float64) shapes.Distance {
	return func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(f(x))
		}
	}
}

func ball(at r3.Vec, radius float64) func(x r3.Vec) float64 {
	return func(x r3.Vec) float64 { return r3.Norm(r3.Sub(x, at)) - radius }
}

func not(f func(x r3.Vec) float64) func(x r3.Vec) float64 {
	return func(x r3.Vec) float64 { return -f(x) }
}

func union(all ...func(x r3.Vec) float64) func(x r3.Vec) float64 {
	return func(x r3.Vec) float64 {
		least := math.Inf(1)
		for _, f := range all {
			least = min(least, f(x))
		}
		return least
	}
}

// cuboid is a box about a place, with half its edges.
func cuboid(at, half r3.Vec) func(x r3.Vec) float64 {
	return func(x r3.Vec) float64 {
		x = r3.Sub(x, at)
		q := r3.Vec{X: math.Abs(x.X) - half.X, Y: math.Abs(x.Y) - half.Y, Z: math.Abs(x.Z) - half.Z}
		out := r3.Vec{X: max(q.X, 0), Y: max(q.Y, 0), Z: max(q.Z, 0)}
		return r3.Norm(out) + min(0, max(q.X, q.Y, q.Z))
	}
}

// ballSolid is a ball as a body.
func ballSolid(at r3.Vec, radius float64) rigid.Solid {
	return rigid.Solid{Distance: distance(ball(at, radius)), Bounds: boxes.Grown(r3.Box{Min: at, Max: at}, radius), Centre: at, Thickness: 2 * radius}
}

// ballBody is a ball of a mass, kg.
func ballBody(mass, radius float64, at r3.Vec) rigid.Body {
	b := rigid.Body{InverseMass: 1 / mass, Centre: [3]float64{at.X, at.Y, at.Z}}
	for i := range 3 {
		b.InverseInertia[i][i] = 1 / (.4 * mass * radius * radius)
	}
	return b
}
