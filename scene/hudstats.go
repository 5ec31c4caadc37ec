package scene

import (
	"slices"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

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
