package adapter

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// An engine's buffers, with indices or without, are welded alike.
func TestWeld(t *testing.T) {
	cube := ShapeTriangles(physics.Box(physics.Centred(1, 1, 1)))
	var all []uint32
	for i := range len(cube.Positions) / 3 {
		all = append(all, uint32(i))
	}
	for name, indices := range map[string][]uint32{"without": nil, "with": all} {
		v, tri, err := Weld(cube.Positions, indices)
		if err != nil || len(v) != 8 || len(tri) != 12 {
			t.Errorf("%s indices: %d vertices, %d triangles, %v; want 8, 12", name, len(v), len(tri), err)
		}
	}
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		positions []float32
		indices   []uint32
	}{
		"nothing": {nil, nil}, "empty indices": {cube.Positions, []uint32{}}, "no such vertex": {cube.Positions, []uint32{0, 1, 1 << 31}},
		"not a number": {[]float32{nan, 0, 0, 1, 0, 0, 0, 1, 0}, nil}, "one place": {make([]float32, 9), nil}, "half a vertex": {make([]float32, 8), []uint32{0, 1, 2}},
	} {
		if v, tri, err := Weld(c.positions, c.indices); err == nil || v != nil || tri != nil || !strings.HasPrefix(err.Error(), "adapter: Weld: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Meshes become one hull, a hull each, or what they are; a body of them weighs as much as they hold.
func TestModelBody(t *testing.T) {
	mesh := func(x float64) Mesh {
		l := ShapeTriangles(physics.Box(physics.Centred(1, 1, 1)))
		v, tri, err := Weld(l.Positions, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range v {
			v[i].X += x
		}
		return Mesh{Vertices: v, Triangles: tri}
	}
	meshes := []Mesh{mesh(0), mesh(3)}
	world := physics.NewWorld(physics.WorldDef{})
	for form, want := range map[Form]struct {
		solids int
		volume float64 // m³
	}{OneHull: {1, 4}, Hulls: {2, 2}} {
		solids, err := ModelGeometry(meshes, form)
		if err != nil || len(solids) != want.solids {
			t.Fatalf("form %d: %d solids, %v", form, len(solids), err)
		}
		body, err := NewModelBody(world, meshes, ModelOptions{
			Form: form, Body: physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: 2}}, Shape: physics.ShapeDef{Density: 500},
		})
		if err != nil {
			t.Fatal(err)
		}
		if m := body.MassProperties(); math.Abs(m.Mass-500*want.volume) > 1e-6*m.Mass || body.Position().Y != 2 {
			t.Errorf("form %d: %g kg at %v, want %g kg", form, m.Mass, body.Position(), 500*want.volume)
		}
	}
	if solids, err := ModelGeometry(meshes, Triangles); err != nil || len(solids) != 1 {
		t.Errorf("triangles: %d solids, %v", len(solids), err)
	}
	bodies := world.Coupling().Len()
	flat := mesh(0)
	for i := range flat.Vertices {
		flat.Vertices[i].Y = 0
	}
	flat.Name = "lid"
	for name, c := range map[string]struct {
		meshes []Mesh
		form   Form
		want   string
	}{"no mesh": {nil, OneHull, "no mesh"}, "no such form": {meshes, 7, "form is 7"}, "a plane": {[]Mesh{meshes[0], flat}, Hulls, "lid with 8 points: physics"}} {
		if _, err := NewModelBody(world, c.meshes, ModelOptions{Form: c.form}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	if world.Coupling().Len() != bodies {
		t.Error("what failed left a body")
	}
}
