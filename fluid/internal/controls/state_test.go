package controls_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// controlState is the part of the state that controls have.
func controlState(l *fluid.Liquid) []byte {
	var c codec.Codec
	c.Write()
	testrig.Around(l).Controls.Code(&c)
	return bytes.Clone(c.Bytes())
}

// What was copied under control goes on as the original does, whatever the moment: before the first step, while a column rises, in a fade, after a release.
// Copied back it takes the original back.
func TestCopyGoesOnAlikeUnderControl(t *testing.T) {
	testrig.EachDiscretisation(t, copyGoesOnAlikeUnderControl)
}

func copyGoesOnAlikeUnderControl(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for name := range steerings {
		t.Run(name, func(t *testing.T) {
			a := conducted(t, of, name, 2)
			b := a.on(testrig.Bare(t, a.L.Def(), 1))
			n := 0
			for _, moment := range testrig.InShort([]int{0, 20}, []int{0, 9, 20, 40}) {
				for ; n < moment; n++ {
					a.step(t, n)
				}
				a.CopyTo(t, b.PairOf)
				for k := range 8 {
					if x, y := a.step(t, n+k), b.step(t, n+k); x != y {
						t.Fatalf("copied before step %d, step %d differs:\n%s\n%s", moment, n+k, x, y)
					}
				}
				for k := range 3 {
					a.step(t, n+8+k)
				}
				b.CopyTo(t, a.PairOf)
				n += 8
				if x, y := a.step(t, n), b.step(t, n); x != y {
					t.Fatalf("what was taken back to step %d gives other bits", n)
				}
				n++
			}
		})
	}
}

// A run that was saved and goes on from the file, in a scene that another process has made and that has gone elsewhere, ends as if it had not
// been interrupted; a snapshot writes and hashes the same.
func TestSavedControlGoesOnAlike(t *testing.T) {
	testrig.EachDiscretisation(t, savedControlGoesOnAlike)
}

func savedControlGoesOnAlike(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for name := range steerings {
		for _, moment := range []int{26, 7, 0}[:testrig.InShort(1, 3)] { // TestCopyGoesOnAlikeUnderControl copies before the first step, too
			t.Run(fmt.Sprintf("%s %d", name, moment), func(t *testing.T) {
				a, b := conducted(t, of, name, 2), conducted(t, of, name, 1)
				for n := range moment {
					a.step(t, n)
				}
				testrig.Must(t, b.L.Fill(fluid.Below(.27)))
				for n := range min(moment, 24) + 2 { // as many calls, and other steps
					if b.hear != nil && n < moment {
						b.hear(b, n)
					}
					b.L.Step(.7 * testrig.Frame)
				}
				var s fluid.Snapshot
				a.L.Snapshot(&s)
				file := testrig.Saved(t, a.L)
				var late bytes.Buffer
				testrig.Must(t, s.Save(&late))
				if !bytes.Equal(late.Bytes(), file) || s.Hash() != a.L.Hash() {
					t.Error("a snapshot is not what Save and Hash tell")
				}
				testrig.Restore(t, b.L, file)
				a.W.CopyTo(b.W)
				if a.L.Hash() != b.L.Hash() {
					t.Fatal("what was restored has another hash")
				}
				for n := moment; n < moment+12; n++ {
					if x, y := a.step(t, n), b.step(t, n); x != y {
						t.Fatalf("step %d: what was restored gives other bits:\n%s\n%s", n, x, y)
					}
				}
			})
		}
	}
}

// The same bits for any number of workers.
func TestSameBitsForAnyWorkersUnderControl(t *testing.T) {
	testrig.EachDiscretisation(t, sameBitsForAnyWorkersUnderControl)
}

func sameBitsForAnyWorkersUnderControl(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for name := range steerings {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, workers := range []int{1, 4, 2}[:testrig.InShort(2, 3)] {
				s := conducted(t, of, name, workers)
				for n := range 40 {
					got := s.step(t, n)
					if workers == 1 {
						want = append(want, got)
					} else if got != want[n] {
						t.Fatalf("%d workers: step %d gives other bits", workers, n)
					}
				}
			}
		})
	}
}

