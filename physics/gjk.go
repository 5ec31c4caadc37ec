package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A convex solid is a core, rounded by a radius: the core of a ball is a point, of a capsule a segment, of a cylinder a
// smaller cylinder, of a box or hull itself. Where solids overlap a little, as bodies at rest do, their cores do not, so
// that the direction between them is well defined.

// support is the point of the core farthest along the world direction d.
func (s *solid) support(d r3.Vec) r3.Vec {
	l := mulVecT(s.rot, d)
	var p r3.Vec
	switch {
	case s.hull != nil:
		p = s.hull.vertices[s.hull.support(l)]
	default:
		p.Y = math.Copysign(s.half.Y, l.Y)
		if r := hypot(l.X, l.Z); s.half.X > 0 && r > 0 {
			p.X, p.Z = l.X*s.half.X/r, l.Z*s.half.X/r
		}
	}
	return r3.Add(s.pos, mulVec(s.rot, p))
}

// coreGap holds the nearest points of two cores, their distance, and the unit vector from a to b. If the cores overlap
// the distance is 0, and the rest undefined.
type coreGap struct {
	a, b     r3.Vec
	n        r3.Vec
	distance float64
}

// simplex has up to four points v = b - a of the difference of two cores; weight says how
// the nearest point of the simplex to the origin is made of them.
type simplex struct {
	n       int
	a, b, v [4]r3.Vec
	weight  [4]float64
}

// gjkGap finds the gap between two cores, a being moved by shift. Source: Gilbert, Johnson,
// Keerthi 1988; the sub-distances after Ericson 2005, §5.1.
func gjkGap(a, b *solid, shift r3.Vec) coreGap {
	// Relative to a length of the cores, the distance at which they count as one and the
	// gain below which another vertex is rounding.
	const touch, gain = 1e-9, 1e-15
	var s simplex
	d := r3.Sub(b.pos, r3.Add(a.pos, shift))
	if d == (r3.Vec{}) {
		d = r3.Vec{Y: 1}
	}
	var near r3.Vec
	best, size := math.Inf(1), 0.0
	for range 64 {
		p, q := r3.Add(a.support(d), shift), b.support(reproducible.Scale(-1, d))
		v := r3.Sub(q, p)
		size = max(size, reproducible.Norm2(v))
		if s.n > 0 && (best-reproducible.Dot(near, v) <= gain*size || s.has(v)) {
			break
		}
		s.a[s.n], s.b[s.n], s.v[s.n] = p, q, v
		s.n++
		old := s
		s.reduce()
		near = s.nearest(&s.v)
		l := reproducible.Norm2(near)
		if s.n == 4 || l <= touch*touch*size {
			return coreGap{}
		}
		if l >= best { // no further progress, by rounding
			s = old
			s.n--
			s.reduce()
			near = s.nearest(&s.v)
			break
		}
		best, d = l, near
	}
	l := reproducible.Norm(near)
	return coreGap{s.nearest(&s.a), s.nearest(&s.b), reproducible.Scale(1/l, near), l}
}

func (s *simplex) has(v r3.Vec) bool {
	for _, u := range s.v[:s.n] {
		if u == v {
			return true
		}
	}
	return false
}

// nearest is the weighted sum of the points.
func (s *simplex) nearest(p *[4]r3.Vec) (x r3.Vec) {
	for i := range s.n {
		x = r3.Add(x, reproducible.Scale(s.weight[i], p[i]))
	}
	return x
}

// keep makes the points k, with the weights w, the simplex.
func (s *simplex) keep(k [3]int, w [3]float64, n int) {
	t := *s
	for i := range n {
		s.a[i], s.b[i], s.v[i], s.weight[i] = t.a[k[i]], t.b[k[i]], t.v[k[i]], w[i]
	}
	s.n = n
}

