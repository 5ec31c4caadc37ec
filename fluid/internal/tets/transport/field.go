package transport

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// What is known of an edge's velocity.
const (
	unknown  uint8 = iota
	extended       // it goes on from the liquid's
	shut           // a moving body shuts the edge's polygon, and it is the body's there; or the liquid on an end is asleep, and it is 0
	liquid         // it is the liquid's
	surface        // likewise, and the edge leads through the surface to the air
	inner          // likewise, and the liquid around is neither at its surface nor at a solid
)

// Given is what is known of an edge whose velocity was set, and MostKnown the greatest value of what is known.
const Given, MostKnown = liquid, inner

// field is a velocity on a mesh, m/s.
type field struct {
	*mesh
	pool  *par.Pool
	u     []float64 // per edge: along it; then 0, for still
	state []uint8   // per edge
	// reached tells per base cell whether the velocity is known in it.
	reached []bool

	vertex        [][3]float64 // per vertex: the mean of what is known around, 0 where nothing is
	holds, beside []bool       // per base cell: some velocity in it is not extended; scratch of findReached
	*details
}

// details are what follows from a velocity for evaluating it elsewhere. The fields of a Transport have the same, each while it needs them.
type details struct {
	tet    [][3]float64 // per tetrahedron: at the circumcentre
	excess []float64    // per edge, then 0: what u has that vertex, or tet, doesn't tell
	sharp  [][3]float64 // per vertex: to the second order
	has    order        // what of tet and excess is up to date
	wanted wanted
}

// use makes the field one on a mesh, with nothing known.
func (f *field) use(m *mesh) {
	f.mesh = m
	n := m.Edges()
	f.u, f.state, f.vertex = arrays.Resize(f.u, n+1), arrays.Resize(f.state, n+1), arrays.Resize(f.vertex, m.Vertices())
	n = m.grid.Bases()
	f.reached, f.holds, f.beside = arrays.Resize(f.reached, n), arrays.Resize(f.holds, n), arrays.Resize(f.beside, n)
	f.clear()
}

// clear has nothing be known.
func (f *field) clear() {
	clear(f.u)
	clear(f.state)
	clear(f.vertex)
	clear(f.reached)
	clear(f.holds)
	f.state[f.Edges()] = liquid
	f.has = neither
}

// gatherVertex writes into eq what edges whose velocity is known at least so well tell of a vertex's.
//
// Their weights are area times length. In a closed cell whose polygons are halfway that is Σ A (x_e-x_v) u_e = V u_v, which is exact for linear velocities (Perot 2000).
func (f *field) gatherVertex(eq *normal, v int32, least uint8) { f.gather(eq, v, least, f.u, least) }

// gather is gatherVertex for any values along edges, which are 0 where less than told is known of the velocity. It tells whether they are 0 everywhere for this.
func (f *field) gather(eq *normal, v int32, least uint8, values []float64, told uint8) (none bool) {
	var xx, yy, zz, xy, xz, yz, u, w, q float64 // in registers, as normal.add adds them
	none = true
	for _, e := range f.VertexEdges[f.VertexEdgeRuns[v]:f.VertexEdgeRuns[v+1]] {
		known := f.state[e]
		if known < least {
			continue
		}
		z := 0.
		if known >= told {
			z, none = values[e], false
		}
		n, weight := &f.normal[e], f.Area[e]*f.Dist[e]
		x, y := float64(weight*n[0]), float64(weight*n[1])
		xx += float64(x * n[0])
		xy += float64(x * n[1])
		xz += float64(x * n[2])
		yy += float64(y * n[1])
		yz += float64(y * n[2])
		zz += float64(float64(weight*n[2]) * n[2])
		by := float64(weight * z)
		u += float64(by * n[0])
		w += float64(by * n[1])
		q += float64(by * n[2])
	}
	*eq = normal{xx, yy, zz, xy, xz, yz, [3]float64{u, w, q}}
	return none
}

// slip takes off a vertex's velocity what leads through the layout's sides.
func (f *field) slip(v int32, u *[3]float64) {
	for a, on := range f.half[v] {
		if on != 0 {
			u[a] = 0
		}
	}
}

// findVertices makes the velocities of the vertices of what is reached, from all edges.
func (f *field) findVertices() {
	par.Each(f.pool, f.grid.Bases(), baseGrain, f, (*field).verticesIn)
	par.Each(f.pool, f.grid.Bases(), baseGrain, f, (*field).mirrorIn)
	f.has = neither
}

func (f *field) verticesIn(_ int, b int32) {
	lo, hi := f.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		f.findVertex(v)
	}
}

// findVertex makes the velocity of a vertex from all edges.
func (f *field) findVertex(v int32) {
	switch {
	case !f.reached[f.base[v]] || f.twin[v] >= 0:
		f.vertex[v] = [3]float64{}
	case f.closed[v] == closed:
		f.vertex[v] = f.closedVertex(v)
	default:
		f.vertex[v] = f.openVertex(v)
	}
}

func (f *field) mirrorIn(_ int, b int32) {
	lo, hi := f.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if c := f.twin[v]; c >= 0 {
			f.vertex[v] = f.mirrorImage(v, f.vertex[c])
		}
	}
}

// mirrorImage is the mirror image, at a vertex beyond the layout, of a vector at its image.
func (f *field) mirrorImage(v int32, u [3]float64) [3]float64 {
	x, y := &f.Position[v], &f.Position[f.twin[v]]
	for a := range u {
		if d := x[a] - y[a]; d > .1*f.grid.H || d < -.1*f.grid.H {
			u[a] = -u[a]
		}
	}
	return u
}

// closedVertex is the velocity of a vertex with a closed cell of the uniform lattice: the normal matrix is 2V there, but for what isn't known.
func (f *field) closedVertex(v int32) [3]float64 {
	x, y, z := 0., 0., 0.
	for _, e := range f.VertexEdges[f.VertexEdgeRuns[v]:f.VertexEdgeRuns[v+1]] {
		if f.state[e] == unknown {
			return f.openVertex(v)
		}
		ends := &f.Ends[e]
		w, p, q := f.Area[e]*f.u[e], &f.Position[ends[0]], &f.Position[ends[1]]
		x += float64(w * (q[0] - p[0]))
		y += float64(w * (q[1] - p[1]))
		z += float64(w * (q[2] - p[2]))
	}
	by := 1 / (2 * f.Volume[v])
	return [3]float64{x * by, y * by, z * by}
}

func (f *field) openVertex(v int32) [3]float64 {
	var eq normal
	f.gatherVertex(&eq, v, extended)
	u, ok := eq.solve()
	if !ok {
		u = eq.near(&[3]float64{})
	}
	f.slip(v, &u)
	return u
}
