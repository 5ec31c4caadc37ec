package tets_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// swell is what is under the first mode of a tank 1 m long: y = depth + height·cos(πx).
type swell struct{ depth, height float64 }

func (w swell) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		sin, cos := math.Sincos(math.Pi * p.X)
		dst[i] = float32((p.Y - w.depth - w.height*cos) / math.Hypot(1, w.height*math.Pi*sin))
	}
}

func (w swell) Bounds() r3.Box { return boxes.Everywhere() }

// swings steps a tank 1 m long and two cells wide whose level is so many cells above .5 m, and returns the first mode's greatest height, m, in each of some periods.
func swings(t *testing.T, cells, off, rate float64, periods int) (top []float64) {
	t.Helper()
	depth := .5 + off/cells
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(1, 1, 2/cells), CellSize: 1 / cells, Discretisation: fluid.Tetrahedra, Resources: fluid.Resources{Workers: 1},
		Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, Undamped: true},
	})
	testrig.Must(t, l.Fill(swell{depth, .01}))
	pts, at := make([]r3.Vec, int(cells)), make([]fluid.Sample, int(cells))
	for i := range pts {
		pts[i] = r3.Vec{X: (float64(i) + .5) / cells, Y: .25, Z: 1 / cells}
	}
	steps := int(rate * 2 * math.Pi / math.Sqrt(9.81*math.Pi*math.Tanh(math.Pi*depth)))
	top = make([]float64, periods)
	for n := range steps * periods {
		if r := l.Step(1 / rate); r.Err != nil {
			t.Fatal(r.Err)
		}
		l.Sample(at, pts)
		high := 0.
		for i, s := range at {
			high += 2 / cells * s.Height * math.Cos(math.Pi*pts[i].X)
		}
		top[n/steps] = max(top[n/steps], math.Abs(high))
	}
	return top
}

// A standing wave, whose energy goes with the square of its height, gains none: neither where its rest level is in a plane of the lattice's vertices, which come and go as rows on
// either side, nor between, with short steps or long ones; and it is not held back much.
func TestStandingWaveGainsNothing(t *testing.T) {
	for _, c := range []struct {
		cells, off, rate float64
		periods          int
	}{{8, 0, 30, 6}, {8, 0, 120, 6}, {8, 0, 30, 20}, {8, .1, 60, 20}, {8, .5, 30, 20}, {8, .75, 30, 20}, {16, 0, 60, 12}}[:testrig.InShort(2, 7)] {
		t.Run(fmt.Sprintf("%g cells, level off by %g, %g steps/s, %d periods", c.cells, c.off, c.rate, c.periods), func(t *testing.T) {
			top := swings(t, c.cells, c.off, c.rate, c.periods)
			t.Logf("heights by period: %.4f m", top)
			if most, last := slices.Max(top)/.01, top[len(top)-1]/.01; most*most > 1.02 || last < .4 {
				t.Errorf("at most %.3f of the start's height, %.3f at the end", most, last)
			}
		})
	}
}
