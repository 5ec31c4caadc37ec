package fluidtrace

import (
	"cmp"
	"slices"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// Window keeps the durations and misses of the last steps. Make one with NewWindow.
type Window struct {
	// Budget is what a step may take. 0 means what its report says.
	Budget time.Duration

	classifier MissClassifier
	kept       []sample // a ring
	next       int
	sorted     []time.Duration
}

// sample is what is kept of a step.
type sample struct {
	took   time.Duration
	budget time.Duration
	cause  Cause
}

// NewWindow returns an empty window for that many steps. It panics if that is less than one.
func NewWindow(steps int) *Window {
	if steps < 1 {
		panic("fluidtrace: NewWindow: steps must be at least 1")
	}
	return &Window{kept: make([]sample, 0, steps), sorted: make([]time.Duration, 0, steps)}
}

// Step adds a step and forgets the oldest one when the window is full.
func (w *Window) Step(r *fluid.Report) {
	budget := w.Budget
	budget = cmp.Or(budget, r.Budget.Step)
	s := sample{r.Duration, budget, w.classifier.Step(r, budget).Cause}
	if len(w.kept) < cap(w.kept) {
		w.kept = append(w.kept, s)
		return
	}
	w.kept[w.next] = s
	w.next = (w.next + 1) % len(w.kept)
}

// Len is how many steps are kept.
func (w *Window) Len() int { return len(w.kept) }

// At is what a kept step took, 0 the oldest, and whether it missed.
func (w *Window) At(i int) (took time.Duration, missed bool) {
	s := w.kept[(w.next+i)%len(w.kept)]
	return s.took, s.cause != None
}

// Last is the budget of the newest step; 0 if there is none.
func (w *Window) Last() (budget time.Duration) {
	if n := len(w.kept); n > 0 {
		return w.kept[(w.next+n-1)%n].budget
	}
	return w.Budget
}

// Statistics summarises some steps. A percentile is the smallest duration that at least that share of
// them doesn't exceed.
type Statistics struct {
	Count              int
	P50, P95, P99, Max time.Duration
	// Misses is how many steps took longer than the budget, and Causes how many of them by Cause.
	Misses int
	Causes [causeCount]int
}

// Statistics summarises the steps that are kept.
func (w *Window) Statistics() Statistics {
	s := Statistics{Count: len(w.kept)}
	if s.Count == 0 {
		return s
	}
	w.sorted = w.sorted[:0]
	for _, k := range w.kept {
		w.sorted = append(w.sorted, k.took)
		if k.cause != None {
			s.Misses++
			s.Causes[k.cause]++
		}
	}
	slices.Sort(w.sorted)
	rank := func(percent int) time.Duration {
		return w.sorted[max((s.Count*percent+99)/100, 1)-1]
	}
	s.P50, s.P95, s.P99, s.Max = rank(50), rank(95), rank(99), w.sorted[s.Count-1]
	return s
}
