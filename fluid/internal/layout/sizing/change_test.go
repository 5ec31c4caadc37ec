package sizing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

func away() View { return look(r3.Vec{X: -50, Y: 5, Z: 5}, r3.Vec{X: -80, Y: 2, Z: 5}, .9, 720) }

func TestHysteresis(t *testing.T) {
	a := newSea([3]int{8, 8, 8}, 2.2)
	k := Knobs{ChangeShare: 2}
	near := look(r3.Vec{X: -1, Y: 4, Z: 1.6}, r3.Vec{X: 2, Y: 2, Z: 1.6}, 1.2, 720)
	mustView(t, a.s, away())
	a.plan(k)
	if l := a.level(4, 5, 4); l != 0 {
		t.Fatalf("unseen level %d", l)
	}
	mustView(t, a.s, near)
	a.plan(k)
	if l := a.level(4, 5, 4); l != layout.MaxLevel {
		t.Fatalf("level %d one step after it came into view", l)
	}
	mustView(t, a.s, away())
	for step := 1; step <= 3*DefaultCoarsenDelay; step++ {
		a.plan(k)
		if l, want := a.level(4, 5, 4), layout.MaxLevel-step/DefaultCoarsenDelay; l != want {
			t.Fatalf("step %d out of view: level %d, want %d", step, l, want)
		}
	}
	mustView(t, a.s, near)
	a.plan(k)
	for range 10 { // a glance away every 29 steps must not coarsen anything
		mustView(t, a.s, away())
		for range DefaultCoarsenDelay - 1 {
			if out := a.plan(k); out.Coarsened > 0 {
				t.Fatal("coarsened too early")
			}
		}
		mustView(t, a.s, near)
		a.plan(k)
	}
}

func TestChangesAreSpreadNearestFirst(t *testing.T) {
	a := newSea([3]int{32, 6, 8}, 1.4)
	mustView(t, a.s, away())
	a.plan(Knobs{})
	active := 32 * 8 * 4
	limit := active / 8
	mustView(t, a.s, look(r3.Vec{X: -2, Y: 3, Z: 1.6}, r3.Vec{X: 8, Y: 1, Z: 1.6}, 1.2, 720))
	steps := 0
	for edge := -1; ; steps++ {
		out := a.plan(Knobs{})
		a.mustBalance(t)
		if out.Refined > limit*3/4+25 {
			t.Fatalf("step %d: %d of %d blocks refined", steps, out.Refined, active)
		}
		if out.Refined == 0 {
			break
		}
		x := -1
		for x+1 < 32 && a.level(x+1, 3, 4) == layout.MaxLevel {
			x++
		}
		for i := x + 3; i < 32; i++ {
			if a.level(i, 3, 4) == layout.MaxLevel {
				t.Fatalf("step %d: block %d was refined before %d", steps, i, x+1)
			}
		}
		if x < edge {
			t.Fatalf("step %d: finest up to %d, %d before", steps, x, edge)
		}
		edge = x
	}
	if a.level(31, 3, 4) != layout.MaxLevel || steps < 3 {
		t.Fatalf("level %d at the far end after %d steps", a.level(31, 3, 4), steps)
	}
	mustView(t, a.s, away())
	for range 200 {
		if out := a.plan(Knobs{}); out.Coarsened > limit {
			t.Fatalf("%d of %d blocks coarsened", out.Coarsened, active)
		}
	}
	if a.g.Blocks(layout.MaxLevel) > 0 {
		t.Fatalf("%d finest blocks left", a.g.Blocks(layout.MaxLevel))
	}
}

