package physics

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestLockedAxes(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: r3.Vec{X: 1, Y: -9.81, Z: 2}, NoSleep: true})
	add(w, BodyDef{}, ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{X: 0.5, Y: 1, Z: 0.3}), Material: Material{Friction: Frictionless}})
	flat := Locks{Linear: Axes{Z: true}, Angular: Axes{X: true, Y: true}}
	a := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1}, Rotation: about(r3.Vec{X: 1, Y: 2, Z: 3}, 1), Lock: flat}, ShapeDef{Geometry: Box(Centred(0.3, 0.5, 0.7))})
	b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 0.1, Y: 2, Z: 0.1}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.3)})
	check(t, a.SetAngularVelocity(r3.Vec{X: 1, Y: 2, Z: 3}))
	check(t, a.SetVelocity(r3.Vec{X: 1, Z: 5}))
	for range 120 {
		check(t, a.ApplyForce(r3.Vec{X: 3, Y: 1, Z: 20}, r3.Add(a.CentreOfMass(), r3.Vec{X: 0.1, Z: 0.3})))
		w.Step(tick)
		if s := a.AngularVelocity(); a.Position().Z != 0 || s.X != 0 || s.Y != 0 {
			t.Fatalf("at %v, spin %v", a.Position(), s)
		}
	}
	if a.AngularVelocity().Z == 0 || a.Velocity().X == 0 || b.Position().Z == 0.1 {
		t.Error("what is not locked does not move")
	}
	var rows [6][12]float64
	if i, to, n := w.Coupling().JointRows(0, &rows); w.Coupling().Joints() != 1 || i != a.Index() || to != -1 || n != 1 || rows[0] != [12]float64{2: 1} || w.Coupling().Joint(0).Valid() {
		t.Errorf("%d joints, rows between %d and %d: %v", w.Coupling().Joints(), i, to, rows[:n])
	}
	// Nothing can lift what is locked in the ground, but it must not hurt either.
	c := dynamic(w, Box(Centred(1, 1, 1)), 0, -1, 0)
	check(t, c.SetLock(Locks{Linear: Axes{Y: true}, Angular: Axes{true, true, true}}))
	must(w.AddJoint(JointDef{Kind: BallJoint, A: c, B: massive(w, r3.Vec{Y: -2}, ball(1)), Anchor: r3.Vec{Y: -1.5}}))
	for range 60 {
		w.Step(tick)
		if f := w.Events().Failures; len(f) != 0 || c.Position().Y != -1 {
			t.Fatalf("%v, at %v", f, c.Position())
		}
	}
	check(t, c.Remove())
	check(t, a.SetLock(Locks{}))
	steps(w, 30)
	if a.Position().Z == 0 || w.Coupling().Joints() != 0 {
		t.Error("the lock stays on")
	}
}

// The inertia of a body that turns about one of the world's axes only is that about the axis.
func TestLockedInertia(t *testing.T) {
	w := NewWorld(WorldDef{})
	m := MassProperties{Mass: 1, Inertia: mat3{{2, 0.3, 0.1}, {0.3, 3, -0.2}, {0.1, -0.2, 4}}}
	b := massive(w, r3.Vec{}, m)
	check(t, b.SetLock(Locks{Angular: Axes{X: true, Z: true}}))
	check(t, b.ApplyAngularImpulse(r3.Vec{X: 5, Y: 6, Z: 7}))
	nearVec(t, "spin", b.AngularVelocity(), r3.Vec{Y: 2}, 1e-12)
	check(t, b.ApplyTorque(r3.Vec{X: 5, Y: -12, Z: 7}))
	w.Step(0.5)
	nearVec(t, "spin", b.AngularVelocity(), r3.Vec{}, 1e-12)
	check(t, b.SetLock(Locks{Angular: Axes{true, true, true}}))
	check(t, b.ApplyAngularImpulse(r3.Vec{X: 5, Y: 6, Z: 7}))
	nearVec(t, "spin", b.AngularVelocity(), r3.Vec{}, 0)
}

