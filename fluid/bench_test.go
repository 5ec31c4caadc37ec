package fluid_test

import (
	"fmt"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// pool is the pool demo's scene in small: water to half of the tank, crates, a column.
func pool(t testing.TB, def fluid.Def) (*fluid.Liquid, *physics.World) {
	def.Domain, def.CellSize = r3.Box{Max: r3.Vec{X: 6, Y: 2.4, Z: 4}}, .06
	l := testrig.New(t, def)
	if _, err := l.AddObstacle(fluid.Cylinder(r3.Vec{X: 4.3, Z: 2.6}, r3.Vec{X: 4.3, Y: 2.4, Z: 2.6}, .35)); err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.Fill(fluid.Below(1.1)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, ratio := range []float64{.3, .7, 1.5} {
		testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 1 + float64(i), Y: 1.6, Z: 2}, physics.Box(physics.Centred(.4, .4, .4)), 1000*ratio)
	}
	testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Static}, physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1})})
	l.Couple(w.Coupling())
	return l, w
}

// BenchmarkStep is a whole step of the pool scene; unknowns and the stages' ns per unknown beside it, and ns per face of
// the advection, per triangle of the mesh.
func BenchmarkStep(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			l, _ := pool(b, fluid.Def{Budget: fluid.Budget{Work: 20}, Resources: fluid.Resources{Workers: workers}})
			for range 90 {
				l.Step(testrig.Frame)
			}
			b.ResetTimer()
			var took [fluid.StageCount]time.Duration
			unknowns, faces, triangles := 0, 0, 0
			for range b.N {
				r := *l.Step(testrig.Frame)
				unknowns += r.UnknownCount()
				faces += r.Stages[fluid.StageAdvect].Count
				triangles += len(l.Surface().Indices) / 3
				for s := range took {
					took[s] += r.Stages[s].Duration
				}
			}
			per := func(took time.Duration, units int, unit string) {
				b.ReportMetric(float64(took.Nanoseconds())/float64(units), unit)
			}
			b.ReportMetric(float64(unknowns)/float64(b.N), "unknowns")
			for s, t := range took {
				per(t, unknowns, fluid.Stage(s).String()+"-ns/unknown")
			}
			per(took[fluid.StageAdvect], faces, "Advect-ns/face")
			per(took[fluid.StageMesh], triangles, "Mesh-ns/triangle")
		})
	}
}
