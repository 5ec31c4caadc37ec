package bem

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// flatRatio is the height of a triangle over its longest side below which it counts as having no area: its normal would be right to fewer than half of the digits.
const flatRatio = 1e-8

// panel is a triangle that carries a density, with what its integrals need.
type panel struct {
	corner [3]r3.Vec
	out    [3]r3.Vec  // unit vector in the plane, outwards of the side from each corner to the next
	length [3]float64 // of that side
	slope  [3]r3.Vec  // gradient of the function that is 1 at a corner and 0 at the others
	normal r3.Vec     // unit; 0 for a triangle without area
	area   float64    // 0 for a triangle without area
	centre r3.Vec     // centroid
	radius float64    // greatest distance of a corner from the centroid
	second [6]float64 // mean of (y-centre)⊗(y-centre): XX, YY, ZZ, XY, XZ, YZ
}

// newPanel returns the panel of a triangle.
func newPanel(a, b, c r3.Vec) panel {
	p := panel{corner: [3]r3.Vec{a, b, c}}
	ab, ac := r3.Sub(b, a), r3.Sub(c, a)
	p.centre = r3.Add(a, reproducible.Scale(1./3, r3.Add(ab, ac)))
	longest := 0.
	for k := range p.corner {
		p.length[k] = reproducible.Norm(r3.Sub(p.corner[(k+1)%3], p.corner[k]))
		longest = max(longest, p.length[k])
		p.radius = max(p.radius, reproducible.Norm(r3.Sub(p.corner[k], p.centre)))
	}
	vector := reproducible.Cross(ab, ac)
	twice := reproducible.Norm(vector)
	if !(twice > flatRatio*longest*longest) {
		return p
	}
	p.area, p.normal = twice/2, reproducible.Scale(1/twice, vector)
	for k := range p.corner {
		side := r3.Sub(p.corner[(k+1)%3], p.corner[k])
		p.out[k] = reproducible.Scale(1/p.length[k], reproducible.Cross(side, p.normal))
		p.slope[(k+2)%3] = reproducible.Scale(-p.length[k]/twice, p.out[k])
		d := r3.Sub(p.corner[k], p.centre)
		for m, v := range [6]float64{d.X * d.X, d.Y * d.Y, d.Z * d.Z, d.X * d.Y, d.X * d.Z, d.Y * d.Z} {
			p.second[m] += v / 12
		}
	}
	return p
}

// seen is what a point sees of a panel. With r the distance of y from the point:
type seen struct {
	single float64    // ∫ 1/r dy
	angle  float64    // solid angle, ∫ n·(y-x)/r³ dy: positive from behind
	along  r3.Vec     // part of the gradient of single in the plane of the panel; the other is angle·n
	double [3]float64 // ∫ N n·(y-x)/r³ dy for each of the panel's linear functions N: they add up to angle
}

// nearest is the least excess, over the length of a side, of the way by a point over the side itself. It bounds the logarithm of a point on a side, where the integral is infinite
// or has the factor 0.
const nearest = 1e-16

// from returns what a point sees of the panel. A point in the plane of the panel is taken to be behind it.
//
// With the outer normals m of the sides and their potentials L = ∫ 1/r ds, h = m·(y-x) and d = n·(y-x): ∫ 1/r dy = Σ h L - d·angle, since the divergence in the plane of (y-ρ)/(r+|d|), ρ the
// projection of x, is 1/r; and ∫ (y-ρ)/r³ dy = -Σ m L.
//
// Sources: Van Oosterom and Strackee 1983, The solid angle of a plane triangle; Wilton et al. 1984, Potential integrals for uniform and linear source distributions.
func (p *panel) from(x r3.Vec) (s seen) {
	if p.area == 0 {
		return s
	}
	a, b, c := r3.Sub(p.corner[0], x), r3.Sub(p.corner[1], x), r3.Sub(p.corner[2], x)
	d := reproducible.Dot(p.normal, r3.Sub(p.centre, x))
	la, lb, lc := reproducible.Norm(a), reproducible.Norm(b), reproducible.Norm(c)
	s.angle = 2 * angleOf(2*p.area*d,
		float64(la*lb*lc)+float64(reproducible.Dot(a, b)*lc)+float64(reproducible.Dot(b, c)*la)+float64(reproducible.Dot(c, a)*lb))
	s.single = -float64(d * s.angle)
	for k, side := range [3]struct {
		from *r3.Vec
		way  float64
	}{{&a, la + lb}, {&b, lb + lc}, {&c, lc + la}} {
		l := p.length[k]
		least := float64(nearest * l)
		log := logarithm((side.way + l) / max(side.way-l, least))
		s.single += float64(reproducible.Dot(p.out[k], *side.from) * log)
		s.along = r3.Sub(s.along, reproducible.Scale(log, p.out[k]))
	}
	away := r3.Sub(x, p.centre)
	for k := range s.double {
		s.double[k] = float64((1./3+reproducible.Dot(p.slope[k], away))*s.angle) + float64(d*reproducible.Dot(p.slope[k], s.along))
	}
	return s
}

// self returns ∫∫ 1/r over both points in the panel.
//
// Source: Eibert and Hansen 1995, On the calculation of potential integrals for linear source distributions on triangular domains.
func (p *panel) self() float64 {
	whole := p.length[0] + p.length[1] + p.length[2]
	sum := 0.
	for _, l := range p.length {
		if rest := whole - l - l; l > 0 && rest > 0 {
			sum -= float64(math.Ln2*reproducible.Log2(rest/whole)) / l
		}
	}
	return float64(4./3*p.area*p.area) * sum
}
