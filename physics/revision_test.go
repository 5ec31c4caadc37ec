package physics

import (
	"bytes"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// What changes a body otherwise than by moving it on revises it, and nothing else does; no number comes twice.
func TestRevision(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := w.AddBody(BodyDef{Kind: Dynamic})
	if err != nil {
		t.Fatal(err)
	}
	shape, err := b.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, .1)})
	if err != nil {
		t.Fatal(err)
	}
	other, err := w.AddBody(BodyDef{Position: r3.Vec{X: 9}, LiquidDrag: Drag{Skin: .5}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]bool{w.Coupling().Revision(0): true}
	still := w.Coupling().Revision(1)
	var saved bytes.Buffer
	if err := w.Save(&saved); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		revises bool
		call    func() error
	}{
		{"Step", false, func() error { w.Step(1. / 60); return nil }},
		{"SetVelocity", false, func() error { return b.SetVelocity(r3.Vec{X: 1}) }},
		{"SetName", false, func() error { return b.SetName("ball") }},
		{"SetAwake", false, func() error { return b.SetAwake(false) }},
		{"SetPose", true, func() error { return b.SetPose(r3.Vec{Y: 1}, quat.Number{}) }},
		{"AddShape", true, func() error { _, err := b.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, .2)}); return err }},
		{"Shape.Destroy", true, func() error { return shape.Remove() }},
		{"SetMassProperties", true, func() error { return b.SetMassProperties(MassProperties{Mass: 3}) }},
		{"ResetMassProperties", true, func() error { return b.ResetMassProperties() }},
		{"SetKind", true, func() error { return b.SetKind(Static) }},
		{"SetLiquidCategory", true, func() error { return b.SetLiquidCategory(4) }},
	} {
		was := w.Coupling().Revision(0)
		if err := c.call(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		now := w.Coupling().Revision(0)
		if (now != was) != c.revises || now != was && seen[now] {
			t.Errorf("%s: revision %d, was %d", c.name, now, was)
		}
		if seen[now] = true; w.Coupling().Revision(1) != still {
			t.Errorf("%s revises another body", c.name)
		}
	}
	if err := other.SetLiquidDrag(Drag{Form: 2}); err != nil || w.Coupling().Revision(1) != still {
		t.Errorf("SetLiquidDrag: %v, revision %d, was %d", err, w.Coupling().Revision(1), still)
	}
	twin := NewWorld(WorldDef{})
	w.CopyTo(twin)
	if _, form := twin.Coupling().LiquidDrag(1); form != 2 || twin.Coupling().LiquidCategory(0) != 4 {
		t.Errorf("a copy has drag %g and category %d", form, twin.Coupling().LiquidCategory(0))
	}
	twin.CopyTo(w)
	for i := range 2 {
		if r := w.Coupling().Revision(i); seen[r] || r == still {
			t.Errorf("CopyTo: body %d has revision %d again", i, r)
		}
		seen[w.Coupling().Revision(i)] = true
	}
	if err := w.Restore(&saved); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if seen[w.Coupling().Revision(i)] {
			t.Errorf("Restore: body %d has revision %d again", i, w.Coupling().Revision(i))
		}
	}
	if skin, form := w.Coupling().LiquidDrag(1); skin != .5 || form != 0 || w.Coupling().LiquidCategory(0) != 1 {
		t.Errorf("loaded: drag %g, %g and category %d", skin, form, w.Coupling().LiquidCategory(0))
	}
}

// What is attached to a world is that world's alone.
func TestAttached(t *testing.T) {
	w, v := NewWorld(WorldDef{}), NewWorld(WorldDef{})
	w.Coupling().Attach("w")
	v.Coupling().Attach("v")
	var saved bytes.Buffer
	if err := w.Save(&saved); err != nil {
		t.Fatal(err)
	}
	w.CopyTo(v)
	if v.Coupling().Attached() != "v" || w.Coupling().Attached() != "w" {
		t.Errorf("after CopyTo: %v and %v", w.Coupling().Attached(), v.Coupling().Attached())
	}
	if err := v.Restore(&saved); err != nil || v.Coupling().Attached() != "v" {
		t.Errorf("after Restore: %v, %v", v.Coupling().Attached(), err)
	}
}
