package fluid

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/physics"
)

// controlState is the part of the state that controls have.
func controlState(l *Liquid) []byte {
	var c codec.Codec
	c.Write()
	l.sim.around.Controls.Code(&c)
	return bytes.Clone(c.Bytes())
}

// What was copied under control goes on as the original does, whatever the moment: before the first step, while a column rises, in a fade, after a release.
// Copied back it takes the original back.
func TestCopyGoesOnAlikeUnderControl(t *testing.T) {
	for name := range steerings {
		t.Run(name, func(t *testing.T) {
			a := conducted(t, name, 2)
			b := a.on(bare(t, a.l.Def(), 1))
			n := 0
			for _, moment := range []int{0, 9, 20, 40} {
				for ; n < moment; n++ {
					a.step(t, n)
				}
				a.copyTo(t, b.pairOf)
				for k := range 8 {
					if x, y := a.step(t, n+k), b.step(t, n+k); x != y {
						t.Fatalf("copied before step %d, step %d differs:\n%s\n%s", moment, n+k, x, y)
					}
				}
				for k := range 3 {
					a.step(t, n+8+k)
				}
				b.copyTo(t, a.pairOf)
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
	for name := range steerings {
		for _, moment := range []int{7, 26, 0}[:inShort(2, 3)] { // TestCopyGoesOnAlikeUnderControl copies before the first step, too
			t.Run(fmt.Sprintf("%s %d", name, moment), func(t *testing.T) {
				a, b := conducted(t, name, 2), conducted(t, name, 1)
				for n := range moment {
					a.step(t, n)
				}
				must(t, b.l.Fill(Below(.27)))
				for n := range min(moment, 24) + 2 { // as many calls, and other steps
					if b.hear != nil && n < moment {
						b.hear(b, n)
					}
					b.l.Step(.7 * frame)
				}
				var s Snapshot
				a.l.Snapshot(&s)
				file := saved(t, a.l)
				var late bytes.Buffer
				must(t, s.Save(&late))
				if !bytes.Equal(late.Bytes(), file) || s.Hash() != a.l.Hash() {
					t.Error("a snapshot is not what Save and Hash tell")
				}
				restore(t, b.l, file)
				a.w.CopyTo(b.w)
				if a.l.Hash() != b.l.Hash() {
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
	for name := range steerings {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, workers := range []int{1, 4, 2}[:inShort(2, 3)] {
				s := conducted(t, name, workers)
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
	s := conducted(t, "fading", 1)
	for n := range 8 {
		s.step(t, n)
	}
	l := s.l
	c := l.sim.around.Controls.All[0]
	p := c.Surface // a player's clock moves by a step alone
	_ = p
	was, state := l.Hash(), controlState(l)
	keep := mustNew(t, l.Def())
	keep.Couple(s.w.Coupling())
	must(t, l.CopyTo(keep))
	seen := map[uint64]string{was: "nothing"}
	pose := control.Pose{Position: r3.Vec{X: .8, Y: .4, Z: .4}}
	base := ControlDef{Clip: c.Clip, Strength: .8, Loop: true, Pose: pose}
	for what, change := range map[string]func(d *ControlDef){
		"Strength": func(d *ControlDef) { d.Strength = .7 },
		"Weights":  func(d *ControlDef) { d.Weights = make([]float32, c.Clip.(*control.Clip).Vertices()) },
		"Refill":   func(d *ControlDef) { d.Refill.Rate = 1 },
		"Speed":    func(d *ControlDef) { d.Speed = 2 },
		"Loop":     func(d *ControlDef) { d.Loop = false },
		"Paused":   func(d *ControlDef) { d.Paused = true },
		"Pose":     func(d *ControlDef) { d.Pose.Position.X = math.Nextafter(.8, 1) },
		"Velocity": func(d *ControlDef) { d.Pose.Velocity.Z = 1e-9 },
		"Spin":     func(d *ControlDef) { d.Pose.AngularVelocity.Z = 1e-9 },
		"Turn":     func(d *ControlDef) { d.Pose.Rotation.Real = 1; d.Pose.Rotation.Imag = 1e-9 },
		"Clip":     func(d *ControlDef) { d.Clip, d.Fade = ballClip(t, .1, r3.Vec{}), 1 },
	} {
		d := base
		change(&d)
		must(t, l.SetControl(s.ids[0], d))
		if other, is := seen[l.Hash()]; is {
			t.Errorf("a change of %s has the hash of a change of %s", what, other)
		}
		seen[l.Hash()] = what
		must(t, keep.CopyTo(l))
		if l.Hash() != was || !bytes.Equal(controlState(l), state) {
			t.Fatalf("a change of %s can't be taken back", what)
		}
	}
	// The clock of a control that is paused for a step differs from that of one that is not, where all else is the same.
	a, b := mustNew(t, l.Def()), mustNew(t, l.Def())
	clip := ballClip(t, .1, r3.Vec{X: .1})
	for i, dt := range []float64{.01, .02} {
		x := []*Liquid{a, b}[i]
		_, err := x.Control(ControlDef{Clip: clip, Pose: pose})
		must(t, err)
		x.sim.around.Controls.Pass(dt)
	}
	if a.Hash() == b.Hash() {
		t.Error("clocks that differ give the same hash")
	}
	none := mustNew(t, l.Def())
	if x := none.Hash(); x == a.Hash() {
		t.Error("a control has no part in the hash")
	}
}

// A step that is rolled back leaves clocks, poses, fades and arrivals as they were before it, and the next goes on.
func TestRollBackTakesControlsBack(t *testing.T) {
	for name := range steerings {
		t.Run(name, func(t *testing.T) {
			s := conducted(t, name, 1)
			for n := range 50 {
				if n%3 == 2 && n != 3 {
					was := controlState(s.l)
					s.l.sim.attempts = remedies.Ladder{} // or the step would be taken again without them
					s.l.sim.around.Material.Density = nan
					r := s.l.Step(frame)
					s.l.sim.around.Material.Density = 1000
					if !r.RolledBack {
						t.Fatal("not rolled back")
					}
					if !bytes.Equal(controlState(s.l), was) {
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
	for name := range steerings {
		t.Run(name, func(t *testing.T) {
			a, b := conducted(t, name, 1), conducted(t, name, 1)
			for n := range 12 {
				if x, y := a.step(t, n), b.step(t, n); x != y {
					t.Fatalf("step %d after it differs", n)
				}
				if n == 5 {
					hash, state := a.l.Hash(), controlState(a.l)
					a.l.Prewarm()
					if a.l.Hash() != hash || !bytes.Equal(controlState(a.l), state) {
						t.Fatal("Prewarm has changed the state")
					}
				}
			}
		})
	}
}

// A plan that was recorded under control gives the same bits.
func TestReplayUnderControl(t *testing.T) {
	a, b := conducted(t, "loose", 1), conducted(t, "loose", 2)
	must(t, a.l.SetBudget(Budget{Step: 1}))
	must(t, b.l.SetBudget(Budget{}))
	for n := range 20 {
		r := a.l.Step(frame)
		must(t, b.l.Replay(r.Plan))
		if b.l.Step(frame); a.l.Hash() != b.l.Hash() {
			t.Fatalf("step %d of the replay gives other bits", n)
		}
	}
}

// A source that panics in a step, or in a call, comes to the caller as a Panic, and leaves clocks and liquid as they were: those of other controls too.
func TestPanicOfASource(t *testing.T) {
	l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .1, Workers: 2})
	must(t, l.Fill(Below(.3)))
	_, err := l.Control(ControlDef{Clip: ballClip(t, .2, r3.Vec{X: .1}), Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .4, Y: .3, Z: .4}}})
	must(t, err)
	bad := ballActor(.2)
	d := ControlDef{Clip: bad, Strength: .5, Pose: control.Pose{Position: r3.Vec{X: 1, Y: .3, Z: .4}, Velocity: r3.Vec{X: .1}}}
	id, err := l.Control(d)
	must(t, err)
	_, err = l.Control(ControlDef{Clip: ballClip(t, .1, r3.Vec{Z: .1}), Strength: 1, Pose: control.Pose{Position: r3.Vec{X: 1.2, Y: .2, Z: .4}}})
	must(t, err)
	goesOn(t, l, 5)
	for name, call := range map[string]func(){
		"Step": func() { l.Step(frame) }, "Control": func() { _, _ = l.Control(d) },
		"SetControl": func() {
			d := d
			d.Weights, d.Strength = make([]float32, bad.n), 1
			_ = l.SetControl(id, d)
		},
		"another Clip": func() {
			other := ballActor(.1)
			other.spoil = bad.spoil
			_ = l.SetControl(id, ControlDef{Clip: other, Strength: 1})
		},
	} {
		for after := range 4 { // calls of At before the one that panics
			state, ledger, controls := controlState(l), l.Ledger(), len(l.sim.around.Controls.All)
			calls := 0
			bad.spoil = func(*control.Mesh) {
				if calls++; calls > after {
					panic(errCursed)
				}
			}
			p := panicOf(t, call)
			bad.spoil = nil
			if p == nil {
				if after == 0 {
					t.Errorf("%s: no panic", name)
				}
				must(t, l.SetControl(id, d))
				for len(l.sim.around.Controls.All) > controls {
					must(t, l.ReleaseControl(ControlID(l.sim.ids.controls.IDs[controls])))
				}
				continue
			}
			if !strings.Contains(p.Error(), errCursed.Error()) {
				t.Errorf("%s: the panic says %v", name, p)
			}
			if !bytes.Equal(controlState(l), state) || l.Ledger() != ledger || len(l.sim.around.Controls.All) != controls {
				t.Errorf("%s, %d: the controls or the ledger have changed", name, after)
			}
			goesOn(t, l, 2)
		}
	}
	bad.spoil = func(*control.Mesh) { panic(errCursed) }
	hash := controlState(l)
	if p := panicOf(t, l.Prewarm); p == nil {
		t.Error("Prewarm: no panic")
	}
	bad.spoil = nil
	if !bytes.Equal(controlState(l), hash) {
		t.Error("a Prewarm that panicked has changed the controls")
	}
	goesOn(t, l, 5)
}

// Parts of a liquid that sleep, and that a control wakes where it goes, do so in a copy too, which has not met its surface yet.
func TestCopySleepsUnderControl(t *testing.T) {
	def := Def{Domain: box(8, 1, .8), CellSize: .1}
	a, clip := mustNew(t, def), ballClip(t, .13, r3.Vec{})
	must(t, a.Fill(Below(.53)))
	d := ControlDef{Clip: clip, Paused: true, Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .6, Y: .2, Z: .4}}}
	id, err := a.Control(d)
	must(t, err)
	goesOn(t, a, 240)
	for n, x := range []float64{.6, .6, 6, 6, 3} {
		b := mustNew(t, def)
		must(t, a.CopyTo(b))
		for _, l := range []*Liquid{a, b} {
			d.Pose.Position.X = x
			must(t, l.SetControl(id, d))
		}
		for k := range 20 {
			ra, rb := a.Step(frame), b.Step(frame)
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
	scene := func(d ControlDef, more ...ControlDef) *Liquid {
		l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .1})
		for _, d := range append([]ControlDef{d}, more...) {
			_, err := l.Control(d)
			must(t, err)
		}
		return l
	}
	clip := ballClip(t, .2, r3.Vec{X: .1})
	d := ControlDef{Clip: clip, Strength: .4, Refill: control.Refill{Rate: 1, From: Below(.2)}}
	file := saved(t, scene(d))
	painted := make([]float32, clip.Vertices())
	coarse, triangles := ballMesh(1, .2)
	other, err := control.NewLive(triangles, coarse)
	must(t, err)
	for want, l := range map[string]*Liquid{
		"controls: their number":               scene(d, d),
		"controls: the duration of a Clip":     scene(ControlDef{Clip: other}),
		"controls: Weights":                    scene(ControlDef{Clip: clip, Weights: painted}),
		"controls: the bounds of Refill.From":  scene(ControlDef{Clip: clip, Refill: control.Refill{From: Below(.3)}}),
		"controls: the surface of a Clip is n": scene(ControlDef{Clip: &actor{at: ballActor(.2).at, triangles: ballActor(.2).triangles, n: ballActor(.2).n, length: clip.Duration()}}),
	} {
		was := l.Hash()
		if err := l.Restore(bytes.NewReader(file)); err == nil || !strings.Contains(err.Error(), want) || l.Hash() != was {
			t.Errorf("%s: %v; changed: %v", want, err, l.Hash() != was)
		}
	}
	l := scene(ControlDef{Clip: clip, Strength: 1, Speed: 3, Paused: true, Refill: control.Refill{Rate: 7, From: Below(.2)}})
	restore(t, l, file)
	if l.Hash() != scene(d).Hash() {
		t.Error("what is state is not restored")
	}
}

// A file from within a fade is read where the same Clips were mixed, though the fade is over, and refused, with what to do, where they never were; one from
// after or before a fade is read in its midst.
func TestRestoreInAFade(t *testing.T) {
	s := conducted(t, "fading", 1)
	for n := range 8 {
		s.step(t, n)
	}
	within, world := saved(t, s.l), physics.NewWorld(physics.WorldDef{})
	s.w.CopyTo(world)
	hashes := map[int]uint64{}
	for n := 8; n < 60; n++ {
		s.step(t, n)
		hashes[n] = s.l.Hash()
	}
	never := conducted(t, "fading", 1)
	if err := never.l.Restore(bytes.NewReader(within)); err == nil || !strings.Contains(err.Error(), "2 Clips were mixed") {
		t.Errorf("%v", err)
	}
	twin := conducted(t, "fading", 1)
	for n := range 60 {
		twin.step(t, n)
	}
	for range 2 {
		world.CopyTo(twin.w)
		restore(t, twin.l, within)
		for n := 8; n < 60; n++ {
			twin.step(t, n)
			if twin.l.Hash() != hashes[n] {
				t.Fatalf("step %d differs after a file from within a fade was read when it was over", n)
			}
		}
	}
	after := saved(t, s.l)
	b := conducted(t, "fading", 1)
	for n := range 8 {
		b.step(t, n)
	}
	restore(t, b.l, after)
	if b.l.Hash() != s.l.Hash() {
		t.Error("a file from after a fade is read otherwise in its midst")
	}
}
