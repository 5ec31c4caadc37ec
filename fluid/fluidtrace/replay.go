package fluidtrace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/meniscus3d/meniscus/fluid"
)

// StepRecord is a step as recorded in steps.jsonl. Its numbers are exact.
type StepRecord struct {
	Step   int
	Time   float64      // s, at its end
	Dt     float64      // s
	View   fluid.View   `json:",omitzero"`
	Views  []fluid.View `json:",omitempty"` // all, if there were several
	Budget fluid.Budget
	Plan   fluid.Plan
	Notes  []string // what the game noted before it
	// Hash and GameHash are of the state after the step; 0 where they are not known.
	Hash     uint64 `json:",string,omitempty"`
	GameHash uint64 `json:",string,omitempty"`
	// Start says that the state after the step is the one that was kept.
	Start bool `json:",omitempty"`
	// Reason is why there is a dump, in the last step.
	Reason string `json:",omitempty"`
}

// Replay takes the step again: with its views, its budget and its plan. What Notes tell the game does before. An error names
// what a step can't have, and then the step was not taken.
func (t *StepRecord) Replay(l *fluid.Liquid) (fluid.Report, error) {
	err := l.Replay(t.Plan)
	if err == nil {
		err = l.SetBudget(t.Budget)
	}
	if err == nil {
		if err = l.SetView(t.View); err == nil && len(t.Views) > 0 {
			err = l.SetViews(t.Views...)
		}
	}
	if err != nil {
		return fluid.Report{}, err
	}
	return *l.Step(t.Dt), nil
}

// Dump is what a recorder left behind.
type Dump struct {
	Dir string
	// Start is the step after which the state was kept, and Steps are those that follow, the oldest first, one at least.
	Start StepRecord
	Steps []StepRecord
}

// ErrNotDump says that a folder is not what a recorder wrote, or not all of it, or was damaged.
var ErrNotDump = errors.New("not a dump of a black box, or not all of it, or damaged")

// ErrNoState says that a dump has no state to take its steps again from.
var ErrNoState = errors.New("the dump has no state to take its steps again from: the recorder had no liquid, or too few steps")

// OpenDump reads the steps of a dump that has a state, for a game to take them again: it makes what it always makes,
// reads GameFile, adds what it had added to the liquid by then, has Restore read LiquidFile, and does for each step what the
// notes tell, followed by StepRecord.Replay.
//
// The hashes are then those that were recorded, on a machine that rounds as the recording one did (fluid.Liquid.Hash).
func OpenDump(dir string) (*Dump, error) {
	d := &Dump{Dir: dir}
	if err := d.readSteps(); err != nil {
		return nil, fmt.Errorf("fluidtrace: %s: %w", dir, err)
	}
	return d, nil
}

// Restore makes the liquid what it was after the step Start. The game's bodies must be what they were by then.
func (d *Dump) Restore(l *fluid.Liquid) error {
	f, err := os.Open(filepath.Join(d.Dir, LiquidFile))
	if err != nil {
		return err
	}
	defer f.Close()
	return l.Restore(bufio.NewReader(f))
}

// longestLine, bytes, is more than a step's can be: escaped, a byte of its notes becomes six at most.
const longestLine = 8*mostNotes + 1<<14

// readSteps reads the lines from the step with the state on, and checks that they follow each other to the end.
func (d *Dump) readSteps() error {
	f, err := os.Open(filepath.Join(d.Dir, StepsFile))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotDump, err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longestLine)
	last := StepRecord{}
	n := 0
	for ; lines.Scan(); n++ {
		next := StepRecord{}
		if err := json.Unmarshal(lines.Bytes(), &next); err != nil {
			return fmt.Errorf("%w: %s: line %d: %w", ErrNotDump, StepsFile, n+1, err)
		}
		switch {
		case n == mostSteps:
			return fmt.Errorf("%w: %s has more than %d lines", ErrNotDump, StepsFile, mostSteps)
		case next.Start:
			d.Start, d.Steps = next, nil
		case d.Start.Start && !follows(next.Step, next.Dt, last.Step):
			return fmt.Errorf("%w: %s: line %d: step %d comes after step %d", ErrNotDump, StepsFile, n+1, next.Step, last.Step)
		case d.Start.Start:
			d.Steps = append(d.Steps, next)
		}
		last = next
	}
	switch {
	case lines.Err() != nil:
		return fmt.Errorf("%w: %s: line %d: %w", ErrNotDump, StepsFile, n+1, lines.Err())
	case last.Reason == "":
		return fmt.Errorf("%w: %s ends too early", ErrNotDump, StepsFile)
	case len(d.Steps) == 0:
		return ErrNoState
	}
	return nil
}
