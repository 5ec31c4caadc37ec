package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Pyramids on the polygons of a vertex's cell, from the vertex, leave out what the cell has of the sides of the layout and of the domain. What is on these are pyramids,
// too. They are cut up into tetrahedra on the sides of polygons that lie in a side, from the vertex and its foot: the place on all sides that its cell touches which
// is nearest to it. So each belongs to the edge of such a polygon. One from a vertex beyond the side, or from a foot beyond the polygon, counts less than nothing.

// foot is a vertex's foot on the sides that its cell touches, and which these are, as bits.
type foot struct {
	x     vec
	sides uint8
}

// inSide, in edges of the finest cells, is how near to a side a place lies in it.
const inSide = 1e-6

// footOf is the foot of a vertex, for an edge that some sides are near to. All edges of a vertex agree on it.
func (t *lattice) footOf(dom *domain, sides uint8, v int32) (f foot) {
	if f.x = t.l.Position[v]; sides == 0 {
		return f
	}
	for side := range 6 {
		if in := dom.side(side, &t.l.Position[v]); in < float64(ringReach*t.cellEdge(v)) && t.touches(dom, side, v) {
			f.sides |= 1 << side
			f.x[side/2] += float64(float64(2*(side&1)-1) * in)
		}
	}
	return f
}

// distanceTo is how far a foot is from its vertex, m.
func (t *lattice) distanceTo(v int32, f *foot) float64 {
	by := geom.Sub(&f.x, &t.l.Position[v])
	return math.Sqrt(geom.Dot(&by, &by))
}

// touches tells whether the cell of a vertex reaches a side.
func (t *lattice) touches(dom *domain, side int, v int32) bool {
	l := t.l
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		for _, k := range l.Ring[l.RingRuns[e]:l.RingRuns[e+1]] {
			if dom.side(side, &l.Centres[k]) < float64(inSide*dom.finest) {
				return true
			}
		}
	}
	return false
}

// solidAt is a solid at the polygon of an edge: its distances at the edge's ends and at their feet, m, what its second derivatives sum up to, 1/m, and what moments are
// about.
type solidAt struct {
	ends, feet [2]float64
	bend       float64
	about      *vec
}

// addSides adds to what a solid fills of the pyramids on the polygon s.poly of an edge what it fills of the tetrahedra on its sides that lie in sides of the domain. If under
// is given, only what is under that counts.
func (t *lattice) addSides(s *scratch, dom *domain, sides uint8, e int32, end int, of *solidAt, under *surface, to *filled) {
	v := t.l.Ends[e][end]
	x := &t.l.Position[v]
	f := t.footOf(dom, sides, v)
	if f.sides == 0 {
		return
	}
	p := &s.poly
	for i := range p.x {
		k := (i + 1) % len(p.x)
		if dom.sideOf(f.sides, &p.x[i], &p.x[k]) < 0 {
			continue
		}
		var part filled
		cut := geom.Tetrahedron{X: [4]vec{*x, f.x, p.x[i], p.x[k]}, F: [4]float64{of.ends[end], of.feet[end], p.d[i], p.d[k]}}
		part.addCut(&cut, of.about, of.bend, under)
		// The polygon turns about the edge, out of the first end's cell, and the other way round out of the second one's.
		foot, from, next := geom.Sub(&f.x, x), geom.Sub(&p.x[k], x), geom.Sub(&p.x[i], x)
		turn := geom.Cross(&from, &next)
		part.scale(math.Copysign(1, float64(1-2*end)*geom.Dot(&foot, &turn)))
		to.add(&part)
	}
}

// sideOf is the one of some sides that two places lie in, or less than 0.
func (d *domain) sideOf(sides uint8, a, b *vec) int {
	for side := range 6 {
		if sides>>side&1 == 1 && math.Abs(d.side(side, a)) < float64(inSide*d.finest) && math.Abs(d.side(side, b)) < float64(inSide*d.finest) {
			return side
		}
	}
	return -1
}
