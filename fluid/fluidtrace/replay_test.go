package fluidtrace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// game is a tank with a tap, and how often the tap was turned.
type game struct {
	turns  uint64
	liquid *fluid.Liquid
	tap    fluid.EmitterID
}

func newGame(t testing.TB, workers int) *game {
	t.Helper()
	l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1.6, Y: 1.6, Z: 1.6}}, CellSize: .1, Resources: fluid.Resources{Workers: workers}, Budget: fluid.Budget{Step: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	g := &game{liquid: l}
	if err := l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .8, Y: .8, Z: 1.6}})); err != nil {
		t.Fatal(err)
	}
	g.tap, err = l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: 1, Y: 1.3, Z: .8}, .15), Velocity: r3.Vec{Y: -1}, Rate: 30})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// do does what a note says.
func (g *game) do(note string) error {
	var x float64
	if _, err := fmt.Sscanf(note, "pour %g", &x); err == nil {
		return g.liquid.Fill(fluid.Sphere(r3.Vec{X: x, Y: 1, Z: .5}, .2))
	}
	switch note {
	case "open":
		g.turns++
		return g.liquid.StartEmitter(g.tap)
	case "shut":
		g.turns++
		return g.liquid.StopEmitter(g.tap)
	}
	return errors.New("a note that says nothing: " + note)
}

func (g *game) CopyTo(dst *game) { dst.turns = g.turns }
func (g *game) Hash() uint64     { return g.turns }
func (g *game) Save(w io.Writer) error {
	return binary.Write(w, binary.LittleEndian, g.turns)
}

// look turns a camera around the tank, and has a second one beside it, or none, now and then.
func (g *game) look(t testing.TB, n int) {
	t.Helper()
	sin, cos := math.Sincos(.05 * float64(n))
	v := fluid.View{View: [16]float32{float32(cos), 0, float32(sin), 0, 0, 1, 0, 0, float32(-sin), 0, float32(cos), 0, -.8, -.8, -4, 1}, Height: 400}
	copy(v.Projection[:], []float32{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -1.02, -1, 0, 0, -.2, 0})
	second := v
	second.View[12] += 1
	if err := g.liquid.SetViews([]fluid.View{v, second}[:[]int{1, 2, 2, 0}[n/3%4]]...); err != nil {
		t.Fatal(err)
	}
}

