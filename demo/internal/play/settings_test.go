package play

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene"
)

// pond is a demo that is never played.
var pond = Demo[Scenario]{
	Name: "pond", Frames: 600, Cell: .08, Finest: .02, Coarsest: .2, Chased: "a duck", Seeded: "where the ducks are",
	Views: Views{
		Orbit: view.Orbit{Radius: 6, Height: 2, Period: 10},
		Chase: view.Chase{Offset: r3.Vec{Y: 1, Z: 3}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{Y: 2, Z: 5}},
	},
	Keys: []Key[Scenario]{{window.KeySpace, "Space", "drop one more", func(Scenario) error { return nil }}},
}

// Each liquid of -liquid but water has a look of its own.
func TestLiquidsHaveLooks(t *testing.T) {
	seen := map[scene.Look]string{{}: "water"}
	for _, l := range option.Liquids[1:] {
		if other, is := seen[looks[l.Name]]; is {
			t.Errorf("%s looks like %s", l.Name, other)
		}
		seen[looks[l.Name]] = l.Name
	}
}

func TestBindings(t *testing.T) {
	boxed := Settings{Box: "box"} // with one key more
	keys, names := map[window.Key]bool{}, map[string]bool{}
	for _, b := range pond.bindings(boxed) {
		if keys[b.key] || names[b.name] {
			t.Errorf("%s is bound twice", b.name)
		}
		keys[b.key], names[b.name] = true, true
		if b.do == nil || !slices.Contains(pond.help(boxed), b.name+" "+b.what) {
			t.Errorf("%s does nothing or is not in the help line", b.name)
		}
	}
	if !names["Space"] || !names["F12"] || len(pond.bindings(Settings{})) != len(names)-1 {
		t.Error("the demo's own key or the box's is missing")
	}
}

func TestCameras(t *testing.T) {
	duck := r3.Vec{X: 1, Z: 1}
	for mode, want := range map[string]r3.Vec{"orbit": {}, "chase": duck, "fixed": {}, "none": {}} {
		m := NewMover(mode, pond.Views)
		pose := m.Advance(Timestep, duck)
		if pose.Target != want || r3.Norm(r3.Sub(pose.Eye, pose.Target)) < 3 {
			t.Errorf("%s: %+v", mode, pose)
		}
		if m.steers() == (mode == "none") {
			t.Errorf("%s: steers is %v", mode, m.steers())
		}
	}
	m, seen := NewMover("orbit", pond.Views), map[string]bool{}
	for range cameras {
		seen[m.mode] = true
		m.mode = m.next()
	}
	if len(seen) != len(cameras) || m.mode != "orbit" {
		t.Error("the key does not go round the cameras")
	}
}

// A demo in which nothing is left to chance has no -seed.
func TestSeedless(t *testing.T) {
	d := pond
	d.Seeded = ""
	if _, _, err := d.ReadSettings([]string{"-seed", "3"}); err == nil || !strings.Contains(err.Error(), "-report -size") {
		t.Errorf("got %v", err)
	}
}

// Every demo has -cells, which its liquid follows, and -grid.
func TestCells(t *testing.T) {
	d := pond
	for word, want := range map[string]fluid.Discretisation{"cubes": fluid.Cubes, "tetrahedra": fluid.Tetrahedra} {
		s, _, err := d.ReadSettings([]string{"-cells", word, "-grid", "cells"})
		if def := s.Liquid(); err != nil || def.Discretisation != want || s.Grid != "cells" {
			t.Errorf("%s: %v, grid %s, %v", word, def.Discretisation, s.Grid, err)
		}
	}
	if s, _, err := d.ReadSettings(nil); err != nil || s.Grid != grids[0] {
		t.Errorf("grid %q, %v", s.Grid, err)
	}
	if _, _, err := d.ReadSettings([]string{"-grid", "dots"}); err == nil || !strings.Contains(err.Error(), "none, blocks, cells") {
		t.Errorf("got %v", err)
	}
}

// The cut looks at the camera along the axis that is nearest to it, and is upright.
func TestCutFacesTheCamera(t *testing.T) {
	for _, c := range []struct{ eye, want r3.Vec }{
		{r3.Vec{X: 1, Y: 9, Z: 4}, r3.Vec{Z: 1}}, {r3.Vec{X: 1, Y: 9, Z: -4}, r3.Vec{Z: -1}}, {r3.Vec{X: 5, Z: -4}, r3.Vec{X: 1}}, {r3.Vec{X: -5, Z: 4}, r3.Vec{X: -1}},
	} {
		if got := facing(view.Pose{Eye: r3.Add(c.eye, r3.Vec{Y: 2}), Target: r3.Vec{Y: 2}}); got != c.want {
			t.Errorf("from %v: %v", c.eye, got)
		}
	}
}

// A demo that is Tracked has -tracker, and compares the trackers that there are; else the demo's own variants are played.
func TestTrackers(t *testing.T) {
	d := pond
	if _, _, err := d.ReadSettings([]string{"-tracker", "levelset"}); err == nil {
		t.Error("a demo that is not Tracked has -tracker")
	}
	d.Tracked, d.Variants = true, func() []string { return []string{"calm", "rough"} }
	s, _, err := d.ReadSettings([]string{"-tracker", "mesh"})
	if def := s.Liquid(); err != nil || def.Discretisation != fluid.Cubes || def.Tracker != fluid.ExplicitMesh {
		t.Errorf("tracker %d, %v", def.Tracker, err)
	}
	if all, names := d.variants(s); !slices.Equal(names, []string{"calm", "rough"}) || all[1].Variant != 1 || all[1].Tracker != fluid.ExplicitMesh {
		t.Errorf("variants %q: %+v", names, all)
	}
	s, _, err = d.ReadSettings([]string{"-compare"})
	if err != nil {
		t.Fatal(err)
	}
	all, names := d.variants(s)
	if len(all) == 0 || names[0] != "levelset" || all[0].Tracker != fluid.LevelSet {
		t.Errorf("trackers %q: %+v", names, all)
	}
	d.Thin = true
	all, names = d.variants(s)
	if i := slices.Index(names, "contour-thickened"); i < 0 || !all[i].Thicken || !all[i].Liquid().Numerics.Thickening || all[i].Tracker != fluid.Contouring || all[i-1].Thicken {
		t.Errorf("with thickening %q: %+v", names, all)
	}
}

