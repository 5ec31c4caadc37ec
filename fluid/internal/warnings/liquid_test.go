package warnings_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A limit that is reached in each step is warned of once, and again when it was not reached for a while. A copy has been warned of what the liquid
// was, and what Prewarm's steps would warn of the first step does.
func TestWarningsAreToldOnce(t *testing.T) {
	for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120} {
		d := fluid.Def{Domain: testrig.Box(.02, .02, .02), CellSize: .001, Numerics: fluid.Numerics{Levels: 1}, Resources: fluid.Resources{Workers: 1}, Physics: fluid.Physics{Weightless: true, SurfaceTension: .0728}}
		l := testrig.New(t, d)
		testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .01, Y: .01, Z: .01}, .004)))
		l.Prewarm()
		wanted := fmt.Sprintf("%.0f would do", 16*60*dt)
		if n := testrig.CountWarnings(l, 8, dt, "Numerics.MaxSubsteps", "tension", wanted); n != 1 {
			t.Errorf("dt %.4f: warned %d times, want once, with %s", dt, n, wanted)
		}
		c := testrig.New(t, d)
		testrig.Must(t, l.CopyTo(c))
		if n := testrig.CountWarnings(c, 4, dt, "tension"); n != 0 {
			t.Errorf("dt %.4f: a copy warns %d times", dt, n)
		}
		testrig.Must(t, l.SetSurfaceTension(0))
		testrig.CountWarnings(l, int(1.2/dt), dt)
		testrig.Must(t, l.SetSurfaceTension(.0728))
		if n := testrig.CountWarnings(l, 4, dt, "tension"); n != 1 {
			t.Errorf("dt %.4f: warned %d times when the tension is back", dt, n)
		}
	}
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.005, .005, .005), CellSize: 2e-4, Numerics: fluid.Numerics{Levels: 1}, Resources: fluid.Resources{Workers: 1}, Physics: fluid.Physics{Weightless: true, SurfaceTension: .0728}})
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .0025, Y: .0025, Z: .0025}, .001)))
	if n := testrig.CountWarnings(l, 2, 1./60, "tension", "not even 64", "steps of 0.006 s or less"); n != 1 {
		t.Errorf("beyond what is allowed: warned %d times", n)
	}
}

// A body that is warned of is called by its name, beside its index and ID.
func TestWarningsNameBodies(t *testing.T) {
	for _, c := range []struct {
		what, name string
		spoil      func(s *testrig.Spoiled)
	}{
		{"set aside", "kayak", func(s *testrig.Spoiled) {
			s.VelocityOf = func(_, w r3.Vec) (r3.Vec, r3.Vec) { return r3.Vec{X: testrig.NaN}, w }
		}},
		{"too fast", "crate \"7\"", func(s *testrig.Spoiled) {
			s.VelocityOf = func(_, w r3.Vec) (r3.Vec, r3.Vec) { return r3.Vec{Y: 1e4}, w }
		}},
		{"without a name", "", func(s *testrig.Spoiled) {
			s.VelocityOf = func(_, w r3.Vec) (r3.Vec, r3.Vec) { return r3.Vec{X: testrig.NaN}, w }
		}},
	} {
		l, s, b := testrig.Spoilt(t)
		testrig.Must(t, b[0].SetName(c.name))
		testrig.GoesOn(t, l, 2)
		c.spoil(s)
		want := fmt.Sprintf("body 0 (ID %d", uint64(b[0].ID()))
		if c.name != "" {
			want += fmt.Sprintf(", %q", c.name)
		}
		if n := testrig.CountWarnings(l, 6, testrig.Frame, want+") "); n != 1 && c.what == "too fast" {
			t.Errorf("%s: %d warnings with %s", c.what, n, want)
		} else if m := testrig.CountWarnings(l, 6, testrig.Frame, want+"): "); c.what != "too fast" && n+m != 0 {
			t.Errorf("%s: %d warnings later", c.what, n+m)
		}
	}
	// Thin walls that move fast.
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Numerics: fluid.Numerics{MaxSubsteps: 1}})
	testrig.Must(t, l.Fill(fluid.Below(.5)))
	w := testrig.Earth()
	b := testrig.Place(t, w, physics.Kinematic, r3.Vec{X: .6, Y: .5, Z: .4}, physics.Box(physics.Centred(.01, .6, .4)), 0)
	testrig.Must(t, b.SetName("paddle"))
	testrig.Must(t, b.SetVelocity(r3.Vec{X: 6}))
	l.Couple(w.Coupling())
	if n := testrig.CountWarnings(l, 5, testrig.Frame, fmt.Sprintf("the thin walls of body 0 (ID %d, \"paddle\") move", uint64(b.ID()))); n != 1 {
		t.Errorf("a paddle: %d warnings", n)
	}
}
