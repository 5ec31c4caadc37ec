package fluid

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// fountain is a room with a tap in its middle, over a pool or a dry floor.
func fountain(t testing.TB, cell, level, rate float64) (*Liquid, EmitterID) {
	t.Helper()
	n := 16 * cell
	l := mustNew(t, Def{Domain: box(n, n, n), CellSize: cell, Workers: 1})
	if level > 0 {
		if err := l.Fill(Below(level * n)); err != nil {
			t.Fatal(err)
		}
	}
	id, err := l.AddEmitter(EmitterDef{Shape: Sphere(r3.Vec{X: n / 2, Y: .7 * n, Z: n / 2}, .05), Velocity: r3.Vec{Y: -1}, Rate: rate})
	if err != nil {
		t.Fatal(err)
	}
	return l, id
}

// Whatever the rate and the cells, the first water comes within a quarter of a second, as much as the rate says comes in the end, and none
// is lost or made on the way, into a pool or onto a dry floor.
func TestTapGivesItsRate(t *testing.T) {
	for _, level := range []float64{0, .25} {
		for _, cell := range []float64{.05, .1, .2} {
			for _, rate := range []float64{.1, 1, 10, 100} {
				t.Run(fmt.Sprintf("level %g cell %g rate %g", level, cell, rate), func(t *testing.T) {
					t.Parallel()
					l, _ := fountain(t, cell, level, rate)
					seconds := 2.
					if testing.Short() {
						seconds = 1
					}
					steps := int(seconds / frame)
					first, was, worst := math.Inf(1), l.Ledger().HeldL, 0.
					for n := range steps {
						r := goesOn(t, l, 1)
						if s := l.Surface(); r.Ledger.EmittedL > 0 && (len(s.Droplets) > 0 || len(s.Indices) > 0) {
							first = min(first, float64(n+1)*frame)
						}
						worst = max(worst, math.Abs(r.Ledger.DriftL)/max(r.Ledger.HeldL, rate*seconds))
					}
					r := l.Ledger()
					t.Logf("first after %.3f s, %.4f of %.4f l, %.4f more held, worst drift %.2g, %d drops", first, r.EmittedL, rate*seconds, r.HeldL-was, worst, len(l.world.drops.all))
					if first > .25 {
						t.Errorf("the first water came after %g s", first)
					}
					if off := math.Abs(r.EmittedL - rate*seconds); off > max(.02*rate*seconds, .2*rate) {
						t.Errorf("%g l came of %g", r.EmittedL, rate*seconds)
					}
					if jet := len(l.world.drops.all) == 0; jet && level == 0 { // while a jet spreads on a dry floor, its film is thinner than a cell
						worst = math.Abs(r.DriftL) / r.HeldL
					}
					if worst > .005 {
						t.Errorf("the ledger was off by %.2g %%", 100*worst)
					}
				})
			}
		}
	}
}
