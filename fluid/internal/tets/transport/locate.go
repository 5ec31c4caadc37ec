package transport

// locate is the tetrahedron around a cell's centre that holds a place, and the place's barycentric coordinates in it.
func (m *mesh) locate(s *spot, x *[3]float64) (at int32, weights [4]float64) {
	best := -1e9
	for _, b := range m.grid.Nearby(s.base) {
		if b < 0 {
			continue
		}
		lo, hi := m.TetRuns.Of(b)
		for t := lo; t < hi; t++ {
			c := &m.Corners[t]
			if c[0] != s.centre && c[1] != s.centre && c[2] != s.centre && c[3] != s.centre {
				continue
			}
			w := m.weights(t, x)
			if least := min(w[0], w[1], w[2], w[3]); least > best {
				best, at, weights = least, t, w
			}
		}
	}
	return at, weights
}
