package flows_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/physics"
)

// profileOf is how high the surface is at nine places along a channel, less a level, and how fast the liquid there is, on the mean; m and m/s.
func profileOf(l *fluid.Liquid, along int, level float64) (off [9]float64, speed float64) {
	up, lo, size := testrig.Around(l).Up(), l.Def().Domain.Min, r3.Sub(l.Def().Domain.Max, l.Def().Domain.Min)
	var s [9]fluid.Sample
	var pts [9]r3.Vec
	for k := range pts {
		x := reproducible.Array(r3.Add(lo, r3.Scale(.5, size)))
		x[along] = reproducible.Array(lo)[along] + reproducible.Array(size)[along]*(float64(k)+.5)/9
		pts[k] = r3.Add(reproducible.Vector(x), r3.Scale(level/2-r3.Dot(reproducible.Vector(x), up), up))
	}
	l.Sample(s[:], pts[:])
	for k := range s {
		off[k] = s[k].Height - level/2
		speed += reproducible.Array(s[k].Velocity)[along] / 9
	}
	return off, speed
}

// A river flows steadily at the level and with the velocity that it is given, along any axis, whatever the domain leaves of cells at the sides, on
// coarse cells too, and in what is thick. What comes in and goes out is in the ledger.
func TestRiverIsSteady(t *testing.T) {
	off := r3.Vec{X: -.13, Y: .02, Z: -.03}
	for _, c := range []struct {
		name         string
		d            fluid.Def
		in           fluid.SideIndex
		speed, level float64
		steps        int
		near         float64 // part of the level
		slow         bool
	}{
		{"to the right", fluid.Def{Domain: testrig.Box(3.2, .8, .8), CellSize: .1}, fluid.MinX, .6, .45, 120, .04, false},
		{"to the left, off the grid", fluid.Def{Domain: r3.Box{Min: off, Max: r3.Vec{X: 2.88, Y: .8, Z: .84}}, CellSize: .1}, fluid.MaxX, .6, .47, 80, .05, false},
		{"to the front", fluid.Def{Domain: testrig.Box(.8, .8, 2.4), CellSize: .1}, fluid.MinZ, .3, .45, 60, .03, false},
		{"in a room on its side", fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Physics: fluid.Physics{Gravity: r3.Vec{Z: -9}}}, fluid.MinX, .6, .45, 60, .06, false},
		{"fine cells", fluid.Def{Domain: testrig.Box(4, 1.2, .8), CellSize: .05}, fluid.MinX, .6, .55, 120, .02, true},
		{"fast", fluid.Def{Domain: testrig.Box(4, 1.2, .8), CellSize: .1}, fluid.MinX, 4, .55, 100, .12, true},
		{"coarse cells", fluid.Def{Domain: testrig.Box(6.4, 1.6, 1.6), CellSize: .05, Numerics: fluid.Numerics{Band: 1, InvisibleLevel: 3}, Budget: fluid.Budget{Work: 1.5}}, fluid.MinX, .6, 1.1, 100, .06, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("takes seconds")
			}
			l := testrig.River(t, c.d, c.in, c.speed, c.level)
			mean, speed, worst, n := 0., 0., 0., 0.
			var r fluid.Report
			for range c.steps {
				r = testrig.GoesOn(t, l, 1)
				heights, u := profileOf(l, int(c.in)/2, c.level)
				for _, h := range heights {
					mean, n, worst = mean+h, n+1, max(worst, math.Abs(h))
				}
				speed += u / float64(c.steps)
			}
			if c.name == "coarse cells" {
				testrig.MixedLevels(t, r)
			}
			area := c.level - l.Def().Domain.Min.Y
			width := l.Def().Domain.Max.Z - l.Def().Domain.Min.Z
			switch {
			case c.in == fluid.MinZ:
				width = l.Def().Domain.Max.X
			case c.d.Physics.Gravity.Z != 0:
				width = l.Def().Domain.Max.Y
			}
			came := c.speed * area * width * r.Time / testrig.Litre
			t.Logf("level %+.1f %% on the mean, %.1f %% at most; %.3f m/s; %.0f l in for %.0f, %.0f out", 100*mean/n/c.level, 100*worst/c.level, speed, r.Ledger.EmittedL, came, r.Ledger.DrainedL)
			if math.Abs(mean/n) > c.near*c.level/2 || worst > 2*c.near*c.level+.02 || math.Abs(math.Abs(speed)/c.speed-1) > .12 || (speed > 0) != (flows.Inward(int(c.in), 1) > 0) {
				t.Errorf("the level is off by %g m on the mean and %g at most, the liquid has %g m/s", mean/n, worst, speed)
			}
			if g := r.Ledger; math.Abs(g.EmittedL/came-1) > .03 || math.Abs(g.DrainedL/came-1) > .12 || math.Abs(g.DriftL) > .02*g.HeldL {
				t.Errorf("%g l should have come and gone: %+v", came, g)
			}
		})
	}
}

