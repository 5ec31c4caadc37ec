package fluidtrace

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// FlightRecorderOptions describe a black box. The zero value of every field but Dir is a good default.
type FlightRecorderOptions struct {
	// Dir is the folder that dumps go to, each into a folder of its own. Required; it is made if missing.
	Dir string
	// Steps is how many steps are kept: 1 to 100,000. 0 means 600, ten seconds at 60 steps/s.
	Steps int
	// Budget is what a step may take before the recorder dumps, but for the first ones. 0 means what its report says.
	Budget time.Duration
	// Dumps is how many dumps the recorder makes by itself; those by Dump are not counted. 0 means 16. Two
	// that it makes by itself are Steps steps apart.
	Dumps int
	// About leads each summary: the game's version, the liquid's Def.
	About string
	// Liquid, if any, is the one that is stepped. The recorder keeps states of it: from one that is Steps/2 steps old at
	// least, if there were as many, the steps can be taken again (OpenDump). The hash of every Steps/10-th is recorded.
	// There is memory for five: of a third of a megabyte each for 2,500 unknowns.
	Liquid *fluid.Liquid
	// Game, if any, makes copies of what the steps depend on beside the liquid, which go with its states: GameSnapshots(world)
	// for a physics.World. It needs a Liquid.
	Game func() GameSnapshot
}

// Limits of a recorder.
const (
	mostSteps = 100_000
	// slack is how many steps may be taken while a dump is written: two seconds.
	slack = 128
	// mostNotes is how many bytes of notes a step keeps.
	mostNotes = 4096
	// usualSpans and usualNotes, bytes, are what a record has room for from the start: two substeps, some lines.
	usualSpans, usualNotes = 32, 256
)

// withDefaults fills in what the zero values stand for, or says what is wrong.
func (o FlightRecorderOptions) withDefaults() (FlightRecorderOptions, error) {
	o.Steps = cmp.Or(o.Steps, 600)
	o.Dumps = cmp.Or(o.Dumps, 16)
	switch {
	case o.Dir == "":
		return o, errors.New("fluidtrace: FlightRecorderOptions.Dir: must not be empty")
	case o.Steps < 1 || o.Steps > mostSteps:
		return o, fmt.Errorf("fluidtrace: FlightRecorderOptions.Steps: %d; must be 1 to %d, or 0 for 600", o.Steps, mostSteps)
	case o.Dumps < 0:
		return o, fmt.Errorf("fluidtrace: FlightRecorderOptions.Dumps: %d; must not be negative", o.Dumps)
	case o.Budget < 0:
		return o, fmt.Errorf("fluidtrace: FlightRecorderOptions.Budget: %v; must not be negative", o.Budget)
	case o.Game != nil && o.Liquid == nil:
		return o, errors.New("fluidtrace: FlightRecorderOptions.Game: needs a Liquid")
	}
	return o, nil
}

// record is what the recorder keeps of a step: a copy of its report and what the game noted before it.
type record struct {
	report fluid.Report
	notes  []byte // lines
	miss   Miss
	ask    string // why the game asked for a dump after this step
	dump   bool   // there is to be one
	held   int    // causes for dumps that were held back since the last one, if there is to be one

	state          *state // after the step; nil for most
	hash, gameHash uint64 // of the state; 0: not known
}

// FlightRecorder keeps the last steps and writes them to a folder when a step misses its budget or is rolled
// back, or on request: a trace, a summary, and a line of JSON per step with its Dt, view, budget, plan and notes. With
// FlightRecorderOptions.Liquid there is a state too, from which these steps can be taken again.
//
// Step, Note and Dump are for the goroutine that steps; they copy and never wait. A goroutine of the
// recorder's own keeps the records and writes the files. While it writes, 128 steps find room; further ones
// are dropped and counted.
type FlightRecorder struct {
	options    FlightRecorderOptions
	classifier MissClassifier
	notes      []byte // since the last step
	ask        string
	sinceState int // steps since a state was taken
	own        int // dumps that the recorder made by itself
	wait       int // steps before the next such one
	held       int // causes for such ones that were held back since the last dump

	free, filled chan *record // they hold all records that the ring doesn't
	freeStates   chan *state  // all states that no record has; nil without a liquid
	quit         chan struct{}
	done         chan struct{}

	dropped, missing, dumps atomic.Int64
	keeper                  keeper
}

