package fluid

import (
	"runtime"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/extent"
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
	used, need := heap()-before, d.extent().Memory(d.CellSize)
	runtime.KeepAlive(l)
	cells := d.extent().Cells(d.CellSize)
	t.Logf("%.0f bytes per cell, %.0f estimated", used/cells, need/cells)
	if used > need || 3*used < need {
		t.Errorf("%s are in use, %s were estimated", extent.ByteSize(used), extent.ByteSize(need))
	}
}
