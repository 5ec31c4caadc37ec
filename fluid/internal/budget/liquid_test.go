package budget_test

import (
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/budget"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// sleepy is a world that takes its time, once.
type sleepy struct {
	*physics.Coupling
	nap time.Duration
}

func (s *sleepy) Pose(i int) (r3.Vec, quat.Number) {
	time.Sleep(s.nap)
	s.nap = 0
	return s.Coupling.Pose(i)
}

// A step that has lost its time before the solve gives it four iterations, and says so. Another run that follows its plan
// does the same without a clock.
func TestDeadlineCutsTheSolve(t *testing.T) {
	const allowed = 200 * time.Millisecond
	make := func() (*fluid.Liquid, *sleepy) {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .6, .8), CellSize: .05, Numerics: fluid.Numerics{Tolerance: 1e-6}, Budget: fluid.Budget{Step: allowed}})
		testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.4, .4, .8))))
		w := &sleepy{Coupling: physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}}).Coupling()}
		b, err := w.World().AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .2, Y: .4, Z: .4}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, .2, .2)), Density: 500}); err != nil {
			t.Fatal(err)
		}
		l.Couple(w)
		return l, w
	}
	a, w := make()
	b, _ := make()
	follow := func(p fluid.Plan) {
		t.Helper()
		testrig.Must(t, b.Replay(p))
		if b.Step(testrig.Frame); a.Hash() != b.Hash() {
			t.Fatal("the same plan gives other bits")
		}
	}
	var r fluid.Report
	for range 100 { // in which the tolerance gets tighter
		r = *a.Step(testrig.Frame)
		follow(r.Plan)
	}
	if r.Plan.CutAfter != 0 || r.Iterations <= budget.LeastIterations {
		t.Fatalf("with time enough: %d iterations, cut at %d", r.Iterations, r.Plan.CutAfter)
	}
	w.nap = allowed
	r = *a.Step(testrig.Frame)
	if r.Err != nil || r.Plan.CutAfter != budget.LeastIterations || r.Iterations != budget.LeastIterations*r.Substeps || r.Plan.MaxIterations <= budget.LeastIterations {
		t.Fatalf("%d of %d iterations in %d substeps, cut at %d; %s", r.Iterations, r.Plan.MaxIterations, r.Substeps, r.Plan.CutAfter, r.Err)
	}
	follow(r.Plan)
}

// A step that has no time left for its mesh moves the last one on by its velocities, two steps running at most. The state is
// the same, and so is the picture where another run follows the plans.
func TestMeshIsCarriedOn(t *testing.T) {
	fresh := func(budget fluid.Budget) *fluid.Liquid {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .6, .8), CellSize: .05, Budget: budget})
		testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.4, .4, .8))))
		return l
	}
	hurried, follower, patient := fresh(fluid.Budget{Step: 1}), fresh(fluid.Budget{}), fresh(fluid.Budget{})
	step := func(l *fluid.Liquid, p fluid.Plan) fluid.Report {
		t.Helper()
		testrig.Must(t, l.Replay(p))
		return *l.Step(testrig.Frame)
	}
	for i := range 12 {
		before := *hurried.Surface()
		want := make([]float32, len(before.Positions))
		for k, v := range before.Velocities {
			want[k] = max(0, min(before.Positions[k]+v*testrig.Frame, []float32{.8, .6, .8}[k%3]))
		}
		indices := slices.Clone(before.Indices)
		r := *hurried.Step(testrig.Frame)
		if r.Plan.SurfaceExtrapolated != (i%3 > 0) {
			t.Fatalf("step %d: carried %v", i, r.Plan.SurfaceExtrapolated)
		}
		s := hurried.Surface()
		if r.Plan.SurfaceExtrapolated && (!slices.Equal(s.Positions, want) || !slices.Equal(s.Indices, indices)) {
			t.Fatalf("step %d: the mesh isn't what its velocities make of the last one", i)
		}
		if s.Free == 0 || r.Stages[fluid.StageMesh].Count == 0 != r.Plan.SurfaceExtrapolated {
			t.Fatalf("step %d: %d triangles, %d made", i, len(s.Indices)/3, r.Stages[fluid.StageMesh].Count)
		}
		step(follower, r.Plan)
		p := r.Plan
		p.SurfaceExtrapolated = false
		step(patient, p)
		if hurried.Hash() != patient.Hash() || hurried.Hash() != follower.Hash() {
			t.Fatalf("step %d: the mesh makes a difference to the state", i)
		}
		if o := follower.Surface(); !slices.Equal(o.Positions, s.Positions) || !slices.Equal(o.Droplets, s.Droplets) {
			t.Fatalf("step %d: who follows the plan has another mesh", i)
		}
		if o := patient.Surface(); !r.Plan.SurfaceExtrapolated && !slices.Equal(o.Positions, s.Positions) {
			t.Fatalf("step %d: an own mesh isn't the state's", i)
		}
	}
	testrig.Must(t, hurried.Fill(fluid.Box(testrig.Box(.2, .5, .2))))
	for range 2 { // after the edit, then within a budget that reads no clock
		if r := *hurried.Step(testrig.Frame); r.Plan.SurfaceExtrapolated {
			t.Fatal("a mesh of another liquid was carried on")
		}
		testrig.Must(t, hurried.SetBudget(fluid.Budget{Work: 20}))
	}
}
