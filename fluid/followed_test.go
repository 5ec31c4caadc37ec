package fluid_test

import (
	"math"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// followers are the trackers that blocks follow, each with how many steps of a scene it runs, and of a short one.
var followers = []struct {
	name        string
	make        func(t *testing.T, d fluid.Def) *fluid.Liquid
	steps, some int
	leftOut     []string // scenes that show no more than with another tracker
}{
	{"contouring", func(t *testing.T, d fluid.Def) *fluid.Liquid { d.Tracker = fluid.Contouring; return testrig.New(t, d) }, 40, 16, nil},
	{"thickening", func(t *testing.T, d fluid.Def) *fluid.Liquid {
		d.Tracker, d.Numerics.Thickening = fluid.Contouring, true
		return testrig.New(t, d)
	}, 24, 16,
		[]string{"pool", "dam", "open side", "current", "paddle", "body", "thin cup"}},
	{"explicit mesh", func(t *testing.T, d fluid.Def) *fluid.Liquid {
		d.Tracker = fluid.ExplicitMesh
		return testrig.New(t, d)
	}, 40, 16, nil},
	{"exact mesh", func(t *testing.T, d fluid.Def) *fluid.Liquid {
		d.Tracker, d.Numerics.ExactMotion = fluid.ExplicitMesh, true
		return testrig.New(t, d)
	}, 24, 8, []string{"open side", "current", "thin cup"}},
	{"samples", func(t *testing.T, d fluid.Def) *fluid.Liquid {
		return newWith(t, d, func(s *fv.Solver, d *fluid.Def) fv.Method {
			m := fluid.NewBlocks(s, d)
			m.Track(newSampled(m))
			return fluid.MethodOf(m)
		})
	}, 12, 6, []string{"open side", "current"}},
}

// Blocks run with trackers of any kind as with their level set: what is put in is kept, solids of all kinds stand in it, and the saved state goes on
// alike for another number of workers. An explicit mesh is closed and does not meet itself after each step.
func TestFollowedScenes(t *testing.T) {
	for _, f := range followers {
		steps := testrig.InShort(f.some, f.steps)
		for _, s := range testrig.FollowedScenes() {
			if slices.Contains(f.leftOut, s.Name) {
				continue
			}
			t.Run(f.name+"/"+s.Name, func(t *testing.T) {
				t.Parallel()
				l, drift := s.Run(t, func(t *testing.T, workers int) *fluid.Liquid {
					return f.make(t, fluid.Def{Domain: testrig.FollowedDomain, CellSize: .1, Sides: s.Sides, Resources: fluid.Resources{Workers: workers}})
				}, steps)
				g, r := l.Ledger(), testrig.Report(l)
				t.Logf("%+v, drift %.4f, %+v", g, drift, r.Surface)
				if all := g.FilledL + g.EmittedL; math.Abs(drift) > s.Drift*all {
					t.Errorf("%.3f of %.1f litres drifted", drift, all)
				}
				if of := r.Surface; l.Def().Tracker == fluid.ExplicitMesh && r.AsleepBlocks == 0 && (of.Vertices == 0 || of.Triangles < of.Vertices) {
					t.Errorf("the report tells of %d vertices and %d triangles", of.Vertices, of.Triangles)
				}
			})
		}
	}
}
