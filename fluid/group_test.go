package fluid

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// earth is a world without bodies.
func earth() *physics.World {
	return physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
}

// place adds a body of one shape.
func place(t testing.TB, w *physics.World, kind physics.BodyKind, at r3.Vec, g physics.Geometry, density float64) physics.Body {
	t.Helper()
	b, err := w.AddBody(physics.BodyDef{Kind: kind, Position: at})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: g, Density: density})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pond is a tank of .8 m with a depth of water, m, at x, coupled to w.
func pond(t testing.TB, w Bodies, x, depth float64) *Liquid {
	t.Helper()
	d := box(.8, .8, .8)
	d.Min.X, d.Max.X = x, x+.8
	l := mustNew(t, Def{Domain: d, CellSize: .1, Workers: 1})
	if err := l.Fill(Below(depth)); err != nil {
		t.Fatal(err)
	}
	l.Couple(w)
	return l
}

func pondFloat(t testing.TB, w *physics.World, x float64) physics.Body {
	t.Helper()
	return place(t, w, physics.Dynamic, r3.Vec{X: x + .4, Y: .45, Z: .4}, physics.Box(physics.Centred(.3, .2, .3)), 500)
}

// A ball between two ponds falls as any does, whoever of them is stepped, and in which order.
func TestTwoLiquidsStepTheBodiesOnce(t *testing.T) {
	for name, step := range map[string]func(a, b *Liquid){
		"a, b":  func(a, b *Liquid) { a.Step(frame); b.Step(frame) },
		"b, a":  func(a, b *Liquid) { b.Step(frame); a.Step(frame) },
		"a":     func(a, b *Liquid) { a.Step(frame) },
		"b":     func(a, b *Liquid) { b.Step(frame) },
		"twice": func(a, b *Liquid) { a.Step(frame / 2); b.Step(frame); a.Step(frame / 2) },
		"ahead": func(a, b *Liquid) { b.Step(frame / 2); a.Step(frame); b.Step(frame / 2) },
	} {
		t.Run(name, func(t *testing.T) {
			w := earth()
			ball := place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 100}, physics.Sphere(r3.Vec{}, .1), 500)
			a, b := pond(t, w.Coupling(), 0, .3), pond(t, w.Coupling(), 10, .3)
			for range 60 {
				step(a, b)
			}
			if fell := 100 - ball.Position().Y; math.Abs(fell-4.905) > .1 {
				t.Errorf("the ball falls %.2f m in a second", fell)
			}
			if math.Abs(a.sim.out.time-1) > 1e-9 || math.Abs(b.sim.out.time-1) > 1e-9 {
				t.Errorf("the liquids' times are %v s and %v s", a.sim.out.time, b.sim.out.time)
			}
		})
	}
	t.Run("several steps of one, then of the other", func(t *testing.T) {
		w := earth()
		ball := place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 100}, physics.Sphere(r3.Vec{}, .1), 500)
		a, b := pond(t, w.Coupling(), 0, .3), pond(t, w.Coupling(), 10, .3)
		for n := range 20 {
			for _, l := range [][2]*Liquid{{a, b}, {b, a}}[n%2] {
				for range 3 {
					l.Step(frame)
				}
			}
		}
		if fell := 100 - ball.Position().Y; math.Abs(fell-4.905) > .1 {
			t.Errorf("the ball falls %.2f m in a second", fell)
		}
	})
}

// A float is the same, in every bit, with another pond far away and without; and in either it lies as deep.
func TestFloatDoesNotKnowOfAnotherPond(t *testing.T) {
	w, far := earth(), earth()
	alone, a, b := pond(t, w.Coupling(), 0, .4), pond(t, far.Coupling(), 0, .4), pond(t, far.Coupling(), 100, .4)
	one, two, three := pondFloat(t, w, 0), pondFloat(t, far, 0), pondFloat(t, far, 100)
	for n := range 150 {
		alone.Step(frame)
		r, s := a.Step(frame), b.Step(frame)
		if r.RolledBack || s.RolledBack {
			t.Fatal(r.Reason, s.Reason)
		}
		if one.Position() != two.Position() || one.Rotation() != two.Rotation() || one.Velocity() != two.Velocity() {
			t.Fatalf("step %d: at %v alone, at %v with another pond", n, one.Position(), two.Position())
		}
	}
	if y := [2]float64{two.Position().Y, three.Position().Y}; math.Abs(y[0]-y[1]) > 2e-3 || y[0] < .2 {
		t.Errorf("the floats are at %v m", y)
	}
	if f := b.BodyLoad(0).Force; f != (r3.Vec{}) {
		t.Errorf("the far pond pushes the first float with %v N", f)
	}
}

