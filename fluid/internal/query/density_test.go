package query_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// The density in a shape is between that of air and that of the liquid, however the liquid runs up a ramp or against a post, whatever the tracker.
func TestDensityIsNeverAboveTheLiquids(t *testing.T) {
	ramp := fluid.Sphere(testrig.Vec(2, -2.2, .4), 2.6) // little but its slope is in the domain
	for name, solid := range map[string]fluid.SDF{"ramp": ramp, "post": fluid.Cylinder(testrig.Vec(.9, -.1, .4), testrig.Vec(.9, 1, .4), .12), "ball": fluid.Sphere(testrig.Vec(.8, .2, .4), .2)} {
		for tracker, kind := range map[string]fluid.Tracker{"level set": fluid.LevelSet, "contouring": fluid.Contouring, "explicit mesh": fluid.ExplicitMesh} {
			if testing.Short() && (name != "post" || kind != fluid.ExplicitMesh) && (name != "ramp" || kind != fluid.LevelSet) {
				continue
			}
			t.Run(name+", "+tracker, func(t *testing.T) {
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Physics: fluid.Physics{Density: 900}, Resources: fluid.Resources{Workers: 1}, Tracker: kind})
				if _, err := l.AddObstacle(solid); err != nil {
					t.Fatal(err)
				}
				testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: testrig.Vec(.4, .7, .8)})))
				for range 30 {
					l.Step(testrig.Frame)
					for i := range 160 {
						at := testrig.Vec(.05+.1*float64(i%16), .04+.11*float64(i/16%5), .1+.3*float64(i/80))
						shape := fluid.SDF(fluid.Sphere(at, .05+.01*float64(i%7)))
						if i%2 == 0 {
							shape = fluid.Box(r3.Box{Min: at, Max: r3.Add(at, testrig.Vec(.07, .05, .2))})
						}
						if d, err := l.DensityIn(shape); err != nil || d < 0 || d > 900*(1+1e-6) {
							t.Fatalf("%g kg/m³ at %v, %v", d, at, err)
						}
					}
				}
			})
		}
	}
}
