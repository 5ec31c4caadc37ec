package fluid_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

func pondFloat(t testing.TB, w *physics.World, x float64) physics.Body {
	t.Helper()
	return testrig.Place(t, w, physics.Dynamic, r3.Vec{X: x + .4, Y: .45, Z: .4}, physics.Box(physics.Centred(.3, .2, .3)), 500)
}

// A ball between two ponds falls as any does, whoever of them is stepped, and in which order.
func TestTwoLiquidsStepTheBodiesOnce(t *testing.T) {
	for name, step := range map[string]func(a, b *fluid.Liquid){
		"a, b":  func(a, b *fluid.Liquid) { a.Step(testrig.Frame); b.Step(testrig.Frame) },
		"b, a":  func(a, b *fluid.Liquid) { b.Step(testrig.Frame); a.Step(testrig.Frame) },
		"a":     func(a, b *fluid.Liquid) { a.Step(testrig.Frame) },
		"b":     func(a, b *fluid.Liquid) { b.Step(testrig.Frame) },
		"twice": func(a, b *fluid.Liquid) { a.Step(testrig.Frame / 2); b.Step(testrig.Frame); a.Step(testrig.Frame / 2) },
		"ahead": func(a, b *fluid.Liquid) { b.Step(testrig.Frame / 2); a.Step(testrig.Frame); b.Step(testrig.Frame / 2) },
	} {
		t.Run(name, func(t *testing.T) {
			w := testrig.Earth()
			ball := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 100}, physics.Sphere(r3.Vec{}, .1), 500)
			a, b := testrig.Pond(t, w.Coupling(), 0, .3), testrig.Pond(t, w.Coupling(), 10, .3)
			for range 60 {
				step(a, b)
			}
			if fell := 100 - ball.Position().Y; math.Abs(fell-4.905) > .1 {
				t.Errorf("the ball falls %.2f m in a second", fell)
			}
			if math.Abs(testrig.Time(a)-1) > 1e-9 || math.Abs(testrig.Time(b)-1) > 1e-9 {
				t.Errorf("the liquids' times are %v s and %v s", testrig.Time(a), testrig.Time(b))
			}
		})
	}
	t.Run("several steps of one, then of the other", func(t *testing.T) {
		w := testrig.Earth()
		ball := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 100}, physics.Sphere(r3.Vec{}, .1), 500)
		a, b := testrig.Pond(t, w.Coupling(), 0, .3), testrig.Pond(t, w.Coupling(), 10, .3)
		for n := range 20 {
			for _, l := range [][2]*fluid.Liquid{{a, b}, {b, a}}[n%2] {
				for range 3 {
					l.Step(testrig.Frame)
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
	w, far := testrig.Earth(), testrig.Earth()
	alone, a, b := testrig.Pond(t, w.Coupling(), 0, .4), testrig.Pond(t, far.Coupling(), 0, .4), testrig.Pond(t, far.Coupling(), 100, .4)
	one, two, three := pondFloat(t, w, 0), pondFloat(t, far, 0), pondFloat(t, far, 100)
	for n := range 150 {
		alone.Step(testrig.Frame)
		r, s := *a.Step(testrig.Frame), *b.Step(testrig.Frame)
		if r.Err != nil || s.Err != nil {
			t.Fatal(r.Err, s.Err)
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
	w := testrig.Earth()
	a, b := testrig.Pond(t, w.Coupling(), 0, .4), testrig.Pond(t, w.Coupling(), .8, .4)
	beam := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .45, Z: .4}, physics.Box(physics.Centred(1, .2, .4)), 500)
	a.TrackMomentum(true)
	b.TrackMomentum(true)
	var loads [2]float64
	const steps, last = 240, 60
	for n := range steps {
		for i, l := range [2]*fluid.Liquid{a, b} {
			r := *l.Step(testrig.Frame)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if lost := r3.Norm(r.Momentum.Lost()); lost > 1e-6*(1+r3.Norm(r.Momentum.Gravity)) {
				t.Fatalf("step %d: liquid %d loses %g N·s", n, i, lost)
			}
			if off := r3.Norm(r3.Sub(r.Momentum.Bodies, r3.Scale(testrig.Frame, l.BodyLoad(0).Force))); off > 1e-6*(1+r3.Norm(r.Momentum.Bodies)) {
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
func ponds(t testing.TB) (a, b *fluid.Liquid, w *physics.World) {
	w = testrig.Earth()
	a, b = testrig.Pond(t, w.Coupling(), 0, .4), testrig.Pond(t, w.Coupling(), .8, .3)
	pondFloat(t, w, 0)
	pondFloat(t, w, .8)
	testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .8, Z: .4}, physics.Sphere(r3.Vec{}, .12), 300)
	return a, b, w
}

// Who is stepped first changes no bit; nor does it that a copy, or what was restored, goes on.
func TestGroupIsDeterministic(t *testing.T) {
	a, b, w := ponds(t)
	c, d, v := ponds(t)
	check := func(n int, a, b *fluid.Liquid, w *physics.World) {
		t.Helper()
		if a.Hash() != c.Hash() || b.Hash() != d.Hash() || w.Hash() != v.Hash() {
			t.Fatalf("step %d: other bits", n)
		}
	}
	for n := range 40 {
		a.Step(testrig.Frame)
		b.Step(testrig.Frame)
		d.Step(testrig.Frame)
		c.Step(testrig.Frame)
		check(n, a, b, w)
	}
	e, f, u := ponds(t)
	w.CopyTo(u)
	var saved bytes.Buffer
	testrig.Must(t, a.CopyTo(e))
	testrig.Must(t, b.Save(&saved))
	f.Step(testrig.Frame) // f is ahead of what it is asked for, and is taken back
	w.CopyTo(u)
	testrig.Must(t, a.CopyTo(e))
	testrig.Must(t, f.Restore(&saved))
	for n := range 20 {
		for _, l := range []*fluid.Liquid{a, b, e, f, c, d} {
			l.Step(testrig.Frame)
		}
		check(40+n, a, b, w)
		check(40+n, e, f, u)
	}
}

// A liquid that is rolled back pushes nothing; the other and the bodies go on, and so does it in the next step.
func TestRollBackInAGroup(t *testing.T) {
	w := testrig.Earth()
	a, b := testrig.Pond(t, w.Coupling(), 0, .4), testrig.Pond(t, w.Coupling(), 10, .4)
	one, two := pondFloat(t, w, 0), pondFloat(t, w, 10)
	ball := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 100}, physics.Sphere(r3.Vec{}, .1), 500)
	for range 60 {
		a.Step(testrig.Frame)
		b.Step(testrig.Frame)
	}
	time, held, fall := testrig.Time(b), a.Ledger().HeldL, ball.Velocity().Y
	before := one.Velocity().Y
	testrig.Around(a).Material.Density = testrig.NaN
	r, s := *a.Step(testrig.Frame), *b.Step(testrig.Frame)
	testrig.Around(a).Material.Density = 1000
	if r.Err == nil || s.Err != nil || testrig.Time(b) <= time {
		t.Fatalf("rolled back: %v and %v, %q; the other liquid's time %v s, was %v", r.Err != nil, s.Err != nil, s.Err, testrig.Time(b), time)
	}
	if got := ball.Velocity().Y - fall; math.Abs(got+9.81*testrig.Frame) > 1e-3 {
		t.Errorf("the ball's velocity changes by %g m/s", got)
	}
	if got := one.Velocity().Y - before; math.Abs(got+9.81*testrig.Frame) > 1e-3 {
		t.Errorf("the float's velocity changes by %g m/s without the liquid, want %g", got, -9.81*testrig.Frame)
	}
	if a.Ledger().HeldL != held {
		t.Errorf("it held %g l, and holds %g", held, a.Ledger().HeldL)
	}
	for n := range 120 {
		r, s = *a.Step(testrig.Frame), *b.Step(testrig.Frame)
		if r.Err != nil || s.Err != nil {
			t.Fatalf("step %d after it: %s %s", n, r.Err, s.Err)
		}
	}
	if y := one.Position().Y; math.Abs(y-two.Position().Y) > .02 {
		t.Errorf("the floats are at %g m and %g m", y, two.Position().Y)
	}
	// When both are rolled back nothing moves.
	at := ball.Position()
	testrig.Around(a).Material.Density, testrig.Around(b).Material.Density = testrig.NaN, testrig.NaN
	a.Step(testrig.Frame)
	if ball.Position() != at {
		t.Error("the bodies move on in a step that no liquid takes")
	}
}

// A liquid that sleeps goes on carrying what lies in it, however much the other is stirred.
func TestOneOfAGroupSleeps(t *testing.T) {
	w := testrig.Earth()
	a := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	testrig.Must(t, a.Fill(fluid.Below(.63)))
	a.Couple(w.Coupling())
	b := testrig.Pond(t, w.Coupling(), 10, .3)
	float := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .64, Z: .8}, physics.Box(physics.Centred(.4, .3, .4)), 500)
	if _, err := b.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: 10.4, Y: .6, Z: .4}, .15), Rate: 1}); err != nil {
		t.Fatal(err)
	}
	slept := 0
	for range 900 {
		r := *a.Step(testrig.Frame)
		b.Step(testrig.Frame)
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
	testrig.Must(t, float.SetAwake(true)) // by the game, between two steps
	for range 30 {
		a.Step(testrig.Frame)
		b.Step(testrig.Frame)
	}
	if d := math.Abs(float.Position().Y - y); d > .006 {
		t.Errorf("the float moves by %g m when it wakes", d)
	}
}

