package scene

import (
	"image"
	"image/color"
	"math"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Two real liquids on one world update, draw and dispose side by side, and carry a float each.
func TestTwoLiquidsSideBySide(t *testing.T) {
	onGL(t, func(l *lab) {
		for _, async := range []bool{false, true} {
			w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
			root := core.NewNode()
			root.Add(NewDaylight(SkyOptions{}))
			var liquids [2]*fluid.Liquid
			var nodes [2]*Liquid
			var floats [2]physics.Body
			for i, x := range []float64{-.8, .8} {
				liq, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: x - .6, Z: -.6}, Max: r3.Vec{X: x + .6, Y: 1, Z: .6}}, CellSize: .1, Resources: fluid.Resources{Workers: 1}})
				if err == nil {
					err = liq.Fill(fluid.Below(.5))
				}
				if err == nil {
					floats[i], err = w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: x, Y: .55}})
				}
				if err == nil {
					_, err = floats[i].AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .3, .3)), Density: 500})
				}
				if err != nil {
					t.Error(err)
					return
				}
				liq.Couple(w.Coupling())
				if liq.Coupled() != fluid.Bodies(w.Coupling()) {
					t.Error("the liquid does not know its bodies")
				}
				liquids[i] = liq
				nodes[i] = NewLiquid(liq, LiquidOptions{Async: async})
				nodes[i].Show(floats[i], NewPaint(math32.Color{R: 1}, 0))
				root.Add(nodes[i])
			}
			cam := view(320, 180, at(0, 1.6, 2.4), at(0, .4, 0))
			halves := []image.Rectangle{image.Rect(0, 0, 160, 180), image.Rect(160, 0, 320, 180)}
			for n := range 12 {
				for _, node := range nodes {
					node.Update(time.Second / 60)
				}
				if n%6 != 5 {
					continue
				}
				for _, by := range nodes {
					img := l.shoot(t, 320, 180, root, by, cam)
					save(t, "side_by_side", img)
					for i, half := range halves {
						if s := share(img, half, isRed); s < .002 {
							t.Errorf("async %v: float %d covers %g of its half", async, i, s)
						}
						if s := share(img, half, func(c color.RGBA) bool { return c.R > 230 && c.G < 60 && c.B > 230 }); s > 0 {
							t.Errorf("async %v: %g of a half is a hole", async, s)
						}
					}
				}
			}
			for i, b := range floats {
				if math.IsNaN(b.CentreOfMass().Y) || math.Abs(b.CentreOfMass().X-[]float64{-.8, .8}[i]) > .3 {
					t.Errorf("async %v: float %d is at %v", async, i, b.CentreOfMass())
				}
			}
			root.Remove(nodes[0])
			nodes[0].Wait()
			nodes[0].Dispose()
			liquids[0].Couple(nil)
			liquids[0].Close()
			for range 5 {
				nodes[1].Update(time.Second / 60)
			}
			l.shoot(t, 320, 180, root, nodes[1], cam)
			root.Remove(nodes[1])
			nodes[1].Dispose()
			liquids[1].Close()
			root.Dispose()
		}
	})
}
