package whitewater_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
	"github.com/meniscus3d/meniscus/physics"
)

// soundStep is a step that is sound.
func soundStep(t *testing.T, l *fluid.Liquid) fluid.Report {
	t.Helper()
	r := *l.Step(testrig.Frame)
	testrig.Sound(t, l, r)
	return r
}

// whites are the particles of a kind.
func whites(l *fluid.Liquid, kind uint8) (at []r3.Vec) {
	w := &l.Surface().WhiteWater
	for i, k := range w.Kind {
		if x := w.Spheres[4*i:]; k == kind {
			at = append(at, r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])})
		}
	}
	return at
}

// shareOf is the part of places for which something holds.
func shareOf(at []r3.Vec, holds func(x r3.Vec) bool) float64 {
	n := 0
	for _, x := range at {
		if holds(x) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(at)))
}

// A dam that breaks makes spray at its front, and at the far wall once it is there; foam is at the surface and bubbles are below it.
func TestDamBreakMakesWhiteWater(t *testing.T) {
	l := testrig.BrokenDam(t, .067, 0, 20_000)
	most := [3]int{}
	for n := range 75 {
		r := soundStep(t, l)
		w := r.WhiteWater
		most = [3]int{max(most[0], w.Spray), max(most[1], w.Foam), max(most[2], w.Bubbles)}
		all := l.Surface().WhiteWater
		if n := w.Spray + w.Foam + w.Bubbles; n != len(all.Kind) || 4*n != len(all.Spheres) || 3*n != len(all.Velocities) || n != len(all.Life) || n != r.Stages[fluid.StageWhiteWater].Count {
			t.Fatalf("step %d: %+v, but %d particles", r.Step, w, len(all.Kind))
		}
		switch n {
		case 19: // the front is half way
			if at := shareOf(whites(l, fluid.WhiteSpray), func(x r3.Vec) bool { return x.X > 1.6 && x.X < 3.4 }); at < .9 || w.Spray < 100 {
				t.Errorf("step %d: %+v, %.2f of the spray at the front", r.Step, w, at)
			}
		case 59: // water shoots up the far wall
			spray, foam := whites(l, fluid.WhiteSpray), whites(l, fluid.WhiteFoam)
			at, high := shareOf(spray, func(x r3.Vec) bool { return x.X > 3.2 }), shareOf(spray, func(x r3.Vec) bool { return x.X > 3.2 && x.Y > .8 })
			near := shareOf(foam, func(x r3.Vec) bool { return x.X > 2.5 })
			t.Logf("%+v; at the wall %.2f of the spray, %.2f of it above the dam's front, and %.2f of the foam", w, at, high, near)
			if at < .8 || high < .4 || near < .6 || w.Spray < 200 {
				t.Errorf("%+v: at the wall %.2f of the spray, %.2f of it high, and %.2f of the foam", w, at, high, near)
			}
		}
	}
	whitesAreWhereTheyBelong(t, l)
	t.Logf("at most %d spray, %d foam, %d bubbles", most[0], most[1], most[2])
	if most[0] < 2000 || most[1] < 2000 || most[2] < 1000 {
		t.Errorf("at most %d spray, %d foam, %d bubbles", most[0], most[1], most[2])
	}
}

