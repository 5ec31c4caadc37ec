package boundary

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// FaceVelocities are the velocities of the faces, m/s, by their numbers in the mesh, until the next change.
func (l *Liquid) FaceVelocities() []r3.Vec { return l.velocity }

// PieceOf is the number among Pieces of the piece that a face belongs to.
func (l *Liquid) PieceOf(face int32) int {
	return int(l.motion.numbering.region[l.volumes.Of[l.Tracker.Mesh.Triangle[face][0]]])
}

// SetVelocities gives the faces velocities, m/s, by their numbers, and the pieces the momenta that these have. It returns ErrNotFinite, and then changes nothing.
func (l *Liquid) SetVelocities(u []r3.Vec) error {
	return l.setVelocities(u, func(_ int, r *region) momenta { return r.momentaOf(r.velocity) })
}

// Push is SetVelocities, but that the pieces, by their numbers, get momenta added to those that they have: linear, N·s, and angular about their centres of mass, N·m·s. The velocities get the
// rigid motion that they lack for that.
func (l *Liquid) Push(u, linear, angular []r3.Vec) error {
	return l.setVelocities(u, func(i int, r *region) momenta {
		return momenta{r3.Add(r.momenta.linear, linear[i]), r3.Add(r.momenta.angular, angular[i])}
	})
}

func (l *Liquid) setVelocities(u []r3.Vec, want func(i int, r *region) momenta) error {
	if len(u) != len(l.velocity) {
		panic(fmt.Sprintf("boundary: %d velocities for %d faces", len(u), len(l.velocity)))
	}
	if err := finite("a velocity", u); err != nil {
		return err
	}
	for i := range l.regions {
		r := &l.regions[i]
		for k, f := range r.faces {
			r.velocity[k] = u[f]
		}
		r.momenta = want(i, r)
		r.wanted = r.momenta
		r.setMomenta(r.momenta)
		for k, f := range r.faces {
			l.velocity[f] = r.velocity[k]
		}
	}
	return nil
}

// SetMaterial makes the liquid another one. Its velocities stay, and its momenta follow the density.
func (l *Liquid) SetMaterial(m Material) {
	part := m.Density / l.Density
	l.Material = m
	if !(part > 0) || part == 1 {
		return
	}
	for i := range l.regions {
		r := &l.regions[i]
		r.momenta = momenta{reproducible.Scale(part, r.momenta.linear), reproducible.Scale(part, r.momenta.angular)}
		r.wanted = r.momenta
		r.weigh(m.Density)
	}
}

// MaxSpeed is that of the fastest face, m/s.
func (l *Liquid) MaxSpeed() float64 {
	most := 0.
	for _, u := range l.velocity {
		most = max(most, reproducible.Norm(u))
	}
	return most
}
