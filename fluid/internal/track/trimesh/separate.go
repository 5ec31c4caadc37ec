package trimesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Separator takes apart what hardly holds together: it removes pairs of triangles that cancel, cuts thin tubes, gives each part of the surface at a vertex or an edge
// a vertex of its own, and removes tiny closed pieces. No operation makes an intersection. The zero value has the defaults.
//
// Source: Brochu 2006, section 3.4; Guéziec et al. 2001.
type Separator struct {
	// Nudge is how far copies of a vertex are put from where it was, in lengths to the middles of their triangles; 0: 0.1. Smaller ones leave the copies
	// closer together, for the resolution of collisions to keep apart; larger ones change more volume.
	Nudge float64
	// Outside and Inside are how far from each other, m, the two sides of a cut are put at least if that is safe, with the outside and with the inside between. Sides that are
	// nearer than what a Merger joins are joined again at once.
	Outside, Inside float64

	edit      edit
	fan       []int32 // of the triangles of a vertex: which fan
	ring      []int32 // those triangles
	copies    []int32
	side      [2][]int32 // triangles on either side of a loop
	piece     []int32    // of vertices: a vertex of the same piece
	volume    []float64  // of pieces, by that vertex
	size      []float64  // of the tetrahedra that add up to the volume
	moment    []r3.Vec   // four times the volume's first moment about that vertex
	at        []r3.Vec   // sums of places
	count     []int32
	first     []int32 // a triangle of a piece
	neighbour []int32
	narrow    bool // the loop to cut has short edges alone
}

// SeparateReport says what Separate did.
type SeparateReport struct {
	// Cancelled is how many pairs of triangles were removed, Cuts how many tubes were cut, and Copies how many vertices were added so that parts of the
	// surface that met have one each.
	Cancelled, Cuts, Copies int
	// Refused is how many cuts and copies were wanted, but not safe.
	Refused int
	// Volume is by how much the volume inside has changed by cuts and copies, m³: not by pieces that were removed.
	Volume float64
}

// RemovedPiece is a closed piece of the surface that was removed for being tiny.
type RemovedPiece struct {
	// Centre is that of the volume inside, or of a piece that is crumpled the mean of its vertices, and Volume how much that is, m³: negative for a bubble.
	Centre r3.Vec
	Volume float64
	// Origin and Label are those of one of its vertices and triangles.
	Origin, Label int32
}

// Separate takes apart what hardly holds together. thin, m, is the length of edges of which three around a tube are cut. Pieces with a volume
// inside of at most tiny, m³, of either sign are removed, and appended to dst. The boxes of the mesh must hold its triangles where they are.
func (s *Separator) Separate(m *Mesh, thin, tiny float64, dst []RemovedPiece) ([]RemovedPiece, SeparateReport) {
	var r SeparateReport
	s.cancelAll(m, &r)
	s.cutTubes(m, thin, &r)
	s.separateVertices(m, &r)
	return s.removeTiny(m, tiny, dst), r
}

// cancelAll removes pairs of triangles of the same vertices and opposite orientation.
func (s *Separator) cancelAll(m *Mesh, r *SeparateReport) {
	for e := range m.Edge {
		if list := m.EdgeTriangles[e]; len(list) == 2 && m.Edge[e][0] != Gone && m.Opposite(list[0], int32(e)) != m.Opposite(list[1], int32(e)) {
			continue
		}
		for cancel(m, int32(e)) {
			r.Cancelled++
		}
	}
}

// cancel removes one such pair at an edge.
func cancel(m *Mesh, e int32) bool {
	if m.Edge[e][0] == Gone {
		return false
	}
	list := m.EdgeTriangles[e]
	a, b := m.Edge[e][0], m.Edge[e][1]
	for i, t := range list {
		for _, u := range list[:i] {
			if m.Opposite(t, e) == m.Opposite(u, e) && m.Along(t, a, b) != m.Along(u, a, b) && m.Label[t] == m.Label[u] {
				v := m.Triangle[t]
				m.RemoveTriangle(t)
				m.RemoveTriangle(u)
				for _, w := range v {
					if len(m.VertexTriangles[w]) == 0 {
						m.RemoveVertex(w)
					}
				}
				return true
			}
		}
	}
	return false
}

