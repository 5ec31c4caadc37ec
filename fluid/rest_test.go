package fluid

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"gonum.org/v1/gonum/spatial/r3"
)

func mustNew(t testing.TB, d Def) *Liquid {
	t.Helper()
	l, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// inShort is some in a short run, and else all.
func inShort[T any](some, all T) T {
	if testing.Short() {
		return some
	}
	return all
}

// fallsShort fails the test if what is measured is beyond what it was when it was last looked into, and skips the rest of it if that is more than
// what is wanted.
func fallsShort(t *testing.T, what string, measured, wanted, known float64) {
	t.Helper()
	switch {
	case !(measured <= known):
		t.Errorf("%s: %.3g, want at most %.3g; it was %.3g", what, measured, wanted, known)
	case measured > wanted:
		t.Skipf("%s: %.3g, want at most %.3g: not reached", what, measured, wanted)
	}
}

// FallsShort is fallsShort for the tests that see the package from outside.
var FallsShort = fallsShort

// box is a box from the origin.
func box(x, y, z float64) r3.Box { return r3.Box{Max: r3.Vec{X: x, Y: y, Z: z}} }

// fastest is the greatest face velocity of the last solve, m/s.
func fastest(l *Liquid) float64 {
	top := 0.
	for _, u := range fvOf(l).Graph.U {
		top = max(top, math.Abs(u))
	}
	return top
}

// mixedLevels fails the test unless cells of different size hold liquid.
func mixedLevels(t *testing.T, r Report) {
	t.Helper()
	levels := 0
	for _, n := range r.Unknowns {
		if n > 0 {
			levels++
		}
	}
	if levels < 2 {
		t.Fatalf("unknowns per level %v: the test needs cells of different size", r.Unknowns)
	}
}

// lookFrom is a camera at a place, m, that looks along -z through a right angle.
func lookFrom(x, y, z float32) View {
	return View{
		View:       [16]float32{0: 1, 5: 1, 10: 1, 12: -x, 13: -y, 14: -z, 15: 1},
		Projection: [16]float32{0: 1, 5: 1, 10: -1, 11: -1, 14: -.2}, Height: 720,
	}
}

// V1: still liquid stays still where coarse and fine cells meet, whatever way gravity points.
func TestStillClosedBoxAcrossLevels(t *testing.T) {
	for _, g := range []r3.Vec{{Y: -9.81}, {X: 3, Y: -8, Z: 5}, {X: -6, Y: 2, Z: -7}} {
		l := mustNew(t, Def{Domain: box(1.6, 1.2, .8), CellSize: .05, Gravity: g, Budget: Budget{Work: 2.5}, Solver: SolverDef{Tolerance: 1e-11, MaxIterations: 200}})
		if err := l.Fill(Box(box(1.6, 1.2, .8))); err != nil {
			t.Fatal(err)
		}
		// A camera that sees half of the box.
		if err := l.SetView(lookFrom(1.6, .6, .4)); err != nil {
			t.Fatal(err)
		}
		const dt = 1. / 60
		limit := 1e-6 * r3.Norm(g) * dt
		for step := range 100 {
			r := l.Step(dt)
			if r.RolledBack {
				t.Fatal(r.Reason)
			}
			if r.AsleepBlocks == 0 {
				mixedLevels(t, r)
			}
			if v := fastest(l); v > limit {
				t.Fatalf("gravity %v, step %d: speed %g m/s, limit %g (unknowns %v, residual %g)", g, step, v, limit, r.Unknowns, r.Residual)
			}
		}
	}
}

// Where coarse and fine cells meet at the surface, wherever it lies within the cells, still liquid gets
// no more than a ripple. Without ghosts in the faces between them it would flow at .4 m/s.
func TestStillPoolAcrossLevels(t *testing.T) {
	for _, level := range []float64{.66, .7, .73, .76} {
		l := mustNew(t, Def{Domain: box(3.2, 1.6, 2.4), CellSize: .08, Solver: SolverDef{Undamped: true}})
		if err := l.Fill(Below(level)); err != nil {
			t.Fatal(err)
		}
		if err := l.SetView(lookFrom(2, .6, .8)); err != nil {
			t.Fatal(err)
		}
		for step := range 90 {
			r := l.Step(1. / 60)
			mixedLevels(t, r)
			if v := fastest(l); v > 1e-2 {
				t.Fatalf("level %g m, step %d: speed %g m/s", level, step, v)
			}
		}
	}
}

// Liquid that falls into a pool where coarse and fine cells meet splashes no faster than a slam does: what a
// face between them saw of its own pressure must not feed back.
func TestSplashAcrossLevels(t *testing.T) {
	l := mustNew(t, Def{Domain: box(3.2, 2.4, 2.4), CellSize: .08, Budget: Budget{Work: 4}})
	for _, s := range []SDF{Below(.7), Box(r3.Box{Min: r3.Vec{X: 1, Y: 1.5, Z: .5}, Max: r3.Vec{X: 1.8, Y: 2.1, Z: 1.5}})} {
		if err := l.Fill(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.SetView(lookFrom(2, .6, .8)); err != nil {
		t.Fatal(err)
	}
	for step := range 180 {
		if r := l.Step(1. / 60); r.RolledBack || r.MaxSpeed > 12 {
			t.Fatalf("step %d: %g m/s %s", step, r.MaxSpeed, r.Reason)
		}
	}
}

// What the liquid seems to gain or lose when its first step coarsens the cells that it was filled into is made good in that step.
func TestFirstStepKeepsTheVolume(t *testing.T) {
	for _, level := range []float64{.8, .81, .83, .851, .87} {
		l := mustNew(t, Def{Domain: box(2.4, 1.6, 1.6), CellSize: .05, Levels: 4, Budget: Budget{Work: 1.5}})
		if err := l.Fill(Below(level)); err != nil {
			t.Fatal(err)
		}
		if g := l.Step(1. / 60).Ledger; math.Abs(g.DriftL) > components.Slack*g.FilledL {
			t.Errorf("level %g m: %g of %g l are not where they were filled in", level, g.DriftL, g.FilledL)
		}
	}
}

// A still pool stays as it is, to rounding. Across levels that holds until a block at the surface
// changes its level: what resampling the surface then costs is a ripple.
func TestStillPoolKeepsStill(t *testing.T) {
	for _, c := range []struct {
		levels int
		work   float64
		steps  int
		fill   []float64 // m
	}{{1, 0, 25, []float64{.8, .83, .851}}, {4, 5, 1, []float64{.8}}} {
		for _, level := range c.fill {
			l := mustNew(t, Def{
				Domain: box(2.4, 1.6, 1.6), CellSize: .05, Levels: c.levels, Budget: Budget{Work: c.work},
				Solver: SolverDef{Tolerance: 1e-10, MaxIterations: 200},
			})
			if err := l.Fill(Below(level)); err != nil {
				t.Fatal(err)
			}
			want := 2.4 * 1.6 * level * 1e3
			for step := range c.steps {
				r := l.Step(1. / 60)
				if v := fastest(l); v > 1e-7 {
					t.Fatalf("level %g m, step %d: speed %g m/s", level, step, v)
				}
				if math.Abs(r.Ledger.HeldL-want) > 1e-3*want {
					t.Fatalf("level %g m, step %d: held %g l, want %g", level, step, r.Ledger.HeldL, want)
				}
			}
		}
	}
}
