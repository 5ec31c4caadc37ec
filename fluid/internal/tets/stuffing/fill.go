package stuffing

import (
	"sync/atomic"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// countTets counts what becomes of the tetrahedra, chunk by chunk, and finds the partners of vertices beyond.
//
// It fills those whose corners are all on the surface if the field is negative in them, by the mean of its values at the corners before they were
// moved, and if their angles keep the bounds. Labelle and Shewchuk fill none of them, and sheets of a leaf's thickness have holes.
func (m *Mesher) countTets() {
	n := m.l.Tets()
	m.filled, m.needed = arrays.Resize(m.filled, n/32+1), arrays.Resize(m.needed, m.l.Vertices()/32+1)
	clear(m.filled)
	clear(m.needed)
	m.tets = arrays.Resize(m.tets, par.Chunks(n, grain))
	par.For(m.pool, n, grain, m, (*Mesher).countChunk)
}

func (m *Mesher) countChunk(_, from, to int) {
	count := tetCount{}
	corners, after := m.l.Corners, m.after
	for t := from; t < to; t++ {
		code, isMoved := codeOf(after, &corners[t])
		switch k := stencilOf[code]; {
		case k == dropped || k == flat && !m.fillsFlat(int32(t)):
		case k < firstStencil:
			count.all++
			if isMoved {
				count.own++
			}
		default:
			n := int32(stencils[k-firstStencil].n)
			count.all, count.own = count.all+n, count.own+n
			m.noteCut(int32(t))
		}
	}
	count.none, count.whole = count.all == 0, int(count.all) == to-from && count.own == 0
	m.tets[from/grain] = count
}

// noteCut counts a tetrahedron that is cut, and finds the partner of a corner beyond.
func (m *Mesher) noteCut(t int32) {
	last, beyond := int32(-1), int32(-1)
	for _, v := range m.l.Corners[t] {
		if m.l.Beyond[v] {
			beyond = v
		} else if m.l.Cell[v] >= 0 {
			last = v
		}
	}
	if beyond >= 0 {
		atomic.StoreInt32(&m.partner[beyond], last)
	}
	if m.l.Shapes[t] == bcc.Whole {
		part, level := &m.crossed[t/grain], m.l.Level[last]
		if part.cut[level]++; part.cut[level] == 1 {
			part.first[level] = t
		}
	}
}

// fillsFlat tells whether a tetrahedron is filled whose corners are all on the surface, and marks it and its corners.
func (m *Mesher) fillsFlat(t int32) bool {
	c := &m.l.Corners[t]
	if !m.isFlatInside(c) {
		return false
	}
	setBit(m.filled, t)
	for _, v := range c {
		setBit(m.needed, v)
	}
	return true
}

func (m *Mesher) isFlatInside(c *[4]int32) bool {
	sum := 0.
	var at [4][3]float64
	for i, v := range c {
		in, solid := m.values(v)
		sum += max(in, solid)
		at[i] = m.movedTo(v)
	}
	if !(sum < 0) {
		return false
	}
	s := measureShape(&at[0], &at[1], &at[2], &at[3])
	if !(s.Volume > 0) {
		return false
	}
	least, most := s.angles()
	return least >= m.Alpha.Least && most <= m.Alpha.Most
}

// movedTo is where a vertex of the lattice is in the mesh.
func (m *Mesher) movedTo(v int32) [3]float64 {
	if m.after[v]&moved == 0 {
		return m.l.Position[v]
	}
	at, _ := m.cutAt(m.snapped[v])
	return at
}

// numberVertices numbers the mesh's vertices and says where they are: those of the lattice in its order, then the cuts in the order of their edges.
func (m *Mesher) numberVertices() {
	n := m.l.Vertices()
	m.index = arrays.Resize(m.index, n)
	m.counts = arrays.Resize(m.counts, par.Chunks(n, grain))
	par.For(m.pool, n, grain, m, (*Mesher).countVertices)
	ofLattice := m.addCounts()
	cuts := int32(0)
	for i := range m.cuts {
		if c := &m.cuts[i]; m.opposite(m.after, c.edge) {
			c.id = ofLattice + cuts
			cuts++
		}
	}
	m.Mesh.resizeVertices(int(ofLattice + cuts))
	par.For(m.pool, n, grain, m, (*Mesher).placeVertices)
	par.For(m.pool, len(m.cuts), grain, m, (*Mesher).placeCuts)
}

// used tells whether a vertex is a corner of a tetrahedron that is filled: it is inside, or on the surface and has an edge to one that is, or a
// tetrahedron of such corners alone needs it. One beyond stands for the middle of its edge to the centre within.
func (m *Mesher) used(v int32) bool {
	switch s := m.after[v]; {
	case m.l.Beyond[v]:
		return m.partner[v] >= 0 && isIn(m.after[m.partner[v]])
	case hasBit(m.needed, v):
		return true
	case s&signMask == surface:
		l := m.l
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			if ends := &l.Ends[e]; isIn(m.after[ends[0]]) || isIn(m.after[ends[1]]) {
				return true
			}
		}
		return false
	default:
		return isIn(s)
	}
}

