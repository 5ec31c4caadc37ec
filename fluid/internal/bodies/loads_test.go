package bodies_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/physics"
)

// tense is a weightless tank at x, of which a corner is full, under so much tension that each step takes the given number of substeps.
func tense(t *testing.T, x float64, substeps int) *fluid.Liquid {
	t.Helper()
	d := testrig.Box(.2, .2, .2)
	d.Min.X, d.Max.X = x, x+.2
	l := testrig.New(t, fluid.Def{Domain: d, CellSize: .05, Resources: fluid.Resources{Workers: 1}, Physics: fluid.Physics{Weightless: true, SurfaceTension: 1e3, Density: 1}, Numerics: fluid.Numerics{MaxSubsteps: substeps}})
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Min: d.Min, Max: r3.Add(d.Min, r3.Vec{X: .1, Y: .1, Z: .2})})))
	return l
}

// stepped takes a step of each liquid, in which the bodies step so many times.
func stepped(t *testing.T, dt float64, substeps int, liquids ...*fluid.Liquid) {
	t.Helper()
	for _, l := range liquids {
		if r := *l.Step(dt); r.Err != nil || r.Substeps != substeps {
			t.Fatalf("%d substeps, not %d: %s", r.Substeps, substeps, r.Err)
		}
	}
}

// V40: what the game applies before a step acts through all of it, whatever its substeps, and impulses act once.
func TestLoadsLastThroughTheStep(t *testing.T) {
	force, torque, impulse := r3.Vec{X: 20, Z: -7}, r3.Vec{Y: 3}, r3.Vec{X: 5, Y: -2}
	for name, push := range map[string]func(w *physics.World, b physics.Body, dt float64){
		"force and torque": func(_ *physics.World, b physics.Body, _ float64) {
			testrig.Must(t, b.ApplyForce(force, b.CentreOfMass()))
			testrig.Must(t, b.ApplyTorque(torque))
		},
		"wrench": func(w *physics.World, b physics.Body, _ float64) { w.Coupling().AddWrench(b.Index(), force, torque) },
		"impulse": func(_ *physics.World, b physics.Body, dt float64) {
			testrig.Must(t, b.ApplyImpulse(reproducible.Scale(dt, force), b.CentreOfMass()))
			testrig.Must(t, b.ApplyAngularImpulse(reproducible.Scale(dt, torque)))
		},
		"all": func(w *physics.World, b physics.Body, dt float64) {
			testrig.Must(t, b.ApplyForce(reproducible.Scale(.5, force), b.CentreOfMass()))
			testrig.Must(t, b.ApplyTorque(torque))
			w.Coupling().AddWrench(b.Index(), reproducible.Scale(.25, force), r3.Vec{})
			testrig.Must(t, b.ApplyImpulse(reproducible.Scale(.25*dt, force), b.CentreOfMass()))
		},
	} {
		for _, n := range []int{1, 2, 3, 5, 16} {
			for _, liquids := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s/%d liquids/%d substeps", name, liquids, n), func(t *testing.T) {
					w := physics.NewWorld(physics.WorldDef{})
					b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 7}, physics.Sphere(r3.Vec{}, .2), 300)
					testrig.Must(t, b.ApplyImpulse(impulse, b.CentreOfMass()))
					tanks := make([]*fluid.Liquid, liquids)
					for i := range tanks {
						tanks[i] = tense(t, float64(10*i), n)
						tanks[i].Couple(w.Coupling())
					}
					time := 0.
					for _, dt := range []float64{1. / 60, 1. / 30, 1. / 240, 1. / 60} {
						push(w, b, dt)
						stepped(t, dt, n, tanks...)
						time += dt
					}
					stepped(t, 1./60, n, tanks...) // nothing is applied
					m := b.MassProperties()
					want := reproducible.Scale(1/m.Mass, r3.Add(impulse, reproducible.Scale(time, force)))
					if off := reproducible.Norm(r3.Sub(b.Velocity(), want)); !(off <= 1e-9*reproducible.Norm(want)) {
						t.Errorf("%v m/s; want %v", b.Velocity(), want)
					}
					if spin, want := b.AngularVelocity().Y, torque.Y*time/(.4*m.Mass*.2*.2); !(math.Abs(spin-want) <= 1e-9*want) {
						t.Errorf("%v rad/s; want %v", spin, want)
					}
				})
			}
		}
	}
}

