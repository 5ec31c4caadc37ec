package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

// mixed is a world with a tangle of joints of all kinds, motors and springs among them.
func mixed(def WorldDef) *World {
	w := NewWorld(def)
	links, _ := rope(w, 5, r3.Vec{X: 0.6, Y: -0.8})
	limb(w, r3.Vec{X: 3})
	pivot := add(w, BodyDef{Kind: Kinematic, Position: r3.Vec{Z: 2}, AngularVelocity: r3.Vec{Y: 1}})
	cart := massive(w, r3.Vec{X: 1, Z: 2}, MassProperties{Mass: 2, Inertia: diagonal(0.1, 0.15, 0.2)})
	wheel := massive(w, r3.Vec{X: 1, Y: -0.3, Z: 2}, ball(1))
	bob := massive(w, r3.Vec{X: 2, Y: -0.3, Z: 2}, ball(1))
	for _, d := range []JointDef{
		{Kind: SliderJoint, A: pivot, B: cart, Anchor: r3.Vec{Z: 2}, Axis: r3.Vec{X: 1}, Limits: Limits{-0.5, 0.5}, Motor: Motor{Speed: 1, Max: 5}},
		{Kind: WheelJoint, A: cart, B: wheel, Anchor: wheel.Position(), Axis: r3.Vec{Y: 1}, Axle: r3.Vec{Z: 1}, Motor: Motor{Speed: 5, Max: 0.1}, Spring: Spring{Frequency: 3, Damping: 0.3}},
		{Kind: DistanceJoint, A: cart, B: bob, Anchor: cart.Position(), AnchorB: bob.Position(), Spring: Spring{Frequency: 2, Damping: 0.1}, Limits: Limits{0.5, 1.5}},
		{Kind: FixedJoint, A: links[4], B: massive(w, r3.Vec{X: 0.7, Y: -0.8}, ball(2)), Anchor: r3.Vec{X: 0.6, Y: -0.8}, Soft: Spring{Frequency: 10, Damping: 0.5}},
	} {
		must(w.AddJoint(d))
	}
	return w
}

func TestPredictionIsWhatJoinedBodiesGet(t *testing.T) {
	w := mixed(WorldDef{Gravity: down, NoSleep: true})
	for range 60 {
		h := w.Hash()
		v, spin := make([]r3.Vec, w.Coupling().Len()), make([]r3.Vec, w.Coupling().Len())
		for i := range w.Coupling().Len() {
			v[i], spin[i] = w.Coupling().PredictedVelocity(i, tick)
		}
		if w.Hash() != h {
			t.Fatal("a prediction changes the world")
		}
		w.Step(tick)
		for i := range w.Coupling().Len() {
			got, turning := w.Coupling().Velocity(i)
			nearVec(t, "v", got, v[i], 0)
			nearVec(t, "spin", turning, spin[i], 0)
		}
	}
	i := w.Coupling().Len() - 1
	before, _ := w.Coupling().PredictedVelocity(i, tick)
	check(t, w.Coupling().Body(i).ApplyImpulse(r3.Vec{Y: 1}, w.Coupling().Body(i).CentreOfMass()))
	if after, _ := w.Coupling().PredictedVelocity(i, tick); after.Y <= before.Y {
		t.Error("a prediction outlives a push")
	}
}

// TestRowsHoldTheVelocity: J·V = 0 after a step, for all rows.
func TestRowsHoldTheVelocity(t *testing.T) {
	w := mixed(WorldDef{Gravity: down, NoSleep: true})
	counts := map[JointKind]int{}
	for range 120 {
		w.Step(tick)
		for j := range w.Coupling().Joints() {
			var rows [6][12]float64
			a, b, n := w.Coupling().JointRows(j, &rows)
			counts[w.Coupling().Joint(j).Def().Kind] = n
			for _, row := range rows[:n] {
				sum := 0.0
				for side, i := range [2]int{a, b} {
					if i < 0 {
						continue
					}
					v, s := w.Coupling().Velocity(i)
					for d, x := range [6]float64{v.X, v.Y, v.Z, s.X, s.Y, s.Z} {
						sum += row[6*side+d] * x
					}
				}
				near1(t, w.Coupling().Joint(j).Def().Kind.String()+" rate", sum, 0, 1e-4)
			}
		}
	}
	for kind, want := range map[JointKind]int{FixedJoint: 0, HingeJoint: 6, SliderJoint: 6, BallJoint: 3, DistanceJoint: 0, WheelJoint: 4} {
		if counts[kind] != want {
			t.Errorf("%v: %d rows, want %d", kind, counts[kind], want)
		}
	}
}

