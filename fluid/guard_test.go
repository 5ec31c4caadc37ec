package fluid_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// curse makes callbacks panic.
type curse struct{ cast atomic.Bool }

func (c *curse) strike() {
	if c.cast.Load() {
		panic(testrig.ErrCursed)
	}
}

type cursedShape struct {
	fluid.SDF
	*curse
}

func (s cursedShape) Eval(dst []float32, pts []r3.Vec) {
	s.strike()
	s.SDF.Eval(dst, pts)
}

// cursedWorld has one of its methods cursed.
type cursedWorld struct {
	*physics.Coupling
	distance, step, velocity curse
}

func (w *cursedWorld) Distance(i int, dst []float32, pts []r3.Vec) {
	w.distance.strike()
	w.Coupling.Distance(i, dst, pts)
}

func (w *cursedWorld) Step(dt float64) {
	w.step.strike()
	w.Coupling.Step(dt)
}

func (w *cursedWorld) PredictedVelocity(i int, dt float64) (v, spin r3.Vec) {
	w.velocity.strike()
	return w.Coupling.PredictedVelocity(i, dt)
}

// cursedTub is a tub with a moving and a standing obstacle, a tap and a crate, each of which may be cursed.
type cursedTub struct {
	*fluid.Liquid
	world              *cursedWorld
	paddle, column, in curse
}

func newCursedTub(t testing.TB, workers int) *cursedTub {
	t.Helper()
	c := &cursedTub{Liquid: testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Budget: fluid.Budget{Work: 3}, Resources: fluid.Resources{Workers: workers}})}
	testrig.Must(t, c.Fill(fluid.Box(testrig.Box(.8, .5, .8))))
	paddle, err := c.AddObstacle(cursedShape{fluid.Box(r3.Box{Min: r3.Vec{X: -.1, Y: -.1, Z: -.1}, Max: r3.Vec{X: .1, Y: .1, Z: .1}}), &c.paddle})
	testrig.Must(t, err)
	testrig.Must(t, c.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: .4, Y: .3, Z: .4}, AngularVelocity: r3.Vec{Y: 2}}))
	_, err = c.AddObstacle(cursedShape{fluid.Cylinder(r3.Vec{X: 1.2, Z: .3}, r3.Vec{X: 1.2, Y: .8, Z: .3}, .12), &c.column})
	testrig.Must(t, err)
	_, err = c.AddEmitter(fluid.EmitterDef{Shape: cursedShape{fluid.Sphere(r3.Vec{X: .6, Y: .6, Z: .4}, .15), &c.in}, Rate: 5, Velocity: r3.Vec{Y: -1}})
	testrig.Must(t, err)
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .9, Y: .5, Z: .5}},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .2, .3)), Density: 400})
	c.world = &cursedWorld{Coupling: w.Coupling()}
	c.Couple(c.world)
	return c
}

// fields is the level set and the velocity, block by block.
func (c *cursedTub) fields() (phi, velocity []float32) {
	for b, first := range testrig.Blocks(c.Liquid).Grid.Cur.First {
		n := int32(1) << (3 * testrig.Blocks(c.Liquid).Grid.Cur.Level[b])
		phi = append(phi, testrig.Blocks(c.Liquid).Set.Phi[first:first+n]...)
		for a := range testrig.Blocks(c.Liquid).Faces {
			velocity = append(velocity, testrig.Blocks(c.Liquid).Faces[a][first:first+n]...)
		}
	}
	return phi, velocity
}

// tubState is what a panic must leave as it was.
type tubState struct {
	levels        []fluid.LevelBox
	ledger        fluid.Ledger
	crate         r3.Vec
	phi, velocity []float32
}

func (c *cursedTub) now() tubState {
	phi, velocity := c.fields()
	return tubState{c.Levels(nil), c.Ledger(), c.world.Body(0).Position(), phi, velocity}
}

// kept reports what has changed since.
func (was *tubState) kept(t *testing.T, c *cursedTub, atRest bool) {
	t.Helper()
	now := c.now()
	if now.ledger != was.ledger {
		t.Errorf("the ledger is %+v, was %+v", now.ledger, was.ledger)
	}
	if len(now.levels) == len(was.levels) && !slices.Equal(now.levels, was.levels) {
		t.Error("the blocks are others")
	}
	if !slices.Equal(now.phi, was.phi) {
		t.Error("the surface is another")
	}
	if !atRest && !slices.Equal(now.velocity, was.velocity) {
		t.Error("the velocity is another")
	}
	if now.crate != was.crate {
		t.Errorf("the crate moved from %v to %v", was.crate, now.crate)
	}
}

