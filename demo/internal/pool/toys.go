package pool

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// Kind says what a toy looks like.
type Kind int

// What toys there are.
const (
	Crate Kind = iota
	Ball
	Dinghy
)

// Sizes of the toys, m.
const (
	CrateEdge  = 0.46
	BallRadius = 0.27
	DinghyWall = 0.10
)

// DinghySize is the dinghy's, m.
var DinghySize = r3.Vec{X: 1.45, Y: 0.40, Z: 0.90}

// toyDef is a body to drop into the pool.
type toyDef struct {
	name  string
	Kind  Kind
	Ratio float64 // density of its material to the liquid's
	at    float64 // s, when it is dropped
	from  r3.Vec  // m
	spin  float64 // how far it is turned at random, rad
}

// programme is what is dropped, in order.
var programme = []toyDef{
	{name: "crate 0.3", Kind: Crate, Ratio: 0.3, at: 0.10, from: r3.Vec{X: -0.9, Y: 2.1, Z: 0.7}, spin: .5},
	{name: "ball", Kind: Ball, Ratio: 0.15, at: 0.60, from: r3.Vec{X: 2.0, Y: 2.2, Z: 1.15}, spin: .5},
	{name: "crate 0.7", Kind: Crate, Ratio: 0.7, at: 1.10, from: r3.Vec{X: 0.35, Y: 2.2, Z: -1.2}, spin: .6},
	{name: "dinghy", Kind: Dinghy, Ratio: 0.5, at: 1.70, from: r3.Vec{X: 0.4, Y: 1.7, Z: 0.5}, spin: .06},
	{name: "crate 1.5", Kind: Crate, Ratio: 1.5, at: 2.40, from: r3.Vec{X: 2.0, Y: 2.2, Z: -0.8}, spin: .6},
}

// dinghyHome is what a camera chases until the dinghy is there.
func dinghyHome() r3.Vec {
	for _, d := range programme {
		if d.Kind == Dinghy {
			return r3.Vec{X: d.from.X, Y: WaterLevel, Z: d.from.Z}
		}
	}
	return r3.Vec{Y: WaterLevel}
}

// Toy is a body in the pool.
type Toy struct {
	toyDef
	Body      physics.Body
	submerged float64 // part of it, averaged over draftMemory
}

// Geometry is the shape of such a toy.
func (k Kind) Geometry() physics.Geometry {
	switch k {
	case Ball:
		return physics.Sphere(r3.Vec{}, BallRadius)
	case Dinghy:
		return physics.OpenBox(physics.Centred(DinghySize.X, DinghySize.Y, DinghySize.Z), DinghyWall)
	}
	return physics.Box(physics.Centred(CrateEdge, CrateEdge, CrateEdge))
}

// drop makes the body, a little shifted and turned as chance wants it.
func (d toyDef) drop(world *physics.World, chance *rand.Rand, liquidDensity float64) (Toy, error) {
	body, err := world.AddBody(physics.BodyDef{
		Kind: physics.Dynamic, Name: d.name, Position: r3.Add(d.from, r3.Scale(.12, within(chance))),
		Rotation:       turned(within(chance), d.spin*chance.Float64()),
		LinearDamping:  .02,
		AngularDamping: .15, // of the air
	})
	if err != nil {
		return Toy{}, err
	}
	_, err = body.AddShape(physics.ShapeDef{Geometry: d.Kind.Geometry(), Density: d.Ratio * liquidDensity, Material: physics.Material{Restitution: .2}})
	return Toy{toyDef: d, Body: body}, err
}

// within is a point in the cube from -1 to 1.
func within(chance *rand.Rand) r3.Vec {
	return r3.Vec{X: 2*chance.Float64() - 1, Y: 2*chance.Float64() - 1, Z: 2*chance.Float64() - 1}
}

func turned(axis r3.Vec, angle float64) quat.Number {
	n := r3.Norm(axis)
	if n == 0 {
		return quat.Number{Real: 1}
	}
	axis = r3.Scale(math.Sin(angle/2)/n, axis)
	return quat.Number{Real: math.Cos(angle / 2), Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}
}

// random is a toy for the key that drops one more: over open water, straight away.
func random(chance *rand.Rand) toyDef {
	d := programme[chance.IntN(len(programme))]
	d.from = r3.Vec{X: -1 + 3.2*chance.Float64(), Y: 2.4, Z: 0.2 + 1.2*chance.Float64()}
	d.at = 0
	return d
}
