package fluidtrace

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// keeper is the state of the recorder's goroutine.
type keeper struct {
	ring   []*record
	next   int   // the oldest, once the ring is full
	unkept int   // steps since a state was kept
	lost   int64 // steps dropped before the last dump
	errs   []error
}

// keep takes records until the recorder is closed.
func (b *FlightRecorder) keep() {
	defer close(b.done)
	for {
		select {
		case e := <-b.filled:
			b.add(e)
		case <-b.quit:
			for len(b.filled) > 0 {
				b.add(<-b.filled)
			}
			return
		}
	}
}

// add keeps a record and dumps if that is due.
func (b *FlightRecorder) add(e *record) {
	k := &b.keeper
	if len(k.ring) < cap(k.ring) {
		k.ring = append(k.ring, e)
	} else {
		old := k.ring[k.next]
		b.release(old)
		b.free <- old
		k.ring[k.next] = e
		k.next = (k.next + 1) % len(k.ring)
	}
	b.look(e)
	if !e.dump {
		return
	}
	if err := b.dump(); err != nil {
		k.errs = append(k.errs, fmt.Errorf("fluidtrace: dump after step %d: %w", e.report.Step, err))
		return
	}
	b.dumps.Add(1)
}

// cause is why there is a dump after a step, in a word for the folder and for people.
func (e *record) cause() (word, why string) {
	r := &e.report
	switch {
	case e.ask != "":
		return "asked", e.ask
	case r.Err != nil:
		return "rollback", cmp.Or(r.Err.Error(), "rolled back")
	}
	return "miss", fmt.Sprintf("%.2f ms, %.2f ms over the budget: %v; %v took the most beyond what is usual",
		milliseconds(r.Duration), milliseconds(e.miss.Over), e.miss.Cause, e.miss.Stage)
}

// each visits the records, the oldest first.
func (k *keeper) each(visit func(e *record)) {
	for i := range k.ring {
		visit(k.ring[(k.next+i)%len(k.ring)])
	}
}

// newest is the last record.
func (k *keeper) newest() *record {
	n := len(k.ring)
	return k.ring[(k.next+n-1)%n]
}

// What a dump's files are called. Those of the state are there if there is one: LiquidFile is for Liquid.Restore, GameFile
// is what GameSnapshot.Save wrote.
const (
	TraceFile   = "trace.json"
	SummaryFile = "summary.txt"
	StepsFile   = "steps.jsonl"
	LiquidFile  = "liquid.state"
	GameFile    = "game.state"
)

// dump writes the ring into a folder of its own.
func (b *FlightRecorder) dump() error {
	k := &b.keeper
	dropped := b.dropped.Load()
	word, why := k.newest().cause()
	dir := filepath.Join(b.options.Dir, fmt.Sprintf("step%07d-%s", k.newest().report.Step, word))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	start := k.start()
	err := errors.Join(
		writeFile(filepath.Join(dir, TraceFile), k.trace),
		writeFile(filepath.Join(dir, StepsFile), func(w io.Writer) error { return k.steps(w, start, why) }),
		writeFile(filepath.Join(dir, SummaryFile), func(w io.Writer) error { return b.summary(w, start, why, dropped-k.lost) }),
	)
	if start != nil {
		err = errors.Join(err, writeFile(filepath.Join(dir, LiquidFile), start.state.liquid.Save))
		if start.state.game != nil {
			err = errors.Join(err, writeFile(filepath.Join(dir, GameFile), start.state.game.Save))
		}
	}
	k.lost = dropped
	return err
}

// trace writes the records as trace events, what the game noted as instants.
func (k *keeper) trace(w io.Writer) error {
	t := NewWriter(w, Options{})
	k.each(func(e *record) {
		t.write(&e.report, e.miss)
		eachLine(e.notes, func(line string) { t.Instant(line, e.report.Started) })
	})
	return t.Close()
}

// steps writes the records a line each. start: the one whose state is written, if any; why: there is a dump.
func (k *keeper) steps(w io.Writer, start *record, why string) (err error) {
	out := json.NewEncoder(w)
	k.each(func(e *record) {
		r := &e.report
		t := StepRecord{Step: r.Step, Time: r.Time, Dt: r.Dt, View: r.View, Views: r.Views, Budget: r.Budget, Plan: r.Plan, Notes: []string{},
			Hash: e.hash, GameHash: e.gameHash, Start: e == start}
		eachLine(e.notes, func(line string) { t.Notes = append(t.Notes, line) })
		if e == k.newest() {
			t.Reason = why
		}
		err = errors.Join(err, out.Encode(t))
	})
	return err
}

// writeFile makes a file and has it written through a buffer.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	return errors.Join(write(w), w.Flush(), f.Close())
}
