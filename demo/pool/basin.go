package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// The pool, m. The liquid's domain is higher than the tiled walls, as if they went on in
// glass: a splash stays in the pool.
var (
	domain     = r3.Box{Min: r3.Vec{X: -3, Y: 0, Z: -2}, Max: r3.Vec{X: 3, Y: 2.5, Z: 2}}
	waterLevel = 1.0
	wallTop    = 1.4

	columnFoot   = r3.Vec{X: 1.15, Y: 0, Z: -0.75}
	columnRadius = 0.24
	columnTop    = 1.95
)

// into is how far solids reach into the pool's walls and floor, so that no face of theirs
// lies on one of the domain's.
const into = 0.5

// steps lead into the pool at its -x end, m: what one sees of them.
func steps() []r3.Box {
	const tread, rise, count = 0.42, 0.4, 3
	var out []r3.Box
	for i := range count {
		out = append(out, r3.Box{
			Min: r3.Vec{X: domain.Min.X, Y: 0, Z: domain.Min.Z},
			Max: r3.Vec{X: domain.Min.X + tread*float64(count-i), Y: rise * float64(i+1), Z: -0.2},
		})
	}
	return out
}

// anchored is a step reaching into the walls and the floor.
func anchored(b r3.Box) r3.Box {
	return r3.Box{Min: r3.Sub(b.Min, r3.Vec{X: into, Y: into, Z: into}), Max: b.Max}
}

// column is the one in the pool, down through the floor.
func column() fluid.SDF {
	top := columnFoot
	top.Y = columnTop
	foot := columnFoot
	foot.Y = -into
	return fluid.Cylinder(foot, top, columnRadius)
}

// The spout that pours into the pool: a mouth at the end of a pipe through the -z wall, away
// from where the cameras are.
var spout = struct {
	mouth  r3.Vec  // m
	radius float64 // m
	length float64 // of the mouth's liquid, m
	speed  float64 // m/s, along +z
}{r3.Vec{X: -0.6, Y: 1.72, Z: -1.5}, 0.15, 0.12, 1.7}

// spoutDef fills its mouth just as fast as the liquid leaves it.
func spoutDef() fluid.EmitterDef {
	to := r3.Add(spout.mouth, r3.Vec{Z: spout.length})
	const litres = 1000 // per m³
	return fluid.EmitterDef{
		Shape:    fluid.Cylinder(spout.mouth, to, spout.radius),
		Velocity: r3.Vec{Y: -0.2, Z: spout.speed},
		Rate:     math.Pi * spout.radius * spout.radius * spout.speed * litres,
	}
}

// buildLiquid fills the pool and opens the spout. The solids are bodies.
func buildLiquid(liq *fluid.Liquid) (fluid.EmitterID, error) {
	if err := liq.Fill(fluid.Below(waterLevel)); err != nil {
		return 0, err
	}
	return liq.AddEmitter(spoutDef())
}

// buildBodies adds what the bodies bump into: half-spaces for the domain's own walls, the
// steps and the column.
func buildBodies(world *physics.World) error {
	mid := r3.Scale(.5, r3.Add(domain.Min, domain.Max))
	for _, plane := range []struct{ point, normal r3.Vec }{
		{r3.Vec{Y: domain.Min.Y}, r3.Vec{Y: 1}},
		{r3.Vec{X: domain.Min.X, Y: mid.Y}, r3.Vec{X: 1}}, {r3.Vec{X: domain.Max.X, Y: mid.Y}, r3.Vec{X: -1}},
		{r3.Vec{Z: domain.Min.Z, Y: mid.Y}, r3.Vec{Z: 1}}, {r3.Vec{Z: domain.Max.Z, Y: mid.Y}, r3.Vec{Z: -1}},
	} {
		if err := addStatic(world, "wall", plane.point, physics.HalfSpace(plane.normal)); err != nil {
			return err
		}
	}
	for _, s := range steps() {
		b := anchored(s)
		size := b.Size()
		if err := addStatic(world, "step", b.Center(), physics.Box(size.X, size.Y, size.Z)); err != nil {
			return err
		}
	}
	post := column()
	return addStatic(world, "column", r3.Vec{}, physics.SDFGeometry(post.Eval, post.Bounds()))
}

func addStatic(world *physics.World, name string, at r3.Vec, g physics.Geometry) error {
	body, err := world.CreateBody(physics.BodyDef{Name: name, Position: at})
	if err != nil {
		return err
	}
	_, err = body.AddShape(physics.ShapeDef{Geometry: g, Restitution: .1})
	return err
}
