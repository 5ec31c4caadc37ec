package transport

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// none is no vertex, edge or tetrahedron.
const none int32 = -1

// mesh is what transport needs to know of a lattice besides what that tells.
//
// Beyond the layout's sides the velocity is the mirror image of that within, as liquid has it that slips along them: an edge to a vertex beyond is then the same as
// its image, and one across a side has no velocity.
type mesh struct {
	*bcc.Lattice
	grid    *layout.Grid
	perBase float64                      // one over a base cell's edge, 1/m
	cell    [layout.MaxLevel + 1]float64 // edge of the cells of each level, m

	kind   []uint8      // per tetrahedron: of a whole one which, see wholes, else irregular
	size   []uint8      // per whole tetrahedron: the level of the cells that it joins
	edges  [][6]int32   // per tetrahedron: its edges, in the order of pairs, twice their number, plus 1 for one that runs the other way; see still
	around [][24]int32  // per vertex: the whole tetrahedra around it, by wedge, or none
	link   [][14]int32  // per vertex that is a cell's centre: the cell's corners, by octant, then the centres on its sides, if a whole tetrahedron joins them, or none
	closed []uint8      // per vertex: whether its Voronoi cell is that of the uniform lattice, as all 24 are there and of one size; see open
	half   [][3]int8    // per vertex: -1 or 1 for an axis across which it is on the low or the high side of the layout
	twin   []int32      // per vertex: of one beyond the layout its image, else none
	base   []int32      // per vertex: the base cell that it belongs to
	rim    []bool       // per vertex: its cell or that of one beside it is not that of the uniform lattice
	normal [][3]float64 // per edge: the unit vector along it
	builds int          // of the lattice: what was made since is to be made here
	quiet  int32        // still of the lattice then
	ring   []uint8      // per edge: how many tetrahedra go around it, if all are whole and of one size, else 0; those beyond a side count, and inSide is added
}

// Whether a Voronoi cell is that of the uniform lattice.
const (
	open     uint8 = iota // it is not
	mirrored              // it is with its mirror image beyond the layout's sides
	closed
)

// inSide marks an edge on a side of the layout. The tetrahedra around it that lie within count twice, as do those that they mirror.
const inSide uint8 = 64

// still is the edge, in mesh.edges, that goes across a side of the layout; and what of a tetrahedron can't be told.
func (m *mesh) still() int32 { return int32(2 * m.Edges()) }

// build makes the mesh that of a lattice on the grid. If it was that of the same one before, only what was made since in that is made here.
func (m *mesh) build(l *bcc.Lattice, g *layout.Grid, pool *par.Pool) {
	if m.Lattice != l || m.grid != g || l.Vertices() > cap(m.around) || l.Tets() > cap(m.kind) || l.Edges() > cap(m.ring) {
		m.builds = -1
	}
	m.Lattice, m.grid, m.perBase = l, g, 1/(g.H*layout.Edge)
	for level := range m.cell {
		m.cell[level] = g.CellSize(uint8(level))
	}
	v, t := l.Vertices(), l.Tets()
	m.kind, m.size, m.edges = arrays.Resize(m.kind, t), arrays.Resize(m.size, t), arrays.Resize(m.edges, t)
	m.around, m.closed, m.base = arrays.Resize(m.around, v), arrays.Resize(m.closed, v), arrays.Resize(m.base, v)
	m.half, m.twin, m.ring = arrays.Resize(m.half, v), arrays.Resize(m.twin, v), arrays.Resize(m.ring, l.Edges())
	m.link = arrays.Resize(m.link, v)
	m.rim, m.normal = arrays.Resize(m.rim, v), arrays.Resize(m.normal, l.Edges())
	for _, pass := range [5]func(*mesh, int, int32){(*mesh).begin, (*mesh).listEdges, (*mesh).listAround, (*mesh).close, (*mesh).findRim} {
		par.Each(pool, g.Bases(), baseGrain, m, pass)
	}
	m.builds, m.quiet = l.Builds(), m.still()
}

// isStale tells whether what a base cell has is to be made.
func (m *mesh) isStale(b int32) bool { return m.IsSince(b, m.builds) }

// isBesideStale tells whether that is so of the base cell or of one around.
func (m *mesh) isBesideStale(b int32) bool {
	for _, nb := range m.grid.Nearby(b) {
		if nb != layout.None && m.isStale(nb) {
			return true
		}
	}
	return false
}

// baseGrain is how many base cells make a chunk.
const baseGrain = 2

// begin tells of a base cell's vertices and tetrahedra what they tell by themselves.
func (m *mesh) begin(_ int, b int32) {
	if !m.isStale(b) {
		m.renumberStill(b)
		return
	}
	lo, hi := m.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		for i := range m.around[v] {
			m.around[v][i] = none
		}
		m.half[v], m.twin[v], m.base[v] = m.sides(v), none, b
		if m.Beyond[v] {
			m.twin[v] = m.imageOf(b, v)
		}
	}
	from, to := m.TetRuns.Of(b)
	for t := from; t < to; t++ {
		m.edges[t] = [6]int32{none, none, none, none, none, none}
		m.kind[t] = irregular
		if m.Shapes[t] == bcc.Whole {
			m.kind[t], m.size[t] = m.kindOf(t)
		}
	}
}

