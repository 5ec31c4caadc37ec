package bodies_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// laid is a box that is laid off the grid onto still water 5 cells deep.
type laid struct {
	size           r3.Vec  // in cells of .1 m
	density        float64 // kg/m³
	heel, yaw, dt  float64 // rad, rad, s
	above, seconds float64 // its centre over the surface, m; after which all sleeps, s
}

// add lays the box onto the middle of a pool.
func (c *laid) add(t *testing.T) (*fluid.Liquid, physics.Body) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1, 1.6), CellSize: .1})
	testrig.Must(t, l.Fill(fluid.Below(.5)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	heel := quat.Number{Real: math.Cos(c.heel / 2), Kmag: math.Sin(c.heel / 2)}
	yaw := quat.Number{Real: math.Cos(c.yaw / 2), Jmag: math.Sin(c.yaw / 2)}
	b := testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .82, Y: .5 + c.above, Z: .77}, Rotation: quat.Mul(yaw, heel)},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(c.size.X/10, c.size.Y/10, c.size.Z/10)), Density: c.density})
	l.Couple(w.Coupling())
	return l, b
}

// Boxes that are laid onto still water come to rest, the liquid beside them too, and all falls asleep: nothing feeds what moves, and they stay where they were laid.
// The plank and the slabs are thinner than the cells, which can't tell what of them such a slab takes.
func TestBoxesLaidOnWaterFallAsleep(t *testing.T) {
	plank, slab, crate := r3.Vec{X: 1.6, Y: .8, Z: 8}, r3.Vec{X: 1.6, Y: .8, Z: 1.6}, r3.Vec{X: 4, Y: 2, Z: 4.5}
	for _, c := range []laid{
		{plank, 500, .2, 0, 1. / 60, .011, 6}, {slab, 800, 0, .4, 1. / 60, .011, 6}, {crate, 300, .2, .4, 1. / 60, .045, 8},
		{plank, 500, .2, 0, 1. / 30, .011, 6}, {slab, 800, 0, .4, 1. / 120, .011, 6}, {slab, 800, 0, .4, 1. / 30, .011, 6}, {slab, 500, 0, .4, 1. / 120, .011, 6},
		{crate, 800, .2, .4, 1. / 30, -.05, 12}, {r3.Vec{X: 3, Y: 3, Z: 8}, 500, .7, .4, 1. / 60, .015, 12}, // on an edge
	}[:testrig.InShort(2, 9)] {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			l, b := c.add(t)
			at, late, slept := b.Position(), 0., math.Inf(1)
			for n := 1; float64(n)*c.dt < c.seconds && math.IsInf(slept, 1); n++ {
				r := l.Step(c.dt)
				if r.Err != nil {
					t.Fatal(r.Err)
				}
				if r.Asleep() {
					slept = float64(n) * c.dt
				} else if float64(n)*c.dt > 5 {
					late = max(late, r.MaxSpeed)
				}
			}
			way := r3.Sub(b.Position(), at)
			way.Y = 0
			t.Logf("asleep after %.2f s; after 5 s up to %.3f m/s; drifted by %.1f mm", slept, late, 1e3*r3.Norm(way))
			if math.IsInf(slept, 1) || late > .05 || r3.Norm(way) > .05 {
				t.Errorf("asleep after %.2f s; after 5 s up to %.3f m/s; drifted by %.1f mm", slept, late, 1e3*r3.Norm(way))
			}
		})
	}
}
