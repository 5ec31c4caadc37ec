package adapter

import (
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

const tick = time.Second / 60

// tank is a liquid with a crate in it and what a game does to them.
type tank struct {
	liquid  *fluid.Liquid
	world   *physics.World
	crate   physics.Body
	camera  fluid.View
	push    float64 // N·s upwards, before each step
	stepper *Stepper
}

func newTank(t testing.TB, async bool) *tank {
	t.Helper()
	domain := r3.Box{Min: r3.Vec{X: -0.8, Z: -0.4}, Max: r3.Vec{X: 0.8, Y: 1, Z: 0.4}}
	k := &tank{world: physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})}
	var err error
	if k.liquid, err = fluid.New(fluid.Def{Domain: domain, CellSize: 0.08, Resources: fluid.Resources{Workers: 1}}); err == nil {
		t.Cleanup(k.liquid.Close)
		err = k.liquid.Fill(fluid.Below(0.4))
	}
	if err == nil {
		k.crate, err = k.world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: 0.7}})
	}
	if err == nil {
		_, err = k.crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(0.25, 0.25, 0.25)), Density: 400})
	}
	if err != nil {
		t.Fatal(err)
	}
	k.liquid.Couple(k.world.Coupling())
	k.stepper = NewStepper(k.liquid, Options{Async: async, BeforeStep: func() {
		if err := k.crate.ApplyImpulse(r3.Vec{Y: k.push}, k.crate.CentreOfMass()); err != nil {
			t.Error(err)
		}
	}})
	k.stepper.Bind(k.world.Coupling(), 0, new(node).place)
	k.stepper.Follow(func(dst []fluid.View) []fluid.View { return append(dst, k.camera) })
	return k
}

// drifting is the view of a camera that has moved on by x.
func drifting(x float32) fluid.View {
	const near, far, cotangent = 0.1, 100, 2.1445
	return fluid.View{
		View:       [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -0.5, -2, 1},
		Projection: [16]float32{cotangent / 1.6, 0, 0, 0, 0, cotangent, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0},
		Height:     720,
	}
}

// play plays some frames, of which some have no step and some several, and changes things
// before the steps, after them and between frames. It returns the hash after each step, as each finds it.
func (k *tank) play(t *testing.T) map[int]uint64 {
	hashes := map[int]uint64{}
	for i, n := range []float64{1, 0.5, 0.5, 1, 2, 3, 0, 1, 5, 1, 1, 1, 0} {
		k.camera = drifting(0.1 * float32(i))
		k.push = 0
		if n <= 1 {
			k.push = 0.02 * float64(i)
		}
		if i == 3 || i == 8 {
			k.stepper.BetweenSteps(func() {
				if err := k.liquid.Fill(fluid.Sphere(r3.Vec{X: -0.4, Y: 0.8}, 0.12)); err != nil {
					t.Error(err)
				}
			})
		}
		k.stepper.Update(time.Duration(n*float64(tick)), func(r *fluid.Report) {
			hashes[r.Step] = k.liquid.Hash()
			if slices.Contains(ends, r.Step) {
				if err := k.crate.ApplyImpulse(r3.Vec{X: 0.5}, k.crate.CentreOfMass()); err != nil {
					t.Error(err)
				}
			}
		})
		k.stepper.Wait()
	}
	return hashes
}

// ends are the steps that are the last of their frame as play plays them.
var ends = []int{1, 2, 3, 5, 8, 9, 12, 13, 14, 15}

// Beside the frames or within them, the same calls make the same states.
func TestAsyncMakesTheSameStates(t *testing.T) {
	within, beside := newTank(t, false), newTank(t, true)
	want, got := within.play(t), beside.play(t)
	seen := map[uint64]bool{}
	for _, step := range ends {
		if got[step] != want[step] {
			t.Fatalf("step %d: hash %x beside the frames, %x within them", step, got[step], want[step])
		}
		seen[want[step]] = true
	}
	if len(seen) != len(ends) || len(want) != 15 || len(got) != 15 {
		t.Errorf("%d states, %d and %d steps", len(seen), len(want), len(got))
	}
	if within.stepper.Dropped() != 2*tick || beside.stepper.Dropped() != 2*tick {
		t.Errorf("dropped %v and %v, want %v", within.stepper.Dropped(), beside.stepper.Dropped(), 2*tick)
	}
}

