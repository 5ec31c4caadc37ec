package fluidtrace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// Percentiles of the last ten seconds, totals for a server's /debug/vars, and a trace that Perfetto opens, of the same reports.
func ExampleWindow() {
	liq := halfFull()
	defer liq.Close()
	window := fluidtrace.NewWindow(600) // steps
	window.Budget = time.Minute
	var counters fluidtrace.Counters
	var file bytes.Buffer // a file, in a game
	trace := fluidtrace.NewWriter(&file, fluidtrace.Options{})
	for range 20 {
		r := *liq.Step(1. / 60)
		window.Step(&r)
		counters.Step(&r)
		trace.Step(&r)
	}
	if err := trace.Close(); err != nil {
		fmt.Println(err)
		return
	}
	s := window.Statistics()
	fmt.Printf("%d steps, %d later than the budget; percentiles in order: %v\n", s.Count, s.Misses, s.P50 <= s.P99)
	var events []map[string]any
	fmt.Println("a trace:", json.Unmarshal(file.Bytes(), &events) == nil && len(events) > 20)
	fmt.Println("counters in JSON:", json.Valid([]byte(counters.String())))
	// Output:
	// 20 steps, 0 later than the budget; percentiles in order: true
	// a trace: true
	// counters in JSON: true
}
