package physics

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// IDs name the same things in a copy, and nothing once these are removed.
func TestHandlesOfIDs(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	b := dynamic(w, Sphere(r3.Vec{}, .5), 0, 2, 0)
	s := must(b.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{X: 1}, .2)}))
	j := must(w.AddJoint(JointDef{Kind: BallJoint, B: b, Anchor: r3.Vec{Y: 3}}))
	if w.Body(b.ID()) != b || w.Shape(s.ID()) != s || w.Joint(j.ID()) != j || s.World() != w {
		t.Error("an ID names another thing")
	}
	var kept World
	w.CopyTo(&kept)
	if c := kept.Body(b.ID()); !c.Valid() || c.World() != &kept || c.Position() != b.Position() || !kept.Shape(s.ID()).Valid() || !kept.Joint(j.ID()).Valid() {
		t.Error("an ID does not name the same thing in a copy")
	}
	check(t, j.Remove())
	check(t, s.Remove())
	check(t, b.Remove())
	again := dynamic(w, Sphere(r3.Vec{}, .5), 0, 2, 0)
	if again.ID() == b.ID() || b.ID() == 0 || w.Body(b.ID()).Valid() || w.Shape(s.ID()).Valid() || w.Joint(j.ID()).Valid() {
		t.Error("an ID names what is removed")
	}
	for _, id := range []int64{0, -1, 1, 1 << 62, -1 << 62, 1<<32 | 1<<31} {
		if w.Body(BodyID(id)).Valid() || w.Shape(ShapeID(id)).Valid() || w.Joint(JointID(id)).Valid() {
			t.Errorf("%d names something", id)
		}
	}
	if (Body{}).ID() != 0 || (Shape{}).ID() != 0 || (Joint{}).ID() != 0 || (Body{}).Bounds() != (r3.Box{}) {
		t.Error("zero handles have an ID or bounds")
	}
	var d [1]float32
	if (Body{}).Distance(d[:], make([]r3.Vec, 1)); d[0] != unbounded {
		t.Errorf("no body is %v m away", d[0])
	}
}

// Def tells what AddBody was told and setters have changed.
func TestBodyDefIsRead(t *testing.T) {
	w := NewWorld(WorldDef{})
	def := BodyDef{
		Kind: Dynamic, Position: r3.Vec{X: 1}, Rotation: about(r3.Vec{X: 1, Y: 2}, .5), Velocity: r3.Vec{X: 3}, AngularVelocity: r3.Vec{Z: 2},
		LinearDamping: .1, AngularDamping: .2, Lock: Locks{Linear: Axes{Y: true}}, GravityScale: .5, Bullet: true, NoSleep: true,
		LiquidCategory: 6, LiquidDrag: Drag{Skin: .01, Form: .5}, Name: "ship", UserData: 7,
	}
	b := must(w.AddBody(def))
	if got := b.Def(); !reflect.DeepEqual(got, def) {
		t.Errorf("%+v, want %+v", got, def)
	}
	must(b.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{X: .5}, .2)}))
	got := b.Def()
	nearVec(t, "position", got.Position, def.Position, 1e-12)
	nearVec(t, "velocity of the origin", got.Velocity, b.VelocityAt(b.Position()), 1e-12)
	check(t, b.SetGravityScale(0))
	check(t, b.SetLiquidCategory(0))
	if d := must(w.AddBody(b.Def())).Def(); !d.NoGravity || !d.NoLiquid {
		t.Errorf("%+v feels gravity or liquid", d)
	}
	if (Body{}).Def() != (BodyDef{}) {
		t.Error("no body is described")
	}
}

// The coupling of a world is one value, and knows the bodies by their handles.
func TestCouplingIsTheWorld(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := dynamic(w, Sphere(r3.Vec{}, .5), 0, 2, 0)
	c := w.Coupling()
	if c != w.Coupling() || c.World() != w || c.Body(b.Index()) != b || BodyID(c.ID(0)) != b.ID() {
		t.Error("the coupling is of another world")
	}
	c.Attach(t)
	if w.Coupling().Attached() != t {
		t.Error("what was attached is gone")
	}
	if c.LocalCentre(0) != b.MassProperties().Centre {
		t.Error("another centre of mass")
	}
}
