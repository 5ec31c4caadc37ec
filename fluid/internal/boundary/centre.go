package boundary

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// keepCentres finds how far the centres of mass of what came of each other have moved as the mesh changed: by that the regions are moved back with the next motion,
// which leaves the angular momenta about any place as they are.
func (f *follower) keepCentres(l *Liquid) {
	was := int32(len(f.old))
	for i := range f.groups {
		f.groups[i].back = r3.Vec{}
	}
	for i := range f.old {
		r, g := &f.old[i], &f.groups[f.sets.Find(int32(i))]
		g.back = r3.Add(g.back, reproducible.Scale(r.body.mass, r3.Sub(r.body.centre, g.centre)))
		g.before += r.body.mass
	}
	for i := range l.regions {
		r, g := &l.regions[i], &f.groups[f.sets.Find(was+int32(i))]
		if !(g.before > 0) {
			continue
		}
		r.back = reproducible.Scale(1/g.before, g.back)
		r.momenta.angular = r3.Sub(r.momenta.angular, reproducible.Cross(r.back, r.momenta.linear))
		r.setMomenta(r.momenta)
		for k, t := range r.faces {
			l.velocity[t] = r.velocity[k]
		}
	}
}

// weigh measures what the region encloses, with the mass of the volume that is kept: what the triangles enclose differs from it until the next motion, and the velocity is not to.
func (r *region) weigh(density float64) {
	b := &r.body
	b.measure(r.at, r.triangles, density)
	if !(r.target > 0 && b.volume > 0) {
		return
	}
	part := r.target / b.volume
	b.density, b.mass = b.density*part, b.mass*part
	for i := range b.tensor {
		b.tensor[i] = reproducible.Scale(part, b.tensor[i])
	}
}
