package physics

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestJointHandles(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	_, joints := rope(w, 4, r3.Vec{Y: -1})
	links := [2]Body{w.Coupling().Body(1), w.Coupling().Body(2)}
	if j := w.Coupling().Joint(2); j != joints[2] || j.World() != w || j.Def().A != links[0] || j.Def().B != links[1] || w.Coupling().Joints() != 4 {
		t.Error("index and handle disagree")
	}
	var got []Joint
	for j := range links[0].Joints() {
		got = append(got, j)
	}
	if len(got) != 2 || got[0] != joints[1] || got[1] != joints[2] {
		t.Errorf("joints of a link: %v", got)
	}
	check(t, links[0].Remove())
	if joints[1].Valid() || joints[2].Valid() || !joints[0].Valid() || w.Coupling().Joints() != 2 || w.Coupling().Joint(1) != joints[3] {
		t.Error("joints outlive their body, or others don't")
	}
	check(t, joints[0].Remove())
	fresh := must(w.AddJoint(JointDef{B: w.Coupling().Body(0), Name: "fresh"}))
	h := w.Hash()
	for _, old := range []Joint{joints[0], joints[1], {}} {
		a, b := old.Anchors()
		if old.Valid() || old.Def() != (JointDef{}) || old.Angle() != 0 || old.Twist() != 0 || old.Translation() != 0 || old.Speed() != 0 ||
			old.Force() != (r3.Vec{}) || old.Torque() != (r3.Vec{}) || a != (r3.Vec{}) || b != (r3.Vec{}) {
			t.Error("a stale joint says something")
		}
		for _, err := range []error{old.Remove(), old.SetMotor(Motor{Max: 1}), old.SetLimits(Limits{}), old.SetSpring(Spring{}), old.SetSteering(Spring{})} {
			if !errors.Is(err, ErrStale) {
				t.Errorf("stale: %v", err)
			}
		}
	}
	if w.Hash() != h || fresh.Def().Name != "fresh" {
		t.Error("a stale handle changed something")
	}
	steps(w, 60)
	if w.Coupling().Body(1).Position().Y > -2 {
		t.Error("what was cut off does not fall")
	}
	for b := range (Body{}).Joints() {
		t.Error(b)
	}
}

func TestJointsAreGoneFromTheHashAndIntoIt(t *testing.T) {
	w := NewWorld(WorldDef{})
	_, joints := rope(w, 2, r3.Vec{Y: -1})
	seen := map[uint64]bool{w.Hash(): true}
	check(t, joints[1].Remove())
	seen[w.Hash()] = true
	wheel := massive(w, r3.Vec{X: 3}, ball(1))
	seen[w.Hash()] = true
	j := must(w.AddJoint(JointDef{Kind: HingeJoint, B: wheel, Anchor: wheel.Position(), Axis: r3.Vec{X: 1}}))
	seen[w.Hash()] = true
	check(t, j.SetMotor(Motor{Speed: 1, Max: 1}))
	seen[w.Hash()] = true
	if len(seen) != 5 {
		t.Errorf("%d hashes of 5 worlds", len(seen))
	}
}

func TestCollideConnected(t *testing.T) {
	for _, collide := range []bool{false, true} {
		w := NewWorld(WorldDef{NoSleep: true})
		a, b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0, 0), dynamic(w, Box(Centred(1, 1, 1)), 0.9, 0, 0)
		j := must(w.AddJoint(JointDef{Kind: DistanceJoint, A: a, B: b, AnchorB: r3.Vec{X: 0.9}, Limits: Limits{0, 5}, CollideConnected: collide}))
		steps(w, 60)
		if apart := j.Translation() > 0.99; apart != collide {
			t.Errorf("CollideConnected %v: %v m apart", collide, j.Translation())
		}
		check(t, j.Remove())
		steps(w, 60)
		if d := r3.Norm(r3.Sub(a.Position(), b.Position())); d < 0.99 {
			t.Errorf("after the joint they overlap still: %v m apart", d)
		}
	}
}

