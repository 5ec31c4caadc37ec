package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/ripples"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// rippleFilter are the velocities with which ripples that the cells can't see go.
type rippleFilter struct {
	fairing  ripples.Fairing
	height   []float64
	velocity []r3.Vec // per vertex
}

// flattenRipples adds to the velocities of all vertices what takes ripples away that are too short for the cells. at are the vertices, or, after a call with
// these, where they would come.
func (t *Tracker) flattenRipples(velocity, at []r3.Vec, dt float64) {
	r, mesh := &t.ripples, &t.track.Mesh
	if t.detail <= 1 || len(at) == 0 || len(at) != len(mesh.Position) {
		return
	}
	if &at[0] == &mesh.Position[0] {
		r.find(t, dt)
	}
	if len(r.velocity) != len(velocity) {
		return
	}
	for v, u := range r.velocity {
		velocity[v] = r3.Add(velocity[v], u)
	}
}

func (r *rippleFilter) find(t *Tracker, dt float64) {
	mesh := &t.track.Mesh
	n := len(mesh.Position)
	r.height, r.velocity = arrays.Resize(r.height, n), arrays.Resize(r.velocity, n)
	share := ripples.Share(t.gravity, t.in.CellSize, dt)
	if share == 0 {
		clear(r.velocity)
		return
	}
	r.fairing.Passes = ripples.PassesFor(int(t.detail))
	r.fairing.Ripples(r.height, t.in.Pool, mesh.Position, mesh.Triangle)
	for v, h := range r.height {
		if !boxes.Contains(t.in.Domain, mesh.Position[v]) {
			h = 0 // towards the rim where the mesh ends
		}
		r.velocity[v] = reproducible.Scale(-share*h/dt, r.fairing.Normal[v])
	}
}
