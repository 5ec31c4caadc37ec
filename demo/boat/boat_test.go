package main

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .2) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .2) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }
func TestAsync(t *testing.T)               { playtest.Async(t) }
func TestTraced(t *testing.T)              { playtest.Traced(t, &demo, .2) }
func TestLikeness(t *testing.T)            { playtest.Likeness(t, .1, 60, [2]float64{.83, .81}) }

// dock is just large enough for the boat.
var dock = harbour{domain: r3.Box{Min: r3.Vec{X: -1.9, Z: -.9}, Max: r3.Vec{X: 1.9, Y: 1.4, Z: .9}}, level: .75}

// idle is a boat that nobody steers in a harbour without waves. work: thousands of unknowns; 0: no limit.
func idle(t *testing.T, h harbour, cell, work float64) *boat {
	t.Helper()
	b, err := newBoat(h, fluid.Def{CellSize: cell})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	b.manual, b.loaded, b.paddle.on = true, true, false
	spend(t, b, work)
	return b
}

func spend(t *testing.T, b *boat, work float64) {
	t.Helper()
	if err := b.Liquid().SetBudget(fluid.Budget{Work: work}); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, b *boat, seconds float64) {
	t.Helper()
	for range int(seconds / play.Timestep) {
		if r, err := play.Step(b); err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
	}
}

// stiffness is the righting moment by a small heel, N·m/rad, from the metacentric height of an
// upright hull.
func (b *boat) stiffness() float64 {
	mass, moment := b.vessel.hull.Mass(), b.vessel.hull.Mass()*(b.vessel.hull.CentreOfMass().Y-b.vessel.keel())
	for _, c := range b.crates {
		mass += c.body.Mass()
		moment += c.body.Mass() * (c.body.CentreOfMass().Y - b.vessel.keel())
	}
	draft := mass / (b.density() * waterplane)
	inertia := length*beam*beam*beam/12 + prowLength*beam*beam*beam/48 // of the area that the hull cuts out of the surface, m⁴
	height := draft/2 + inertia/(waterplane*draft) - moment/mass
	return mass * 9.81 * height
}

// The lighter, let fall by a hand's breadth, floats at its draft; loaded at the side it goes
// deeper and heels as its metacentre says; holed, it sinks, and what is lighter than water
// comes up.
func TestFloatsHeelsAndSinks(t *testing.T) {
	if testing.Short() {
		t.Skip("15 s of the harbour")
	}
	b := idle(t, dock, .06, 0)
	if err := b.moor(r3.Add(b.vessel.hull.Position(), r3.Vec{Y: .04})); err != nil {
		t.Fatal(err)
	}
	run(t, b, 3)
	draft := b.vessel.draftFor(b.aboard(), b.density())
	t.Logf("draft %.4f m, by weight %.4f; heel %.2f°", b.draft, draft, b.heel*180/math.Pi)
	if math.Abs(b.draft-draft) > .05*draft {
		t.Errorf("draft %.4f m, want %.4f", b.draft, draft)
	}
	even := b.heel

	if err := b.load(); err != nil {
		t.Fatal(err)
	}
	run(t, b, 3)
	draft = b.vessel.draftFor(b.aboard(), b.density())
	_, _, side := b.vessel.axes()
	moment := 0.
	for _, c := range b.crates {
		moment += 9.81 * c.body.Mass() * r3.Dot(side, r3.Sub(c.body.Position(), b.vessel.hull.Position()))
	}
	heel := moment / b.stiffness()
	t.Logf("draft %.4f m, by weight %.4f; heel %.2f° (%.2f° before), by metacentre %.2f°", b.draft, draft, b.heel*180/math.Pi, even*180/math.Pi, heel*180/math.Pi)
	if math.Abs(b.draft-draft) > .05*draft {
		t.Errorf("loaded: draft %.4f m, want %.4f", b.draft, draft)
	}
	if math.Abs(b.heel-even-heel) > .2*heel {
		t.Errorf("loaded: it heels by %.2f° more, want %.2f°", (b.heel-even)*180/math.Pi, heel*180/math.Pi)
	}

	spend(t, b, 4)
	if err := b.hole(); err != nil {
		t.Fatal(err)
	}
	run(t, b, 9)
	if top := b.vessel.keel() + depth; top > b.level {
		t.Errorf("holed, its gunwale is at %.2f m, the water at %.2f m", top, b.level)
	}
	for i, c := range b.crates {
		if up := c.body.Position().Y > b.level-crateEdge; up != (c.ratio < 1) {
			t.Errorf("crate %d of %.1f times water's density is at %v", i, c.ratio, c.body.Position())
		}
	}
}

// The boat goes ahead, and to port with the wheel.
func TestSteers(t *testing.T) {
	b := idle(t, basin, .1, 6)
	take := func(throttle, wheel float64) {
		if err := b.take(throttle, wheel); err != nil {
			t.Fatal(err)
		}
	}
	take(1, 0)
	run(t, b, 2)
	if v, heading := b.vessel.speed(), b.vessel.heading(); v < 1.2 || math.Abs(heading) > .05 {
		t.Errorf("%.2f m/s ahead, %.2f rad off", v, heading)
	}
	take(0, 1)
	run(t, b, 3)
	if angle := b.vessel.tiller.Angle(); b.vessel.heading() < .2 || math.Abs(angle+lock) > .2 {
		t.Errorf("%.2f rad to port with the rudder at %.2f rad", b.vessel.heading(), angle)
	}
}

