package fv

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Sample writes what there is at points. Without a Reader that is the velocity, and where the surface is: pressures are 0.
func (s *Solver) Sample(dst []query.Sample, at []r3.Vec, acceleration func(x r3.Vec) r3.Vec) {
	if s.Reader != nil {
		s.Reader.Sample(dst, at, acceleration)
		return
	}
	distance, velocity := make([]float32, len(at)), make([]r3.Vec, len(at))
	s.Tracker.Distance(distance, at)
	s.Cells.Velocity(velocity, at)
	for i, d := range distance {
		dst[i] = query.Sample{Inside: d < 0, Height: -float64(d), Velocity: velocity[i]}
	}
}

// Cast writes the first hit of each ray. Without a Reader there are none.
func (s *Solver) Cast(rays []query.Ray, hits []query.Hit) {
	if s.Reader == nil {
		clear(hits)
		return
	}
	s.Reader.Cast(rays, hits)
}

// VolumeIn is how much liquid is in a shape, and how much of the shape solids leave open; without a Reader 0.
func (s *Solver) VolumeIn(shape shapes.SDF, solids []query.Solid) (liquid, open float64) {
	if s.Reader == nil {
		return 0, 0
	}
	return s.Reader.VolumeIn(shape, solids)
}

// WetIn tells whether there may be liquid in a box.
func (s *Solver) WetIn(b r3.Box) bool { return s.Reader == nil || s.Reader.WetIn(b) }

// nearWet tells whether there may be liquid in or beside a box.
func (s *Solver) nearWet(b r3.Box) bool { return s.Reader == nil || s.Reader.NearWet(b) }

// sleepsIn tells whether some of the liquid near a box sleeps.
func (s *Solver) sleepsIn(b r3.Box) bool { return s.Parts != nil && s.Parts.SleepsIn(b) }

// Code goes along the state of the mesh, the surface and the fields on them.
func (s *Solver) Code(c *codec.Codec) {
	s.Coder.Code(c)
	if c.Reading() {
		s.Coder.Resume()
		s.rereadSolids()
		s.resurvey()
	}
}

// CodeMeasured goes along volumes and survey.
func (s *Solver) CodeMeasured(c *codec.Codec) {
	s.Coder.CodeMeasured(c)
}

// Most is more bytes than the state takes.
func (s *Solver) Most() int { return s.Coder.Most() }

// Surface is the surface's triangles: new ones, or the last ones moved on.
func (s *Solver) Surface(ahead float32) query.Triangles {
	if ahead > 0 {
		return s.Tracker.ExtrapolateMesh(ahead)
	}
	return s.Tracker.ExtractMesh()
}
