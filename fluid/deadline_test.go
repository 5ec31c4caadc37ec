package fluid

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/budget"
	"github.com/meniscus3d/meniscus/physics"
)

// sleepy is a world that takes its time, once.
type sleepy struct {
	*physics.World
	nap time.Duration
}

func (s *sleepy) Pose(i int) (r3.Vec, quat.Number) {
	time.Sleep(s.nap)
	s.nap = 0
	return s.World.Pose(i)
}

// A step that has lost its time before the solve gives it four iterations, and says so. Another run that follows its plan
// does the same without a clock.
func TestDeadlineCutsTheSolve(t *testing.T) {
	const allowed = 200 * time.Millisecond
	make := func() (*Liquid, *sleepy) {
		l := mustNew(t, Def{Domain: box(.8, .6, .8), CellSize: .05, Solver: SolverDef{Tolerance: 1e-6}, Budget: Budget{Step: allowed}})
		if err := l.Fill(Box(box(.4, .4, .8))); err != nil {
			t.Fatal(err)
		}
		w := &sleepy{World: physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})}
		b, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .2, Y: .4, Z: .4}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(.2, .2, .2), Density: 500}); err != nil {
			t.Fatal(err)
		}
		l.Couple(w)
		return l, w
	}
	a, w := make()
	b, _ := make()
	follow := func(p Plan) {
		t.Helper()
		if err := b.Replay(p); err != nil {
			t.Fatal(err)
		}
		if b.Step(frame); a.Hash() != b.Hash() {
			t.Fatal("the same plan gives other bits")
		}
	}
	var r Report
	for range 100 { // in which the tolerance gets tighter
		r = a.Step(frame)
		follow(r.Plan)
	}
	if r.Plan.Cut != 0 || r.Iterations <= budget.LeastIterations {
		t.Fatalf("with time enough: %d iterations, cut at %d", r.Iterations, r.Plan.Cut)
	}
	w.nap = allowed
	r = a.Step(frame)
	if r.RolledBack || r.Plan.Cut != budget.LeastIterations || r.Iterations != budget.LeastIterations*r.Substeps || r.Plan.MaxIterations <= budget.LeastIterations {
		t.Fatalf("%d of %d iterations in %d substeps, cut at %d; %s", r.Iterations, r.Plan.MaxIterations, r.Substeps, r.Plan.Cut, r.Reason)
	}
	follow(r.Plan)
}
