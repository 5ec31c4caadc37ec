package adapter

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// roundEdges is how many edges a circle has as it is drawn.
const roundEdges = 48

// TriangleList is triangles to draw without indices: every three vertices are a triangle,
// counter-clockwise seen from outside. Engines whose indices have 16 bits draw meshes of any size so.
type TriangleList struct {
	Positions []float32 // xyz per vertex, m
	Normals   []float32 // xyz per vertex, unit
	Texcoords []float32 // uv per vertex, m
}

// ShapeTriangles is what a solid looks like, in the axes of its shape: smooth where it is
// round, sharp at its edges. Textures lie on it in m, from the side that a face looks to.
func ShapeTriangles(g physics.Geometry) (l TriangleList) {
	l.add(g, r3.Vec{}, quat.Number{Real: 1})
	return l
}

// BodyTriangles is what a body's shapes look like, in the axes of the body and from its own
// origin: bound with BindBody it stands where the body does. Shapes that come or go later need a new list.
func BodyTriangles(b physics.Body) (l TriangleList) {
	unturn := quat.Conj(b.Rotation())
	for s := range b.Shapes() {
		at, turned := s.Pose()
		l.add(s.Def().Geometry, r3.Rotation(unturn).Rotate(r3.Sub(at, b.Position())), quat.Mul(unturn, turned))
	}
	return l
}

// add adds a solid in a place of the list's axes.
func (l *TriangleList) add(g physics.Geometry, at r3.Vec, turned quat.Number) {
	vertices, triangles := g.Triangles(roundEdges)
	normals := creased(vertices, triangles)
	turn := r3.Rotation(turned)
	for i, t := range triangles {
		face := faceNormal(vertices, t)
		for k, c := range t {
			u, v := texcoord(vertices[c], face)
			p, n := r3.Add(at, turn.Rotate(vertices[c])), turn.Rotate(normals[i][k])
			l.Positions = append(l.Positions, float32(p.X), float32(p.Y), float32(p.Z))
			l.Normals = append(l.Normals, float32(n.X), float32(n.Y), float32(n.Z))
			l.Texcoords = append(l.Texcoords, float32(u), float32(v))
		}
	}
}

// texcoord lays a texture on a face from the axis that it looks along most, v upwards.
func texcoord(p, face r3.Vec) (u, v float64) {
	x, y, z := math.Abs(face.X), math.Abs(face.Y), math.Abs(face.Z)
	switch {
	case y >= x && y >= z:
		return p.X, -p.Z
	case x >= z:
		return -math.Copysign(p.Z, face.X*p.Z), p.Y
	}
	return math.Copysign(p.X, face.Z*p.X), p.Y
}

// faceNormal of a triangle has twice its area for length, m².
func faceNormal(vertices []r3.Vec, t [3]int32) r3.Vec {
	a := vertices[t[0]]
	return r3.Cross(r3.Sub(vertices[t[1]], a), r3.Sub(vertices[t[2]], a))
}

// crease is the cosine of the angle between faces beyond which their edge is drawn sharp.
var crease = math.Cos(40 * math.Pi / 180)

// creased gives each corner of each triangle the mean normal, by area, of the triangles about
// its vertex that look nearly the same way.
func creased(vertices []r3.Vec, triangles [][3]int32) [][3]r3.Vec {
	faces, about := make([]r3.Vec, len(triangles)), make([][]int32, len(vertices))
	for i, t := range triangles {
		faces[i] = faceNormal(vertices, t)
		for _, c := range t {
			about[c] = append(about[c], int32(i))
		}
	}
	normals := make([][3]r3.Vec, len(triangles))
	for i, t := range triangles {
		for k, c := range t {
			var sum r3.Vec
			for _, j := range about[c] {
				if r3.Dot(faces[i], faces[j]) >= crease*r3.Norm(faces[i])*r3.Norm(faces[j]) {
					sum = r3.Add(sum, faces[j])
				}
			}
			if n := r3.Norm(sum); n > 0 {
				normals[i][k] = r3.Scale(1/n, sum)
			}
		}
	}
	return normals
}
