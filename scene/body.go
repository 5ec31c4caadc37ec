package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// NewBody returns a node with a mesh of each of the body's shapes. Its origin is the centre of
// mass, so Bind makes it follow the body with no Offset. Shapes that come or go later need a
// new node.
func NewBody(b physics.Body, mat material.IMaterial) *core.Node {
	node := core.NewNode()
	for s := range b.Shapes() {
		node.Add(NewShape(s, mat))
	}
	return node
}

// NewShape returns a mesh of a shape in its place on a node such as NewBody's, for bodies whose
// shapes differ in material.
func NewShape(s physics.Shape, mat material.IMaterial) *graphic.Mesh {
	b := s.Body()
	m := graphic.NewMesh(NewGeometry(s.Def().Geometry), mat)
	unturn := quat.Conj(b.Rotation())
	at, turned := s.Pose()
	at = r3.Rotation(unturn).Rotate(r3.Sub(at, b.CentreOfMass()))
	turned = quat.Mul(unturn, turned)
	m.SetPosition(float32(at.X), float32(at.Y), float32(at.Z))
	m.SetQuaternion(float32(turned.Imag), float32(turned.Jmag), float32(turned.Kmag), float32(turned.Real))
	return m
}

// NewGeometry returns what a solid looks like, in the axes of its shape: smooth where it is
// round, sharp at its edges. Textures lie on it in m, from the side that a face looks to.
func NewGeometry(g physics.Geometry) *geometry.Geometry {
	l := adapter.ShapeTriangles(g)
	index := math32.NewArrayU32(0, len(l.Positions)/3)
	for i := range len(l.Positions) / 3 {
		index.Append(uint32(i))
	}
	geom := geometry.NewGeometry()
	geom.SetIndices(index)
	geom.AddVBO(gls.NewVBO(l.Positions).AddAttrib(gls.VertexPosition))
	geom.AddVBO(gls.NewVBO(l.Normals).AddAttrib(gls.VertexNormal))
	geom.AddVBO(gls.NewVBO(l.Texcoords).AddAttrib(gls.VertexTexcoord))
	return geom
}
