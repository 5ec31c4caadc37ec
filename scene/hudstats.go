package scene

import (
	"slices"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// ring keeps the last durations. The zero value holds none; size is fixed by newRing.
type ring struct {
	values []time.Duration
	next   int
	count  int
	sorted []time.Duration
}

func newRing(size int) *ring {
	return &ring{values: make([]time.Duration, size), sorted: make([]time.Duration, 0, size)}
}

func (r *ring) add(d time.Duration) {
	r.values[r.next] = d
	r.next = (r.next + 1) % len(r.values)
	r.count = min(r.count+1, len(r.values))
}

// at returns the i-th kept duration, 0 the oldest.
func (r *ring) at(i int) time.Duration {
	return r.values[(r.next-r.count+i+len(r.values))%len(r.values)]
}

// Statistics summarises recent steps.
type Statistics struct {
	Count              int
	P50, P95, P99, Max time.Duration
	// Misses is how many steps took longer than the budget.
	Misses int
}

// statistics reads the ring against a budget; 0 means no limit and no misses. A percentile
// is the smallest kept value that at least that share of the values doesn't exceed.
func (r *ring) statistics(budget time.Duration) Statistics {
	s := Statistics{Count: r.count}
	if r.count == 0 {
		return s
	}
	r.sorted = r.sorted[:0]
	for i := 0; i < r.count; i++ {
		d := r.at(i)
		r.sorted = append(r.sorted, d)
		if budget > 0 && d > budget {
			s.Misses++
		}
	}
	slices.Sort(r.sorted)
	rank := func(percent int) time.Duration {
		return r.sorted[max((r.count*percent+99)/100, 1)-1]
	}
	s.P50, s.P95, s.P99, s.Max = rank(50), rank(95), rank(99), r.sorted[r.count-1]
	return s
}

// shares keeps each stage's smoothed part of the step.
type shares struct {
	part [fluid.StageCount]float64 // of the stages' sum, 0 to 1
	any  bool
}

// add mixes a report in; about twenty steps decide.
func (s *shares) add(r *fluid.Report) {
	var sum time.Duration
	for _, st := range r.Stages {
		sum += st.Duration
	}
	if sum <= 0 {
		return
	}
	keep := 0.95
	if !s.any {
		keep, s.any = 0, true
	}
	for i, st := range r.Stages {
		s.part[i] = keep*s.part[i] + (1-keep)*float64(st.Duration)/float64(sum)
	}
}

// largest lists the n stages with the largest parts, the largest first.
func (s *shares) largest(n int) []fluid.Stage {
	all := make([]fluid.Stage, 0, fluid.StageCount)
	for i := fluid.Stage(0); i < fluid.StageCount; i++ {
		all = append(all, i)
	}
	slices.SortStableFunc(all, func(a, b fluid.Stage) int {
		switch {
		case s.part[a] > s.part[b]:
			return -1
		case s.part[a] < s.part[b]:
			return 1
		}
		return 0
	})
	return all[:min(n, len(all))]
}