// whitesAreWhereTheyBelong checks the particles' places by Sample.
func whitesAreWhereTheyBelong(t *testing.T, l *fluid.Liquid) {
	t.Helper()
	cell, domain := l.Def().CellSize, l.Def().Domain
	w := &l.Surface().WhiteWater
	distance, at := make([]float32, 1), make([]r3.Vec, 1)
	var off [3]float64
	var count, far [3]int
	noneIsInASolid(t, l)
	for i, k := range w.Kind {
		x := r3.Vec{X: float64(w.Spheres[4*i]), Y: float64(w.Spheres[4*i+1]), Z: float64(w.Spheres[4*i+2])}
		v := r3.Vec{X: float64(w.Velocities[3*i]), Y: float64(w.Velocities[3*i+1]), Z: float64(w.Velocities[3*i+2])}
		if life := w.Life[i]; !(life > 0 && life <= 1) || !(w.Spheres[4*i+3] > 0) || k > fluid.WhiteBubble || !(r3.Norm(v) < 100) {
			t.Fatalf("particle %d: life %g, radius %g, kind %d, %g m/s", i, life, w.Spheres[4*i+3], k, v)
		}
		if x.X < domain.Min.X || x.X > domain.Max.X || x.Y < domain.Min.Y || x.Y > domain.Max.Y || x.Z < domain.Min.Z || x.Z > domain.Max.Z {
			t.Fatalf("particle %d is at %g", i, x)
		}
		at[0] = r3.Sub(x, r3.Scale(testrig.Blocks(l).OutputDelay(), v))
		testrig.FV(l).Tracker.Distance(distance, at)
		d := float64(distance[0]) / cell
		count[k]++
		off[k] += math.Abs(d)
		if k == fluid.WhiteSpray && d < -1 || k == fluid.WhiteFoam && math.Abs(d) > 2 || k == fluid.WhiteBubble && d > 1 {
			far[k]++
		}
	}
	for k := range far {
		if 50*far[k] > count[k]+50 {
			t.Errorf("%d of %d particles of kind %d are on the wrong side of the surface", far[k], count[k], k)
		}
	}
	if n := count[fluid.WhiteFoam]; n > 0 && off[fluid.WhiteFoam]/float64(n) > .5 {
		t.Errorf("foam is %.2f cells from the surface on average", off[fluid.WhiteFoam]/float64(n))
	}
}

func noneIsInASolid(t *testing.T, l *fluid.Liquid) {
	t.Helper()
	w := &l.Surface().WhiteWater
	places, samples := make([]r3.Vec, len(w.Kind)), make([]fluid.Sample, len(w.Kind))
	for i := range places {
		places[i] = r3.Vec{X: float64(w.Spheres[4*i]), Y: float64(w.Spheres[4*i+1]), Z: float64(w.Spheres[4*i+2])}
	}
	l.Sample(samples, places)
	for i := range samples {
		if samples[i].Medium == fluid.MediumSolid {
			t.Fatalf("particle %d is in a solid at %g", i, places[i])
		}
	}
}

// What a dam makes hardly depends on the cells' size: each potential has its thresholds in physical units, and a rate per area.
func TestWhiteWaterForThreeCellSizes(t *testing.T) {
	made := []int{}
	for _, cell := range []float64{.1, .067, .05}[:testrig.InShort(2, 3)] {
		l := testrig.BrokenDam(t, cell, 0, 20_000)
		testrig.WhiteWater(l).Fill *= 16 // so few that none are left out
		sum := 0
		for range 100 {
			sum += soundStep(t, l).WhiteWater.Made
		}
		made = append(made, sum)
	}
	t.Logf("%d particles", made)
	for _, n := range made {
		if r := float64(n) / float64(made[0]); n < 1000 || r < .6 || r > 1.6 {
			t.Errorf("%d particles", made)
		}
	}
}

// droppedBall makes a ball fall from a height, m, over water, and counts the particles that it makes in a second from then on.
func droppedBall(t *testing.T, height float64) (made int) {
	t.Helper()
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 2.4, 1.6), CellSize: .067, Numerics: fluid.Numerics{Levels: 2}, WhiteWater: 20_000})
	testrig.Must(t, l.Fill(fluid.Below(.6)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .8, Y: .81, Z: .8}, Velocity: r3.Vec{Y: -math.Sqrt(2 * 9.81 * height)}},
		physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .2), Density: 800})
	l.Couple(w.Coupling())
	for n := range 60 {
		made += soundStep(t, l).WhiteWater.Made
		if n%20 == 19 {
			whitesAreWhereTheyBelong(t, l)
		}
	}
	return made
}

// The higher a ball falls from, the more white water it makes.
func TestWhiteWaterRisesWithImpactEnergy(t *testing.T) {
	var made []int
	for _, height := range []float64{.2, .6, 1.5} {
		made = append(made, droppedBall(t, height))
	}
	t.Logf("%d particles", made)
	if made[0] < 50 || float64(made[1]) < 1.5*float64(made[0]) || float64(made[2]) < 1.4*float64(made[1]) {
		t.Errorf("%d particles", made)
	}
}