// reduce keeps the points of the simplex's part nearest to the origin. Four stay if it is
// inside.
func (s *simplex) reduce() {
	switch s.n {
	case 1:
		s.weight[0] = 1
	case 2:
		k, w, n := nearestOfSegment(&s.v, 0, 1)
		s.keep(k, w, n)
	case 3:
		k, w, n := nearestOfTriangle(&s.v, 0, 1, 2)
		s.keep(k, w, n)
	case 4:
		s.reduceTetrahedron()
	}
}

// reduceTetrahedron takes the nearest of the faces that have the origin outside. Of one that
// is flat up to rounding, as curved solids make them, every face counts.
func (s *simplex) reduceTetrahedron() {
	const flat = 1e-9
	best, found := math.Inf(1), false
	var bk [3]int
	var bw [3]float64
	var bn int
	for _, f := range [4][4]int{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}} {
		a, b, c, d := s.v[f[0]], s.v[f[1]], s.v[f[2]], s.v[f[3]]
		n := reproducible.Cross(r3.Sub(b, a), r3.Sub(c, a))
		origin, up := -reproducible.Dot(n, a), r3.Sub(d, a)
		other := reproducible.Dot(n, up)
		if origin*other > 0 && math.Abs(other) > flat*reproducible.Norm(n)*reproducible.Norm(up) { // on the inner side of this face
			continue
		}
		k, w, m := nearestOfTriangle(&s.v, f[0], f[1], f[2])
		var x r3.Vec
		for i := range m {
			x = r3.Add(x, reproducible.Scale(w[i], s.v[k[i]]))
		}
		if l := reproducible.Norm2(x); l < best {
			best, found, bk, bw, bn = l, true, k, w, m
		}
	}
	if found {
		s.keep(bk, bw, bn)
	}
}

// nearestOfSegment are the points, weights and number of points of the part of the segment
// ij of v that is nearest to the origin.
func nearestOfSegment(v *[4]r3.Vec, i, j int) ([3]int, [3]float64, int) {
	u := r3.Sub(v[j], v[i])
	t, l := -reproducible.Dot(v[i], u), reproducible.Norm2(u)
	switch {
	case t <= 0:
		return [3]int{i}, [3]float64{1}, 1
	case t >= l:
		return [3]int{j}, [3]float64{1}, 1
	}
	t /= l
	return [3]int{i, j}, [3]float64{1 - t, t}, 2
}

// nearestOfTriangle does the same for the triangle ijk.
func nearestOfTriangle(v *[4]r3.Vec, i, j, k int) ([3]int, [3]float64, int) {
	a, b, c := v[i], v[j], v[k]
	ab, ac := r3.Sub(b, a), r3.Sub(c, a)
	d1, d2 := -reproducible.Dot(ab, a), -reproducible.Dot(ac, a)
	d3, d4 := -reproducible.Dot(ab, b), -reproducible.Dot(ac, b)
	d5, d6 := -reproducible.Dot(ab, c), -reproducible.Dot(ac, c)
	va, vb, vc := det(d3, d4, d5, d6), det(d5, d6, d1, d2), det(d1, d2, d3, d4)
	switch {
	case d1 <= 0 && d2 <= 0:
		return [3]int{i}, [3]float64{1}, 1
	case d3 >= 0 && d4 <= d3:
		return [3]int{j}, [3]float64{1}, 1
	case d6 >= 0 && d5 <= d6:
		return [3]int{k}, [3]float64{1}, 1
	case vc <= 0 && d1 >= 0 && d3 <= 0:
		return nearestOfSegment(v, i, j)
	case vb <= 0 && d2 >= 0 && d6 <= 0:
		return nearestOfSegment(v, i, k)
	case va <= 0 && d4-d3 >= 0 && d5-d6 >= 0:
		return nearestOfSegment(v, j, k)
	}
	sum := va + vb + vc
	if !(sum > 0) { // no area
		return nearestOfSegment(v, i, j)
	}
	return [3]int{i, j, k}, [3]float64{va / sum, vb / sum, vc / sum}, 3
}
