package tracked

import (
	"fmt"
	"strings"
)

// table prints the rows.
func table(rows []Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %-13s | %-14s | %8s | %6s | %6s | %9s | %8s | %14s |\n", "tracker", "size", "volume %", "L1 %", "s", "ms a step", "vertices", "µs vertex·step")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		step := r.Seconds / float64(r.Steps)
		fmt.Fprintf(&b, "| %-13s | %-14s | %8.2f | %6.2f | %6.2f | %9.2f | %8d | %14.2f |\n",
			r.Tracker, r.Size, 100*r.Volume, 100*r.L1, r.Seconds, 1e3*step, r.Vertices, 1e6*step/float64(max(1, r.Vertices)))
	}
	return b.String()
}
