package fluidtrace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

func newBox(t *testing.T, o FlightRecorderOptions) (*FlightRecorder, string) {
	t.Helper()
	if o.Dir == "" {
		o.Dir = filepath.Join(t.TempDir(), "box")
	}
	b, err := NewFlightRecorder(o)
	if err != nil {
		t.Fatal(err)
	}
	return b, o.Dir
}

// closeBox waits for what is to be written.
func closeBox(t *testing.T, b *FlightRecorder) {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

// fake is a game's spare that holds nothing.
type fake struct{ save func() error }

func (f fake) Take()        {}
func (f fake) Hash() uint64 { return 0 }
func (f fake) Save(io.Writer) error {
	if f.save == nil {
		return nil
	}
	return f.save()
}

func numbered(n int) fluid.Report {
	r := usual()
	r.Step, r.Started = n, time.Unix(1000, int64(n)*1e7)
	r.Dt = 1. / 60 / float64(n)
	r.Budget.Step = 8 * time.Millisecond
	r.Plan = fluid.Plan{TargetUnknowns: 100 * n, ViewGain: 1 / float64(n), Tolerance: 1e-3 / float64(n), MaxIterations: 60, Substeps: 1, Reason: "all detail fits"}
	r.StageSpans = []fluid.Span{{Stage: fluid.StageSolve, Length: 3 * time.Millisecond}}
	return r
}

func folders(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A miss leaves a folder with the steps before it, what the game noted, and the state.
func TestBoxDumpsOnMiss(t *testing.T) {
	b, dir := newBox(t, FlightRecorderOptions{Steps: 20, About: "game 1.2"})
	for n := 1; n <= 50; n++ {
		r := numbered(n)
		if n == 45 {
			b.Note("the player opened the gate")
		}
		if n == 50 {
			r.Unknowns[0], r.Duration = 2000, 11*time.Millisecond
			r.Stages[fluid.StageSolve].Duration = 7 * time.Millisecond
		}
		b.Step(&r)
	}
	closeBox(t, b)
	if got := folders(t, dir); len(got) != 1 || got[0] != "step0000050-miss" || b.Dumps() != 1 {
		t.Fatalf("folders %v, %d dumps", got, b.Dumps())
	}
	events := parse(t, read(t, dir, "step0000050-miss", "trace.json"))
	if n := len(find(events, "X", "Liquid.Step")); n != 20 {
		t.Errorf("%d steps in the trace, want 20", n)
	}
	if m := find(events, "i", "missed"); len(m) != 1 || m[0].Args["cause"] != "more unknowns" {
		t.Errorf("the misses in the trace are %+v", m)
	}
	if n := len(find(events, "i", "the player opened the gate")); n != 1 {
		t.Errorf("the trace has the note %d times", n)
	}
	summary := read(t, dir, "step0000050-miss", "summary.txt")
	for _, want := range []string{"game 1.2", "step 50,", "3.00 ms over the budget: more unknowns", "missed 1 times: more unknowns",
		"before step 45: the player opened the gate", "20 steps are kept; 0 found no room", "p50 5.00, p95 5.00, p99 11.00, max 11.00; budget 8.00"} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary lacks %q:\n%s", want, summary)
		}
	}
	lines := strings.Split(strings.TrimSpace(read(t, dir, "step0000050-miss", "steps.jsonl")), "\n")
	if len(lines) != 20 {
		t.Fatalf("%d steps, want 20", len(lines))
	}
	for i, line := range lines {
		var got StepRecord
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		want := numbered(31 + i)
		if got.Step != want.Step || got.Dt != want.Dt || got.Plan != want.Plan || got.Budget != want.Budget || (len(got.Notes) > 0) != (got.Step == 45) {
			t.Errorf("line %d tells %+v", i, got)
		}
	}
	if _, err := OpenDump(filepath.Join(dir, "step0000050-miss")); !errors.Is(err, ErrNoState) || len(folders(t, filepath.Join(dir, "step0000050-miss"))) != 3 {
		t.Errorf("without a liquid: %v", err)
	}
}

// Rollbacks and requests dump too, misses one after another only once, and in all at most as often as allowed.
func TestBoxHoldsBack(t *testing.T) {
	b, dir := newBox(t, FlightRecorderOptions{Steps: 10, Dumps: 2, Budget: time.Millisecond})
	for n := 1; n <= 40; n++ { // every step misses the box's own budget
		r := numbered(n)
		if n == 35 {
			b.Dump("looks odd")
		}
		b.Step(&r)
	}
	r := numbered(41)
	r.Duration, r.Err = 0, errors.New("not finite")
	b.Dump("")
	b.Step(&r)
	closeBox(t, b)
	want := []string{"step0000011-miss", "step0000021-miss", "step0000035-asked", "step0000041-asked"}
	if got := folders(t, dir); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("folders %v, want %v", got, want)
	}
	if s := read(t, dir, "step0000035-asked", "summary.txt"); !strings.Contains(s, "looks odd") || !strings.Contains(s, "13 further causes") {
		t.Errorf("the summary is\n%s", s)
	}
	if s := read(t, dir, "step0000041-asked", "summary.txt"); !strings.Contains(s, "not finite") {
		t.Errorf("the summary is\n%s", s)
	}

	b, dir = newBox(t, FlightRecorderOptions{Steps: 10})
	b.Step(&r)
	closeBox(t, b)
	if got := folders(t, dir); len(got) != 1 || got[0] != "step0000041-rollback" {
		t.Errorf("after a rollback: %v", got)
	}
}

