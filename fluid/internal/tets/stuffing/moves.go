package stuffing

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// moves are vertices of the mesh that are to be moved as far as the angles around them keep the bounds.
type moves struct {
	found    []int32  // the vertices
	to       []r3.Vec // per such vertex: where to
	rank     []int32  // per vertex of the mesh: its place in found, or -1
	incident []int32  // per such vertex, from starts on: its tetrahedra
	starts   []int32
	pts      []r3.Vec  // scratch of project
	dist     []float64 // the distance from solids at pts
}

// shares are how far on its way a vertex of a transition may be moved, at most first.
var shares = [...]float64{1, .75, .5, .25}

// settle moves vertices of transitions that count as on the surface, but are where the lattice has them, towards the cut that is why they do, and
// corners on sides of the layout towards where the surface ends there. In a second round those around have been moved.
func (m *Mesher) settle() {
	s, mesh := &m.moves, &m.Mesh
	s.found, s.to = s.found[:0], s.to[:0]
	for v, f := range mesh.Flags {
		if f&InPlace != 0 {
			at, _ := m.cutAt(m.snapped[mesh.Origin[v]])
			s.found, s.to = append(s.found, int32(v)), append(s.to, reproducible.Vector(at))
		}
	}
	if len(s.found) == 0 {
		return
	}
	m.listIncident()
	for range 2 {
		for i, v := range s.found {
			m.settleVertex(i, v)
		}
	}
}

// settleVertex moves one of them.
func (m *Mesher) settleVertex(i int, v int32) {
	mesh := &m.Mesh
	if mesh.Flags[v]&InPlace == 0 {
		return
	}
	from, way := reproducible.Vector(mesh.Position[v]), r3.Sub(m.to[i], reproducible.Vector(mesh.Position[v]))
	for _, share := range shares {
		if !m.tryMove(i, v, r3.Add(from, reproducible.Scale(share, way))) {
			continue
		}
		if share == 1 {
			mesh.Flags[v] &^= InPlace
		}
		return
	}
}

// tryMove moves a vertex if the angles of all tetrahedra around keep the bounds.
func (m *Mesher) tryMove(i int, v int32, to r3.Vec) bool {
	mesh := &m.Mesh
	was := mesh.Position[v]
	mesh.Position[v] = reproducible.Array(to)
	for _, t := range m.incident[m.starts[i]:m.starts[i+1]] {
		c, pos := &mesh.Corners[t], mesh.Position
		shape := measureShape(&pos[c[0]], &pos[c[1]], &pos[c[2]], &pos[c[3]])
		least, most := shape.angles()
		if !(shape.Volume > 0 && least >= m.Alpha.Least && most <= m.Alpha.Most) {
			mesh.Position[v] = was
			return false
		}
	}
	return true
}

// listIncident lists the tetrahedra around each vertex that is to be moved.
func (m *Mesher) listIncident() {
	s, mesh := &m.moves, &m.Mesh
	s.rank = arrays.Resize(s.rank, mesh.Vertices())
	for v := range s.rank {
		s.rank[v] = -1
	}
	for i, v := range s.found {
		s.rank[v] = int32(i)
	}
	s.starts = arrays.Resize(s.starts, len(s.found)+1)
	clear(s.starts)
	m.eachIncident(func(i, _ int32) { s.starts[i+1]++ })
	for i := range s.found {
		s.starts[i+1] += s.starts[i]
	}
	s.incident = arrays.Resize(s.incident, int(s.starts[len(s.found)]))
	m.eachIncident(func(i, t int32) {
		s.incident[s.starts[i]] = t
		s.starts[i]++
	})
	copy(s.starts[1:], s.starts[:len(s.found)])
	s.starts[0] = 0
}

// eachIncident visits the tetrahedra around each vertex that is to be moved, with its place in found.
func (m *Mesher) eachIncident(visit func(i, t int32)) {
	mesh := &m.Mesh
	for t, g := range mesh.Geometry {
		if g < 0 {
			continue
		}
		for _, v := range mesh.Corners[t] {
			if i := m.rank[v]; i >= 0 {
				visit(i, int32(t))
			}
		}
	}
}