// renumberStill gives what stands for a still edge its new number in a base cell that is kept.
func (m *mesh) renumberStill(b int32) {
	is := m.still()
	if is == m.quiet || !m.atSide(b) {
		return
	}
	lo, hi := m.TetRuns.Of(b)
	for t := lo; t < hi; t++ {
		for i, k := range &m.edges[t] {
			if k == m.quiet {
				m.edges[t][i] = is
			}
		}
	}
}

// atSide tells whether a base cell is at a side of the layout.
func (m *mesh) atSide(b int32) bool { return slices.Contains(m.grid.Neighbour[b][:], layout.None) }

// sides tells on which sides of the layout a vertex is.
func (m *mesh) sides(v int32) (on [3]int8) {
	g := m.grid
	for a, x := range m.Position[v] {
		switch at, most := (x-g.Origin[a])/g.H, float64(g.Dim[a]*layout.Edge); {
		case math.Abs(at) < .1:
			on[a] = -1
		case math.Abs(at-most) < .1:
			on[a] = 1
		}
	}
	return on
}

// imageOf is the centre of the cell of a base cell that mirrors a vertex beyond.
func (m *mesh) imageOf(b, v int32) int32 {
	p := m.grid.ToPoint(m.Position[v][0], m.Position[v][1], m.Position[v][2])
	at := m.grid.BaseCoords(b)
	return m.centreIn(b, p.X-float64(at[0]), p.Y-float64(at[1]), p.Z-float64(at[2]))
}

// centreIn is the centre of the cell of a base cell that is nearest to a place, given in base cells from its low corner.
func (m *mesh) centreIn(b int32, x, y, z float64) int32 {
	first := m.VertexRuns[b]
	n := 1 << m.Level[first]
	s := float64(n)
	i, j, k := max(0, min(int(x*s), n-1)), max(0, min(int(y*s), n-1)), max(0, min(int(z*s), n-1))
	return first + int32(i+n*(j+n*k))
}

// kindOf is the kind of a whole tetrahedron and the level of its cells.
func (m *mesh) kindOf(t int32) (kind, level uint8) {
	c := &m.Corners[t]
	for _, v := range c {
		if m.Cell[v] >= 0 {
			level = m.Level[v]
		}
	}
	half, o := 2/m.grid.CellSize(level), &m.Position[c[0]]
	var step [3]int8
	for i, v := range c[1:] {
		x := &m.Position[v]
		key := int(float64((x[0]-o[0])*half)+2.5) + 5*int(float64((x[1]-o[1])*half)+2.5) + 25*int(float64((x[2]-o[2])*half)+2.5)
		step[i] = stepOf[key]
	}
	return kindOf[step[0]][step[1]][step[2]], level
}

// listEdges enters a base cell's edges in the tetrahedra around them.
func (m *mesh) listEdges(_ int, b int32) {
	if !m.isBesideStale(b) {
		return
	}
	lo, hi := m.EdgeRuns.Of(b)
	tets := int32(m.Tets())
	for e := lo; e < hi; e++ {
		ends, ring := m.Ends[e], m.Ring[m.RingRuns[e]:m.RingRuns[e+1]]
		regular := true
		for _, t := range ring {
			if t >= tets {
				continue
			}
			regular = regular && m.kind[t] != irregular
			c, own := &m.Corners[t], 2*e
			p, q := cornerOf(c, ends[0]), cornerOf(c, ends[1])
			if p > q {
				own++
			}
			m.edges[t][between[p&3][q&3]] = own
		}
		m.normal[e] = m.Normal(e)
		m.ring[e] = 0
		if regular {
			m.ring[e] = m.ringOf(e)
		}
	}
}

// cornerOf is which corner of a tetrahedron a vertex is, without branches, which would go either way as often.
func cornerOf(c *[4]int32, v int32) (corner int) {
	if c[1] == v {
		corner = 1
	}
	if c[2] == v {
		corner = 2
	}
	if c[3] == v {
		corner = 3
	}
	return corner
}

// ringOf is what ring says of an edge around which are whole tetrahedra alone.
func (m *mesh) ringOf(e int32) uint8 {
	ring := m.Ring[m.RingRuns[e]:m.RingRuns[e+1]]
	count, size, inside := 0, m.size[ring[0]], !m.onSide(e)
	for _, t := range ring {
		switch {
		case int(t) >= m.Tets():
			continue
		case m.size[t] != size:
			return 0
		case inside:
			count++
		default:
			count += m.inSideCount(t)
		}
	}
	switch {
	case inside && (count == 4 && m.isLong(e) || count == 6):
		return uint8(count)
	case !inside && (count == 4 || count == 2):
		return uint8(count) | inSide
	}
	return 0
}

