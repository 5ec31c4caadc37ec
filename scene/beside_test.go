package scene

import (
	"image"
	"image/color"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// busy is a source that is coupled to a world, and tells when two step at once.
type busy struct {
	*fakeLiquid
	world   *physics.World
	running *atomic.Int32
	clashes *atomic.Int32
}

func (b *busy) Coupled() fluid.Bodies { return b.world }

func (b *busy) Step(dt float64) fluid.Report {
	if b.running.Add(1) > 1 {
		b.clashes.Add(1)
	}
	time.Sleep(2 * time.Millisecond)
	r := b.fakeLiquid.Step(dt)
	b.running.Add(-1)
	return r
}

// Liquids on one world never step at once, nor while the game has the world; both go on.
func TestLiquidsOnOneWorldTakeTurns(t *testing.T) {
	before := len(asyncs)
	for _, async := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		var running, clashes atomic.Int32
		w := physics.NewWorld(physics.WorldDef{})
		make := func(i int) *Liquid {
			free := func() {
				if running.Load() > 0 {
					clashes.Add(1)
				}
			}
			small := pool(0, 0, 0)
			small.cells = 8
			return NewLiquid(&busy{small, w, &running, &clashes}, LiquidOptions{Async: async[i], Before: free})
		}
		a, b := make(0), make(1)
		steps := [2]int{}
		for range 10 {
			for i, l := range []*Liquid{a, b} {
				steps[i] += l.Update(time.Second/60, func(*fluid.Report) {
					if running.Load() > 0 {
						clashes.Add(1)
					}
				}).Steps
				b.Between(func() {
					if i == 1 && !async[1] && running.Load() > 0 {
						clashes.Add(1)
					}
				})
			}
		}
		if clashes.Load() > 0 || steps[0] < 9 || steps[1] < 9 {
			t.Errorf("async %v: %d clashes, %v steps", async, clashes.Load(), steps)
		}
		a.Dispose()
		for range 3 {
			b.Update(time.Second / 60)
		}
		b.Dispose()
	}
	if len(asyncs) != before {
		t.Errorf("%d nodes are kept after Dispose", len(asyncs)-before)
	}
}

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
				liq, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: x - .6, Z: -.6}, Max: r3.Vec{X: x + .6, Y: 1, Z: .6}}, CellSize: .1, Workers: 1})
				if err == nil {
					err = liq.Fill(fluid.Below(.5))
				}
				if err == nil {
					floats[i], err = w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: x, Y: .55}})
				}
				if err == nil {
					_, err = floats[i].AddShape(physics.ShapeDef{Geometry: physics.Box(.3, .3, .3), Density: 500})
				}
				if err != nil {
					t.Error(err)
					return
				}
				liq.Couple(w)
				if liq.Coupled() != fluid.Bodies(w) {
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
				if math.IsNaN(b.Centre().Y) || math.Abs(b.Centre().X-[]float64{-.8, .8}[i]) > .3 {
					t.Errorf("async %v: float %d is at %v", async, i, b.Centre())
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
