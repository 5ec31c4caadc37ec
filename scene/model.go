package scene

import (
	"errors"
	"fmt"
	"iter"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Form says what the meshes of a model are as a solid.
type Form = adapter.Form

// Forms of a model's solid.
const (
	// OneHull is the convex hull of all meshes: for what is about convex, such as a rock.
	OneHull = adapter.OneHull
	// Hulls is a convex hull of each mesh: for what an artist has cut into convex pieces, such as
	// a table whose legs are meshes of their own.
	Hulls = adapter.Hulls
	// Triangles is the solid that the meshes bound: for what stands or is led, such as a cave. Which
	// way round triangles are does not matter, and small holes are closed, as physics.Mesh says.
	Triangles = adapter.Triangles
	// OpenTriangles is the meshes as they are, seen from their front: for what has a rim, such as
	// terrain. It has no inside, and liquid passes through it.
	OpenTriangles = adapter.OpenTriangles
)

// ModelOptions describes the body of a model. The zero value is a static convex hull. Position and
// Rotation of Body are the node's, whatever is set.
type ModelOptions = adapter.ModelOptions

// NewModelBody makes a body of the meshes under a node, such as LoadModel's, or what g3n's loader of OBJ
// returns, where the node is in the world. The scales of the node and of those under and above it count.
// The errors are those of ModelGeometry and of physics; the world is then as it was.
func NewModelBody(world *physics.World, node core.INode, o ModelOptions) (physics.Body, error) {
	parts, err := partsOf(node)
	if err != nil {
		return physics.Body{}, fmt.Errorf("scene: NewModelBody: %w", err)
	}
	place := placeOf(node)
	o.Body.Position, o.Body.Rotation = place.origin, place.rotation
	return adapter.NewModelBody(world, parts, o)
}

// ModelGeometry returns the solids of the meshes under a node, one unless form is Hulls, in the
// node's axes and with all scales: what a body's shapes are made of if its origin is the node's.
// Meshes count whether they are visible or not.
//
// It is an error if there is no mesh, if one has a skeleton, a coordinate that is not finite or an
// index without a vertex, or if physics.Hull or physics.Mesh can't be made of them, which says why:
// points in a plane, for instance, more than its limit, or Triangles that are open: how far and where. The
// error names the mesh.
func ModelGeometry(node core.INode, form Form) ([]physics.Geometry, error) {
	parts, err := partsOf(node)
	if err != nil {
		return nil, fmt.Errorf("scene: ModelGeometry: %w", err)
	}
	solids, err := adapter.ModelGeometry(parts, form)
	if err != nil {
		return nil, fmt.Errorf("scene: ModelGeometry: %w", errors.Unwrap(err)) // without the other package's name
	}
	return solids, nil
}

// partsOf returns the meshes under a node, in its axes.
func partsOf(node core.INode) (parts []adapter.Mesh, err error) {
	place := placeOf(node) // brings the world matrices up to date too
	for n := range under(node) {
		switch m := n.(type) {
		case *graphic.RiggedMesh:
			return nil, fmt.Errorf("%s has a skeleton, with which it changes its shape", nameOf(n, len(parts)))
		case *graphic.Mesh:
			p, err := read(m, &place)
			p.Name = nameOf(n, len(parts))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("no mesh")
	}
	return parts, nil
}

// under visits a node and all below it, each before its children.
func under(node core.INode) iter.Seq[core.INode] {
	return func(yield func(core.INode) bool) { descend(node, yield) }
}

// descend visits a node and all below it until yield is false, and tells whether it was not.
func descend(node core.INode, yield func(core.INode) bool) bool {
	if !yield(node) {
		return false
	}
	for _, c := range node.Children() {
		if !descend(c, yield) {
			return false
		}
	}
	return true
}

func nameOf(n core.INode, index int) string {
	if name := n.GetNode().Name(); name != "" {
		return fmt.Sprintf("mesh %q", name)
	}
	return fmt.Sprintf("mesh %d", index)
}

// place is a node's in the world.
type place struct {
	origin   r3.Vec
	rotation quat.Number
}

// placeOf is where a node is in the world. Its rotation is that of the turns alone: what scales
// do, which turned ones can skew and negative ones mirror, is the shapes' matter.
func placeOf(node core.INode) place {
	n := node.GetNode()
	top, turn := n, n.Quaternion()
	for top.Parent() != nil {
		top = top.Parent().GetNode()
		above := top.Quaternion()
		turn = *above.Multiply(&turn)
	}
	top.UpdateMatrixWorld()
	m := n.MatrixWorld()
	q := quat.Number{Real: float64(turn.W), Imag: float64(turn.X), Jmag: float64(turn.Y), Kmag: float64(turn.Z)}
	return place{
		origin:   r3.Vec{X: float64(m[12]), Y: float64(m[13]), Z: float64(m[14])},
		rotation: quat.Scale(1/quat.Abs(q), q),
	}
}

// read takes a mesh into the axes of a place. Corners at one place are joined: loaders give each
// face its own.
func read(m *graphic.Mesh, at *place) (p adapter.Mesh, err error) {
	g := m.GetGeometry()
	var index []uint32 // nil if there are none
	if n := g.Indices(); len(n) > 0 {
		index = n
	}
	vertices, triangles, err := adapter.Weld(positionsOf(g.VBO(gls.VertexPosition)), index)
	if err != nil {
		return p, errors.Unwrap(err) // without the other package's name
	}
	world := m.MatrixWorld()
	back := r3.Rotation(quat.Conj(at.rotation))
	for i, v := range vertices {
		vertices[i] = back.Rotate(r3.Sub(transformed(&world, v), at.origin))
	}
	if world.Determinant() < 0 { // mirrored: what was outside must be again
		for i := range triangles {
			t := &triangles[i]
			t[1], t[2] = t[2], t[1]
		}
	}
	p.Vertices, p.Triangles = vertices, triangles
	return p, nil
}

// positionsOf reads the positions, three numbers each, out of a buffer that may hold more.
func positionsOf(v *gls.VBO) []float32 {
	if v == nil {
		return nil
	}
	const size = 4 // bytes of a float32
	stride, first := v.StrideSize()/size, int(v.Attrib(gls.VertexPosition).ByteOffset)/size
	all := *v.Buffer()
	if stride == 3 {
		return all
	}
	var xyz []float32
	for i := first; i+2 < len(all); i += stride {
		xyz = append(xyz, all[i:i+3]...)
	}
	return xyz
}

func transformed(m *math32.Matrix4, v r3.Vec) r3.Vec {
	row := func(i int) float64 {
		return float64(m[i])*v.X + float64(m[i+4])*v.Y + float64(m[i+8])*v.Z + float64(m[i+12])
	}
	return r3.Vec{X: row(0), Y: row(1), Z: row(2)}
}
