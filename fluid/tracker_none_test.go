package fluid_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// vortex is the velocity of Taylor's and Green's vortex in a box of edge 1 m, m/s: cells of half the box turn against each other between walls that
// they slip along.
func vortex(x r3.Vec) r3.Vec {
	sx, cx := math.Sincos(math.Pi * x.X)
	sy, cy := math.Sincos(math.Pi * x.Y)
	return r3.Vec{X: sx * cy, Y: -cx * sy}
}

// full is a box that is full of liquid without a surface.
func full(t *testing.T, def fluid.Def) *fluid.Liquid {
	t.Helper()
	def.Tracker = fluid.NoSurface
	return testrig.New(t, def)
}

// Without a surface the domain is full from the start, and blocks step it. Of the energy of Taylor's and Green's vortex (V15: it is to be constant) most is left
// after a turnover, more by the second order of transport than by the first, and never more than there was.
func TestVortexWithoutSurface(t *testing.T) {
	const steps, turnover = 128, 2. // s: around the middle the vortex turns at π rad/s
	kept := map[bool]float64{}
	for _, first := range []bool{false, true} {
		l := full(t, fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: .25}}, CellSize: 1. / 32, Numerics: fluid.Numerics{Levels: 1, FirstOrder: first, Tolerance: 1e-8, Undamped: true}, Physics: fluid.Physics{Weightless: true}})
		if held := l.Ledger().HeldL; math.Abs(held-250) > .01 {
			t.Fatalf("the domain of 250 litres holds %g", held)
		}
		testrig.Must(t, l.SetVelocity(fluid.Box(l.Def().Domain), vortex))
		start := 0.
		for step := range steps {
			r := *l.Step(turnover / steps)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if step == 0 {
				start = energy(l)
			}
			if e := energy(l); e > 1.001*start {
				t.Fatalf("after %d steps the energy is %g of what it was", step+1, e/start)
			}
		}
		kept[first] = energy(l) / start
		if g := l.Ledger(); g.DriftL != 0 || g.HeldL != g.FilledL {
			t.Errorf("%+v: nothing was put in or taken out", g)
		}
	}
	t.Logf("energy kept: second order %.3f, first %.3f", kept[false], kept[true])
	if !(kept[false] > .84 && kept[false] > kept[true]+.1) {
		t.Errorf("energy kept: second order %g, first %g; want more than .84, and more than the first by .1", kept[false], kept[true])
	}
}

// energy is the sum of the squares of the graph's velocities, each with the volume that belongs to its face, m⁵/s².
func energy(l *fluid.Liquid) (sum float64) {
	for f, u := range testrig.FV(l).Graph.U {
		sum += u * u * testrig.FV(l).Graph.Area[f] * testrig.FV(l).Graph.Open[f] * testrig.FV(l).Graph.Dist[f]
	}
	return sum
}

// Under gravity a full box rests, and what needs a surface is refused.
func TestNoSurfaceRestsAndRefuses(t *testing.T) {
	l := full(t, fluid.Def{Domain: r3.Box{Max: r3.Vec{X: .6, Y: .6, Z: .6}}, CellSize: .05, Physics: fluid.Physics{Gravity: r3.Vec{X: 3, Y: -9}}, Numerics: fluid.Numerics{Tolerance: 1e-10}})
	if _, err := l.AddObstacle(fluid.Sphere(r3.Vec{X: .3, Y: .3, Z: .3}, .12)); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if r := *l.Step(testrig.Frame); r.Err != nil || r.MaxSpeed > 1e-6 {
			t.Fatalf("speed %g m/s, %s", r.MaxSpeed, r.Err)
		}
	}
	for call, err := range map[string]error{
		"Fill": l.Fill(fluid.Below(.1)), "Drain": l.Drain(fluid.Below(.1)),
		"AddEmitter": second(l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{}, .1), Rate: 1})), "AddSink": second(l.AddSink(fluid.Sphere(r3.Vec{}, .1), 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), "fluid: "+call+": Def.Tracker is NoSurface") {
			t.Errorf("%s: %v", call, err)
		}
	}
	if err := (fluid.Def{Domain: l.Def().Domain, CellSize: .05, Tracker: fluid.NoSurface, Sides: fluid.Sides{MaxY: fluid.Open}}).Validate(); err == nil || !strings.Contains(err.Error(), "Sides") {
		t.Errorf("an open side without a surface: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
