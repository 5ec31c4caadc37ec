package fluid

import (
	"math"
	"testing"

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

func box(x, y, z float64) r3.Box { return r3.Box{Max: r3.Vec{X: x, Y: y, Z: z}} }

func maxSpeed(l *Liquid) float64 {
	top := 0.
	for _, u := range l.graph.U {
		top = max(top, math.Abs(u))
	}
	return top
}

// V1: still liquid stays still where coarse and fine cells meet, whatever way gravity points.
func TestStillClosedBoxAcrossLevels(t *testing.T) {
	for _, g := range []r3.Vec{{Y: -9.81}, {X: 3, Y: -8, Z: 5}, {X: -6, Y: 2, Z: -7}} {
		l := mustNew(t, Def{Domain: box(1.6, 1.2, .8), CellSize: .05, Gravity: g, Solver: SolverDef{Tolerance: 1e-11, MaxIterations: 200}})
		if err := l.Fill(Box(box(1.6, 1.2, .8))); err != nil {
			t.Fatal(err)
		}
		// A finest corner makes every pair of levels meet.
		view := lookAtCorner()
		if err := l.SetView(view); err != nil {
			t.Fatal(err)
		}
		const dt = 1. / 60
		limit := 1e-6 * r3.Norm(g) * dt
		for step := range 100 {
			r := l.Step(dt)
			if r.RolledBack {
				t.Fatal(r.Reason)
			}
			if step == 0 {
				t.Logf("unknowns %v, iterations %d, residual %g, held %g", r.Unknowns, r.Iterations, r.Residual, r.Ledger.HeldL)
			}
			if v := maxSpeed(l); v > limit {
				t.Fatalf("gravity %v, step %d: speed %g m/s, limit %g (unknowns %v, residual %g)", g, step, v, limit, r.Unknowns, r.Residual)
			}
		}
	}
}

func lookAtCorner() View { return View{} }

func TestStillPool(t *testing.T) {
	l := mustNew(t, Def{Domain: box(3.2, 1.6, 1.6), CellSize: .05, Solver: SolverDef{Tolerance: 1e-10, MaxIterations: 200}})
	if err := l.Fill(Below(.83)); err != nil {
		t.Fatal(err)
	}
	for step := range 20 {
		r := l.Step(1. / 60)
		t.Logf("%d: unknowns %v cells %v it %d res %.2g speed %.3g ledger %+v tris %d", step, r.Unknowns, r.Cells, r.Iterations, r.Residual, maxSpeed(l), r.Ledger, len(l.Surface().Indices)/3)
		for s, st := range r.Stages {
			if step == 19 {
				t.Logf("   %v %v %d", Stage(s), st.Duration, st.Count)
			}
		}
	}
}
