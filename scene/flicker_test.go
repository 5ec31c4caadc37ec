package scene

import (
	"image"
	"testing"
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// restTank is a tiled tank in daylight with a crate that floats in it.
type restTank struct {
	liquid *fluid.Liquid
	water  *Liquid
	root   *core.Node
	cam    *camera.Camera
}

const restWide, restHigh = 240, 135

// onRestTank fills it, of finest cells of a size, m.
func onRestTank(t *testing.T, cell float64, f func(l *lab, k *restTank)) {
	onGL(t, func(l *lab) {
		must := func(err error) {
			if err != nil {
				panic(err)
			}
		}
		domain := r3.Box{Min: r3.Vec{X: -1.6, Z: -.8}, Max: r3.Vec{X: 1.6, Y: 1.6, Z: .8}}
		liquid, err := fluid.New(fluid.Def{Domain: domain, CellSize: cell, WhiteWater: 4000, Resources: fluid.Resources{Workers: 2}})
		must(err)
		defer liquid.Close()
		must(liquid.Fill(fluid.Below(.7)))
		world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		liquid.Couple(world.Coupling())
		_, err = world.AddRoom(physics.RoomDef{Inside: domain, Thickness: 1})
		must(err)
		const edge, tall, ratio = .5, .2, .5
		crate, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: -.4, Y: .7 + tall*(.5-ratio)}})
		must(err)
		_, err = crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(edge, tall, edge)), Density: 1000 * ratio})
		must(err)
		k := &restTank{liquid: liquid, root: core.NewNode(), cam: view(restWide, restHigh, at(.9, 1.7, 2.6), at(0, .5, 0))}
		k.water = NewLiquid(liquid, LiquidOptions{})
		k.water.Show(crate, NewWood(grey(.4)))
		k.root.Add(k.water).Add(NewRoom(k.water, domain, RoomOptions{Height: 1})).Add(NewDaylight(NoonSky))
		defer k.root.Dispose()
		k.water.Follow(k.cam)
		f(l, k)
	})
}

// run takes steps and draws nothing.
func (k *restTank) run(steps int) {
	for range steps {
		k.water.Update(time.Second / 60)
	}
}

// step takes a step and draws.
func (k *restTank) step(t *testing.T, l *lab) *image.RGBA {
	if f := k.water.Update(time.Second / 60); f.Report.Err != nil {
		t.Fatalf("rolled back: %s", f.Report.Err)
	}
	return l.shoot(t, restWide, restHigh, k.root, k.water, k.cam)
}

// change is by how much two pictures differ, of 255: on the average, and on that of the square of 15 pixels that differs most.
func change(a, b *image.RGBA) (mean, most float64) {
	const edge = 15
	for y := 0; y < restHigh; y += edge {
		for x := 0; x < restWide; x += edge {
			sum := 0
			for i := range edge {
				for k := range 4 * edge {
					j := a.PixOffset(x, y+i) + k
					sum += abs(int(a.Pix[j]) - int(b.Pix[j]))
				}
			}
			square := float64(sum) / (3 * edge * edge)
			mean += square * edge * edge / (restWide * restHigh)
			most = max(most, square)
		}
	}
	return mean, most
}

func abs(n int) int { return max(n, -n) }

// levels counts the blocks of liquid by the level of their cells.
func (k *restTank) levels() (c [8]int) {
	for _, b := range k.liquid.Levels(nil) {
		if b.Wet {
			c[b.Level]++
		}
	}
	return c
}

// still draws pairs of pictures in each quality.
func (k *restTank) still(t *testing.T, l *lab, pairs int) {
	for name, q := range map[string]DrawQuality{"low": DrawLow, "medium": DrawMedium, "high": DrawHigh} {
		k.water.SetQuality(q)
		before := k.step(t, l)
		worst, square := 0., 0.
		for range pairs {
			img := k.step(t, l)
			mean, most := change(before, img)
			worst, square = max(worst, mean), max(square, most)
			before = img
		}
		save(t, "rest_"+name, before)
		t.Logf("%s: pictures differ by %.3f of 255, squares by %.2f", name, worst, square)
		if worst > .2 || square > 3 {
			t.Errorf("%s: pictures differ by %.3f of 255, squares by %.2f; wanted 0.2 and 3 at most", name, worst, square)
		}
	}
}

// At rest a picture is like the one before, in each quality; a long run has finer cells, and looks after ten seconds.
func TestNoFlickerAtRest(t *testing.T) {
	cell, steps, pairs := .05, 600, 30
	if testing.Short() {
		cell, steps, pairs = .08, 20, 4
	}
	onRestTank(t, cell, func(l *lab, k *restTank) {
		k.run(steps)
		k.still(t, l, pairs)
	})
}

// At rest the picture stays where it is when cells become coarser and finer.
func TestNoPopsOfLevels(t *testing.T) {
	onRestTank(t, .05, func(l *lab, k *restTank) {
		k.liquid.Prewarm()
		k.run(20)
		before, levels := k.step(t, l), k.levels()
		worst, square, changes := 0., 0., 0
		for _, work := range []float64{3, 0} { // thousands of unknowns; 0: no limit
			if err := k.liquid.SetBudget(fluid.Budget{Work: work}); err != nil {
				t.Fatal(err)
			}
			for range 6 {
				img := k.step(t, l)
				mean, most := change(before, img)
				worst, square = max(worst, mean), max(square, most)
				if now := k.levels(); now != levels {
					levels, changes = now, changes+1
				}
				before = img
			}
		}
		t.Logf("with %d changes of levels pictures differ by %.3f of 255, squares by %.2f", changes, worst, square)
		if changes < 4 {
			t.Errorf("levels changed %d times", changes)
		}
		if worst > .4 || square > 4 {
			t.Errorf("pictures differ by %.3f of 255, squares by %.2f; wanted 0.4 and 4 at most", worst, square)
		}
	})
}
