package stuffing

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// adjacency is Connect's scratch. A slab is a run of tetrahedra, one per worker. head is per slab and vertex the last face without a neighbour whose least vertex
// that is, as 4·tetrahedron + corner, or -1; the mesh's Neighbours hold the next one in the list, as ^(next+1), until the neighbour is found.
type adjacency struct {
	slabs int
	head  [][]int32
}

// Connect finds the mesh's neighbours, boundary faces, and the geometry of tetrahedra that don't share theirs.
func (m *Mesher) Connect(pool *par.Pool) {
	m.pool = pool
	mesh := &m.Mesh
	n := mesh.Tets()
	mesh.Neighbours = arrays.Resize(mesh.Neighbours, n)
	m.slabs = pool.Workers()
	for len(m.head) < m.slabs {
		m.head = append(m.head, nil)
	}
	par.For(pool, m.slabs, 1, m, (*Mesher).matchSlab)
	m.joinSlabs()
	m.counts = arrays.Resize(m.counts, par.Chunks(n, grain))
	par.For(pool, n, grain, m, (*Mesher).countBoundary)
	mesh.Boundary = arrays.Resize(mesh.Boundary, int(m.addCounts(0)))
	par.For(pool, n, grain, m, (*Mesher).finishChunk)
}

func (m *Mesher) matchSlab(_, from, to int) {
	mesh := &m.Mesh
	n := mesh.Tets()
	for slab := from; slab < to; slab++ {
		m.head[slab] = arrays.Resize(m.head[slab], mesh.Vertices())
		head := m.head[slab]
		for v := range head {
			head[v] = -1
		}
		for t := n * slab / m.slabs; t < n*(slab+1)/m.slabs; t++ {
			for corner := range 4 {
				mesh.match(head, int32(4*t+corner))
			}
		}
	}
}

// match finds the face that a face is the other side of in the list of its least vertex, makes them neighbours and takes it out of the list; if there is none it adds it to
// the list.
func (m *Mesh) match(head []int32, face int32) {
	t, corner := face>>2, face&3
	c, f := &m.Corners[t], &faceCorners[corner]
	u, v, w := c[f[0]], c[f[1]], c[f[2]]
	least, most := min(u, v, w), max(u, v, w)
	sum := u + v + w // may wrap around, as that which it is compared with
	link := &head[least]
	for before := int32(-1); ; {
		other := head[least]
		if before >= 0 {
			other = ^m.Neighbours[before>>2][before&3] - 1
		}
		if other < 0 {
			break
		}
		if d, k := &m.Corners[other>>2], other&3; d[0]+d[1]+d[2]+d[3]-d[k] == sum && holds(d, k, most) {
			next := m.Neighbours[other>>2][k]
			if before >= 0 {
				m.Neighbours[before>>2][before&3] = next
			} else {
				*link = ^next - 1
			}
			m.Neighbours[other>>2][k], m.Neighbours[t][corner] = t, other>>2
			return
		}
		before = other
	}
	m.Neighbours[t][corner] = ^(*link + 1)
	*link = face
}

// holds tells whether a vertex is a corner of a tetrahedron, other than corner k.
func holds(c *[4]int32, k, v int32) bool {
	return (c[0] == v || c[1] == v || c[2] == v || c[3] == v) && c[k] != v
}

// joinSlabs matches what the slabs have left without a neighbour.
func (m *Mesher) joinSlabs() {
	mesh := &m.Mesh
	all := m.head[0]
	for _, head := range m.head[1:m.slabs] {
		for _, face := range head {
			for face >= 0 {
				next := ^mesh.Neighbours[face>>2][face&3] - 1
				mesh.match(all, face)
				face = next
			}
		}
	}
}

func (m *Mesher) countBoundary(_, from, to int) {
	n := int32(0)
	for _, nb := range m.Mesh.Neighbours[from:to] {
		for _, t := range nb {
			n += int32(uint32(t) >> 31)
		}
	}
	m.counts[from/grain][0] = n
}

// finishChunk lists boundary faces, and measures.
func (m *Mesher) finishChunk(_, from, to int) {
	mesh := &m.Mesh
	b := m.counts[from/grain][0]
	for t := int32(from); t < int32(to); t++ {
		for corner, nb := range &mesh.Neighbours[t] {
			if nb < 0 {
				mesh.Neighbours[t][corner] = ^b
				mesh.Boundary[b] = mesh.boundaryFace(t, corner)
				b++
			}
		}
		if own := mesh.Geometry[t]; own >= 0 {
			c, pos := &mesh.Corners[t], mesh.Position
			mesh.Own[own] = measureShape(&pos[c[0]], &pos[c[1]], &pos[c[2]], &pos[c[3]])
		}
	}
}

func (m *Mesh) boundaryFace(t int32, corner int) Face {
	f := m.FaceVertices(t, corner)
	a, b, c := m.Flags[f[0]], m.Flags[f[1]], m.Flags[f[2]]
	face := Face{Tet: t, Corner: uint8(corner), Sides: a & b & c & anySide}
	switch held := OnSolid | anySide; {
	case face.Sides != 0:
		face.Kind = OfSide
	case a&held != 0 && b&held != 0 && c&held != 0 && (a|b|c)&OnSolid != 0:
		face.Kind = Solid
	}
	return face
}
