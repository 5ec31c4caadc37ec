package bodies_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// draught is how deep a ball of some radius floats whose density is a part of the liquid's.
func draught(radius, ratio float64) float64 {
	lo, hi := 0., 2*radius
	for range 60 {
		if d := (lo + hi) / 2; d*d*(3*radius-d) < 4*ratio*radius*radius*radius {
			lo = d
		} else {
			hi = d
		}
	}
	return lo
}

// inPool is a pool, half full at right angles to gravity, with a body in its middle, above the surface by some height.
func inPool(t *testing.T, gravity r3.Vec, g physics.Geometry, kind physics.BodyKind, ratio, above float64) (*fluid.Liquid, physics.Body, r3.Vec) {
	t.Helper()
	const edge = 2.
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(edge, edge, edge), CellSize: .1, Physics: fluid.Physics{Gravity: gravity}})
	up := r3.Scale(-1, r3.Unit(gravity))
	middle := r3.Vec{X: edge/2 + .03, Y: edge/2 - .02, Z: edge/2 + .014}
	w := physics.NewWorld(physics.WorldDef{Gravity: gravity, NoSleep: true})
	b := testrig.AddBody(t, w, physics.BodyDef{Kind: kind, Position: r3.Add(middle, r3.Scale(above, up))},
		physics.ShapeDef{Geometry: g, Density: 1000 * ratio})
	l.Couple(w.Coupling())
	testrig.Must(t, l.Fill(fluid.HalfSpace(middle, up)))
	return l, b, up
}

// However gravity leans to the grid, what floats stays where it is, as deep as its weight wants it: nothing drives it along the
// still surface.
func TestFloatingBodiesStayWhereGravityLeans(t *testing.T) {
	const radius, cell = .25, .1
	for i, gravity := range []r3.Vec{{Y: -9.81}, {X: -4, Y: -9.81, Z: 4}, {X: -2, Y: -9.81, Z: .5}, {X: 6, Y: 5, Z: -4}} {
		for k, ratio := range []float64{.14, .5} {
			if testing.Short() && k != i%2 {
				continue
			}
			l, b, up := inPool(t, gravity, physics.Sphere(r3.Vec{}, radius), physics.Dynamic, ratio, radius-draught(radius, ratio))
			from, fraction := b.CentreOfMass(), 0.
			const steps, last = 240, 60
			for n := range steps {
				l.Step(1. / 60)
				if n >= steps-last {
					fraction += l.BodyLoad(0).Fraction / last
				}
			}
			way := r3.Sub(b.CentreOfMass(), from)
			rise := r3.Dot(way, up)
			along := r3.Norm(r3.Sub(way, r3.Scale(rise, up)))
			t.Logf("gravity %v, ratio %g: %.4f m along the surface, %.4f m up, %.4f under it", gravity, ratio, along, rise, fraction)
			if along > cell || math.Abs(rise) > .01 || math.Abs(fraction-ratio) > .02*ratio {
				t.Errorf("gravity %v, ratio %g: went %g m along the surface and %g m up; %g of it is under the surface", gravity, ratio, along, rise, fraction)
			}
		}
	}
}

// What still liquid presses on a ball with at the surface is the weight of what it displaces, wherever the
// ball is in the grid and however gravity leans to it.
func TestStillLiquidCarriesBallsAtItsSurface(t *testing.T) {
	const radius = .23
	for _, gravity := range []r3.Vec{{Y: -9.81}, {X: -4, Y: -9.81, Z: 4}, {X: -2, Y: -9.81, Z: .5}, {X: 6, Y: 5, Z: -4}} {
		for _, ratio := range []float64{.15, .4, .8} {
			l, b, up := inPool(t, gravity, physics.Sphere(r3.Vec{}, radius), physics.Kinematic, ratio, radius-draught(radius, ratio))
			l.Step(1. / 60)
			l.Step(1. / 60)
			weight := 4. / 3 * math.Pi * radius * radius * radius * ratio * 1000 * r3.Norm(gravity)
			load := l.BodyLoad(b.Index())
			carried := r3.Dot(load.Force, up) / weight
			aside := r3.Norm(load.Force)/weight - math.Abs(carried)
			along := math.Sqrt(max(0, aside*(aside+2*math.Abs(carried))))
			t.Logf("gravity %v, ratio %g: carries %.4f of the weight, %.5f of it along the surface, turns by %.5f", gravity, ratio, carried, along, r3.Norm(load.Torque)/weight/radius)
			if math.Abs(carried-1) > .03 || along > .003 {
				t.Errorf("gravity %v, ratio %g: carries %g of the weight, and drives it along the surface by %g of it", gravity, ratio, carried, along)
			}
		}
	}
}
