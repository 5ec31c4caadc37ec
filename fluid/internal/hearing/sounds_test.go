package hearing_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/sounds"
	"github.com/meniscus3d/meniscus/physics"
)

// heard takes steps at a rate, 1/s, for so long, s, and hands on what each sounds like.
func heard(t *testing.T, l *fluid.Liquid, rate, seconds float64, hear func(at float64, s *sounds.Source)) {
	t.Helper()
	for n := range int(rate * seconds) {
		if r := *l.Step(1 / rate); r.Err != nil {
			t.Fatal(r.Err)
		}
		all := l.Events().Sounds
		for i := range all {
			hear(float64(n+1)/rate, &all[i])
		}
	}
}

// splashEnergy adds up the energy of splashes, J.
func splashEnergy(t *testing.T, l *fluid.Liquid, rate, seconds float64) (sum float64) {
	heard(t, l, rate, seconds, func(_ float64, s *sounds.Source) {
		if s.Kind == sounds.Splash {
			sum += s.Energy
		}
	})
	return sum
}

// soundRates are lengths of steps, 1/s.
func soundRates() []float64 { return testrig.InShort([]float64{30, 120}, []float64{30, 60, 120, 240}) }

// droppedAt is how a drop is followed, and how many steps there are in a second.
type droppedAt struct {
	tracker fluid.Tracker
	rate    float64
}

// A drop of liquid that falls into a pool splashes with a good half of its energy, whatever the step.
func TestSplashOfADropGrowsWithItsHeight(t *testing.T) {
	const radius = .15
	mass := 1000 * 4. / 3 * math.Pi * radius * radius * radius
	for _, c := range testrig.InShort([]droppedAt{{fluid.LevelSet, 30}, {fluid.LevelSet, 120}}, []droppedAt{{fluid.LevelSet, 30}, {fluid.LevelSet, 60}, {fluid.LevelSet, 120}, {fluid.LevelSet, 240}, {fluid.ExplicitMesh, 60}, {fluid.Contouring, 60}}) {
		last, rate := 0., c.rate
		for _, height := range []float64{.2, .5, 1} {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 2, .8), CellSize: .05, Resources: fluid.Resources{Workers: 1}, Sounds: true, Tracker: c.tracker})
			testrig.Must(t, l.Fill(fluid.Below(.4)))
			testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .8, Y: .4 + radius + height, Z: .4}, radius)))
			e := splashEnergy(t, l, rate, 1)
			t.Logf("%v, %g Hz: a fall of %g m: %.3g J, %.2f of m g h", c.tracker, rate, height, e, e/(mass*9.81*height))
			part := e / (mass * 9.81 * height)
			if part < .33 {
				t.Errorf("%v, %g Hz: a fall of %g m splashes with %.2f of its energy; want .33 to .75", c.tracker, rate, height, part)
			}
			if e < 1.3*last {
				t.Errorf("%g Hz: a fall of %g m splashes with %.3g J, a lesser one with %.3g", rate, height, e, last)
			}
			last = e
			l.Close()
			most := .75
			if c.tracker == fluid.Contouring {
				most = .95 // of the fall of 1 m
			}
			testrig.FallsShort(t, "part of its energy that a drop splashes with", part, .75, most)
		}
	}
}

