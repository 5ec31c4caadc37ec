package pool

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// The pool, m. The domain is higher than the tiled walls, as if they went on in
// glass: a splash stays in the pool.
var (
	Domain     = r3.Box{Min: r3.Vec{X: -3, Y: 0, Z: -2}, Max: r3.Vec{X: 3, Y: 2.7, Z: 2}}
	WaterLevel = 1.2
	WallTop    = 1.6

	ColumnFoot   = r3.Vec{X: 1.15, Y: 0, Z: -0.75}
	ColumnRadius = 0.24
	ColumnTop    = 2.15
)

// Cell is the edge of a pool's finest cells unless a player wants another, and Finest and Coarsest are its limits, m.
const (
	Cell     = 0.1
	Finest   = 0.02
	Coarsest = 0.2
)

// Orbit is low enough to see the surface and, through the sides that face it, the depth.
var Orbit = view.Orbit{Centre: r3.Vec{Y: 0.85}, Radius: 6.6, Height: 1.45, Period: 48, Start: -0.45}

// Chase follows the dinghy from behind.
var Chase = view.Chase{Offset: r3.Vec{X: -1.1, Y: 1.0, Z: 2.7}, Lag: 0.6}

// into is how far solids reach into the pool's walls and floor, so that no face of theirs
// lies on one of the domain's.
const into = 0.5

// Steps lead into the pool at its -x end, m: what one sees of them.
func Steps() []r3.Box {
	const tread, rise, count = 0.42, 0.47, 3
	var out []r3.Box
	for i := range count {
		out = append(out, r3.Box{
			Min: r3.Vec{X: Domain.Min.X, Y: 0, Z: Domain.Min.Z},
			Max: r3.Vec{X: Domain.Min.X + tread*float64(count-i), Y: rise * float64(i+1), Z: -0.2},
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
	top := ColumnFoot
	top.Y = ColumnTop
	foot := ColumnFoot
	foot.Y = -into
	return fluid.Cylinder(foot, top, ColumnRadius)
}

// Spout is what pours into the pool: a mouth at the end of a pipe through the -z wall, away
// from where the cameras are.
var Spout = struct {
	Mouth  r3.Vec  // m
	Radius float64 // m
	Length float64 // of the mouth's liquid, m
	Speed  float64 // m/s, along +z
}{r3.Vec{X: -0.6, Y: 1.9, Z: -1.55}, 0.18, 0.3, 1.2}

// spoutDef fills its mouth just as fast as the liquid leaves it.
func spoutDef() fluid.EmitterDef {
	to := r3.Add(Spout.Mouth, r3.Vec{Z: Spout.Length})
	const litres = 1000 // per m³
	return fluid.EmitterDef{
		Shape:    fluid.Cylinder(Spout.Mouth, to, Spout.Radius),
		Velocity: r3.Vec{Y: -0.2, Z: Spout.Speed},
		Rate:     math.Pi * Spout.Radius * Spout.Radius * Spout.Speed * litres,
	}
}

// buildLiquid fills the pool and opens the spout. The solids are bodies.
func buildLiquid(liq *fluid.Liquid) (fluid.EmitterID, error) {
	if err := liq.Fill(fluid.Below(WaterLevel)); err != nil {
		return 0, err
	}
	return liq.AddEmitter(spoutDef())
}

// buildBodies adds what the bodies bump into: half-spaces for the domain's own walls, the
// steps and the column.
func buildBodies(world *physics.World) error {
	mid := r3.Scale(.5, r3.Add(Domain.Min, Domain.Max))
	for _, plane := range []struct{ point, normal r3.Vec }{
		{r3.Vec{Y: Domain.Min.Y}, r3.Vec{Y: 1}},
		{r3.Vec{X: Domain.Min.X, Y: mid.Y}, r3.Vec{X: 1}}, {r3.Vec{X: Domain.Max.X, Y: mid.Y}, r3.Vec{X: -1}},
		{r3.Vec{Z: Domain.Min.Z, Y: mid.Y}, r3.Vec{Z: 1}}, {r3.Vec{Z: Domain.Max.Z, Y: mid.Y}, r3.Vec{Z: -1}},
	} {
		if err := addStatic(world, "wall", plane.point, physics.HalfSpace(r3.Vec{}, plane.normal)); err != nil {
			return err
		}
	}
	for _, s := range Steps() {
		b := anchored(s)
		size := b.Size()
		if err := addStatic(world, "step", b.Center(), physics.Box(physics.Centred(size.X, size.Y, size.Z))); err != nil {
			return err
		}
	}
	post := column()
	return addStatic(world, "column", r3.Vec{}, physics.SDF(post.Eval, post.Bounds()))
}

func addStatic(world *physics.World, name string, at r3.Vec, g physics.Geometry) error {
	body, err := world.AddBody(physics.BodyDef{Name: name, Position: at})
	if err != nil {
		return err
	}
	_, err = body.AddShape(physics.ShapeDef{Geometry: g, Material: physics.Material{Restitution: .1}})
	return err
}