// strikes has a curse strike in three steps, of which the first asks all shapes anew if so.
func (c *cursedTub) strikes(t *testing.T, cursed *curse, anew bool) {
	t.Helper()
	cursed.cast.Store(true)
	defer cursed.cast.Store(false)
	struck := false
	for try := range 3 {
		p := testrig.PanicOf(t, func() {
			if try == 0 && anew {
				testrig.Blocks(c.Liquid).Solids.Forget()
			}
			c.Step(testrig.Frame)
		})
		if p == nil {
			continue
		}
		struck = true
		if !errors.Is(p, testrig.ErrCursed) || !strings.Contains(p.Error(), "strike") {
			t.Fatalf("the panic says %v", p)
		}
	}
	if !struck {
		t.Fatal("no panic")
	}
	c.BodyLoad(0) // as a game that reports the panic asks
}

// A panic of a callback within Step comes to Step's caller, whichever goroutine it was on, and the liquid goes on from where it was: alike
// for any number of workers.
func TestStepAfterAPanicInACallback(t *testing.T) {
	for name, of := range map[string]func(c *cursedTub) *curse{
		"moving obstacle": func(c *cursedTub) *curse { return &c.paddle }, "obstacle": func(c *cursedTub) *curse { return &c.column },
		"emitter": func(c *cursedTub) *curse { return &c.in }, "Bodies.Distance": func(c *cursedTub) *curse { return &c.world.distance },
		"Bodies.Step": func(c *cursedTub) *curse { return &c.world.step }, "Bodies.PredictedVelocity": func(c *cursedTub) *curse { return &c.world.velocity },
	} {
		t.Run(name, func(t *testing.T) {
			var hashes [3]uint64
			for k, workers := range []int{1, 2, 4} {
				c := newCursedTub(t, workers)
				testrig.GoesOn(t, c.Liquid, 10)
				was := c.now()
				c.strikes(t, of(c), name == "obstacle") // which else is not asked every time
				if name != "obstacle" {                 // which is not asked in the second step and the third
					was.kept(t, c, name == "Bodies.Step") // by then the new velocity has been written: at rest
				}
				testrig.GoesOn(t, c.Liquid, 30)
				if drift := c.Ledger().DriftL; drift > 8 || drift < -8 {
					t.Errorf("%d workers: the ledger is off by %g l", workers, drift)
				}
				hashes[k] = c.Hash()
			}
			if hashes[0] != hashes[1] || hashes[0] != hashes[2] {
				t.Errorf("1, 2 and 4 workers end with the hashes %x", hashes)
			}
		})
	}
}

// A callback's panic in a call that only reads leaves the state as it was, to the bit.
func TestQueryAfterAPanicInACallback(t *testing.T) {
	c, plain := newCursedTub(t, 2), newCursedTub(t, 2)
	testrig.GoesOn(t, c.Liquid, 5)
	testrig.GoesOn(t, plain.Liquid, 5)
	var in curse
	in.cast.Store(true)
	c.world.distance.cast.Store(true)
	shape := cursedShape{fluid.Sphere(r3.Vec{X: .4, Y: .2, Z: .4}, .3), &in}
	for name, call := range map[string]func(){
		"VolumeIn": func() { _, _ = c.VolumeIn(shape) }, "DensityIn": func() { _, _ = c.DensityIn(shape) },
		"SetVelocity": func() { _ = c.SetVelocity(shape, func(r3.Vec) r3.Vec { return r3.Vec{} }) },
		"Sample":      func() { c.Sample(make([]fluid.Sample, 1), []r3.Vec{c.world.Body(0).Position()}) },
	} {
		if p := testrig.PanicOf(t, call); p == nil || !errors.Is(p, testrig.ErrCursed) {
			t.Errorf("%s: %v", name, p)
		}
	}
	c.world.distance.cast.Store(false)
	// SetVelocity changes the state, and so wakes and measures it anew when it is taken back; the others leave no trace.
	testrig.GoesOn(t, c.Liquid, 30)
	testrig.GoesOn(t, plain.Liquid, 30)
	if a, b := c.Ledger(), plain.Ledger(); a.EmittedL != b.EmittedL {
		t.Errorf("the ledgers are %+v and %+v", a, b)
	}
	d := newCursedTub(t, 2)
	testrig.GoesOn(t, d.Liquid, 5)
	_ = testrig.PanicOf(t, func() { _, _ = d.VolumeIn(shape) })
	testrig.GoesOn(t, d.Liquid, 30)
	if d.Hash() != plain.Hash() {
		t.Error("a VolumeIn that panicked changed what came later")
	}
}

