// Package tracelabels marks the stages of a step for the Go runtime's tools: as regions of runtime/trace, and optionally as pprof labels.
package tracelabels

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
)

// Labels marks the stages of one object's steps. The zero value sets no pprof labels.
type Labels struct {
	region *trace.Region     // of the current stage
	base   context.Context   // nil: no labels
	labels []context.Context // per stage: base and the stage's label
}

// Label sets the pprof labels of later stages: base's labels, and the stage's name as "stage". A nil base means none.
func (m *Labels) Label(base context.Context, names []string) {
	m.base, m.labels = base, m.labels[:0]
	if base == nil {
		return
	}
	for _, name := range names {
		m.labels = append(m.labels, pprof.WithLabels(base, pprof.Labels("stage", name)))
	}
}

// Begin begins a stage, and ends the one before. It returns the current goroutine's new labels, for helpers
// that share the work; nil if there are none.
func (m *Labels) Begin(stage int, name string) context.Context {
	m.End()
	m.region = trace.StartRegion(context.Background(), name)
	if m.base == nil {
		return nil
	}
	pprof.SetGoroutineLabels(m.labels[stage])
	return m.labels[stage]
}

// End ends the current stage, if there is one. The current goroutine then carries base's labels.
func (m *Labels) End() {
	if m.region == nil {
		return
	}
	m.region.End()
	m.region = nil
	if m.base != nil {
		pprof.SetGoroutineLabels(m.base)
	}
}
