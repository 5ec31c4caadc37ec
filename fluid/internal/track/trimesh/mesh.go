// Package trimesh moves closed surfaces of triangles through each other's way without a tangle, keeps their triangles good, and lets them merge and
// separate.
//
// A surface is a soup of triangles with tables of what meets what. An edge may have any even number of triangles: where two parts of the surface
// touch along it there are four. Every edge has as many triangles that run along it one way as the other, so that the surface is closed. The promise is that a surface
// without intersections has none after any operation of this package: see Check.
//
// Lengths are in m and times in s. All arithmetic has the same bits on every machine.
//
// Source: Brochu 2006, chapter 3; Brochu and Bridson 2009.
package trimesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Gone stands for a vertex of a triangle that has been removed, and for what does not exist.
const Gone int32 = -1

// Mesh is the triangles and their tables. Vertices, edges and triangles keep their numbers until Compact; those that are removed leave a gap. Read the arrays
// as you like; change them by methods alone, but for Target, Origin and Heavy.
type Mesh struct {
	// Position is where each vertex is, and Target where it wants to be at the end of the step.
	Position, Target []r3.Vec
	// Heavy vertices are moved by no impulse.
	Heavy []bool
	// Origin is what the caller wants to know of a vertex again, such as which piece it was of. A new vertex has that of the end, of the edge that it splits, with the lower number.
	Origin []int32

	// Triangle has the three vertices, counter-clockwise seen from outside, or Gone thrice.
	Triangle [][3]int32
	// Label says of which surface a triangle is. Surfaces of different labels never merge; one of a negative label not even with itself.
	Label []int32
	// Sides has the edges of a triangle: Sides[t][i] is that from vertex i to the next.
	Sides [][3]int32

	// Edge has the two vertices, the lower first, or Gone twice.
	Edge [][2]int32
	// EdgeTriangles, VertexEdges and VertexTriangles list what meets there, in no order that means anything but the same in every run.
	EdgeTriangles, VertexEdges, VertexTriangles [][]int32

	// Boxes holds a box around each triangle, at Position: see Refit.
	Boxes geom.BoxTree

	changed                                []bool // per vertex: triangles have come or gone there since ForgetChanges
	freeVertices, freeEdges, freeTriangles []int32
	tidy                                   bool   // nothing has come or gone since Compact
	planted                                bool   // the tree is as plant makes it of the triangles as they are
	version                                uint64 // is another one when vertices, edges or triangles have come, gone or got other numbers
	renumber                               renumbering
	found                                  []int32  // scratch of questions: triangles
	boxes                                  []r3.Box // scratch of Refit and Compact
}

// Vertices is how many there are.
func (m *Mesh) Vertices() int { return len(m.Position) - len(m.freeVertices) }

// Edges is how many there are.
func (m *Mesh) Edges() int { return len(m.Edge) - len(m.freeEdges) }

// Triangles is how many there are.
func (m *Mesh) Triangles() int { return len(m.Triangle) - len(m.freeTriangles) }

// Clear removes everything.
func (m *Mesh) Clear() {
	m.change()
	m.Position, m.Target, m.Heavy, m.Origin, m.changed = m.Position[:0], m.Target[:0], m.Heavy[:0], m.Origin[:0], m.changed[:0]
	m.Triangle, m.Label, m.Sides, m.Edge = m.Triangle[:0], m.Label[:0], m.Sides[:0], m.Edge[:0]
	m.EdgeTriangles, m.VertexEdges, m.VertexTriangles = m.EdgeTriangles[:0], m.VertexEdges[:0], m.VertexTriangles[:0]
	m.freeVertices, m.freeEdges, m.freeTriangles = m.freeVertices[:0], m.freeEdges[:0], m.freeTriangles[:0]
	m.Boxes.Clear()
}

// AddVertex adds a vertex without triangles, and returns its number.
func (m *Mesh) AddVertex(x r3.Vec, origin int32) int32 {
	m.change()
	if n := len(m.freeVertices); n > 0 {
		v := m.freeVertices[n-1]
		m.freeVertices = m.freeVertices[:n-1]
		m.Position[v], m.Target[v], m.Heavy[v], m.Origin[v], m.changed[v] = x, x, false, origin, true
		return v
	}
	m.Position, m.Target = append(m.Position, x), append(m.Target, x)
	m.Heavy, m.Origin, m.changed = append(m.Heavy, false), append(m.Origin, origin), append(m.changed, true)
	m.VertexEdges, m.VertexTriangles = another(m.VertexEdges), another(m.VertexTriangles)
	return int32(len(m.Position) - 1)
}

// RemoveVertex removes a vertex that has no triangles.
func (m *Mesh) RemoveVertex(v int32) {
	m.change()
	if len(m.VertexTriangles[v]) > 0 {
		panic("trimesh: RemoveVertex: the vertex has triangles")
	}
	m.freeVertices = append(m.freeVertices, v)
}

// AddTriangle adds a triangle of three different vertices, and returns its number.
func (m *Mesh) AddTriangle(a, b, c, label int32) int32 {
	m.change()
	if a == b || b == c || c == a {
		panic("trimesh: AddTriangle: the vertices are not different")
	}
	var t int32
	if n := len(m.freeTriangles); n > 0 {
		t = m.freeTriangles[n-1]
		m.freeTriangles = m.freeTriangles[:n-1]
	} else {
		t = int32(len(m.Triangle))
		m.Triangle, m.Label, m.Sides = append(m.Triangle, [3]int32{}), append(m.Label, 0), append(m.Sides, [3]int32{})
	}
	m.Triangle[t], m.Label[t] = [3]int32{a, b, c}, label
	m.changed[a], m.changed[b], m.changed[c] = true, true, true
	m.enter(t)
	m.Boxes.Set(t, m.box(t))
	return t
}

