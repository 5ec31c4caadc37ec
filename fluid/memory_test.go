package fluid

import (
	"runtime"
	"testing"
)

// Def.MaxMemory is compared with what a grid of finest cells, full of splashing liquid, takes at most:
// the estimate must not be below that, nor refuse three times too early.
func TestMemoryEstimate(t *testing.T) {
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	d := Def{Domain: box(1.6, 1.6, 1.6), CellSize: .025, Levels: 1, Viscosity: 1e-3, SurfaceTension: .07}
	l := mustNew(t, d)
	if err := l.Fill(Box(box(1, 1.5, 1.6))); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		l.Step(frame)
	}
	used, need := heap()-before, d.withDefaults().memory()
	runtime.KeepAlive(l)
	cells := d.gridCells()
	t.Logf("%.0f bytes per cell, %.0f estimated", used/cells, need/cells)
	if used > need || 3*used < need {
		t.Errorf("%s are in use, %s were estimated", byteSize(used), byteSize(need))
	}
}