// A liquid that sleeps bears its part of a beam in the very step in which another liquid wakes that.
func TestSleepingLiquidBearsWhatAnotherWakes(t *testing.T) {
	w := testrig.Earth()
	var ponds [2]*fluid.Liquid
	for i := range ponds {
		d := testrig.Box(1.6, 1.2, 1.6)
		d.Min.X, d.Max.X = 1.6*float64(i), 1.6*float64(i+1)
		ponds[i] = testrig.New(t, fluid.Def{Domain: d, CellSize: .1, Resources: fluid.Resources{Workers: 1}})
		testrig.Must(t, ponds[i].Fill(fluid.Below(.63)))
		ponds[i].Couple(w.Coupling())
	}
	beam := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 1.6, Y: .65, Z: .8}, physics.Box(physics.Centred(.8, .3, .4)), 500)
	step := func() bool {
		r, s := *ponds[0].Step(testrig.Frame), *ponds[1].Step(testrig.Frame)
		return r.Asleep() && s.Asleep()
	}
	for n := 0; !step(); n++ {
		if n > 900 {
			t.Fatal("the ponds never sleep")
		}
	}
	if _, err := ponds[1].AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: 2.4, Y: .4, Z: .8}, .15), Rate: 30}); err != nil {
		t.Fatal(err)
	}
	for n := 0; !beam.Awake(); n++ {
		if n > 60 {
			t.Fatal("the beam never wakes")
		}
		step()
	}
	if v := beam.Velocity().Y; math.Abs(v) > 9.81*testrig.Frame/4 {
		t.Errorf("the beam wakes to %g m/s; without half of its load that is %g", v, -9.81*testrig.Frame/2)
	}
}