// No more blocks change than the time allows, but for those next to them; a load far beyond the target goes at once nevertheless.
func TestChangesAreBounded(t *testing.T) {
	a := newSea([3]int{24, 10, 24}, 2.2)
	mustView(t, a.s, front())
	k := Knobs{TargetUnknowns: 20000, Changes: 3}
	a.plan(k)
	run := func(steps, target, most int) (total int) {
		t.Helper()
		k.TargetUnknowns = target
		for range steps {
			out := a.plan(k)
			a.mustBalance(t)
			if total = out.Total; out.Changed > most {
				t.Errorf("target %d: as much changed as in %d finest blocks, want at most %d", target, out.Changed, most)
			}
		}
		return total
	}
	if total := run(200, 24000, 5); total < 21000 {
		t.Errorf("%d unknowns in the end for a target of 24000", total)
	}
	if total := run(20, 21000, 5); total > 21000 {
		t.Errorf("%d unknowns in the end for a target of 21000", total)
	}
	if total := run(2, 10000, math.MaxInt); total > farOver*10000 {
		t.Errorf("%d unknowns after two steps for a target of 10000", total)
	}
	if total := run(20, 10000, 5); total > 10000 {
		t.Errorf("%d unknowns in the end for a target of 10000", total)
	}
}

func TestOverloadIsShedAtOnce(t *testing.T) {
	a := newSea([3]int{24, 10, 24}, 2.2)
	mustView(t, a.s, front())
	before := a.plan(Knobs{TargetUnknowns: 40000})
	for step := range 4 { // the target halves: no delay
		out := a.plan(Knobs{TargetUnknowns: 20000})
		a.mustBalance(t)
		if out.Total > 20000 && step > 0 || out.Total > before.Total*2/3 {
			t.Fatalf("step %d: %d unknowns for a target of 20000, %d before", step, out.Total, before.Total)
		}
	}
	for step := range 60 { // turning round may not carry both pictures
		if step == 0 {
			mustView(t, a.s, look(r3.Vec{X: 12, Y: 5, Z: 5}, r3.Vec{X: 5, Y: 2, Z: 5}, .9, 720))
		}
		if out := a.plan(Knobs{TargetUnknowns: 20000}); out.Total > 20200 {
			t.Fatalf("step %d after the turn: %d unknowns for a target of 20000", step, out.Total)
		}
	}
}

// Blocks without liquid beside the surface, and beyond open sides, don't keep those with liquid from being coarsened when a target falls by several levels.
func TestAirDoesNotHoldTheOverload(t *testing.T) {
	for name, open := range map[string][6]bool{"a surface at blocks' sides": {}, "open sides": {true, true, false, false, true, true}} {
		for _, balance := range []layout.Balance{layout.BalanceFaces, layout.BalanceEdges} {
			a := newSea([3]int{24, 10, 24}, 2)
			a.g.SetBalance(balance)
			if open != [6]bool{} {
				a.flood(func(x, z float64) float64 { return 2.2 })
				domain := r3.Box{Min: r3.Vec{X: .4, Z: .4}, Max: r3.Vec{X: 9.2, Y: 4, Z: 9.2}}
				a.s = New(a.g, domain)
				BeyondOpen(a.s, domain, open)
			}
			a.plan(Knobs{TargetUnknowns: 60000})
			var out Outcome
			for range 4 {
				out = a.plan(Knobs{TargetUnknowns: 2600})
				a.mustBalance(t)
			}
			if least := max(2600, out.Least); out.Total > least {
				t.Errorf("%s, balance %d: %d unknowns 4 steps after the target has fallen, %d would do", name, balance, out.Total, least)
			}
		}
	}
}

func TestViewsAreChecked(t *testing.T) {
	a := newSea([3]int{24, 10, 24}, 2.2)
	mustView(t, a.s, front())
	good := a.s.cameras[0]
	nan, inf, flat, blind := front(), front(), front(), front()
	nan.View[5] = float32(math.NaN())
	inf.Projection[0] = float32(math.Inf(1))
	flat.View[0], flat.View[4], flat.View[8] = 0, 0, 0
	blind.Projection[5] = 0
	small := front()
	small.Height = 0
	for i, v := range []View{nan, inf, flat, blind, small} {
		if a.s.SetViews(v) == nil || a.s.cameras[0] != good {
			t.Errorf("view %d was accepted", i)
		}
	}
	mustView(t, a.s, View{})
	if len(a.s.cameras) > 0 {
		t.Error("the zero view is a view")
	}
}