func TestJoinedBodiesSleepAndWakeTogether(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	links, joints := rope(w, 5, r3.Vec{Y: -1})
	steps(w, 60)
	for _, b := range links {
		if b.Awake() {
			t.Fatal("a hanging chain stays awake")
		}
	}
	nearVec(t, "force asleep", joints[0].Force(), r3.Vec{Y: 5 * 9.81}, 0.01)
	check(t, links[4].ApplyImpulse(r3.Vec{X: 0.5}, links[4].CentreOfMass()))
	w.Step(tick)
	if !links[0].Awake() {
		t.Error("a chain pulled at its end sleeps on")
	}
	steps(w, 1)
	check(t, joints[2].Remove())
	if !links[1].Awake() || !links[2].Awake() {
		t.Error("a cut chain sleeps on")
	}
	pivot := add(w, BodyDef{Kind: Kinematic, Position: r3.Vec{X: 5}})
	bob := massive(w, r3.Vec{X: 5, Y: -1}, ball(1))
	must(w.AddJoint(JointDef{Kind: DistanceJoint, A: pivot, B: bob, Anchor: r3.Vec{X: 5}, AnchorB: r3.Vec{X: 5, Y: -1}}))
	steps(w, 60)
	if bob.Awake() {
		t.Fatal("a hanging bob stays awake")
	}
	check(t, pivot.SetVelocity(r3.Vec{Y: 1}))
	steps(w, 60)
	near1(t, "lifted", bob.Position().Y, 0, 0.01)
}

func TestFixedJointToAKinematicBody(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	arm := add(w, BodyDef{Kind: Kinematic, AngularVelocity: r3.Vec{Y: 2}})
	b := massive(w, r3.Vec{X: 1}, ball(3))
	j := must(w.AddJoint(JointDef{A: arm, B: b, Anchor: r3.Vec{X: 1}}))
	steps(w, 60)
	nearVec(t, "position", b.Position(), r3.Vec{X: math.Cos(2), Z: -math.Sin(2)}, 1e-3)
	nearVec(t, "spin", b.AngularVelocity(), r3.Vec{Y: 2}, 1e-6)
	inward := r3.Scale(-3*4, b.Position())
	nearVec(t, "force", j.Force(), r3.Add(inward, r3.Vec{Y: 3 * 9.81}), 0.3)
}

func TestJointDeterminism(t *testing.T) {
	a, b := mixed(WorldDef{Gravity: down}), mixed(WorldDef{Gravity: down})
	for i := range 300 {
		a.Step(tick)
		if i%7 == 0 {
			b.Coupling().PredictedVelocity(1, tick)
		}
		b.Step(tick)
		if a.Hash() != b.Hash() {
			t.Fatalf("step %d differs", i)
		}
	}
}

func TestJointsAllocateNothing(t *testing.T) {
	w := mixed(WorldDef{Gravity: down, NoSleep: true})
	fuse := must(w.AddJoint(JointDef{B: massive(w, r3.Vec{X: 9}, ball(1)), Anchor: r3.Vec{X: 9}}))
	steps(w, 60)
	var rows [6][12]float64
	speed := 1.0
	allocs := testing.AllocsPerRun(60, func() {
		for j := range w.Coupling().Joints() {
			w.Coupling().JointRows(j, &rows)
			_ = w.Coupling().Joint(j).Angle() + w.Coupling().Joint(j).Speed()
		}
		for i := range w.Coupling().Len() {
			w.Coupling().PredictedVelocity(i, tick)
		}
		speed = -speed
		if w.Coupling().Joint(7).SetMotor(Motor{Speed: speed, Max: 1}) != nil || !fuse.Valid() {
			t.Fatal("SetMotor")
		}
		w.Step(tick)
	})
	if allocs != 0 {
		t.Errorf("%v allocations per step", allocs)
	}
}

