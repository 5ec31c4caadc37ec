package physics

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// separatingSpeed, m/s, is the speed from which on a loaded point counts as separating.
	separatingSpeed = 0.02
	// stickShare is the share of Coulomb's limit up to which a point counts as sticking.
	stickShare = 0.99
)

// EachContact visits the points at which bodies a and b, of which one is awake, pressed on each other in the last Step
// and do not part: their present place, m, the unit normal from a to b, the force along it, N, in the last substep, and the
// coefficient of friction if friction held them, 0 if they slid. Points of one contact follow on each other. visit must not change the
// world. World.Contacts has those of sleeping bodies too, by shapes.
func (c *Coupling) EachContact(visit func(a, b int, at, normal r3.Vec, force, friction float64)) {
	w := (*World)(c)
	for _, pair := range w.pairs {
		c := &w.contacts[pair.contact]
		if c.sensor || !c.touching || !w.canMove(c.bodyA) && !w.canMove(c.bodyB) {
			continue
		}
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		for i := range c.points[:c.n] {
			p := &c.points[i]
			if p.peak > 0 && reproducible.Dot(p.normal, r3.Sub(b.velocityAt(p.pos), a.velocityAt(p.pos))) < separatingSpeed {
				friction := c.friction
				if c.surfaceVelocity != (r3.Vec{}) || reproducible.Norm(p.friction) > stickShare*c.friction*p.force {
					friction = 0
				}
				visit(int(a.index), int(b.index), p.pos, p.normal, p.force, friction)
			}
		}
	}
}

// moved returns the place at the end of the step of a point of contact of bodies a and b at its start. The point moves with the centre of a
// round surface, otherwise with the moving body, or with the mean of two moving bodies.
func (p *point) moved(a, b *body) r3.Vec {
	onA, onB := a.carried(p.pos, p.roundA > 0), b.carried(p.pos, p.roundB > 0)
	share := .5 // of B's
	switch {
	case p.roundA > 0 && p.roundB > 0:
		share = p.roundA / (p.roundA + p.roundB) // the smaller of two balls has the larger share
	case p.roundA > 0 || p.roundB == 0 && b.kind == Static:
		share = 0
	case p.roundB > 0 || a.kind == Static:
		share = 1
	}
	return r3.Add(onA, reproducible.Scale(share, r3.Sub(onB, onA)))
}

// carried returns the place at the end of the step of a point on the body at its start. A point on a round surface is not turned
// with the body.
func (b *body) carried(x r3.Vec, round bool) r3.Vec {
	if round || b.kind == Static {
		return r3.Add(x, b.dx)
	}
	return r3.Add(r3.Add(b.startX, b.dx), rotate(b.dq, r3.Sub(x, b.startX)))
}

// velocityAt is the velocity of the body's material at the world point p, m/s.
func (b *body) velocityAt(p r3.Vec) r3.Vec {
	return r3.Add(b.v, reproducible.Cross(b.w, r3.Sub(p, b.x)))
}
