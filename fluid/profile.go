package fluid

import (
	"context"
	"fmt"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tracelabels"
	"github.com/meniscus3d/meniscus/fluid/internal/warnings"
)

// Span is a stretch of time within a step.
type Span struct {
	Stage  Stage
	Worker int           // 0 is the goroutine that called Step
	Start  time.Duration // since Report.Started
	Length time.Duration
}

// Profiling says what a liquid records of its steps beside what is always in their reports. The zero value records nothing.
//
// Regions of runtime/trace named as Stage.Marker says need no option: they are there while a trace runs.
type Profiling struct {
	// WorkerSpans is how many stretches of work, Report.WorkerSpans, are kept per worker and step: 0 to 65536.
	// 0 keeps none. A step of the pool takes some 40 of 32 bytes.
	WorkerSpans int
	// Labels, if not nil, makes the goroutines that take part in a step carry these pprof labels and
	// the stage's marker as "stage". After each stage the caller's goroutine carries Labels alone.
	Labels context.Context
}

// mostWork is the most that Profiling.WorkerSpans may be.
const mostWork = 1 << 16

// Profile changes what the steps from now on record.
func (l *Liquid) Profile(p Profiling) error {
	defer l.enter(&callguard.Profile).leave()
	if p.WorkerSpans < 0 || p.WorkerSpans > mostWork {
		return fmt.Errorf("fluid: Profiling.WorkerSpans: %d stretches; must be 0 to %d", p.WorkerSpans, mostWork)
	}
	l.sim.pool.Record(p.WorkerSpans)
	l.sim.record.profile.marks.Label(p.Labels, stageMarkers[:])
	if p.Labels == nil {
		l.sim.pool.Label(context.Background())
	}
	return nil
}

// Marker is what a stage is called in traces: Liquid.Advect and so on.
func (s Stage) Marker() string {
	if s < StageCount {
		return stageMarkers[s]
	}
	return "Liquid.Unknown"
}

var stageMarkers = func() (m [StageCount]string) {
	for s := range m {
		m[s] = "Liquid." + stageNames[s]
	}
	return m
}()

// recorder writes the report of a step, and keeps warnings of calls for the next one.
type recorder struct {
	sim      *simulation
	profile  profile
	warnings []Warning
	later    []Warning // of calls since the last step
	causes   warnings.Causes
	views    []View // of the report
}

// profile is what is recorded of the step under way.
type profile struct {
	started, mark time.Time // of the step, and when the last stage ended
	stage         Stage
	marks         tracelabels.Marks
	laps, work    []Span
}

// begin marks a stage's beginning; lap must follow unless the step fails.
func (rec *recorder) begin(s Stage) {
	l := rec.sim
	p := &rec.profile
	p.stage = s
	l.pool.Tag(uint8(s))
	if labels := p.marks.Begin(int(s), stageMarkers[s]); labels != nil {
		l.pool.Label(labels)
	}
}

// lap ends the stage and books the time since the last lap with it.
func (rec *recorder) lap(count int) {
	l := rec.sim
	p := &rec.profile
	now := time.Now()
	took := now.Sub(p.mark)
	r := &l.step.report.Stages[p.stage]
	r.Duration += took
	r.Count = count
	p.laps = append(p.laps, Span{Stage: p.stage, Start: p.mark.Sub(p.started), Length: took})
	p.mark = now
	p.marks.End()
}

// finish hands the record to the step's report.
func (p *profile) finish(pool *par.Pool, r *Report) {
	p.marks.End()
	p.work = p.work[:0]
	for w := range pool.Workers() {
		work, lost := pool.Work(w)
		for _, s := range work {
			p.work = append(p.work, Span{Stage(s.Tag), w, s.Start, s.End - s.Start})
		}
		r.LostSpans += lost
	}
	r.StageSpans, r.WorkerSpans = p.laps, p.work
}
