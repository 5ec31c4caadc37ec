package bodies_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// jointed is a dynamic body of one shape on a hinge that the world holds at pivot, about z.
func jointed(t *testing.T, w *physics.World, g physics.Geometry, density float64, at, pivot r3.Vec) (physics.Body, physics.Joint) {
	t.Helper()
	b := testrig.Place(t, w, physics.Dynamic, at, g, density)
	j, err := w.AddJoint(physics.JointDef{Kind: physics.HingeJoint, B: b, Anchor: pivot, Axis: r3.Vec{Z: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return b, j
}

// V6: a flap that shuts a tube full of liquid does not turn, whatever pushes it.
func TestClosedHingedValve(t *testing.T) { testrig.EachDiscretisation(t, closedHingedValve) }

func closedHingedValve(t *testing.T, of fluid.Discretisation) {
	// The step is short, as a flap free to turn would, while it lasts, turn its weight's arm too.
	const cell, dt = .05, 1e-5
	for _, shift := range []float64{0, .3, .7} {
		turned := func(full bool) float64 {
			w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
			at := (11 + shift) * cell
			flap, hinge := jointed(t, w, physics.Box(physics.Centred(2*cell, 2, 2)), 100, r3.Vec{X: at + cell}, r3.Vec{X: at, Y: 8 * cell})
			m := physics.MassProperties{Mass: 20, Inertia: [3][3]float64{{.3, 0, 0}, {0, .3, 0}, {0, 0, .3}}}
			testrig.Must(t, flap.SetMassProperties(m))
			testrig.Must(t, flap.ApplyTorque(r3.Vec{Z: -10}))
			if !full {
				w.Step(dt)
				return hinge.Speed()
			}
			l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(24*cell, 8*cell, 8*cell), CellSize: cell, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-12, MaxIterations: 500}})
			testrig.Must(t, l.Fill(fluid.Box(l.Def().Domain)))
			l.Couple(w.Coupling())
			l.Step(dt)
			return hinge.Speed()
		}
		if free, shut := turned(false), turned(true); !(math.Abs(shut) <= 1e-8*math.Abs(free)) {
			t.Errorf("%g cells off the grid: %g rad/s, without liquid %g", shift, shut, free)
		}
	}
}

// A flap that hangs from a hinge in still water goes on hanging.
func TestHingedFlapInStillWater(t *testing.T) { testrig.EachDiscretisation(t, hingedFlapInStillWater) }

func hingedFlapInStillWater(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
	flap, hinge := jointed(t, w, physics.Box(physics.Centred(.1, .4, .3)), 2000, r3.Vec{X: .4, Y: .4, Z: .3}, r3.Vec{X: .4, Y: .6, Z: .3})
	l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(.8, .8, .6), CellSize: .04})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.8, .7, .6))))
	l.Couple(w.Coupling())
	most := 0.
	for range 120 {
		if r := *l.Step(1. / 60); r.Err != nil {
			t.Fatal(r.Err)
		}
		most = max(most, math.Abs(hinge.Angle()))
	}
	weight := 9.81 * .1 * .4 * .3 * (2000 - 1000)
	t.Logf("turned %.2g rad; the hinge bears %.2f N of %.2f", most, hinge.Force().Y, weight)
	if most > 1e-3 {
		t.Errorf("turned %g rad", most)
	}
	if f := hinge.Force().Y; !(math.Abs(f-weight) <= .02*weight) {
		t.Errorf("the hinge bears %g N, want %g", f, weight)
	}
	if p := flap.Position(); math.Abs(p.Y-.4) > 1e-3 {
		t.Errorf("the flap is at %v", p)
	}
}