// A dump that takes long never holds up a step: what finds no room is counted, and the next dump says so.
func TestBoxNeverWaits(t *testing.T) {
	slow, began := make(chan struct{}), make(chan struct{}, 10)
	b, dir := newBox(t, FlightRecorderOptions{Steps: 5, Liquid: splash(t), Game: func() GameSnapshot {
		return fake{save: func() error {
			began <- struct{}{}
			<-slow
			return nil
		}}
	}})
	for n := range 2 { // there is no state before the first
		r := numbered(1 + n)
		b.Step(&r)
	}
	r := numbered(3)
	b.Dump("first")
	b.Step(&r)
	<-began
	const more = slack + 5 - 3 // the first steps' records are in the ring
	for n := range more + 7 {
		r := numbered(4 + n)
		b.Step(&r) // would wait for ever
	}
	if b.Dropped() != 7 {
		t.Errorf("%d steps dropped, want 7", b.Dropped())
	}
	close(slow)
	for len(b.free) == 0 { // the goroutine goes on
		time.Sleep(time.Millisecond)
	}
	b.Dump("second")
	r = numbered(1000)
	b.Step(&r)
	closeBox(t, b)
	s := read(t, dir, "step0001000-asked", "summary.txt")
	for _, want := range []string{"7 found no room since the last dump", "no state is kept that leads up to step 1000; "} {
		if !strings.Contains(s, want) {
			t.Errorf("the summary lacks %q:\n%s", want, s)
		}
	}
	if b.missing.Load() == 0 {
		t.Error("there were spares for all states")
	}
}

func TestBoxErrors(t *testing.T) {
	for _, c := range []struct {
		o    FlightRecorderOptions
		want string
	}{
		{FlightRecorderOptions{}, "Dir"}, {FlightRecorderOptions{Dir: "x", Steps: -1}, "Steps"}, {FlightRecorderOptions{Dir: "x", Steps: mostSteps + 1}, "Steps"},
		{FlightRecorderOptions{Dir: "x", Dumps: -1}, "Dumps"}, {FlightRecorderOptions{Dir: "x", Budget: -1}, "Budget"},
		{FlightRecorderOptions{Dir: "x", Game: func() GameSnapshot { return fake{} }}, "Game: needs a Liquid"},
	} {
		if _, err := NewFlightRecorder(c.o); err == nil || !strings.Contains(err.Error(), "FlightRecorderOptions."+c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	lost := errors.New("lost")
	b, _ := newBox(t, FlightRecorderOptions{Liquid: splash(t), Game: func() GameSnapshot { return fake{save: func() error { return lost }} }})
	r := numbered(2)
	b.Step(&r)
	r = numbered(3)
	b.Dump("")
	b.Step(&r)
	if err := b.Close(); !errors.Is(err, lost) || !strings.Contains(err.Error(), "step 3") || b.Dumps() != 0 {
		t.Errorf("%v, %d dumps", err, b.Dumps())
	}
}

func TestNotesAreCut(t *testing.T) {
	b, dir := newBox(t, FlightRecorderOptions{})
	for range 10 {
		b.Note(strings.Repeat("x", 1000))
	}
	if len(b.notes) > mostNotes+10 {
		t.Errorf("%d bytes of notes are kept", len(b.notes))
	}
	b.Dump("")
	r := numbered(1)
	b.Step(&r)
	closeBox(t, b)
	if s := read(t, dir, "step0000001-asked", "summary.txt"); !strings.Contains(s, "before step 1: xxx") {
		t.Errorf("the summary is\n%s", s)
	}
}

// Nor does it with a state at every step.
func TestBoxAllocatesNothing(t *testing.T) {
	b, _ := newBox(t, FlightRecorderOptions{Steps: 4, Liquid: newGame(t, 1).liquid, Game: func() GameSnapshot { return fake{} }})
	r := numbered(1)
	step := func() {
		r.Step++
		b.Note("jump")
		b.Step(&r)
		for len(b.filled) > 0 { // the goroutine keeps up
			time.Sleep(time.Microsecond)
		}
	}
	for range 2 * (slack + 4) {
		step()
	}
	if n := testing.AllocsPerRun(200, step); n > 0 {
		t.Errorf("%g allocations per step", n)
	}
	closeBox(t, b)
}

func BenchmarkBoxStep(b *testing.B) {
	box, err := NewFlightRecorder(FlightRecorderOptions{Dir: b.TempDir(), Budget: time.Hour, Liquid: splash(b)})
	if err != nil {
		b.Fatal(err)
	}
	r := numbered(1)
	for range 12 {
		r.StageSpans = append(r.StageSpans, r.StageSpans[0])
	}
	r.WorkerSpans = make([]fluid.Span, 200)
	for b.Loop() {
		if len(box.free) == 0 {
			b.StopTimer()
			for len(box.filled) > 0 {
				time.Sleep(time.Millisecond)
			}
			b.StartTimer()
		}
		box.Step(&r)
	}
	if err := box.Close(); err != nil {
		b.Fatal(err)
	}
}
