package fluid

import (
	"context"
	"fmt"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
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
	l.sim.record.times.Marks.Label(p.Labels, stageMarkers[:])
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
