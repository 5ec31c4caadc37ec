package main

import (
	"runtime"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
)

// The tank, m, and the water behind the dam: a fifth of it, as the paper's order of
// 2,038,250 for 160 × 200 × 320 cells says.
var (
	tank = r3.Box{Max: r3.Vec{X: 1.6, Y: 2, Z: 3.2}}
	dam  = r3.Box{Max: r3.Vec{X: 1.6, Y: 1, Z: 1.28}}
)

// timestep, s.
const timestep = 1.0 / 60

// The paper's camera, degrees, and the height of a picture, pixels.
const (
	wide, high    = 80.0, 60.0
	pictureHeight = 480
)

// flight takes the camera through the tank against the flood.
var flight = []view.Pose{
	{Eye: r3.Vec{X: 0.8, Y: 1.3, Z: 3.1}, Target: r3.Vec{X: 0.8, Y: 0.5, Z: 1.6}},
	{Eye: r3.Vec{X: 1.2, Y: 1.0, Z: 2.7}, Target: r3.Vec{X: 0.6, Y: 0.3, Z: 1.5}},
	{Eye: r3.Vec{X: 1.3, Y: 0.9, Z: 2.0}, Target: r3.Vec{X: 0.5, Y: 0.3, Z: 2.6}},
	{Eye: r3.Vec{X: 0.8, Y: 1.1, Z: 1.2}, Target: r3.Vec{X: 0.8, Y: 0.5, Z: 2.8}},
}

// row is a line of the table.
type row struct {
	mode       string
	step       time.Duration // mean
	unknowns   int           // mean
	nonzeros   int           // mean; diagonal and upper entries, as the paper counts
	bytes      uint64        // of the heap, in the end
	rolledBack int
}

// measure runs the dam break in a mode.
func measure(mode string, s settings, done func(n, unknowns int)) (row, error) {
	before := heap()
	def := fluid.Def{Domain: tank, CellSize: s.cell, MaxMemory: 16 << 30}
	if mode == uniform {
		def.Levels = 1
	} else {
		def.Budget.Work = s.work
	}
	liq, err := fluid.New(def)
	if err != nil {
		return row{}, err
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Box(dam)); err != nil {
		return row{}, err
	}
	path := view.Path{Poses: flight, Duration: float64(s.frames) * timestep}
	r := row{mode: mode}
	for n := 1; n <= s.frames; n++ {
		if mode == viewed {
			if err := liq.SetView(viewAt(path, float64(n)*timestep)); err != nil {
				return row{}, err
			}
		}
		rep := liq.Step(timestep)
		r.step += rep.Duration
		r.unknowns += rep.UnknownCount()
		r.nonzeros += rep.Nonzeros
		if rep.RolledBack {
			r.rolledBack++
		}
		done(n, rep.UnknownCount())
	}
	r.step /= time.Duration(s.frames)
	r.unknowns /= s.frames
	r.nonzeros /= s.frames
	if now := heap(); now > before {
		r.bytes = now - before
	}
	return r, nil
}

// heap is what is in use after a collection, bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// viewAt is the camera at t seconds of its path.
func viewAt(p view.Path, t float64) fluid.View {
	return fluid.View{
		View: p.At(t).LookAt(), Height: pictureHeight,
		Projection: view.Perspective(high, view.AspectOf(wide, high), 0.05, 10),
	}
}