// A river keeps its velocity, and lets out what comes in, wherever the domain ends in cells, at any step.
func TestRiverKeepsItsVelocity(t *testing.T) {
	const speed = .7
	for i, c := range []struct {
		domain r3.Box
		in     fluid.SideIndex
		level  float64
	}{
		{r3.Box{Max: testrig.Vec(3.27, .83, .86)}, fluid.MinX, .47},
		{r3.Box{Max: testrig.Vec(3.2, .8, .85)}, fluid.MinX, .45},
		{r3.Box{Max: testrig.Vec(3.25, .8, .8)}, fluid.MinX, .45},
		{r3.Box{Min: testrig.Vec(-.13, .02, -.03), Max: testrig.Vec(2.88, .8, .84)}, fluid.MaxX, .47},
		{r3.Box{Min: testrig.Vec(.04, -.03, .07), Max: testrig.Vec(4.03, .94, 1.1)}, fluid.MinX, .42},
	} {
		for _, perSecond := range []int{30, 60, 120, 240} {
			if testing.Short() && (i > 1 || perSecond > 30) || i > 0 && perSecond == 240 {
				continue
			}
			l := testrig.River(t, fluid.Def{Domain: c.domain, CellSize: .1, Resources: fluid.Resources{Workers: 1}}, c.in, speed, c.level)
			u, before := 0., fluid.Ledger{}
			for n := range 2 * perSecond {
				if n == perSecond {
					before = l.Ledger()
				}
				l.Step(1 / float64(perSecond))
				if _, now := profileOf(l, 0, c.level); n >= perSecond {
					u += math.Abs(now) / float64(perSecond)
				}
			}
			g := l.Ledger()
			if in, out := g.EmittedL-before.EmittedL, g.DrainedL-before.DrainedL; math.Abs(u/speed-1) > .07 || math.Abs(out/in-1) > .04 {
				t.Errorf("%v, %d steps/s: %.3f m/s, %.1f l in and %.1f out", c.domain, perSecond, u, in, out)
			}
		}
	}
}

// What floats goes with the river; what is dropped into it at rest is taken along.
func TestFloatDriftsWithRiver(t *testing.T) {
	for _, start := range []float64{.6, 0} {
		l := testrig.River(t, fluid.Def{Domain: testrig.Box(3.2, .8, .8), CellSize: .1}, fluid.MinX, .6, .45)
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		b := testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .8, Y: .46, Z: .4}, Velocity: r3.Vec{X: start}},
			physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .2, .3)), Density: 500})
		l.Couple(w.Coupling())
		testrig.GoesOn(t, l, 60)
		from := b.Position()
		testrig.GoesOn(t, l, 45)
		speed := (b.Position().X - from.X) / .75
		if least := .53 - .3*(.6-start)/.6; speed < least || speed > .68 || math.Abs(b.Position().Z-.4) > .1 || math.Abs(b.Position().Y-.45) > .05 {
			t.Errorf("from %g m/s it drifts with %g, and is at %.3v", start, speed, b.Position())
		}
	}
}

// A current can be changed while it flows: a river rises, dries up, and turns round. Into an empty channel it runs; on an open side it falls off.
func TestCurrentChanges(t *testing.T) {
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(2.4, .8, .4), CellSize: .1, Sides: fluid.Sides{MinX: fluid.Flow, MaxX: fluid.Open}})
		set := func(c fluid.Current) {
			t.Helper()
			if err := l.SetCurrent(fluid.MinX, c); err != nil || l.Current(fluid.MinX) != c {
				t.Fatal(err, l.Current(fluid.MinX))
			}
		}
		testrig.GoesOn(t, l, 40)
		set(fluid.Current{Velocity: 1, Level: .3})
		if r := testrig.GoesOn(t, l, 90); math.Abs(r.Ledger.EmittedL/(1*.3*.4*1.5/testrig.Litre)-1) > .05 || r.Ledger.DrainedL == 0 || r.Ledger.HeldL < 50 {
			t.Errorf("ran into an empty channel: %+v", r.Ledger)
		}
		set(fluid.Current{})
		was := l.Ledger()
		if r := testrig.GoesOn(t, l, 90); r.Ledger.EmittedL != was.EmittedL || r.Ledger.HeldL > .8*was.HeldL {
			t.Errorf("dried up: %+v, was %+v", r.Ledger, was)
		}
		set(fluid.Current{Velocity: -.5})
		if r := testrig.GoesOn(t, l, 10); r.Ledger.EmittedL != was.EmittedL {
			t.Errorf("turned round: %+v", r.Ledger)
		}
	})
}