// NewFlightRecorder makes the folder and starts the recorder.
func NewFlightRecorder(o FlightRecorderOptions) (*FlightRecorder, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	all := o.Steps + slack
	b := &FlightRecorder{
		options: o, free: make(chan *record, all), filled: make(chan *record, all),
		quit: make(chan struct{}), done: make(chan struct{}),
	}
	b.keeper.ring, b.keeper.unkept = make([]*record, 0, o.Steps), o.Steps
	for range all {
		b.free <- &record{report: fluid.Report{StageSpans: make([]fluid.Span, 0, usualSpans)}, notes: make([]byte, 0, usualNotes)}
	}
	if o.Liquid != nil {
		b.sinceState = o.Steps // the first step's state is one to start from
		b.allocateStates()
	}
	go b.keep()
	return b, nil
}

// Step keeps a step that was taken. With a liquid it is to be called before the game changes anything: what it notes
// from then on comes before the next step. Then it takes a quarter of a millisecond, for the state of 2,500 unknowns, in
// one step of Steps/10, and microseconds in the others.
func (b *FlightRecorder) Step(r *fluid.Report) {
	budget := b.options.Budget
	budget = cmp.Or(budget, r.Budget.Step)
	miss := b.classifier.Step(r, budget)
	select {
	case e := <-b.free:
		e.fill(r, b.notes)
		e.miss, e.ask = miss, b.ask
		e.dump = b.due(e)
		b.ask = ""
		if b.sinceState++; b.freeStates != nil && (e.dump || b.sinceState >= b.options.lookEvery()) {
			b.keepState(e)
		}
		b.filled <- e // there is room for all
	default:
		b.dropped.Add(1)
	}
	b.notes = b.notes[:0]
}

// due tells whether there is to be a dump after a step.
func (b *FlightRecorder) due(e *record) bool {
	b.wait--
	switch {
	case e.ask != "":
	case e.report.Err == nil && e.miss.Cause <= Warmup: // the first steps are slow by nature
		return false
	case b.wait > 0 || b.own >= b.options.Dumps:
		b.held++
		return false
	default:
		b.own++
		b.wait = b.options.Steps
	}
	e.held, b.held = b.held, 0
	return true
}

// Note keeps a line with the next step: what the player did, what the game called. For a replay it is a line that the game
// reads back (StepRecord.Notes). What is beyond 4 KiB a step is cut off.
func (b *FlightRecorder) Note(line string) {
	room := max(0, mostNotes-len(b.notes)-1)
	b.notes = append(append(b.notes, line[:min(len(line), room)]...), '\n')
}

// Dump asks for a dump after the next step and says why in its summary.
func (b *FlightRecorder) Dump(why string) {
	why = cmp.Or(why, "asked for")
	b.ask = why
}

// Dropped is how many steps found no room.
func (b *FlightRecorder) Dropped() int { return int(b.dropped.Load()) }

// Dumps is how many dumps were written so far.
func (b *FlightRecorder) Dumps() int { return int(b.dumps.Load()) }

// Close writes what is still to be written, ends the recorder and returns the errors of all dumps, joined. The recorder
// must not be used afterwards.
func (b *FlightRecorder) Close() error {
	close(b.quit)
	<-b.done
	return errors.Join(b.keeper.errs...)
}

// fill copies a report with its slices, which are valid until the next step only.
func (e *record) fill(r *fluid.Report, notes []byte) {
	last := e.report
	e.report = *r
	e.report.StageSpans = append(last.StageSpans[:0], r.StageSpans...)
	e.report.WorkerSpans = append(last.WorkerSpans[:0], r.WorkerSpans...)
	e.report.Warnings = append(last.Warnings[:0], r.Warnings...)
	e.report.Views = append(last.Views[:0], r.Views...)
	e.report.Cells, e.report.Unknowns = append(last.Cells[:0], r.Cells...), append(last.Unknowns[:0], r.Unknowns...)
	e.notes = append(e.notes[:0], notes...)
}