// separateVertices gives each fan of triangles at a vertex a vertex of its own. At an edge of four triangles either way to take them in pairs may make more fans: the
// one that parts the outside is tried first, since the inside holds together, then the one that parts the inside.
func (s *Separator) separateVertices(m *Mesh, r *SeparateReport) {
	for v := range int32(len(m.Position)) {
		if len(m.VertexTriangles[v]) > 0 && !m.goesRound(v) {
			s.separateVertex(m, v, r)
		}
	}
}

// separateVertex separates the fans of one vertex, if it has several.
func (s *Separator) separateVertex(m *Mesh, v int32, r *SeparateReport) bool {
	for way := range 2 {
		fans, crossing := s.fans(m, v, way == 1)
		if fans > 1 {
			if s.copyVertex(m, v, fans, r) {
				r.Copies += fans - 1
				return true
			}
			r.Refused++
		}
		if !crossing {
			break
		}
	}
	return false
}

// goesRound tells whether the triangles of a vertex go around it once.
func (m *Mesh) goesRound(v int32) bool {
	list := m.VertexTriangles[v]
	t, n := list[0], 0
	for {
		w := &m.Triangle[t]
		i := 0
		for w[i] != v {
			i++
		}
		across := m.EdgeTriangles[m.Sides[t][i]]
		if len(across) != 2 {
			return false
		}
		n++
		if t = across[0] + across[1] - t; t == list[0] || n > len(list) {
			return n == len(list)
		}
	}
}

// fans numbers the fans of triangles at a vertex from 0, in s.fan by places in the vertex' list, and returns how many there are. crossing tells whether
// the vertex has an edge of more than two triangles, where those go on into each other that bound the same part of the inside, or else of the outside.
func (s *Separator) fans(m *Mesh, v int32, inside bool) (fans int, crossing bool) {
	list := m.VertexTriangles[v]
	s.fan = arrays.Resize(s.fan, len(list))
	for i := range s.fan {
		s.fan[i] = Gone
	}
	for i := range list {
		if s.fan[i] != Gone {
			continue
		}
		s.fan[i] = int32(fans)
		s.ring = append(s.ring[:0], int32(i))
		for len(s.ring) > 0 {
			t := list[s.ring[len(s.ring)-1]]
			s.ring = s.ring[:len(s.ring)-1]
			for _, e := range m.Sides[t] {
				if m.Edge[e][0] != v && m.Edge[e][1] != v {
					continue
				}
				crossing = crossing || len(m.EdgeTriangles[e]) > 2
				next := s.partner(m, e, t, inside)
				j := slices.Index(list, next)
				if j >= 0 && s.fan[j] == Gone {
					s.fan[j] = int32(fans)
					s.ring = append(s.ring, int32(j))
				}
			}
		}
		fans++
	}
	return fans, crossing
}

// partner is the triangle into which one goes on across an edge: the first one of the opposite direction that is met by turning around the edge through the inside, or through
// the outside. Gone: there is none.
func (s *Separator) partner(m *Mesh, e, t int32, inside bool) int32 {
	list := m.EdgeTriangles[e]
	if len(list) == 2 {
		return list[0] + list[1] - t
	}
	a, b := m.Edge[e][0], m.Edge[e][1]
	along := m.Along(t, a, b)
	axis := r3.Sub(m.Position[b], m.Position[a])
	u := r3.Sub(m.Position[m.Opposite(t, e)], m.Position[a])
	normal := reproducible.Cross(axis, u) // the way to turn
	if along == inside {
		normal = reproducible.Scale(-1, normal) // of the triangle: the outside is in front of it
	}
	u = reproducible.Cross(reproducible.Cross(axis, u), axis)
	best, first := Gone, 5.0
	for _, k := range list {
		if m.Along(k, a, b) == along || m.Label[k] != m.Label[t] {
			continue
		}
		w := r3.Sub(m.Position[m.Opposite(k, e)], m.Position[a])
		if turn := turned(reproducible.Dot(w, u), reproducible.Dot(w, normal), reproducible.Norm2(u), reproducible.Norm2(normal)); turn < first {
			best, first = k, turn
		}
	}
	return best
}

