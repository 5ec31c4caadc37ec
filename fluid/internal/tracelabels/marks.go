// Package tracelabels tells traces and profiles of the Go runtime which stage of a step runs: by regions of runtime/trace, and by pprof labels if asked to.
package tracelabels

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
)

// Marks are those of one object's steps. The zero value sets no labels.
type Marks struct {
	region *trace.Region     // of the stage under way
	base   context.Context   // nil: no labels
	labels []context.Context // base and the stage's
}

// Label has the stages with these names carry base's labels and their name as "stage" from now on, or no labels if base is nil.
func (m *Marks) Label(base context.Context, names []string) {
	m.base, m.labels = base, m.labels[:0]
	if base == nil {
		return
	}
	for _, name := range names {
		m.labels = append(m.labels, pprof.WithLabels(base, pprof.Labels("stage", name)))
	}
}

// Begin begins a stage by its number and name, and ends one that has not ended. It returns the labels that the goroutine at hand now carries, for
// others that share the work; nil if there are none.
func (m *Marks) Begin(stage int, name string) context.Context {
	m.End()
	m.region = trace.StartRegion(context.Background(), name)
	if m.base == nil {
		return nil
	}
	pprof.SetGoroutineLabels(m.labels[stage])
	return m.labels[stage]
}

// End ends the stage, if one is under way; the goroutine at hand then carries base's labels alone.
func (m *Marks) End() {
	if m.region == nil {
		return
	}
	m.region.End()
	m.region = nil
	if m.base != nil {
		pprof.SetGoroutineLabels(m.base)
	}
}
