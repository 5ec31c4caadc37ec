package fluid

import (
	"fmt"
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"gonum.org/v1/gonum/spatial/r3"
)

// standing is liquid under y = level + height cos(πx/length).
type standing struct{ level, height, length float64 }

func (s standing) Eval(dst []float32, pts []r3.Vec) {
	k := math.Pi / s.length
	for i, p := range pts {
		slope := s.height * k * math.Sin(k*p.X)
		dst[i] = float32((p.Y - s.level - s.height*math.Cos(k*p.X)) / math.Sqrt(1+slope*slope))
	}
}

func (s standing) Bounds() r3.Box {
	i := math.Inf(1)
	return r3.Box{Min: r3.Vec{X: -i, Y: -i, Z: -i}, Max: r3.Vec{X: i, Y: s.level + s.height, Z: i}}
}

// period is that of the wave by linear theory, s.
func (s standing) period() float64 {
	k := math.Pi / s.length
	return 2 * math.Pi / math.Sqrt(9.81*k*math.Tanh(k*s.level))
}

// rise is how high the liquid stands above its level at its low end, m.
func (s standing) rise(l *Liquid) float64 {
	var at [1]Sample
	l.Sample([]r3.Vec{{X: .01 * s.length, Y: s.level / 2, Z: l.sim.def.Domain.Max.Z / 2}}, at[:])
	return at[0].Height - s.level/2
}

func (s standing) tank(t *testing.T, cells float64, undamped bool) *Liquid {
	t.Helper()
	h := s.length / cells
	l := mustNew(t, Def{Domain: box(s.length, 2*s.level, 8*h), CellSize: h, Levels: 1, Solver: SolverDef{Tolerance: 1e-6, Undamped: undamped}})
	if err := l.Fill(s); err != nil {
		t.Fatal(err)
	}
	return l
}

// Of a wave that is somewhere faster than the slowest motion nothing is taken away: neither at its turning points nor in the deep.
func TestWavesAreNoSlowMotion(t *testing.T) {
	const seconds, dt = 5, 1. / 60
	for _, c := range []struct {
		wave  standing
		cells float64
	}{{standing{.5, .02, 1}, 16}, {standing{1, .03, 6}, 64}, {standing{.5, .01, 1}, 24}, {standing{.5, .006, 1}, 32}, {standing{4, .06, 8}, 40}}[:inShort(2, 5)] {
		t.Run(fmt.Sprintf("%g m of %g m, %g cells", c.wave.height, c.wave.length, c.cells), func(t *testing.T) {
			var kept [2]float64
			for i, undamped := range []bool{false, true} {
				l := c.wave.tank(t, c.cells, undamped)
				for n := range int(seconds / dt) {
					l.Step(dt)
					if seconds-float64(n)*dt < c.wave.period() {
						kept[i] = max(kept[i], math.Abs(c.wave.rise(l)))
					}
				}
			}
			if part := kept[0] / kept[1]; part < .98 || kept[1] < .5*c.wave.height {
				t.Errorf("after %d s %.3f of the wave is there that is without damping, %g of %g m", seconds, part, kept[0], c.wave.height)
			}
		})
	}
}

// How soon calm liquid sleeps is a matter of time, not of steps: a wave of 2 mm is not caught at its turning point at a thousand steps a second.
func TestSleepCountsSeconds(t *testing.T) {
	wave := standing{.5, .002, 1}
	for _, rate := range []float64{60, 240, 1000} {
		l := wave.tank(t, 16, false)
		for n := 1; n <= int(1.5*rate); n++ {
			if r := l.Step(1 / rate); r.AsleepBlocks == 0 {
				continue
			}
			if rise := wave.rise(l); float64(n)/rate < sleep.CalmTime || math.Abs(rise) > .25*wave.height {
				t.Errorf("at %g steps a second it fell asleep after %.3f s, %.2g m high at one end", rate, float64(n)/rate, rise)
			}
			break
		}
		still := mustNew(t, Def{Domain: box(1, 1, .5), CellSize: 1. / 16, Levels: 1})
		if err := still.Fill(Below(.5)); err != nil {
			t.Fatal(err)
		}
		n := 1
		for still.Step(1/rate).AsleepBlocks == 0 && n < int(2*rate) {
			n++
		}
		if slept := float64(n) / rate; math.Abs(slept-sleep.CalmTime) > .1 {
			t.Errorf("at %g steps a second still liquid slept after %g s, want %g", rate, slept, sleep.CalmTime)
		}
	}
}

// swings is the mean period of the wave, s, by when the liquid at its low end passes its level, over some of them.
func (s standing) swings(l *Liquid, dt float64, periods int) float64 {
	var crossings []float64
	last := s.rise(l)
	for n := 1; len(crossings) < 2*periods+1 && float64(n)*dt < 3*float64(periods)*s.period(); n++ {
		l.Step(dt)
		now := s.rise(l)
		if now*last < 0 {
			crossings = append(crossings, dt*(float64(n-1)+last/(last-now)))
		}
		last = now
	}
	if len(crossings) < 2*periods+1 {
		return math.NaN()
	}
	return (crossings[2*periods] - crossings[0]) / float64(periods)
}

// High waves swing more slowly than low ones: in a tank half as deep as it is long by .56 % if they are 2.5 of 32 cells high. What comes to
// that by the grid is bounded.
//
// Source: Tadjbakhsh, Keller 1960, Standing surface waves of finite amplitude.
func TestPeriodOfHighWaves(t *testing.T) {
	const dt, cells = 1. / 120, 32.
	for _, c := range []struct{ high, theory float64 }{{1, .0009}, {2.5, .0056}} {
		s := standing{.5, c.high / cells, 1}
		excess := s.swings(s.tank(t, cells, true), dt, 2)/s.period() - 1
		t.Logf("%g cells high: %.2f %% longer than of low waves, theory %.2f %%", c.high, 100*excess, 100*c.theory)
		if !(math.Abs(excess-c.theory) < .012) {
			t.Errorf("%g cells high: the period is %.4f of that of low waves, theory %.4f", c.high, 1+excess, 1+c.theory)
		}
	}
}
