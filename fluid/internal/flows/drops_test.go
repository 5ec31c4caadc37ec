package flows_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// fountain is a room with a tap in its middle, over a pool or a dry floor.
func fountain(t testing.TB, of fluid.Discretisation, cell, level, rate float64) (*fluid.Liquid, fluid.EmitterID) {
	t.Helper()
	n := 16 * cell
	l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(n, n, n), CellSize: cell, Resources: fluid.Resources{Workers: 1}})
	if level > 0 {
		testrig.Must(t, l.Fill(fluid.Below(level*n)))
	}
	id, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: n / 2, Y: .7 * n, Z: n / 2}, .05), Velocity: r3.Vec{Y: -1}, Rate: rate})
	if err != nil {
		t.Fatal(err)
	}
	return l, id
}

// Whatever the rate and the cells, the first water comes within a quarter of a second, as much as the rate says comes in the end, and none
// is lost or made on the way, into a pool or onto a dry floor.
func TestTapGivesItsRate(t *testing.T) { testrig.EachDiscretisation(t, tapGivesItsRate) }

func tapGivesItsRate(t *testing.T, of fluid.Discretisation) {
	for _, level := range []float64{0, .25} {
		for _, cell := range []float64{.05, .1, .2} {
			for _, rate := range []float64{.1, 1, 10, 100} {
				t.Run(fmt.Sprintf("level %g cell %g rate %g", level, cell, rate), func(t *testing.T) {
					t.Parallel()
					l, _ := fountain(t, of, cell, level, rate)
					seconds := 2.
					if testing.Short() {
						seconds = 1
					}
					steps := int(seconds / testrig.Frame)
					first, was, worst := math.Inf(1), l.Ledger().HeldL, 0.
					for n := range steps {
						r := testrig.GoesOn(t, l, 1)
						if s := l.Surface(); r.Ledger.EmittedL > 0 && (len(s.Droplets) > 0 || len(s.Indices) > 0) {
							first = min(first, float64(n+1)*testrig.Frame)
						}
						worst = max(worst, math.Abs(r.Ledger.DriftL)/max(r.Ledger.HeldL, rate*seconds))
					}
					r := l.Ledger()
					t.Logf("first after %.3f s, %.4f of %.4f l, %.4f more held, worst drift %.2g, %d drops", first, r.EmittedL, rate*seconds, r.HeldL-was, worst, len(testrig.Around(l).Flows.Drops.All))
					if off := math.Abs(r.EmittedL - rate*seconds); off > max(.02*rate*seconds, .2*rate) {
						t.Errorf("%g l came of %g", r.EmittedL, rate*seconds)
					}
					if jet := len(testrig.Around(l).Flows.Drops.All) == 0; jet && level == 0 { // while a jet spreads on a dry floor, its film is thinner than a cell
						worst = math.Abs(r.DriftL) / r.HeldL
					}
					known := .005
					if level == 0 {
						known = .01
					}
					knownFirst := .25
					if of == fluid.Tetrahedra && level == 0 && cell == .1 && rate == 10 { // a litre in one or two cells has no surface that is seen
						knownFirst = .27
					}
					t.Run("first", func(t *testing.T) { testrig.FallsShort(t, "the first water came after, s", first, .25, knownFirst) })
					testrig.FallsShort(t, "the ledger was off by, in parts", worst, .005, known)
				})
			}
		}
	}
}

// Drops are liquid of the basin that they fall into, and of no other.
func TestDropsJoinWhereTheyFall(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	_, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: .7}, Max: r3.Vec{X: .9, Y: .8, Z: .8}}))
	testrig.Must(t, err)
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .7, Y: .25, Z: .8}})))
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Min: r3.Vec{X: .9}, Max: r3.Vec{X: 1.6, Y: .25, Z: .8}})))
	sides := func() (v [2]float64) {
		for i, b := range []r3.Box{{Max: r3.Vec{X: .8, Y: .8, Z: .8}}, {Min: r3.Vec{X: .8}, Max: r3.Vec{X: 1.6, Y: .8, Z: .8}}} {
			var err error
			v[i], err = l.VolumeIn(fluid.Box(b))
			testrig.Must(t, err)
		}
		return v
	}
	testrig.GoesOn(t, l, 5)
	was := sides()
	id, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .35, Y: .5, Z: .4}, .05), Rate: 2})
	testrig.Must(t, err)
	testrig.GoesOn(t, l, 180)
	testrig.Must(t, l.RemoveEmitter(id))
	testrig.GoesOn(t, l, 30)
	is := sides()
	t.Logf("%.3f and %.3f l more", is[0]-was[0], is[1]-was[1])
	if gained := is[0] - was[0]; math.Abs(gained-6) > .3 || math.Abs(is[1]-was[1]) > .1 {
		t.Errorf("%.3f l more where 6 l fell, %.3f l where none did", gained, is[1]-was[1])
	}
}