// So does a ball, which gives all of it, and a little more from the cavity that it leaves.
func TestSplashOfABallGrowsWithItsHeight(t *testing.T) {
	const radius, density = .1, 800
	mass := density * 4. / 3 * math.Pi * radius * radius * radius
	for _, rate := range soundRates() {
		for _, height := range []float64{.3, 1} {
			w := testrig.Earth()
			ball := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .4 + radius + height, Z: .4}, physics.Sphere(r3.Vec{}, radius), density)
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 2, .8), CellSize: .05, Resources: fluid.Resources{Workers: 1}, Sounds: true})
			testrig.Must(t, l.Fill(fluid.Below(.4)))
			l.Couple(w.Coupling())
			e, impulse, fastest := 0., 0., 0.
			heard(t, l, rate, 1.2, func(_ float64, s *sounds.Source) {
				if s.Kind == sounds.Splash {
					e, fastest = e+s.Energy, max(fastest, s.Speed)
					if s.Body == uint64(ball.ID()) {
						impulse += s.Impulse
					}
				}
			})
			part, falls := e/(mass*9.81*height), math.Sqrt(2*9.81*height)
			t.Logf("%g Hz: a fall of %g m: %.3g J, %.2f of m g h, %.3g N·s, %.2f m/s", rate, height, e, part, impulse, fastest)
			if part < .8 || part > 1.35 || impulse < .65*mass*falls || impulse > 1.2*mass*falls || math.Abs(fastest-falls) > .15*falls {
				t.Errorf("%g Hz: a fall of %g m: %.2f of its energy, %g N·s, %g m/s; want .8 to 1.35, %.3g to %.3g and %.3g", rate, height, part, impulse, fastest, .65*mass*falls, 1.2*mass*falls, falls)
			}
			l.Close()
		}
	}
}

// What only stands there or sways is not heard.
func TestCalmPoolAndWavesAreSilent(t *testing.T) {
	for _, rate := range soundRates() {
		for _, slope := range []float64{0, .05, .15} {
			w := testrig.Earth()
			testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 1, Y: .5, Z: .2}, physics.Box(physics.Centred(.2, .2, .2)), 500)
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 1.2, .4), CellSize: .05, Resources: fluid.Resources{Workers: 1}, Sounds: true})
			testrig.Must(t, l.Fill(fluid.HalfSpace(r3.Vec{X: 1, Y: .5}, r3.Unit(r3.Vec{X: slope, Y: 1}))))
			if slope == 0 {
				l.Couple(w.Coupling())
			}
			heard(t, l, rate, 2, func(at float64, s *sounds.Source) {
				t.Errorf("%g Hz, slope %g, %.2f s: %+v", rate, slope, at, *s)
			})
			l.Close()
		}
	}
}

// A tap and a sink are heard with their litres, the tap with its speed; and what plunges into the pool with about what of its power it loses there.
func TestTapIsHeard(t *testing.T) {
	for _, rate := range soundRates() {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .9, .6), CellSize: .025, Resources: fluid.Resources{Workers: 1}, Sounds: true})
		testrig.Must(t, l.Fill(fluid.Below(.3)))
		_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .1, Y: .1, Z: .1}, .05), Rate: 1, Stopped: true})
		testrig.Must(t, err)
		tap, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Cylinder(r3.Vec{X: .6, Y: .7, Z: .3}, r3.Vec{X: .6, Y: .8, Z: .3}, .05), Velocity: r3.Vec{Y: -1}, Rate: 7})
		testrig.Must(t, err)
		sink, err := l.AddSink(fluid.Sphere(r3.Vec{X: .2, Y: .1, Z: .2}, .05), 7)
		testrig.Must(t, err)
		litres, energy, starts, seconds := map[sounds.Kind]float64{}, map[sounds.Kind]float64{}, map[sounds.Kind]int{}, 1.
		heard(t, l, rate, seconds+.5, func(at float64, s *sounds.Source) {
			if s.Starts {
				starts[s.Kind]++
			}
			if at <= .5 {
				return
			}
			litres[s.Kind], energy[s.Kind] = litres[s.Kind]+s.Litres/rate/seconds, energy[s.Kind]+s.Energy/seconds
			switch s.Kind {
			case sounds.Tap:
				if s.Key != uint64(tap) || s.Speed != 1 || math.Abs(s.Size-math.Sqrt(s.Litres/1000/math.Pi)) > 1e-6 || s.Position.X != .6 {
					t.Errorf("%g Hz: %+v", rate, *s)
				}
			case sounds.Sink:
				if s.Key != uint64(sink) || r3.Norm(r3.Sub(s.Position, r3.Vec{X: .2, Y: .1, Z: .2})) > 1e-9 {
					t.Errorf("%g Hz: %+v", rate, *s)
				}
			}
		})
		if math.Abs(litres[sounds.Tap]-7) > .07 || math.Abs(litres[sounds.Sink]-7) > .07 || math.Abs(energy[sounds.Tap]-3.5) > .04 {
			t.Errorf("%g Hz: the tap has %.3g l/s and %.3g W, the sink %.3g l/s; want 7, 3.5 and 7", rate, litres[sounds.Tap], energy[sounds.Tap], litres[sounds.Sink])
		}
		if starts[sounds.Tap] != 1 || starts[sounds.Sink] != 1 {
			t.Errorf("%g Hz: the tap starts %d times, the sink %d", rate, starts[sounds.Tap], starts[sounds.Sink])
		}
		falls := .007 * 1000 * (.5 + 9.81*.4)
		t.Logf("%g Hz: it plunges in with %.4g W, of which %.4g W splash, with %.3g l/s of air", rate, falls, energy[sounds.Splash], litres[sounds.Bubbles])
		if p := energy[sounds.Splash]; p < .25*falls || p > 1.1*falls || litres[sounds.Bubbles] <= 0 || litres[sounds.Bubbles] > 7 {
			t.Errorf("%g Hz: %.3g W splash of %.3g W, with %g l/s of air", rate, p, falls, litres[sounds.Bubbles])
		}
		l.Close()
	}
}

