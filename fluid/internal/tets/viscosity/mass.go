package viscosity

// mass is the liquid that moves with a vertex, m³: a symmetric matrix xx, yy, zz, yz, zx, xy. Of the liquid on an edge only what it does along the edge counts.
type mass [6]float64

// times is the matrix times a vector.
func (m *mass) times(u *vec) vec {
	return vec{
		float64(m[0]*u[0]) + float64(m[5]*u[1]) + float64(m[4]*u[2]),
		float64(m[5]*u[0]) + float64(m[1]*u[1]) + float64(m[3]*u[2]),
		float64(m[4]*u[0]) + float64(m[3]*u[1]) + float64(m[2]*u[2]),
	}
}

// mean is the mass along an axis in the mean of all.
func (m *mass) mean() float64 { return (m[0] + m[1] + m[2]) / 3 }

// add adds so much of another.
func (m *mass) add(by float64, other *mass) {
	for i, x := range other {
		m[i] += float64(by * x)
	}
}

// findMass gives both ends of each face's edge half of its liquid.
func (s *Solver) findMass() {
	gr, l := s.gr, s.l
	for f, e := range gr.Slot {
		n, half := &gr.Normals[f], float64(gr.Area[f]*gr.Open[f]*gr.Dist[f]/2)
		along := mass{n[0] * n[0], n[1] * n[1], n[2] * n[2], n[1] * n[2], n[2] * n[0], n[0] * n[1]}
		for _, v := range l.Ends[e] {
			s.mass[v].add(half, &along)
		}
	}
}

// balance moves all free vertices by the same velocity, so that together they change by what the stresses in y make of them: the residual that the solve ends with
// is no force.
func (s *Solver) balance() {
	var whole mass
	var off vec
	for v := range s.kind {
		if !s.isFree(v) {
			continue
		}
		change := sub(&s.old[v], &s.v[v])
		change = s.mass[v].times(&change)
		for a := range off {
			off[a] += change[a] - float64(s.k*s.y[v][a])
		}
		whole.add(1, &s.mass[v])
	}
	by := solve3(&[3][3]float64{{whole[0], whole[5], whole[4]}, {whole[5], whole[1], whole[3]}, {whole[4], whole[3], whole[2]}}, &off)
	for v := range s.kind {
		if s.isFree(v) {
			for a := range by {
				s.v[v][a] += by[a]
			}
		}
	}
}

func sub(a, b *vec) vec { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
