package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
)

// table is the profile for people, all runs together.
func (p *profile) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, cells of %g m, %s, %d × %d steps of 1/60 s, %d workers, %s\n\n", p.Scene, p.CellM, p.limits(), len(p.Runs), p.Frames, p.Workers, p.Machine)
	step := p.all(func(r *runSeries) []float64 { return r.StepMS })
	fmt.Fprintf(&b, "| %-16s | %8s | %8s | %8s | %8s | %8s | %6s |\n|---|---|---|---|---|---|---|\n", "ms", "mean", "p50", "p95", "p99", "max", "share")
	row(&b, "Step", step, mean(step))
	for st := range fluid.StageCount {
		row(&b, st.String(), p.all(func(r *runSeries) []float64 { return r.StageMS[st].MS }), mean(step))
	}
	fmt.Fprintln(&b)
	spread := func(name, unit string, v []float64) {
		fmt.Fprintf(&b, "%s: %.4g %.4g %.4g %s (least, median, most)\n", name, report.Rank(v, 0), report.Rank(v, 50), report.Rank(v, 100), unit)
	}
	spread("unknowns", "", p.all(func(r *runSeries) (v []float64) {
		for i := range r.StepMS {
			v = append(v, float64(r.unknowns(i)))
		}
		return v
	}))
	spread("cost per unknown and substep", "µs", p.all(func(r *runSeries) []float64 {
		_, costs := r.costs()
		return costs
	}))
	spread("substeps", "", p.all(func(r *runSeries) []float64 { return floats(r.Substeps) }))
	spread("workers that shared a step", "", p.all(func(r *runSeries) []float64 { return floats(r.Workers) }))
	spread("iterations", "", p.all(func(r *runSeries) []float64 { return floats(r.Solves) }))
	spread("blocks that changed their level", "", p.all(func(r *runSeries) []float64 { return floats(r.Changed) }))
	spread("allocated", "bytes per step", p.all(func(r *runSeries) []float64 { return floats(r.Bytes) }))
	collections := 0
	for i := range p.Runs {
		collections += p.Runs[i].GCs
	}
	fmt.Fprintf(&b, "garbage collections: %d\n", collections)
	spread("from core to core", "ns, before and after runs", p.all(func(r *runSeries) []float64 { return r.Apart[:] }))
	b.WriteString(p.promise())
	p.tally(&b, "missed", func(r *runSeries) []string { return r.Missed })
	p.tally(&b, "mesh", func(r *runSeries) []string { return r.Mesh })
	p.tally(&b, "plan", func(r *runSeries) []string { return r.Plan })
	return b.String()
}

// promise is what the budget promises, in the steps in which nothing else had a processor.
func (p *profile) promise() string {
	var free []float64
	missed, drift := 0, 0.
	var reasons []string
	for i := range p.Runs {
		r := &p.Runs[i]
		drift = max(drift, r.Drift)
		reasons = append(reasons, r.Reasons...)
		for n, ms := range r.StepMS {
			if r.Loaded[n] {
				continue
			}
			free = append(free, ms)
			if p.BudgetMS > 0 && ms > p.BudgetMS {
				missed++
			}
		}
	}
	slices.Sort(free)
	text := fmt.Sprintf("volume: drifts by %.3f %% at most\nrolled back: %d steps\n", 100*drift, len(reasons))
	for _, reason := range reasons[:min(len(reasons), 5)] {
		text += reason + "\n"
	}
	if p.BudgetMS > 0 && len(free) > 0 {
		text += fmt.Sprintf("without load from outside: p99 is %.0f %% of the budget, the median %.0f %%, %.2f %% of %d steps missed it\n",
			100*report.Rank(free, 99)/p.BudgetMS, 100*report.Rank(free, 50)/p.BudgetMS, 100*float64(missed)/float64(len(free)), len(free))
	}
	return text + p.excuse(report.Rank(free, 50))
}

// limits says what a step may take.
func (p *profile) limits() string {
	var parts []string
	if p.BudgetMS > 0 {
		parts = append(parts, fmt.Sprintf("budget %g ms", p.BudgetMS))
	}
	if p.Work > 0 {
		parts = append(parts, fmt.Sprintf("work %gk unknowns", p.Work))
	}
	if len(parts) == 0 {
		parts = append(parts, "no budget")
	}
	if p.FPS > 0 {
		parts = append(parts, fmt.Sprintf("%g frames/s", p.FPS))
	}
	return strings.Join(parts, ", ")
}

func row(b *strings.Builder, name string, v []float64, whole float64) {
	share := 0.
	if whole > 0 {
		share = 100 * mean(v) / whole
	}
	fmt.Fprintf(b, "| %-16s | %8.3f | %8.3f | %8.3f | %8.3f | %8.3f | %4.0f %% |\n", name, mean(v), report.Rank(v, 50), report.Rank(v, 95), report.Rank(v, 99), report.Rank(v, 100), share)
}

// all is a series of all runs, sorted.
func (p *profile) all(series func(*runSeries) []float64) (v []float64) {
	for i := range p.Runs {
		v = append(v, series(&p.Runs[i])...)
	}
	slices.Sort(v)
	return v
}

// tally counts words, the most frequent first.
func (p *profile) tally(b *strings.Builder, what string, words func(*runSeries) []string) {
	count, all := map[string]int{}, 0
	for i := range p.Runs {
		for _, w := range words(&p.Runs[i]) {
			all++
			if w != "" {
				count[w]++
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	for _, name := range names {
		fmt.Fprintf(b, "%s: %s: %d of %d steps\n", what, name, count[name], all)
	}
	if len(names) == 0 {
		fmt.Fprintf(b, "%s: none of %d steps\n", what, all)
	}
}

func mean(v []float64) float64 {
	sum := 0.
	for _, x := range v {
		sum += x
	}
	return sum / float64(max(1, len(v)))
}

func floats(n []int) (v []float64) {
	for _, x := range n {
		v = append(v, float64(x))
	}
	return v
}
