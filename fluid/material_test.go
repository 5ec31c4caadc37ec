package fluid

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"
)

// collapsing is a column in the corner of a tank.
func collapsing(t testing.TB, d Def) *Liquid {
	t.Helper()
	d.Domain, d.CellSize, d.Workers = box(.8, .4, .2), .025, 1
	l := mustNew(t, d)
	if err := l.Fill(Box(box(.2, .3, .2))); err != nil {
		t.Fatal(err)
	}
	return l
}

// front is how far a collapsing column has come along the floor, m.
func front(l *Liquid) float64 {
	far := 0.
	s := l.Surface()
	for i := 0; i < len(s.Positions); i += 3 {
		far = max(far, float64(s.Positions[i]))
	}
	return far
}

// What a liquid was made of before makes no difference to one that is filled after it was changed, whatever it had before and after.
func TestMaterialIsWhatItWasSetTo(t *testing.T) {
	thick := Material{Density: 800, Viscosity: .02, SurfaceTension: .5}
	inviscid := Material{Density: 1000}
	for _, c := range []struct{ was, is Material }{{inviscid, thick}, {thick, inviscid}, {Honey, Mercury}, {Material{1000, .01, 0}, Material{1000, 0, .3}}} {
		d := Def{Domain: box(.4, .4, .4), CellSize: .05, Workers: 1}
		a, b := mustNew(t, d.With(c.was)), mustNew(t, d.With(c.is))
		for _, l := range []*Liquid{a, b} {
			goesOn(t, l, 1)
		}
		if err := a.SetMaterial(c.is); err != nil {
			t.Fatal(err)
		}
		for _, l := range []*Liquid{a, b} {
			if err := l.Fill(Sphere(r3.Vec{X: .2, Y: .2, Z: .2}, .13)); err != nil {
				t.Fatal(err)
			}
			goesOn(t, l, 6)
		}
		if a.Hash() != b.Hash() {
			t.Errorf("from %v to %v: other bits than of what was made so", c.was, c.is)
		}
	}
}

// Honey is poured, becomes water, and honey again: it creeps, runs, and creeps. Each change is state, in a file and in a copy, and of a liquid
// that never had viscosity or tension before, too.
func TestHoneyBecomesWater(t *testing.T) {
	l := collapsing(t, Def{}.With(Honey))
	thin := collapsing(t, Def{}.With(Water))
	goesOn(t, l, 12)
	goesOn(t, thin, 12)
	if creeps, runs := front(l), front(thin); creeps > runs-.05 {
		t.Errorf("honey has come to %g m, water to %g", creeps, runs)
	}
	before := front(l)
	if err := l.SetMaterial(Water); err != nil {
		t.Fatal(err)
	}
	goesOn(t, l, 12)
	if ran := front(l) - before; ran < .1 {
		t.Errorf("in .2 s what is water now ran %g m", ran)
	}
	for name, set := range map[string]func() error{
		"viscosity": func() error { return l.SetViscosity(.01) },
		"tension":   func() error { return l.SetSurfaceTension(0) },
		"density":   func() error { return l.SetDensity(700) },
		"nothing":   func() error { return l.SetMaterial(l.Def().material()) },
	} {
		was := l.Hash()
		if err := set(); err != nil || (l.Hash() == was) != (name == "nothing") {
			t.Errorf("%s: %v; changed: %v", name, err, l.Hash() != was)
		}
		file, copied := collapsing(t, Def{}), collapsing(t, Def{})
		restore(t, file, saved(t, l))
		if err := l.CopyTo(copied); err != nil {
			t.Fatal(err)
		}
		goesOn(t, l, 3)
		goesOn(t, file, 3)
		goesOn(t, copied, 3)
		if file.Hash() != l.Hash() || copied.Hash() != l.Hash() || file.Def().material() != l.Def().material() {
			t.Errorf("%s: what was restored or copied goes on otherwise", name)
		}
	}
}

// A value out of its limits names the field and changes nothing. A file that was made up is looked at likewise.
func TestBadMaterial(t *testing.T) {
	l := collapsing(t, Def{})
	was := l.Hash()
	for want, set := range map[string]func() error{
		"fluid: Def.Viscosity: NaN m²/s; must be 0 to 1000":    func() error { return l.SetViscosity(nan) },
		"fluid: Def.Viscosity: -1 m²/s":                        func() error { return l.SetViscosity(-1) },
		"fluid: Def.SurfaceTension: +Inf N/m; must be 0 to":    func() error { return l.SetSurfaceTension(inf) },
		"fluid: Def.Density: -5 kg/m³; must be 0.001 to 10000": func() error { return l.SetDensity(-5) },
		"fluid: Def.Density: 1e+09 kg/m³":                      func() error { return l.SetMaterial(Material{Density: 1e9, Viscosity: 1}) },
	} {
		if err := set(); err == nil || !strings.HasPrefix(err.Error(), want) || l.Hash() != was {
			t.Errorf("%v, want %s; changed: %v", err, want, l.Hash() != was)
		}
	}
	if err := l.SetDensity(0); err != nil || l.Def().Density != 1000 {
		t.Errorf("density 0: %v, %g", err, l.Def().Density)
	}
	mad := collapsing(t, Def{})
	mad.sim.def.Viscosity = nan
	if err := l.Restore(bytes.NewReader(saved(t, mad))); err == nil || !strings.Contains(err.Error(), "Def: NaN; must be 0 to 1000") || l.Hash() != was {
		t.Errorf("a file with viscosity NaN: %v", err)
	}
}