// A beam across two ponds is carried by both, and the balance of momentum holds in each.
func TestBodyInTwoPonds(t *testing.T) {
	w := earth()
	a, b := pond(t, w.Coupling(), 0, .4), pond(t, w.Coupling(), .8, .4)
	beam := place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .45, Z: .4}, physics.Box(physics.Centred(1, .2, .4)), 500)
	a.TrackMomentum(true)
	b.TrackMomentum(true)
	var loads [2]float64
	const steps, last = 240, 60
	for n := range steps {
		for i, l := range [2]*Liquid{a, b} {
			r := l.Step(frame)
			if r.RolledBack {
				t.Fatal(r.Reason)
			}
			if lost := r3.Norm(r.Momentum.Lost()); lost > 1e-6*(1+r3.Norm(r.Momentum.Gravity)) {
				t.Fatalf("step %d: liquid %d loses %g N·s", n, i, lost)
			}
			if off := r3.Norm(r3.Sub(r.Momentum.Bodies, r3.Scale(frame, l.BodyLoad(0).Force))); off > 1e-6*(1+r3.Norm(r.Momentum.Bodies)) {
				t.Fatalf("step %d: liquid %d gives bodies %v N·s, and loads the beam with %v N", n, i, r.Momentum.Bodies, l.BodyLoad(0).Force)
			}
			if n >= steps-last {
				loads[i] += l.BodyLoad(0).Force.Y / (last * beam.Mass() * 9.81)
			}
		}
	}
	if math.Abs(loads[0]-.5) > .05 || math.Abs(loads[1]-.5) > .05 || math.Abs(loads[0]+loads[1]-1) > .02 {
		t.Errorf("the ponds carry %.3f and %.3f of the beam", loads[0], loads[1])
	}
	if v := r3.Norm(beam.Velocity()); v > .1 || math.Abs(beam.Position().Y-.431) > .02 {
		t.Errorf("the beam is at %v and moves at %g m/s", beam.Position(), v)
	}
}

// ponds are two with floats of their own and one between that falls into the second.
func ponds(t testing.TB) (a, b *Liquid, w *physics.World) {
	w = earth()
	a, b = pond(t, w.Coupling(), 0, .4), pond(t, w.Coupling(), .8, .3)
	pondFloat(t, w, 0)
	pondFloat(t, w, .8)
	place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .8, Z: .4}, physics.Sphere(r3.Vec{}, .12), 300)
	return a, b, w
}

// Who is stepped first changes no bit; nor does it that a copy, or what was restored, goes on.
func TestGroupIsDeterministic(t *testing.T) {
	a, b, w := ponds(t)
	c, d, v := ponds(t)
	check := func(n int, a, b *Liquid, w *physics.World) {
		t.Helper()
		if a.Hash() != c.Hash() || b.Hash() != d.Hash() || w.Hash() != v.Hash() {
			t.Fatalf("step %d: other bits", n)
		}
	}
	for n := range 40 {
		a.Step(frame)
		b.Step(frame)
		d.Step(frame)
		c.Step(frame)
		check(n, a, b, w)
	}
	e, f, u := ponds(t)
	w.CopyTo(u)
	var saved bytes.Buffer
	if err := a.CopyTo(e); err != nil {
		t.Fatal(err)
	}
	if err := b.Save(&saved); err != nil {
		t.Fatal(err)
	}
	f.Step(frame) // f is ahead of what it is asked for, and is taken back
	w.CopyTo(u)
	if err := a.CopyTo(e); err != nil {
		t.Fatal(err)
	}
	if err := f.Restore(&saved); err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		for _, l := range []*Liquid{a, b, e, f, c, d} {
			l.Step(frame)
		}
		check(40+n, a, b, w)
		check(40+n, e, f, u)
	}
}

