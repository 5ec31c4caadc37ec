package amg

// mostToEliminate is the most entries beside the diagonal of a row that is worth eliminating: in S it joins all pairs of its neighbours.
const mostToEliminate = 6

// Colour makes unknowns red: each that has at most six entries beside the diagonal, no red neighbour before it and no part in the coupling. On graphs with two
// colours whose rows follow the graph, as those of cubes and nearly those of tetrahedra, it is half of them; of a lattice's vertices it is none but some at the
// surface. It is for matrices of which no colours are known. Red must have the matrix's length; k may be nil.
func (m *Matrix) Colour(k *Coupling) {
	for i := range m.Red {
		col, _ := m.row(int32(i))
		m.Red[i] = len(col) <= mostToEliminate
		for _, j := range col {
			if int(j) < i && m.Red[j] {
				m.Red[i] = false
				break
			}
		}
	}
	if k.groups() > 0 {
		for _, i := range k.Col {
			m.Red[i] = false
		}
	}
}
