package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/exact"
)

// A speck is a body that lies within a cell: the grid doesn't see it. It takes no part in the solve, and the liquid takes no
// notice of it. It is carried by what still liquid weighs as much as the part of it under the surface, and dragged along.

const (
	// speckSize, in cells, is the radius of gyration about every axis below which a body is a speck: that of a cube of .95 and
	// of a ball of 1.2. From there on they cover a face wherever they are; of balls of one cell, six in sixteen fell through the water.
	speckSize = .39

	// speckDrag is the drag coefficient on the face of a cube, and speckMass the added mass in terms of the liquid that it
	// displaces.
	speckDrag, speckMass = .8, .5

	// speckLead, s, is how far ahead of a speck its buoyancy is taken: what the waves that it makes, which the grid doesn't see,
	// take from its bobbing.
	speckLead = .002

	speckEdge   = 4 // points along an edge of the bounds at which it is sampled
	speckPoints = speckEdge * speckEdge * speckEdge
)

// soaked is how much of a speck is under the surface.
type soaked struct {
	under, whole float64 // m³
	area         float64 // of what is under, m²
}

// findSpeck tells whether body i is a speck, and if so carries it.
func (l *Liquid) findSpeck(i int) {
	s := &l.coupling.state[i]
	if r := &l.coupling.rigid[i]; r.InverseMass > 0 { // else it stays what it was
		l.coupling.ellipsoids[i] = principal(inverseInertia(r))
		s.speck, s.aside = l.isSpeck(i), [6]float64{}
	}
	if s.speck && s.ok {
		l.carrySpeck(i)
	}
}

// isSpeck tells whether a body that something can move is one.
func (l *Liquid) isSpeck(i int) bool {
	r := &l.coupling.rigid[i]
	size := speckSize * l.cellAt(l.coupling.solid[i].Centre)
	least := r.InverseMass / (size * size) // of the inverse moments of inertia
	values := &l.coupling.ellipsoids[i].values
	return min(values[0], values[1], values[2]) > least
}

// carrySpeck takes a speck out of the grid and gives it its velocity, and the wrench that makes it.
func (l *Liquid) carrySpeck(i int) {
	s, r, solid := &l.coupling.state[i], &l.coupling.rigid[i], &l.coupling.solid[i]
	p := l.grid.ToPoint(solid.Centre.X, solid.Centre.Y, solid.Centre.Z)
	ahead := float64(speckLead * exact.Dot(l.up(), toVec([3]float64(s.before[:3]))))
	s.soaked = l.soak(i, float64(l.set.Tiles.At(p))+ahead)
	solid.Bounds = r3.Box{Min: far, Max: far}

	liquid := l.def.Density * s.soaked.under
	carried := exact.Scale(-liquid, l.def.Gravity)
	s.aside = twist(carried, r3.Vec{})
	if r.InverseMass == 0 { // asleep
		return
	}
	mass, added := 1/r.InverseMass, float64(speckMass*liquid)
	x, y, z := l.vel.At(p)
	u := r3.Vec{X: float64(x), Y: float64(y), Z: float64(z)}
	whole := withContact(r)
	before, wanted := toVec([3]float64(s.before[:3])), toVec([3]float64(whole[:3]))
	dt := l.step.dt

	// The added mass resists what changes the velocity, the drag what differs from the liquid's; both implicitly.
	v := r3.Add(before, exact.Scale(1/(mass+added), r3.Add(exact.Scale(mass, r3.Sub(wanted, before)), exact.Scale(dt, carried))))
	side := exact.Cbrt(s.soaked.under)
	rate := dt * speckDrag * l.def.Density * side * side / 2 * exact.Norm(r3.Sub(v, u)) / (mass + added)
	v = r3.Sub(v, exact.Scale(rate/(1+rate), r3.Sub(v, u)))

	spin := toVec([3]float64(whole[3:]))
	turn := dt * eddyDrag * exact.Norm(spin) * liquid / mass
	w := exact.Scale(1/(1+turn), spin)
	force := exact.Scale(mass/dt, r3.Sub(v, wanted))
	torque := inertiaTimes(&r.InverseInertia, exact.Scale(1/dt, r3.Sub(w, spin)))
	for d, x := range twist(v, w) {
		r.V[d] += x - whole[d]
	}
	s.aside = twist(force, torque)
}

// soak measures a speck where the liquid's distance at its centre is phi, m, and the surface level.
func (l *Liquid) soak(i int, phi float64) (s soaked) {
	solid, up := &l.coupling.solid[i], l.up()
	pts, dist := &l.coupling.pts, &l.coupling.dist
	size := solid.Bounds.Size()
	for c := range pts {
		x, y, z := c%speckEdge, c/speckEdge%speckEdge, c/(speckEdge*speckEdge)
		at := r3.Vec{X: size.X * (float64(x) + .5), Y: size.Y * (float64(y) + .5), Z: size.Z * (float64(z) + .5)}
		pts[c] = r3.Add(solid.Bounds.Min, exact.Scale(1./speckEdge, at))
	}
	l.coupling.evals[i](dist[:], pts[:])
	cell := size.X * size.Y * size.Z / float64(len(pts))
	wide := exact.Cbrt(cell)
	within := func(distance float64) float64 { return max(0, min(1, .5-distance/wide)) }
	for c, d := range *dist {
		part := float64(cell * within(float64(d)))
		s.whole += part
		s.under += float64(part * within(phi+exact.Dot(up, r3.Sub(pts[c], solid.Centre))))
	}
	side := exact.Cbrt(s.under)
	s.area = 6 * side * side
	return s
}
