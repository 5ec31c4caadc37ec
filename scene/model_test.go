package scene

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/loader/gltf"
	"github.com/g3n/engine/loader/obj"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// plainCube is a cube of 1 m, every face with corners of its own.
const plainCube = `v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
v 0 0 0
f 4 3 2 9
f 5 6 7 8
f 1 2 6 5
f -8 -7 -3 -4
f 3 4 8 7
f 4 1 5 8
`

// readOBJ is what g3n's loader makes of an OBJ text.
func readOBJ(t *testing.T, text string) *core.Node {
	t.Helper()
	dec, err := obj.DecodeReader(strings.NewReader(text), strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	node, err := dec.NewGroup()
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// glTF is a file of nodes 1 and 2 under node 0; mesh 0 is a tetrahedron with its right angle at
// the origin and edges of 1 m along the axes.
func glTF(t *testing.T, nodes string) core.INode {
	t.Helper()
	var data []byte
	for _, v := range []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	for _, i := range []uint16{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3} {
		data = binary.LittleEndian.AppendUint16(data, i)
	}
	text := fmt.Sprintf(`{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
		"nodes": [{"name": "table", "children": [1, 2]}, %s],
		"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
		"accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
			{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
		"bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
		"buffers": [{"byteLength": %d, "uri": "data:application/octet-stream;base64,%s"}]}`,
		nodes, len(data), base64.StdEncoding.EncodeToString(data))
	g, err := gltf.ParseJSONReader(strings.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	node, err := g.LoadScene(0)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// near is for what went through float32.
func near(a, b r3.Vec) bool { return r3.Norm(r3.Sub(a, b)) < 1e-5*(1+r3.Norm(b)) }

// A body made of a scaled, turned and mirrored model is where the picture is, weighs what the
// picture's volume does, and carries the picture with it.
func TestModelBodyIsWhereThePictureIs(t *testing.T) {
	for name, node := range map[string]core.INode{
		"obj":  readOBJ(t, plainCube),
		"gltf": glTF(t, `{"mesh": 0, "scale": [2, 1, -0.5], "translation": [0.5, 0, 0]}, {"mesh": 0, "rotation": [0, 0, 1, 0]}`),
	} {
		parent, root := core.NewNode(), core.NewNode()
		root.Add(parent)
		parent.Add(node)
		parent.SetPosition(1, 2, 3)
		parent.SetRotation(0.3, 0.4, 0.5)
		parent.SetScale(2, 2, 2)
		n := node.GetNode()
		n.SetPosition(0, 1, 0)
		n.SetRotation(0.1, -1.2, 0.6)
		n.SetScale(0.5, -1, 1.5)
		world := physics.NewWorld(physics.WorldDef{})
		body, err := NewModelBody(world, node, ModelOptions{
			Form: Hulls, Body: physics.BodyDef{Kind: physics.Dynamic}, Shape: physics.ShapeDef{Density: 100},
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		volume := 0.0
		checked := 0
		for _, m := range meshesOf(node) {
			matrix := m.MatrixWorld()
			part := 1.0 // m³ of the mesh without its scale
			if name == "gltf" {
				part = 1.0 / 6
			}
			volume += part * math.Abs(float64(matrix.Determinant()))
			m.GetGeometry().ReadVertices(func(v math32.Vector3) bool {
				at := transformed(&matrix, r3.Vec{X: float64(v.X), Y: float64(v.Y), Z: float64(v.Z)})
				var d [1]float32
				body.Distance(d[:], []r3.Vec{at})
				if math.Abs(float64(d[0])) > 1e-4 {
					t.Errorf("%s: the corner %v is %g m from the body", name, at, d[0])
				}
				checked++
				return false
			})
		}
		if mass := body.MassProperties().Mass; math.Abs(mass-100*volume) > 1e-4*mass {
			t.Errorf("%s: %g kg, want %g", name, mass, 100*volume)
		}
		if checked < 8 {
			t.Errorf("%s: only %d corners", name, checked)
		}
	}
}

func meshesOf(node core.INode) (all []*graphic.Mesh) {
	for n := range under(node) {
		if m, ok := n.(*graphic.Mesh); ok {
			all = append(all, m)
		}
	}
	return all
}

// A bound model stays where it is and then moves with its body, about the body's centre of mass.
func TestBindBodyFollowsTheModel(t *testing.T) {
	node := readOBJ(t, plainCube)
	node.SetPosition(1, 2, 3)
	node.SetRotation(0.3, 0.4, 0.5)
	node.SetScale(2, 1, 1)
	world := physics.NewWorld(physics.WorldDef{})
	body, err := NewModelBody(world, node, ModelOptions{Body: physics.BodyDef{
		Kind: physics.Dynamic, Velocity: r3.Vec{X: 1}, AngularVelocity: r3.Vec{Y: 2},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var binder Binder
	before := node.Position()
	binder.BindBody(body, node)
	if at := node.Position(); at.DistanceTo(&before) > 1e-5 {
		t.Errorf("binding moves the node from %v to %v", before, at)
	}
	for range 30 {
		world.Step(1. / 60)
		binder.Capture()
	}
	binder.Interpolate(1)
	at := node.Position()
	if p := (r3.Vec{X: float64(at.X), Y: float64(at.Y), Z: float64(at.Z)}); !near(p, body.Position()) || at.DistanceTo(&before) < 0.3 {
		t.Errorf("the node is at %v, the body at %v", p, body.Position())
	}
	if s := node.Scale(); s.X != 2 {
		t.Errorf("the node's scale is now %v", s)
	}
}

// Triangles keep their outside outside under a mirror, and all meshes make one surface.
func TestModelTriangles(t *testing.T) {
	node := glTF(t, `{"mesh": 0}, {"mesh": 0, "translation": [3, 0, 0], "scale": [-1, 1, 1]}`)
	solids, err := ModelGeometry(node, Triangles)
	if err != nil || len(solids) != 1 {
		t.Fatalf("%d solids, %v", len(solids), err)
	}
	vertices, triangles := solids[0].Triangles(8)
	volume := 0.0
	for _, f := range triangles {
		volume += r3.Dot(vertices[f[0]], r3.Cross(vertices[f[1]], vertices[f[2]])) / 6
	}
	if len(triangles) != 8 || math.Abs(volume-2./6) > 1e-6 {
		t.Errorf("%d triangles about %g m³, want 8 about %g", len(triangles), volume, 2./6)
	}
	world := physics.NewWorld(physics.WorldDef{})
	if _, err := NewModelBody(world, node, ModelOptions{Form: Triangles}); err != nil {
		t.Errorf("a static body: %v", err)
	}
	_, err = NewModelBody(world, node, ModelOptions{Form: Triangles, Body: physics.BodyDef{Kind: physics.Dynamic}})
	if !errors.Is(err, physics.ErrKind) || world.Coupling().Len() != 1 {
		t.Errorf("a dynamic body: %v, and %d bodies, want 1", err, world.Coupling().Len())
	}
}

// A sheet is ground as OpenTriangles, but no solid.
func TestModelOpenTriangles(t *testing.T) {
	sheet := meshOf([][3]float32{{-1, 0, -1}, {1, 0, 1}, {1, 0, -1}, {-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}})
	world := physics.NewWorld(physics.WorldDef{})
	body, err := NewModelBody(world, sheet, ModelOptions{Form: OpenTriangles})
	if err != nil {
		t.Fatal(err)
	}
	hit, ok, err := world.RayCast(r3.Vec{Y: 1}, r3.Vec{Y: -2}, physics.Query{})
	if err != nil || !ok || math.Abs(hit.Point.Y) > 1e-6 {
		t.Errorf("a ray on the ground: %+v, %v, %v", hit, ok, err)
	}
	var d [1]float32
	body.Distance(d[:], []r3.Vec{{Y: -.1}})
	if d[0] < 0 {
		t.Errorf("below the sheet it is %v m: it has no inside", d[0])
	}
}

// meshOf is a mesh of points and nothing else, in a buffer with room for more.
func meshOf(points [][3]float32, indices ...uint32) *graphic.Mesh {
	var data math32.ArrayF32
	for _, p := range points {
		data = append(data, 7, p[0], p[1], p[2])
	}
	g := geometry.NewGeometry()
	g.AddVBO(gls.NewVBO(data).AddCustomAttrib("Other", 1).AddAttrib(gls.VertexPosition))
	if len(indices) > 0 {
		g.SetIndices(indices)
	}
	return graphic.NewMesh(g, material.NewStandard(&math32.Color{}))
}

func TestModelErrors(t *testing.T) {
	nan := float32(math.NaN())
	flat := [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}
	var many [][3]float32
	for i := range 16386 {
		many = append(many, [3]float32{float32(i), float32(i * i % 97), float32(i % 89)})
	}
	named := meshOf(flat)
	named.SetName("lid")
	flatNode := core.NewNode()
	flatNode.SetScale(1, 0, 1)
	flatNode.Add(readOBJ(t, plainCube))
	for _, c := range []struct {
		name string
		node core.INode
		form Form
		want string
	}{
		{"nothing", core.NewNode(), OneHull, "no mesh"},
		{"a plane", named, Hulls, `mesh "lid" with 4 points: physics`},
		{"no corners", meshOf(nil), OneHull, "mesh 0: no triangles"},
		{"a corner that isn't there", meshOf(flat, 0, 1, 9), Triangles, "no vertex 10 among 6"},
		{"not a number", meshOf([][3]float32{{nan, 0, 0}, {1, 0, 0}, {0, 1, 0}}), Triangles, "not finite"},
		{"too many points", meshOf(many), OneHull, "with 16386 points: physics: Hull: points: must be at most 16384 points"},
		{"a skeleton", graphic.NewRiggedMesh(meshOf(flat)), OneHull, "skeleton"},
		{"a sheet as a solid", meshOf(flat), Triangles, "must be closed: "},
		{"no such form", named, Form(7), "form is 7"},
		{"no height", flatNode, OneHull, "physics"},
	} {
		_, err := ModelGeometry(c.node, c.form)
		if err == nil || !strings.HasPrefix(err.Error(), "scene: ModelGeometry: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
}

// Models that artists made become bodies that hold their vertices.
func TestModelBodyOfPublicModels(t *testing.T) {
	files, _ := filepath.Glob("../../shared/data/*.obj")
	if len(files) == 0 {
		t.Skip("no ../shared/data")
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		node := readOBJ(t, string(text))
		world := physics.NewWorld(physics.WorldDef{})
		for _, o := range []ModelOptions{
			{Form: OneHull, Body: physics.BodyDef{Kind: physics.Dynamic}},
			{Form: Triangles},
			{Form: OpenTriangles},
		} {
			body, err := NewModelBody(world, node, o)
			if err != nil {
				t.Errorf("%s, form %d: %v", f, o.Form, err)
				continue
			}
			size := 0.0
			var corners []r3.Vec
			for _, m := range meshesOf(node) {
				m.GetGeometry().ReadVertices(func(v math32.Vector3) bool {
					corners = append(corners, r3.Vec{X: float64(v.X), Y: float64(v.Y), Z: float64(v.Z)})
					size = max(size, float64(v.Length()))
					return len(corners) == 2000
				})
			}
			d := make([]float32, len(corners))
			body.Distance(d, corners)
			for i := range d {
				if d[i] > float32(0.02*size) { // what MaxHullVertices leave out
					t.Errorf("%s, form %d: %v is %g m outside", f, o.Form, corners[i], d[i])
					break
				}
			}
		}
	}
}
