package physics

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// frictionMatrix is the inverse effective mass along the two tangents of a point of contact: the symmetric matrix
// K = [a c; c b], 1/kg, from impulse to change of velocity, and K⁻¹ = [p r; r q]. The off-diagonal c couples the
// tangents of bodies that are not round.
type frictionMatrix struct{ a, b, c, p, q, r float64 }

// set computes the matrix for bodies a and b along t1 and t2. It is zero if impulses along them move nothing.
func (g *frictionMatrix) set(a, b *body, t1, t2 *jacobian) {
	*g = frictionMatrix{}
	if t1.mass > 0 {
		g.a = 1 / t1.mass
	}
	if t2.mass > 0 {
		g.b = 1 / t2.mass
	}
	if g.a+g.b == 0 {
		return
	}
	g.c = reproducible.Dot(t1.n, mulElem(r3.Add(a.mobility, b.mobility), t2.n)) + reproducible.Dot(t1.cA, t2.iA) + reproducible.Dot(t1.cB, t2.iB)
	// Locks can leave a single direction of motion. This makes the matrix regular, with an effect below notice.
	least := float64(1e-9 * (g.a + g.b))
	g.a, g.b = g.a+least, g.b+least
	d := 1 / det(g.a, g.c, g.c, g.b)
	g.p, g.q, g.r = d*g.b, d*g.a, -d*g.c
}

// stoppingImpulse is the friction impulse that stops the point. f1 and f2 are the impulse so far, v1 and v2 the velocity that it left.
func (g *frictionMatrix) stoppingImpulse(f1, f2, v1, v2 float64) (float64, float64) {
	return f1 - (float64(g.p*v1) + float64(g.r*v2)), f2 - (float64(g.r*v1) + float64(g.q*v2))
}

// maxNewtonSteps bounds Newton's method in slidingImpulse. Long thin bodies take twelve steps.
const maxNewtonSteps = 12

// slidingImpulse is the friction impulse of size most, where less does not stop the point. The velocity that it leaves is v + K(g - f) = -s g with s > 0, so
// that g = (K + s)⁻¹(K f - v): a trust-region problem. Newton's method for s on 1/|g| - 1/most converges from below, to
// a billionth in two to five steps in most cases. Source: Moré and Sorensen 1983, "Computing a Trust Region Step", §3.
func (g *frictionMatrix) slidingImpulse(f1, f2, v1, v2, most float64) (float64, float64) {
	if most <= 0 {
		return 0, 0
	}
	a, b, c := g.a, g.b, g.c
	x, y := float64(a*f1)+float64(c*f2)-v1, float64(c*f1)+float64(b*f2)-v2
	if s := hypot(x, y)/most - (a + b); s > 0 { // |g| ≥ |K f - v|/(a + b + s)
		a, b = a+s, b+s
	}
	for turn := 0; ; turn++ {
		d := 1 / det(a, c, c, b)
		g1, g2 := d*det(b, c, y, x), d*det(a, c, x, y)
		l := hypot(g1, g2)
		if turn == maxNewtonSteps || l <= (1+1e-9)*most {
			return most / l * g1, most / l * g2
		}
		curve := float64(g1*det(b, c, g2, g1)) + float64(g2*det(a, c, g1, g2))
		s := l * l * (l - most) / (d * curve * most)
		a, b = a+s, b+s
	}
}
