package mesh

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Shaper makes closed meshes of shapes, and adds shapes to meshes and takes them away, for liquid without cells.
type Shaper struct {
	// Mesh is what is changed. Between two calls it may be any closed mesh, all of label 0.
	Mesh *trimesh.Mesh
	t    *Tracker
}

// errShape says that the mesh could not be changed as asked for.
var errShape = errors.New("the surface can't be made so; move the shape a little")

// NewShaper makes a shaper for shapes that are in a box, m, with edges of a length, m.
func NewShaper(box r3.Box, edge float64, pool *par.Pool) *Shaper {
	box = boxes.Grown(box, 4*edge)
	size := r3.Sub(box.Max, box.Min)
	t := New(track.Surroundings{
		Domain: box, CellSize: edge, Pool: pool, Tiles: boxes.Tiles{Origin: reproducible.Array(box.Min), Edge: max(size.X, size.Y, size.Z), Dim: [3]int{1, 1, 1}},
		Edges: func(dst []float64, at []r3.Vec) {
			for i := range at {
				dst[i] = edge
			}
		},
	}, 1, math.Inf(1), false)
	return &Shaper{&t.track.Mesh, t}
}

// Union adds a shape that is within the box. The mesh then encloses what it did and what the shape does, as far as edges tell. After an error it is as it was.
func (s *Shaper) Union(shape shapes.SDF) error { return s.change(shape, s.t.rebuild.Union, 1) }

// Subtract takes a shape away. After an error the mesh is as it was.
func (s *Shaper) Subtract(shape shapes.SDF) error { return s.change(shape, s.t.rebuild.Subtract, -1) }

func (s *Shaper) change(shape shapes.SDF, how combination, sign float64) error {
	if !s.t.combine(shape, how, 0, sign, s.t.gain) {
		return errShape
	}
	s.t.improveBy(s.t.track.Improver.Improve)
	s.Mesh.Compact()
	return nil
}
