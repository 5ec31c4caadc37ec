package fluid

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// The density in a shape is between that of air and that of the liquid, however the liquid runs up a ramp or against a post, whatever the tracker.
func TestDensityIsNeverAboveTheLiquids(t *testing.T) {
	ramp := Sphere(vec(2, -2.2, .4), 2.6) // little but its slope is in the domain
	for name, solid := range map[string]SDF{"ramp": ramp, "post": Cylinder(vec(.9, -.1, .4), vec(.9, 1, .4), .12), "ball": Sphere(vec(.8, .2, .4), .2)} {
		for tracker, kind := range map[string]Tracker{"level set": LevelSet, "contouring": Contouring, "explicit mesh": ExplicitMesh} {
			if testing.Short() && (name != "post" || kind == LevelSet) && (name != "ramp" || kind != LevelSet) {
				continue
			}
			t.Run(name+", "+tracker, func(t *testing.T) {
				l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .1, Density: 900, Workers: 1, Tracker: kind})
				if _, err := l.AddObstacle(solid); err != nil {
					t.Fatal(err)
				}
				if err := l.Fill(Box(r3.Box{Max: vec(.4, .7, .8)})); err != nil {
					t.Fatal(err)
				}
				for range 30 {
					l.Step(frame)
					for i := range 160 {
						at := vec(.05+.1*float64(i%16), .04+.11*float64(i/16%5), .1+.3*float64(i/80))
						shape := SDF(Sphere(at, .05+.01*float64(i%7)))
						if i%2 == 0 {
							shape = Box(r3.Box{Min: at, Max: r3.Add(at, vec(.07, .05, .2))})
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