func (m *Mesher) countVertices(_, from, to int) {
	n := int32(0)
	for v := int32(from); v < int32(to); v++ {
		if m.index[v] = -1; m.used(v) {
			m.index[v] = 0
			n++
		}
	}
	m.counts[from/grain] = n
}

func (m *Mesher) placeVertices(_, from, to int) {
	l, mesh := m.l, &m.Mesh
	id := m.counts[from/grain]
	for v := int32(from); v < int32(to); v++ {
		if m.index[v] < 0 {
			continue
		}
		m.index[v] = id
		mesh.Origin[id] = v
		s, at, sides := m.after[v], l.Position[v], m.sides[v]
		switch {
		case l.Beyond[v]:
			at, sides = m.middle(v)
			s = surface
		case s&moved != 0:
			at, sides = m.cutAt(m.snapped[v])
		}
		mesh.Position[id], mesh.Flags[id] = at, flags(s, sides)
		id++
	}
}

// middle is where the edge to a vertex beyond the layout passes the layout's side, and that side.
func (m *Mesher) middle(v int32) (at [3]float64, side uint8) {
	a, b := &m.l.Position[m.partner[v]], &m.l.Position[v]
	for i := range at {
		at[i] = a[i] + float64(.5*(b[i]-a[i]))
		if at[i] > a[i] && b[i] > m.hi[i] {
			at[i], side = m.hi[i], side|2<<(2*i)
		}
		if at[i] < a[i] && b[i] < m.lo[i] {
			at[i], side = m.lo[i], side|1<<(2*i)
		}
	}
	return at, side
}

// cutAt is where a cut lies, and the sides of the layout that its edge lies on.
func (m *Mesher) cutAt(c int32) (at [3]float64, sides uint8) {
	cut := &m.cuts[c]
	a, b := m.l.Ends[cut.edge][0], m.l.Ends[cut.edge][1]
	p := along(&m.l.Position[a], &m.l.Position[b], cut.t)
	return [3]float64{p.X, p.Y, p.Z}, m.sides[a] & m.sides[b]
}

func (m *Mesher) placeCuts(_, from, to int) {
	mesh := &m.Mesh
	for i := int32(from); i < int32(to); i++ {
		c := &m.cuts[i]
		if !m.opposite(m.after, c.edge) {
			continue
		}
		at, sides := m.cutAt(i)
		s := uint8(surface)
		if c.solid {
			s |= onSolid
		}
		mesh.Position[c.id], mesh.Flags[c.id], mesh.Origin[c.id] = at, flags(s, sides), ^c.edge
	}
}

// flags are a vertex's in the mesh, by its state and the sides that it lies on.
func flags(state, sides uint8) (f uint16) {
	f = uint16(sides) << sideShift
	if state&signMask == surface {
		f |= OnSurface
	}
	if state&onSolid != 0 {
		f |= OnSolid
	}
	if state&resting != 0 {
		f |= InPlace
	}
	return f
}

