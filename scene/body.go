package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// roundEdges is how many edges a circle has as it is drawn.
const roundEdges = 48

// NewBody returns a node with a mesh of each of the body's shapes. Its origin is the centre of
// mass, so Bind makes it follow the body with no Offset. Shapes that come or go later need a
// new node.
func NewBody(b physics.Body, mat material.IMaterial) *core.Node {
	node := core.NewNode()
	unturn := quat.Conj(b.Rotation())
	for s := range b.Shapes() {
		m := graphic.NewMesh(NewGeometry(s.Def().Geometry), mat)
		at, turned := s.Pose()
		at = r3.Rotation(unturn).Rotate(r3.Sub(at, b.Centre()))
		turned = quat.Mul(unturn, turned)
		m.SetPosition(float32(at.X), float32(at.Y), float32(at.Z))
		m.SetQuaternion(float32(turned.Imag), float32(turned.Jmag), float32(turned.Kmag), float32(turned.Real))
		node.Add(m)
	}
	return node
}

// NewGeometry returns what a solid looks like, in the axes of its shape: smooth where it is
// round, sharp at its edges. Textures lie on it in m, from the side that a face looks to.
func NewGeometry(g physics.Geometry) *geometry.Geometry {
	vertices, triangles := g.Triangles(roundEdges)
	normals := creased(vertices, triangles)
	n := 3 * len(triangles)
	pos, norm, uv := math32.NewArrayF32(0, 3*n), math32.NewArrayF32(0, 3*n), math32.NewArrayF32(0, 2*n)
	index := math32.NewArrayU32(0, n)
	for i, t := range triangles {
		face := faceNormal(vertices, t)
		for k, c := range t {
			p, m := vertices[c], normals[i][k]
			u, v := project(p, face)
			pos.Append(float32(p.X), float32(p.Y), float32(p.Z))
			norm.Append(float32(m.X), float32(m.Y), float32(m.Z))
			uv.Append(float32(u), float32(v))
			index.Append(uint32(3*i + k))
		}
	}
	geom := geometry.NewGeometry()
	geom.SetIndices(index)
	geom.AddVBO(gls.NewVBO(pos).AddAttrib(gls.VertexPosition))
	geom.AddVBO(gls.NewVBO(norm).AddAttrib(gls.VertexNormal))
	geom.AddVBO(gls.NewVBO(uv).AddAttrib(gls.VertexTexcoord))
	return geom
}

// project lays a texture on a face from the axis that it looks along most, v upwards.
func project(p, face r3.Vec) (u, v float64) {
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