func TestBadJoints(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	w := NewWorld(WorldDef{})
	a, b := massive(w, r3.Vec{}, ball(1)), massive(w, r3.Vec{X: 1}, ball(1))
	still := must(w.AddBody(BodyDef{}))
	gone := must(w.AddBody(BodyDef{}))
	check(t, gone.Remove())
	foreign := massive(NewWorld(WorldDef{}), r3.Vec{}, ball(1))
	good := must(w.AddJoint(JointDef{Kind: HingeJoint, A: a, B: b, Axis: r3.Vec{Y: 1}}))
	wheel := must(w.AddJoint(JointDef{Kind: WheelJoint, A: a, B: b, Axis: r3.Vec{Y: 1}, Axle: r3.Vec{X: 1}}))
	h := w.Hash()
	x, y := r3.Vec{X: 1}, r3.Vec{Y: 1}
	for i, c := range []struct {
		def  JointDef
		want string
	}{
		{JointDef{Kind: -1}, "JointDef.Kind"}, {JointDef{Kind: 6}, "JointDef.Kind"},
		{JointDef{B: gone}, "stale"}, {JointDef{A: gone, B: b}, "stale"}, {JointDef{B: foreign}, "another world"},
		{JointDef{}, "different bodies"}, {JointDef{A: a, B: a}, "different bodies"}, {JointDef{B: still}, "different bodies"},
		{JointDef{B: b, Anchor: r3.Vec{X: nan}}, "JointDef.Anchor"}, {JointDef{B: b, Anchor: r3.Vec{X: 2e6}}, "JointDef.Anchor"},
		{JointDef{Kind: DistanceJoint, B: b, AnchorB: r3.Vec{X: inf}}, "JointDef.AnchorB"},
		{JointDef{B: b, AnchorB: x}, "JointDef.AnchorB"},
		{JointDef{Kind: HingeJoint, B: b}, "JointDef.Axis"}, {JointDef{Kind: SliderJoint, B: b, Axis: r3.Vec{Z: nan}}, "JointDef.Axis"},
		{JointDef{Kind: BallJoint, B: b, Cone: 1}, "JointDef.Axis"}, {JointDef{Kind: BallJoint, B: b, Axis: x, Cone: 4}, "JointDef.Cone"},
		{JointDef{Kind: WheelJoint, B: b, Axis: x}, "JointDef.Axle"}, {JointDef{Kind: WheelJoint, B: b, Axis: x, Axle: r3.Vec{X: -2}}, "JointDef.Axle"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Axle: y}, "JointDef.Axle"}, {JointDef{B: b, Limits: Limits{0, 1}}, "JointDef.Limits"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Limits: Limits{1, -1}}, "JointDef.Limits"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Limits: Limits{0, nan}}, "JointDef.Limits"},
		{JointDef{Kind: BallJoint, B: b, Axis: x, Limits: Limits{-4, 1}}, "JointDef.Limits"},
		{JointDef{Kind: DistanceJoint, B: b, Limits: Limits{-1, 1}}, "JointDef.Limits"},
		{JointDef{Kind: BallJoint, B: b, Motor: Motor{1, 1}}, "JointDef.Motor"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Motor: Motor{nan, 1}}, "JointDef.Motor"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Motor: Motor{1, -1}}, "JointDef.Motor"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Motor: Motor{1, inf}}, "JointDef.Motor"},
		{JointDef{B: b, Spring: Spring{1, 1, 0}}, "JointDef.Spring"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Spring: Spring{-1, 0, 0}}, "JointDef.Spring"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Spring: Spring{1, nan, 0}}, "JointDef.Spring"},
		{JointDef{Kind: DistanceJoint, B: b, Spring: Spring{1, 0, -1}}, "JointDef.Spring"},
		{JointDef{B: b, Soft: Spring{1, 0, 1}}, "JointDef.Soft"}, {JointDef{B: b, Soft: Spring{inf, 0, 0}}, "JointDef.Soft"},
		{JointDef{Kind: HingeJoint, B: b, Axis: x, Steering: Spring{Rest: 1}}, "JointDef.Steering"},
		{JointDef{B: b, BreakForce: -1}, "BreakForce"}, {JointDef{B: b, BreakTorque: nan}, "BreakTorque"},
	} {
		if _, err := w.AddJoint(c.def); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("case %d: %v, want one about %q", i, err, c.want)
		}
	}
	for i, err := range []error{
		good.SetMotor(Motor{Speed: nan}), good.SetLimits(Limits{2, 1}), good.SetSpring(Spring{Frequency: -1}), good.SetSteering(Spring{Rest: 1}),
		wheel.SetSteering(Spring{Rest: nan}), a.SetGravityScale(nan), a.SetGravityScale(2e3),
	} {
		if err == nil {
			t.Errorf("setter %d takes nonsense", i)
		}
	}
	if w.Hash() != h || w.Coupling().Joints() != 2 {
		t.Error("refused input changed the world")
	}
	bad := NewWorld(WorldDef{Substeps: 99})
	if _, err := bad.AddJoint(JointDef{}); err == nil {
		t.Error("a joint in a refused world")
	}
	if err := (BodyDef{GravityScale: inf}).Validate(); err == nil || !strings.Contains(err.Error(), "BodyDef.GravityScale") {
		t.Error(err)
	}
}

