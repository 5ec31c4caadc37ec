package main

import (
	"time"

	"github.com/meniscus3d/meniscus/demo/internal/cost"
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
	def := fluid.Def{CellSize: s.cell, Discretisation: s.cells, Resources: fluid.Resources{MaxMemory: 16 << 30}}
	if mode == uniform {
		def.Numerics.Levels = 1
	} else {
		def.Budget.Work, def.Numerics.Band, def.Numerics.InvisibleLevel = s.work, s.band, s.unseen
	}
	run := cost.Run{
		New: func() (*fluid.Liquid, error) { return dam.New(def) }, Steps: s.frames, Dt: timestep,
		Done: func(n int, r *fluid.Report) { done(n, r.UnknownCount()) },
	}
	if mode == viewed {
		run.Before = func(l *fluid.Liquid, n int) error {
			return l.SetView(dam.ViewAt(float64(n)*timestep, float64(s.frames)*timestep))
		}
	}
	m, err := run.Measure()
	return row{mode, m.Step, m.Unknowns, m.Nonzeros, m.Bytes, m.RolledBack}, err
}