// A liquid that is rolled back pushes nothing; the other and the bodies go on, and so does it in the next step.
func TestRollBackInAGroup(t *testing.T) {
	w := earth()
	a, b := pond(t, w.Coupling(), 0, .4), pond(t, w.Coupling(), 10, .4)
	one, two := pondFloat(t, w, 0), pondFloat(t, w, 10)
	ball := place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 100}, physics.Sphere(r3.Vec{}, .1), 500)
	for range 60 {
		a.Step(frame)
		b.Step(frame)
	}
	time, held, fall := b.sim.out.time, a.Ledger().HeldL, ball.Velocity().Y
	before := one.Velocity().Y
	a.sim.around.Material.Density = nan
	r, s := a.Step(frame), b.Step(frame)
	a.sim.around.Material.Density = 1000
	if !r.RolledBack || s.RolledBack || b.sim.out.time <= time {
		t.Fatalf("rolled back: %v and %v, %q; the other liquid's time %v s, was %v", r.RolledBack, s.RolledBack, s.Reason, b.sim.out.time, time)
	}
	if got := ball.Velocity().Y - fall; math.Abs(got+9.81*frame) > 1e-3 {
		t.Errorf("the ball's velocity changes by %g m/s", got)
	}
	if got := one.Velocity().Y - before; math.Abs(got+9.81*frame) > 1e-3 {
		t.Errorf("the float's velocity changes by %g m/s without the liquid, want %g", got, -9.81*frame)
	}
	if a.Ledger().HeldL != held {
		t.Errorf("it held %g l, and holds %g", held, a.Ledger().HeldL)
	}
	for n := range 120 {
		r, s = a.Step(frame), b.Step(frame)
		if r.RolledBack || s.RolledBack {
			t.Fatalf("step %d after it: %s %s", n, r.Reason, s.Reason)
		}
	}
	if y := one.Position().Y; math.Abs(y-two.Position().Y) > .02 {
		t.Errorf("the floats are at %g m and %g m", y, two.Position().Y)
	}
	// When both are rolled back nothing moves.
	at := ball.Position()
	a.sim.around.Material.Density, b.sim.around.Material.Density = nan, nan
	a.Step(frame)
	if ball.Position() != at {
		t.Error("the bodies move on in a step that no liquid takes")
	}
}

// A liquid that sleeps goes on carrying what lies in it, however much the other is stirred.
func TestOneOfAGroupSleeps(t *testing.T) {
	w := earth()
	a := mustNew(t, Def{Domain: box(1.6, 1.2, 1.6), CellSize: .1, Workers: 1})
	if err := a.Fill(Below(.63)); err != nil {
		t.Fatal(err)
	}
	a.Couple(w.Coupling())
	b := pond(t, w.Coupling(), 10, .3)
	float := place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .64, Z: .8}, physics.Box(physics.Centred(.4, .3, .4)), 500)
	if _, err := b.AddEmitter(EmitterDef{Shape: Sphere(r3.Vec{X: 10.4, Y: .6, Z: .4}, .15), Rate: 1}); err != nil {
		t.Fatal(err)
	}
	slept := 0
	for range 900 {
		r := a.Step(frame)
		b.Step(frame)
		if r.Asleep() {
			if slept++; slept > 60 {
				break
			}
		}
	}
	if slept == 0 {
		t.Fatal("the first liquid never sleeps")
	}
	if f := a.BodyLoad(0).Force.Y / (float.Mass() * 9.81); math.Abs(f-1) > .05 {
		t.Errorf("asleep, it carries %g of its float", f)
	}
	y := float.Position().Y
	must(t, float.SetAwake(true)) // by the game, between two steps
	for range 30 {
		a.Step(frame)
		b.Step(frame)
	}
	if d := math.Abs(float.Position().Y - y); d > .006 {
		t.Errorf("the float moves by %g m when it wakes", d)
	}
}

// A liquid that sleeps bears its part of a beam in the very step in which another liquid wakes that.
func TestSleepingLiquidBearsWhatAnotherWakes(t *testing.T) {
	w := earth()
	var ponds [2]*Liquid
	for i := range ponds {
		d := box(1.6, 1.2, 1.6)
		d.Min.X, d.Max.X = 1.6*float64(i), 1.6*float64(i+1)
		ponds[i] = mustNew(t, Def{Domain: d, CellSize: .1, Workers: 1})
		if err := ponds[i].Fill(Below(.63)); err != nil {
			t.Fatal(err)
		}
		ponds[i].Couple(w.Coupling())
	}
	beam := place(t, w, physics.Dynamic, r3.Vec{X: 1.6, Y: .65, Z: .8}, physics.Box(physics.Centred(.8, .3, .4)), 500)
	step := func() bool {
		r, s := ponds[0].Step(frame), ponds[1].Step(frame)
		return r.Asleep() && s.Asleep()
	}
	for n := 0; !step(); n++ {
		if n > 900 {
			t.Fatal("the ponds never sleep")
		}
	}
	if _, err := ponds[1].AddEmitter(EmitterDef{Shape: Sphere(r3.Vec{X: 2.4, Y: .4, Z: .8}, .15), Rate: 30}); err != nil {
		t.Fatal(err)
	}
	for n := 0; !beam.Awake(); n++ {
		if n > 60 {
			t.Fatal("the beam never wakes")
		}
		step()
	}
	if v := beam.Velocity().Y; math.Abs(v) > 9.81*frame/4 {
		t.Errorf("the beam wakes to %g m/s; without half of its load that is %g", v, -9.81*frame/2)
	}
}

