package fv

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Sample writes what there is at points.
func (s *Solver) Sample(dst []query.Sample, at []r3.Vec, acceleration func(x r3.Vec) r3.Vec) {
	s.Reader.Sample(dst, at, acceleration)
}

// Cast writes the first hit of each ray.
func (s *Solver) Cast(rays []query.Ray, hits []query.Hit) { s.Reader.Cast(rays, hits) }

// VolumeIn is how much liquid is in a shape, and how much of the shape solids leave open.
func (s *Solver) VolumeIn(shape shapes.SDF, solids []query.Solid) (liquid, open float64) {
	return s.Reader.VolumeIn(shape, solids)
}

// WetIn tells whether there may be liquid in a box.
func (s *Solver) WetIn(b r3.Box) bool { return s.Reader.WetIn(b) }

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
	s.Coder.CodeVolumes(c)
	s.Coder.CodeSurvey(c)
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
