package stuffing

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What a vertex lies on. The layout's side along axis a, low or high, is Side(a, high).
const (
	OnSurface uint16 = 1 << iota // the surface: it may be of a boundary face
	OnSolid                      // a solid, there the surface
	InPlace                      // a transition or a side of the layout, near to the surface: it can't be moved onto it
	sideShift = iota
)

// Side is the flag of one of the layout's sides: along an axis, at its low or its high end.
func Side(axis int, high bool) uint16 {
	s := uint16(1) << (sideShift + 2*axis)
	if high {
		s <<= 1
	}
	return s
}

const anySide uint16 = 63 << sideShift

// Mesh is tetrahedra. Lengths are in m.
type Mesh struct {
	Position [][3]float64
	Flags    []uint16 // per vertex: OnSurface, OnSolid and sides of the layout
	Origin   []int32  // per vertex: the lattice's vertex that it is, or ^e where it cuts the edge e; one beyond for the middle of its edge to the centre within

	Corners [][4]int32 // per tetrahedron, such that (b-a)×(c-a)·(d-a) > 0
	Source  []int32    // per tetrahedron: that of the lattice that it is, or is part of

	// Geometry tells where what Area and Volume are read from lies: i ≥ 0 in Own, ^c ≥ 0 in the shapes that many tetrahedra share.
	Geometry []int32
	Own      []Shape

	// Neighbours are per tetrahedron those across the faces opposite of its corners, or ^b for the boundary face Boundary[b].
	Neighbours [][4]int32
	Boundary   []Face

	shared *classes
}

// Shape is a tetrahedron's geometry: for the faces opposite of its first three corners the area times the unit normal, outward, m²; and the volume,
// m³. The areas of all four add up to zero.
type Shape struct {
	Area   [3][3]float64
	Volume float64
}

// Kind is what is on the other side of a boundary face.
type Kind uint8

// The kinds. A face is solid if its three vertices lie on solids (Chentanez et al. 2007 §3.3.1), on one at least that is no side of the layout, and of a
// side if they lie on the same one.
const (
	Free Kind = iota
	Solid
	OfSide
)

// Face is a face at the mesh's boundary: that opposite of a corner of a tetrahedron.
type Face struct {
	Tet    int32
	Corner uint8
	Kind   Kind
	Sides  uint16 // of a face of a side: that
}

// Tets is the number of tetrahedra.
func (m *Mesh) Tets() int { return len(m.Corners) }

// Vertices is the number of vertices.
func (m *Mesh) Vertices() int { return len(m.Position) }

// Standard tells whether a tetrahedron is one of the lattice, undeformed, so that it shares its geometry.
func (m *Mesh) Standard(t int32) bool { return m.Geometry[t] < 0 }

// Shape is a tetrahedron's geometry.
func (m *Mesh) Shape(t int32) Shape {
	if g := m.Geometry[t]; g >= 0 {
		return m.Own[g]
	}
	return m.shared.shape(^m.Geometry[t])
}

// Area is the area, m², times the outward unit normal of the face opposite of a corner.
func (m *Mesh) Area(t int32, corner int) r3.Vec {
	s := m.Shape(t)
	if corner < 3 {
		a := &s.Area[corner]
		return r3.Vec{X: a[0], Y: a[1], Z: a[2]}
	}
	var v [3]float64
	for i := range v {
		v[i] = -(s.Area[0][i] + s.Area[1][i] + s.Area[2][i])
	}
	return reproducible.Vector(v)
}

// Volume is a tetrahedron's, m³.
func (m *Mesh) Volume(t int32) float64 {
	s := m.Shape(t)
	return s.Volume
}

// Centre is a tetrahedron's centroid.
func (m *Mesh) Centre(t int32) r3.Vec {
	c := &m.Corners[t]
	var v [3]float64
	for i := range v {
		v[i] = .25 * (m.Position[c[0]][i] + m.Position[c[1]][i] + m.Position[c[2]][i] + m.Position[c[3]][i])
	}
	return reproducible.Vector(v)
}

// faceCorners are the three corners of the face opposite of each, counter-clockwise as one outside sees it.
var faceCorners = [4][3]uint8{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// FaceVertices are the vertices of the face opposite of a corner, counter-clockwise as one outside sees it.
func (m *Mesh) FaceVertices(t int32, corner int) [3]int32 {
	c, f := &m.Corners[t], &faceCorners[corner]
	return [3]int32{c[f[0]], c[f[1]], c[f[2]]}
}

// FaceCentre is the centroid of the face opposite of a corner.
func (m *Mesh) FaceCentre(t int32, corner int) r3.Vec {
	f := m.FaceVertices(t, corner)
	var v [3]float64
	for i := range v {
		v[i] = (m.Position[f[0]][i] + m.Position[f[1]][i] + m.Position[f[2]][i]) / 3
	}
	return reproducible.Vector(v)
}

func (m *Mesh) resizeVertices(n int) {
	m.Position, m.Flags, m.Origin = arrays.Resize(m.Position, n), arrays.Resize(m.Flags, n), arrays.Resize(m.Origin, n)
}

func (m *Mesh) resizeTets(n, own int) {
	m.Corners, m.Source, m.Geometry = arrays.Resize(m.Corners, n), arrays.Resize(m.Source, n), arrays.Resize(m.Geometry, n)
	m.Own = arrays.Resize(m.Own, own)
	m.Neighbours, m.Boundary = m.Neighbours[:0], m.Boundary[:0]
}

// measureShape is the geometry of a tetrahedron of four points.
func measureShape(a, b, c, d *[3]float64) (s Shape) {
	u, v, w := difference(b, a), difference(c, a), difference(d, a)
	vw, wu, uv := reproducible.Cross(v, w), reproducible.Cross(w, u), reproducible.Cross(u, v)
	s.Volume = reproducible.Dot(u, vw) / 6
	// Outward areas of the faces opposite of b and c are -v×w/2 and -w×u/2, that of d -u×v/2, and all add up to zero.
	s.Area[1] = [3]float64{-.5 * vw.X, -.5 * vw.Y, -.5 * vw.Z}
	s.Area[2] = [3]float64{-.5 * wu.X, -.5 * wu.Y, -.5 * wu.Z}
	s.Area[0] = [3]float64{.5 * (vw.X + wu.X + uv.X), .5 * (vw.Y + wu.Y + uv.Y), .5 * (vw.Z + wu.Z + uv.Z)}
	return s
}
