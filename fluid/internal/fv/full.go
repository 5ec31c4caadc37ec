package fv

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// full is the Tracker of a domain that is full: it has no surface.
type full struct{}

func (full) Advance(float64)                         {}
func (full) Complete()                               {}
func (full) Report() query.SurfaceReport             { return query.SurfaceReport{} }
func (full) ClearMoving()                            {}
func (full) MarkMoving(r3.Box)                       {}
func (full) SetDetailInterval(int)                   {}
func (full) ExtractMesh() query.Triangles            { return query.Triangles{} }
func (full) ExtrapolateMesh(float32) query.Triangles { return query.Triangles{} }

// Distance is that of liquid without end.
func (full) Distance(dst []float32, at []r3.Vec) {
	for i := range at {
		dst[i] = -math.MaxFloat32
	}
}
