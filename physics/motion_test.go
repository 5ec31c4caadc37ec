package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestFreeFall(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	b := dynamic(w, Sphere(r3.Vec{}, 0.1), 0, 100, 0)
	steps(w, 60)
	near1(t, "speed after 1 s", b.Velocity().Y, -9.81, 1e-9)
	near1(t, "height after 1 s", b.Position().Y, 100-9.81/2, 1e-9)
}

// Before and after a bounce a ball flies along parabolas, whatever the step.
func TestFlightsBetweenBouncesAreParabolas(t *testing.T) {
	for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120} {
		w := NewWorld(WorldDef{Gravity: down})
		floor(w)
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1}}, ShapeDef{Geometry: Sphere(r3.Vec{}, .1), Density: 1000, Material: Material{Restitution: .8}})
		bounced, before, last := 0, b.Position().Y, 0.
		for n := 1; float64(n)*dt < 1.6; n++ {
			w.Step(dt)
			y := b.Position().Y
			v := (y - before) / dt
			if last < 0 && v > 0 {
				bounced = n
			}
			if n > 2 && y > .4 && n > bounced+2 {
				near1(t, "acceleration", (v-last)/dt, -9.81, 1e-6)
			}
			before, last = y, v
		}
		if bounced == 0 {
			t.Error("no bounce")
		}
	}
}

func TestPredictedVelocityIsWhatAFreeBodyGets(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	b := uneven(w)
	check(t, b.SetDamping(0.1, 0.2))
	check(t, b.SetAngularVelocity(r3.Vec{X: 3, Y: -5, Z: 7}))
	for range 30 {
		check(t, b.ApplyForce(r3.Vec{X: 20}, r3.Add(b.CentreOfMass(), r3.Vec{Z: 0.1})))
		v, spin := w.Coupling().PredictedVelocity(b.Index(), tick)
		w.Step(tick)
		nearVec(t, "v", b.Velocity(), v, 1e-12)
		nearVec(t, "spin", b.AngularVelocity(), spin, 1e-12)
	}
}

func TestFreeSpinKeepsAngularMomentum(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := uneven(w)
	check(t, b.SetAngularVelocity(r3.Vec{X: 4, Y: 9, Z: -6}))
	l, e := spinMomentum(b), energy(w)
	for range 1200 {
		w.Step(tick)
		nearVec(t, "angular momentum", spinMomentum(b), l, 1e-9*r3.Norm(l))
		near1(t, "energy", energy(w), e, 0.02*e)
	}
}

func TestWrenchAsForceCancelsGravity(t *testing.T) {
	for _, touching := range []bool{false, true} {
		w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
		floor(w)
		y := 3.0
		if touching {
			y = 0.25
		}
		b := dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 0, y, 0)
		for range 120 {
			w.Coupling().AddWrench(b.Index(), r3.Vec{Y: 9.81 * b.Mass()}, r3.Vec{})
			w.Step(tick)
		}
		nearVec(t, "position", b.Position(), r3.Vec{Y: y}, 1e-9)
		steps(w, 1)
		if !touching && b.Velocity().Y > -0.1 {
			t.Error("the wrench outlived its step")
		}
	}
}

func TestWrenchIsNotPredicted(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := dynamic(w, Sphere(r3.Vec{}, 1), 0, 0, 0)
	w.Coupling().AddWrench(0, r3.Vec{X: 1e5}, r3.Vec{})
	if v, _ := w.Coupling().PredictedVelocity(0, tick); v != (r3.Vec{}) {
		t.Errorf("predicted %v", v)
	}
	w.Step(tick)
	near1(t, "v", b.Velocity().X, 1e5/b.Mass()*tick, 1e-9)
}

