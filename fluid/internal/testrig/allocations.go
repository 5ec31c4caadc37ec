package testrig

import (
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// Mallocs counts what f allocates, in this and all other goroutines.
func Mallocs(f func()) uint64 {
	// A collection would empty the pools of scratch, which then are filled anew.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// Allocations is the least of up to three of testing.AllocsPerRun, for what takes steps: on a busy machine helpers that park may take something. Where invariants are checked in every step, which allocates, there is nothing to measure.
func Allocations(t *testing.T, runs int, f func()) float64 {
	t.Helper()
	SkipIfChecking(t)
	least := testing.AllocsPerRun(runs, f)
	for k := 0; k < 2 && least > 0; k++ {
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}

// SkipIfChecking skips the test where deep checks allocate.
func SkipIfChecking(t *testing.T) {
	t.Helper()
	if graph.Checking {
		t.Skip("built with the tag check, whose checks allocate")
	}
}

// PoolAllocates tells builds (the race detector's) whose sync.Pool drops what it is given.
func PoolAllocates() bool {
	p := sync.Pool{New: func() any { return new([64]int) }}
	return testing.AllocsPerRun(10, func() {
		for range 100 {
			p.Put(p.Get())
		}
	}) > 0
}
