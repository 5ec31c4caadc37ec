package cubes_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Up to a thousand drops of half a cell to a cell in radius that are poured together are the same litres with all trackers, when they are filled in and when they have
// fallen onto each other; nothing fails, and an explicit mesh nowhere passes through itself.
func TestManyDropsAreTheirLitres(t *testing.T) {
	for i, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		t.Run(tracker.String(), func(t *testing.T) {
			c := poured{tracker: tracker, n: testrig.InShort([]int{3, 3, 2}, []int{10, 5, 3})[i], rate: 60, seconds: .4}
			c.pour(t)
		})
	}
}

// Drops that fall into a pool keep their litres, in steps of any length.
func TestDropsThatFallKeepTheirLitres(t *testing.T) {
	for _, of := range testrig.Discretisations[:testrig.InShort(1, 2)] {
		for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring} {
			for _, rate := range testrig.InShort([]float64{60}, []float64{30, 60, 240}) {
				t.Run(fmt.Sprint(of, tracker, rate), func(t *testing.T) {
					c := poured{of: of, tracker: tracker, n: 3, rate: rate, seconds: .6, pool: .137}
					c.pour(t)
				})
			}
		}
	}
}

// poured is n³ drops that don't touch, over a pool of a depth, m. They fall for some seconds, in so many steps a second.
type poured struct {
	of            fluid.Discretisation
	tracker       fluid.Tracker
	n             int
	rate, seconds float64
	pool          float64
}

func (c *poured) pour(t *testing.T) {
	const h, apart = .05, 2.3 * .05
	side := float64(float64(c.n)+1) * apart
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(side, side+1.5*c.pool, side), CellSize: h, Tracker: c.tracker, Discretisation: c.of, Resources: fluid.Resources{Workers: 1},
	})
	if c.pool > 0 {
		testrig.Must(t, l.Fill(fluid.Below(c.pool)))
	}
	pool, want, seed := l.Ledger().FilledL, 0., uint64(1)
	random := func() float64 {
		seed = droplets.SplitMix64(seed)
		return float64(seed>>11) / (1 << 53)
	}
	for i := range c.n * c.n * c.n {
		r := h * (.5 + .5*random())
		room := apart/2 - r
		at := r3.Vec{X: float64(i%c.n) + 1, Y: float64(i/c.n%c.n) + 1, Z: float64(i/(c.n*c.n)) + 1}
		at = r3.Add(r3.Scale(apart, at), r3.Vec{X: room * (2*random() - 1), Y: 1.4*c.pool + room*(2*random()-1), Z: room * (2*random() - 1)})
		testrig.Must(t, l.Fill(fluid.Sphere(at, r)))
		if want += 4000. / 3 * math.Pi * r * r * r; i%100 == 99 {
			t.Logf("%d drops: %.3f of %.3f l", i+1, l.Ledger().FilledL-pool, want)
		}
	}
	if filled := l.Ledger().FilledL - pool; math.Abs(filled/want-1) > .01 {
		t.Errorf("%.3f l are filled, want %.3f", filled, want)
	}
	for i := range int(c.seconds * c.rate) {
		r := *l.Step(1 / c.rate)
		if testrig.Sound(t, l, r); r.Err != nil {
			t.Fatalf("step %d: %v", i, r.Err)
		}
	}
	g := l.Ledger()
	t.Logf("%.3f of %.3f l filled, %.3f held later, %.3f of them in %d drops", g.FilledL-pool, want, g.HeldL-pool,
		1000*testrig.FV(l).Around.Flows.Drops.Volume, len(testrig.FV(l).Around.Flows.Drops.All))
	if err := testrig.Blocks(l).Surface.Check(); err != nil {
		t.Error(err)
	}
	known := .01
	if c.tracker == fluid.Contouring && c.rate == 30 {
		known = .012
	}
	testrig.FallsShort(t, "part by which what is held is off", math.Abs((g.HeldL-pool)/want-1), .01, known)
}

// A ball of a cell in radius that falls over a pool has its own litres still: what its front fills anew is no liquid more, and nothing of the pool's is made up for by it.
func TestBallKeepsItsLitresOverAPool(t *testing.T) {
	const h, r = .05, .05
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		t.Run(tracker.String(), func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, 1.2, .8), CellSize: h, Tracker: tracker, Resources: fluid.Resources{Workers: 1}})
			testrig.Must(t, l.Fill(fluid.Below(.231)))
			testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .4125, Y: .964, Z: .411}, r)))
			testrig.GoesOn(t, l, 18)
			in, err := l.VolumeIn(fluid.Box(testrig.Between(0, .3, 0, 1, 2, 1)))
			testrig.Must(t, err)
			want := 4000. / 3 * math.Pi * r * r * r
			t.Logf("%.4f of %.4f l", in, want)
			testrig.FallsShort(t, "part by which its litres are off", math.Abs(in/want-1), .01, map[fluid.Tracker]float64{fluid.LevelSet: .02, fluid.Contouring: .045, fluid.ExplicitMesh: .011}[tracker])
		})
	}
}
