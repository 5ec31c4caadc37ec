package physics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/physics"
)

// A Coupling is all that a liquid can ask of bodies.
var _ interface {
	fluid.Bodies
	engine.Sharing
	engine.Holding
	engine.Touching
	engine.Contacting
	engine.Measured
	engine.Regular
	engine.Revising
	engine.Filtering
	engine.Dragging
	engine.Naming
	engine.Gravitating
} = (*physics.Coupling)(nil)

// forms are solids of both packages, made by the same arguments.
func forms() map[string]struct {
	solid physics.Geometry
	shape fluid.SDF
} {
	a, b := r3.Vec{X: .3, Y: -.2, Z: .5}, r3.Vec{X: -.4, Y: .6, Z: .1}
	box := r3.Box{Min: r3.Vec{X: -.2, Y: .1, Z: -.7}, Max: r3.Vec{X: .5, Y: .4, Z: .2}}
	n := r3.Unit(r3.Vec{X: 1, Y: 2, Z: -.5})
	return map[string]struct {
		solid physics.Geometry
		shape fluid.SDF
	}{
		"box":                {physics.Box(box), fluid.Box(box)},
		"sphere":             {physics.Sphere(a, .3), fluid.Sphere(a, .3)},
		"capsule":            {physics.Capsule(a, b, .2), fluid.Capsule(a, b, .2)},
		"capsule, down":      {physics.Capsule(b, a, .2), fluid.Capsule(b, a, .2)},
		"capsule of a point": {physics.Capsule(a, a, .2), fluid.Capsule(a, a, .2)},
		"cylinder":           {physics.Cylinder(a, b, .2), fluid.Cylinder(a, b, .2)},
		"half-space":         {physics.HalfSpace(a, n), fluid.HalfSpace(a, n)},
		"SDF":                {physics.SDF(fluid.Torus(a, n, .4, .1).Eval, fluid.Torus(a, n, .4, .1).Bounds()), fluid.Torus(a, n, .4, .1)},
	}
}