// In a full domain nothing gives way: nothing comes in, and the report warns; nor does anything go out. With both, as much comes as goes.
func TestCurrentIntoFullDomain(t *testing.T) {
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(.8, .8, .8), CellSize: .1, Sides: fluid.Sides{MinX: fluid.Flow, MaxX: fluid.Flow}})
		testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.8, .8, .8))))
		testrig.GoesOn(t, l, 2)
		testrig.Must(t, l.SetCurrent(fluid.MinX, fluid.Current{Velocity: 1, Level: .8}))
		warned := testrig.CountWarnings(l, 5, testrig.Frame, "SetCurrent")
		if r := testrig.GoesOn(t, l, 1); r.Ledger.EmittedL > 0 || r.Ledger.DrainedL > 0 || warned != 1 {
			t.Errorf("%+v, %d warnings", r.Ledger, warned)
		}
		testrig.Must(t, l.SetCurrent(fluid.MaxX, fluid.Current{Velocity: -.5}))
		r := testrig.GoesOn(t, l, 60)
		var s [1]fluid.Sample
		l.Sample(s[:], []r3.Vec{{X: .4, Y: .4, Z: .4}})
		if g := r.Ledger; math.Abs(g.EmittedL/320-1) > .01 || math.Abs(g.DrainedL-g.EmittedL) > .01 || math.Abs(g.DriftL) > 3 || len(r.Warnings) > 0 || math.Abs(s[0].Velocity.X-.5) > .05 {
			t.Errorf("320 l should have passed: %+v, %v, %v", g, r.Warnings, s[0].Velocity)
		}
		testrig.Must(t, l.SetCurrent(fluid.MinX, fluid.Current{}))
		was := r.Ledger.DrainedL
		if r = testrig.GoesOn(t, l, 5); r.Ledger.DrainedL != was {
			t.Errorf("what nothing follows went out: %+v", r.Ledger)
		}
	})
}

// A current keeps the liquid awake; one that stops lets it sleep, and one that starts wakes it.
func TestCurrentAndSleep(t *testing.T) {
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(.8, .8, .8), CellSize: .1, Sides: fluid.Sides{MinX: fluid.Flow, MaxX: fluid.Flow}})
		testrig.Must(t, l.Fill(fluid.Below(.4)))
		testrig.GoesOn(t, l, 60)
		if !testrig.Around(l).Sleep.Asleep {
			t.Fatal("a pool between sides where nothing flows does not sleep")
		}
		testrig.Must(t, l.SetCurrent(fluid.MinX, fluid.Current{Velocity: .1, Level: .4}))
		if r := testrig.GoesOn(t, l, 60); testrig.Around(l).Sleep.Asleep || math.Abs(r.Ledger.EmittedL/(.1*.4*.8/testrig.Litre)-1) > .03 {
			t.Errorf("asleep %v, %+v", testrig.Around(l).Sleep.Asleep, r.Ledger)
		}
	})
}

func TestBadCurrent(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Sides: fluid.Sides{MinX: fluid.Flow, MaxX: fluid.Open}})
	good := fluid.Current{Velocity: 1, Level: .4}
	testrig.Must(t, l.SetCurrent(fluid.MinX, good))
	was := l.Hash()
	for _, c := range []struct {
		side fluid.SideIndex
		c    fluid.Current
		want string
	}{
		{fluid.MaxX, good, "side: Def.Sides.MaxX is not Flow"},
		{fluid.MinY, good, "side: Def.Sides.MinY is not Flow"},
		{9, good, "side: SideIndex(9); must be MinX to MaxZ"},
		{fluid.MinX, fluid.Current{Velocity: testrig.NaN}, "Velocity: NaN m/s at MinX; must be within ±100"},
		{fluid.MinX, fluid.Current{Velocity: -101}, "Velocity: -101 m/s"},
		{fluid.MinX, fluid.Current{Velocity: 1, Level: testrig.Inf}, "Level: +Inf m at MinX; must be finite"},
		{fluid.MinX, fluid.Current{Velocity: 1}, "Level: 0 m at MinX; must be above 0 and up to 0.8, in the domain"},
		{fluid.MinX, fluid.Current{Velocity: 1, Level: .9}, "Level: 0.9 m"},
	} {
		if err := l.SetCurrent(c.side, c.c); err == nil || !strings.HasPrefix(err.Error(), "fluid: SetCurrent: "+c.want) || l.Hash() != was {
			t.Errorf("%v %+v: %v, want %s", c.side, c.c, err, c.want)
		}
	}
	if l.Current(9) != (fluid.Current{}) || l.Current(fluid.MinX) != good {
		t.Error(l.Current(9), l.Current(fluid.MinX))
	}
	if err := (fluid.Def{Domain: testrig.Box(1, 1, 1), CellSize: .1, Sides: fluid.Sides{MinZ: fluid.Flow + 1}}).Validate(); err == nil || !strings.Contains(err.Error(), "use Wall, Open or Flow") {
		t.Error(err)
	}
}

func TestCurrentAllocatesNothing(t *testing.T) {
	l := testrig.River(t, fluid.Def{Domain: testrig.Box(1.6, .8, .4), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Physics: fluid.Physics{Viscosity: 1e-3}}, fluid.MinX, .5, .43)
	testrig.GoesOn(t, l, 180)
	most := 0
	for range 30 {
		if n := testrig.Allocations(t, 1, func() { l.Step(testrig.Frame) }); n > 0 {
			most++
		}
	}
	if most > 0 {
		t.Errorf("%d of 30 steps allocate", most)
	}
}