// played plays the game for some steps beside a box.
func played(t *testing.T, o FlightRecorderOptions, workers, steps int) (dir string) {
	t.Helper()
	g := newGame(t, workers)
	o.Dir, o.Liquid, o.Game = filepath.Join(t.TempDir(), "box"), g.liquid, GameSnapshots(g)
	b, err := NewFlightRecorder(o)
	if err != nil {
		t.Fatal(err)
	}
	var plan fluid.Plan
	for n := 1; n <= steps; n++ {
		if n > 1 { // a budget that has its moods
			plan.TargetUnknowns = 100 * (3 + n%5)
			if err := g.liquid.Replay(plan); err != nil {
				t.Fatal(err)
			}
		}
		note := map[int]string{0: "shut", 4: "open", 8: fmt.Sprintf("pour %g", .3+1/float64(n))}[n%9]
		if note != "" {
			b.Note(note)
			if err := g.do(note); err != nil {
				t.Fatal(err)
			}
		}
		g.look(t, n)
		if n == steps && o.Budget == 0 {
			b.Dump("the last")
		}
		r := *g.liquid.Step(1/60. + 1e-3/float64(n))
		b.Step(&r)
		plan = r.Plan
		time.Sleep(time.Millisecond) // the box's goroutine keeps up
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if b.missing.Load() > 0 || b.Dropped() > 0 {
		t.Fatalf("no room for %d states and %d steps", b.missing.Load(), b.Dropped())
	}
	dumps := folders(t, o.Dir)
	if len(dumps) == 0 {
		t.Fatal("no dump")
	}
	return filepath.Join(o.Dir, dumps[len(dumps)-1])
}

// replay takes a dump's steps again, and tells how many of the hashes it knows are the same.
func replay(t testing.TB, dir string, workers int) (d *Dump, known, same int) {
	t.Helper()
	d, err := OpenDump(dir)
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(t, workers)
	file, err := os.Open(filepath.Join(dir, GameFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := binary.Read(file, binary.LittleEndian, &g.turns); err != nil {
		t.Fatal(err)
	}
	if err := d.Restore(g.liquid); err != nil {
		t.Fatal(err)
	}
	if h := g.liquid.Hash(); h != d.Start.Hash || g.turns != d.Start.GameHash {
		t.Fatalf("%d workers: the state has the hash %x, not %x, and %d turns", workers, h, d.Start.Hash, g.turns)
	}
	for i := range d.Steps {
		s := &d.Steps[i]
		for _, note := range s.Notes {
			if err := g.do(note); err != nil {
				t.Fatal(err)
			}
		}
		r, err := s.Replay(g.liquid)
		if err != nil {
			t.Fatal(err)
		}
		if r.Step != s.Step || r.Time != s.Time {
			t.Fatalf("step %d is step %d, at %v s instead of %v", s.Step, r.Step, r.Time, s.Time)
		}
		if s.Hash != 0 {
			known++
			if g.liquid.Hash() == s.Hash && g.turns == s.GameHash {
				same++
			}
		}
	}
	return d, known, same
}

// A dump's steps, taken again from its state with its plans, views and notes, end at the same hashes.
func TestReplay(t *testing.T) {
	for name, o := range map[string]FlightRecorderOptions{"asked": {Steps: 40}, "miss": {Steps: 40, Budget: time.Nanosecond}} {
		dir := played(t, o, 2, 65)
		if !strings.HasSuffix(dir, name) {
			t.Fatalf("%s: the last dump is %s", name, dir)
		}
		plans, notes := map[fluid.Plan]bool{}, 0
		for workers := 1; workers <= 2; workers++ {
			d, known, same := replay(t, dir, workers)
			if len(d.Steps) < 20 || known < 5 || d.Steps[len(d.Steps)-1].Hash == 0 {
				t.Errorf("%s: %d steps with %d hashes", name, len(d.Steps), known)
			}
			if same != known {
				t.Errorf("%s, %d workers: %d of %d hashes are the same", name, workers, same, known)
			}
			for _, s := range d.Steps {
				plans[s.Plan] = true
				notes += len(s.Notes)
			}
		}
		if len(plans) < 5 || notes < 8 {
			t.Errorf("%s: %d plans and %d notes show little", name, len(plans), notes)
		}
	}
}

// A box of any size has a state that is half its steps old, and one dump after another has too.
func TestReplaysHalfOfTheSteps(t *testing.T) {
	for _, steps := range []int{1, 2, 3, 5, 20} {
		g := newGame(t, 1)
		b, dir := newBox(t, FlightRecorderOptions{Steps: steps, Liquid: g.liquid, Game: GameSnapshots(g)})
		for n := 1; n <= 3*steps+5; n++ {
			b.Dump("")
			r := numbered(n)
			b.Step(&r)
			for b.Dumps() < n {
				time.Sleep(50 * time.Microsecond)
			}
			d, err := OpenDump(filepath.Join(dir, fmt.Sprintf("step%07d-asked", n)))
			if n == 1 || steps == 1 {
				if !errors.Is(err, ErrNoState) {
					t.Errorf("%d steps kept: dump %d: %v", steps, n, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%d steps kept: dump %d: %v", steps, n, err)
			}
			if got := len(d.Steps); got < min(n-1, steps/2) || got >= steps || d.Steps[got-1].Step != n {
				t.Errorf("%d steps kept: dump %d can take %d steps again", steps, n, got)
			}
		}
		closeBox(t, b)
		if n := b.missing.Load(); n > 0 || len(b.freeStates) < stateCount-3 {
			t.Errorf("%d steps kept: no room for %d states; the ring has %d of %d", steps, n, stateCount-len(b.freeStates), stateCount)
		}
	}
}

// Steps between which some are missing, or which go back, don't lead to the newest.
func TestReplayNeedsAllSteps(t *testing.T) {
	for name, c := range map[string]struct {
		steps []int // all with a state
		start int   // index of the first that leads to the last; -1: none
	}{
		"gap": {[]int{1, 2, 3, 5, 6, 7}, 3}, "back": {[]int{1, 2, 3, 4, 2, 3}, 4}, "refused": {[]int{1, 2, 2, 3}, 0}, "one": {[]int{1}, -1}, "new": {[]int{1, 9}, -1},
	} {
		k := keeper{}
		for i, n := range c.steps {
			e := &record{report: fluid.Report{Step: n, Dt: .1}, state: &state{}}
			if i > 0 && c.steps[i-1] == n {
				e.report.Dt = 0
			}
			k.ring = append(k.ring, e)
		}
		var want *record
		if c.start >= 0 {
			want = k.ring[c.start]
		}
		if k.start() != want {
			t.Errorf("%s: from %+v", name, k.start())
		}
	}
}

// A spare of a world is what the world was when it was taken.
func TestCopiesOfAWorld(t *testing.T) {
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	ball, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: 5}})
	if err == nil {
		_, err = ball.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .5), Density: 500})
	}
	if err != nil {
		t.Fatal(err)
	}
	spare := GameSnapshots(world)()
	for range 3 {
		world.Step(1. / 60)
		spare.Take()
		was := world.Hash()
		world.Step(1. / 60)
		var file bytes.Buffer
		again := physics.NewWorld(physics.WorldDef{})
		if err := errors.Join(spare.Save(&file), again.Restore(&file)); err != nil {
			t.Fatal(err)
		}
		if spare.Hash() != was || again.Hash() != was || world.Hash() == was {
			t.Errorf("the world was %x; its spare is %x, loaded %x", was, spare.Hash(), again.Hash())
		}
	}
}

