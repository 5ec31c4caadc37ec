package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// tetrahedron is one with two fields that are linear in it, given at its corners.
type tetrahedron struct {
	x    [4]vec
	f, g [4]float64
}

// swapFields makes f the field that was g.
func (t *tetrahedron) swapFields() { t.f, t.g = t.g, t.f }

// between is where f is 0 on the edge from corner in to corner out, with g there.
func (t *tetrahedron) between(in, out int) (x vec, g float64) {
	s := t.f[in] / (t.f[in] - t.f[out])
	x = t.x[in]
	for a := range x {
		x[a] += float64(s * (t.x[out][a] - x[a]))
	}
	return x, t.g[in] + float64(s*(t.g[out]-t.g[in]))
}

// below fills parts with the tetrahedra, at most three, that make up what of t has f < 0, and returns how many they are. Their f means nothing.
func (t *tetrahedron) below(parts *[3]tetrahedron) int {
	var order [4]int
	n, far := 0, 3
	for i, v := range t.f { // those below first
		if v < 0 {
			order[n] = i
			n++
		} else {
			order[far] = i
			far--
		}
	}
	put := func(part, corner int, x vec, g float64) { parts[part].x[corner], parts[part].g[corner] = x, g }
	own := func(part, corner, i int) { put(part, corner, t.x[order[i]], t.g[order[i]]) }
	cut := func(part, corner, in, out int) {
		x, g := t.between(order[in], order[out])
		put(part, corner, x, g)
	}
	switch n {
	case 0:
		return 0
	case 1:
		own(0, 0, 0)
		cut(0, 1, 0, 1)
		cut(0, 2, 0, 2)
		cut(0, 3, 0, 3)
		return 1
	case 2: // a wedge on the edge 0-1
		own(0, 0, 0)
		own(0, 1, 1)
		cut(0, 2, 1, 2)
		cut(0, 3, 1, 3)
		own(1, 0, 0)
		cut(1, 1, 0, 2)
		cut(1, 2, 1, 2)
		cut(1, 3, 1, 3)
		own(2, 0, 0)
		cut(2, 1, 0, 2)
		cut(2, 2, 0, 3)
		cut(2, 3, 1, 3)
		return 3
	case 3: // a truncated corner 3
		own(0, 0, 0)
		own(0, 1, 1)
		own(0, 2, 2)
		cut(0, 3, 2, 3)
		own(1, 0, 0)
		own(1, 1, 1)
		cut(1, 2, 1, 3)
		cut(1, 3, 2, 3)
		own(2, 0, 0)
		cut(2, 1, 0, 3)
		cut(2, 2, 1, 3)
		cut(2, 3, 2, 3)
		return 3
	}
	parts[0] = *t
	return 1
}

// spread is the sum of the squares of what the corners are off the centroid, m².
func (t *tetrahedron) spread() (sum float64) {
	for i := range t.x {
		for j := range i {
			sum += geom.Distance2(&t.x[i], &t.x[j])
		}
	}
	return sum / 4
}

// filled is what a solid fills of some room: its volume, m³, and its first moment, m⁴.
type filled struct {
	volume float64
	moment vec
}

// add adds another one.
func (s *filled) add(other *filled) {
	s.volume += other.volume
	for a, m := range other.moment {
		s.moment[a] += m
	}
}

// scale makes it so many times as much.
func (s *filled) scale(by float64) {
	s.volume *= by
	for a := range s.moment {
		s.moment[a] *= by
	}
}

// addTetrahedron adds a tetrahedron; moments are about a place.
func (s *filled) addTetrahedron(x *[4]vec, about *vec) {
	p, q, r := geom.Sub(&x[1], &x[0]), geom.Sub(&x[2], &x[0]), geom.Sub(&x[3], &x[0])
	turn := geom.Cross(&p, &q)
	volume := math.Abs(geom.Dot(&turn, &r)) / 6
	s.volume += volume
	for a := range s.moment {
		s.moment[a] += float64(volume * (float64((x[0][a]+x[1][a]+x[2][a]+x[3][a])/4) - about[a]))
	}
}

// addPyramid adds what of the pyramid on a polygon, with an apex and the solid's distance there, the solid fills, where that distance's second derivatives sum up to
// bend, 1/m. If under is given, only what is under that counts.
//
// In a tetrahedron, values that are linear between its corners exceed on average those of a field of curvature k along each way by k/10 times the sum of the squares
// of what the corners are off its centroid. The curvature is taken to be a third of bend along each way.
func (s *filled) addPyramid(p *polygon, apex *vec, d float64, about *vec, bend float64, under *surface) {
	var t tetrahedron
	var parts, lower [3]tetrahedron
	for i := 2; i < len(p.x); i++ {
		t.x = [4]vec{*apex, p.x[0], p.x[i-1], p.x[i]}
		t.f = [4]float64{d, p.d[0], p.d[i-1], p.d[i]}
		if less := float64(bend * t.spread() / 30); less != 0 {
			for k := range t.f {
				t.f[k] -= less
			}
		}
		if t.f[0] >= 0 && t.f[1] >= 0 && t.f[2] >= 0 && t.f[3] >= 0 {
			continue
		}
		if under != nil {
			for k := range t.x {
				t.g[k] = under.above(&t.x[k])
			}
		}
		for k := range t.below(&parts) {
			if under == nil {
				s.addTetrahedron(&parts[k].x, about)
				continue
			}
			parts[k].swapFields()
			for j := range parts[k].below(&lower) {
				s.addTetrahedron(&lower[j].x, about)
			}
		}
	}
}
