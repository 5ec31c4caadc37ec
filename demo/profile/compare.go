package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
)

// The bootstrap.
const (
	// block is how many steps are drawn together: a third of a second, in which steps are alike.
	block = 20
	// draws is how many times the medians are taken anew.
	draws = 1000
)

// change is how a median went from one profile to the other, with the range in which 95 % of the draws lie.
type change struct {
	name          string
	before, after float64
	ratio, lo, hi float64 // after over before
}

// verdict says what a person may conclude.
func (c *change) verdict() string {
	switch {
	case c.lo == 1 && c.hi == 1:
		return "same"
	case c.lo > 1:
		return "more"
	case c.hi < 1:
		return "less"
	}
	return "noise"
}

// comparison is all changes; the first is the step's time.
type comparison struct {
	before, after *profile
	changes       []change
}

// compare compares the medians of two profiles of one scene.
func compare(before, after *profile) (*comparison, error) {
	for _, m := range []struct {
		what string
		a, b any
	}{{"scenes", before.Scene, after.Scene}, {"cells, m", before.CellM, after.CellM}, {"frames", before.Frames, after.Frames}, {"work", before.Work, after.Work}, {"frames a second", before.FPS, after.FPS}} {
		if m.a != m.b {
			return nil, fmt.Errorf("the profiles can't be compared: their %s are %v and %v", m.what, m.a, m.b)
		}
	}
	c := &comparison{before: before, after: after}
	add := func(name string, value func(r *runSeries, i int) float64) {
		c.changes = append(c.changes, bootstrap(name, values(before, value), values(after, value)))
	}
	add("Step, ms", func(r *runSeries, i int) float64 { return r.StepMS[i] })
	add("unknowns", func(r *runSeries, i int) float64 { return float64(r.unknowns(i)) })
	add("per unknown, µs", func(r *runSeries, i int) float64 {
		return 1e3 * r.StepMS[i] / float64(max(1, r.unknowns(i)*r.Substeps[i]))
	})
	for st := range fluid.StageCount {
		add(st.String()+", ms", func(r *runSeries, i int) float64 { return r.StageMS[st].MS[i] })
	}
	return c, nil
}

// values is a number of every step of every run.
func values(p *profile, value func(r *runSeries, i int) float64) (runs [][]float64) {
	for k := range p.Runs {
		v := make([]float64, p.Frames)
		for i := range v {
			v[i] = value(&p.Runs[k], i)
		}
		runs = append(runs, v)
	}
	return runs
}

// bootstrap compares the medians over all runs, each of as many values.
//
// The range is that of a hierarchical moving-block bootstrap: each draw takes as many runs as there
// are, with replacement, and in each of them blocks of steps that follow each other, with replacement,
// at the same places before and after, since there the scene does the same. Its chance is always the same.
// With one run before and after, the noise between runs is not in the range.
// Source: Künsch 1989 (moving blocks); Davison, Hinkley 1997 §3.8 (hierarchies).
func bootstrap(name string, before, after [][]float64) change {
	c := change{name: name, before: median(slices.Concat(before...)), after: median(slices.Concat(after...))}
	c.ratio = quotient(c.after, c.before)
	chance := rand.New(rand.NewPCG(1, 2))
	frames := len(before[0])
	places := make([]int, (frames+block-1)/block)
	ratios := make([]float64, draws)
	var a, b []float64
	for d := range ratios {
		for i := range places {
			places[i] = chance.IntN(frames - block + 1)
		}
		a, b = resample(a[:0], before, places, chance), resample(b[:0], after, places, chance)
		ratios[d] = quotient(median(b), median(a))
	}
	slices.Sort(ratios)
	c.lo, c.hi = ratios[draws/40], ratios[draws-1-draws/40]
	return c
}

// resample appends blocks at the places, of runs that chance picks.
func resample(dst []float64, runs [][]float64, places []int, chance *rand.Rand) []float64 {
	for range runs {
		run := runs[chance.IntN(len(runs))]
		for _, at := range places {
			dst = append(dst, run[at:at+block]...)
		}
	}
	return dst
}

// median sorts the values in place.
func median(v []float64) float64 {
	slices.Sort(v)
	return report.Rank(v, 50)
}

// quotient is a/b; of nothing to nothing it is 1.
func quotient(a, b float64) float64 {
	if a == b {
		return 1
	}
	return a / b
}

// slower tells whether the step takes longer by more than so many per cent, beyond the noise.
func (c *comparison) slower(percent float64) bool { return c.changes[0].lo > 1+percent/100 }

// table is the comparison for people.
func (c *comparison) table() string {
	var b strings.Builder
	a, z := c.before, c.after
	fmt.Fprintf(&b, "%s, %d steps; before: %d runs, %s, %d workers, %s; after: %d runs, %s, %d workers, %s\n",
		a.Scene, a.Frames, len(a.Runs), a.limits(), a.Workers, a.Machine, len(z.Runs), z.limits(), z.Workers, z.Machine)
	fmt.Fprintf(&b, "medians; noise: 95 %% of %d draws of a moving-block bootstrap", draws)
	if len(a.Runs) == 1 || len(z.Runs) == 1 {
		b.WriteString("; that between runs is not known: use -repeat")
	}
	fmt.Fprintf(&b, "\n\n| %-18s | %9s | %9s | %8s | %-20s | %-7s |\n|---|---|---|---|---|---|\n", "", "before", "after", "change", "noise band", "verdict")
	for i := range c.changes {
		ch := &c.changes[i]
		percent := func(r float64) float64 { return 100 * (r - 1) }
		band := fmt.Sprintf("%+.1f to %+.1f %%", percent(ch.lo), percent(ch.hi))
		fmt.Fprintf(&b, "| %-18s | %9.4g | %9.4g | %+6.1f %% | %-20s | %-7s |\n", ch.name, ch.before, ch.after, percent(ch.ratio), band, ch.verdict())
	}
	return b.String()
}
