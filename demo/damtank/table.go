package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
)

// paper is Table 1 of Kim, Ihm, Cha 2006 (160 × 200 × 320; Pentium 4, 2.8 GHz): s, order,
// nonzeros, MB.
var paper = map[string][4]float64{
	uniform:  {126.7, 2038250, 8071956, 300.65},
	adaptive: {12.1, 297849, 1181681, 43.98},
	viewed:   {5.2, 126069, 498212, 18.57},
}

func (r row) values() [4]float64 {
	return [4]float64{r.step.Seconds(), float64(r.unknowns), float64(r.nonzeros), float64(r.bytes) / (1 << 20)}
}

// table prints the rows as the paper's Table 1 does, with their ratios to the uniform grid
// beside the paper's.
func table(rows []row, s settings) string {
	var b strings.Builder
	size := dam.Tank.Size()
	cells := func(edge float64) int { return int(math.Round(edge / s.cell)) }
	fmt.Fprintf(&b, "%d × %d × %d cells, means over %d steps of 1/60 s; memory after the last\n\n",
		cells(size.X), cells(size.Y), cells(size.Z), s.frames)
	fmt.Fprintf(&b, "| %-8s | time/step s | %9s | %9s | %8s |\n|---|---|---|---|---|\n", "grid", "order", "nonzeros", "MB")
	for _, r := range rows {
		v := r.values()
		fmt.Fprintf(&b, "| %-8s | %11.4f | %9.0f | %9.0f | %8.2f |\n", r.mode, v[0], v[1], v[2], v[3])
	}
	b.WriteString(ratios(rows))
	for _, r := range rows {
		if r.rolledBack > 0 {
			fmt.Fprintf(&b, "\n%s: %d steps were rolled back\n", r.mode, r.rolledBack)
		}
	}
	return b.String()
}

// ratios compares with the uniform grid, if it ran and something else did.
func ratios(rows []row) string {
	base := -1
	for i, r := range rows {
		if r.mode == uniform {
			base = i
		}
	}
	if base < 0 || len(rows) < 2 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| to uniform: this (paper) | %-15s | %-15s | %-15s | %-15s |\n|---|---|---|---|---|\n", "time/step", "order", "nonzeros", "memory")
	one := rows[base].values()
	for i, r := range rows {
		if i == base {
			continue
		}
		v := r.values()
		fmt.Fprintf(&b, "| %-24s |", r.mode)
		for k := range v {
			fmt.Fprintf(&b, " %6s (%.3f) |", ratio(v[k], one[k]), paper[r.mode][k]/paper[uniform][k])
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

func ratio(a, b float64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", a/b)
}