func TestTorqueAndImpulses(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := dynamic(w, Box(Centred(1, 1, 1)), 1, 2, 3)
	i := b.Mass() / 6
	check(t, b.ApplyTorque(r3.Vec{Y: i}))
	w.Step(0.5)
	nearVec(t, "spin", b.AngularVelocity(), r3.Vec{Y: 0.5}, 1e-9)
	check(t, b.SetAngularVelocity(r3.Vec{}))
	check(t, b.ApplyImpulse(r3.Vec{X: b.Mass()}, r3.Add(b.CentreOfMass(), r3.Vec{Y: 0.5})))
	nearVec(t, "v", b.Velocity(), r3.Vec{X: 1}, 1e-12)
	nearVec(t, "spin", b.AngularVelocity(), r3.Vec{Z: -3}, 1e-9)
	nearVec(t, "top", b.VelocityAt(r3.Add(b.CentreOfMass(), r3.Vec{Y: 0.5})), r3.Vec{X: 2.5}, 1e-9)
	check(t, b.ApplyAngularImpulse(r3.Vec{Z: 3 * i}))
	nearVec(t, "spin", b.AngularVelocity(), r3.Vec{}, 1e-9)
}

func TestDampingAndLockedRotation(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := add(w, BodyDef{Kind: Dynamic, Velocity: r3.Vec{X: 1}, LinearDamping: 0.5, Lock: Locks{Angular: Axes{true, true, true}}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 1)})
	check(t, b.ApplyAngularImpulse(r3.Vec{X: 1e6}))
	steps(w, 120)
	near1(t, "speed", b.Velocity().X, math.Exp(-1), 2e-3)
	if b.AngularVelocity() != (r3.Vec{}) {
		t.Error("turned")
	}
}

func TestKinematicTarget(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	b := add(w, BodyDef{Kind: Kinematic}, ShapeDef{Geometry: Box(Centred(1, 1, 1))})
	goal, turned := r3.Vec{X: 1, Y: 2}, about(r3.Vec{Y: 1}, 2)
	check(t, b.SetTargetPose(goal, turned, 2.5*tick))
	v, _ := w.Coupling().PredictedVelocity(0, tick)
	nearVec(t, "predicted", v, r3.Scale(1/(2.5*tick), goal), 1e-9)
	if pos, rot, dt := b.TargetPose(); pos != goal || rot != turned || dt != 2.5*tick {
		t.Errorf("on its way to %v %v in %v s", pos, rot, dt)
	}
	steps(w, 1)
	nearVec(t, "on the way", b.Position(), r3.Scale(0.4, goal), 1e-9)
	nearVec(t, "spin", b.AngularVelocity(), r3.Vec{Y: 2 / (2.5 * tick)}, 1e-9)
	steps(w, 2)
	if b.Position() != goal || b.Rotation() != turned {
		t.Errorf("arrived at %v %v", b.Position(), b.Rotation())
	}
	if _, _, dt := b.TargetPose(); dt != 0 {
		t.Errorf("arrived, and %v s from its goal", dt)
	}
	if _, _, dt := (Body{}).TargetPose(); !math.IsInf(dt, 1) {
		t.Errorf("no body is %v s from its goal", dt)
	}
	nearVec(t, "mean velocity of the last step", b.Velocity(), r3.Scale(0.2/tick, goal), 1e-9)
	if v, _ := w.Coupling().PredictedVelocity(0, tick); v != (r3.Vec{}) || b.Awake() {
		t.Error("does not stop")
	}
	steps(w, 1)
	if b.Position() != goal || b.Velocity() != (r3.Vec{}) {
		t.Error("moved on")
	}
}

func TestNonFiniteBodyIsRestored(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	floor(w)
	a, b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5, 0), dynamic(w, Box(Centred(1, 1, 1)), 0, 1.5, 0)
	steps(w, 5)
	x := a.Position()
	w.bodies[a.slot].v.X = math.NaN()
	w.Step(tick)
	if a.Position() != x || a.Velocity() != (r3.Vec{}) {
		t.Errorf("at %v with %v", a.Position(), a.Velocity())
	}
	f := w.Events().Failures
	if len(f) == 0 || f[0].Body != a || f[0].Err != ErrNotFinite {
		t.Errorf("failures %v", f)
	}
	steps(w, 120)
	near1(t, "upper height", b.Position().Y, 1.5, 0.01)
	if len(w.Events().Failures) != 0 {
		t.Error("fails on")
	}
	w.Coupling().Wake(a.Index())
	w.Coupling().AddWrench(a.Index(), r3.Vec{X: math.Inf(1)}, r3.Vec{})
	w.Step(tick)
	if f := w.Events().Failures; len(f) != 1 || f[0].Body != a || !finiteVec(a.Position()) {
		t.Errorf("failures %v", f)
	}
}
