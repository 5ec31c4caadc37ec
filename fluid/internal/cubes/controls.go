package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// Controls is what controls ask of blocks.
type Controls struct {
	m       *Cells
	sources *Sources
	volumes *Volumes
}

// Measure writes what part of the cell at each place solids leave open, and what part of that is liquid.
func (s *Controls) Measure(liquid, open []float32, at []r3.Vec) {
	g := s.m.Grid
	for i, x := range at {
		b, fx, fy, fz := g.Locate(g.ToPoint(x.X, x.Y, x.Z))
		cell, h := g.Cur.CellIn(b, fx, fy, fz), g.CellSize(g.Cur.Level[b])
		liquid[i], open[i] = s.m.Fraction[cell], min(1, s.m.Solids.Volume[cell]/float32(h*h*h))
	}
}

// Put fills a ball from its middle outwards with a volume, m³, or as much as there is room for, of liquid that has a velocity, m/s, and books it. It
// returns what the liquid has grown by, or, if the volume is too little for the cells, how much is needed, roughly.
func (s *Controls) Put(in *shapes.Ball, volume float64, velocity r3.Vec) (took, needed float64) {
	o := s.sources.read(in)
	if o == nil {
		return 0, 0
	}
	if took, needed = o.Fill(volume, 0); took <= 0 {
		return 0, needed
	}
	took = s.sources.keep(took, track.NearestLabel)
	s.sources.noteClaimed(velocity)
	s.volumes.GainAt(o.Place(), took)
	return took, 0
}

// SpreadOver adds a source, m³/s, to those of the rows in a list, by their volumes, and books it with what their components are to hold. It takes
// no more than half of what is there in a step, and returns what it added.
func (s *Controls) SpreadOver(list []int32, rate float64, rows []float64) float64 {
	m := s.m
	total := 0.
	for _, r := range list {
		total += float64(m.Graph.Volume[r])
	}
	if total == 0 {
		return 0
	}
	rate = max(rate, -.5*total/m.Dt)
	for _, r := range list {
		s.sources.draw(rows, r, rate*float64(m.Graph.Volume[r])/total)
	}
	return rate
}

// RowsIn appends the rows in a region that air can follow.
func (s *Controls) RowsIn(dst []int32, in shapes.SDF) []int32 {
	if s.sources.rowsIn(in, 0, true) == 0 {
		return dst
	}
	return append(dst, s.sources.rows...)
}
