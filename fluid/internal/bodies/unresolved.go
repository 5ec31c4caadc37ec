package bodies

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A body whose mass lies within about a cell of an axis feels the pressures of single cells when it turns about the axis: a cube of
// one cell would spin for ever, and so would a rod about itself. About such axes the torque of the solve is replaced by
// that of still liquid on the submerged part, with the drag of eddies finer than a cell.

const (
	// unresolved and resolved, in cells, are radii of gyration: up to the first the torque is replaced wholly, from the second on
	// not at all. A cube two and a half cells wide has one cell.
	unresolved, resolved = .5, 1.

	// eddyDrag·spin, 1/s, is the rate at which the spin of a cube as dense as the liquid decays in it: a drag
	// coefficient of about 1 on its faces.
	eddyDrag = 1.5
)

// replaceUnresolvedTorque removes the liquid's torque about unresolved axes from the solve, and adds that of still liquid.
func (u *unsolved) replaceUnresolvedTorque(i int) {
	c := u.c
	s, r, w := &c.state[i], &c.Rigid[i], &c.Graph.Bodies[i]
	if r.InverseMass == 0 || len(w.Row) == 0 {
		return
	}
	part, some := c.ellipsoids[i].unresolvedPart(r.InverseMass, c.edges[i])
	if !some {
		return
	}
	c.slippages.body[i].removeAxes(&part)
	for e := range w.K {
		removePart(&part, w.K[e][3:])
	}
	removePart(&part, w.Still[3:])
	for _, m := range []*[6][6]float64{&w.More, &w.Less, &w.Steps, &w.Rests} {
		for a := range m {
			removePart(&part, m[a][3:])
		}
		transpose(m)
		for a := range m {
			removePart(&part, m[a][3:])
		}
	}
	if s.subgrid { // porousBodies.applyLoad does the rest
		return
	}
	rho, dt := c.now.Density, c.now.Dt
	whole := withContact(r)
	spin := reproducible.Vector([3]float64(whole[3:]))
	torque := reproducible.Scale(-rho, reproducible.Cross(reproducible.Vector(w.Moment), c.accelerations[i])) // of what still liquid presses with, -ρg of the volume
	rate := eddyDrag * reproducible.Norm(spin) * rho * w.Volume * r.InverseMass
	inverse := inverseInertia(r)
	kick := reproducible.Scale(dt, inverse.times(part.times(torque)))
	kick = r3.Sub(kick, reproducible.Scale(rate*dt/(1+float64(rate*dt)), part.times(spin)))
	t := reproducible.Scale(1/dt, rigid.AngularMomentum(&r.InverseInertia, kick))
	for a, x := range reproducible.Array(kick) {
		r.V[3+a] += x
		s.extraWrench[3+a] += reproducible.Array(t)[a]
	}
}

// removePart subtracts the projection of a vector of three by part.
func removePart(part *tensor, v []float64) {
	for a, x := range reproducible.Array(part.times(reproducible.Vector([3]float64(v)))) {
		v[a] -= x
	}
}

// unresolvedPart returns the weighted projection onto the principal axes of a body that cells of edge h don't resolve, and whether
// there are any.
func (e *ellipsoid) unresolvedPart(inverseMass, h float64) (part tensor, some bool) {
	for i, v := range e.values {
		radius := math.Sqrt(inverseMass/v) / h
		share := min(1, (resolved-radius)/(resolved-unresolved))
		if !(v > 0 && share > 0) {
			continue
		}
		some = true
		n := e.axes[i]
		for a, x := range reproducible.Array(n) {
			part[a] = r3.Add(part[a], reproducible.Scale(share*x, n))
		}
	}
	return part, some
}