// A step is handed over in the Update after the one that started it, with its own report and
// events, once.
func TestAsyncHandsOver(t *testing.T) {
	src := newGated(nil)
	s := NewStepper(src, Options{Async: true})
	var told []float64
	each := func(r *fluid.Report) {
		if splash := s.Events().Splashes[0]; splash.Impulse != float64(r.Step) {
			t.Errorf("step %d with the splash of %g", r.Step, splash.Impulse)
		}
		if heard := s.Events().Sounds[0]; heard.Energy != float64(r.Step) {
			t.Errorf("step %d with the sound of %g", r.Step, heard.Energy)
		}
		told = append(told, s.Events().Splashes[0].Impulse)
	}
	for i, want := range []struct{ due, steps, last int }{{1, 0, 0}, {3, 1, 1}, {0, 3, 4}, {0, 0, 0}, {1, 0, 0}, {0, 1, 5}} {
		f := s.Update(time.Duration(want.due)*tick, each)
		if f.Steps != want.steps || f.Report.Step != want.last || f.Late {
			t.Errorf("frame %d: took %d steps over, the last %d, late %v; want %d and %d", i, f.Steps, f.Report.Step, f.Late, want.steps, want.last)
		}
		s.Wait()
	}
	if !slices.Equal(told, []float64{1, 2, 3, 4, 5}) {
		t.Errorf("told of %v", told)
	}
}

// While a step is late the frames go on, ahead of the last step but not far; what they missed
// is stepped afterwards.
func TestAsyncNeverWaits(t *testing.T) {
	src := newGated(make(chan struct{}))
	s := NewStepper(src, Options{Async: true, MaxSteps: 2})
	s.Update(tick)
	for i, want := range []struct {
		late  bool
		alpha float64
	}{{false, 0.5}, {true, 1}, {true, 1.5}, {true, 2}, {true, 2}} {
		f := s.Update(tick / 2)
		if f.Late != want.late || math.Abs(f.Alpha-want.alpha) > 1e-6 || f.Steps != 0 {
			t.Errorf("frame %d: late %v, alpha %g, %d steps; want %v, %g, 0", i, f.Late, f.Alpha, f.Steps, want.late, want.alpha)
		}
	}
	if back := s.Lag(); math.Abs(back+tick.Seconds()) > 1e-6 {
		t.Errorf("the surface is drawn %g s back, want a step ahead", back)
	}
	src.gate <- struct{}{}
	s.Wait()
	close(src.gate)
	if f := s.Update(tick / 2); f.Late || f.Steps != 1 || f.Dropped != tick {
		t.Errorf("late %v, %d steps, dropped %v; want one step, and of three that were due one dropped", f.Late, f.Steps, f.Dropped)
	}
	s.Wait()
	if src.steps != 3 {
		t.Errorf("%d steps, want one and two that were missed", src.steps)
	}
}

// What is shown stays as it is while the next step writes the source's own slices, and is what
// the step before it made.
func TestAsyncPictureIsNotWritten(t *testing.T) {
	src := newGated(make(chan struct{}, 1))
	s := NewStepper(src, Options{Async: true})
	want := slices.Clone(src.Surface().Positions)
	for i := range 5 {
		s.Update(tick) // shows the state before the step that it starts
		before := slices.Clone(s.surface.Positions)
		if !slices.Equal(before, want) {
			t.Fatalf("frame %d does not show the step before", i)
		}
		src.gate <- struct{}{}
		s.Wait()
		if !slices.Equal(before, s.Surface().Positions) {
			t.Fatalf("frame %d was written while it was shown", i)
		}
		want = append(want[:0], src.surface.Positions...)
	}
}

// glider is a body that goes 1 m in each step.
type glider struct{ source *gatedLiquid }

func (g *glider) Len() int      { return 1 }
func (g *glider) ID(int) uint64 { return 1 }
func (g *glider) Pose(int) (r3.Vec, quat.Number) {
	return r3.Vec{X: float64(g.source.steps)}, quat.Number{Real: 1}
}

