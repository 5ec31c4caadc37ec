package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// keeping keeps the volume of each connected piece of the mesh. Where pieces have merged their volumes add up, and one that has split shares its own.
//
// What joining, separating and improving the mesh has changed of it in the domain the motion that follows makes good, by one speed along the normals all over the piece. Where nobody knows by
// how much the liquid is to grow that is all: what open sides and solids leave of a piece is no business of the mesh. Where it is known, the motion ends with each piece at its volume: the
// speed makes good as well what the velocity, which is only extrapolated beyond the surface, has changed until then.
//
// Source: Brochu 2006, sections 4.3 and 4.4.
type keeping struct {
	pieces trimesh.Pieces
	free   []bool   // per vertex: it is in the domain
	speed  []r3.Vec // per vertex, m/s
	begun  bool     // there is no speed yet
	keeps  bool     // the volumes of this motion are known: growth,
	growth float64  // m³
}

// mostKept is by how much at most a piece's surface moves in a step to keep its volume, in edges.
const mostKept = .1

// begin measures the pieces before their triangles change, in a motion in which the liquid is to grow by a volume or by nobody knows what. Where labels hold each other up a
// speed all over a piece would push at what doesn't give way: sharing keeps theirs. With tension it would stir drops on plates, whose rims it bends: a drop of three cells in radius goes on at .47 m/s in place of .17.
func (k *keeping) begin(t *Tracker, by *track.Motion) {
	if k.begun = !t.track.Rest; k.begun {
		k.pieces.Box = &t.in.Domain
		k.pieces.Begin(&t.track.Mesh)
	}
	k.speed = k.speed[:0]
	k.keeps, k.growth = k.begun && !math.IsNaN(by.Growth) && !by.Tension && len(t.sharing.labels) < 2, by.Growth
}

// follow finds the pieces when triangles have changed.
func (k *keeping) follow(t *Tracker) {
	mesh := &t.track.Mesh
	k.begun = false
	k.pieces.Follow(mesh)
	k.free = arrays.Resize(k.free, len(mesh.Position))
	for v := range mesh.Position {
		k.free[v] = boxes.Holds(&t.in.Domain, &mesh.Position[v])
	}
}

// restore finds the speeds that give the pieces their volumes back in dt, s.
func (k *keeping) restore(t *Tracker, dt float64) {
	mesh := &t.track.Mesh
	k.follow(t)
	k.speed = arrays.Resize(k.speed, len(mesh.Position))
	copy(mesh.Target, mesh.Position)
	k.pieces.CorrectExactly(mesh, k.free, mostKept*t.lattice.H)
	for v, x := range mesh.Position {
		k.speed[v] = reproducible.Scale(1/dt, r3.Sub(mesh.Target[v], x))
	}
}

// add adds the speeds to the vertices' velocities in a step of dt, s.
func (k *keeping) add(t *Tracker, velocity []r3.Vec, dt float64) {
	switch {
	case k.begun && k.keeps:
		k.follow(t)
	case k.begun:
		k.restore(t, dt)
	}
	for v, u := range k.speed {
		velocity[v] = r3.Add(velocity[v], u)
	}
}

// keepVolumes moves the targets of a motion so that each piece comes to its volume.
func (t *Tracker) keepVolumes() {
	k, mesh := &t.keeping, &t.track.Mesh
	if !k.keeps || len(k.pieces.Of) != len(mesh.Position) {
		return
	}
	k.pieces.MeasureTargets(mesh)
	k.shareGrowth()
	k.pieces.CorrectExactly(mesh, k.free, mostKept*t.lattice.H)
}

// shareGrowth sets what the pieces are to enclose: those of air what the velocity makes of them, and those of liquid what they did, but for what all liquid grows by and what air makes room for or
// takes up. Of that each has its share by what the velocity has changed it by in that direction; if there is none, by its volume.
func (k *keeping) shareGrowth() {
	all := k.pieces.Piece
	rest := k.growth
	for i := range all {
		if p := &all[i]; p.Volume < 0 {
			rest += p.Target - p.Volume
			p.Target = p.Volume
		}
	}
	k.growth = 0 // a motion that was cut short goes on
	changed, held := 0., 0.
	for i := range all {
		if p := &all[i]; p.Volume > 0 {
			held += p.Volume
			changed += max(0, math.Copysign(1, rest)*(p.Volume-p.Target))
		}
	}
	for i := range all {
		p := &all[i]
		switch {
		case !(p.Volume > 0):
		case changed > 0:
			p.Target += rest * max(0, math.Copysign(1, rest)*(p.Volume-p.Target)) / changed
		case held > 0:
			p.Target += rest * p.Volume / held
		}
	}
}
