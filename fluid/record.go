package fluid

import (
	"errors"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/warnings"
)

// recorder keeps what a step's report is made of, and warnings of calls for the next one.
type recorder struct {
	times    solver.Times
	warnings []Warning
	later    []Warning // of calls since the last step
	causes   warnings.Causes
	views    []View // of the report
	spans    []Span // likewise
	cells    []int  // likewise
	unknowns []int
	work     []Span
}

// begin marks a stage's beginning; lap must follow unless the step fails.
func (rec *recorder) begin(s Stage) { rec.times.Begin(solver.Stage(s)) }

// lap ends the stage and books the time since the last lap with it.
func (rec *recorder) lap(count int) { rec.times.Lap(count) }

// warn notes that a limit was reached and the knob that raises it: once, until that has been otherwise for a second.
func (rec *recorder) warn(knob, text string) {
	if rec.causes.New(knob, text, 0) {
		rec.addWarning(knob, text)
	}
}

// warnOfSubsteps is warn for a step of dt seconds that needs more substeps than Numerics.MaxSubsteps.
func (rec *recorder) warnOfSubsteps(why string, wanted, dt float64) {
	const knob = "Numerics.MaxSubsteps"
	if rec.causes.New(knob, why, 0) {
		rec.addWarning(knob, warnings.TooFewSubsteps(why, wanted, dt, mostSubsteps))
	}
}

func (rec *recorder) addWarning(knob, text string) {
	rec.warnings = append(rec.warnings, Warning{knob, text})
}

// forgetWarnings begins steps that are taken back, and returns a function that ends them: what they warned of is to be warned of again.
func (rec *recorder) forgetWarnings() (end func()) {
	causes := rec.causes
	rec.causes = warnings.Causes{}
	return func() { rec.causes = causes }
}

// mostLater is how many warnings wait for a report.
const mostLater = 64

// warnLater has the next report warn.
func (rec *recorder) warnLater(knob, text string) {
	if len(rec.later) < mostLater {
		rec.later = append(rec.later, Warning{knob, text})
	}
}

// start begins the report of a step.
func (l *simulation) start() {
	st, rec := &l.step, &l.record
	rec.warnings, rec.later = append(rec.warnings[:0], rec.later...), rec.later[:0]
	st.deadline.idle, st.paused = 0, time.Time{}
	st.report = Report{Started: time.Now(), Budget: l.def.Budget}
	if l.can.Views != nil {
		rec.recordViews(l.can.Views, &st.report)
	}
	rec.times.Restart(st.report.Started)
	l.pool.Restart(st.report.Started)
}

// recordViews reports the cameras that the step follows.
func (rec *recorder) recordViews(from solver.Views, r *Report) {
	views := from.Views()
	if len(views) > 0 {
		r.View = View(views[0])
	}
	if len(views) > 1 {
		rec.views = rec.views[:0]
		for _, v := range views {
			rec.views = append(rec.views, View(v))
		}
		r.Views = rec.views
	}
}

// refuse reports a call that changed nothing, the last step's report included.
func (l *simulation) refuse(reason string) *Report {
	return &Report{Started: time.Now(), Budget: l.def.Budget, Err: errors.New(reason), Step: l.out.steps, Time: l.out.time, Ledger: l.account()}
}

// finish ends the report of a step of dt seconds.
func (l *simulation) finish(dt float64) {
	rec, st, r := &l.record, &l.step, &l.step.report
	l.out.steps++
	if r.Err == nil {
		l.out.time += dt
	}
	r.Step, r.Time, r.Dt, r.Ledger = l.out.steps, l.out.time, dt, l.account()
	r.take(st.told, st.asleep)
	rec.cells, rec.unknowns = append(rec.cells[:0], r.Cells...), append(rec.unknowns[:0], r.Unknowns...)
	r.Cells, r.Unknowns = rec.cells, rec.unknowns
	l.warnOfCrowding()
	l.warnOfFaults()
	r.Workers = l.pool.Sharing()
	r.Warnings = rec.warnings
	rec.causes.Pass(dt)
	r.Duration = time.Since(r.Started) - st.deadline.idle
	rec.finish(l.pool, r)
	l.schedule.replay = Plan{}
	l.learn()
}

// take enters what the solver tells: of a step that sleeps, what there is.
func (r *Report) take(told *solver.Report, asleep bool) {
	r.Cells, r.Unknowns, r.Tetrahedra, r.MaxSpeed = told.Cells, told.Unknowns, told.Tetrahedra, told.MaxSpeed
	r.AsleepBlocks = max(r.AsleepBlocks, told.Asleep)
	if asleep {
		return
	}
	r.Iterations, r.Residual, r.Nonzeros = told.Iterations, told.Residual, told.Nonzeros
	r.Plan.InvisibleCoarser = told.InvisibleCoarser
	r.Surface, r.Momentum = SurfaceReport(told.Surface), Momentum(told.Momentum)
}

// finish enters the times of the stages, and what the workers did.
func (rec *recorder) finish(pool *par.Pool, r *Report) {
	rec.times.Marks.End()
	for s, t := range rec.times.Stages {
		r.Stages[s] = StageReport(t)
	}
	rec.spans, rec.work = rec.spans[:0], rec.work[:0]
	for _, s := range rec.times.Spans {
		rec.spans = append(rec.spans, Span{Stage: Stage(s.Stage), Start: s.Start, Length: s.Length})
	}
	for w := range pool.Workers() {
		work, lost := pool.Work(w)
		for _, s := range work {
			rec.work = append(rec.work, Span{Stage(s.Tag), w, s.Start, s.End - s.Start})
		}
		r.LostSpans += lost
	}
	r.StageSpans, r.WorkerSpans = rec.spans, rec.work
}
