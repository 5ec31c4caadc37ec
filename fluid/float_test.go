package fluid

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

func TestFloatDbg(t *testing.T) {
	l := mustNew(t, Def{Domain: box(2, 1.2, 2), CellSize: .05})
	if err := l.Fill(Below(.6)); err != nil {
		t.Fatal(err)
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, _ := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1, Y: .65, Z: 1}})
	b.AddShape(physics.ShapeDef{Geometry: physics.Box(.4, .4, .4), Density: 500})
	l.Couple(w)
	for step := range 240 {
		r := l.Step(1. / 60)
		if r.RolledBack {
			t.Fatal(r.Reason)
		}
		if step%10 == 0 {
			top, at := 0.0, 0
			for f, u := range l.graph.U {
				if u < 0 {
					u = -u
				}
				if u > top {
					top, at = u, f
				}
			}
			fmt.Println("   ", top, l.graph.FaceCentre(at), l.graph.Axis[at], l.graph.Open[at], l.graph.A[at], l.graph.B[at], l.graph.Dist[at])
			ld := l.Load(0)
			t.Logf("%d y %.4f v %.4f rot %.3f it %d unk %d sub %.4f force %.1f weight %.1f speed %.3f held %.2f fill %.2f drops %d", step, b.Position().Y, b.Velocity().Y, b.Rotation().Real, r.Iterations, r.UnknownCount(), ld.Submerged, ld.Force.Y, b.Mass()*9.81, r.MaxSpeed, r.Ledger.HeldL, r.Ledger.FilledL, l.set.Markers.Droplets.Len())
		}
	}
}