// A tap makes bubbles in the water below it.
func TestTapMakesBubbles(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .067, Numerics: fluid.Numerics{Levels: 2}, WhiteWater: 20_000})
	testrig.Must(t, l.Fill(fluid.Below(.6)))
	_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .8, Y: 1.35, Z: .8}, .15), Velocity: r3.Vec{Y: -2}, Rate: 70})
	testrig.Must(t, err)
	var r fluid.Report
	for range 60 {
		r = soundStep(t, l)
	}
	whitesAreWhereTheyBelong(t, l)
	bubbles := whites(l, fluid.WhiteBubble)
	below := shareOf(bubbles, func(x r3.Vec) bool { return x.Y < .65 && math.Hypot(x.X-.8, x.Z-.8) < .5 })
	deep := shareOf(bubbles, func(x r3.Vec) bool { return x.Y < .45 })
	t.Logf("%+v; %.2f of the bubbles are around the jet, %.2f deep", r.WhiteWater, below, deep)
	if len(bubbles) < 300 || below < .8 || deep < .3 || r.WhiteWater.Spray > len(bubbles)/4 {
		t.Errorf("%+v; %.2f of the bubbles are around the jet, %.2f deep", r.WhiteWater, below, deep)
	}
}

// Still water makes no white water, and neither do waves that don't break.
func TestCalmPoolMakesNoWhiteWater(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, .8, .4), CellSize: .05, WhiteWater: 5000})
	testrig.Must(t, l.Fill(fluid.Below(.4)))
	count := func(steps int) (made int) {
		for range steps {
			r := *l.Step(testrig.Frame)
			made += r.WhiteWater.Made
		}
		return made
	}
	if n := count(60); n != 0 {
		t.Errorf("still water makes %d particles", n)
	}
	testrig.Must(t, l.SetVelocity(fluid.Below(.8), func(x r3.Vec) r3.Vec { return r3.Vec{X: .4 * math.Sin(math.Pi*x.X/2)} }))
	if n := count(120); n != 0 {
		t.Errorf("a standing wave makes %d particles", n)
	}
}

// Once water is at rest its white water goes on ageing, though the liquid sleeps; after five seconds there is none, and it costs nothing.
func TestNoWhiteWaterAtRest(t *testing.T) {
	l := testrig.BrokenDam(t, .1, 0, 5000)
	for range 60 {
		l.Step(testrig.Frame)
	}
	testrig.Must(t, l.Drain(fluid.Below(2)))
	testrig.Must(t, l.Fill(fluid.Below(.4)))
	asleep := 0
	for n := range 100 {
		r := *l.Step(.05)
		if r.Asleep() && r.Stages[fluid.StageWhiteWater].Count > 0 {
			asleep++
		}
		if count := len(l.Surface().WhiteWater.Kind); n == 20 && count < 100 {
			t.Errorf("%d particles are left after a second", count)
		}
	}
	r := *l.Step(.05)
	if n := len(l.Surface().WhiteWater.Kind); n > 0 || r.Stages[fluid.StageWhiteWater] != (fluid.StageReport{}) || !r.Asleep() || asleep < 10 {
		t.Errorf("%d particles are left after 5 s; the stage took %+v; there were some in %d steps that slept", n, r.Stages[fluid.StageWhiteWater], asleep)
	}
}

// livelyWhite is the lively scene with white water and wind.
func livelyWhite(t testing.TB, workers int, budget fluid.Budget) testrig.PairOf {
	t.Helper()
	l, w := testrig.LivelyWith(t, fluid.Def{WhiteWater: 3000, Budget: budget, Resources: fluid.Resources{Workers: workers}})
	testrig.Must(t, l.SetWind(fluid.Wind{Velocity: r3.Vec{X: 3}}))
	return testrig.PairOf{L: l, W: w}
}