// What is no dump, or is damaged, is refused.
func TestOpenDumpRefuses(t *testing.T) {
	good := played(t, FlightRecorderOptions{Steps: 20}, 1, 25)
	whole := read(t, good, StepsFile)
	dir := t.TempDir()
	open := func(steps string) error {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, StepsFile), []byte(steps), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := OpenDump(dir)
		return err
	}
	if _, err := OpenDump(dir); !errors.Is(err, ErrNotDump) || !strings.Contains(err.Error(), dir) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := open(whole); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole)-2; n += 1 + n/200 { // the last two bytes close the last line
		if err := open(whole[:n]); !errors.Is(err, ErrNotDump) {
			t.Fatalf("cut at byte %d of %d: %v", n, len(whole), err)
		}
	}
	lines := strings.SplitAfter(whole, "\n")
	for name, c := range map[string]struct{ steps, want string }{
		"a line is missing":     {strings.Join(append(append([]string{}, lines[:17]...), lines[18:]...), ""), "line 18: step 24 comes after step 22"},
		"no JSON":               {strings.Replace(whole, "\"Dt\":", "\"Dt\"", 1), "line 1: "},
		"a number is text":      {strings.Replace(whole, "\"Dt\":", "\"Dt\":\"x\",\"x\":", 1), "line 1: "},
		"a line without an end": {strings.Repeat("[", 1<<20) + whole, "line 1: "},
		"no state":              {strings.ReplaceAll(whole, "\"Start\":true", "\"Start\":false"), "no state"},
	} {
		if err := open(c.steps); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := newGame(t, 1).liquid
	hash := l.Hash()
	d, err := OpenDump(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(t *StepRecord){
		"View": func(t *StepRecord) { t.View.View[0] = float32(math.Inf(1)) }, "Budget": func(t *StepRecord) { t.Budget.Step = -1 },
		"Tolerance": func(t *StepRecord) { t.Plan.Tolerance = 7 },
	} {
		s := d.Steps[3]
		change(&s)
		if _, err := s.Replay(l); err == nil || !strings.Contains(err.Error(), name) || l.Hash() != hash {
			t.Errorf("a step with a bad %s: %v", name, err)
		}
	}
	state := read(t, good, LiquidFile)
	d.Dir = dir
	for _, bad := range []string{"", state[:len(state)/2], strings.Replace(state, state[100:101], "#", 1)} {
		if err := os.WriteFile(filepath.Join(dir, LiquidFile), []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := d.Restore(l); !errors.Is(err, fluid.ErrNotSaved) || l.Hash() != hash {
			t.Errorf("%d bytes of a state: %v", len(bad), err)
		}
	}
}

// A step that is not taken as it was shows.
func TestReplayShowsWhatDiffers(t *testing.T) {
	dir := played(t, FlightRecorderOptions{Steps: 20}, 1, 25)
	whole := read(t, dir, StepsFile)
	for name, steps := range map[string]string{
		"a note": strings.Replace(whole, "\"shut\"", "\"open\"", 2),
		"a plan": strings.ReplaceAll(whole, "\"TargetUnknowns\":700", "\"TargetUnknowns\":200"),
	} {
		if err := os.WriteFile(filepath.Join(dir, StepsFile), []byte(steps), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, known, same := replay(t, dir, 1); same == known {
			t.Errorf("%s: %d hashes are the same all the same", name, known)
		}
	}
}
