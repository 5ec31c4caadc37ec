package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// keeping keeps the volume of each connected piece of the mesh while it is joined, separated and improved: what that has changed of it in the domain the motion that follows makes good, by
// one speed along the normals all over the piece. Where pieces have merged their volumes add up, and one that has split shares its own.
//
// Source: Brochu 2006, sections 4.3 and 4.4.
type keeping struct {
	pieces trimesh.Pieces
	free   []bool   // per vertex: it is in the domain
	speed  []r3.Vec // per vertex, m/s
	begun  bool     // there is no speed yet
}

// mostKept is by how much at most a piece's surface moves in a step to keep its volume, in edges.
const mostKept = .1

// begin measures the pieces before their triangles change.
func (k *keeping) begin(t *Tracker) {
	if k.begun = !t.track.Rest; k.begun {
		k.pieces.Box = &t.in.Domain
		k.pieces.Begin(&t.track.Mesh)
	}
	k.speed = k.speed[:0]
}

// follow finds, when triangles have changed, the speeds that give the pieces their volumes back in dt, s.
func (k *keeping) follow(t *Tracker, dt float64) {
	mesh := &t.track.Mesh
	k.begun = false
	k.pieces.Follow(mesh)
	k.free, k.speed = arrays.Resize(k.free, len(mesh.Position)), arrays.Resize(k.speed, len(mesh.Position))
	for v := range mesh.Position {
		k.free[v] = boxes.Holds(&t.in.Domain, &mesh.Position[v])
	}
	copy(mesh.Target, mesh.Position)
	k.pieces.CorrectExactly(mesh, k.free, mostKept*t.lattice.H)
	for v, x := range mesh.Position {
		k.speed[v] = reproducible.Scale(1/dt, r3.Sub(mesh.Target[v], x))
	}
}

// add adds the speeds to the vertices' velocities in a step of dt, s.
func (k *keeping) add(t *Tracker, velocity []r3.Vec, dt float64) {
	if k.begun {
		k.follow(t, dt)
	}
	for v, u := range k.speed {
		velocity[v] = r3.Add(velocity[v], u)
	}
}