// The pilot's boat is fast enough for a bow wave that breaks: white water begins at 1 m/s.
func TestWake(t *testing.T) {
	if testing.Short() {
		t.Skip("four seconds of the harbour")
	}
	b, err := newBoat(basin, fluid.Def{CellSize: .08, WhiteWater: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	spend(t, b, 8)
	fastest, most := 0., 0
	for range 80 {
		run(t, b, 3*play.Timestep)
		fastest, most = max(fastest, b.vessel.speed()), max(most, len(b.Liquid().Surface().WhiteWater.Kind))
	}
	t.Logf("%.2f m/s, %d particles of white water", fastest, most)
	if fastest < 1.5 || most < 20 {
		t.Errorf("%.2f m/s, want 1.5 at least; %d particles of white water, want 20", fastest, most)
	}
}

// A hand lifts a crate out of the hold, while the boat floats.
func TestHandLiftsACrate(t *testing.T) {
	b := idle(t, dock, .1, 0)
	run(t, b, .2)
	var hand scene.Grabber
	crate := b.crates[0].body
	eye := r3.Add(crate.Position(), r3.Vec{Y: 2, Z: 2})
	look := func(at r3.Vec) r3.Vec { return r3.Unit(r3.Sub(at, eye)) }
	from := crate.Position()
	if !hand.Grab(b.World(), eye, look(from)) || hand.Held() != crate {
		t.Fatalf("the hand holds %q, not the crate at %v (hull at %v)", hand.Held().Name(), from, b.vessel.hull.Position())
	}
	for n := range 90 {
		if err := hand.Move(eye, look(r3.Add(from, r3.Vec{Y: min(1, float64(n)/60)})), play.Timestep); err != nil {
			t.Fatal(err)
		}
		run(t, b, play.Timestep)
	}
	if up := crate.Position().Y - from.Y; up < .5 {
		t.Errorf("the crate is %.2f m higher", up)
	}
	hand.Release()
	run(t, b, .5)
}

// The programme loads and holes, and the pilot lets the engine go then.
func TestProgramme(t *testing.T) {
	b := idle(t, basin, .2, 2)
	b.manual, b.loaded = false, false
	crates, holes := 0, 0
	b.onCrate, b.onHole = func(crate) { crates++ }, func() { holes++ }
	for _, at := range []float64{0, loadAt, holeAt} {
		b.Time = at
		if err := b.Cue(); err != nil {
			t.Fatal(err)
		}
	}
	if crates != 1 || holes != 1 || b.vessel.hatch.Valid() || b.vessel.throttle != 0 {
		t.Errorf("%d crates, %d holes, throttle %g", crates, holes, b.vessel.throttle)
	}
	for range 2 * mostCrates {
		if err := b.load(); err != nil {
			t.Fatal(err)
		}
	}
	if len(b.crates) != mostCrates {
		t.Errorf("%d crates", len(b.crates))
	}
}

// The plates leave no gap and don't overlap: together they are the hull without its hold.
func TestHullIsWhole(t *testing.T) {
	volume := 0.
	for _, s := range hullShapes() {
		if s.UserData == cabinPart || s.UserData == prowPart {
			continue
		}
		w := physics.NewWorld(physics.WorldDef{})
		body, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic})
		if err == nil {
			_, err = body.AddShape(s)
		}
		if err != nil {
			t.Fatal(err)
		}
		volume += body.Mass() / plateDensity
	}
	if want := length*beam*depth - (length-2*plate)*(beam-2*plate)*(depth-plate); math.Abs(volume-want) > 1e-9 {
		t.Errorf("%.4f m³ of plates, want %.4f", volume, want)
	}
}

// The paddle stays within its stroke, and goes back to the middle when it is off.
func TestPaddle(t *testing.T) {
	w := physics.NewWorld(physics.WorldDef{})
	p, err := basin.newPaddle(w)
	if err != nil {
		t.Fatal(err)
	}
	furthest := 0.
	beat := func(seconds float64) {
		for range int(seconds / play.Timestep) {
			if err := p.beat(play.Timestep); err != nil {
				t.Fatal(err)
			}
			w.Step(play.Timestep)
			furthest = max(furthest, math.Abs(p.body.Position().X-p.home.X))
		}
	}
	beat(10)
	if furthest > stroke+1e-9 || furthest < .95*stroke {
		t.Errorf("it moves by %g m to either side, want %g", furthest, stroke)
	}
	p.on = false
	beat(1)
	if off := math.Abs(p.body.Position().X - p.home.X); off > 1e-9 {
		t.Errorf("off, it stays %g m from the middle", off)
	}
}

func TestDecor(t *testing.T) { playtest.Decor(t, basin.surroundings(), basin.domain) }
