// Package fluidtrace watches a liquid's steps by their reports: a trace that Chrome and Perfetto
// open, counters, percentiles with the causes of misses, and a black box that keeps the last seconds
// and writes them to a folder when a step misses its budget, with a state to take them again from.
//
// Everything here takes reports by a method Step, which fits scene's Liquid.Update:
//
//	file, err := os.Create("liquid.trace.json")
//	trace := fluidtrace.NewWriter(file, fluidtrace.Options{})
//	defer trace.Close()
//	_ = liq.Profile(fluid.Profiling{WorkerSpans: 4096}) // a track per worker
//	// in the loop
//	water.Update(dt, trace.Step)
package fluidtrace