// turned rises with the angle of a direction, 0 to 4 for a whole turn. It has the components x and y along two vectors at right angles, of squared
// lengths x2 and y2.
func turned(x, y, x2, y2 float64) float64 {
	c, d := float64(float64(x*x)*y2), float64(float64(y*y)*x2)
	part := d / (c + d)
	switch {
	case x >= 0 && y >= 0:
		return part
	case x < 0 && y >= 0:
		return 2 - part
	case x < 0:
		return 2 + part
	}
	return 4 - part
}

// copyVertex gives every fan but the first a copy of the vertex, and moves all towards the middles of their triangles.
func (s *Separator) copyVertex(m *Mesh, v int32, fans int, r *SeparateReport) bool {
	list := m.VertexTriangles[v]
	s.ring = append(s.ring[:0], list...)
	s.copies = append(s.copies[:0], v)
	for range fans - 1 {
		s.addCopy(m, v)
	}
	for _, part := range nudges {
		if s.tryCopies(m, v, float64(part*orDefault(s.Nudge, defaultNudge)), r) {
			return true
		}
	}
	s.giveBack(m, s.copies[1:])
	return false
}

// defaultNudge is that of a Separator. nudges are the parts of it, or of what is wanted for a cut, that are tried, one after another.
const defaultNudge = .1

var nudges = [3]float64{1, 1. / 4, 1. / 16}

// addCopy adds a vertex like another one, at its place.
func (s *Separator) addCopy(m *Mesh, v int32) {
	w := m.AddVertex(m.Position[v], m.Origin[v])
	m.Heavy[w] = m.Heavy[v]
	s.copies = append(s.copies, w)
}

// giveBack removes vertices that have got no triangles, in the order in which they are free again as before.
func (s *Separator) giveBack(m *Mesh, copies []int32) {
	for i := len(copies) - 1; i >= 0; i-- {
		m.RemoveVertex(copies[i])
	}
}

// tryCopies separates the fans of a vertex if that is safe with the copies so far from it.
func (s *Separator) tryCopies(m *Mesh, v int32, nudge float64, r *SeparateReport) bool {
	ed := &s.edit
	ed.reset()
	ed.apex = m.Position[v]
	for f, w := range s.copies {
		var middle r3.Vec
		n := 0.0
		for i, t := range s.ring {
			if s.fan[i] == int32(f) {
				a, b, c := m.Corners(t)
				middle = r3.Add(middle, reproducible.Scale(1.0/3, r3.Add(a, r3.Add(b, c))))
				n++
			}
		}
		d := r3.Sub(reproducible.Scale(1/n, middle), m.Position[v])
		ed.move(w, r3.Add(m.Position[v], reproducible.Scale(nudge, d)))
	}
	for i, t := range s.ring {
		ed.remove(t)
		w := replaced(m.Triangle[t], v, s.copies[s.fan[i]])
		ed.add(w[0], w[1], w[2], m.Label[t])
	}
	ed.prepare(m)
	if !ed.safe(m) {
		return false
	}
	r.Volume += ed.volume()
	ed.apply(m)
	return true
}

// replaced is a triangle with another vertex in the place of one.
func replaced(v [3]int32, from, to int32) [3]int32 {
	for i := range v {
		if v[i] == from {
			v[i] = to
		}
	}
	return v
}
