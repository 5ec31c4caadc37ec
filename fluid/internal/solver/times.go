package solver

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tracelabels"
)

// Stage numbers the parts of a step.
type Stage uint8

// The stages, in the order in which they run.
const (
	StagePlan Stage = iota
	StageSizing
	StageSurface
	StageBodies
	StageDiscretise
	StageAdvect
	StageForces
	StageVolume
	StageControl
	StageSolve
	StageUpdate
	StageExtrapolate
	StagePublish
	StageMesh
	StageWhiteWater
	StageCount
)

// Times is how long the stages of a step take. It serves the frame and the solver.
type Times struct {
	Pool    *par.Pool
	Markers []string // what each stage is called in traces
	Marks   tracelabels.Labels

	Started, Mark time.Time // when the step began, and when the last stage ended
	Stages        [StageCount]StageTime
	Spans         []Span
	stage         Stage
}

// StageTime is the time that a stage took over all substeps, and what it handled.
type StageTime struct {
	Duration time.Duration
	Count    int
}

// Span is one run of a stage.
type Span struct {
	Stage         Stage
	Start, Length time.Duration // Start is since Times.Started
}

// Restart begins a step.
func (t *Times) Restart(now time.Time) {
	t.Started, t.Mark, t.Spans = now, now, t.Spans[:0]
	t.Stages = [StageCount]StageTime{}
}

// Begin marks a stage's beginning; Lap must follow unless the step fails.
func (t *Times) Begin(s Stage) {
	t.stage = s
	t.Pool.Tag(uint8(s))
	if labels := t.Marks.Begin(int(s), t.Markers[s]); labels != nil {
		t.Pool.Label(labels)
	}
}

// Lap ends the stage and books the time since the last lap with it.
func (t *Times) Lap(count int) {
	now := time.Now()
	took := now.Sub(t.Mark)
	r := &t.Stages[t.stage]
	r.Duration += took
	r.Count = count
	t.Spans = append(t.Spans, Span{t.stage, t.Mark.Sub(t.Started), took})
	t.Mark = now
	t.Marks.End()
}
