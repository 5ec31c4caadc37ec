package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
)

// improving is a way to improve a mesh: see trimesh.Improver.
type improving = func(m *trimesh.Mesh, length func(dst []float64, at []r3.Vec)) trimesh.ImproveReport

// improveRebuilt makes the triangles better where the surface has been made anew since they were improved, which leaves needles at the seams.
func (t *Tracker) improveRebuilt() { t.improveBy(t.track.Improver.ImproveChanged) }

// improveBy makes the triangles better in some way, and gives each piece the volume back that this has changed.
func (t *Tracker) improveBy(improve improving) {
	mesh, k := &t.track.Mesh, &t.keeping
	t.rebuilt = false
	k.pieces.Box = &t.in.Domain
	k.pieces.Begin(mesh)
	improve(mesh, t.lengths)
	k.restore(t, 1)
	t.track.Mover.Move(mesh, 1)
}
