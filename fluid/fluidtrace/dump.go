package fluidtrace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/meniscus3d/meniscus/fluid"
)

// keeper is what the box's goroutine has to itself.
type keeper struct {
	ring []*record
	next int   // the oldest, once the ring is full
	own  int   // dumps that the box made by itself
	wait int   // steps before the next such one
	held int   // such ones that were held back since the last dump
	lost int64 // steps dropped before the last dump
	errs []error
}

// keep takes records until the box is closed.
func (b *Box) keep() {
	defer close(b.done)
	for {
		select {
		case e := <-b.taken:
			b.add(e)
		case <-b.quit:
			for len(b.taken) > 0 {
				b.add(<-b.taken)
			}
			return
		}
	}
}

// add keeps a record and dumps if it is cause for that.
func (b *Box) add(e *record) {
	k := &b.keeper
	if len(k.ring) < cap(k.ring) {
		k.ring = append(k.ring, e)
	} else {
		b.free <- k.ring[k.next]
		k.ring[k.next] = e
		k.next = (k.next + 1) % len(k.ring)
	}
	k.wait--
	word, why := e.cause()
	switch {
	case word == "":
		return
	case e.ask == "" && (k.wait > 0 || k.own >= b.options.Dumps):
		k.held++
		return
	case e.ask == "":
		k.own++
		k.wait = b.options.Steps
	}
	if err := b.dump(word, why); err != nil {
		k.errs = append(k.errs, fmt.Errorf("fluidtrace: dump after step %d: %w", e.report.Step, err))
		return
	}
	b.dumps.Add(1)
}

// cause is why there should be a dump after a step, in a word for the folder and for people; "" if there is no reason.
func (e *record) cause() (word, why string) {
	r := &e.report
	switch {
	case e.ask != "":
		return "asked", e.ask
	case r.RolledBack:
		return "rollback", r.Reason
	case e.miss.Cause > Starting: // the first steps are slow by nature
		return "miss", fmt.Sprintf("%.2f ms, %.2f ms over the budget: %v; %v took the most beyond what is usual",
			milliseconds(r.Duration), milliseconds(e.miss.Over), e.miss.Cause, e.miss.Stage)
	}
	return "", ""
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

// dump writes the ring into a folder of its own.
func (b *Box) dump(word, why string) error {
	k := &b.keeper
	dropped := b.dropped.Load()
	dir := filepath.Join(b.options.Dir, fmt.Sprintf("step%07d-%s", k.newest().report.Step, word))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	err := errors.Join(
		writeFile(filepath.Join(dir, "trace.json"), k.trace),
		writeFile(filepath.Join(dir, "steps.jsonl"), k.steps),
		writeFile(filepath.Join(dir, "summary.txt"), func(w io.Writer) error { return b.summary(w, why, dropped-k.lost) }),
	)
	if b.options.Snapshot != nil {
		err = errors.Join(err, writeFile(filepath.Join(dir, "snapshot"), b.options.Snapshot))
	}
	k.held, k.lost = 0, dropped
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

// taken is a step as steps.jsonl tells it. Its numbers are exact.
type taken struct {
	Step   int
	Time   float64 // s, at its end
	Dt     float64 // s
	Budget fluid.Budget
	Plan   fluid.Plan
	Notes  []string // what the game noted before it
}

// steps writes the records a line each.
func (k *keeper) steps(w io.Writer) (err error) {
	out := json.NewEncoder(w)
	k.each(func(e *record) {
		r := &e.report
		t := taken{Step: r.Step, Time: r.Time, Dt: r.Dt, Budget: r.Budget, Plan: r.Plan, Notes: []string{}}
		eachLine(e.notes, func(line string) { t.Notes = append(t.Notes, line) })
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