// Whatever decides the steps to come is in the hash.
func TestHashSeesControls(t *testing.T) {
	s := conducted(t, fluid.Cubes, "fading", 1)
	for n := range 8 {
		s.step(t, n)
	}
	l := s.L
	c := testrig.Around(l).Controls.All[0]
	p := c.Surface // a player's clock moves by a step alone
	_ = p
	was, state := l.Hash(), controlState(l)
	keep := testrig.New(t, l.Def())
	keep.Couple(s.W.Coupling())
	testrig.Must(t, l.CopyTo(keep))
	seen := map[uint64]string{was: "nothing"}
	pose := control.Pose{Position: r3.Vec{X: .8, Y: .4, Z: .4}}
	base := fluid.ControlDef{Clip: c.Clip, Strength: .8, Loop: true, Pose: pose}
	for what, change := range map[string]func(d *fluid.ControlDef){
		"Strength": func(d *fluid.ControlDef) { d.Strength = .7 },
		"Weights":  func(d *fluid.ControlDef) { d.Weights = make([]float32, c.Clip.(*control.Clip).Vertices()) },
		"Refill":   func(d *fluid.ControlDef) { d.Refill.Rate = 1 },
		"Speed":    func(d *fluid.ControlDef) { d.Speed = 2 },
		"Loop":     func(d *fluid.ControlDef) { d.Loop = false },
		"Paused":   func(d *fluid.ControlDef) { d.Paused = true },
		"Pose":     func(d *fluid.ControlDef) { d.Pose.Position.X = math.Nextafter(.8, 1) },
		"Velocity": func(d *fluid.ControlDef) { d.Pose.Velocity.Z = 1e-9 },
		"Spin":     func(d *fluid.ControlDef) { d.Pose.AngularVelocity.Z = 1e-9 },
		"Turn":     func(d *fluid.ControlDef) { d.Pose.Rotation.Real = 1; d.Pose.Rotation.Imag = 1e-9 },
		"Clip":     func(d *fluid.ControlDef) { d.Clip, d.Fade = testrig.BallClip(t, .1, r3.Vec{}), 1 },
	} {
		d := base
		change(&d)
		testrig.Must(t, l.SetControl(s.ids[0], d))
		if other, is := seen[l.Hash()]; is {
			t.Errorf("a change of %s has the hash of a change of %s", what, other)
		}
		seen[l.Hash()] = what
		testrig.Must(t, keep.CopyTo(l))
		if l.Hash() != was || !bytes.Equal(controlState(l), state) {
			t.Fatalf("a change of %s can't be taken back", what)
		}
	}
	// The clock of a control that is paused for a step differs from that of one that is not, where all else is the same.
	a, b := testrig.New(t, l.Def()), testrig.New(t, l.Def())
	clip := testrig.BallClip(t, .1, r3.Vec{X: .1})
	for i, dt := range []float64{.01, .02} {
		x := []*fluid.Liquid{a, b}[i]
		_, err := x.AddControl(fluid.ControlDef{Clip: clip, Pose: pose})
		testrig.Must(t, err)
		testrig.Around(x).Controls.Pass(dt)
	}
	if a.Hash() == b.Hash() {
		t.Error("clocks that differ give the same hash")
	}
	none := testrig.New(t, l.Def())
	if x := none.Hash(); x == a.Hash() {
		t.Error("a control has no part in the hash")
	}
}

// A step that is rolled back leaves clocks, poses, fades and arrivals as they were before it, and the next goes on.
func TestRollBackTakesControlsBack(t *testing.T) {
	testrig.EachDiscretisation(t, rollBackTakesControlsBack)
}

func rollBackTakesControlsBack(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for name := range steerings {
		t.Run(name, func(t *testing.T) {
			s := conducted(t, of, name, 1)
			for n := range 50 {
				if n%3 == 2 && n != 3 {
					was := controlState(s.L)
					*testrig.Attempts(s.L) = remedies.Ladder{} // or the step would be taken again without them
					testrig.Around(s.L).Material.Density = testrig.NaN
					r := *s.L.Step(testrig.Frame)
					testrig.Around(s.L).Material.Density = 1000
					if r.Err == nil {
						t.Fatal("not rolled back")
					}
					if !bytes.Equal(controlState(s.L), was) {
						t.Fatalf("before step %d a rolled back one has changed the controls", n)
					}
				}
				s.step(t, n)
			}
		})
	}
}

// Prewarm takes clocks back, fades that it has ended too, and what comes after it gives the same bits as without.
func TestPrewarmTakesControlsBack(t *testing.T) {
	testrig.EachDiscretisation(t, prewarmTakesControlsBack)
}

func prewarmTakesControlsBack(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for name := range steerings {
		t.Run(name, func(t *testing.T) {
			a, b := conducted(t, of, name, 1), conducted(t, of, name, 1)
			for n := range 12 {
				if x, y := a.step(t, n), b.step(t, n); x != y {
					t.Fatalf("step %d after it differs", n)
				}
				if n == 5 {
					hash, state := a.L.Hash(), controlState(a.L)
					a.L.Prewarm()
					if a.L.Hash() != hash || !bytes.Equal(controlState(a.L), state) {
						t.Fatal("Prewarm has changed the state")
					}
				}
			}
		})
	}
}

