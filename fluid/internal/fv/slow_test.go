package fv_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Of a wave that is somewhere faster than the slowest motion nothing is taken away: neither at its turning points nor in the deep.
func TestWavesAreNoSlowMotion(t *testing.T) {
	const seconds, dt = 5, 1. / 60
	for _, c := range []struct {
		wave  testrig.Standing
		cells float64
	}{{testrig.Standing{Level: .5, Height: .02, Length: 1}, 16}, {testrig.Standing{Level: 1, Height: .03, Length: 6}, 64}, {testrig.Standing{Level: .5, Height: .01, Length: 1}, 24}, {testrig.Standing{Level: .5, Height: .006, Length: 1}, 32}, {testrig.Standing{Level: 4, Height: .06, Length: 8}, 40}}[:testrig.InShort(2, 5)] {
		t.Run(fmt.Sprintf("%g m of %g m, %g cells", c.wave.Height, c.wave.Length, c.cells), func(t *testing.T) {
			var kept [2]float64
			for i, undamped := range []bool{false, true} {
				l := c.wave.Tank(t, c.cells, undamped)
				for n := range int(seconds / dt) {
					l.Step(dt)
					if seconds-float64(n)*dt < c.wave.Period() {
						kept[i] = max(kept[i], math.Abs(c.wave.Rise(l)))
					}
				}
			}
			if part := kept[0] / kept[1]; part < .98 || kept[1] < .5*c.wave.Height {
				t.Errorf("after %d s %.3f of the wave is there that is without damping, %g of %g m", seconds, part, kept[0], c.wave.Height)
			}
		})
	}
}

// How soon calm liquid sleeps is a matter of time, not of steps: a wave of 2 mm is not caught at its turning point at a thousand steps a second.
func TestSleepCountsSeconds(t *testing.T) {
	wave := testrig.Standing{Level: .5, Height: .002, Length: 1}
	for _, rate := range []float64{60, 240, 1000} {
		l := wave.Tank(t, 16, false)
		for n := 1; n <= int(1.5*rate); n++ {
			if r := *l.Step(1 / rate); r.AsleepBlocks == 0 {
				continue
			}
			if rise := wave.Rise(l); float64(n)/rate < sleep.CalmTime || math.Abs(rise) > .25*wave.Height {
				t.Errorf("at %g steps a second it fell asleep after %.3f s, %.2g m high at one end", rate, float64(n)/rate, rise)
			}
			break
		}
		still := testrig.New(t, fluid.Def{Domain: testrig.Box(1, 1, .5), CellSize: 1. / 16, Numerics: fluid.Numerics{Levels: 1}})
		testrig.Must(t, still.Fill(fluid.Below(.5)))
		n := 1
		for still.Step(1/rate).AsleepBlocks == 0 && n < int(2*rate) {
			n++
		}
		if slept := float64(n) / rate; math.Abs(slept-sleep.CalmTime) > .1 {
			t.Errorf("at %g steps a second still liquid slept after %g s, want %g", rate, slept, sleep.CalmTime)
		}
	}
}

// High waves swing more slowly than low ones: in a tank half as deep as it is long by .56 % if they are 2.5 of 32 cells high. What comes to
// that by the grid is bounded.
//
// Source: Tadjbakhsh, Keller 1960, Standing surface waves of finite amplitude.
func TestPeriodOfHighWaves(t *testing.T) {
	const dt, cells = 1. / 120, 32.
	for _, c := range []struct{ high, theory float64 }{{1, .0009}, {2.5, .0056}} {
		s := testrig.Standing{Level: .5, Height: c.high / cells, Length: 1}
		excess := s.Swings(s.Tank(t, cells, true), dt, 2)/s.Period() - 1
		t.Logf("%g cells high: %.2f %% longer than of low waves, theory %.2f %%", c.high, 100*excess, 100*c.theory)
		if !(math.Abs(excess-c.theory) < .012) {
			t.Errorf("%g cells high: the period is %.4f of that of low waves, theory %.4f", c.high, 1+excess, 1+c.theory)
		}
	}
}