// tetCount is what a chunk of the lattice's tetrahedra become: tetrahedra in all, with geometry of their own, and with a class that has not been known.
// Once added up, the first two are what those of the chunks before become. none and whole tell that nothing of the chunk is filled, and that all of
// it is as it stands.
type tetCount struct {
	all, own, unknown int32
	none, whole       bool
}

// fillTets makes the tetrahedra, in the order of those of the lattice.
func (m *Mesher) fillTets() {
	sum := tetCount{}
	for c := range m.tets {
		n := &m.tets[c]
		n.all, n.own, sum.all, sum.own = sum.all, sum.own, sum.all+n.all, sum.own+n.own
	}
	m.Mesh.resizeTets(int(sum.all), int(sum.own))
	par.For(m.pool, m.l.Tets(), grain, m, (*Mesher).fillChunk)
	m.learnClasses()
}

// codeOf is a tetrahedron's code, and whether one of its corners has been moved, or may be once settle knows what is around.
func codeOf(after []uint8, c *[4]int32) (code uint32, isMoved bool) {
	a, b, d, e := uint32(after[c[0]]), uint32(after[c[1]]), uint32(after[c[2]]), uint32(after[c[3]])
	return a&codeMask | b&codeMask<<codeBits | d&codeMask<<(2*codeBits) | e&codeMask<<(3*codeBits), (a|b|d|e)&(moved|resting) != 0
}

func (m *Mesher) fillChunk(_, from, to int) {
	part := &m.tets[from/grain]
	id, own := part.all, part.own
	switch {
	case part.none:
		return
	case part.whole:
		for t := int32(from); t < int32(to); t++ {
			m.keepTet(t, id+t-int32(from))
		}
		return
	}
	mesh := &m.Mesh
	for t := int32(from); t < int32(to); t++ {
		code, isMoved := codeOf(m.after, &m.l.Corners[t])
		k := stencilOf[code]
		if k == dropped || k == flat && !hasBit(m.filled, t) {
			continue
		}
		n := uint8(1)
		if k >= firstStencil {
			n = m.divideTet(t, id, k)
		} else if m.keepTet(t, id); !isMoved {
			id++
			continue
		}
		for range n {
			mesh.Source[id], mesh.Geometry[id] = t, own
			id, own = id+1, own+1
		}
	}
}

// keepTet makes a tetrahedron of the lattice one of the mesh, of a standard shape.
func (m *Mesher) keepTet(t, id int32) {
	c, index, mesh := &m.l.Corners[t], m.index, &m.Mesh
	class := m.classOf(c)
	if class == unknownClass {
		m.tets[t/grain].unknown++
	}
	mesh.Corners[id] = [4]int32{index[c[0]], index[c[1]], index[c[2]], index[c[3]]}
	mesh.Source[id], mesh.Geometry[id] = t, ^class
}

// divideTet writes the corners of what a tetrahedron that the surface cuts is divided into, from number id on, and returns how many they are.
func (m *Mesher) divideTet(t, id int32, k uint16) uint8 {
	l := m.l
	c := &l.Corners[t]
	s := &stencils[k-firstStencil]
	if s.byParity && odd(&l.Position[c[s.a]], &l.Position[c[s.c]]) == (m.state[c[s.a]]&centred != 0) {
		s = &stencils[k-firstStencil+1]
	}
	for i := range s.tets[:s.n] {
		dst := &m.Mesh.Corners[id+int32(i)]
		for j, p := range &s.tets[i] {
			if p.whole() {
				dst[j] = m.index[c[j]]
			} else {
				dst[j] = m.cutVertex(c[p.from], c[p.to])
			}
		}
	}
	return s.n
}

// cutVertex is the vertex where the edge between two of the lattice is cut.
func (m *Mesher) cutVertex(v, w int32) int32 {
	l := m.l
	if l.Beyond[w] {
		return m.index[w]
	}
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		if ends := l.Ends[e]; ends[0] == w || ends[1] == w {
			return m.cuts[m.cutOf[e]].id
		}
	}
	return -1
}