// What comes in through a side and goes out through another is heard there, with the litres of the ledger.
func TestRiverIsHeard(t *testing.T) {
	for _, out := range []fluid.Side{fluid.Flow, fluid.Open} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 1, .5), CellSize: .05, Resources: fluid.Resources{Workers: 1}, Sounds: true, Sides: fluid.Sides{MinX: fluid.Flow, MaxX: out}})
		testrig.Must(t, l.Fill(fluid.Below(.4)))
		testrig.Must(t, l.SetCurrent(fluid.MinX, fluid.Current{Velocity: .5, Level: .4}))
		if out == fluid.Flow {
			testrig.Must(t, l.SetCurrent(fluid.MaxX, fluid.Current{Velocity: -.5}))
		}
		var litres [6]float64
		heard(t, l, 60, 1, func(_ float64, s *sounds.Source) {
			if s.Kind == sounds.Side {
				litres[s.Key] += s.Litres / 60
				if s.Key == uint64(fluid.MinX) && (s.Speed != .5 || s.Position.X > .01) || s.Key == uint64(fluid.MaxX) && s.Position.X < 1.6 {
					t.Errorf("%+v", *s)
				}
			}
		})
		g := l.Ledger()
		if math.Abs(litres[fluid.MinX]-g.EmittedL) > .01*g.EmittedL || math.Abs(litres[fluid.MaxX]-g.DrainedL) > .01*g.DrainedL || litres[fluid.MinX]+litres[fluid.MaxX] < 50 {
			t.Errorf("side %d: %.2f l are heard to come and %.2f l to go; the ledger has %+v", out, litres[fluid.MinX], litres[fluid.MaxX], g)
		}
		l.Close()
	}
}

// Rain has the droplets, litres and area of what falls.
func TestRainIsHeard(t *testing.T) {
	for _, rate := range soundRates() {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Sounds: true})
		testrig.Must(t, l.Fill(fluid.Below(.3)))
		const litres = .02
		over := r3.Box{Min: r3.Vec{X: .2, Y: 1, Z: .2}, Max: r3.Vec{X: 1.4, Y: 1.1, Z: .6}}
		_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Box(over), Rate: litres, Velocity: r3.Vec{Y: -2}})
		testrig.Must(t, err)
		var rain []sounds.Source
		drops := 0
		heard(t, l, rate, testrig.InShort(4., 8.), func(at float64, s *sounds.Source) {
			if s.Kind == sounds.Rain && at > 2 {
				rain = append(rain, *s)
			}
			if s.Kind == sounds.Drop && at > 2 {
				drops++
			}
		})
		if len(rain) == 0 {
			t.Fatalf("%g Hz: no rain", rate)
		}
		var q, area, speed, n float64
		for i := range rain {
			q, area, speed, n = q+rain[i].Litres, area+rain[i].Area, speed+rain[i].Speed, n+rain[i].Rate
		}
		k := float64(len(rain))
		q, area, speed, n = q/k, area/k, speed/k, n/k
		single := float64(drops) / testrig.InShort(2., 6.)
		falls := math.Sqrt(4 + 2*9.81*.75)
		t.Logf("%g Hz: %.4g l/s, %.3g m², %.3g m/s, %.3g drops a second, %.3g of them single", rate, q, area, speed, n, single)
		if math.Abs(q-litres) > .1*litres || math.Abs(area-1.2*.4) > .1*1.2*.4 || math.Abs(n-single) > .1*single || math.Abs(speed-falls) > .1*falls {
			t.Errorf("%g Hz: %.4g l/s on %.3g m² at %.3g m/s, %.3g drops a second; want %g, .48, %.3g, %.3g", rate, q, area, speed, n, litres, falls, single)
		}
		l.Close()
	}
}