// Drops lie on what stands in their way: a shelf thinner than a cell, a slope that they run down, a body that comes under them. What is
// enough for the grid becomes liquid there.
func TestDropsLieOnSolids(t *testing.T) {
	tap := fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .4, Y: .7, Z: .4}, .05), Rate: 1}
	for name, c := range map[string]struct {
		shape fluid.SDF
		at    r3.Box // where they all end
		steps int
	}{
		"shelf": {fluid.Box(r3.Box{Min: r3.Vec{X: .1, Y: .38, Z: .1}, Max: r3.Vec{X: .7, Y: .4, Z: .7}}), r3.Box{Min: r3.Vec{X: .1, Y: .4, Z: .1}, Max: r3.Vec{X: .7, Y: .52, Z: .7}}, 45},
		"block": {fluid.Box(r3.Box{Max: r3.Vec{X: .8, Y: .33, Z: .8}}), r3.Box{Min: r3.Vec{Y: .33}, Max: r3.Vec{X: .8, Y: .46, Z: .8}}, 45},
		"slope": {fluid.HalfSpace(r3.Vec{X: .4, Y: .3, Z: .4}, r3.Vec{X: -math.Sqrt2 / 2, Y: math.Sqrt2 / 2}), r3.Box{Max: r3.Vec{X: .3, Y: .31, Z: .8}}, 45},
		"floor": {nil, r3.Box{Max: r3.Vec{X: .8, Y: .1, Z: .8}}, 50},
	} {
		t.Run(name, func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
			if c.shape != nil {
				_, err := l.AddObstacle(c.shape)
				testrig.Must(t, err)
			}
			id, err := l.AddEmitter(tap)
			testrig.Must(t, err)
			testrig.GoesOn(t, l, c.steps)
			testrig.Must(t, l.RemoveEmitter(id))
			testrig.GoesOn(t, l, 90)
			d := &testrig.Around(l).Flows.Drops
			if d.Moving() && name != "slope" {
				t.Errorf("drops are on their way: %+v", d.All)
			}
			for i := range d.All {
				if p := &d.All[i]; !boxes.Contains(c.at, p.X) {
					t.Errorf("%.3g l at %.3f", p.Volume/testrig.Litre, p.X)
				}
			}
			if g := l.Ledger(); math.Abs(g.HeldL-g.EmittedL) > 1e-9 || math.Abs(g.EmittedL-float64(c.steps)*testrig.Frame) > 1e-3 {
				t.Errorf("%+v", g)
			}
		})
	}
}

// What drops bring to a dry floor becomes liquid that can be sampled as soon as cells can hold it.
func TestDropsBecomePuddle(t *testing.T) { testrig.EachDiscretisation(t, dropsBecomePuddle) }

func dropsBecomePuddle(t *testing.T, of fluid.Discretisation) {
	l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	tap, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .45, Y: .7, Z: .45}, .03), Rate: 1.5})
	testrig.Must(t, err)
	for n := 1; ; n++ {
		r := testrig.GoesOn(t, l, 1)
		if v, err := l.VolumeIn(fluid.Box(testrig.Box(.8, .8, .8))); err != nil || v > .5 {
			t.Logf("%.2f l after %.2f s, of %.2f l", v, float64(n)*testrig.Frame, r.Ledger.EmittedL)
			break
		}
		if n == 240 {
			t.Fatalf("%g l came, and all lie there in %d drops", r.Ledger.EmittedL, len(testrig.Around(l).Flows.Drops.All))
		}
	}
	testrig.GoesOn(t, l, 120)
	testrig.Must(t, l.RemoveEmitter(tap)) // a film that drops fall into may lose its rows for a moment
	r := testrig.GoesOn(t, l, 60)
	if g := r.Ledger; math.Abs(g.DriftL) > .005*g.EmittedL {
		t.Errorf("off by %g of %g l", g.DriftL, g.EmittedL)
	}
}

// Drops that leave through an open side are drained, those in a shape that is filled are part of it, and what is left sleeps.
func TestDropsLeave(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Sides: fluid.Sides{MinY: fluid.Open}})
	id, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .4, Y: .7, Z: .4}, .05), Rate: 1})
	testrig.Must(t, err)
	testrig.GoesOn(t, l, 60)
	testrig.Must(t, l.RemoveEmitter(id))
	testrig.GoesOn(t, l, 60)
	if g := l.Ledger(); math.Abs(g.DrainedL-1) > .01 || len(testrig.Around(l).Flows.Drops.All) > 0 || math.Abs(g.DriftL) > 1e-9 {
		t.Errorf("%d drops, %+v", len(testrig.Around(l).Flows.Drops.All), g)
	}
	_, err = l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .4, Y: .7, Z: .4}, .05), Rate: 1})
	testrig.Must(t, err)
	testrig.GoesOn(t, l, 20)
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.8, .8, .8))))
	if len(testrig.Around(l).Flows.Drops.All) > 0 || math.Abs(l.Ledger().DriftL) > 1 {
		t.Errorf("%d drops in a full tank, %+v", len(testrig.Around(l).Flows.Drops.All), l.Ledger())
	}
}

// Taps that drip, drains, and fields by functions allocate nothing once they have run for a while.
func TestDropsAllocateNothing(t *testing.T) {
	for _, level := range []float64{0, .25} {
		l, _ := fountain(t, fluid.Cubes, .1, level, 1)
		_, err := l.AddField(fluid.Field{Kind: fluid.FuncField, Strength: 1, Func: func(dst, pts []r3.Vec) { dst[0].X = 1 }})
		testrig.Must(t, err)
		_, err = l.AddSink(fluid.Sphere(r3.Vec{X: .8, Y: .1, Z: .8}, .2), 1)
		testrig.Must(t, err)
		testrig.Must(t, l.SetWind(fluid.Wind{Velocity: r3.Vec{X: 5}}))
		testrig.GoesOn(t, l, 150)
		if n := testrig.Allocations(t, 30, func() { l.Step(testrig.Frame) }); n > 0 {
			t.Errorf("level %g: %g allocations in a step", level, n)
		}
	}
}
