package fluid_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// collapsing is a column in the corner of a tank.
func collapsing(t testing.TB, d fluid.Def) *fluid.Liquid {
	t.Helper()
	d.Domain, d.CellSize, d.Resources.Workers = testrig.Box(.8, .4, .2), .025, 1
	l := testrig.New(t, d)
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.2, .3, .2))))
	return l
}

// front is how far a collapsing column has come along the floor, m.
func front(l *fluid.Liquid) float64 {
	far := 0.
	s := l.Surface()
	for i := 0; i < len(s.Positions); i += 3 {
		far = max(far, float64(s.Positions[i]))
	}
	return far
}

// What a liquid was made of before makes no difference to one that is filled after it was changed, whatever it had before and after.
func TestMaterialIsWhatItWasSetTo(t *testing.T) {
	thick := fluid.Material{Density: 800, Viscosity: .02, SurfaceTension: .5}
	inviscid := fluid.Material{Density: 1000}
	for _, c := range []struct{ was, is fluid.Material }{{inviscid, thick}, {thick, inviscid}, {fluid.Honey, fluid.Mercury}, {fluid.Material{Density: 1000, Viscosity: .01, SurfaceTension: 0}, fluid.Material{Density: 1000, Viscosity: 0, SurfaceTension: .3}}} {
		d := fluid.Def{Domain: testrig.Box(.4, .4, .4), CellSize: .05, Resources: fluid.Resources{Workers: 1}}
		a, b := testrig.New(t, d.With(c.was)), testrig.New(t, d.With(c.is))
		for _, l := range []*fluid.Liquid{a, b} {
			testrig.GoesOn(t, l, 1)
		}
		testrig.Must(t, a.SetMaterial(c.is))
		for _, l := range []*fluid.Liquid{a, b} {
			testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .2, Y: .2, Z: .2}, .13)))
			testrig.GoesOn(t, l, 6)
		}
		if a.Hash() != b.Hash() {
			t.Errorf("from %v to %v: other bits than of what was made so", c.was, c.is)
		}
	}
}

// Honey is poured, becomes water, and honey again: it creeps, runs, and creeps. Each change is state, in a file and in a copy, and of a liquid
// that never had viscosity or tension before, too.
func TestHoneyBecomesWater(t *testing.T) {
	l := collapsing(t, fluid.Def{}.With(fluid.Honey))
	thin := collapsing(t, fluid.Def{}.With(fluid.Water))
	testrig.GoesOn(t, l, 12)
	testrig.GoesOn(t, thin, 12)
	if creeps, runs := front(l), front(thin); creeps > runs-.05 {
		t.Errorf("honey has come to %g m, water to %g", creeps, runs)
	}
	before := front(l)
	testrig.Must(t, l.SetMaterial(fluid.Water))
	testrig.GoesOn(t, l, 12)
	if ran := front(l) - before; ran < .1 {
		t.Errorf("in .2 s what is water now ran %g m", ran)
	}
	for name, set := range map[string]func() error{
		"viscosity": func() error { return l.SetViscosity(.01) },
		"tension":   func() error { return l.SetSurfaceTension(0) },
		"density":   func() error { return l.SetDensity(700) },
		"nothing":   func() error { return l.SetMaterial(l.Def().Material()) },
	} {
		was := l.Hash()
		if err := set(); err != nil || (l.Hash() == was) != (name == "nothing") {
			t.Errorf("%s: %v; changed: %v", name, err, l.Hash() != was)
		}
		file, copied := collapsing(t, fluid.Def{}), collapsing(t, fluid.Def{})
		testrig.Restore(t, file, testrig.Saved(t, l))
		testrig.Must(t, l.CopyTo(copied))
		testrig.GoesOn(t, l, 3)
		testrig.GoesOn(t, file, 3)
		testrig.GoesOn(t, copied, 3)
		if file.Hash() != l.Hash() || copied.Hash() != l.Hash() || file.Def().Material() != l.Def().Material() {
			t.Errorf("%s: what was restored or copied goes on otherwise", name)
		}
	}
}

// A value out of its limits names the field and changes nothing. A file that was made up is looked at likewise.
func TestBadMaterial(t *testing.T) {
	l := collapsing(t, fluid.Def{})
	was := l.Hash()
	for want, set := range map[string]func() error{
		"fluid: Def.Physics.Viscosity: NaN m²/s; must be 0 to 1000":    func() error { return l.SetViscosity(testrig.NaN) },
		"fluid: Def.Physics.Viscosity: -1 m²/s":                        func() error { return l.SetViscosity(-1) },
		"fluid: Def.Physics.SurfaceTension: +Inf N/m; must be 0 to":    func() error { return l.SetSurfaceTension(testrig.Inf) },
		"fluid: Def.Physics.Density: -5 kg/m³; must be 0.001 to 10000": func() error { return l.SetDensity(-5) },
		"fluid: Def.Physics.Density: 1e+09 kg/m³":                      func() error { return l.SetMaterial(fluid.Material{Density: 1e9, Viscosity: 1}) },
	} {
		if err := set(); err == nil || !strings.HasPrefix(err.Error(), want) || l.Hash() != was {
			t.Errorf("%v, want %s; changed: %v", err, want, l.Hash() != was)
		}
	}
	if err := l.SetDensity(0); err != nil || l.Def().Physics.Density != 1000 {
		t.Errorf("density 0: %v, %g", err, l.Def().Physics.Density)
	}
	mad := collapsing(t, fluid.Def{})
	testrig.Definition(mad).Physics.Viscosity = testrig.NaN
	if err := l.Restore(bytes.NewReader(testrig.Saved(t, mad))); err == nil || !strings.Contains(err.Error(), "Def.Physics.Viscosity: NaN; must be 0 to 1000") || l.Hash() != was {
		t.Errorf("a file with viscosity NaN: %v", err)
	}
}

