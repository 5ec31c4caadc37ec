package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/meniscus3d/meniscus/demo/internal/cost"
)

// table is one of a paper's.
type table struct {
	name, title string
	first       string   // what a row is
	columns     []column // of figures
	// values are the figures of a row here, one a column.
	values func(m *cost.Mean) []float64
	rows   []row
	ratios bool // a second table has the rows over the first of them
}

// column is one of figures.
type column struct {
	head     string
	decimals int
}

// row is a scene of a table.
type row struct {
	name  string
	paper []float64 // one a column; nil: the paper does not have it
	// scene is what is measured; nil: it does not run here, and note says what it lacks.
	scene func(s settings) cost.Run
	note  string
	here  []float64 // nil: not measured
}

// tables are all, in the order of the papers, and then those that no paper has.
func tables() []*table {
	return []*table{klingner(), chentanez(), kim1(), kim2(), dambreak(), trackers()}
}

// names are the tables'.
func names() (all []string) {
	for _, t := range tables() {
		all = append(all, t.name)
	}
	return all
}

// dt is a step's length, s.
const dt = 1. / 60

// String is the table as Markdown: what was measured here, with the paper's figures in brackets.
func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n", t.title)
	t.head(&b, t.first)
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s |", r.name)
		for k, c := range t.columns {
			fmt.Fprintf(&b, " %s |", beside(figure(r.here, k, c.decimals), figure(r.paper, k, -1)))
		}
		fmt.Fprintf(&b, " %s |\n", r.note)
	}
	if t.ratios {
		t.compare(&b)
	}
	return b.String()
}

// head begins a table.
func (t *table) head(b *strings.Builder, first string) {
	fmt.Fprintf(b, "| %s |", first)
	for _, c := range t.columns {
		fmt.Fprintf(b, " %s |", c.head)
	}
	fmt.Fprintf(b, " |\n|%s\n", strings.Repeat("---|", len(t.columns)+2))
}

// compare writes the rows' figures over those of the first row.
func (t *table) compare(b *strings.Builder) {
	base := t.rows[0]
	if base.here == nil {
		return
	}
	b.WriteString("\n")
	t.head(b, "over "+base.name)
	for _, r := range t.rows[1:] {
		fmt.Fprintf(b, "| %s |", r.name)
		for k := range t.columns {
			fmt.Fprintf(b, " %s |", beside(ratio(r.here, base.here, k), ratio(r.paper, base.paper, k)))
		}
		fmt.Fprintf(b, " |\n")
	}
}

// beside is a figure of here, or a dash, and in brackets the paper's, if it has one.
func beside(here, paper string) string {
	if here == "" {
		here = "-"
	}
	if paper == "" {
		return here
	}
	return here + " (" + paper + ")"
}

// figure is one of some, with so many decimals, or for -1 as many as it has; or nothing, also for NaN.
func figure(figures []float64, k, decimals int) string {
	if figures == nil || math.IsNaN(figures[k]) {
		return ""
	}
	return strconv.FormatFloat(figures[k], 'f', decimals, 64)
}

// ratio is one of some figures over the same of others, or nothing.
func ratio(figures, base []float64, k int) string {
	if figures == nil || base == nil || base[k] == 0 || math.IsNaN(figures[k]/base[k]) {
		return ""
	}
	return fmt.Sprintf("%.3f", figures[k]/base[k])
}