// What a joint holds apart from its partner meets it again when the joint goes, whatever the
// two are made of, and fast bodies pass through what they are joined to.
func TestJoinedShapesDoNotTouch(t *testing.T) {
	for _, name := range solids {
		w := NewWorld(WorldDef{Gravity: down})
		add(w, BodyDef{}, ShapeDef{Geometry: Mesh(boxMesh(r3.Vec{X: 4, Y: 0.5, Z: 4})), Offset: r3.Vec{Y: -0.5}})
		a, b := dynamic(w, convexShapes[name], 0, 1, 0), dynamic(w, Box(Centred(0.4, 0.4, 0.4)), 0.2, 1, 0)
		j := must(w.AddJoint(JointDef{A: a, B: b, Anchor: a.Position()}))
		meet := func() bool {
			return slices.ContainsFunc(w.pairs, func(p pair) bool {
				c := &w.contacts[p.contact]
				return w.bodies[c.bodyA].kind == Dynamic && w.bodies[c.bodyB].kind == Dynamic
			})
		}
		steps(w, 240)
		if meet() || a.Awake() {
			t.Errorf("%s: joined bodies touch, or do not come to rest: %v", name, a.Awake())
		}
		check(t, j.Remove())
		w.Step(tick)
		if !meet() {
			t.Errorf("%s: bodies set free do not touch", name)
		}
		must(w.AddJoint(JointDef{A: a, B: b, Anchor: a.Position()}))
		w.Step(tick)
		ended := slices.ContainsFunc(w.Events().End, func(e ContactEvent) bool { return e.A.Body() == a && e.B.Body() == b })
		if meet() || !ended {
			t.Errorf("%s: bodies joined while they touch go on doing so", name)
		}
	}
}

func TestFastBodyPassesWhatItIsJoinedTo(t *testing.T) {
	for _, collide := range []bool{false, true} {
		w := NewWorld(WorldDef{})
		plate := add(w, BodyDef{}, ShapeDef{Geometry: Box(Centred(4, 0.02, 4))})
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 3}, Velocity: r3.Vec{Y: -200}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.1)})
		must(w.AddJoint(JointDef{Kind: SliderJoint, A: plate, B: b, Axis: r3.Vec{Y: 1}, CollideConnected: collide}))
		steps(w, 3)
		if below := b.Position().Y < 0; below == collide {
			t.Errorf("CollideConnected %v: at %v", collide, b.Position())
		}
	}
}

func TestSetKindChangesWhatMeets(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	add(w, BodyDef{}, ShapeDef{Geometry: Box(Centred(4, 1, 4)), Offset: r3.Vec{Y: -0.5}})
	b := add(w, BodyDef{Kind: Kinematic, Position: r3.Vec{Y: 0.25}}, ShapeDef{Geometry: Capsule(r3.Vec{Y: -.25}, r3.Vec{Y: .25}, 0.25), Rotation: about(r3.Vec{Z: 1}, math.Pi/2)})
	steps(w, 2)
	if len(w.pairs) != 0 {
		t.Error("a kinematic body meets a static one")
	}
	check(t, b.SetKind(Dynamic))
	steps(w, 30)
	near1(t, "height", b.Position().Y, 0.25, 0.01)
	check(t, b.SetKind(Static))
	w.Step(tick)
	if len(w.pairs) != 0 || len(w.Events().End) != 1 {
		t.Errorf("static bodies meet: %d pairs, ends %v", len(w.pairs), w.Events().End)
	}
}