// A demo that splashes has white water, and a flag to leave it out.
func TestWhiteWater(t *testing.T) {
	d := pond
	if s, _, err := d.ReadSettings([]string{"-whitewater=false"}); err == nil || s.Liquid().WhiteWater != 0 {
		t.Errorf("a demo without white water has %d, %v", s.Liquid().WhiteWater, err)
	}
	d.White = true
	for args, want := range map[string]int{"-seed=1": whiteWater, "-whitewater=false": 0} {
		if s, _, err := d.ReadSettings([]string{args}); err != nil || s.Liquid().WhiteWater != want {
			t.Errorf("%s: %d, %v", args, s.Liquid().WhiteWater, err)
		}
	}
}

// Each -sky is another daylight, and each -quality draws as scene's of that name do; without the flags they are what the demos' pictures have.
func TestLooks(t *testing.T) {
	seen := map[scene.SkyOptions]string{}
	for _, name := range skies {
		s, _, err := pond.ReadSettings([]string{"-sky", name})
		if err != nil {
			t.Fatal(err)
		}
		sky := s.options(nil).Sky
		if other, is := seen[sky]; is || sky.Sun.Y <= 0 || sky.Horizon == (math32.Color{}) {
			t.Errorf("%s: %+v, as %q", name, sky, other)
		}
		seen[sky] = name
	}
	for name, want := range map[string]scene.DrawQuality{"low": scene.DrawLow, "medium": scene.DrawMedium, "high": scene.DrawHigh} {
		s, _, err := pond.ReadSettings([]string{"-quality", name})
		if o := s.options(nil); err != nil || o.Quality != want || o.Caustics < 0 != (want == scene.DrawLow) {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
	s, _, err := pond.ReadSettings(nil)
	if o := s.options(nil); err != nil || o.Sky != stage.Sky || o.Quality != scene.DrawMedium {
		t.Errorf("without flags: %+v, %v", o, err)
	}
}

// A place for ray tracing gets the daylight of the window, and keeps its own in the afternoon.
func TestTracedSkies(t *testing.T) {
	for i, name := range skies {
		sky := raytrace.Afternoon()
		s := Settings{Sky: name}
		s.light(&sky)
		want := daylights[i]
		if math.Abs(sky.Horizon.X-float64(want.Horizon.R)) > 1e-6 || math.Abs(sky.Sun.Y-float64(want.Sun.Y)) > 1e-6 {
			t.Errorf("%s: %+v, in a window %+v", name, sky, want)
		}
	}
}

func TestDefaults(t *testing.T) {
	s, _, err := pond.ReadSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Headless || s.Frames != 600 || s.Size.String() != "1280x720" || s.Out != "out/pond" || s.Budget != 8*time.Millisecond || s.Camera != "orbit" {
		t.Errorf("got %+v", s)
	}
}

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-frames 0", "from 1 to 1000000"},
		{"-size 1280", "WIDTHxHEIGHT"},
		{"-size 10x10", "from 64 to 7680"},
		{"-budget 8", "such as 8ms"},
		{"-budget 2s", "from 0s to 1s"},
		{"-camera spin", "orbit, chase, fixed, none"},
		{"-sky green", "-sky: must be one of afternoon, noon, morning, dusk, overcast, night, hall"},
		{"-quality best", "-quality: must be one of low, medium, high"},
		{"-seed -1", "whole number"},
		{"-cell 0", "from 0.02 to 0.2"},
		{"-cell nan", "from 0.02 to 0.2"},
		{"-every x", "whole number"},
		{"-out=", "must not be empty"},
		{"-headless=perhaps", "true or false"},
		{"-bogus", "the flags are"},
		{"here", "only flags"},
	} {
		_, _, err := pond.ReadSettings(strings.Fields(c.args))
		if err == nil {
			t.Errorf("%s: no error", c.args)
		} else if text := err.Error(); !strings.HasPrefix(text, "pond: ") || strings.Contains(text, "\n") || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %q, want one line with %q", c.args, text, c.want)
		}
	}
}

// About 12 to 20 pictures, and every frame of a short run.
func TestStride(t *testing.T) {
	for frames, want := range map[int][2]int{1: {1, 1}, 3: {3, 3}, 16: {16, 16}, 100: {12, 20}, 240: {12, 20}, 600: {12, 20}, 3600: {12, 20}} {
		s := Settings{Frames: frames}
		n := 0
		for i := 1; i <= frames; i++ {
			if s.drawn(i) {
				n++
			}
		}
		if n < want[0] || n > want[1] {
			t.Errorf("%d frames give %d pictures, want %d to %d", frames, n, want[0], want[1])
		}
		if !s.drawn(frames) {
			t.Errorf("%d frames: the last is not drawn", frames)
		}
	}
	s := Settings{Frames: 10, Every: 4}
	if s.drawn(3) || !s.drawn(4) || !s.drawn(10) {
		t.Error("-every 4 of 10 should draw 4, 8 and 10")
	}
}
