package stuffing

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// adjacency is Connect's scratch. A slab is a run of tetrahedra, one per worker. head is per slab and bucket the last face without a neighbour that
// belongs there, as ^(4·tetrahedron + corner), or noFace; the mesh's Neighbours hold the next one in the list until the neighbour is found.
type adjacency struct {
	slabs int
	head  [][]int32
}

const noFace = math.MinInt32

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
	mesh.Boundary = arrays.Resize(mesh.Boundary, int(m.addCounts()))
	par.For(pool, n, grain, m, (*Mesher).finishChunk)
}

func (m *Mesher) matchSlab(_, from, to int) {
	mesh := &m.Mesh
	n := mesh.Tets()
	for slab := from; slab < to; slab++ {
		m.head[slab] = arrays.Resize(m.head[slab], buckets*mesh.Vertices())
		head := m.head[slab]
		for v := range head {
			head[v] = noFace
		}
		for t := n * slab / m.slabs; t < n*(slab+1)/m.slabs; t++ {
			mesh.matchAll(head, int32(t))
		}
	}
}

// matchAll matches the four faces of a tetrahedron.
func (m *Mesh) matchAll(head []int32, t int32) {
	c := &m.Corners[t]
	low, high := min(c[0], c[1]), max(c[0], c[1])
	low2, high2 := min(c[2], c[3]), max(c[2], c[3])
	least, most := min(low, low2), max(high, high2)
	secondLeast, secondMost := min(max(low, low2), high, high2), max(min(high, high2), low, low2)
	sum := c[0] + c[1] + c[2] + c[3] // may wrap around, as that which it is compared with
	for k, v := range c {
		a, b := least, most
		if v == least {
			a = secondLeast
		}
		if v == most {
			b = secondMost
		}
		m.match(head, t, int32(k), a, b, sum-v)
	}
}

// buckets is how many lists each vertex has, so that they are short.
const buckets = 8

func bucketOf(least, sum int32) int { return buckets*int(least) + int(sum&(buckets-1)) }

// match finds the other side of the face opposite of a corner in the list that it belongs to, makes the two tetrahedra neighbours and takes it out of
// the list; if it isn't there it adds the face. The least and the greatest of its vertices and the sum of all three identify a face.
func (m *Mesh) match(head []int32, t, corner, least, most, sum int32) {
	link := &head[bucketOf(least, sum)]
	for {
		if *link == noFace {
			break
		}
		other := ^*link
		nb := &m.Neighbours[other>>2][other&3]
		if d, k := &m.Corners[other>>2], other&3; d[0]+d[1]+d[2]+d[3]-d[k] == sum && holds(d, k, most) {
			*link = *nb
			*nb, m.Neighbours[t][corner] = t, other>>2
			return
		}
		link = nb
	}
	m.Neighbours[t][corner] = noFace
	*link = ^(4*t + corner)
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
		for bucket, face := range head {
			for face != noFace {
				t, corner := ^face>>2, ^face&3
				face = mesh.Neighbours[t][corner]
				f := mesh.FaceVertices(t, int(corner))
				mesh.match(all, t, corner, int32(bucket/buckets), max(f[0], f[1], f[2]), f[0]+f[1]+f[2])
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
	m.counts[from/grain] = n
}

// finishChunk lists boundary faces, and measures.
func (m *Mesher) finishChunk(_, from, to int) {
	mesh := &m.Mesh
	b := m.counts[from/grain]
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