func TestGravityScale(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	for scale, want := range map[float64]float64{0: 1, 0.25: 0.25, -0.5: -0.5} { // 0 of a definition means 1
		b := add(w, BodyDef{Kind: Dynamic, GravityScale: scale}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.1)})
		c := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 5}, NoGravity: true}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.1)})
		steps(w, 60)
		near1(t, "speed", b.Velocity().Y, -9.81*want, 1e-9)
		near1(t, "speed without gravity", c.Velocity().Y, 0, 0)
		check(t, c.SetGravityScale(want))
		steps(w, 60)
		near1(t, "speed", c.Velocity().Y, -9.81*want, 1e-9)
		check(t, c.SetGravityScale(0))
		steps(w, 60)
		near1(t, "speed without gravity again", c.Velocity().Y, -9.81*want, 1e-9)
		check(t, b.Remove())
		check(t, c.Remove())
	}
}

func TestSetKind(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	f := floor(w)
	a, b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5, 0), dynamic(w, Box(Centred(1, 1, 1)), 0, 1.5, 0)
	must(a.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, 0.2), Density: 3000, Offset: r3.Vec{X: 0.2}}))
	mass := a.MassProperties()
	steps(w, 120)
	if b.Awake() {
		t.Fatal("does not sleep")
	}
	at := a.Position()
	check(t, a.SetKind(Kinematic))
	nearVec(t, "position", a.Position(), at, 1e-12)
	if a.Mass() != 0 || a.Kind() != Kinematic || !b.Awake() {
		t.Error("still dynamic, or what stood on it sleeps on")
	}
	check(t, a.SetVelocity(r3.Vec{Y: 1}))
	steps(w, 60)
	near1(t, "lifted", b.Position().Y, 2.5, 0.02)
	check(t, a.SetKind(Static))
	if a.Velocity() != (r3.Vec{}) {
		t.Error("a static body moves")
	}
	steps(w, 60)
	check(t, a.SetKind(Dynamic))
	nearMass(t, a.MassProperties(), mass)
	steps(w, 120)
	near1(t, "height", a.Position().Y, 0.5, 0.01)
	check(t, a.SetMassProperties(MassProperties{Mass: 7}))
	check(t, a.SetKind(Static))
	check(t, a.SetKind(Dynamic))
	near1(t, "mass", a.Mass(), 7, 0)
	if err := f.SetKind(Dynamic); !errors.Is(err, ErrKind) {
		t.Errorf("a dynamic half-space: %v", err)
	}
	if err := a.SetKind(7); err == nil {
		t.Error("kind 7")
	}
}

func TestBodyEvents(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	floor(w)
	b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5, 0)
	lift := add(w, BodyDef{Kind: Kinematic, Position: r3.Vec{X: 9}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.1)})
	slept, woke := 0, 0
	for n := range 120 {
		w.Step(tick)
		e := w.Events()
		slept, woke = slept+len(e.Slept), woke+len(e.Woke)
		if len(e.Slept) == 1 && (e.Slept[0] != b || b.Awake()) {
			t.Error("slept")
		}
		if n == 119 && len(e.Moved) != 0 {
			t.Errorf("moved: %v", e.Moved)
		}
	}
	check(t, lift.SetVelocity(r3.Vec{Y: 1}))
	check(t, b.ApplyImpulse(r3.Vec{X: 500}, b.CentreOfMass()))
	w.Step(tick)
	e := w.Events()
	if slept != 1 || woke != 0 || len(e.Woke) != 1 || e.Woke[0] != b || len(e.Moved) != 2 || e.Moved[0] != b || e.Moved[1] != lift {
		t.Errorf("%d slept, %d woke, then %v woke, %v moved", slept, woke, e.Woke, e.Moved)
	}
}

func TestFreeSpinFor60Seconds(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := uneven(w)
	check(t, b.SetAngularVelocity(r3.Vec{X: 4, Y: 9, Z: -6}))
	l, e, worst, most := spinMomentum(b), energy(w), 0.0, 0.0
	for range 3600 {
		w.Step(tick)
		worst = max(worst, r3.Norm(r3.Sub(spinMomentum(b), l))/r3.Norm(l))
		most = max(most, math.Abs(energy(w)/e-1))
	}
	t.Logf("momentum within %.2g, energy within %.2g", worst, most)
	if worst > 1e-6 || most > 0.01 {
		t.Errorf("momentum within %.2g, energy within %.2g", worst, most)
	}
}

