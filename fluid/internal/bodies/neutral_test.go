package bodies_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The liquid around a body takes a wrench for any orientation of the cells' faces, and walls bear nothing where there are none.
func TestReactionOfAnyCells(t *testing.T) {
	const density, dt, radius = 1000., 1. / 60, .3
	at := r3.Vec{X: .8, Y: .83, Z: .78}
	gr := &graph.Graph{}
	reach := r3.Vec{X: radius, Y: radius, Z: radius}
	testrig.FillLattice(gr, r3.Vec{X: 1.6, Y: 1.6, Z: 1.6}, .1, []rigid.Solid{{
		Centre: at, Bounds: r3.Box{Min: r3.Sub(at, reach), Max: r3.Add(at, reach)}, Distance: func(dst []float32, pts []r3.Vec) {
			for i, p := range pts {
				dst[i] = float32(r3.Norm(r3.Sub(p, at)) - radius)
			}
		},
	}}, nil)
	pool := par.New(1)
	defer pool.Close()
	none := func(r3.Box) bool { return false }
	c := bodies.New(bodies.Config{CellSize: .1, Domain: r3.Box{Max: r3.Vec{X: 1.6, Y: 1.6, Z: 1.6}}, Graph: gr, Pool: pool, Liquid: bodies.Liquid{
		Acceleration: func(dst, at []r3.Vec) { clear(dst) }, CellEdge: func(dst []float64, at []r3.Vec) { clear(dst) }, Near: none, Asleep: none,
	}})
	c.Couple(&ball{at: at, radius: radius}, math.MaxUint64)
	c.Read(bodies.Substep{Dt: dt, Whole: dt, Density: density, MaxSpeed: 100}, 0)
	want := [6]float64{3, -20, 5, .5, -.3, .2}
	got := c.Transfer(0, &want)
	var lost [6]float64
	for f, u := range gr.U {
		force := r3.Scale(-gr.Area[f]*gr.Open[f]*gr.Dist[f]*density*u/dt, reproducible.Vector(gr.Normal(f)))
		for d, x := range rigid.Twist(force, r3.Cross(r3.Sub(reproducible.Vector(gr.FaceCentre(f)), at), force)) {
			lost[d] += x
		}
	}
	for d := range want {
		if math.Abs(lost[d]-got[d]) > 1e-9 || math.Abs(got[d]-want[d]) > 1e-9 {
			t.Errorf("component %d: the body gets %g of %g, the liquid loses %g", d, got[d], want[d], lost[d])
		}
	}
	impulse := make([]float64, gr.Rows)
	for r := 0; r < gr.Rows; r += 29 {
		inside := true
		for _, x := range gr.Centre[r] {
			inside = inside && x > .2 && x < 1.4
		}
		if !inside {
			continue
		}
		impulse[r] = 1
		if walls := bodies.WallImpulse(gr, impulse); r3.Norm(reproducible.Vector(walls)) > 1e-9 {
			t.Fatalf("row %d at %v: %g m² of wall where there is none", r, gr.Centre[r], walls)
		}
		impulse[r] = 0
	}
}

// ball is an engine with one body that rests in a liquid.
type ball struct {
	engine.Bodies
	at     r3.Vec
	radius float64
}

func (b *ball) Len() int                                     { return 1 }
func (b *ball) ID(int) uint64                                { return 7 }
func (b *ball) Kind(int) int                                 { return engine.Dynamic }
func (b *ball) Awake(int) bool                               { return true }
func (b *ball) Pose(int) (r3.Vec, quat.Number)               { return b.at, quat.Number{Real: 1} }
func (b *ball) Velocity(int) (v, w r3.Vec)                   { return v, w }
func (b *ball) PredictedVelocity(int, float64) (v, w r3.Vec) { return v, w }
func (b *ball) Thickness(int) float64                        { return 2 * b.radius }
func (b *ball) Joints() int                                  { return 0 }
func (b *ball) Bounds(int) r3.Box {
	reach := r3.Vec{X: b.radius, Y: b.radius, Z: b.radius}
	return r3.Box{Min: r3.Sub(b.at, reach), Max: r3.Add(b.at, reach)}
}

func (b *ball) InverseMass(int) (float64, [3][3]float64) {
	return 1. / 60, [3][3]float64{{.5, 0, 0}, {0, .5, 0}, {0, 0, .5}}
}

func (b *ball) Distance(_ int, dst []float32, pts []r3.Vec) {
	for i, x := range pts {
		dst[i] = float32(r3.Norm(r3.Sub(x, b.at)) - b.radius)
	}
}
