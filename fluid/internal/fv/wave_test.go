package fv_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// wave is what is under y = depth + height·cos(πx) .
type wave struct{ depth, height float64 }

func (w wave) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		slope := w.height * math.Pi * math.Sin(math.Pi*p.X)
		dst[i] = float32((p.Y - w.depth - w.height*math.Cos(math.Pi*p.X)) / math.Sqrt(1+slope*slope))
	}
}

func (w wave) Bounds() r3.Box {
	b := boxes.Everywhere()
	b.Max.Y = w.depth + w.height
	return b
}

// The first mode of sloshing (V10), with the surface at different places in its cells: the period is
// that of linear theory, and the wave neither dies nor grows.
func TestSloshingPeriod(t *testing.T) {
	const cells, dt = 16., 1. / 120
	for _, depth := range []float64{.5, .5 + .3/cells, .5 - .4/cells} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1, 1, 8/cells), CellSize: 1 / cells, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, Undamped: true}})
		testrig.Must(t, l.Fill(wave{depth, .01}))
		var crossings []float64
		last, top := 0., 0.
		for n := 1; n <= 280; n++ {
			l.Step(dt)
			var at [2]fluid.Sample
			l.Sample(at[:], []r3.Vec{{X: .5 / cells, Y: .25, Z: .25}, {X: 1 - .5/cells, Y: .25, Z: .25}})
			y := at[0].Height - at[1].Height
			if last*y < 0 {
				crossings = append(crossings, float64(n-1)+last/(last-y))
			}
			if last = y; n > 160 {
				top = max(top, math.Abs(y))
			}
		}
		n := len(crossings) - 1
		if n < 3 {
			t.Fatalf("depth %g: %d crossings", depth, n+1)
		}
		period := 2 * dt * (crossings[n] - crossings[0]) / float64(n)
		want := 2 * math.Pi / math.Sqrt(9.81*math.Pi*math.Tanh(math.Pi*depth))
		if math.Abs(period-want) > .02*want {
			t.Errorf("depth %g: period %.4f s, want %.4f", depth, period, want)
		}
		if top < .85*.02 || top > 1.1*.02 {
			t.Errorf("depth %g: swings by %.4f m after two periods, by .02 at the start", depth, top)
		}
	}
}

// A tank that sloshes by four cells, some 28 wide, loses energy from swing to swing: nothing drives it, and the smaller the steps the
// less is lost by them.
func TestSloshingLosesEnergy(t *testing.T) {
	if testing.Short() {
		t.Skip("16 s of sloshing")
	}
	const cell, wide, level, high, dt, g = .1, 28, 14.5, 4., 1. / 120, 4.
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(wide*cell, 29*cell, 4*cell), CellSize: cell, Physics: fluid.Physics{Gravity: r3.Vec{Y: -g}}})
	testrig.Must(t, l.Fill(fluid.HalfSpace(r3.Vec{X: wide * cell / 2, Y: level * cell}, r3.Unit(r3.Vec{X: 2 * high / wide, Y: 1}))))
	var pts []r3.Vec
	for x := range 2 * wide {
		for y := range 2 * 29 {
			pts = append(pts, r3.Vec{X: cell / 2 * (float64(x) + .5), Y: cell / 2 * (float64(y) + .5), Z: 2 * cell})
		}
	}
	samples := make([]fluid.Sample, len(pts))
	energy := func(seconds float64) (mean float64) { // J/m² of what is above that of the pool at rest
		steps := int(seconds / dt)
		for range steps {
			l.Step(dt)
			l.Sample(samples, pts)
			for i, s := range samples {
				if s.Inside {
					mean += 1000 * r3.Norm2(s.Velocity) / 2 * cell * cell / 4
				}
				if i%(2*29) == 10 { // once a column
					rise := pts[i].Y + s.Height - level*cell
					mean += 1000 * g * rise * rise / 2 * cell / 2
				}
			}
		}
		return mean / float64(steps) / (wide * cell)
	}
	first := energy(4)
	energy(8)
	last := energy(4)
	t.Logf("%.1f J/m² in the first 4 s, %.1f after 12 s", first, last)
	if last > .9*first || last < .6*first {
		t.Errorf("%.1f J/m² in the first 4 s, %.1f after 12 s; want it to die down, slowly", first, last)
	}
}