// A Fill or Drain whose shape panics is taken back, and so is what else changes the state; the liquid goes on.
func TestEditAfterAPanicInACallback(t *testing.T) {
	for name, edit := range map[string]func(c *cursedTub, s fluid.SDF) error{
		"Fill": func(c *cursedTub, s fluid.SDF) error { return c.Fill(s) }, "Drain": func(c *cursedTub, s fluid.SDF) error { return c.Drain(s) },
		"Fill around a body": func(c *cursedTub, _ fluid.SDF) error {
			c.world.distance.cast.Store(true)
			return c.Fill(fluid.Below(9))
		},
		"Drain around an obstacle": func(c *cursedTub, _ fluid.SDF) error {
			c.column.cast.Store(true)
			return c.Drain(fluid.Below(9))
		},
		"Step with a cursed field": func(c *cursedTub, s fluid.SDF) error {
			if _, err := c.AddField(fluid.Field{Kind: fluid.FuncField, Centre: r3.Vec{X: .4, Y: .3, Z: .4}, Radius: .5, Strength: 9, Func: func(dst, pts []r3.Vec) {
				var d [1]float32
				s.Eval(d[:], pts[:1])
			}}); err != nil {
				return err
			}
			defer func() { _ = c.RemoveField(0) }()
			c.Step(testrig.Frame)
			return nil
		},
		"MoveObstacle": func(c *cursedTub, _ fluid.SDF) error {
			c.paddle.cast.Store(true)
			return c.MoveObstacle(0, fluid.Motion{Translation: r3.Vec{X: 1, Y: .3, Z: .4}})
		},
		"RemoveObstacle": func(c *cursedTub, _ fluid.SDF) error {
			c.column.cast.Store(true)
			return c.RemoveObstacle(1)
		},
		"Prewarm": func(c *cursedTub, _ fluid.SDF) error {
			c.world.velocity.cast.Store(true)
			c.Prewarm()
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCursedTub(t, 2)
			testrig.GoesOn(t, c.Liquid, 5)
			var in curse
			in.cast.Store(true)
			before := c.Ledger()
			p := testrig.PanicOf(t, func() { _ = edit(c, cursedShape{fluid.Box(testrig.Box(1.2, .6, .8)), &in}) })
			if p == nil {
				t.Fatal("no panic")
			}
			c.paddle.cast.Store(false)
			c.column.cast.Store(false)
			c.world.velocity.cast.Store(false)
			c.world.distance.cast.Store(false)
			if name == "Prewarm" { // its state is lost only if it can't be read back
				var saved bytes.Buffer
				twin := newCursedTub(t, 1)
				testrig.GoesOn(t, twin.Liquid, 5)
				testrig.Must(t, twin.Save(&saved))
				testrig.Must(t, c.Restore(&saved))
			} else if after := c.Ledger(); after != before {
				t.Errorf("the ledger is %+v, was %+v", after, before)
			}
			for range 30 {
				r := *c.Step(testrig.Frame)
				testrig.Sound(t, c.Liquid, r)
				if r.Err != nil {
					t.Fatal(r.Err)
				}
			}
		})
	}
}

// A liquid of which a panic has left half a state says so until it is restored.
func TestLostStateIsSaid(t *testing.T) {
	from, c := newCursedTub(t, 1), newCursedTub(t, 1)
	testrig.GoesOn(t, from.Liquid, 5)
	c.world.distance.cast.Store(true)
	c.column.cast.Store(true)
	if p := testrig.PanicOf(t, func() { _ = from.CopyTo(c.Liquid) }); p == nil {
		t.Fatal("CopyTo asks no shape or body: there is no state to lose")
	}
	c.world.distance.cast.Store(false)
	c.column.cast.Store(false)
	wantMessage(t, "lost", func() { c.Step(testrig.Frame) })
	wantMessage(t, "lost", func() { c.Surface() })
	testrig.Must(t, from.CopyTo(c.Liquid))
	if c.Hash() != from.Hash() {
		t.Error("copied again it is another")
	}
	testrig.GoesOn(t, c.Liquid, 10)
}

// wantMessage wants f to panic with a text that begins with the package's name and has some words in it.
func wantMessage(t testing.TB, words string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		v := recover()
		text := fmt.Sprint(v)
		if p, is := v.(*fluid.Panic); is {
			text = fmt.Sprint(p.Value)
		}
		if v == nil || !strings.HasPrefix(text, "fluid: ") || !strings.Contains(text, words) {
			t.Errorf("it panicked with %q, want \"fluid: …%s…\"", text, words)
		}
	}()
	f()
}

// pausing are bodies whose step calls back.
type pausing struct {
	*physics.Coupling
	within func()
}

func (p *pausing) Step(dt float64) {
	if p.within != nil {
		p.within()
	}
	p.Coupling.Step(dt)
}