// inSideCount is how often a tetrahedron counts that is around an edge on a side.
func (m *mesh) inSideCount(t int32) int {
	for _, v := range &m.Corners[t] {
		if m.Beyond[v] {
			return 1
		}
	}
	return 2
}

// onSide tells whether an edge lies in a side of the layout.
func (m *mesh) onSide(e int32) bool {
	p, q := &m.half[m.Ends[e][0]], &m.half[m.Ends[e][1]]
	return p[0] != 0 && p[0] == q[0] || p[1] != 0 && p[1] == q[1] || p[2] != 0 && p[2] == q[2]
}

// isLong tells whether an edge of the uniform lattice is as long as a cell's: its ends are two centres, or two corners.
func (m *mesh) isLong(e int32) bool {
	return m.Cell[m.Ends[e][0]] >= 0 == (m.Cell[m.Ends[e][1]] >= 0)
}

// listAround enters a base cell's tetrahedra at their corners, and completes their edges by those that they mirror.
func (m *mesh) listAround(_ int, b int32) {
	if !m.isBesideStale(b) {
		return
	}
	atSide := m.atSide(b)
	lo, hi := m.TetRuns.Of(b)
	for t := lo; t < hi; t++ {
		c := &m.Corners[t]
		if m.kind[t] != irregular {
			w := &wholes[m.kind[t]]
			for i, v := range c {
				m.around[v][w.wedge[i]] = t
			}
		}
		if !atSide {
			continue
		}
		for i, v := range c {
			if m.Beyond[v] {
				m.mirrorEdges(t, i)
			}
		}
	}
}

// mirrorEdges completes the edges of a tetrahedron at a corner beyond the layout: they are those of the corner's image, which is another corner of it.
func (m *mesh) mirrorEdges(t int32, beyond int) {
	c, image := &m.Corners[t], -1
	for i, v := range c {
		if v == m.twin[c[beyond]] {
			image = i
		}
	}
	for i := range c {
		own := &m.edges[t][between[i][beyond]]
		if i == beyond || *own >= 0 {
			continue
		}
		if i == image || image < 0 {
			*own = m.still()
			continue
		}
		*own = m.edges[t][between[i][image]]
		if (i < image) != (i < beyond) {
			*own ^= 1
		}
	}
}

// close tells which vertices of a base cell have the Voronoi cell of the uniform lattice.
func (m *mesh) close(_ int, b int32) {
	if !m.isStale(b) {
		return
	}
	lo, hi := m.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if m.Cell[v] >= 0 {
			m.findLinks(v)
		}
		m.closed[v] = closed
		if m.half[v] != [3]int8{} {
			m.closed[v] = mirrored
		}
		size := uint8(irregular)
		for i, t := range &m.around[v] {
			if t < 0 && m.closed[v] == mirrored {
				t, _ = m.tetIn(v, i)
			}
			if t < 0 || size != irregular && m.size[t] != size {
				m.closed[v] = open
				break
			}
			size = m.size[t]
		}
	}
}

// findLinks finds the corners of a cell, and the centres beside its own.
func (m *mesh) findLinks(v int32) {
	to := &m.link[v]
	for i := range to {
		to[i] = none
	}
	x, least := &m.Position[v], .4*m.cell[m.Level[v]]
	for _, e := range m.VertexEdges[m.VertexEdgeRuns[v]:m.VertexEdgeRuns[v+1]] {
		w := m.other(e, v)
		d := geom.Sub(&m.Position[w], x)
		if m.Cell[w] < 0 && min(math.Abs(d[0]), math.Abs(d[1]), math.Abs(d[2])) > least {
			to[upwards(d[0])|upwards(d[1])<<1|upwards(d[2])<<2] = w
		}
	}
	for i, t := range &m.around[v] {
		if t < 0 {
			continue
		}
		for _, w := range &m.Corners[t] {
			if w != v && (m.Cell[w] >= 0 || m.Beyond[w]) {
				to[8+wedges[i].square] = w
			}
		}
	}
}

// findRim tells which vertices of a base cell have another cell than that of the uniform lattice, or one beside them has.
func (m *mesh) findRim(_ int, b int32) {
	if !m.isStale(b) {
		return
	}
	lo, hi := m.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		m.rim[v] = m.closed[v] == open
		for _, e := range m.VertexEdges[m.VertexEdgeRuns[v]:m.VertexEdgeRuns[v+1]] {
			if m.closed[m.other(e, v)] == open {
				m.rim[v] = true
				break
			}
		}
	}
}

// tetIn is the whole tetrahedron in a wedge of a vertex, or that which mirrors it there, across axes as bits; none if there is neither.
func (m *mesh) tetIn(v int32, i int) (t int32, across uint8) {
	if t = m.around[v][i]; t >= 0 {
		return t, 0
	}
	w, half := &wedges[i], &m.half[v]
	for _, a := range [2]uint8{w.far, w.near} {
		if half[a] != 0 && upwards(float64(half[a])) == w.sign(a) {
			i, across = int(wedges[i].mirror[a]), across|1<<a
		}
	}
	return m.around[v][i], across
}