// What couples others, or none, or is closed, has no part in the bodies' steps any more.
func TestLeavingAGroup(t *testing.T) {
	for name, leave := range map[string]func(l *Liquid){
		"Couple(nil)": func(l *Liquid) { l.Couple(nil) },
		"Couple":      func(l *Liquid) { l.Couple(earth().Coupling()) },
		"Close":       func(l *Liquid) { l.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			w := earth()
			a, b := pond(t, w.Coupling(), 0, .4), pond(t, w.Coupling(), 10, .4)
			a.Step(frame)
			leave(a)
			was := a.sim.out.steps
			b.Step(frame) // which it has been advanced by
			if b.Step(frame); b.sim.out.steps != 2 || len(b.sim.group.members) != 1 {
				t.Errorf("the one that stays takes %d steps, in a group of %d", b.sim.out.steps, len(b.sim.group.members))
			}
			if b.Step(frame); a.sim.out.steps != was {
				t.Error("the one that left is stepped")
			}
			b.Couple(nil)
			if w.Coupling().Attached() != nil {
				t.Error("the world still knows of a group")
			}
		})
	}
}

// Coupling the same bodies again, and bodies whose engine can't tell, change nothing for others.
func TestGroupsOfOne(t *testing.T) {
	p := newPuppet(cork(.3, .7, .4))
	a, b := tub(t), tub(t)
	a.Couple(p)
	b.Couple(p)
	if a.Step(frame); len(a.sim.group.members) != 1 || b.sim.out.steps != 0 {
		t.Error("liquids are a group without Sharing")
	}
	w := earth()
	w.Coupling().Attach("the game's own")
	a.Couple(w.Coupling())
	b.Couple(w.Coupling())
	if w.Coupling().Attached() != "the game's own" || len(a.sim.group.members) != 1 {
		t.Error("what the game attached is gone")
	}
	if r := b.Step(frame); !slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Knob == "Couple" && strings.Contains(w.Text, "a string is attached") }) {
		t.Errorf("no warning that the bodies step twice: %v", r.Warnings)
	}
	if r := b.Step(frame); len(r.Warnings) > 0 {
		t.Errorf("it is warned of again: %v", r.Warnings)
	}
	w.Coupling().Attach(nil)
	a.Couple(w.Coupling())
	a.Couple(w.Coupling())
	if len(a.sim.group.members) != 1 {
		t.Errorf("one liquid is %d members", len(a.sim.group.members))
	}
}

// Prewarm steps neither the bodies nor the others.
func TestPrewarmInAGroup(t *testing.T) {
	a, b, w := ponds(t)
	a.Step(frame)
	b.Step(frame)
	was, bodies := b.Hash(), w.Hash()
	a.Prewarm()
	if b.Hash() != was || w.Hash() != bodies || len(a.sim.group.members) != 2 {
		t.Error("Prewarm changes others")
	}
}

// Liquids may be stepped from goroutines of their own.
func TestGroupFromGoroutines(t *testing.T) {
	a, b, w := ponds(t)
	c, d, v := ponds(t)
	for range 10 {
		var both sync.WaitGroup
		for _, l := range []*Liquid{a, b} {
			both.Add(1)
			go func() {
				defer both.Done()
				l.Step(frame)
			}()
		}
		both.Wait()
		c.Step(frame)
		d.Step(frame)
	}
	if a.Hash() != c.Hash() || b.Hash() != d.Hash() || w.Hash() != v.Hash() {
		t.Error("other bits than from one goroutine")
	}
}

// A Step that is refused is no step: what its liquid has been advanced by others it still reports as the last one was.
func TestRefusedStepKeepsTheReport(t *testing.T) {
	w := earth()
	a, b := pond(t, w.Coupling(), 0, .3), pond(t, w.Coupling(), 10, .3)
	for _, bad := range []float64{0, -1, nan, math.Inf(1), 1e-10} {
		a.Step(frame)
		want := b.sim.step.report
		refused := b.Step(bad)
		if !refused.RolledBack || refused.Reason == "" || refused.Step != want.Step || refused.Time != want.Time || refused.Ledger != want.Ledger {
			t.Errorf("a step of %v s reports %+v", bad, refused)
		}
		if r := b.Step(frame); r.RolledBack || r.Reason != "" || r.Step != want.Step || r.Substeps != want.Substeps {
			t.Errorf("after a step of %v s: %q, step %d with %d substeps; want %d with %d", bad, r.Reason, r.Step, r.Substeps, want.Step, want.Substeps)
		}
	}
}
