package predicates

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// contactDistance is how near two simplices are that are said to meet, in parts of the size of the pair: the largest component of a difference of a point of
// the one and a point of the other, before or after. It is above all roundings here and below anything that a simulation can tell from 0.
const contactDistance = 0x1p-40

// pairError bounds the errors of a product of a direction and a difference, in parts of the largest components of both: three products of a difference
// that is off by 4 half, as it is interpolated between two that are off by one; each product and each sum is rounded. That is 3·5 + 2·3 half; the rest is for
// the sum of two of them.
const pairError = 32 * half

// volumeError bounds the errors of the determinant of three differences, in parts of the product of their largest components: six products, each off by 3·4+2
// half, and sums of up to six of them: 6·14 + 3·6 half; as much again is more than a weighted sum of three of them adds.
const volumeError = 256 * half

// leastBound is below any bound that counts: products that are lost below 2⁻¹⁰²² are smaller by far.
const leastBound = 0x1p-900

// Proofs are sought for at most mostIntervals parts of a motion, none shorter than shortest.
const (
	mostIntervals = 2000
	shortest      = 0x1p-44
)

// pair is two simplices in relative motion, as the differences of each point of the first and each of the second. They meet when 0 is in the triangle, or parallelogram, of those.
type pair struct {
	from, to  [4]r3.Vec
	n         int     // 3: a vertex less a triangle's a, b, c; 4: p-a, p-b, q-a, q-b of two edges
	size      float64 // the largest component
	intervals int     // how many have been looked at
}

// moment is how a pair is at a time.
type moment struct {
	time     float64
	x        [4]r3.Vec
	w, u, v  float64 // where it is nearest: weights of a, b and c; or, u and v, places on p-q and a-b
	nearest  r3.Vec  // from the place on the second to that on the first
	distance float64
}

// VertexTriangle tells whether a vertex meets a triangle at some time of their motion, and where it does first. It never says no where they do, touch included.
//
// It may say yes where they pass each other without contact: at a distance below 2⁻⁴⁰ of the pair's size, the largest difference of coordinates of the vertex
// and a corner; and, where all four points move in one plane, or the triangle has next to no area (for EdgeEdge: the edges are parallel) as they come together, below 2⁻²⁶ of it, as far
// as tests have found: there proofs are given up after mostIntervals. Coordinates are below 2¹⁰⁰⁰; beyond it may say yes to anything.
//
// Of several contacts it is the first that is found in float64: one that a rounding could undo can be passed over for the next. The normal is that of the
// triangle (or across both edges), on the side that the vertex comes from; where they move along their common plane, it is against the velocity.
func VertexTriangle(x, a, b, c *Motion) (hit Contact, meet bool) {
	if separate(x, x, a, b, c) {
		return hit, false
	}
	p := pair{n: 3}
	for i, y := range [3]*Motion{a, b, c} {
		p.from[i], p.to[i] = r3.Sub(x[0], y[0]), r3.Sub(x[1], y[1])
	}
	return p.collide()
}

// EdgeEdge tells whether the edges p-q and a-b meet at some time of their motion, and where they do first, as VertexTriangle does.
func EdgeEdge(p, q, a, b *Motion) (hit Contact, meet bool) {
	if separate(p, q, a, b, b) {
		return hit, false
	}
	d := pair{n: 4}
	for i, y := range [2]*Motion{a, b} {
		d.from[i], d.to[i] = r3.Sub(p[0], y[0]), r3.Sub(p[1], y[1])
		d.from[2+i], d.to[2+i] = r3.Sub(q[0], y[0]), r3.Sub(q[1], y[1])
	}
	return d.collide()
}

// separate tells whether the points p, q stay on one side of a, b and c along an axis, at the beginning and at the end, and therefore always.
func separate(p, q, a, b, c *Motion) bool {
	below := func(p, q, a, b, c float64) int {
		switch {
		case max(p, q) < min(a, b, c):
			return 1
		case min(p, q) > max(a, b, c):
			return 2
		}
		return 0
	}
	return below(p[0].X, q[0].X, a[0].X, b[0].X, c[0].X)&below(p[1].X, q[1].X, a[1].X, b[1].X, c[1].X) != 0 ||
		below(p[0].Y, q[0].Y, a[0].Y, b[0].Y, c[0].Y)&below(p[1].Y, q[1].Y, a[1].Y, b[1].Y, c[1].Y) != 0 ||
		below(p[0].Z, q[0].Z, a[0].Z, b[0].Z, c[0].Z)&below(p[1].Z, q[1].Z, a[1].Z, b[1].Z, c[1].Z) != 0
}