// Liquid that sleeps wakes when it changes; the pressure and what floats follow the density; a step that goes wrong keeps the material.
func TestMaterialWakes(t *testing.T) {
	a := testrig.NewDrifting(t, fluid.Def{}, r3.Vec{Y: -9.81})
	testrig.Must(t, a.L.Fill(fluid.Below(.7)))
	a.Run(t, 30)
	testrig.Around(a.L).Sleep.Asleep = true
	var s [1]fluid.Sample
	at := []r3.Vec{{X: .2, Y: .2, Z: .2}}
	a.L.Sample(s[:], at)
	was, draft := s[0].Pressure, a.Crate.Position().Y
	testrig.Must(t, a.L.SetDensity(2000))
	if a.L.Sample(s[:], at); testrig.Around(a.L).Sleep.Asleep || math.Abs(s[0].Pressure/was-2) > 1e-9 {
		t.Errorf("asleep %v, pressure %g times what it was", testrig.Around(a.L).Sleep.Asleep, s[0].Pressure/was)
	}
	a.Run(t, 60)
	if rise := a.Crate.Position().Y - draft; rise < .03 {
		t.Errorf("a crate of 500 kg/m³ rises by %g m in a liquid that becomes twice as dense", rise)
	}
	if _, err := a.L.AddField(fluid.Field{Axis: r3.Vec{X: 1}}); err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, a.L.SetMaterial(fluid.Honey))
	setStrength(a.L, testrig.NaN)
	if r := *a.L.Step(testrig.Frame); r.Err == nil || a.L.Def().Material() != fluid.Honey {
		t.Errorf("rolled back %v, made of %+v", r.Err != nil, a.L.Def().Material())
	}
	setStrength(a.L, 0)
	a.Run(t, 2)
}

// Every material and every quality gives a definition that is good and steps, in rooms of all sizes.
func TestPresets(t *testing.T) {
	materials := map[string]fluid.Material{"water": fluid.Water, "sea": fluid.SeaWater, "oil": fluid.Oil, "honey": fluid.Honey, "lava": fluid.Lava, "mercury": fluid.Mercury}
	fell := map[string]float64{}
	for name, m := range materials {
		l := collapsing(t, fluid.Def{}.With(m))
		testrig.GoesOn(t, l, 10)
		if fell[name] = front(l); l.Def().Material() != m {
			t.Errorf("%s: %+v", name, l.Def())
		}
		for q := fluid.LowQuality; q <= fluid.HighQuality+1; q++ {
			for _, size := range []r3.Vec{{X: .4, Y: .4, Z: .4}, {X: 2, Y: 1, Z: 1}, {X: 8, Y: 3, Z: 6}, {X: 100, Y: 15, Z: 60}, {X: 12, Y: .5, Z: 12}} {
				d := fluid.Def{Domain: testrig.Box(size.X, size.Y, size.Z), Sides: fluid.Sides{MinX: fluid.Open, MaxX: fluid.Open, MinY: fluid.Open, MaxY: fluid.Open, MinZ: fluid.Open, MaxZ: fluid.Open}}.With(m).At(q)
				if err := d.Validate(); err != nil {
					t.Errorf("%s, quality %d, %v: %v", name, q, size, err)
				}
			}
		}
	}
	if !(fell["honey"] < fell["oil"]-.01 && fell["lava"] < fell["honey"] && math.Abs(fell["mercury"]-fell["water"]) < .03) {
		t.Errorf("columns have come to %v m", fell)
	}
	low, high := fluid.Def{Domain: testrig.Box(8, 3, 6)}.At(fluid.LowQuality), fluid.Def{Domain: testrig.Box(8, 3, 6)}.At(fluid.HighQuality)
	if !(low.CellSize > 1.8*high.CellSize) || low.Budget.Step != 4*time.Millisecond || math.Abs(high.CellSize-3./61) > 1e-9 {
		t.Errorf("low %+v\nhigh %+v", low, high)
	}
	if d := (fluid.Def{Domain: testrig.Box(1, 1, 1), Budget: fluid.Budget{Work: 5}}).At(fluid.MediumQuality); d.Budget != (fluid.Budget{Work: 5}) || d.Validate() != nil {
		t.Errorf("a budget in work: %+v, %v", d.Budget, d.Validate())
	}
	for _, bad := range []fluid.Def{{}, {Domain: testrig.Box(1, testrig.NaN, 1)}, {Domain: testrig.Box(1, -1, 1)}, {Domain: testrig.Box(testrig.Inf, 1, 1)}} {
		if err := bad.At(fluid.LowQuality).Validate(); err == nil || !strings.Contains(err.Error(), "fluid: Def.Domain") {
			t.Errorf("%v: %v", bad.Domain, err)
		}
	}
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.4, .4, .4), Resources: fluid.Resources{Workers: 1}}.With(fluid.Honey).At(fluid.LowQuality))
	testrig.Must(t, l.Fill(fluid.Below(.1)))
	testrig.GoesOn(t, l, 1)
}