func TestFrustum(t *testing.T) {
	sees := func(v View, x, y, z float64) bool {
		c, ok := newCamera(v, .4)
		if !ok {
			t.Fatal("view refused")
		}
		seen, pixels := c.sees([3]float64{x, y, z})
		if seen && !(pixels > 0 && !math.IsInf(pixels, 0)) {
			t.Fatalf("%v pixels per metre", pixels)
		}
		return seen
	}
	v := look(r3.Vec{}, r3.Vec{X: 10}, math.Pi/2, 720)
	reversed := v // infinite, reversed depth, as modern engines have it
	reversed.Projection[10], reversed.Projection[14] = 0, .1
	infinite := v
	infinite.Projection[10], infinite.Projection[14] = -1, -.2
	turned := v // the picture lies on its side, as on a phone
	turned.Projection[0], turned.Projection[1] = 0, v.Projection[0]
	turned.Projection[5], turned.Projection[4] = 0, v.Projection[5]
	scaled := v // view space in centimetres
	for i := range 15 {
		if i%4 != 3 {
			scaled.View[i] *= 100
		}
	}
	scaled.Projection[14] *= 100
	for i, v := range []View{v, reversed, infinite, turned, scaled} {
		for _, c := range []struct {
			x, y, z float64
			want    bool
		}{
			{0, 0, 0, true}, {.05, 0, 0, true}, // the eye is inside
			{.3, .3, .3, true}, {10, 0, 0, true}, {10, 9, 0, true}, {10, 10.9, 0, true}, // just outside
			{10, 13, 0, false}, {-1.5, 0, 0, false}, {-10, 0, 0, false}, {-10, 9, 0, false}, {10, 0, 19, false},
		} {
			if got := sees(v, c.x, c.y, c.z); got != c.want {
				t.Errorf("view %d sees (%v, %v, %v): %v", i, c.x, c.y, c.z, got)
			}
		}
		c, _ := newCamera(v, .4)
		if _, px := c.sees([3]float64{10, 0, 0}); math.Abs(px-360/9.8) > .01 {
			t.Errorf("view %d: %v pixels per metre at 9.8 m, want %v", i, px, 360/9.8)
		}
	}
	o := ortho(look(r3.Vec{}, r3.Vec{X: 10}, 1, 720), 2)
	if !sees(o, 100, 0, 0) || !sees(o, 100, 2.5, 0) || sees(o, 100, 3.5, 0) || !sees(o, 100, 0, 2.5) || sees(o, 100, 0, 4) || sees(o, 900, 0, 0) {
		t.Error("orthographic view is wrong")
	}
	c, _ := newCamera(o, .4)
	if _, px := c.sees([3]float64{10, 0, 0}); math.Abs(px-180) > 1e-6 {
		t.Errorf("orthographic: %v pixels per metre, want 180", px)
	}
}

func TestCameraInsideTheLiquid(t *testing.T) {
	a := newSea([3]int{16, 10, 16}, 3.)
	mustView(t, a.s, look(r3.Vec{X: 3.2, Y: 1.2, Z: 3.2}, r3.Vec{X: 6, Y: 2, Z: 3.2}, 1.2, 720))
	out := a.plan(Knobs{TargetUnknowns: 20000})
	a.mustBalance(t)
	if out.Total > 20000 || out.Knob != "" || out.Visible == 0 || math.IsNaN(out.Gain) {
		t.Fatalf("%+v", out)
	}
	if a.level(10, 7, 8) < a.level(0, 7, 0) {
		t.Fatal("what is behind the camera is finer")
	}
}
