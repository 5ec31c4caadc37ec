package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// ragdoll stands a figure of ten boxes at a point: torso, head, arms and legs on balls, hinges
// at elbows and knees.
func ragdoll(w *World, at r3.Vec) (parts []Body, joints []Joint) {
	part := func(x, y, width, height float64) Body {
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Add(at, r3.Vec{X: x, Y: y}), AngularDamping: 0.5}, ShapeDef{Geometry: Box(Centred(width, height, 0.12))})
		parts = append(parts, b)
		return b
	}
	join := func(d JointDef, x, y float64) {
		d.Anchor, d.Motor = r3.Add(at, r3.Vec{X: x, Y: y}), Motor{Max: 0.5}
		if d.Kind == BallJoint {
			d.Axis, d.Limits, d.Cone = r3.Vec{Y: -1}, Limits{-0.4, 0.4}, 1
		} else {
			d.Axis, d.Limits = r3.Vec{X: 1}, Limits{0, 2}
		}
		joints = append(joints, must(w.AddJoint(d)))
	}
	torso := part(0, 1.15, 0.4, 0.5)
	head := part(0, 1.55, 0.2, 0.25)
	join(JointDef{Kind: BallJoint, A: torso, B: head}, 0, 1.41)
	for _, s := range []float64{-1, 1} {
		upper, lower := part(0.29*s, 1.25, 0.12, 0.3), part(0.29*s, 0.93, 0.1, 0.3)
		join(JointDef{Kind: BallJoint, A: torso, B: upper}, 0.25*s, 1.38)
		join(JointDef{Kind: HingeJoint, A: upper, B: lower}, 0.29*s, 1.09)
		thigh, shin := part(0.12*s, 0.67, 0.15, 0.42), part(0.12*s, 0.23, 0.13, 0.42)
		join(JointDef{Kind: BallJoint, A: torso, B: thigh}, 0.12*s, 0.89)
		join(JointDef{Kind: HingeJoint, A: thigh, B: shin}, 0.12*s, 0.45)
	}
	return parts, joints
}

func TestRagdollsFallAndRest(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	ground(w)
	var parts []Body
	var joints []Joint
	for i := range 5 {
		p, j := ragdoll(w, r3.Vec{X: 0.1 * float64(i%2), Y: 0.5 + 2*float64(i), Z: 0.05 * float64(i)})
		parts, joints = append(parts, p...), append(joints, j...)
	}
	torn := 0.0
	for range 900 {
		w.Step(tick)
		torn = max(torn, gap(joints...))
		if f := w.Events().Failures; len(f) != 0 {
			t.Fatal(f)
		}
	}
	for _, b := range parts {
		if p := b.Position(); p.Y < 0 || math.Abs(p.X) > 6 || math.Abs(p.Z) > 6 {
			t.Errorf("a part is at %v", p)
		}
	}
	t.Logf("widest joint %.2g m, at rest %.2g m, %d of %d awake", torn, gap(joints...), w.Stats().Awake, len(parts))
	near1(t, "widest joint as they land", torn, 0, 0.05)
	near1(t, "widest joint at rest", gap(joints...), 0, 1e-3)
	if n := w.Stats().Awake; n > 10 {
		t.Errorf("%d of %d parts are awake after 15 s, want ≤ 10", n, len(parts))
	}
}