// With bodies, an obstacle, a field, wind and a budget the same calls give the same particles, for any number of workers.
func TestWhiteWaterSameForAnyWorkers(t *testing.T) {
	steps := testrig.InShort(40, 80)
	run := func(workers int) (digests []uint64, particles int) {
		p := livelyWhite(t, workers, fluid.Budget{Work: 3})
		for n := range steps {
			digests = append(digests, p.Step(t, n))
			particles = max(particles, len(p.L.Surface().WhiteWater.Kind))
			if workers == 1 {
				noneIsInASolid(t, p.L) // foam creeps along an obstacle, bodies move over it
			}
		}
		whitesAreWhereTheyBelong(t, p.L)
		return digests, particles
	}
	want, particles := run(1)
	if particles < 300 {
		t.Errorf("%d particles", particles)
	}
	for _, workers := range []int{4, 2}[:testrig.InShort(1, 2)] {
		got, _ := run(workers)
		for n := range want {
			if got[n] != want[n] {
				t.Fatalf("%d workers: step %d gave other bits", workers, n+1)
			}
		}
	}
}

// A copy, a saved run and a rehearsal go on alike; a liquid that may have none, or fewer, takes the rest.
func TestWhiteWaterIsState(t *testing.T) {
	a := livelyWhite(t, 1, fluid.Budget{Work: 3})
	for n := range 30 {
		a.Step(t, n)
	}
	was := a.L.Hash()
	a.L.Prewarm()
	if a.L.Hash() != was {
		t.Error("Prewarm changes the white water")
	}
	var snapshot fluid.Snapshot
	a.L.Snapshot(&snapshot)
	if snapshot.Hash() != was {
		t.Error("a snapshot has another hash")
	}
	b, c := livelyWhite(t, 2, fluid.Budget{Work: 3}), livelyWhite(t, 1, fluid.Budget{Work: 3})
	for n := range 5 {
		b.Step(t, n)
	}
	file := testrig.Saved(t, a.L)
	testrig.Restore(t, b.L, file)
	a.W.CopyTo(b.W)
	a.CopyTo(t, c)
	if b.L.Hash() != was || c.L.Hash() != was {
		t.Error("what was restored or copied has another hash")
	}
	d := a.L.Def()
	d.WhiteWater = 0
	none := testrig.Bare(t, d, 1)
	a.W.CopyTo(none.W)
	testrig.Must(t, a.L.CopyTo(none.L))
	if n := len(none.L.Surface().WhiteWater.Kind); n > 0 {
		t.Errorf("a liquid without white water has copied %d particles", n)
	}
	before := len(a.L.Surface().WhiteWater.Kind)
	for n := 30; n < 45; n++ {
		x := a.Step(t, n)
		if b.Step(t, n) != x || c.Step(t, n) != x {
			t.Fatalf("step %d differs", n+1)
		}
	}
	testrig.Restore(t, a.L, testrig.Saved(t, none.L))
	if n := len(a.L.Surface().WhiteWater.Kind); n > 0 || before < 100 {
		t.Errorf("%d particles are left, of %d, after a file without any", n, before)
	}
}

// A budget that the liquid does not fit thins white water before it takes anything else, and by no more than three quarters.
func TestBudgetThinsWhiteWater(t *testing.T) {
	for _, c := range []struct {
		work float64
		want func(p fluid.Plan) bool
	}{
		{1000, func(p fluid.Plan) bool { return p.WhiteWater == 20_000 && p.Reason == "all detail fits" }},
		{1, func(p fluid.Plan) bool { return p.WhiteWater == 5000 }},
	} {
		l := testrig.BrokenDam(t, .1, 1, 20_000)
		testrig.Must(t, l.SetBudget(fluid.Budget{Work: c.work}))
		var r fluid.Report
		for range 40 {
			if r = *l.Step(testrig.Frame); len(l.Surface().WhiteWater.Kind) > 20_000 {
				t.Fatal("there are more than there may be")
			}
		}
		if !c.want(r.Plan) {
			t.Errorf("Work %g: %+v", c.work, r.Plan)
		}
	}
}

