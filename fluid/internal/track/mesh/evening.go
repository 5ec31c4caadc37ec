package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// evening takes the roughness away that tension can't: curvatures are fitted to what is within some cells, and see no waves of two edges, so that nothing pulls single vertices back which currents that
// are no wave's either have carried off.
type evening struct {
	on        bool
	roughness trimesh.Roughness
	velocity  []r3.Vec // per vertex, m/s
}

// evened is what part of the roughness goes in a substep: so little that what longer waves have of it, .7 % at eight edges, doesn't damp them.
const evened = .02

// evenOut adds to the velocities of all vertices what takes roughness away. at are the vertices, or, after a call with these, where they would come.
func (t *Tracker) evenOut(velocity, at []r3.Vec, dt float64) {
	s, mesh := &t.evening, &t.track.Mesh
	if !s.on || len(at) == 0 || len(at) != len(mesh.Position) {
		return
	}
	if &at[0] == &mesh.Position[0] {
		s.velocity = arrays.Resize(s.velocity, len(at))
		s.roughness.Find(t.in.Pool, mesh)
		for v, off := range s.roughness.Offset {
			if !boxes.Holds(&t.in.Domain, &at[v]) {
				off = 0
			}
			s.velocity[v] = reproducible.Scale(float64(evened*off)/dt, s.roughness.Normal[v])
		}
	}
	for v, u := range s.velocity {
		velocity[v] = r3.Add(velocity[v], u)
	}
}