// Calls at once, from another goroutine or from a callback, are told by both their names; the call under way goes on.
func TestCallsAtOnceAreTold(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 2}})
	other := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 2}})
	testrig.Must(t, l.Fill(fluid.Below(.4)))
	p := &pausing{Coupling: physics.NewWorld(physics.WorldDef{}).Coupling()}
	l.Couple(p)
	calls := map[string]func(){
		"Step": func() { l.Step(testrig.Frame) }, "Surface": func() { l.Surface() }, "BodyLoad": func() { l.BodyLoad(0) }, "Fill": func() { _ = l.Fill(fluid.Below(.1)) },
		"Hash": func() { l.Hash() }, "Sample": func() { l.Sample(nil, nil) }, "CopyTo": func() { _ = l.CopyTo(other) },
		"Save": func() { _ = l.Save(new(bytes.Buffer)) }, "Restore": func() { _ = l.Restore(new(bytes.Buffer)) }, "Close": func() { l.Close() },
	}
	for name, call := range calls {
		p.within = func() { wantMessage(t, "fluid: "+name+" was called while Step", call) }
		testrig.GoesOn(t, l, 1)
		p.within = func() {
			done := make(chan struct{})
			go func() {
				defer close(done)
				wantMessage(t, "fluid: "+name+" was called while Step", call)
			}()
			<-done
		}
		testrig.GoesOn(t, l, 1)
	}
	p.within = func() { wantMessage(t, "CopyTo was called while Step", func() { _ = other.CopyTo(l) }) }
	testrig.GoesOn(t, l, 1)
	p.within = nil
	testrig.GoesOn(t, l, 3)
}

// A Liquid that New did not make, none, one that is closed, and nil where none can be meant, are told.
func TestMisuseIsTold(t *testing.T) {
	for name, l := range map[string]*fluid.Liquid{"nil": nil, "zero": {}} {
		for call, f := range map[string]func(){
			"Step": func() { l.Step(testrig.Frame) }, "Fill": func() { _ = l.Fill(fluid.Below(1)) }, "Surface": func() { l.Surface() }, "Hash": func() { l.Hash() },
			"Save": func() { _ = l.Save(new(bytes.Buffer)) }, "Close": func() { l.Close() }, "Couple": func() { l.Couple(nil) },
			"Snapshot": func() { l.Snapshot(new(fluid.Snapshot)) }, "Ledger": func() { l.Ledger() }, "CopyTo": func() { _ = l.CopyTo(new(fluid.Liquid)) },
		} {
			t.Run(name+" "+call, func(t *testing.T) { wantMessage(t, call, f) })
		}
	}
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 2}})
	wantMessage(t, "CopyTo", func() { _ = l.CopyTo(new(fluid.Liquid)) })
	wantMessage(t, "nil", func() { l.Snapshot(nil) })
	for name, err := range map[string]error{
		"Save": l.Save(nil), "Restore": l.Restore(nil), "CopyTo": l.CopyTo(nil), "Fill": l.Fill(nil), "Snapshot.Save": new(fluid.Snapshot).Save(new(bytes.Buffer)),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "fluid: "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	testrig.GoesOn(t, l, 2)
	l.Close()
	l.Close()
	wantMessage(t, "closed", func() { l.Step(testrig.Frame) })
	wantMessage(t, "closed", func() { l.Surface() })
}

// Every exported method of Liquid begins with enter, under its own name.
func TestEveryMethodIsGuarded(t *testing.T) {
	free := map[string]bool{"Def": true, "Close": true, "Coupled": true} // they look at nothing that a step changes, or guard themselves
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	methods := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Recv == nil || !f.Name.IsExported() || free[f.Name.Name] {
				continue
			}
			if star, is := f.Recv.List[0].Type.(*ast.StarExpr); !is || fmt.Sprint(star.X) != "Liquid" {
				continue
			}
			methods++
			guarded := false
			for _, s := range f.Body.List[:min(2, len(f.Body.List))] {
				if deferred, is := s.(*ast.DeferStmt); is {
					if leave, is := deferred.Call.Fun.(*ast.SelectorExpr); is && leave.Sel.Name == "leave" {
						guarded = true
					}
				}
			}
			if !guarded {
				t.Errorf("%s does not begin with defer l.enter(&calls.%s).leave()", f.Name.Name, f.Name.Name)
			}
		}
	}
	if methods < 30 {
		t.Errorf("only %d methods were found", methods)
	}
}

func BenchmarkGuard(b *testing.B) {
	l := testrig.New(b, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	for range b.N {
		l.BodyLoad(0)
	}
}