// Whatever the frames' times and however late the steps, what is shown never goes back. Where no
// step is late it is two steps behind the clock, and moves as evenly.
func TestAsyncMotionIsSteady(t *testing.T) {
	src := newGated(make(chan struct{}, 100))
	s := NewStepper(src, Options{Async: true})
	var shown node
	s.Bind(&glider{src}, 0, shown.place)
	s.Update(tick)
	at, clock := 0.0, 1.0
	late := 0
	for i := range 2000 {
		slow := i/200%2 == 1 && scatter(i, 3, 4) < 0.3 // a step that a frame doesn't see the end of
		if !slow {
			for len(src.gate) < 3 {
				src.gate <- struct{}{}
			}
			s.Wait()
		}
		for len(src.gate) > 0 {
			<-src.gate
		}
		dt := 1.0
		if i/400%2 == 1 {
			dt = 0.2 + 0.7*scatter(i, 1, 2)
		}
		f := s.Update(time.Duration(dt * float64(tick)))
		clock += dt - f.Dropped.Seconds()/tick.Seconds()
		was := at
		at = shown.position.X
		if at < was-1e-3 {
			t.Fatalf("frame %d: from %g back to %g", i, was, at)
		}
		if f.Late {
			late++
		}
		lag := clock - at
		if lag < 2-1e-3 {
			t.Fatalf("frame %d: %g steps behind the clock, want at least two", i, lag)
		}
		if i/200%2 == 0 && i%200 > 5 && (math.Abs(at-was-dt) > 1e-3 || lag > 2+1e-3) {
			t.Fatalf("frame %d: moved by %g in %g, %g behind the clock", i, at-was, dt, lag)
		}
	}
	if late < 50 || late > 800 {
		t.Errorf("%d frames were late", late)
	}
	close(src.gate)
	s.Wait()
}

// Two steps in each frame, with 30 frames a second: shown between steps, not ahead of them.
func TestAsyncInterpolatesAtHalfTheRate(t *testing.T) {
	s := NewStepper(newGated(nil), Options{Async: true})
	for i := range 10 {
		f := s.Update(2*tick + tick/4/10)
		s.Wait()
		if i > 2 && f.Alpha > 1 {
			t.Errorf("frame %d: alpha %g", i, f.Alpha)
		}
	}
}

// BetweenSteps waits for what is under way and for each, and not otherwise; Refresh, Unbind and
// Close may come at any time.
func TestAsyncBetween(t *testing.T) {
	src := newGated(make(chan struct{}, 9))
	var order []string
	say := func(what string) func() { return func() { order = append(order, what) } }
	s := NewStepper(src, Options{Async: true, BeforeStep: say("before")})
	s.BetweenSteps(say("idle"))
	s.Update(tick)
	s.BetweenSteps(say("busy"))
	s.Update(0)
	src.gate <- struct{}{}
	s.Wait()
	s.BetweenSteps(say("untaken"))
	s.Update(0, func(*fluid.Report) { say("each")(); s.BetweenSteps(say("in each")) })
	s.BetweenSteps(say("taken"))
	if want := []string{"idle", "before", "each", "in each", "busy", "untaken", "taken"}; !slices.Equal(order, want) {
		t.Errorf("in the order %v, want %v", order, want)
	}
	binding := s.Bind(&glider{src}, 0, new(node).place)
	s.Update(tick)
	s.Unbind(binding)
	src.gate <- struct{}{}
	s.Refresh(1)
	if got := src.surface.Positions; !slices.Equal(s.surface.Positions, got) || s.Lag() != 0 {
		t.Error("Refresh does not show the liquid as it is")
	}
	if f := s.Update(tick); f.Report.Step != 2 {
		t.Errorf("after Refresh step %d was handed over, want 2", f.Report.Step)
	}
	src.gate <- struct{}{}
	s.Close()
	if s.background.busy || s.background.worker.begin != nil || src.steps != 3 {
		t.Errorf("disposed of after %d steps, busy %v", src.steps, s.background.busy)
	}
}

func TestAsyncAllocatesNothing(t *testing.T) {
	s := NewStepper(newGated(nil), Options{Async: true})
	frame := func() {
		s.Update(tick)
		s.Wait()
	}
	for range 4 {
		frame()
	}
	if n := testing.AllocsPerRun(50, frame); n > 0 {
		t.Errorf("%v allocations per frame", n)
	}
}

// A point is in the liquid if the mesh holds it: as the liquid itself says, but for points
// that are nearer to the surface than the mesh is to it.
func TestPictureHoldsWhatTheLiquidDoes(t *testing.T) {
	k := newTank(t, false)
	for range 20 {
		k.stepper.Update(tick)
	}
	in := 0
	for i := range 2000 {
		p := r3.Vec{X: 2*scatter(i, 1, 1) - 1, Y: 0.8 * scatter(i, 2, 1), Z: scatter(i, 3, 1) - 0.5}
		var s [1]fluid.Sample
		k.liquid.Sample(s[:], []r3.Vec{p})
		got := k.stepper.Surface().Contains(float32(p.X), float32(p.Y), float32(p.Z))
		if s[0].Medium != fluid.MediumSolid && got != s[0].Inside && math.Abs(s[0].Height) > 0.04 {
			t.Errorf("%v: %v, %g m below the surface", p, got, s[0].Height)
		}
		if got {
			in++
		}
	}
	if in < 300 || in > 1000 {
		t.Errorf("%d of 2000 points are in the liquid", in)
	}
}
