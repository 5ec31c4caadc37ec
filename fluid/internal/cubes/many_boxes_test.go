package cubes_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// Two hundred boxes that are dropped into a pool leave its litres as they are, to half a percent, with each tracker.
func TestManyBoxesLeaveTheLitres(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		t.Run(tracker.String(), func(t *testing.T) { dropBoxes(t, tracker) })
	}
}

func dropBoxes(t *testing.T, tracker fluid.Tracker) {
	const n, edge = 200, .16
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 1.6, 2), CellSize: .1, Tracker: tracker, Resources: fluid.Resources{Workers: 1}})
	testrig.Must(t, l.Fill(fluid.Below(.6)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	floor := physics.BodyDef{Kind: physics.Static, Position: r3.Vec{X: 1, Y: -.5, Z: 1}}
	testrig.AddBody(t, w, floor, physics.ShapeDef{Geometry: boxOf(r3.Vec{X: 2, Y: .5, Z: 2})})
	seed := uint64(1)
	random := func() float64 {
		seed = droplets.SplitMix64(seed)
		return float64(seed>>11) / (1 << 53)
	}
	for _, x := range []r3.Vec{{X: -.5, Y: 2, Z: 1}, {X: 2.5, Y: 2, Z: 1}, {X: 1, Y: 2, Z: -.5}, {X: 1, Y: 2, Z: 2.5}} {
		half := r3.Vec{X: .5, Y: 3, Z: 2}
		if x.X == 1 {
			half = r3.Vec{X: 2, Y: 3, Z: .5}
		}
		testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Static, Position: x}, physics.ShapeDef{Geometry: boxOf(half)})
	}
	for i := range n {
		k := i % 49
		at := r3.Vec{X: .2 + .26*float64(k%7) + .03*random(), Y: .85 + .25*float64(i/49), Z: .2 + .26*float64(k/7) + .03*random()}
		testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: at, AngularVelocity: r3.Vec{X: random(), Z: random()}},
			physics.ShapeDef{Geometry: boxOf(r3.Vec{X: edge / 2, Y: edge / 2, Z: edge / 2}), Density: 500 + 300*random()})
	}
	l.Couple(w.Coupling())
	worst := 0.
	for i := range 90 {
		r := *l.Step(1. / 60)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		worst = max(worst, math.Abs(r.Ledger.DriftL)/r.Ledger.HeldL)
		if i%10 == 9 {
			t.Logf("step %d: the ledger drifts by %.3f %%, %.3f %% at most", i+1, 100*r.Ledger.DriftL/r.Ledger.HeldL, 100*worst)
		}
	}
	if worst == 0 || worst > .005 {
		t.Errorf("the ledger drifts by %.3f %%, want something and at most .5 %%", 100*worst)
	}
}

func boxOf(half r3.Vec) physics.Geometry {
	return physics.Box(r3.Box{Min: r3.Scale(-1, half), Max: half})
}
