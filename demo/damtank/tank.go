package main

import (
	"runtime"
	"time"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/fluid"
)

// timestep, s.
const timestep = 1.0 / 60

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
	def := fluid.Def{CellSize: s.cell, Resources: fluid.Resources{MaxMemory: 16 << 30}}
	if mode == uniform {
		def.Numerics.Levels = 1
	} else {
		def.Budget.Work, def.Numerics.Band, def.Numerics.InvisibleLevel = s.work, s.band, s.unseen
	}
	liq, err := dam.New(def)
	if err != nil {
		return row{}, err
	}
	defer liq.Close()
	r := row{mode: mode}
	for n := 1; n <= s.frames; n++ {
		if mode == viewed {
			if err := liq.SetView(dam.ViewAt(float64(n)*timestep, float64(s.frames)*timestep)); err != nil {
				return row{}, err
			}
		}
		rep := liq.Step(timestep)
		r.step += rep.Duration
		r.unknowns += rep.UnknownCount()
		r.nonzeros += rep.Nonzeros
		if rep.Err != nil {
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
