package adapter

import (
	"errors"
	"fmt"

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

// Mesh is a mesh of a model, in the model's axes: as Weld and ReadMesh return it.
type Mesh struct {
	Name      string // for errors
	Vertices  []r3.Vec
	Triangles [][3]int32 // counter-clockwise seen from outside
}

// ModelOptions describes the body of a model. The zero value is a static convex hull.
type ModelOptions struct {
	Form Form
	// Body describes the body. NewModelBody of package scene sets Position and Rotation to the node's.
	Body physics.BodyDef
	// Shape describes its shapes, but for the Geometry.
	Shape physics.ShapeDef
}

// NewModelBody makes a body of a model's meshes, whose origin is the model's.
// The errors are those of ModelGeometry and of physics; the world is then as it was.
func NewModelBody(world *physics.World, meshes []Mesh, o ModelOptions) (physics.Body, error) {
	solids, err := ModelGeometry(meshes, o.Form)
	if err != nil {
		return physics.Body{}, err
	}
	body, err := world.AddBody(o.Body)
	if err != nil {
		return physics.Body{}, err
	}
	for _, g := range solids {
		o.Shape.Geometry = g
		if _, err = body.AddShape(o.Shape); err != nil {
			return physics.Body{}, errors.Join(err, body.Remove())
		}
	}
	return body, nil
}

// ModelGeometry returns the solids of a model's meshes, one unless form is Hulls, in the model's
// axes.
//
// It is an error if there is no mesh, or if physics.Hull or physics.Mesh can't be made of them,
// which says why: points in a plane, for instance, more than its limit, or Triangles
// that are open: how far and where. The error names the mesh.
func ModelGeometry(meshes []Mesh, form Form) ([]physics.Geometry, error) {
	solids, err := solidsOf(meshes, form)
	if err != nil {
		return nil, fmt.Errorf("adapter: ModelGeometry: %w", err)
	}
	return solids, nil
}

func solidsOf(meshes []Mesh, form Form) (solids []physics.Geometry, err error) {
	if form < OneHull || form > OpenTriangles {
		return nil, fmt.Errorf("form is %d; must be OneHull, Hulls, Triangles or OpenTriangles", form)
	}
	if len(meshes) == 0 {
		return nil, errors.New("no mesh")
	}
	if form != Hulls {
		meshes = []Mesh{joined(meshes)}
	}
	for i := range meshes {
		m := &meshes[i]
		g := physics.Geometry{}
		if form >= Triangles {
			g = physics.Mesh(physics.MeshDef{Vertices: m.Vertices, Triangles: m.Triangles, Open: form == OpenTriangles})
		} else {
			g = physics.Hull(m.Vertices)
		}
		if err := g.Validate(); err != nil {
			return nil, fmt.Errorf("%s with %d points: %w", nameOf(m, i), len(m.Vertices), err)
		}
		solids = append(solids, g)
	}
	return solids, nil
}

func nameOf(m *Mesh, index int) string {
	if m.Name != "" {
		return m.Name
	}
	return fmt.Sprintf("mesh %d", index)
}

// joined is all meshes as one.
func joined(meshes []Mesh) Mesh {
	if len(meshes) == 1 {
		return meshes[0]
	}
	all := Mesh{Name: fmt.Sprintf("%d meshes", len(meshes))}
	for _, m := range meshes {
		first := int32(len(all.Vertices))
		all.Vertices = append(all.Vertices, m.Vertices...)
		for _, t := range m.Triangles {
			all.Triangles = append(all.Triangles, [3]int32{t[0] + first, t[1] + first, t[2] + first})
		}
	}
	return all
}
