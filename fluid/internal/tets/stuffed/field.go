package stuffed

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffing"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Field is a velocity in a mesh, m/s: one per tetrahedron. It keeps what it needs of the mesh, of which all geometry follows from where the vertices are,
// so that one that was read has the same bits.
type Field struct {
	Velocity [][3]float64 // per tetrahedron

	mesher  stuffing.Mesher
	l       *bcc.Lattice // that the mesh is made of; nil: there is no mesh
	pool    *par.Pool
	vertex  [][3]float64 // per vertex of the mesh: the mean of the tetrahedra around by volume
	room    []float64    // per vertex of the mesh: the volume of these, m³
	whole   []int32      // per tetrahedron of the lattice: that of the mesh that it is, if it is one of the uniform lattice, or -1
	touched []bool       // per vertex of the lattice: it belongs to a tetrahedron that has become some of the mesh
	work    []bcc.Weights

	d    *Discretiser // while Take runs
	gr   *graph.Graph
	wall func(body int32, x r3.Vec) r3.Vec
}

// NewField makes a field without a mesh.
func NewField(pool *par.Pool) *Field {
	return &Field{pool: pool, work: make([]bcc.Weights, pool.Workers())}
}

// Known tells whether there is a mesh, so that something is known.
func (f *Field) Known() bool { return f.l != nil && f.mesher.Mesh.Tets() > 0 }

// Drop forgets mesh and velocity.
func (f *Field) Drop() { f.l = nil }

// Take makes the velocity that of a graph that a discretiser has filled for a lattice. wall is the velocity, m/s, of a body at a place on it.
func (f *Field) Take(d *Discretiser, gr *graph.Graph, l *bcc.Lattice, wall func(body int32, x r3.Vec) r3.Vec) {
	m, to := d.Mesh, &f.mesher.Mesh
	to.Position = append(to.Position[:0], m.Position...)
	to.Corners = append(to.Corners[:0], m.Corners...)
	to.Source = append(to.Source[:0], m.Source...)
	f.connect(l)
	f.Velocity = arrays.Resize(f.Velocity, m.Tets())
	f.d, f.gr, f.wall = d, gr, wall
	par.For(f.pool, m.Tets(), grain, f, (*Field).fit)
	f.d, f.gr, f.wall = nil, nil, nil
	f.findVertices()
}

// grain is how many tetrahedra or faces make a chunk.
const grain = 256

// connect finds what follows from the mesh's vertices and tetrahedra.
func (f *Field) connect(l *bcc.Lattice) {
	m := &f.mesher.Mesh
	f.l = l
	m.Flags, m.Geometry, m.Own = arrays.Resize(m.Flags, m.Vertices()), arrays.Resize(m.Geometry, m.Tets()), arrays.Resize(m.Own, m.Tets())
	clear(m.Flags)
	for t := range m.Geometry {
		m.Geometry[t] = int32(t)
	}
	f.mesher.Connect(f.pool)
	f.whole = arrays.Resize(f.whole, l.Tets())
	for t := range f.whole {
		f.whole[t] = none
	}
	par.For(f.pool, m.Tets(), grain, f, (*Field).findWhole)
	f.touched = arrays.Resize(f.touched, l.Vertices())
	clear(f.touched)
	last := none
	for _, of := range m.Source {
		if of != last {
			for _, v := range l.Corners[of] {
				f.touched[v] = true
			}
		}
		last = of
	}
}

// findWhole lists tetrahedra that are those of the uniform lattice as they stand.
func (f *Field) findWhole(_, lo, hi int) {
	m, l := &f.mesher.Mesh, f.l
	for t := lo; t < hi; t++ {
		of := m.Source[t]
		if l.Shapes[of] != bcc.Whole {
			continue
		}
		same := true
		for k, v := range m.Corners[t] {
			same = same && m.Position[v] == l.Position[l.Corners[of][k]]
		}
		if same {
			f.whole[of] = int32(t)
		}
	}
}

// fit finds the velocities of tetrahedra: N u = z, with the four faces' normals and velocities along them, by least squares, weighted by area. What is exact
// for one weight, where as much comes in as goes out, is so for any.
//
// Source: Klingner et al. 2006 eq. 3; solid faces, whose velocities are known, count too.
func (f *Field) fit(_, lo, hi int) {
	d, gr := f.d, f.gr
	for t := int32(lo); t < int32(hi); t++ {
		f.Velocity[t] = [3]float64{}
		if d.Row[t] == none {
			continue
		}
		var eq equations
		for k, face := range d.faceOf[t] {
			if face >= 0 {
				eq.add(&gr.Normals[face], gr.Area[face], gr.U[face])
				continue
			}
			area := reproducible.Array(d.Mesh.Area(t, k))
			size := geom.Norm(&area)
			for a := range area {
				area[a] /= size
			}
			u := 0.
			if body := -2 - face; body >= 0 {
				v := reproducible.Array(f.wall(body, d.Mesh.FaceCentre(t, k)))
				u = geom.Dot(&area, &v)
			}
			eq.add(&area, size, u)
		}
		f.Velocity[t] = eq.solve()
	}
}

