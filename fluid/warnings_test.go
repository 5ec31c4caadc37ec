package fluid

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// countWarnings counts the warnings of some steps whose texts have all of some words.
func countWarnings(l *Liquid, steps int, dt float64, words ...string) (n int) {
	for range steps {
	warnings:
		for _, w := range l.Step(dt).Warnings {
			for _, word := range words {
				if !strings.Contains(w.Knob+": "+w.Text, word) {
					continue warnings
				}
			}
			n++
		}
	}
	return n
}

// A limit that is reached in each step is warned of once, and again when it was not reached for a while. A copy has been warned of what the liquid
// was, and what Prewarm's steps would warn of the first step does.
func TestWarningsAreToldOnce(t *testing.T) {
	for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120} {
		d := Def{Domain: box(.02, .02, .02), CellSize: .001, Levels: 1, Workers: 1, Weightless: true, SurfaceTension: .0728}
		l := mustNew(t, d)
		must(t, l.Fill(Sphere(r3.Vec{X: .01, Y: .01, Z: .01}, .004)))
		l.Prewarm()
		wanted := fmt.Sprintf("%.0f would do", 16*60*dt)
		if n := countWarnings(l, 8, dt, "Solver.MaxSubsteps", "tension", wanted); n != 1 {
			t.Errorf("dt %.4f: warned %d times, want once, with %s", dt, n, wanted)
		}
		c := mustNew(t, d)
		must(t, l.CopyTo(c))
		if n := countWarnings(c, 4, dt, "tension"); n != 0 {
			t.Errorf("dt %.4f: a copy warns %d times", dt, n)
		}
		must(t, l.SetSurfaceTension(0))
		countWarnings(l, int(1.2/dt), dt)
		must(t, l.SetSurfaceTension(.0728))
		if n := countWarnings(l, 4, dt, "tension"); n != 1 {
			t.Errorf("dt %.4f: warned %d times when the tension is back", dt, n)
		}
	}
	l := mustNew(t, Def{Domain: box(.005, .005, .005), CellSize: 2e-4, Levels: 1, Workers: 1, Weightless: true, SurfaceTension: .0728})
	must(t, l.Fill(Sphere(r3.Vec{X: .0025, Y: .0025, Z: .0025}, .001)))
	if n := countWarnings(l, 2, 1./60, "tension", "not even 64", "steps of 0.006 s or less"); n != 1 {
		t.Errorf("beyond what is allowed: warned %d times", n)
	}
}

// A body that is warned of is called by its name, beside its index and ID.
func TestWarningsNameBodies(t *testing.T) {
	for _, c := range []struct {
		what, name string
		spoil      func(s *spoiled)
	}{
		{"set aside", "kayak", func(s *spoiled) { s.velocity = func(_, w r3.Vec) (r3.Vec, r3.Vec) { return r3.Vec{X: nan}, w } }},
		{"too fast", "crate \"7\"", func(s *spoiled) { s.velocity = func(_, w r3.Vec) (r3.Vec, r3.Vec) { return r3.Vec{Y: 1e4}, w } }},
		{"without a name", "", func(s *spoiled) { s.velocity = func(_, w r3.Vec) (r3.Vec, r3.Vec) { return r3.Vec{X: nan}, w } }},
	} {
		l, s, b := spoilt(t)
		must(t, b[0].SetName(c.name))
		goesOn(t, l, 2)
		c.spoil(s)
		want := fmt.Sprintf("body 0 (ID %d", uint64(b[0].ID()))
		if c.name != "" {
			want += fmt.Sprintf(", %q", c.name)
		}
		if n := countWarnings(l, 6, frame, want+") "); n != 1 && c.what == "too fast" {
			t.Errorf("%s: %d warnings with %s", c.what, n, want)
		} else if m := countWarnings(l, 6, frame, want+"): "); c.what != "too fast" && n+m != 0 {
			t.Errorf("%s: %d warnings later", c.what, n+m)
		}
	}
	// Thin walls that move fast.
	l := mustNew(t, Def{Domain: box(1.6, 1, .8), CellSize: .1, Workers: 1, Solver: SolverDef{MaxSubsteps: 1}})
	must(t, l.Fill(Below(.5)))
	w := earth()
	b := place(t, w, physics.Kinematic, r3.Vec{X: .6, Y: .5, Z: .4}, physics.Box(physics.Centred(.01, .6, .4)), 0)
	must(t, b.SetName("paddle"))
	must(t, b.SetVelocity(r3.Vec{X: 6}))
	l.Couple(w.Coupling())
	if n := countWarnings(l, 5, frame, fmt.Sprintf("the thin walls of body 0 (ID %d, \"paddle\") move", uint64(b.ID()))); n != 1 {
		t.Errorf("a paddle: %d warnings", n)
	}
}