// The same arguments make the same solid in both packages, wherever the shape and its body are.
func TestFormsAreThoseOfFluid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	random := func(reach float64) r3.Vec {
		return r3.Vec{X: reach * (2*rng.Float64() - 1), Y: reach * (2*rng.Float64() - 1), Z: reach * (2*rng.Float64() - 1)}
	}
	for name, form := range forms() {
		at, turn := random(1), r3.NewRotation(1.1, random(1))
		offset, own := random(1), r3.NewRotation(.7, random(1))
		w := physics.NewWorld(physics.WorldDef{})
		body, err := w.AddBody(physics.BodyDef{Position: at, Rotation: quat.Number(turn)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := body.AddShape(physics.ShapeDef{Geometry: form.solid, Offset: offset, Rotation: quat.Number(own)})
		if err != nil {
			t.Fatal(name, err)
		}
		local, pts := make([]r3.Vec, 500), make([]r3.Vec, 500)
		pos, rot := s.Pose()
		for i := range pts {
			local[i] = random(1.5)
			pts[i] = r3.Add(at, turn.Rotate(r3.Add(offset, own.Rotate(local[i]))))
			if p := r3.Add(pos, r3.Rotation(rot).Rotate(local[i])); r3.Norm(r3.Sub(p, pts[i])) > 1e-9 {
				t.Fatalf("%s: Pose has %v at %v, want %v", name, local[i], p, pts[i])
			}
		}
		got, want := make([]float32, len(pts)), make([]float32, len(pts))
		body.Distance(got, pts)
		form.shape.Eval(want, local)
		bounds := body.Bounds()
		for i := range pts {
			if math.Abs(float64(got[i]-want[i])) > 1e-5 {
				t.Fatalf("%s: %v m at %v, want %v", name, got[i], local[i], want[i])
			}
			if got[i] < 0 && !holds(bounds, pts[i]) {
				t.Fatalf("%s: %v is outside of the bounds %v", name, pts[i], bounds)
			}
		}
		if hit, ok, err := w.RayCast(pts[0], r3.Sub(at, pts[0]), physics.Query{}); ok && hit.Fraction > 0 {
			var d [1]float32
			if body.Distance(d[:], []r3.Vec{hit.Point}); math.Abs(float64(d[0])) > 1e-4 {
				t.Errorf("%s: a ray hits %v m from the surface", name, d[0])
			}
		} else if err != nil {
			t.Error(name, err)
		}
		vertices, _ := form.solid.Triangles(24)
		on := make([]float32, len(vertices))
		form.shape.Eval(on, vertices)
		for i, d := range on {
			if math.Abs(float64(d)) > .02 { // what a coarse mesh of an SDF is off by
				t.Fatalf("%s: vertex %v is %v m from the surface", name, vertices[i], d)
			}
		}
	}
}

func holds(b r3.Box, p r3.Vec) bool {
	return p.X >= b.Min.X && p.Y >= b.Min.Y && p.Z >= b.Min.Z && p.X <= b.Max.X && p.Y <= b.Max.Y && p.Z <= b.Max.Z
}

// A solid away from the origin weighs as one that the shape's Offset puts there, and moves to the same bits' worth.
func TestPlacedFormsMoveAsOffsetOnes(t *testing.T) {
	a, b := r3.Vec{X: .3, Y: -.2, Z: .5}, r3.Vec{X: -.4, Y: .6, Z: .1}
	middle, along := r3.Scale(.5, r3.Add(a, b)), r3.Sub(b, a)
	half := r3.Scale(.5*r3.Norm(along), r3.Vec{Y: 1})
	u := r3.Unit(along)
	turn := r3.NewRotation(math.Acos(u.Y), r3.Cross(r3.Vec{Y: 1}, u))
	for name, pair := range map[string][2]physics.ShapeDef{
		"sphere":   {{Geometry: physics.Sphere(a, .2)}, {Geometry: physics.Sphere(r3.Vec{}, .2), Offset: a}},
		"box":      {{Geometry: physics.Box(r3.Box{Min: r3.Sub(a, r3.Vec{X: .1, Y: .15, Z: .2}), Max: r3.Add(a, r3.Vec{X: .1, Y: .15, Z: .2})})}, {Geometry: physics.Box(physics.Centred(.2, .3, .4)), Offset: a}},
		"capsule":  {{Geometry: physics.Capsule(a, b, .1)}, {Geometry: physics.Capsule(r3.Scale(-1, half), half, .1), Offset: middle, Rotation: quat.Number(turn)}},
		"cylinder": {{Geometry: physics.Cylinder(a, b, .1)}, {Geometry: physics.Cylinder(r3.Scale(-1, half), half, .1), Offset: middle, Rotation: quat.Number(turn)}},
	} {
		var end [2]physics.Body
		for k, def := range pair {
			w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
			ground, err := w.AddBody(physics.BodyDef{})
			if err == nil {
				_, err = ground.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{Y: -1}, r3.Vec{Y: 1})})
			}
			if err == nil {
				end[k], err = w.AddBody(physics.BodyDef{Kind: physics.Dynamic, AngularVelocity: r3.Vec{X: 1}})
			}
			if err == nil {
				_, err = end[k].AddShape(def)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			for range 60 {
				w.Step(1. / 60)
			}
		}
		p, q := end[0], end[1]
		if math.Abs(p.Mass()-q.Mass()) > 1e-9*q.Mass() || r3.Norm(r3.Sub(p.CentreOfMass(), q.CentreOfMass())) > 1e-6 || quat.Abs(quat.Sub(p.Rotation(), q.Rotation())) > 1e-6 {
			t.Errorf("%s: %v kg at %v, turned by %v; want %v kg at %v, %v", name, p.Mass(), p.CentreOfMass(), p.Rotation(), q.Mass(), q.CentreOfMass(), q.Rotation())
		}
	}
}