// collide decides a pair whose boxes do not.
func (p *pair) collide() (hit Contact, meet bool) {
	p.scale()
	if p.beside(p.across(&p.from)) {
		return hit, false
	}
	volume := p.volume(&p.from, &p.to)
	if p.solid(&volume) {
		return hit, false
	}
	var begin, end moment
	p.at(&begin, 0)
	p.at(&end, 1)
	if begin.distance <= contactDistance*p.size {
		return p.contact(&begin), true
	}
	if p.apart(&begin, &end) {
		return hit, false
	}
	var m moment
	var roots [6]float64
	for _, t := range zeros(roots[:0], &volume, p.volumeBound()) {
		if p.at(&m, t); m.distance <= contactDistance*p.size {
			return p.contact(&m), true
		}
	}
	if p.search(&begin, &end, &m) {
		return p.contact(&m), true
	}
	return hit, false
}

// scale finds the size, and brings it near to 1, by a power of two, where products could leave the range of exponents.
func (p *pair) scale() {
	p.size = math.Max(largest(p.from[:p.n]), largest(p.to[:p.n]))
	if p.size > 0x1p-200 && p.size < 0x1p200 || p.size == 0 || math.IsInf(p.size, 0) {
		return
	}
	_, e := math.Frexp(p.size)
	by := math.Ldexp(1, min(-e, 1023))
	for i := range p.n {
		p.from[i], p.to[i] = reproducible.Scale(by, p.from[i]), reproducible.Scale(by, p.to[i])
	}
	p.size = float64(p.size * by)
}

func largest(x []r3.Vec) (l float64) {
	for i := range x {
		l = max(l, math.Abs(x[i].X), math.Abs(x[i].Y), math.Abs(x[i].Z))
	}
	return l
}

// across is normal to the triangle or the edges at a time.
func (p *pair) across(x *[4]r3.Vec) r3.Vec {
	return geom.TwiceArea(x[0], x[1], x[2])
}

// beside tells whether all differences are on one side of the plane across d at the beginning and at the end. As they move along straight lines, they are so always.
func (p *pair) beside(d r3.Vec) bool {
	bound := float64(largest([]r3.Vec{d}) * float64(pairError*p.size))
	first := reproducible.Dot(d, p.from[0])
	if first < 0 {
		d, first = reproducible.Scale(-1, d), -first
	}
	if !(first > bound && bound > leastBound) {
		return false
	}
	for i := range p.n {
		if !(reproducible.Dot(d, p.from[i]) > bound && reproducible.Dot(d, p.to[i]) > bound) {
			return false
		}
	}
	return true
}

// at makes the moment of a time.
func (p *pair) at(m *moment, t float64) {
	m.time = t
	for i := range p.n {
		m.x[i] = geom.Lerp(t, &p.from[i], &p.to[i])
	}
	x := &m.x
	if p.n == 3 {
		m.w, m.u, m.v = geom.Nearest(r3.Vec{}, x[0], x[1], x[2])
		m.nearest = r3.Add(r3.Add(reproducible.Scale(m.w, x[0]), reproducible.Scale(m.u, x[1])), reproducible.Scale(m.v, x[2]))
	} else {
		// The first edge less b's end is x[1] to x[3]; the second is seen from p.
		m.u, m.v = geom.NearestOnSegments(x[0], x[2], r3.Vec{}, r3.Sub(x[0], x[1]))
		low, high := geom.Lerp(m.v, &x[0], &x[1]), geom.Lerp(m.v, &x[2], &x[3])
		m.nearest = geom.Lerp(m.u, &low, &high)
	}
	m.distance = reproducible.Norm(m.nearest)
	if m.distance < near*p.size {
		p.refine(m)
	}
}

// apart tells whether a direction is found that separates the pair from one moment to another. The direction goes linearly from that of the nearest points of
// the first to that of the second, so that its products with the differences are
// polynomials of degree 2; they are positive if their three coefficients in Bernstein's basis are.
func (p *pair) apart(a, b *moment) bool {
	bound := float64(math.Max(largest([]r3.Vec{a.nearest}), largest([]r3.Vec{b.nearest})) * float64(pairError*p.size))
	if !(bound > leastBound) {
		return false
	}
	for i := range p.n {
		if !(reproducible.Dot(a.nearest, a.x[i]) > bound && reproducible.Dot(b.nearest, b.x[i]) > bound &&
			reproducible.Dot(a.nearest, b.x[i])+reproducible.Dot(b.nearest, a.x[i]) > 2*bound) {
			return false
		}
	}
	return true
}