// stands checks a tower of boxes of 1 m: how far they are off to the side and sunk, m, and how fast, m/s.
func stands(t *testing.T, tower []Body, side, sink, fast float64) {
	t.Helper()
	off, down, speed := 0.0, 0.0, 0.0
	for i, b := range tower {
		p := b.Position()
		off, down, speed = max(off, math.Hypot(p.X, p.Z)), max(down, math.Abs(p.Y-0.5-float64(i))), max(speed, r3.Norm(b.Velocity()))
	}
	t.Logf("sideways %.2g m, sunk %.2g m, speed %.2g m/s", off, down, speed)
	near1(t, "sideways", off, 0, side)
	near1(t, "sunk", down, 0, sink)
	near1(t, "speed", speed, 0, fast)
}

func TestTenStackStands(t *testing.T) {
	for _, substeps := range []int{4, 8} {
		t.Run(fmt.Sprint(substeps, " substeps"), func(t *testing.T) {
			w := NewWorld(WorldDef{Gravity: down, NoSleep: true, Substeps: substeps})
			ground(w)
			var tower []Body
			for i := range 10 {
				tower = append(tower, dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5+float64(i), 0))
			}
			steps(w, 3600)
			stands(t, tower, 0.02, 0.01, 1e-3)
		})
	}
}

// Towers of each flat solid, stacked as badly as by hand.
func TestTowersStand(t *testing.T) {
	for _, c := range []struct {
		name  string
		g     Geometry
		count int
	}{{"box", Box(Centred(0.5, 0.5, 0.5)), 20}, {"box", Box(Centred(0.3, 0.5, 0.3)), 10}, {"cylinder", convexShapes["cylinder"], 10}, {"cube hull", convexShapes["cube hull"], 10}, {"prism", convexShapes["prism"], 6}} {
		t.Run(fmt.Sprint(c.count, " ", c.name), func(t *testing.T) {
			w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
			ground(w)
			for i := range c.count {
				dynamic(w, c.g, 0.01*float64(i%2), 0.25+0.5*float64(i), 0)
			}
			steps(w, 1200)
			for b := range w.Bodies() {
				if i := b.Index() - 1; i >= 0 {
					nearVec(t, fmt.Sprint("body ", i), b.Position(), r3.Vec{X: 0.01 * float64(i%2), Y: 0.25 + 0.5*float64(i)}, 0.04)
				}
			}
		})
	}
}

// Boxes of such masses, from the ground up.
func TestHeavyOnLightStands(t *testing.T) {
	for name, ratios := range map[string][]float64{
		"ten on one":          {1, 10},
		"a hundred on one":    {1, 100},
		"one on a hundred":    {100, 1},
		"a hundred on four":   {1, 1, 1, 1, 100},
		"a hundred amid":      {1, 1, 100, 1, 1},
		"a hundred and one":   {1, 100, 1, 100},
		"ten and one, six up": {1, 10, 1, 10, 1, 10},
	} {
		t.Run(name, func(t *testing.T) {
			w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
			ground(w)
			var tower []Body
			for i, r := range ratios {
				tower = append(tower, add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 0.5 + float64(i)}}, ShapeDef{Geometry: Box(Centred(1, 1, 1)), Density: 400 * r}))
			}
			steps(w, 600)
			stands(t, tower, 0.05, 0.05, 0.01)
		})
	}
}

// Contacts of every shape with every ground leave locked axes alone.
func TestLockedAxesOfEachShape(t *testing.T) {
	for _, name := range solids {
		w := NewWorld(WorldDef{Gravity: r3.Vec{X: 2, Y: -9.81, Z: 1}})
		add(w, BodyDef{}, field(16, 0.5, func(x, z float64) float64 { return 0.3 * math.Sin(x) * math.Cos(z) }))
		var locked []Body
		var depth []float64
		for i := range 3 {
			b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1 + float64(i)}, Rotation: about(r3.Vec{X: 1, Y: 2, Z: 3}, 1), Lock: Locks{Linear: Axes{Z: true}, Angular: Axes{X: true, Y: true}}},
				ShapeDef{Geometry: convexShapes[name], Material: Material{RollingResistance: 0.05}})
			locked, depth = append(locked, b), append(depth, b.CentreOfMass().Z)
			add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 0.1, Y: 1.5 + float64(i), Z: 0.1}}, ShapeDef{Geometry: convexShapes[name]})
		}
		for range 120 {
			w.Step(tick)
			for i, b := range locked {
				if v, s := b.Velocity(), b.AngularVelocity(); b.CentreOfMass().Z != depth[i] || v.Z != 0 || s.X != 0 || s.Y != 0 {
					t.Fatalf("%s: at %v, velocity %v, spin %v", name, b.Position(), v, s)
				}
			}
		}
	}
}
