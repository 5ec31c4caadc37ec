// Package cost measures what the steps of a liquid cost: time, unknowns, memory.
package cost

import (
	"runtime"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// Run is a liquid, and the steps that are measured.
type Run struct {
	// New makes the liquid, which is closed after the last step.
	New func() (*fluid.Liquid, error)
	// Before, if not nil, does what is due before step n, counted from 1.
	Before func(l *fluid.Liquid, n int) error
	Lead   int // steps that come first and are not measured
	Steps  int
	Dt     float64 // s
	// Done, if not nil, is told each step that was measured, counted from 1.
	Done func(n int, r *fluid.Report)
}

// Mean is what a step costs, on the mean of a run.
type Mean struct {
	Step     time.Duration
	Stages   [fluid.StageCount]time.Duration
	Unknowns int
	// Tetrahedra is how many hold liquid, where cells are tetrahedra.
	Tetrahedra int
	Nonzeros   int // of the pressure matrix: diagonal and upper entries
	Triangles  int // of the surface, where it is free
	// Bytes are of the heap, after the last step. RolledBack is how many steps were.
	Bytes      uint64
	RolledBack int
}

// Measure takes the steps.
func (c Run) Measure() (m Mean, err error) {
	before := heap()
	l, err := c.New()
	if err != nil {
		return m, err
	}
	defer l.Close()
	for n := 1; n <= c.Lead+c.Steps; n++ {
		if c.Before != nil {
			if err := c.Before(l, n); err != nil {
				return m, err
			}
		}
		r := l.Step(c.Dt)
		if n <= c.Lead {
			continue
		}
		m.add(r, l.Surface())
		if c.Done != nil {
			c.Done(n-c.Lead, r)
		}
	}
	m.divide(c.Steps)
	if now := heap(); now > before {
		m.Bytes = now - before
	}
	return m, nil
}

func (m *Mean) add(r *fluid.Report, s *fluid.Surface) {
	m.Step += r.Duration
	for i, stage := range r.Stages {
		m.Stages[i] += stage.Duration
	}
	m.Unknowns += r.UnknownCount()
	m.Tetrahedra += r.Tetrahedra
	m.Nonzeros += r.Nonzeros
	m.Triangles += s.Free / 3
	if r.Err != nil {
		m.RolledBack++
	}
}

func (m *Mean) divide(steps int) {
	m.Step /= time.Duration(steps)
	for i := range m.Stages {
		m.Stages[i] /= time.Duration(steps)
	}
	m.Unknowns /= steps
	m.Tetrahedra /= steps
	m.Nonzeros /= steps
	m.Triangles /= steps
}

// Of is the time of some stages in a step.
func (m *Mean) Of(stages ...fluid.Stage) (sum time.Duration) {
	for _, s := range stages {
		sum += m.Stages[s]
	}
	return sum
}

// heap is what is in use after a collection, bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
