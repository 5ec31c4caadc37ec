package cutting

import "github.com/meniscus3d/meniscus/fluid/internal/geom"

// spread is the sum of the squares of what a tetrahedron's corners are off its centroid, m².
func spread(x *[4]vec) (sum float64) {
	for i := range x {
		for j := range i {
			sum += geom.Distance2(&x[i], &x[j])
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
func (s *filled) addTetrahedron(t *geom.Tetrahedron, about *vec) {
	volume, x := t.Volume(), &t.X
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
	for i := 2; i < len(p.x); i++ {
		s.addCut(&geom.Tetrahedron{X: [4]vec{*apex, p.x[0], p.x[i-1], p.x[i]}, F: [4]float64{d, p.d[0], p.d[i-1], p.d[i]}}, about, bend, under)
	}
}

// addCut adds what of a tetrahedron, with a solid's distance as its f, the solid fills.
func (s *filled) addCut(t *geom.Tetrahedron, about *vec, bend float64, under *surface) {
	var parts, lower [3]geom.Tetrahedron
	if less := float64(bend * spread(&t.X) / 30); less != 0 {
		for k := range t.F {
			t.F[k] -= less
		}
	}
	if t.F[0] >= 0 && t.F[1] >= 0 && t.F[2] >= 0 && t.F[3] >= 0 {
		return
	}
	if under != nil {
		for k := range t.X {
			t.G[k] = under.above(&t.X[k])
		}
	}
	for k := range t.Below(&parts) {
		if under == nil {
			s.addTetrahedron(&parts[k], about)
			continue
		}
		parts[k].SwapFields()
		for j := range parts[k].Below(&lower) {
			s.addTetrahedron(&lower[j], about)
		}
	}
}
