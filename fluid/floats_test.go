package fluid

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// walledWorld is a world with a floor at a height and walls around a square, as the liquid's domain has them.
func walledWorld(t *testing.T, wide, floor float64) *physics.World {
	t.Helper()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for _, c := range []r3.Vec{{X: wide / 2, Y: floor - 2, Z: wide / 2}, {X: -2, Y: 2, Z: wide / 2}, {X: wide + 2, Y: 2, Z: wide / 2}, {X: wide / 2, Y: 2, Z: -2}, {X: wide / 2, Y: 2, Z: wide + 2}} {
		b, err := w.CreateBody(physics.BodyDef{Kind: physics.Static, NoLiquid: true, Position: c})
		must(t, err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(4, 4, 4)})
		must(t, err)
		if c.X == wide/2 && c.Z == wide/2 {
			continue
		}
	}
	return w
}

func addBox(t *testing.T, w *physics.World, at r3.Vec, x, y, z, density float64) physics.Body {
	t.Helper()
	b, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: at})
	must(t, err)
	_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(x, y, z), Density: density})
	must(t, err)
	return b
}

func TestProbeStanding(t *testing.T) {
	for _, tracker := range []Tracker{LevelSet, Contouring, ExplicitMesh} {
		for _, floor := range []float64{0, .035} {
			for _, edge := range []float64{.2, .4, .8} {
				for _, gap := range []float64{0, .001, .004} {
					for _, density := range []float64{50, 300} {
						fill := (edge > .3) != (gap > 0)
						l := mustNew(t, Def{Domain: box(1.6, 1.6, 1.6), CellSize: .1, Tracker: tracker})
						if floor > 0 {
							_, err := l.AddObstacle(Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 3, Y: floor, Z: 3}}))
							must(t, err)
						}
						w := walledWorld(t, 1.6, floor)
						l.Couple(w)
						b := addBox(t, w, r3.Vec{X: .83, Y: floor + edge/2 + gap, Z: .8}, edge, edge, edge, density)
						if fill {
							for range 30 {
								l.Step(1. / 60)
							}
						}
						must(t, l.Fill(Below(1)))
						s := ""
						for n := range 180 {
							r := l.Step(1. / 60)
							if n%30 == 29 || r.RolledBack {
								s += fmt.Sprintf(" %.3f(%.2f)", b.Position().Y-edge/2-floor, r.MaxSpeed)
							}
						}
						t.Logf("tracker %d floor %g edge %g gap %g density %g settled %v: %s; drift %.2f l, load %.3f", tracker, floor, edge, gap, density, fill, s, l.sim.step.report.Ledger.DriftL, l.BodyLoad(w.Len()-1).Force.Y/b.Mass()/9.81)
						l.Close()
					}
				}
			}
		}
	}
}
