package sleep_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// harbour is a flume with crates at its far end, all but one of them afloat.
type harbour struct {
	*flume
	w      *physics.World
	crates []physics.Body
}

const sunken = 3 // the index of the crate that lies on the bottom

func newHarbour(t testing.TB, workers int, awake bool) *harbour {
	t.Helper()
	h := &harbour{flume: newFlume(t, workers, awake), w: physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: awake})}
	for i, x := range [...]float64{4, 5.1, 6.2, 7.3} {
		at, density := r3.Vec{X: x, Y: .53, Z: .42}, 500.
		if i == sunken {
			at.Y, density = .12, 2000
		}
		def := physics.BodyDef{Kind: physics.Dynamic, Position: at, LinearDamping: 1, AngularDamping: 1}
		h.crates = append(h.crates, testrig.AddBody(t, h.w, def, physics.ShapeDef{Geometry: physics.Box(physics.Centred(.4, .24, .4)), Density: density}))
	}
	testrig.AddBody(t, h.w, physics.BodyDef{}, physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1})})
	h.l.Couple(h.w.Coupling())
	return h
}

// calm takes steps until the crates have slept for a second.
func (h *harbour) calm(t testing.TB) (r fluid.Report) {
	t.Helper()
	for n, slept := 0, 0; slept < 60; n++ {
		if n == 1200 {
			t.Fatalf("not all crates are asleep after %d steps", n)
		}
		if r = h.step(t, false); h.w.Stats().Awake == 0 {
			slept++
		} else {
			slept = 0
		}
	}
	return r
}

// Around crates that sleep the liquid sleeps too, and has no rows there. A push on a crate wakes it and the liquid around it, and then all falls asleep.
func TestLiquidSleepsAroundCrates(t *testing.T) {
	h := newHarbour(t, 2, false)
	r := h.calm(t)
	const wet = 10 // blocks; the paddle keeps two awake
	for n := 0; n < 300 && r.AsleepBlocks < wet-2; n++ {
		r = h.step(t, false)
	}
	if r.AsleepBlocks != wet-2 || r.UnknownCount() > 800 {
		t.Fatalf("%d of %d blocks sleep, which leaves %d unknowns", r.AsleepBlocks, wet, r.UnknownCount())
	}
	crate := h.crates[1]
	testrig.Must(t, crate.ApplyImpulse(r3.Vec{Y: -.5 * crate.Mass()}, crate.CentreOfMass()))
	asleep, before, high := r.AsleepBlocks, r.UnknownCount(), crate.Position().Y
	r = h.step(t, false)
	if !crate.Awake() || r.AsleepBlocks >= asleep || r.AsleepBlocks == 0 || r.UnknownCount() <= before {
		t.Errorf("a push on a crate leaves %d of %d blocks asleep and makes %d unknowns of %d", r.AsleepBlocks, asleep, r.UnknownCount(), before)
	}
	low := high
	for range 30 {
		h.step(t, false)
		low = min(low, crate.Position().Y)
	}
	if dip := high - low; dip < .02 || dip > .1 {
		t.Errorf("a push down at .5 m/s has a crate dip by %.3f m", dip)
	}
	for n := 0; !r.Asleep(); n++ {
		if n == 900 {
			t.Fatalf("the pool as a whole is not asleep after %d steps in which nothing moves", n)
		}
		r = *h.l.Step(1. / 60)
	}
	if solved := h.w.Stats(); solved.Awake > 0 || solved.Contacts > 0 {
		t.Errorf("%d crates and %d contacts are awake in liquid that sleeps", solved.Awake, solved.Contacts)
	}
}

// Waves wake crates, which bob as if nothing had slept.
func TestWavesWakeCrates(t *testing.T) {
	h, awake := newHarbour(t, 2, false), newHarbour(t, 2, true)
	h.calm(t)
	for range 360 {
		awake.step(t, false)
	}
	for range 60 {
		h.step(t, false)
	}
	for i, b := range h.crates {
		load, other := h.l.BodyLoad(b.Index()), awake.l.BodyLoad(b.Index())
		if at, when := b.Position().Y, awake.crates[i].Position().Y; math.Abs(at-when) > .005 {
			t.Errorf("crate %d sleeps at %.4f m and is at %.4f m when nothing sleeps", i, at, when)
		}
		if math.Abs(load.Force.Y-other.Force.Y) > .05*other.Force.Y || math.Abs(load.Fraction-other.Fraction) > .03 {
			t.Errorf("asleep, crate %d is carried with %.1f N and %.3f of it is under water; %.1f N and %.3f when nothing sleeps", i, load.Force.Y, load.Fraction, other.Force.Y, other.Fraction)
		}
	}
	h.flume.steps, awake.flume.steps = 0, 0
	top, topAwake, mean, meanAwake := 0., 0., 0., 0.
	for range 300 {
		h.step(t, true)
		awake.step(t, true)
		a, b := h.crates[0].Position().Y, awake.crates[0].Position().Y
		top, topAwake, mean, meanAwake = max(top, a), max(topAwake, b), mean+a/300, meanAwake+b/300
	}
	if math.Abs(top-topAwake) > .01 || math.Abs(mean-meanAwake) > .005 || top < .6 {
		t.Errorf("a crate rises to %.3f m, %.3f m if nothing had slept; on average it is at %.4f and %.4f m", top, topAwake, mean, meanAwake)
	}
	if n := h.w.Stats().Awake; n < sunken {
		t.Errorf("%d crates are awake in waves", n)
	}
}

// Crates that sleep in liquid that sleeps go on in the same bits after a copy and from a file, with any number of workers.
func TestSleepAroundCratesIsState(t *testing.T) {
	h := newHarbour(t, 2, false)
	h.calm(t)
	for range 60 {
		h.step(t, false)
	}
	var file, world bytes.Buffer
	testrig.Must(t, h.w.Save(&world))
	testrig.Must(t, h.l.Save(&file))
	copied, restored := newHarbour(t, 1, false), newHarbour(t, 2, false)
	for _, to := range [...]*harbour{copied, restored} {
		testrig.Must(t, to.w.Restore(bytes.NewReader(world.Bytes())))
		testrig.Must(t, h.l.CopyTo(to.l)) // a file has no obstacles
		to.flume.steps = h.flume.steps
	}
	testrig.Must(t, restored.l.Restore(&file))
	for n := range 150 {
		r := h.step(t, n >= 10)
		copied.step(t, n >= 10)
		restored.step(t, n >= 10)
		if n == 0 && (r.AsleepBlocks == 0 || h.w.Stats().Awake > 0) {
			t.Fatal("nothing sleeps")
		}
		if want := h.l.Hash(); copied.l.Hash() != want || restored.l.Hash() != want || copied.w.Hash() != h.w.Hash() || restored.w.Hash() != h.w.Hash() {
			t.Fatalf("step %d: a copy, or what was restored, goes on otherwise", n)
		}
	}
	if h.w.Stats().Awake == 0 {
		t.Error("no crate woke")
	}
}