// response is the velocity per kg·m/s at the world point p, along n, of a body that joint j
// holds, when an impulse along n hits it there: by W, the inverse mass that the joints leave.
func response(w *World, j, i int, p, n r3.Vec) float64 {
	var rows [6][12]float64
	a, _, m := w.Coupling().JointRows(j, &rows)
	side := 6
	if a == i {
		side = 0
	}
	invM, invI := w.Coupling().InverseMass(i)
	inv := mat.NewDense(6, 6, nil)
	for k := range 3 {
		inv.Set(k, k, invM)
		for l := range 3 {
			inv.Set(3+k, 3+l, invI[k][l])
		}
	}
	jac := mat.NewDense(m, 6, nil)
	for r := range m {
		for d := range 6 {
			jac.Set(r, d, rows[r][side+d])
		}
	}
	var jm, jmj, x, rest, wm mat.Dense
	jm.Mul(jac, inv)
	jmj.Mul(&jm, jac.T())
	if err := x.Solve(&jmj, &jm); err != nil {
		return math.NaN()
	}
	rest.Mul(jm.T(), &x)
	wm.Sub(inv, &rest)
	c, _ := w.Coupling().Pose(i)
	arm := r3.Cross(r3.Sub(p, c), n)
	k := mat.NewVecDense(6, []float64{n.X, n.Y, n.Z, arm.X, arm.Y, arm.Z})
	return mat.Inner(k, &wm, k)
}

// V8: a hinged rod of 1 kg answers an impulse of 1 at its tip, centre and hinge with 3, .75
// and 0, in the rows and in the engine itself.
func TestHingedRodUnderAnImpulse(t *testing.T) {
	for _, c := range []struct{ at, want float64 }{{-1, 3}, {-0.5, 0.75}, {0, 0}} {
		w := NewWorld(WorldDef{})
		b, _ := pendulum(w, 0)
		p := r3.Vec{Y: c.at}
		near1(t, "by the rows", response(w, 0, 0, p, axes[0]), c.want, 1e-6)
		check(t, b.ApplyImpulse(axes[0], p))
		v, spin := w.Coupling().PredictedVelocity(0, 1e-9)
		near1(t, "by the engine", r3.Add(v, r3.Cross(spin, r3.Sub(p, b.CentreOfMass()))).X, c.want, 1e-5)
	}
}

func TestTouchingGoesThroughJoints(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	floor(w)
	parts, _ := ragdoll(w, r3.Vec{Y: 0.1})
	bob := massive(w, r3.Vec{X: 3, Y: 4}, ball(1))
	must(w.AddJoint(JointDef{Kind: BallJoint, B: bob, Anchor: r3.Vec{X: 3, Y: 5}}))
	free := dynamic(w, Sphere(r3.Vec{}, 0.2), 5, 3, 0)
	w.Step(tick)
	for _, b := range parts {
		if w.Coupling().Touching(b.Index()) {
			t.Error("a falling figure touches something")
		}
	}
	steps(w, 60)
	for _, b := range parts {
		if !w.Coupling().Touching(b.Index()) {
			t.Error("a part of a figure on the floor touches nothing")
		}
	}
	steps(w, 60)
	if w.Coupling().Touching(bob.Index()) {
		t.Error("a bob in the air touches something")
	}
	if !w.Coupling().Touching(free.Index()) || !w.Coupling().Touching(0) {
		t.Error("a ball on the floor, or the floor, touches nothing")
	}
}
