package scene

import (
	"image"
	"slices"
	"testing"

	"github.com/g3n/engine/geometry"
	"gonum.org/v1/gonum/spatial/r3"
)

// Each pass reads what an earlier one draws, no target is forgotten, and names are told apart.
func TestPasses(t *testing.T) {
	names, drawn := map[string]bool{}, map[string]bool{}
	for i := range targetSpecs {
		if names[targetSpecs[i].name] {
			t.Errorf("two targets are named %s", targetSpecs[i].name)
		}
		names[targetSpecs[i].name] = true
	}
	seen := map[string]bool{}
	for i := range passes {
		p := &passes[i]
		if seen[p.name] || p.name == "" || p.draw == nil {
			t.Errorf("pass %d, %q, lacks a name of its own or what draws it", i, p.name)
		}
		seen[p.name] = true
		for _, in := range p.inputs {
			if !drawn[in] {
				t.Errorf("pass %s reads %s before it is drawn", p.name, in)
			}
		}
		for _, out := range p.outputs {
			if !names[out] {
				t.Errorf("pass %s draws into %s, which is no target", p.name, out)
			}
			drawn[out] = true
		}
	}
	for name := range names {
		if !drawn[name] {
			t.Errorf("no pass draws %s", name)
		}
	}
}

// Every render target can be seen, at every quality, in a short run at the highest and the lowest, and then the picture again.
func TestDebugViews(t *testing.T) {
	onGL(t, func(l *lab) {
		src := pool(.05, 1, 50)
		whiten(src, patch(900, r3.Vec{})...)
		water := NewLiquid(src, LiquidOptions{Quality: DrawHigh, Caustics: 64})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		root.Add(aglow(geometry.NewSphere(.2, 16, 8), -.3, 1.3, -.2)) // there is bloom
		cam := halfUnder(water, 160, 90, at(0, 0, .9), at(0, -.4, 0)) // on a crest: all passes have something to draw
		shoot := func() *image.RGBA { return l.shoot(t, 160, 90, root, water, cam) }
		picture := shoot()
		var seen []*image.RGBA
		for _, name := range DebugViews() {
			if err := water.SetDebugView(name); err != nil || water.DebugView() != name {
				t.Fatal(err, water.DebugView())
			}
			img := shoot()
			save(t, "view_"+name, img)
			if _, d := contrast(img, img.Bounds()); d < .01 {
				t.Errorf("the view of %s shows nothing: deviation %.4f", name, d)
			}
			if slices.ContainsFunc(seen, func(o *image.RGBA) bool { return slices.Equal(o.Pix, img.Pix) }) {
				t.Errorf("the view of %s looks like another", name)
			}
			seen = append(seen, img)
		}
		for _, q := range inShort(qualities[:1], qualities[:]) {
			water.SetQuality(q)
			for _, name := range DebugViews() {
				if err := water.SetDebugView(name); err != nil {
					t.Error(err)
				}
				shoot()
			}
		}
		water.SetQuality(DrawHigh)
		if water.SetDebugView("nothing") == nil {
			t.Error("a target that there is not is shown")
		}
		if err := water.SetDebugView(""); err != nil {
			t.Error(err)
		}
		if again := shoot(); !slices.Equal(again.Pix, picture.Pix) {
			t.Error("the picture after the views is another")
		}
	})
}

// Where the driver measures, each pass that was drawn has a time after some frames.
func TestPassTimes(t *testing.T) {
	onGL(t, func(l *lab) {
		water := NewLiquid(pool(.05, 1, 50), LiquidOptions{})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		hud := NewHUD(HUDOptions{})
		water.Add(hud)
		for range 2 * delay {
			l.shoot(t, 160, 90, root, water, view(160, 90, shots[0].eye, shots[0].aim))
		}
		times := water.PassTimes(nil)
		if !water.stage.clock.works {
			if len(times) > 0 {
				t.Errorf("a driver without timers gave %v", times)
			}
			return
		}
		if len(times) == 0 {
			t.Fatal("the driver has timers and gave no time")
		}
		hud.paint()
		if len(hud.passes) != len(times) || hud.Panel().Rect.Dy() != panelHeight+lineHeight {
			t.Errorf("the HUD has %d times, and a panel %d pixels high", len(hud.passes), hud.Panel().Rect.Dy())
		}
		for i, p := range times {
			t.Log(p.Pass, p.GPU)
			if p.GPU <= 0 || i > 0 && p.Pass == times[i-1].Pass {
				t.Errorf("pass %s took %v", p.Pass, p.GPU)
			}
		}
	})
}
