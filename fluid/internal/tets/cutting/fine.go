package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Where a solid has an edge, its distance is not linear over a polygon or over the pyramids on it, nor bent evenly. There each triangle from the middle of the
// polygon to one of its sides is cut up into four, and the tetrahedra from it to the edge's ends into eight, by the distances half way between their corners. They come
// after the others in an edge's values: between the ends and the middle, between the ends and the corners, between the middle and these, and between one corner and
// the next.

// crooked is the part of the radius of a polygon from which on the distance in its middle, or half way along the edge, is too far from linear.
const crooked = .1

// fineValues is how many further values an edge has whose ring has so many corners.
func fineValues(ring int) int { return 2 + 4*ring }

// isCrooked tells whether an edge is to be cut up, by its values.
func (t *lattice) isCrooked(e int32, values []float64) bool {
	dev := t.deviationOf(e, values)
	return max(math.Abs(dev.across), math.Abs(dev.along)/2) > float64(crooked*math.Sqrt(dev.square))
}

// finePlaces appends where an edge's further values are.
func (t *lattice) finePlaces(dst []r3.Vec, e int32) []r3.Vec {
	l := t.l
	ring := l.Ring[l.RingRuns[e]:l.RingRuns[e+1]]
	middle := &l.Middle[e]
	for _, v := range l.Ends[e] {
		dst = append(dst, halfWay(&l.Position[v], middle))
	}
	for _, v := range l.Ends[e] {
		for _, k := range ring {
			dst = append(dst, halfWay(&l.Position[v], &l.Centres[k]))
		}
	}
	for _, k := range ring {
		dst = append(dst, halfWay(middle, &l.Centres[k]))
	}
	for i, k := range ring {
		dst = append(dst, halfWay(&l.Centres[k], &l.Centres[ring[(i+1)%len(ring)]]))
	}
	return dst
}

// appendHalves appends an edge's values, and for further ones the means of those at the places that each is half way between.
func appendHalves(dst, values []float64, ring int) []float64 {
	dst = append(dst, values...)
	corners, ends, middle := values[:ring], values[ring:ring+2], values[ring+2]
	for _, v := range ends {
		dst = append(dst, (v+middle)/2)
	}
	for _, v := range ends {
		for _, x := range corners {
			dst = append(dst, (v+x)/2)
		}
	}
	for _, x := range corners {
		dst = append(dst, (middle+x)/2)
	}
	for i, x := range corners {
		dst = append(dst, (x+corners[(i+1)%ring])/2)
	}
	return dst
}

func halfWay(a, b *vec) r3.Vec {
	return r3.Vec{X: (a[0] + b[0]) / 2, Y: (a[1] + b[1]) / 2, Z: (a[2] + b[2]) / 2}
}

// node is a place with a solid's distance there, m.
type node struct {
	x vec
	d float64
}

// between is the node half way between two, with a distance.
func (a *node) between(b *node, d float64) node {
	x := halfWay(&a.x, &b.x)
	return node{vec{x.X, x.Y, x.Z}, d}
}

// coverFinely is coverBent of an edge that is cut up.
func (t *lattice) coverFinely(s *scratch, c *cutter, to *cover, e int32, values []float64) (open float64, centre vec) {
	l := t.l
	ring := l.Ring[l.RingRuns[e]:l.RingRuns[e+1]]
	n := len(ring)
	ends := [2]node{{l.Position[l.Ends[e][0]], values[n]}, {l.Position[l.Ends[e][1]], values[n+1]}}
	middle, normal := node{l.Middle[e], values[n+2]}, l.Normal(e)
	fine := values[n+beyondRing:]
	var sum vec
	for i := range n {
		k := (i + 1) % n
		p, q := node{l.Centres[ring[i]], values[i]}, node{l.Centres[ring[k]], values[k]}
		toP, toQ, pq := middle.between(&p, fine[2+2*n+i]), middle.between(&q, fine[2+2*n+k]), p.between(&q, fine[2+3*n+i])
		flat := sag(&middle, &p, &toP) + sag(&middle, &q, &toQ) + sag(&p, &q, &pq)
		for _, tri := range [4][3]node{{middle, toP, toQ}, {p, pq, toP}, {q, toQ, pq}, {toP, pq, toQ}} {
			area, x := s.openTriangle(&tri, &normal, flat/24)
			open += area
			for a := range sum {
				sum[a] += float64(area * x[a])
			}
		}
		for side := range ends {
			v := &ends[side]
			vm, vp, vq := v.between(&middle, fine[side]), v.between(&p, fine[2+side*n+i]), v.between(&q, fine[2+side*n+k])
			less := (flat + sag(v, &middle, &vm) + sag(v, &p, &vp) + sag(v, &q, &vq)) / 40
			for _, tet := range [8][4]node{
				{*v, vm, vp, vq}, {middle, vm, toP, toQ}, {p, vp, toP, pq}, {q, vq, toQ, pq},
				{vm, pq, vp, vq}, {vm, pq, vq, toQ}, {vm, pq, toQ, toP}, {vm, pq, toP, vp},
			} {
				to.filled[side].addNodes(&tet, &c.centre, less)
			}
		}
	}
	if centre = middle.x; open > 0 {
		for a := range centre {
			centre[a] = sum[a] / open
		}
	}
	return open, centre
}

// sag is by how much the values at two places exceed, together, twice that half way between them, m.
//
// In a triangle, values that are linear between its corners exceed on average those that have a sag on each side by a sixth of the sum of these, and in a tetrahedron by a
// tenth. In the parts, which are half as large, it is a quarter of that.
func sag(a, b, between *node) float64 { return a.d + b.d - 2*between.d }

// openTriangle is what is open of a triangle where distances are so much less, m², and its centroid.
func (s *scratch) openTriangle(tri *[3]node, normal *vec, less float64) (area float64, x vec) {
	s.poly.clear()
	for _, p := range tri {
		s.poly.add(p.x, p.d-less)
	}
	s.poly.clip(&s.other, s.poly.d)
	return s.other.measure(normal)
}

// addNodes adds what a solid fills of a tetrahedron where distances are so much less.
func (s *filled) addNodes(at *[4]node, about *vec, less float64) {
	var t geom.Tetrahedron
	var parts [3]geom.Tetrahedron
	for i, p := range at {
		t.X[i], t.F[i] = p.x, p.d-less
	}
	for k := range t.Below(&parts) {
		s.addTetrahedron(&parts[k], about)
	}
}