// A plan that was recorded under control gives the same bits.
func TestReplayUnderControl(t *testing.T) {
	a, b := conducted(t, fluid.Cubes, "loose", 1), conducted(t, fluid.Cubes, "loose", 2)
	testrig.Must(t, a.L.SetBudget(fluid.Budget{Step: 1}))
	testrig.Must(t, b.L.SetBudget(fluid.Budget{}))
	for n := range 20 {
		r := *a.L.Step(testrig.Frame)
		testrig.Must(t, b.L.Replay(r.Plan))
		if b.L.Step(testrig.Frame); a.L.Hash() != b.L.Hash() {
			t.Fatalf("step %d of the replay gives other bits", n)
		}
	}
}

// A source that panics in a step, or in a call, comes to the caller as a Panic, and leaves clocks and liquid as they were: those of other controls too.
func TestPanicOfASource(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 2}})
	testrig.Must(t, l.Fill(fluid.Below(.3)))
	_, err := l.AddControl(fluid.ControlDef{Clip: testrig.BallClip(t, .2, r3.Vec{X: .1}), Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .4, Y: .3, Z: .4}}})
	testrig.Must(t, err)
	bad := ballActor(.2)
	d := fluid.ControlDef{Clip: bad, Strength: .5, Pose: control.Pose{Position: r3.Vec{X: 1, Y: .3, Z: .4}, Velocity: r3.Vec{X: .1}}}
	id, err := l.AddControl(d)
	testrig.Must(t, err)
	_, err = l.AddControl(fluid.ControlDef{Clip: testrig.BallClip(t, .1, r3.Vec{Z: .1}), Strength: 1, Pose: control.Pose{Position: r3.Vec{X: 1.2, Y: .2, Z: .4}}})
	testrig.Must(t, err)
	testrig.GoesOn(t, l, 5)
	for name, call := range map[string]func(){
		"Step": func() { l.Step(testrig.Frame) }, "Control": func() { _, _ = l.AddControl(d) },
		"SetControl": func() {
			d := d
			d.Weights, d.Strength = make([]float32, bad.N), 1
			_ = l.SetControl(id, d)
		},
		"another Clip": func() {
			other := ballActor(.1)
			other.Spoil = bad.Spoil
			_ = l.SetControl(id, fluid.ControlDef{Clip: other, Strength: 1})
		},
	} {
		for after := range 4 { // calls of At before the one that panics
			state, ledger, controls := controlState(l), l.Ledger(), len(testrig.Around(l).Controls.All)
			calls := 0
			bad.Spoil = func(*control.Mesh) {
				if calls++; calls > after {
					panic(testrig.ErrCursed)
				}
			}
			p := testrig.PanicOf(t, call)
			bad.Spoil = nil
			if p == nil {
				if after == 0 {
					t.Errorf("%s: no panic", name)
				}
				testrig.Must(t, l.SetControl(id, d))
				for len(testrig.Around(l).Controls.All) > controls {
					testrig.Must(t, l.RemoveControl(fluid.ControlID(testrig.ControlIDs(l).IDs[controls])))
				}
				continue
			}
			if !strings.Contains(p.Error(), testrig.ErrCursed.Error()) {
				t.Errorf("%s: the panic says %v", name, p)
			}
			if !bytes.Equal(controlState(l), state) || l.Ledger() != ledger || len(testrig.Around(l).Controls.All) != controls {
				t.Errorf("%s, %d: the controls or the ledger have changed", name, after)
			}
			testrig.GoesOn(t, l, 2)
		}
	}
	bad.Spoil = func(*control.Mesh) { panic(testrig.ErrCursed) }
	hash := controlState(l)
	if p := testrig.PanicOf(t, l.Prewarm); p == nil {
		t.Error("Prewarm: no panic")
	}
	bad.Spoil = nil
	if !bytes.Equal(controlState(l), hash) {
		t.Error("a Prewarm that panicked has changed the controls")
	}
	testrig.GoesOn(t, l, 5)
}

