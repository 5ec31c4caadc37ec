package cubes_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// How fine a pool is under its surface is a matter of where that is, not of where it was: a pool that was filled at once has the same cells as one that was filled up or drained
// to the same level.
func TestBandForgetsWhereTheSurfaceWas(t *testing.T) {
	const cell, level = .05, 29.7 * .05
	for _, band := range []int{1, 3, 4, 5, 8} {
		cells := func(levels ...float64) []int {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, 2, .8), CellSize: cell, Numerics: fluid.Numerics{Band: band, Undamped: true}})
			for _, at := range levels {
				testrig.Must(t, l.Fill(fluid.Below(at)))
				testrig.Must(t, l.Drain(fluid.Difference(fluid.Box(testrig.Box(.8, 2, .8)), fluid.Below(at))))
				for range 3 {
					l.Step(1. / 60)
				}
			}
			var last []int
			for range 40 {
				last = l.Step(1. / 60).Cells
			}
			return slices.Clone(last)
		}
		at, up, down := cells(level), cells(level-2*cell, level), cells(level+2*cell, level)
		if !slices.Equal(at, up) || !slices.Equal(at, down) {
			t.Errorf("band of %d: cells by level, finest first: filled at once %v, filled up %v, drained %v", band, at, up, down)
		}
	}
}

// The default band is as thick as waves need: the period of a standing wave on deep water is within a thousandth of that on a grid that is finest throughout, wherever in a block the surface
// lies. With a band of 6 cells it is off by .0012 where that is in the middle of one, with 4 by .003.
func TestBandHoldsWhatWavesMove(t *testing.T) {
	for _, off := range []float64{4.7, 6.7} {
		uniform, adaptive := wavePeriod(t, off, 1), wavePeriod(t, off, 0)
		if d := math.Abs(adaptive/uniform - 1); !(d < .001) {
			t.Errorf("surface %g cells above a block: with the default band the period is off by %.4f of it", off, d)
		}
	}
}

// wavePeriod is the period, s, of a standing wave of 32 cells that swings three times on water 40 cells deep and some more.
func wavePeriod(t *testing.T, off float64, levels int) float64 {
	const cell, dt, length, height = .05, 1. / 60, 32 * .05, .02
	level := (40 + off) * cell
	k := 2 * math.Pi / length
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(length/2, level+6*cell, 8*cell), CellSize: cell,
		Numerics: fluid.Numerics{Levels: levels, Tolerance: 1e-6, MaxIterations: 200, Undamped: true},
	})
	testrig.Must(t, l.Fill(crest{level, height, k}))
	places, found := make([]r3.Vec, 64), make([]fluid.Sample, 64)
	for i := range places {
		places[i] = r3.Vec{X: (float64(i) + .5) / 64 * length / 2, Y: level / 2, Z: 4.1 * cell}
	}
	var crossings []float64
	last := height
	for n := 0; n < 240 && len(crossings) < 6; n++ {
		l.Step(dt)
		l.Sample(found, places)
		now := 0.
		for i, s := range found {
			now += (places[i].Y + s.Height) * math.Cos(k*places[i].X) / 32
		}
		if last*now < 0 {
			crossings = append(crossings, dt*(float64(n)+last/(last-now)))
		}
		last = now
	}
	if len(crossings) < 6 {
		t.Fatalf("the wave is level %d times", len(crossings))
	}
	return (crossings[5] - crossings[1]) / 2
}

// crest is liquid under y = level + height cos k x, m.
type crest struct{ level, height, k float64 }

func (c crest) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = float32(p.Y - c.level - c.height*math.Cos(c.k*p.X))
	}
}

func (c crest) Bounds() r3.Box { return fluid.Below(c.level + c.height).Bounds() }
