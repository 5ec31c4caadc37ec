package stuffing

import (
	"sort"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Of is the tetrahedra that one of the lattice has become: lo to hi, hi not included. Where there are none lo is the first of one behind in the
// lattice's order, mostly near, or the number of all.
func (m *Mesh) Of(t int32) (lo, hi int32) {
	lo = int32(sort.Search(len(m.Source), func(i int) bool { return m.Source[i] >= t }))
	for hi = lo; int(hi) < len(m.Source) && m.Source[hi] == t; hi++ {
	}
	return lo, hi
}

// Find is Locate from what the tetrahedron of the lattice that holds the point has become, or else from the ones before and behind in the lattice's order.
// The mesh may be empty: then it is -1.
func (m *Mesh) Find(ofLattice int32, x r3.Vec) (tet int32, w [4]float64, within bool) {
	return m.FindSoon(ofLattice, x, mostVisited)
}

// FindSoon is Find that looks at no more than so many tetrahedra from either, up to 96: a point that is not in the mesh, but beside it, takes all of them.
func (m *Mesh) FindSoon(ofLattice int32, x r3.Vec, most int) (tet int32, w [4]float64, within bool) {
	tet = -1
	lo, hi := m.Of(ofLattice)
	if lo < int32(m.Tets()) {
		if tet, w, within = m.locate(lo, x, most); within {
			return tet, w, within
		}
	}
	if lo > 0 && lo == hi {
		other, v, found := m.locate(lo-1, x, most)
		if found || tet < 0 || min(v[0], v[1], v[2], v[3]) > min(w[0], w[1], w[2], w[3]) {
			return other, v, found
		}
	}
	return tet, w, false
}

// Weights are a point's, m, barycentric coordinates in a tetrahedron.
func (m *Mesh) Weights(t int32, x r3.Vec) (w [4]float64) {
	s := m.Shape(t)
	d, v := r3.Sub(x, reproducible.Vector(m.Position[m.Corners[t][0]])), 3*s.Volume
	w[1] = -reproducible.Dot(reproducible.Vector(s.Area[1]), d) / v
	w[2] = -reproducible.Dot(reproducible.Vector(s.Area[2]), d) / v
	sum := r3.Add(r3.Add(reproducible.Vector(s.Area[0]), reproducible.Vector(s.Area[1])), reproducible.Vector(s.Area[2]))
	w[3] = reproducible.Dot(sum, d) / v
	w[0] = 1 - w[1] - w[2] - w[3]
	return w
}

const (
	// mostVisited is how many tetrahedra Locate looks at.
	mostVisited = 96
	// walkSlack is how negative the weights of a point within may be by rounding.
	walkSlack = 1e-9
)

// Locate finds the tetrahedron that holds a point, m, and the point's weights, from a tetrahedron nearby: one that the lattice's at the point has
// become, or the last one that was found. It walks across the face that the point is furthest beyond; where it has been on the other side already, it
// goes on with what is next to all that it has been in. No tetrahedron is visited twice, so that it can't go round in circles, and at most
// mostVisited are.
//
// If the point is outside of the mesh, or too far, within is false, and the tetrahedron is that of those visited in which the least weight is greatest.
func (m *Mesh) Locate(near int32, x r3.Vec) (tet int32, w [4]float64, within bool) {
	return m.locate(near, x, mostVisited)
}

func (m *Mesh) locate(near int32, x r3.Vec, most int) (tet int32, w [4]float64, within bool) {
	var visited [mostVisited]int32
	n, spread := 1, 0 // how many there are, and whose neighbours come next where the walk ends
	visited[0] = near
	best := -1e300
	for t := near; t >= 0; {
		here := m.Weights(t, x)
		least := min(here[0], here[1], here[2], here[3])
		if least > best || t == near {
			best, tet, w = least, t, here
		}
		if least >= -walkSlack {
			return t, here, true
		}
		if t = m.across(t, &here, visited[:n]); t < 0 {
			t = m.beside(visited[:n], &spread)
		}
		if t < 0 || n >= min(most, mostVisited) {
			break
		}
		visited[n] = t
		n++
	}
	return tet, w, false
}

// across is the neighbour across the face with the least weight, or that with the next one, if that is negative and the neighbour has not been
// visited; or -1.
func (m *Mesh) across(t int32, w *[4]float64, visited []int32) int32 {
	next, least := int32(-1), -walkSlack
	for i, nb := range m.Neighbours[t] {
		if nb >= 0 && w[i] < least && !contains(visited, nb) {
			next, least = nb, w[i]
		}
	}
	return next
}

// beside is a neighbour of one of the tetrahedra visited, from the spread-th on, that has not been visited; or -1.
func (m *Mesh) beside(visited []int32, spread *int) int32 {
	for ; *spread < len(visited); *spread++ {
		for _, nb := range m.Neighbours[visited[*spread]] {
			if nb >= 0 && !contains(visited, nb) {
				return nb
			}
		}
	}
	return -1
}

func contains(list []int32, t int32) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == t {
			return true
		}
	}
	return false
}