// A run that follows another's plans has its white water, whatever the clock said.
func TestWhiteWaterReplays(t *testing.T) {
	budget := fluid.Budget{Step: 3 * time.Millisecond}
	a, b := livelyWhite(t, 1, budget), livelyWhite(t, 2, budget)
	for n := range testrig.InShort(30, 60) {
		testrig.StirLively(t, a.L, n)
		testrig.StirLively(t, b.L, n)
		testrig.Must(t, b.L.Replay(a.L.Step(testrig.Frame).Plan))
		b.L.Step(testrig.Frame)
		if a.L.Hash() != b.L.Hash() {
			t.Fatalf("step %d differs", n+1)
		}
	}
	if n := len(a.L.Surface().WhiteWater.Kind); n < 50 {
		t.Errorf("%d particles", n)
	}
}

// However the surface is followed, and without gravity, white water comes where the liquid is wild, and stays where it belongs.
func TestWhiteWaterOfAllTrackers(t *testing.T) {
	for _, c := range []struct {
		name string
		def  fluid.Def
	}{
		{"contouring", fluid.Def{Tracker: fluid.Contouring}}, {"mesh", fluid.Def{Tracker: fluid.ExplicitMesh}}, {"weightless", fluid.Def{Physics: fluid.Physics{Weightless: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.def
			d.Domain, d.CellSize, d.WhiteWater = testrig.Box(1.6, .8, .8), .08, 3000
			l := testrig.New(t, d)
			testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.6, .64, .8))))
			testrig.Must(t, l.SetVelocity(fluid.Box(testrig.Box(.7, .7, .8)), func(r3.Vec) r3.Vec { return r3.Vec{X: 3} }))
			made := 0
			for range 30 {
				made += soundStep(t, l).WhiteWater.Made
			}
			whitesAreWhereTheyBelong(t, l)
			t.Logf("%d made, %d left", made, len(l.Surface().WhiteWater.Kind))
			if made < 200 {
				t.Errorf("%d particles were made", made)
			}
		})
	}
}

// Particles leave by open sides.
func TestWhiteWaterLeavesByOpenSides(t *testing.T) {
	d := testrig.BrokenDam(t, .1, 1, 5000).Def()
	d.Sides.MaxX = fluid.Open
	l := testrig.New(t, d)
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(1.4, 1.2, 1.5))))
	testrig.Must(t, l.Fill(fluid.Below(.15)))
	for range 90 {
		soundStep(t, l)
	}
	whitesAreWhereTheyBelong(t, l)
	beside := func(x r3.Vec) bool { return x.X > 3.999 }
	for kind := range fluid.WhiteBubble + 1 {
		if at := whites(l, kind); shareOf(at, beside) > .1 {
			t.Errorf("%.2f of %d particles of kind %d stick to the open side", shareOf(at, beside), len(at), kind)
		}
	}
}

// Bad numbers are refused by name.
func TestWhiteWaterBadInput(t *testing.T) {
	ok := fluid.Def{Domain: testrig.Box(1, 1, 1), CellSize: .1}
	for want, change := range map[string]func(d *fluid.Def){
		"Def.WhiteWater: -1 particles; must be 0 to 1048576":           func(d *fluid.Def) { d.WhiteWater = -1 },
		"Def.WhiteWater: 1048577 particles; must be 0 to 1048576":      func(d *fluid.Def) { d.WhiteWater = whitewater.MostParticles + 1 },
		"Def.WhiteWater: 5 particles; must be 0 for Tracker NoSurface": func(d *fluid.Def) { d.WhiteWater, d.Tracker = 5, fluid.NoSurface },
		"MaxMemory, 40 MiB": func(d *fluid.Def) { d.WhiteWater, d.Resources.MaxMemory = whitewater.MostParticles, 40<<20 },
	} {
		d := ok
		change(&d)
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	ok.Resources.MaxMemory = 40 << 20
	testrig.Must(t, ok.Validate())
	l := testrig.New(t, ok)
	p := l.Step(testrig.Frame).Plan
	p.WhiteWater = -1
	if err := l.Replay(p); err == nil || !strings.Contains(err.Error(), "Plan.WhiteWater: -1; must be 0 to") {
		t.Error(err)
	}
}
