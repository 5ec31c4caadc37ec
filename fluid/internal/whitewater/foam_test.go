package whitewater_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A dam that breaks is clear until it has hit the far wall, and white after.
func TestDamBreakFoams(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .05, Numerics: fluid.Numerics{Levels: 2}})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.6, .6, .8))))
	early, top := float32(0), float32(0)
	for n := range 40 {
		l.Step(testrig.Frame)
		if top = max(top, testrig.Whitest(l)); n == 4 {
			early = top
		}
	}
	torn := 0
	for _, f := range l.Surface().Foam {
		if f > .2 {
			torn++
		}
	}
	share := float64(torn) / float64(len(l.Surface().Foam))
	t.Logf("foam %.3f after 5 steps, up to %.2f in 40; %.2f of the surface is white", early, top, share)
	if early > .02 || top < .5 || share < .02 {
		t.Errorf("foam %g after 5 steps, up to %g in 40; %g of the surface is white", early, top, share)
	}
}

// Still water has no foam, and what a splash left fades, even once the water is asleep.
func TestFoamFadesOnStillWater(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .05})
	testrig.Must(t, l.Fill(fluid.Below(.43)))
	for range 5 {
		l.Step(testrig.Frame)
	}
	if f := testrig.Whitest(l); f != 0 {
		t.Fatalf("foam of %g on still water", f)
	}
	testrig.Blocks(l).Foam.Splash([3]float64{.8, .43, .4}, .2, 1)
	l.Step(testrig.Frame)
	was := testrig.Whitest(l)
	asleep := 0
	for range 90 {
		if l.Step(testrig.Frame).AsleepBlocks > 0 {
			asleep++
		}
	}
	t.Logf("%.3f, %.3f after 1.5 s; asleep in %d steps", was, testrig.Whitest(l), asleep)
	if r := testrig.Whitest(l) / was; was < .5 || r < .4 || r > .52 || asleep < 30 {
		t.Errorf("foam of %g fades to %g of it in 1.5 s; asleep in %d steps", was, r, asleep)
	}
	for range 120 {
		l.Step(.1)
	}
	if f := testrig.Whitest(l); f > 1./255 {
		t.Errorf("%g is left after 13 s", f)
	}
}

// A body that falls in splashes.
func TestSplashFoams(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: .05, Numerics: fluid.Numerics{Levels: 2}})
	testrig.Must(t, l.Fill(fluid.Below(.43)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .8, Y: .8, Z: .8}, Velocity: r3.Vec{Y: -2}},
		physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .15), Density: 500})
	l.Couple(w.Coupling())
	for range 30 {
		l.Step(testrig.Frame)
		if len(l.Events().Splashes) == 0 {
			continue
		}
		before := testrig.Whitest(l)
		l.Step(testrig.Frame)
		m := l.Surface()
		for i, f := range m.Foam {
			x := r3.Vec{X: float64(m.Positions[3*i]), Y: .8, Z: float64(m.Positions[3*i+2])}
			if d := r3.Norm(r3.Sub(x, r3.Vec{X: .8, Y: .8, Z: .8})); f > 0 && d > .45 {
				t.Errorf("foam of %g, %g m off", f, d)
			}
		}
		if after := testrig.Whitest(l); before > .02 || after < .5 {
			t.Errorf("foam of %g before the splash, %g after", before, after)
		}
		return
	}
	t.Error("no splash")
}