// Liquid that sleeps wakes when it changes; the pressure and what floats follow the density; a step that goes wrong keeps the material.
func TestMaterialWakes(t *testing.T) {
	a := newDrifting(t, Def{}, r3.Vec{Y: -9.81})
	if err := a.l.Fill(Below(.7)); err != nil {
		t.Fatal(err)
	}
	a.run(t, 30)
	a.l.sim.around.Sleep.Asleep = true
	var s [1]Sample
	at := []r3.Vec{{X: .2, Y: .2, Z: .2}}
	a.l.Sample(at, s[:])
	was, draft := s[0].Pressure, a.crate.Position().Y
	if err := a.l.SetDensity(2000); err != nil {
		t.Fatal(err)
	}
	if a.l.Sample(at, s[:]); a.l.sim.around.Sleep.Asleep || math.Abs(s[0].Pressure/was-2) > 1e-9 {
		t.Errorf("asleep %v, pressure %g times what it was", a.l.sim.around.Sleep.Asleep, s[0].Pressure/was)
	}
	a.run(t, 60)
	if rise := a.crate.Position().Y - draft; rise < .03 {
		t.Errorf("a crate of 500 kg/m³ rises by %g m in a liquid that becomes twice as dense", rise)
	}
	if _, err := a.l.AddField(Field{Axis: r3.Vec{X: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := a.l.SetMaterial(Honey); err != nil {
		t.Fatal(err)
	}
	setStrength(a.l, nan)
	if r := a.l.Step(frame); !r.RolledBack || a.l.Def().material() != Honey {
		t.Errorf("rolled back %v, made of %+v", r.RolledBack, a.l.Def().material())
	}
	setStrength(a.l, 0)
	a.run(t, 2)
}

// Every material and every quality gives a definition that is good and steps, in rooms of all sizes.
func TestPresets(t *testing.T) {
	materials := map[string]Material{"water": Water, "sea": SeaWater, "oil": Oil, "honey": Honey, "lava": Lava, "mercury": Mercury}
	fell := map[string]float64{}
	for name, m := range materials {
		l := collapsing(t, Def{}.With(m))
		goesOn(t, l, 10)
		if fell[name] = front(l); l.Def().material() != m {
			t.Errorf("%s: %+v", name, l.Def())
		}
		for q := LowQuality; q <= HighQuality+1; q++ {
			for _, size := range []r3.Vec{{X: .4, Y: .4, Z: .4}, {X: 2, Y: 1, Z: 1}, {X: 8, Y: 3, Z: 6}, {X: 100, Y: 15, Z: 60}, {X: 12, Y: .5, Z: 12}} {
				d := Def{Domain: box(size.X, size.Y, size.Z), Sides: Sides{Open, Open, Open, Open, Open, Open}}.With(m).At(q)
				if err := d.Validate(); err != nil {
					t.Errorf("%s, quality %d, %v: %v", name, q, size, err)
				}
			}
		}
	}
	if !(fell["honey"] < fell["oil"]-.01 && fell["lava"] < fell["honey"] && math.Abs(fell["mercury"]-fell["water"]) < .03) {
		t.Errorf("columns have come to %v m", fell)
	}
	low, high := Def{Domain: box(8, 3, 6)}.At(LowQuality), Def{Domain: box(8, 3, 6)}.At(HighQuality)
	if !(low.CellSize > 1.8*high.CellSize) || low.Budget.Step != 4*time.Millisecond || math.Abs(high.CellSize-3./61) > 1e-9 {
		t.Errorf("low %+v\nhigh %+v", low, high)
	}
	if d := (Def{Domain: box(1, 1, 1), Budget: Budget{Work: 5}}).At(MediumQuality); d.Budget != (Budget{Work: 5}) || d.Validate() != nil {
		t.Errorf("a budget in work: %+v, %v", d.Budget, d.Validate())
	}
	for _, bad := range []Def{{}, {Domain: box(1, nan, 1)}, {Domain: box(1, -1, 1)}, {Domain: box(inf, 1, 1)}} {
		if err := bad.At(LowQuality).Validate(); err == nil || !strings.Contains(err.Error(), "fluid: Def.Domain") {
			t.Errorf("%v: %v", bad.Domain, err)
		}
	}
	l := mustNew(t, Def{Domain: box(.4, .4, .4), Workers: 1}.With(Honey).At(LowQuality))
	if err := l.Fill(Below(.1)); err != nil {
		t.Fatal(err)
	}
	goesOn(t, l, 1)
}