// enter enters a triangle into the tables.
func (m *Mesh) enter(t int32) {
	v := m.Triangle[t]
	for i := range 3 {
		e := m.edge(v[i], v[(i+1)%3])
		m.Sides[t][i] = e
		m.EdgeTriangles[e] = append(m.EdgeTriangles[e], t)
		m.VertexTriangles[v[i]] = append(m.VertexTriangles[v[i]], t)
	}
}

// RemoveTriangle removes a triangle, with those of its edges that have no other. Its vertices stay.
func (m *Mesh) RemoveTriangle(t int32) {
	m.change()
	v := m.Triangle[t]
	m.changed[v[0]], m.changed[v[1]], m.changed[v[2]] = true, true, true
	for i, e := range m.Sides[t] {
		m.EdgeTriangles[e] = without(m.EdgeTriangles[e], t)
		m.VertexTriangles[v[i]] = without(m.VertexTriangles[v[i]], t)
		if len(m.EdgeTriangles[e]) == 0 {
			ends := m.Edge[e]
			for _, end := range ends {
				m.VertexEdges[end] = without(m.VertexEdges[end], e)
			}
			m.Edge[e] = [2]int32{Gone, Gone}
			m.freeEdges = append(m.freeEdges, e)
		}
	}
	m.Triangle[t] = [3]int32{Gone, Gone, Gone}
	m.freeTriangles = append(m.freeTriangles, t)
	m.Boxes.Remove(t)
}

// Move puts a vertex, with its target, somewhere else.
func (m *Mesh) Move(v int32, x r3.Vec) {
	m.Position[v], m.Target[v] = x, x
	m.planted = false
	for _, t := range m.VertexTriangles[v] {
		m.Boxes.Set(t, m.box(t))
	}
}

// Refit makes the boxes of all triangles anew, at their positions.
func (m *Mesh) Refit() {
	m.planted = false
	m.boxes = arrays.Resize(m.boxes, len(m.Triangle))
	for t := range m.Triangle {
		if m.Triangle[t][0] != Gone {
			m.boxes[t] = m.box(int32(t))
		}
	}
	m.Boxes.SetAll(m.boxes)
}

// change notes that vertices or triangles come or go.
func (m *Mesh) change() {
	m.tidy, m.planted = false, false
	m.version++
}

// ForgetChanges has no vertex count as changed: see Improver.ImproveChanged.
func (m *Mesh) ForgetChanges() { clear(m.changed) }

// FindEdge is the edge between two vertices, or Gone.
func (m *Mesh) FindEdge(a, b int32) int32 {
	if len(m.VertexEdges[b]) < len(m.VertexEdges[a]) {
		a, b = b, a
	}
	for _, e := range m.VertexEdges[a] {
		if ends := m.Edge[e]; ends[0] == b || ends[1] == b {
			return e
		}
	}
	return Gone
}

// Other is the end of an edge that is not v.
func (m *Mesh) Other(e, v int32) int32 { return m.Edge[e][0] + m.Edge[e][1] - v }

// Opposite is the vertex of a triangle that is not on an edge of it.
func (m *Mesh) Opposite(t, e int32) int32 {
	v := m.Triangle[t]
	return v[0] + v[1] + v[2] - m.Edge[e][0] - m.Edge[e][1]
}

// Along tells whether a triangle runs from a to b, two of its vertices, and not from b to a.
func (m *Mesh) Along(t, a, b int32) bool {
	v := m.Triangle[t]
	return v[0] == a && v[1] == b || v[1] == a && v[2] == b || v[2] == a && v[0] == b
}

// Corners are where the vertices of a triangle are.
func (m *Mesh) Corners(t int32) (a, b, c r3.Vec) {
	v := m.Triangle[t]
	return m.Position[v[0]], m.Position[v[1]], m.Position[v[2]]
}

// edge is that between two vertices, made if there is none.
func (m *Mesh) edge(a, b int32) int32 {
	if e := m.FindEdge(a, b); e != Gone {
		return e
	}
	var e int32
	if n := len(m.freeEdges); n > 0 {
		e = m.freeEdges[n-1]
		m.freeEdges = m.freeEdges[:n-1]
	} else {
		e = int32(len(m.Edge))
		m.Edge, m.EdgeTriangles = append(m.Edge, [2]int32{}), another(m.EdgeTriangles)
	}
	m.Edge[e] = [2]int32{min(a, b), max(a, b)}
	m.VertexEdges[a], m.VertexEdges[b] = append(m.VertexEdges[a], e), append(m.VertexEdges[b], e)
	return e
}

// box is that of a triangle.
func (m *Mesh) box(t int32) r3.Box {
	v := m.Triangle[t]
	b := r3.Box{Min: m.Position[v[0]], Max: m.Position[v[0]]}
	for _, w := range v {
		boxes.Enclose(&b, &m.Position[w])
	}
	return b
}

// another is a table with one more list, which is empty; its memory is that of one that was there before.
func another(lists [][]int32) [][]int32 {
	if n := len(lists); n < cap(lists) {
		lists = lists[:n+1]
		lists[n] = lists[n][:0]
		return lists
	}
	return append(lists, nil)
}

// without is a list without an element, in whose place the last one comes.
func without(list []int32, x int32) []int32 {
	i := slices.Index(list, x)
	last := len(list) - 1
	list[i] = list[last]
	return list[:last]
}
