package cubes_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Balls of half a cell to one and a half, puddles and sheets thinner than a cell have their litres with each tracker, on the grid and off it, alone and at liquid; the cells hold them or, where they can't,
// drops.
func TestSmallShapesFillTheirLitres(t *testing.T) {
	testrig.EachDiscretisation(t, smallShapesFillTheirLitres)
}

func smallShapesFillTheirLitres(t *testing.T, of fluid.Discretisation) {
	const h = .05
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		for _, off := range testrig.InShort([]float64{0, .3}, []float64{0, .3, .5}) {
			at := r3.Vec{X: .4 + off*h, Y: .4 + 1.1*off*h, Z: .4 + .9*off*h}
			for _, c := range smallShapes(at, h) {
				t.Run(fmt.Sprintf("%v, %g off, %s", tracker, off, c.name), func(t *testing.T) {
					c.fill(t, fluid.Def{
						Domain: testrig.Box(.8, .8, .8), CellSize: h, Tracker: tracker, Discretisation: of, Resources: fluid.Resources{Workers: 1},
					}, at.Y)
				})
			}
		}
	}
}

// fill fills the shape in, at a pool up to a height if it is to be, m.
func (c *smallShape) fill(t *testing.T, d fluid.Def, height float64) {
	l, pool := testrig.New(t, d), 0.
	if c.pool {
		testrig.Must(t, l.Fill(fluid.Below(height)))
		pool = l.Ledger().FilledL
	}
	testrig.Must(t, l.Fill(c.shape))
	g := l.Ledger()
	if t.Logf("%.4f of %.4f l", g.FilledL-pool, c.litres); math.Abs(g.DriftL) > 1e-9*g.HeldL {
		t.Errorf("%+v", g)
	}
	by := math.Abs((g.FilledL-pool)/c.litres - 1)
	if known := c.known[d.Tracker]; known > 0 {
		testrig.FallsShort(t, "part by which the litres are off", by, .01, known)
	} else if by > .01 {
		t.Errorf("%.4f l are filled, want %.4f", g.FilledL-pool, c.litres)
	}
}

// smallShape is a shape, whether it is filled in at a pool, the litres that it brings, and by which part these are known to be off.
type smallShape struct {
	name   string
	shape  fluid.SDF
	litres float64
	pool   bool
	known  map[fluid.Tracker]float64
}

func smallShapes(at r3.Vec, h float64) (all []smallShape) {
	ball := func(r float64) float64 { return 4000. / 3 * math.Pi * r * r * r }
	for _, r := range []float64{.5, .75, 1, 1.5} {
		all = append(all, smallShape{fmt.Sprintf("a ball of %g cells", r), fluid.Sphere(at, r*h), ball(r * h), false, nil})
	}
	box := func(low, high float64) fluid.SDF {
		return fluid.Box(testrig.Between(at.X-.2, low, at.Z-.2, at.X+.2, high, at.Z+.2))
	}
	// The surface of a puddle of half a cell is at the cells' centres, where a level set has rows or none.
	atCentres := map[float64]map[fluid.Tracker]float64{.5: {fluid.LevelSet: .11}}
	for _, thick := range []float64{.25, .5, .75} {
		all = append(all,
			smallShape{fmt.Sprintf("a film of %g cells", thick), fluid.Below(thick * h), 640 * thick * h, false, nil},
			smallShape{fmt.Sprintf("a puddle of %g cells", thick), box(-1, thick*h), 160 * thick * h, false, atCentres[thick]})
	}
	return append(all,
		smallShape{"a ball half in a pool", fluid.Sphere(at, h), ball(h) / 2, true, map[fluid.Tracker]float64{fluid.ExplicitMesh: .075}},
		smallShape{"a sheet of a cell", box(at.Y, at.Y+h), 160 * h, false, nil},
		smallShape{"a rod", fluid.Capsule(r3.Add(at, r3.Vec{X: -.2}), r3.Add(at, r3.Vec{X: .2}), h), ball(h) + 400*math.Pi*h*h, false, nil})
}