// What couples others, or none, or is closed, has no part in the bodies' steps any more.
func TestLeavingAGroup(t *testing.T) {
	for name, leave := range map[string]func(l *fluid.Liquid){
		"Couple(nil)": func(l *fluid.Liquid) { l.Couple(nil) },
		"Couple":      func(l *fluid.Liquid) { l.Couple(testrig.Earth().Coupling()) },
		"Close":       func(l *fluid.Liquid) { l.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			w := testrig.Earth()
			a, b := testrig.Pond(t, w.Coupling(), 0, .4), testrig.Pond(t, w.Coupling(), 10, .4)
			a.Step(testrig.Frame)
			leave(a)
			was := testrig.Steps(a)
			b.Step(testrig.Frame) // which it has been advanced by
			if b.Step(testrig.Frame); testrig.Steps(b) != 2 || len(testrig.Members(b)) != 1 {
				t.Errorf("the one that stays takes %d steps, in a group of %d", testrig.Steps(b), len(testrig.Members(b)))
			}
			if b.Step(testrig.Frame); testrig.Steps(a) != was {
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
	p := testrig.NewPuppet(cork(.3, .7, .4))
	a, b := testrig.Tub(t), testrig.Tub(t)
	a.Couple(p)
	b.Couple(p)
	if a.Step(testrig.Frame); len(testrig.Members(a)) != 1 || testrig.Steps(b) != 0 {
		t.Error("liquids are a group without Sharing")
	}
	w := testrig.Earth()
	w.Coupling().Attach("the game's own")
	a.Couple(w.Coupling())
	b.Couple(w.Coupling())
	if w.Coupling().Attached() != "the game's own" || len(testrig.Members(a)) != 1 {
		t.Error("what the game attached is gone")
	}
	if r := *b.Step(testrig.Frame); !slices.ContainsFunc(r.Warnings, func(w fluid.Warning) bool {
		return w.Knob == "Couple" && strings.Contains(w.Text, "a string is attached")
	}) {
		t.Errorf("no warning that the bodies step twice: %v", r.Warnings)
	}
	if r := *b.Step(testrig.Frame); len(r.Warnings) > 0 {
		t.Errorf("it is warned of again: %v", r.Warnings)
	}
	w.Coupling().Attach(nil)
	a.Couple(w.Coupling())
	a.Couple(w.Coupling())
	if len(testrig.Members(a)) != 1 {
		t.Errorf("one liquid is %d members", len(testrig.Members(a)))
	}
}

// Prewarm steps neither the bodies nor the others.
func TestPrewarmInAGroup(t *testing.T) {
	a, b, w := ponds(t)
	a.Step(testrig.Frame)
	b.Step(testrig.Frame)
	was, bodies := b.Hash(), w.Hash()
	a.Prewarm()
	if b.Hash() != was || w.Hash() != bodies || len(testrig.Members(a)) != 2 {
		t.Error("Prewarm changes others")
	}
}

// Liquids may be stepped from goroutines of their own.
func TestGroupFromGoroutines(t *testing.T) {
	a, b, w := ponds(t)
	c, d, v := ponds(t)
	for range 10 {
		var both sync.WaitGroup
		for _, l := range []*fluid.Liquid{a, b} {
			both.Add(1)
			go func() {
				defer both.Done()
				l.Step(testrig.Frame)
			}()
		}
		both.Wait()
		c.Step(testrig.Frame)
		d.Step(testrig.Frame)
	}
	if a.Hash() != c.Hash() || b.Hash() != d.Hash() || w.Hash() != v.Hash() {
		t.Error("other bits than from one goroutine")
	}
}

// A Step that is refused is no step: what its liquid has been advanced by others it still reports as the last one was.
func TestRefusedStepKeepsTheReport(t *testing.T) {
	w := testrig.Earth()
	a, b := testrig.Pond(t, w.Coupling(), 0, .3), testrig.Pond(t, w.Coupling(), 10, .3)
	for _, bad := range []float64{0, -1, testrig.NaN, math.Inf(1), 1e-10} {
		a.Step(testrig.Frame)
		want := *testrig.Report(b)
		refused := *b.Step(bad)
		if refused.Err == nil || refused.Step != want.Step || refused.Time != want.Time || refused.Ledger != want.Ledger {
			t.Errorf("a step of %v s reports %+v", bad, refused)
		}
		if r := *b.Step(testrig.Frame); r.Err != nil || r.Step != want.Step || r.Substeps != want.Substeps {
			t.Errorf("after a step of %v s: %v, step %d with %d substeps; want %d with %d", bad, r.Err, r.Step, r.Substeps, want.Step, want.Substeps)
		}
	}
}
