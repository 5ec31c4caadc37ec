package trimesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// renumbering is scratch of Compact: the new numbers of vertices and triangles.
type renumbering struct{ vertex, triangle []int32 }

// Set replaces the surface by other triangles, all of one label. Vertices that have no triangle are left out.
func (m *Mesh) Set(position []r3.Vec, triangles [][3]int32, label int32) {
	m.set(position, triangles, func(int) int32 { return label })
}

// SetLabelled is Set for triangles each of which has a label.
func (m *Mesh) SetLabelled(position []r3.Vec, triangles [][3]int32, label []int32) {
	m.set(position, triangles, func(t int) int32 { return label[t] })
}

func (m *Mesh) set(position []r3.Vec, triangles [][3]int32, label func(t int) int32) {
	m.Clear()
	for _, x := range position {
		m.AddVertex(x, 0)
	}
	for t, v := range triangles {
		m.AddTriangle(v[0], v[1], v[2], label(t))
	}
	m.Compact()
}

// AppendLabels lists the labels that there are, each once, in ascending order.
func (m *Mesh) AppendLabels(dst []int32) []int32 {
	for t, v := range m.Triangle {
		if at, found := slices.BinarySearch(dst, m.Label[t]); v[0] != Gone && !found {
			dst = slices.Insert(dst, at, m.Label[t])
		}
	}
	return dst
}

// Compact closes the gaps that removed vertices and triangles have left: what is left keeps its order and gets new numbers. Edges and all tables are made anew of the triangles, in their order, and so is the
// tree of boxes: what follows depends on vertices and triangles alone, and not on how they came about. Positions stay; targets and the rest go along with their vertices.
func (m *Mesh) Compact() {
	if !m.tidy {
		m.closeGaps()
	}
	if !m.planted {
		m.plant()
	}
}

// Renumber is Compact but for the tree of boxes, which stays as it has become.
func (m *Mesh) Renumber() {
	if m.tidy {
		return
	}
	m.closeGaps()
	m.Boxes.Renumber(m.renumber.triangle)
}

// closeGaps makes all but the tree anew, and lists the new numbers.
func (m *Mesh) closeGaps() {
	vertices := m.compactVertices()
	triangles := 0
	m.renumber.triangle = arrays.Resize(m.renumber.triangle, len(m.Triangle))
	for from, v := range m.Triangle {
		if v[0] == Gone {
			continue
		}
		m.renumber.triangle[from] = int32(triangles)
		to := &m.Triangle[triangles]
		for i := range 3 {
			to[i] = m.renumber.vertex[v[i]]
		}
		m.Label[triangles] = m.Label[from]
		triangles++
	}
	m.Position, m.Target, m.Heavy, m.Origin, m.changed = m.Position[:vertices], m.Target[:vertices], m.Heavy[:vertices], m.Origin[:vertices], m.changed[:vertices]
	m.Triangle, m.Label = m.Triangle[:triangles], m.Label[:triangles]
	m.freeVertices, m.freeTriangles = m.freeVertices[:0], m.freeTriangles[:0]
	m.tabulate()
}

// compactVertices moves the vertices that have triangles to the front, and returns how many there are.
func (m *Mesh) compactVertices() int {
	r := &m.renumber
	r.vertex = arrays.Resize(r.vertex, len(m.Position))
	n := 0
	for from := range m.Position {
		r.vertex[from] = Gone
		if len(m.VertexTriangles[from]) == 0 {
			continue
		}
		r.vertex[from] = int32(n)
		m.Position[n], m.Target[n], m.Heavy[n], m.Origin[n], m.changed[n] = m.Position[from], m.Target[from], m.Heavy[from], m.Origin[from], m.changed[from]
		n++
	}
	return n
}

// tabulate makes edges and tables of the triangles, which have no gaps.
func (m *Mesh) tabulate() {
	m.VertexEdges, m.VertexTriangles = emptied(m.VertexEdges, len(m.Position)), emptied(m.VertexTriangles, len(m.Position))
	m.Edge, m.EdgeTriangles, m.freeEdges = m.Edge[:0], m.EdgeTriangles[:0], m.freeEdges[:0]
	m.Sides = arrays.Resize(m.Sides, len(m.Triangle))
	for t := range m.Triangle {
		m.enter(int32(t))
	}
	m.tidy = true
	m.version++
}

// plant makes the tree of boxes anew.
func (m *Mesh) plant() {
	r := &m.renumber
	m.boxes, r.triangle = arrays.Resize(m.boxes, len(m.Triangle)), arrays.Resize(r.triangle, len(m.Triangle))
	for i := range m.Triangle {
		t := int32(i)
		m.boxes[t], r.triangle[t] = m.box(t), t
	}
	m.Boxes.Build(r.triangle, m.boxes)
	m.planted = true
}

// emptied is a table of n empty lists, in the memory of those that there were.
func emptied(lists [][]int32, n int) [][]int32 {
	for i := range lists {
		lists[i] = lists[i][:0]
	}
	for len(lists) < n {
		lists = another(lists)
	}
	return lists[:n]
}
