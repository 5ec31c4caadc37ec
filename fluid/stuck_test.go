package fluid_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// stuck is a tub with all that acts on a liquid: two taps, a sink, a field, a paddle, a control and two bodies.
func stuck(t *testing.T, tracker fluid.Tracker) *fluid.Liquid {
	t.Helper()
	l, p, _ := sloshingWith(t, tracker)
	p.Balls = append(p.Balls, cork(.6, .6, .3))
	_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .3, Y: .7, Z: .4}, .1), Rate: 5})
	testrig.Must(t, err)
	_, err = l.AddSink(fluid.Sphere(r3.Vec{X: .2, Y: .1, Z: .2}, .1), 1)
	testrig.Must(t, err)
	return l
}

// Whatever a step goes wrong with, at most one is rolled back: the next leaves out what it was, says so, and what else there is goes on. When it
// is sane again it acts again.
func TestNoStepGoesWrongTwice(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		spoil func(l *fluid.Liquid, by float64)
		want  string
	}{
		"emitter": {func(l *fluid.Liquid, by float64) { testrig.Around(l).Flows.Emitters.All[0].Velocity.Y = by }, "emitter 0"},
		"sink":    {func(l *fluid.Liquid, by float64) { testrig.Around(l).Flows.Sinks.All[0].Rate = 1 + by }, "sink 0"},
		"field": {func(l *fluid.Liquid, by float64) {
			testrig.Around(l).Fields.All[0].Strength = 1 + by
			fluid.UpdateGravity(l)
		}, "field 0"},
		"all": {func(l *fluid.Liquid, by float64) {
			testrig.Around(l).Flows.Emitters.All[0].Velocity.X, testrig.Around(l).Flows.Sinks.All[0].Rate = by, 1+by
		}, "all that acts"},
		"density": {func(l *fluid.Liquid, by float64) { testrig.Around(l).Material.Density = 1000 + by }, "the motion of the liquid"},
	} {
		for _, tracker := range testrig.InShort([]fluid.Tracker{fluid.LevelSet}, []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh}) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				l := stuck(t, tracker)
				testrig.GoesOn(t, l, 3)
				c.spoil(l, nan)
				back, named, was := 0, false, testrig.Time(l)
				for range 40 {
					r := *l.Step(testrig.Frame)
					if r.Err != nil {
						back++
					}
					testrig.Sound(t, l, r)
					for _, w := range r.Warnings {
						named = named || w.Knob == "Step" && strings.Contains(w.Text, c.want)
					}
				}
				t.Logf("%d rolled back, %v left out, fastest %.3g m/s, drift %.3g l", back, testrig.Attempts(l).Choice, testrig.FV(l).Cells.MaxSpeed(), l.Ledger().DriftL)
				if back != 1 || !named {
					t.Errorf("%d of 40 steps are rolled back; %q is named: %v", back, c.want, named)
				}
				if went := testrig.Time(l) - was; math.Abs(went-39*testrig.Frame) > 1e-9 {
					t.Errorf("%g s have passed, want %g", went, 39*testrig.Frame)
				}
				if g := l.Ledger(); math.Abs(g.DriftL) > .01*g.HeldL {
					t.Errorf("drift %g l of %g", g.DriftL, g.HeldL)
				}
				c.spoil(l, 0)
				testrig.GoesOn(t, l, 70) // as long as it may be left out
				if testrig.Attempts(l).Kind != 0 {
					t.Errorf("%v is still left out", testrig.Attempts(l).Choice)
				}
			})
		}
	}
}

// A copy, and what is saved while something is left out, goes on with the same bits.
func TestWhatIsLeftOutIsSaved(t *testing.T) {
	spoil := func(l *fluid.Liquid) { testrig.Around(l).Flows.Emitters.All[0].Velocity.Y = math.NaN() }
	l := stuck(t, fluid.LevelSet)
	spoil(l)
	l.Step(testrig.Frame)
	l.Step(testrig.Frame)
	if testrig.Attempts(l).Kind == 0 {
		t.Fatal("nothing is left out")
	}
	var file bytes.Buffer
	testrig.Around(l).Flows.Emitters.All[0].Velocity.Y = 0 // as no call takes it
	testrig.Must(t, l.Save(&file))
	b := stuck(t, fluid.LevelSet)
	b.Coupled().(*testrig.Puppet).Balls = slices.Clone(l.Coupled().(*testrig.Puppet).Balls)
	testrig.Must(t, b.Restore(&file))
	spoil(l)
	spoil(b)
	for range 25 {
		l.Step(testrig.Frame)
		b.Step(testrig.Frame)
		if l.Hash() != b.Hash() {
			t.Fatal("they part")
		}
	}
}
