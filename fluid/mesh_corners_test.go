package fluid_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// poorCorners is the part of the corners of a liquid's mesh in its domain that are below 10°, and the smallest, in degrees.
func poorCorners(l *fluid.Liquid) (part, smallest float64) {
	m, domain := testrig.TriangleMesh(l), l.Def().Domain
	poor, corners := 0, 0
	smallest = 180
	for t, v := range m.Triangle {
		if v[0] < 0 {
			continue
		}
		var p [3]r3.Vec
		if p[0], p[1], p[2] = m.Corners(int32(t)); !boxes.Contains(domain, r3.Scale(1./3, r3.Add(p[0], r3.Add(p[1], p[2])))) {
			continue
		}
		for i := range 3 {
			a, b := r3.Sub(p[(i+1)%3], p[i]), r3.Sub(p[(i+2)%3], p[i])
			angle := math.Atan2(r3.Norm(r3.Cross(a, b)), r3.Dot(a, b)) * 180 / math.Pi
			smallest = min(smallest, angle)
			if corners++; angle < 10 {
				poor++
			}
		}
	}
	return float64(poor) / float64(max(1, corners)), smallest
}

// After each step fewer than one in a hundred of the corners of an explicit mesh are below 10°: after those in which liquid merges, is cut at an open side or
// made anew, too.
func TestMeshHasFewNeedles(t *testing.T) {
	for _, c := range []struct {
		scene      string
		free, long bool
		steps      int
	}{
		{"dam", false, false, 27}, // it reaches the far wall
		{"splash", true, false, 20},
		{"open side", false, false, 6},
		{"dam", true, true, 60},
		{"splash", false, true, 60},
		{"open side", true, true, 40},
		{"thin cup", false, true, 40},
		{"body", true, true, 60},
	} {
		if c.long && testing.Short() {
			continue
		}
		scenes := testrig.FollowedScenes()
		s := &scenes[slices.IndexFunc(scenes, func(s testrig.FollowedScene) bool { return s.Name == c.scene })]
		l := testrig.New(t, fluid.Def{Domain: testrig.FollowedDomain, CellSize: .1 / 1.5, Sides: s.Sides, Tracker: fluid.ExplicitMesh, Numerics: fluid.Numerics{ExactMotion: !c.free}})
		s.Begin(t, l, physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}}))
		most, least := 0., 180.
		for range c.steps {
			if r := *l.Step(testrig.Frame); r.Err != nil {
				t.Fatal(r.Err)
			}
			part, smallest := poorCorners(l)
			most, least = max(most, part), min(least, smallest)
		}
		if t.Logf("%s, free %v: at most %.3f %% of corners below 10°, the smallest %.2f°", c.scene, c.free, 100*most, least); most > .01 {
			t.Errorf("%s, free %v: %.2f %% of corners are below 10° after a step", c.scene, c.free, 100*most)
		}
	}
}