// A pendulum's bob in a full closed tank swings against its weight less the water's, with its
// mass and the water's that it takes along: half of its volume's, and a little for the walls.
// So does one on a rod of its own that is outside the tank.
func TestPendulumUnderWater(t *testing.T) {
	const radius, lean = .16, .2
	cell := testrig.InShort(.05, .04)
	for name, c := range map[string]struct{ pivot, long, rod, dt float64 }{"on its pivot": {.7, .3, 0, 1. / 120}, "on a rod outside": {1.5, 1, .3, 1. / 60}} {
		if testing.Short() && c.rod == 0 {
			continue
		}
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
		pivot, down := r3.Vec{X: .5 - (c.long-.3)*math.Sin(lean), Y: c.pivot, Z: .5}, r3.Vec{X: math.Sin(lean), Y: -math.Cos(lean)}
		at := func(r float64) r3.Vec { return r3.Add(pivot, r3.Scale(r, down)) }
		water := 1000 * 4. / 3 * math.Pi * radius * radius * radius
		inertia, weight := 3*water*(c.long*c.long+.4*radius*radius), 2*water*9.81*c.long
		var hinge physics.Joint
		if c.rod == 0 {
			_, hinge = jointed(t, w, physics.Sphere(r3.Vec{}, radius), 3000, at(c.long), pivot)
		} else {
			var rod physics.Body
			rod, hinge = jointed(t, w, physics.Box(physics.Centred(.2, .2, .2)), 1000, at(c.rod), pivot)
			bob := testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: at(c.long)},
				physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, radius), Density: 3000})
			if _, err := w.AddJoint(physics.JointDef{A: rod, B: bob, Anchor: at(c.long)}); err != nil {
				t.Fatal(err)
			}
			inertia += rod.Mass() * (c.rod*c.rod + .04/6)
			weight += rod.Mass() * 9.81 * c.rod
		}
		period := func(added float64) float64 {
			return 2 * math.Pi * math.Sqrt((inertia+added*water*c.long*c.long)/weight) * (1 + lean*lean/16)
		}
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1, 1, 1), CellSize: cell, Numerics: fluid.Numerics{Levels: 1}})
		testrig.Must(t, l.Fill(fluid.Box(testrig.Box(1, 1, 1))))
		l.Couple(w.Coupling())
		var crossings []float64
		last := float64(lean)
		for n := 1; n <= 400 && len(crossings) < 3; n++ {
			if r := *l.Step(c.dt); r.Err != nil {
				t.Fatal(r.Err)
			}
			now := lean + hinge.Angle()
			if last*now < 0 {
				crossings = append(crossings, c.dt*(float64(n)-now/(now-last)))
			}
			last = now
		}
		if len(crossings) < 3 {
			t.Fatalf("%s: it does not swing: %v", name, crossings)
		}
		got := crossings[2] - crossings[0]
		t.Logf("%s: period %.4f s; without added mass %.4f, with half the volume's %.4f, with V5's %.4f", name, got, period(0), period(.5), period(.5577))
		if want := period(.53); !(math.Abs(got-want) <= .02*want) {
			t.Errorf("%s: period %g s, want %g", name, got, want)
		}
	}
}

// A float on a chain of light links pulls it taut and comes to rest, near enough.
func TestTetheredFloatCalmsDown(t *testing.T) {
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .6), CellSize: .04})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.8, .6, .6))))
	var last physics.Body
	for i := range 4 {
		at := r3.Vec{X: .4 + .05*float64(i), Y: .05 + .1*float64(i), Z: .3}
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: at})
		if err != nil {
			t.Fatal(err)
		}
		shape := physics.ShapeDef{Geometry: physics.Box(physics.Centred(.05, .09, .05)), Density: 300}
		if i == 3 {
			shape = physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .09), Density: 100}
		}
		if _, err := b.AddShape(shape); err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddJoint(physics.JointDef{Kind: physics.BallJoint, A: last, B: b, Anchor: r3.Sub(at, r3.Vec{X: .02, Y: .05})}); err != nil {
			t.Fatal(err)
		}
		last = b
	}
	l.Couple(w.Coupling())
	fastest, liquid := 0., 0.
	for n := range 240 {
		r := *l.Step(1. / 60)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		if n >= 120 {
			fastest, liquid = max(fastest, r3.Norm(last.Velocity())), max(liquid, r.MaxSpeed)
		}
	}
	t.Logf("after 2 s the float moves at %.2g m/s at most, the liquid at %.2g", fastest, liquid)
	if fastest > .3 || liquid > .6 {
		t.Errorf("after 2 s the float moves at %g m/s, the liquid at %g", fastest, liquid)
	}
}
