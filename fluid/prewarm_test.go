package fluid_test

import (
	"runtime"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Prewarm leaves liquid and bodies as they are, and what comes after it gives the same bits as without.
func TestPrewarmChangesNothing(t *testing.T) {
	a, b := livelier(t, 2), livelier(t, 2)
	for n := range 20 {
		a.Step(t, n)
		b.Step(t, n)
		if n%7 != 0 {
			continue
		}
		liquid, bodies := a.L.Hash(), a.W.Hash()
		a.L.Prewarm()
		if a.L.Hash() != liquid || a.W.Hash() != bodies {
			t.Fatalf("step %d: liquid changed: %v; bodies changed: %v", n, a.L.Hash() != liquid, a.W.Hash() != bodies)
		}
		if e := a.L.Events(); len(e.Entered)+len(e.Left)+len(e.Splashes)+len(e.Blocked) > 0 {
			t.Fatal("steps that were taken back left events")
		}
	}
	if a.L.Hash() != b.L.Hash() {
		t.Error("the steps after it gave other bits")
	}
}

// After Prewarm the first steps find the memory that they need.
func TestPrewarmedLiquidIsReady(t *testing.T) {
	first := func(prewarm bool) uint64 {
		l, _ := pool(t, fluid.Def{Budget: fluid.Budget{Work: 30}, Resources: fluid. // a second one may be left out while its processor is busy
												Resources{Workers: 1}})
		if prewarm {
			l.Prewarm()
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 10 {
			l.Step(testrig.Frame)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if warm, cold := first(true), first(false); 10*warm > cold {
		t.Errorf("the first steps allocate %d bytes after Prewarm, %d without", warm, cold)
	}
}