// cubic is a polynomial of degree 3 on the times from 0 to 1, in Bernstein's basis.
type cubic [4]float64

// volume is the determinant of the first three differences between two moments: 0 when the pair is in one plane.
func (p *pair) volume(a, b *[4]r3.Vec) (c cubic) {
	// The product across of each two, at two times.
	ab, bc, ca := reproducible.Cross(a[0], a[1]), reproducible.Cross(a[1], a[2]), reproducible.Cross(a[2], a[0])
	de, ef, fd := reproducible.Cross(b[0], b[1]), reproducible.Cross(b[1], b[2]), reproducible.Cross(b[2], b[0])
	c[0] = reproducible.Dot(ab, a[2])
	c[1] = (reproducible.Dot(bc, b[0]) + reproducible.Dot(ca, b[1]) + reproducible.Dot(ab, b[2])) / 3
	c[2] = (reproducible.Dot(ef, a[0]) + reproducible.Dot(fd, a[1]) + reproducible.Dot(de, a[2])) / 3
	c[3] = reproducible.Dot(de, b[2])
	return c
}

// volumeBound is the error of the coefficients of volume.
func (p *pair) volumeBound() float64 {
	bound := volumeError
	for i := range 3 {
		bound = float64(bound * math.Max(largest(p.from[i:i+1]), largest(p.to[i:i+1])))
	}
	return bound
}

// solid tells whether the pair is never in one plane.
func (p *pair) solid(c *cubic) bool {
	bound := p.volumeBound()
	return bound > leastBound && (min(c[0], c[1], c[2], c[3]) > bound || max(c[0], c[1], c[2], c[3]) < -bound)
}

// search looks for a contact between two moments, the earliest first. Where it finds no proof that there is none, it halves the interval; it gives up on one
// that is too short, or when it has seen too many.
func (p *pair) search(a, b, hit *moment) (meet bool) {
	p.intervals++
	if p.apart(a, b) {
		return false
	}
	if volume := p.volume(&a.x, &b.x); p.solid(&volume) {
		return false
	}
	if a.distance <= contactDistance*p.size || b.time-a.time <= shortest || p.intervals > mostIntervals {
		*hit = *a
		return true
	}
	var m moment
	p.at(&m, (a.time+b.time)/2)
	if p.search(a, &m, hit) || p.search(&m, b, hit) {
		return true
	}
	return false
}

// contact is that of a moment.
func (p *pair) contact(m *moment) (c Contact) {
	c.Time = m.time
	var velocity, before r3.Vec
	if p.n == 3 {
		c.Weights = [4]float64{1, -m.w, -m.u, -m.v}
		before = r3.Add(r3.Add(reproducible.Scale(m.w, p.from[0]), reproducible.Scale(m.u, p.from[1])), reproducible.Scale(m.v, p.from[2]))
		after := r3.Add(r3.Add(reproducible.Scale(m.w, p.to[0]), reproducible.Scale(m.u, p.to[1])), reproducible.Scale(m.v, p.to[2]))
		velocity = r3.Sub(after, before)
	} else {
		c.Weights = [4]float64{1 - m.u, m.u, m.v - 1, -m.v}
		place := func(x *[4]r3.Vec) r3.Vec {
			low, high := geom.Lerp(m.v, &x[0], &x[1]), geom.Lerp(m.v, &x[2], &x[3])
			return geom.Lerp(m.u, &low, &high)
		}
		before = place(&p.from)
		velocity = r3.Sub(place(&p.to), before)
	}
	c.Normal = p.normal(m, velocity)
	return c
}

// grazing is the least part of its speed with which a pair comes together across a normal that is worth an impulse.
const grazing = 0x1p-20

// normal is the direction of a contact with a relative velocity.
func (p *pair) normal(m *moment, velocity r3.Vec) r3.Vec {
	n := p.across(&m.x)
	length, speed := reproducible.Norm(n), reproducible.Norm(velocity)
	if length > 0 {
		n = reproducible.Scale(1/length, n)
		switch approach := reproducible.Dot(n, velocity); {
		case approach < -grazing*speed:
			return n
		case approach > grazing*speed:
			return reproducible.Scale(-1, n)
		}
	}
	switch {
	case speed > 0:
		return reproducible.Scale(-1/speed, velocity)
	case length > 0:
		return n
	}
	return r3.Vec{X: 1}
}