// findVertices makes the velocities of vertices.
func (f *Field) findVertices() {
	m := &f.mesher.Mesh
	f.vertex, f.room = arrays.Resize(f.vertex, m.Vertices()), arrays.Resize(f.room, m.Vertices())
	clear(f.vertex)
	clear(f.room)
	for t, c := range m.Corners {
		v, u := m.Own[t].Volume, &f.Velocity[t]
		x, y, z := float64(v*u[0]), float64(v*u[1]), float64(v*u[2])
		for _, p := range c {
			to := &f.vertex[p]
			to[0], to[1], to[2] = to[0]+x, to[1]+y, to[2]+z
			f.room[p] += v
		}
	}
	for p, v := range f.room {
		if v > 0 {
			for a := range f.vertex[p] {
				f.vertex[p][a] /= v
			}
		}
	}
}

// Stop takes all motion from the field.
func (f *Field) Stop() {
	clear(f.Velocity)
	clear(f.vertex)
}

// Replace gives the tetrahedra whose middles are in a box, m, another velocity, m/s.
func (f *Field) Replace(within func(x r3.Vec) bool, velocity func(x r3.Vec) [3]float64) {
	if !f.Known() {
		return
	}
	m := &f.mesher.Mesh
	for t := range m.Corners {
		if x := m.Centre(int32(t)); within(x) {
			f.Velocity[t] = velocity(x)
		}
	}
	f.findVertices()
}

// mostVisited is how many tetrahedra find looks at from each that it starts from: those of the lattice's tetrahedron, which are a few, and what they may have been moved into.
const mostVisited = 12

// find is the tetrahedron that holds a place, and the place's weights there; of one that is in none, those of the nearest that was looked at, if the mesh touches the
// lattice's tetrahedron there, or -1.
func (f *Field) find(x *[3]float64) (tet int32, w [4]float64, within bool) {
	near, _ := f.l.Locate(*x)
	c := &f.l.Corners[near]
	if !f.touched[c[0]] && !f.touched[c[1]] && !f.touched[c[2]] && !f.touched[c[3]] {
		return none, w, false
	}
	return f.mesher.Mesh.FindSoon(near, reproducible.Vector(*x), mostVisited)
}

// linear is the velocity that is linear between vertices, at a place in the mesh. Beyond, it isn't known.
func (f *Field) linear(x *[3]float64) (u [3]float64, known bool) {
	t, w, within := f.find(x)
	if !within {
		return u, false
	}
	return f.blend(t, &w), true
}

func (f *Field) blend(t int32, w *[4]float64) (u [3]float64) {
	for k, v := range f.mesher.Mesh.Corners[t] {
		p := &f.vertex[v]
		for a := range u {
			u[a] += float64(w[k] * p[a])
		}
	}
	return u
}

// accurate is the velocity at a place in the mesh from those of the tetrahedra around the nearest vertex of the lattice, if all of these are of the uniform
// lattice; else it is linear between vertices.
//
// Source: Klingner et al. 2006 eq. 4.
func (f *Field) accurate(x *[3]float64, s *bcc.Weights) (u [3]float64, known bool) {
	if f.closed(x, s) {
		for i, t := range s.Tets {
			w, v := s.W[i], &f.Velocity[f.whole[t]]
			for a := range u {
				u[a] += float64(w * v[a])
			}
		}
		return u, true
	}
	return f.linear(x)
}

// closed writes the weights of the Voronoi cell that a place is in, and tells whether it has the tetrahedra of the uniform lattice around it.
func (f *Field) closed(x *[3]float64, s *bcc.Weights) bool {
	if !f.l.Voronoi(*x, s) {
		return false
	}
	for _, t := range s.Tets {
		if f.whole[t] == none {
			return false
		}
	}
	return true
}

// Nearest is accurate in the mesh, and beyond it the velocity of the tetrahedron that is nearest. One worker may ask at a time.
func (f *Field) Nearest(x *[3]float64, worker int) [3]float64 {
	if !f.Known() {
		return [3]float64{}
	}
	if f.closed(x, &f.work[worker]) {
		u, _ := f.accurate(x, &f.work[worker])
		return u
	}
	t, w, within := f.find(x)
	if within {
		return f.blend(t, &w)
	}
	if t < 0 {
		return [3]float64{}
	}
	return f.Velocity[t]
}