// A drone that hovers by its thrust stays where it is while water splashes elsewhere.
func TestDroneHoversBesideASplash(t *testing.T) {
	w := testrig.Earth()
	drone := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 3, Y: 1, Z: .4}, physics.Box(physics.Centred(.3, .1, .3)), 400)
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Numerics: fluid.Numerics{CFL: 1}})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.5, .8, .8))))
	testrig.Must(t, l.SetVelocity(fluid.Box(testrig.Box(.5, .8, .8)), func(r3.Vec) r3.Vec { return r3.Vec{X: 9} }))
	l.Couple(w.Coupling())
	most := 0
	for range 30 {
		testrig.Must(t, drone.ApplyForce(r3.Vec{Y: 9.81 * drone.Mass()}, drone.CentreOfMass()))
		most = max(most, l.Step(testrig.Frame).Substeps)
	}
	if most < 2 {
		t.Fatalf("the splash takes %d substeps", most)
	}
	if v, y := drone.Velocity(), drone.Position().Y; reproducible.Norm(v) > 1e-9 || math.Abs(y-1) > 1e-9 {
		t.Errorf("the drone moves with %v m/s and is at %v m; want 0 and 1", v, y)
	}
}

// What was applied for a step ends with it: one that is rolled back takes no time and leaves no load behind, one that is refused is no step,
// a body that sleeps is pushed when it is woken, and a world stepped alone drops its loads as ever.
func TestLoadsEndWithTheStep(t *testing.T) {
	setting := func(t *testing.T) (*fluid.Liquid, *physics.World, physics.Body, func(want float64)) {
		w := physics.NewWorld(physics.WorldDef{})
		b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 7}, physics.Box(physics.Centred(.1, .1, .1)), 1e4) // 10 kg
		l := tense(t, 0, 4)
		l.Couple(w.Coupling())
		return l, w, b, func(want float64) {
			t.Helper()
			if v := b.Velocity(); !(math.Abs(v.X-want) <= 1e-9) {
				t.Errorf("%v m/s; want %v", v.X, want)
			}
		}
	}
	push := func(t *testing.T, b physics.Body) { testrig.Must(t, b.ApplyForce(r3.Vec{X: 600}, b.CentreOfMass())) } // 1 m/s in a frame
	t.Run("rolled back", func(t *testing.T) {
		l, _, b, check := setting(t)
		density := l.Def().Physics.Density
		push(t, b)
		testrig.Around(l).Material.Density = testrig.NaN
		if r := *l.Step(testrig.Frame); r.Err == nil {
			t.Fatal("the step is not rolled back")
		}
		testrig.Around(l).Material.Density = density
		check(0)
		push(t, b)
		l.Step(testrig.Frame)
		check(1)
	})
	t.Run("refused", func(t *testing.T) {
		l, _, b, check := setting(t)
		push(t, b)
		if r := *l.Step(0); r.Err == nil {
			t.Fatal("a step of 0 s is not refused")
		}
		check(0)
		l.Step(testrig.Frame)
		check(1)
		l.Step(testrig.Frame)
		check(1)
	})
	t.Run("asleep", func(t *testing.T) {
		l, w, b, check := setting(t)
		testrig.Must(t, b.SetAwake(false))
		w.Coupling().AddWrench(b.Index(), r3.Vec{X: 600}, r3.Vec{})
		l.Step(testrig.Frame)
		check(0)
		push(t, b)
		l.Step(testrig.Frame)
		check(1)
	})
	t.Run("alone", func(t *testing.T) {
		l, w, b, check := setting(t)
		push(t, b)
		l.Step(testrig.Frame)
		check(1)
		push(t, b)
		w.Step(testrig.Frame)
		w.Step(testrig.Frame)
		check(2)
	})
	t.Run("not finite", func(t *testing.T) {
		l, w, b, check := setting(t)
		push(t, b)
		w.Coupling().AddWrench(b.Index(), r3.Vec{X: testrig.NaN}, r3.Vec{})
		l.Step(testrig.Frame)
		check(0)
		push(t, b)
		l.Step(testrig.Frame)
		check(1)
	})
}

// lasting are balls that the game pushes until it stops: an engine without Holding.
type lasting struct {
	*testrig.Puppet
	push r3.Vec // on each ball, N
}

func (p lasting) PredictedVelocity(i int, dt float64) (v, w r3.Vec) {
	v, w = p.Puppet.PredictedVelocity(i, dt)
	return r3.Add(v, reproducible.Scale(dt/p.Balls[i].Mass, p.push)), w
}

func (p lasting) Step(dt float64) {
	for i := range p.Balls {
		p.AddWrench(i, p.push, r3.Vec{})
	}
	p.Puppet.Step(dt)
}

// An engine without Holding has its loads act until the game ends them.
func TestLoadsOfAnEngineWithoutHolding(t *testing.T) {
	for _, n := range []int{1, 4, 16} {
		p := testrig.NewPuppet(testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: 5, Y: 7}, Radius: .15, Mass: 10})
		l := tense(t, 0, n)
		l.Couple(lasting{p, r3.Vec{X: 600}})
		for range 3 {
			stepped(t, testrig.Frame, n, l)
		}
		if v := p.Balls[0].V.X; !(math.Abs(v-3) <= 1e-9) {
			t.Errorf("%d substeps: %v m/s; want 3", n, v)
		}
	}
}
