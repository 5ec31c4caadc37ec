package cubes_test

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// The front of a dam that has hit a wall leaves no film of air between it and an explicit mesh: low at the wall there is no free surface.
func TestMeshLeavesNoFilmAtAWall(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1, .2), CellSize: .05, Numerics: fluid.Numerics{Levels: 1}, Resources: fluid.Resources{Workers: 1}, Tracker: fluid.ExplicitMesh})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.5, .6, 1))))
	for range 33 {
		if r := *l.Step(testrig.Frame); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	s := l.Surface()
	high := float32(0)
	for _, v := range s.Indices[:s.Free] {
		x, y := s.Positions[3*v], s.Positions[3*v+1]
		if high = max(high, y); x > 1.58 && y < .07 {
			t.Fatalf("a free triangle has a vertex at %v", s.Positions[3*v:3*v+3])
		}
	}
	if high < .4 {
		t.Errorf("the front is no higher than %g m: it has not come to the wall yet", high)
	}
}

// A box filled up to its sides is full: an explicit mesh goes on beyond them.
func TestMeshFillsUpToTheSides(t *testing.T) {
	d := testrig.Box(.8, .8, .4)
	l := testrig.New(t, fluid.Def{Domain: d, CellSize: .05, Resources: fluid.Resources{Workers: 1}, Tracker: fluid.ExplicitMesh})
	testrig.Must(t, l.Fill(fluid.Box(d)))
	l.Step(testrig.Frame)
	if s, filled := l.Surface(), l.Ledger().FilledL; s.Free > 0 || filled < 255.99 || filled > 256.01 {
		t.Errorf("%d free corners, %.3f litres; want none and 256", s.Free, filled)
	}
	testrig.Must(t, l.Drain(fluid.Box(testrig.Box(.8, .8, .2))))
	if held := l.Ledger().HeldL; held < 126 || held > 130 {
		t.Errorf("%.3f litres are left of 256, of which half was drained", held)
	}
}

// What is filled has the longer edges beyond the domain's sides at once: the first step has not to make them.
func TestFilledMeshIsCoarseBeyondTheSides(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 1, .8), CellSize: .05, Resources: fluid.Resources{Workers: 1}, Tracker: fluid.ExplicitMesh})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(1.2, .5, .8))))
	filled := testrig.TriangleMesh(l).Vertices()
	l.Step(testrig.Frame)
	if stepped := testrig.TriangleMesh(l).Vertices(); float64(filled) > 1.3*float64(stepped) {
		t.Errorf("%d vertices when filled, %d after a step", filled, stepped)
	}
}