// Parts of a liquid that sleep, and that a control wakes where it goes, do so in a copy too, which has not met its surface yet.
func TestCopySleepsUnderControl(t *testing.T) {
	def := fluid.Def{Domain: testrig.Box(8, 1, .8), CellSize: .1}
	a, clip := testrig.New(t, def), testrig.BallClip(t, .13, r3.Vec{})
	testrig.Must(t, a.Fill(fluid.Below(.53)))
	d := fluid.ControlDef{Clip: clip, Paused: true, Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .6, Y: .2, Z: .4}}}
	id, err := a.AddControl(d)
	testrig.Must(t, err)
	testrig.GoesOn(t, a, 240)
	for n, x := range []float64{.6, .6, 6, 6, 3} {
		b := testrig.New(t, def)
		testrig.Must(t, a.CopyTo(b))
		for _, l := range []*fluid.Liquid{a, b} {
			d.Pose.Position.X = x
			testrig.Must(t, l.SetControl(id, d))
		}
		for k := range 20 {
			ra, rb := *a.Step(testrig.Frame), *b.Step(testrig.Frame)
			if a.Hash() != b.Hash() || ra.AsleepBlocks != rb.AsleepBlocks {
				t.Fatalf("copy %d: step %d differs: %d and %d blocks sleep", n, k, ra.AsleepBlocks, rb.AsleepBlocks)
			}
			if ra.AsleepBlocks == 0 {
				t.Fatalf("copy %d: nothing sleeps", n)
			}
		}
	}
}

// What the game must make the same of controls is looked at.
func TestRestoreLooksAtControls(t *testing.T) {
	scene := func(d fluid.ControlDef, more ...fluid.ControlDef) *fluid.Liquid {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1})
		for _, d := range append([]fluid.ControlDef{d}, more...) {
			_, err := l.AddControl(d)
			testrig.Must(t, err)
		}
		return l
	}
	clip := testrig.BallClip(t, .2, r3.Vec{X: .1})
	d := fluid.ControlDef{Clip: clip, Strength: .4, Refill: control.Refill{Rate: 1, From: fluid.Below(.2)}}
	file := testrig.Saved(t, scene(d))
	painted := make([]float32, clip.Vertices())
	coarse, triangles := testrig.BallMesh(1, .2)
	other, err := control.NewLive(triangles, coarse)
	testrig.Must(t, err)
	for want, l := range map[string]*fluid.Liquid{
		"controls: their number":               scene(d, d),
		"controls: the duration of a Clip":     scene(fluid.ControlDef{Clip: other}),
		"controls: Weights":                    scene(fluid.ControlDef{Clip: clip, Weights: painted}),
		"controls: the bounds of Refill.From":  scene(fluid.ControlDef{Clip: clip, Refill: control.Refill{From: fluid.Below(.3)}}),
		"controls: the surface of a Clip is n": scene(fluid.ControlDef{Clip: &testrig.Actor{Move: ballActor(.2).Move, Triangles: ballActor(.2).Triangles, N: ballActor(.2).N, Length: clip.Duration()}}),
	} {
		was := l.Hash()
		if err := l.Restore(bytes.NewReader(file)); err == nil || !strings.Contains(err.Error(), want) || l.Hash() != was {
			t.Errorf("%s: %v; changed: %v", want, err, l.Hash() != was)
		}
	}
	l := scene(fluid.ControlDef{Clip: clip, Strength: 1, Speed: 3, Paused: true, Refill: control.Refill{Rate: 7, From: fluid.Below(.2)}})
	testrig.Restore(t, l, file)
	if l.Hash() != scene(d).Hash() {
		t.Error("what is state is not restored")
	}
}

// A file from within a fade is read where the same Clips were mixed, though the fade is over, and refused, with what to do, where they never were; one from
// after or before a fade is read in its midst.
func TestRestoreInAFade(t *testing.T) {
	s := conducted(t, fluid.Cubes, "fading", 1)
	for n := range 8 {
		s.step(t, n)
	}
	within, world := testrig.Saved(t, s.L), physics.NewWorld(physics.WorldDef{})
	s.W.CopyTo(world)
	hashes := map[int]uint64{}
	for n := 8; n < 60; n++ {
		s.step(t, n)
		hashes[n] = s.L.Hash()
	}
	never := conducted(t, fluid.Cubes, "fading", 1)
	if err := never.L.Restore(bytes.NewReader(within)); err == nil || !strings.Contains(err.Error(), "2 Clips were mixed") {
		t.Errorf("%v", err)
	}
	twin := conducted(t, fluid.Cubes, "fading", 1)
	for n := range 60 {
		twin.step(t, n)
	}
	for range 2 {
		world.CopyTo(twin.W)
		testrig.Restore(t, twin.L, within)
		for n := 8; n < 60; n++ {
			twin.step(t, n)
			if twin.L.Hash() != hashes[n] {
				t.Fatalf("step %d differs after a file from within a fade was read when it was over", n)
			}
		}
	}
	after := testrig.Saved(t, s.L)
	b := conducted(t, fluid.Cubes, "fading", 1)
	for n := range 8 {
		b.step(t, n)
	}
	testrig.Restore(t, b.L, after)
	if b.L.Hash() != s.L.Hash() {
		t.Error("a file from after a fade is read otherwise in its midst")
	}
}