// What is heard is the same for any number of workers, and hearing changes no bit of the state.
func TestSoundsForAnyWorkers(t *testing.T) {
	run := func(workers int, hears bool) (all []sounds.Source, hash uint64) {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 1.2, .6), CellSize: .05, Resources: fluid.Resources{Workers: workers}, Sounds: hears})
		defer l.Close()
		testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .6, Y: .8, Z: .6}})))
		for range 60 {
			l.Step(testrig.Frame)
			all = append(all, l.Events().Sounds...)
		}
		return all, l.Hash()
	}
	want, hash := run(1, true)
	if len(want) < 20 {
		t.Fatalf("%d sounds", len(want))
	}
	for _, workers := range []int{2, 5} {
		if got, h := run(workers, true); !slices.Equal(got, want) || h != hash {
			t.Errorf("%d workers hear something else", workers)
		}
	}
	if none, h := run(2, false); len(none) != 0 || h != hash {
		t.Errorf("hearing changes the state, or %d sounds come without it", len(none))
	}
}

// A bubble that is let loose under water rises and comes to the surface; its size is that of its air.
func TestPocketSurfaces(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, 1.2, .8), CellSize: .05, Resources: fluid.Resources{Workers: 1}, Sounds: true})
	testrig.Must(t, l.Fill(fluid.Below(.9)))
	testrig.Must(t, l.Drain(fluid.Sphere(r3.Vec{X: .4, Y: .3, Z: .4}, .15)))
	var formed, surfaced int
	heard(t, l, 60, 2, func(at float64, s *sounds.Source) {
		if s.Kind < sounds.PocketFormed {
			return
		}
		t.Logf("%.2f s: %v of %.3f m at %.2f m", at, s.Kind, s.Size, s.Position.Y)
		if math.Abs(s.Size-.15) > .04 {
			return // a film of air as it breaks through
		}
		switch s.Kind {
		case sounds.PocketFormed:
			formed++
			if at > .1 || s.Position.Y > .4 || math.Abs(s.Frequency()-sounds.Minnaert(.15)) > 6 {
				t.Errorf("%.2f s: %+v", at, *s)
			}
		case sounds.PocketSurfaced:
			surfaced++
			if at < .3 || s.Position.Y < .6 {
				t.Errorf("%.2f s: %+v", at, *s)
			}
		}
	})
	if formed != 1 || surfaced != 1 {
		t.Errorf("%d such formed, %d surfaced; want 1 and 1", formed, surfaced)
	}
}

// Steps that are heard allocate no more than others: taken again, nothing.
func TestHearingAllocatesNothing(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 1.2, .6), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Sounds: true})
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .6, Y: .8, Z: .6}})))
	_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Box(r3.Box{Min: r3.Vec{X: .2, Y: 1, Z: .1}, Max: r3.Vec{X: 1.8, Y: 1.1, Z: .5}}), Rate: .02, Velocity: r3.Vec{Y: -2}})
	testrig.Must(t, err)
	start := testrig.New(t, l.Def())
	testrig.Must(t, l.CopyTo(start))
	for pass := range 3 {
		testrig.Must(t, start.CopyTo(l))
		for n := range 90 {
			count := 0
			if got := testrig.Mallocs(func() {
				l.Step(testrig.Frame)
				count += len(l.Events().Sounds)
			}); pass == 2 && got > 0 {
				t.Errorf("step %d allocates %d times", n, got)
			}
		}
	}
}
