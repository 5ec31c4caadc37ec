package fluid

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// stuck is a tub with all that acts on a liquid: two taps, a sink, a field, a paddle, a control and two bodies.
func stuck(t *testing.T, tracker Tracker) *Liquid {
	t.Helper()
	l, p, _ := sloshingWith(t, tracker)
	p.balls = append(p.balls, cork(.6, .6, .3))
	_, err := l.AddEmitter(EmitterDef{Shape: Sphere(r3.Vec{X: .3, Y: .7, Z: .4}, .1), Rate: 5})
	must(t, err)
	_, err = l.AddSink(Sphere(r3.Vec{X: .2, Y: .1, Z: .2}, .1), 1)
	must(t, err)
	return l
}

// Whatever a step goes wrong with, at most one is rolled back: the next leaves out what it was, says so, and what else there is goes on. When it
// is sane again it acts again.
func TestNoStepGoesWrongTwice(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		spoil func(l *Liquid, by float64)
		want  string
	}{
		"emitter": {func(l *Liquid, by float64) { l.sim.around.Flows.Emitters.All[0].Velocity.Y = by }, "emitter 0"},
		"sink":    {func(l *Liquid, by float64) { l.sim.around.Flows.Sinks.All[0].Rate = 1 + by }, "sink 0"},
		"field":   {func(l *Liquid, by float64) { l.sim.around.Fields.All[0].Strength = 1 + by; l.sim.updateGravity() }, "field 0"},
		"all": {func(l *Liquid, by float64) {
			l.sim.around.Flows.Emitters.All[0].Velocity.X, l.sim.around.Flows.Sinks.All[0].Rate = by, 1+by
		}, "all that acts"},
		"density": {func(l *Liquid, by float64) { l.sim.around.Material.Density = 1000 + by }, "the motion of the liquid"},
	} {
		for _, tracker := range inShort([]Tracker{LevelSet}, []Tracker{LevelSet, Contouring, ExplicitMesh}) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				l := stuck(t, tracker)
				goesOn(t, l, 3)
				c.spoil(l, nan)
				back, named, was := 0, false, l.sim.out.time
				for range 40 {
					r := l.Step(frame)
					if r.RolledBack {
						back++
					}
					sound(t, l, r)
					for _, w := range r.Warnings {
						named = named || w.Knob == "Step" && strings.Contains(w.Text, c.want)
					}
				}
				t.Logf("%d rolled back, %v left out, fastest %.3g m/s, drift %.3g l", back, l.sim.attempts.Choice, fvOf(l).Cells.MaxSpeed(), l.Ledger().DriftL)
				if back != 1 || !named {
					t.Errorf("%d of 40 steps are rolled back; %q is named: %v", back, c.want, named)
				}
				if went := l.sim.out.time - was; math.Abs(went-39*frame) > 1e-9 {
					t.Errorf("%g s have passed, want %g", went, 39*frame)
				}
				if g := l.Ledger(); math.Abs(g.DriftL) > .01*g.HeldL {
					t.Errorf("drift %g l of %g", g.DriftL, g.HeldL)
				}
				c.spoil(l, 0)
				goesOn(t, l, 70) // as long as it may be left out
				if l.sim.attempts.Kind != 0 {
					t.Errorf("%v is still left out", l.sim.attempts.Choice)
				}
			})
		}
	}
}

// A copy, and what is saved while something is left out, goes on with the same bits.
func TestWhatIsLeftOutIsSaved(t *testing.T) {
	spoil := func(l *Liquid) { l.sim.around.Flows.Emitters.All[0].Velocity.Y = math.NaN() }
	l := stuck(t, LevelSet)
	spoil(l)
	l.Step(frame)
	l.Step(frame)
	if l.sim.attempts.Kind == 0 {
		t.Fatal("nothing is left out")
	}
	var file bytes.Buffer
	l.sim.around.Flows.Emitters.All[0].Velocity.Y = 0 // as no call takes it
	must(t, l.Save(&file))
	b := stuck(t, LevelSet)
	b.Coupled().(*puppet).balls = slices.Clone(l.Coupled().(*puppet).balls)
	must(t, b.Restore(&file))
	spoil(l)
	spoil(b)
	for range 25 {
		l.Step(frame)
		b.Step(frame)
		if l.Hash() != b.Hash() {
			t.Fatal("they part")
		}
	}
}
