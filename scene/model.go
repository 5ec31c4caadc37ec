package scene

import (
	"errors"
	"fmt"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// Form says what the meshes of a model are as a solid.
type Form int

// Forms of a model's solid.
const (
	// OneHull is the convex hull of all meshes: for what is about convex, such as a rock.
	OneHull Form = iota
	// Hulls is a convex hull of each mesh: for what an artist has cut into convex pieces, such as
	// a table whose legs are meshes of their own.
	Hulls
	// Triangles is the solid that the meshes bound: for what stands or is led, such as a cave. Which
	// way round triangles are does not matter, and small holes are closed, as physics.Mesh says.
	Triangles
	// OpenTriangles is the meshes as they are, seen from their front: for what has a rim, such as
	// terrain. It has no inside, and liquid passes through it.
	OpenTriangles
)

// ModelOptions describes the body of a model. The zero value is a static convex hull.
type ModelOptions struct {
	Form Form
	// Body describes the body, but for Position and Rotation, which are the node's.
	Body physics.BodyDef
	// Shape describes its shapes, but for the Geometry.
	Shape physics.ShapeDef
}

// NewModelBody makes a body of the meshes under a node, such as LoadModel's, or what g3n's loader of OBJ
// returns, where the node is in the world. The scales of the node and of those under and above it count.
// The errors are those of ModelGeometry and of physics; the world is then as it was.
func NewModelBody(world *physics.World, node core.INode, o ModelOptions) (physics.Body, error) {
	solids, err := ModelGeometry(node, o.Form)
	if err != nil {
		return physics.Body{}, err
	}
	place := placeOf(node)
	o.Body.Position, o.Body.Rotation = place.centre, place.rotation
	body, err := world.CreateBody(o.Body)
	if err != nil {
		return physics.Body{}, err
	}
	for _, g := range solids {
		o.Shape.Geometry = g
		if _, err = body.AddShape(o.Shape); err != nil {
			return physics.Body{}, errors.Join(err, body.Destroy())
		}
	}
	return body, nil
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
	if form < OneHull || form > OpenTriangles {
		return nil, fmt.Errorf("scene: ModelGeometry: form is %d; must be OneHull, Hulls, Triangles or OpenTriangles", form)
	}
	parts, err := partsOf(node)
	if err != nil {
		return nil, fmt.Errorf("scene: ModelGeometry: %w", err)
	}
	if form != Hulls {
		parts = []part{joined(parts)}
	}
	var solids []physics.Geometry
	for i := range parts {
		p := &parts[i]
		g := physics.Geometry{}
		if form >= Triangles {
			g = physics.Mesh(physics.MeshDef{Vertices: p.vertices, Triangles: p.triangles, Open: form == OpenTriangles})
		} else {
			g = physics.Hull(p.vertices)
		}
		if err := g.Validate(); err != nil {
			return nil, fmt.Errorf("scene: ModelGeometry: %s with %d points: %w", p.name, len(p.vertices), err)
		}
		solids = append(solids, g)
	}
	return solids, nil
}

// part is a mesh of a model.
type part struct {
	name      string // for errors
	vertices  []r3.Vec
	triangles [][3]int32
}

// partsOf returns the meshes under a node, in its axes.
func partsOf(node core.INode) (parts []part, err error) {
	place := placeOf(node) // brings the world matrices up to date too
	var walk func(core.INode) error
	walk = func(n core.INode) error {
		switch m := n.(type) {
		case *graphic.RiggedMesh:
			return fmt.Errorf("%s has a skeleton, with which it changes its shape", nameOf(n, len(parts)))
		case *graphic.Mesh:
			p := part{name: nameOf(n, len(parts))}
			if err := p.read(m, &place); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			parts = append(parts, p)
		}
		for _, c := range n.Children() {
			if err := walk(c); err != nil {
				return err
			}
		}
		return nil
	}
	if err = walk(node); err == nil && len(parts) == 0 {
		err = errors.New("no mesh")
	}
	return parts, err
}

func nameOf(n core.INode, index int) string {
	if name := n.GetNode().Name(); name != "" {
		return fmt.Sprintf("mesh %q", name)
	}
	return fmt.Sprintf("mesh %d", index)
}

// placeOf is where a node is in the world. Its rotation is that of the turns alone: what scales
// do, which turned ones can skew and negative ones mirror, is the shapes' matter.
func placeOf(node core.INode) pose {
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
	return pose{
		centre:   r3.Vec{X: float64(m[12]), Y: float64(m[13]), Z: float64(m[14])},
		rotation: quat.Scale(1/quat.Abs(q), q),
	}
}

// read takes a mesh into the axes of place. Corners at one place are joined: loaders give each
// face its own.
func (p *part) read(m *graphic.Mesh, place *pose) error {
	g := m.GetGeometry()
	xyz := positionsOf(g.VBO(gls.VertexPosition))
	w := newWelder(len(xyz) / 3)
	if index := g.Indices(); len(index) > 0 {
		for i := 0; i+2 < len(index); i += 3 {
			if err := w.add(xyz, int(index[i]), int(index[i+1]), int(index[i+2])); err != nil {
				return err
			}
		}
	} else {
		for i := 0; i+2 < len(xyz)/3; i += 3 {
			if err := w.add(xyz, i, i+1, i+2); err != nil {
				return err
			}
		}
	}
	if len(w.triangles) == 0 {
		return errors.New("no triangles")
	}
	world := m.MatrixWorld()
	back := r3.Rotation(quat.Conj(place.rotation))
	for _, v := range w.vertices {
		p.vertices = append(p.vertices, back.Rotate(r3.Sub(transformed(&world, v), place.centre)))
	}
	p.triangles = w.triangles
	if world.Determinant() < 0 { // mirrored: what was outside must be again
		for i := range p.triangles {
			t := &p.triangles[i]
			t[1], t[2] = t[2], t[1]
		}
	}
	return nil
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

// joined is all parts as one.
func joined(parts []part) part {
	if len(parts) == 1 {
		return parts[0]
	}
	all := part{name: fmt.Sprintf("%d meshes", len(parts))}
	for _, p := range parts {
		first := int32(len(all.vertices))
		all.vertices = append(all.vertices, p.vertices...)
		for _, t := range p.triangles {
			all.triangles = append(all.triangles, [3]int32{t[0] + first, t[1] + first, t[2] + first})
		}
	}
	return all
}
