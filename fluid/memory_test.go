package fluid_test

import (
	"runtime"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/capacity"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// heap is how many bytes are in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// Most of a dam's memory is per row and per face: what a cell costs follows from how many are liquid, here .59 of all.
func TestMemoryPerCell(t *testing.T) {
	before := heap()
	d := fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .025, Numerics: fluid.Numerics{Levels: 1}}
	l := testrig.New(t, d)
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(1, 1.5, 1.6))))
	for range 4 {
		l.Step(testrig.Frame)
	}
	used := (heap() - before) / (64 * 64 * 64)
	runtime.KeepAlive(l)
	testrig.FallsShort(t, "bytes per cell of a dam of 64³ cells", used, 120, 505)
}

// Def.Resources.MaxMemory is compared with what a grid of finest cells, full of splashing liquid, takes at most:
// the estimate must not be below that, nor refuse three times too early.
func TestMemoryEstimate(t *testing.T) {
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		before := heap()
		d := fluid.Def{
			Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .025, Discretisation: of, Numerics: fluid.Numerics{Levels: 1}, Physics: fluid.Physics{Viscosity: 1e-3, SurfaceTension: .07},
		}
		if of == fluid.Tetrahedra {
			d.CellSize = .05
		}
		l := testrig.New(t, d)
		testrig.Must(t, l.Fill(fluid.Box(testrig.Box(1, 1.5, 1.6))))
		for range 4 {
			l.Step(testrig.Frame)
		}
		used, need := heap()-before, d.Extent().Memory(d.CellSize)
		runtime.KeepAlive(l)
		cells := d.Extent().Cells(d.CellSize)
		t.Logf("%.0f bytes per cell, %.0f estimated", used/cells, need/cells)
		if used > need || 3*used < need {
			t.Errorf("%s are in use, %s were estimated", capacity.ByteSize(used), capacity.ByteSize(need))
		}
	})
}

// A mesh that has no room for its vertices gets longer edges, and says so; with room it needs no more than is reckoned for each vertex.
func TestMeshMemory(t *testing.T) {
	d := fluid.Def{Domain: testrig.Box(1, .6, 1), CellSize: .05, Numerics: fluid.Numerics{Levels: 1, SurfaceDetail: 2}, Resources: fluid.Resources{Workers: 1}, Tracker: fluid.ExplicitMesh}
	d = d.WithDefaults()
	least := d.Extent().Memory(d.CellSize)
	d.Resources.MaxMemory = int64(least) - 1
	testrig.Refused(t, d.Validate(), "Def.Domain", "Resources.MaxMemory")
	run := func(memory int64) (vertices int, bytes float64, r fluid.Report, told []fluid.Warning) {
		d.Resources.MaxMemory = memory
		before := heap()
		l := testrig.New(t, d)
		testrig.Must(t, l.Fill(fluid.Below(.1)))
		for _, x := range []float64{.2, .5, .8} {
			for _, z := range []float64{.2, .5, .8} {
				testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: x, Y: .4, Z: z}, .14)))
			}
		}
		for range 8 {
			if r = *l.Step(testrig.Frame / 8); r.Err != nil {
				t.Fatal(r.Err)
			}
			told = append(told, r.Warnings...)
		}
		bytes = heap() - before
		runtime.KeepAlive(l)
		return r.Surface.Vertices, bytes, r, told
	}
	rich, used, r, _ := run(1 << 32)
	cells := d.Extent().Cells(d.CellSize) * d.Extent().BytesPerCell
	poor, _, warned, told := run(int64(least) + 1)
	room := (least - cells) / 8000
	t.Logf("%d vertices in %s with cells of %s; with room for %.0f there are %d, %+v", rich, capacity.ByteSize(used), capacity.ByteSize(cells), room, poor, warned.Surface)
	if r.Surface.Coarser != 1 || used > cells+8000*float64(rich) {
		t.Errorf("%+v in %s", r.Surface, capacity.ByteSize(used))
	}
	if float64(rich) < room || float64(poor) > room || !(warned.Surface.Coarser > 1) || len(told) != 1 || told[0].Knob != "Resources.MaxMemory" {
		t.Errorf("%d and %d vertices with room for %.0f; %+v, %v", rich, poor, room, warned.Surface, told)
	}
}
