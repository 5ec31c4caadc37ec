package scene

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/loader/gltf"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// modelData is the buffer of a model in the making.
type modelData struct {
	bytes     []byte
	views     []string
	accessors []string
}

// floats adds an accessor of a type, VEC3 for one.
func (d *modelData) floats(kind string, per int, v []float32) int {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return d.add(b, 5126, len(v)/per, kind)
}

// shorts adds an accessor of whole numbers.
func (d *modelData) shorts(kind string, per int, v []uint16) int {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return d.add(b, 5123, len(v)/per, kind)
}

func (d *modelData) add(b []byte, component, count int, kind string) int {
	d.views = append(d.views, fmt.Sprintf(`{"buffer": 0, "byteOffset": %d, "byteLength": %d}`, len(d.bytes), len(b)))
	d.accessors = append(d.accessors, fmt.Sprintf(`{"bufferView": %d, "componentType": %d, "count": %d, "type": %q}`, len(d.accessors), component, count, kind))
	d.bytes = append(d.bytes, b...)
	for len(d.bytes)%4 != 0 {
		d.bytes = append(d.bytes, 0)
	}
	return len(d.accessors) - 1
}

// model is the file of a model with some parts.
func (d *modelData) model(parts map[string]string) string {
	parts["bufferViews"] = "[" + strings.Join(d.views, ",") + "]"
	parts["accessors"] = "[" + strings.Join(d.accessors, ",") + "]"
	parts["buffers"] = fmt.Sprintf(`[{"byteLength": %d, "uri": "data:application/octet-stream;base64,%s"}]`, len(d.bytes), base64.StdEncoding.EncodeToString(d.bytes))
	return modelText(parts)
}

// columnFaces is a column of two cubes of edge 1 on each other, its foot in the middle of its bottom at the origin: quads, each with four vertices of its own.
func columnFaces(open bool) (positions []float32, indices []uint16) {
	quad := func(corners ...[3]float32) {
		n := uint16(len(positions) / 3)
		for _, c := range corners {
			positions = append(positions, c[:]...)
		}
		indices = append(indices, n, n+1, n+2, n, n+2, n+3)
	}
	ring := [4][2]float32{{-.5, -.5}, {-.5, .5}, {.5, .5}, {.5, -.5}} // x and z; counter-clockwise from above
	at := func(k int, y float32) [3]float32 { return [3]float32{ring[k%4][0], y, ring[k%4][1]} }
	for y := range 2 {
		for k := range 4 {
			quad(at(k, float32(y)), at(k+1, float32(y)), at(k+1, float32(y+1)), at(k, float32(y+1)))
		}
	}
	quad(at(3, 0), at(2, 0), at(1, 0), at(0, 0))
	if !open {
		quad(at(0, 2), at(1, 2), at(2, 2), at(3, 2))
	}
	return positions, indices
}

// jointedColumn is a column with a joint at its foot and one half way up. In its animation the lower rises by 1 m in half a second, and
// the upper turns by a right angle about z in one, from x to y.
func jointedColumn(open bool) string {
	var d modelData
	positions, indices := columnFaces(open)
	var joints []uint16
	var weights []float32
	for i := 1; i < len(positions); i += 3 {
		joints = append(joints, 0, 1, 0, 0)
		weights = append(weights, 1-positions[i]/2, positions[i]/2, 0, 0)
	}
	p, i := d.floats("VEC3", 3, positions), d.shorts("SCALAR", 1, indices)
	j, w := d.shorts("VEC4", 4, joints), d.floats("VEC4", 4, weights)
	unit := []float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}
	lower := append([]float32(nil), unit...)
	lower[13] = -1
	bind := d.floats("MAT4", 16, append(unit, lower...))
	half, whole := d.floats("SCALAR", 1, []float32{0, .5}), d.floats("SCALAR", 1, []float32{0, 1})
	rise := d.floats("VEC3", 3, []float32{0, 0, 0, 0, 1, 0})
	turn := d.floats("VEC4", 4, []float32{0, 0, 0, 1, 0, 0, math.Sqrt2 / 2, math.Sqrt2 / 2})
	return d.model(map[string]string{
		"nodes":  `[{"name": "column", "mesh": 0, "skin": 0}, {"name": "foot", "children": [2]}, {"name": "knee", "translation": [0, 1, 0]}]`,
		"scenes": `[{"nodes": [0, 1]}]`,
		"skins":  fmt.Sprintf(`[{"joints": [1, 2], "inverseBindMatrices": %d}]`, bind),
		"meshes": fmt.Sprintf(`[{"primitives": [{"attributes": {"POSITION": %d, "JOINTS_0": %d, "WEIGHTS_0": %d}, "indices": %d}]}]`, p, j, w, i),
		"animations": fmt.Sprintf(`[{"name": "bow", "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}, {"sampler": 1, "target": {"node": 2, "path": "rotation"}}],
			"samplers": [{"input": %d, "output": %d}, {"input": %d, "output": %d}]}]`, half, rise, whole, turn),
	})
}

// growingColumn is a column with two morph targets: one that raises its top by 1 m, one that moves it along x.
func growingColumn(targets int) string {
	var d modelData
	positions, indices := columnFaces(false)
	p, i := d.floats("VEC3", 3, positions), d.shorts("SCALAR", 1, indices)
	var list []string
	for k := range targets {
		difference := make([]float32, len(positions))
		for v := 0; v < len(positions); v += 3 {
			switch {
			case k == 0 && positions[v+1] == 2:
				difference[v+1] = 1
			case k == 1:
				difference[v] = 2
			}
		}
		list = append(list, fmt.Sprintf(`{"POSITION": %d}`, d.floats("VEC3", 3, difference)))
	}
	times, weights := d.floats("SCALAR", 1, []float32{0, 1, 2}), d.floats("SCALAR", 1, []float32{0, 0, 1, 0, 1, 1})
	return d.model(map[string]string{
		"meshes": fmt.Sprintf(`[{"primitives": [{"attributes": {"POSITION": %d}, "indices": %d, "targets": [%s]}]}]`, p, i, strings.Join(list, ",")),
		"nodes":  `[{"name": "column", "mesh": 0, "translation": [0, 0, 3]}]`,
		"animations": fmt.Sprintf(`[{"channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}], "samplers": [{"input": %d, "output": %d}]}]`,
			times, weights),
	})
}

// loaded is a model as g3n loads it, under a node that is moved, turned and scaled.
func loaded(t testing.TB, text string) (*core.Node, *gltf.GLTF) {
	t.Helper()
	g, err := ParseModel(modelFile(t, text, nil))
	if err != nil {
		t.Fatal(err)
	}
	node, err := sceneOf(g)
	if err != nil {
		t.Fatal(err)
	}
	return node, g
}

// bowed is where a vertex of the column is when its foot is at a height, m, and its knee turned by an angle.
func bowed(x r3.Vec, height, angle float64) r3.Vec {
	upper := r3.Add(r3.Vec{Y: 1}, r3.Rotation(quat.Number{Real: math.Cos(angle / 2), Kmag: math.Sin(angle / 2)}).Rotate(r3.Sub(x, r3.Vec{Y: 1})))
	return r3.Add(r3.Vec{Y: height}, r3.Add(r3.Scale(1-x.Y/2, x), r3.Scale(x.Y/2, upper)))
}

// The surface of a mesh with a skeleton is where its joints have it, in the axes of the node, whatever that does in the world.
func TestModelSurfaceOfASkeleton(t *testing.T) {
	node, g := loaded(t, jointedColumn(false))
	world := core.NewNode()
	world.Add(node)
	node.SetPosition(3, 4, 5)
	node.SetRotation(.3, .4, .5)
	s, err := NewModelSurface(node)
	if err != nil {
		t.Fatal(err)
	}
	var rest, m control.Mesh
	s.At(0, &rest)
	if len(rest.Positions) != 12 || len(rest.Triangles) != 20 || math.Abs(rest.Volume()-2) > 1e-5 {
		t.Fatalf("%d vertices, %d triangles, %v m³; want 12, 20 and 2", len(rest.Positions), len(rest.Triangles), rest.Volume())
	}
	bow, err := g.LoadAnimation(0)
	if err != nil {
		t.Fatal(err)
	}
	const dt = .125
	bow.Update(2 * dt)
	world.SetPosition(-7, 0, 1) // of no concern
	if err := s.Update(dt); err != nil {
		t.Fatal(err)
	}
	s.At(0, &m)
	for i, x := range rest.Positions {
		want := bowed(x, .5, math.Pi/8)
		if d := r3.Norm(r3.Sub(m.Positions[i], want)); d > 3e-6 {
			t.Errorf("vertex %v is at %v; want %v", x, m.Positions[i], want)
		}
		if d := r3.Norm(r3.Sub(m.Velocities[i], r3.Scale(1/dt, r3.Sub(want, x)))); d > 5e-5 {
			t.Errorf("vertex %v has velocity %v", x, m.Velocities[i])
		}
	}
	if n := testing.AllocsPerRun(20, func() { _ = s.Update(dt) }); n > 0 {
		t.Errorf("Update allocates %v times", n)
	}
	if s.At(0, &m); m.Velocities[0] != (r3.Vec{}) {
		t.Errorf("at rest it has velocity %v", m.Velocities[0])
	}
	bow.Update(dt)
	if err := s.Jump(); err != nil {
		t.Error(err)
	}
	if s.At(0, &m); r3.Norm(r3.Sub(m.Positions[0], bowed(rest.Positions[0], .75, math.Pi*3/16))) > 3e-6 || m.Velocities[0] != (r3.Vec{}) {
		t.Errorf("it jumps to %v with %v m/s", m.Positions[0], m.Velocities[0])
	}
	knee := node.FindPath("/" + node.Name() + "/foot/knee")
	if knee == nil {
		knee = node.ChildAt(1).GetNode().ChildAt(0)
	}
	knee.GetNode().SetPosition(float32(math.NaN()), 0, 0)
	if err := s.Update(dt); err == nil || !strings.HasPrefix(err.Error(), `scene: ModelSurface: mesh "column": vertex`) {
		t.Error(err)
	}
}

// So is that of a mesh with morph targets, and of plain ones, by their own nodes.
func TestModelSurfaceOfMorphTargets(t *testing.T) {
	node, _ := loaded(t, growingColumn(2))
	s, err := NewModelSurface(node)
	if err != nil {
		t.Fatal(err)
	}
	var rest, m control.Mesh
	s.At(0, &rest)
	meshesOf(node)[0].IGeometry().(*geometry.MorphGeometry).SetWeights([]float32{.5, -1})
	meshesOf(node)[0].SetScale(1, 2, 1)
	if err := s.Update(1); err != nil {
		t.Fatal(err)
	}
	s.At(0, &m)
	for i, x := range rest.Positions {
		want := r3.Vec{X: x.X - 2, Y: 2 * x.Y, Z: x.Z}
		if x.Y == 2 {
			want.Y = 5
		}
		if d := r3.Norm(r3.Sub(m.Positions[i], want)); d > 1e-5 {
			t.Errorf("vertex %v is at %v; want %v", x, m.Positions[i], want)
		}
	}
}

func TestModelSurfaceRefusals(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"open":         {jointedColumn(true), `scene: NewModelSurface: mesh "column": the surface is open: 4 edges have one triangle`},
		"many targets": {growingColumn(9), "9 morph targets; must be at most 8"},
	} {
		node, _ := loaded(t, c.text)
		if _, err := NewModelSurface(node); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if _, err := NewModelSurface(core.NewNode()); err == nil || !strings.Contains(err.Error(), "no mesh") {
		t.Error(err)
	}
}

// g3n's own solids have closed surfaces too, though rounding takes their seams apart.
func TestModelSurfaceOfSolids(t *testing.T) {
	for _, c := range []struct {
		name     string
		geometry *geometry.Geometry
		vertices int
		volume   float64 // of the smooth solid, m³
	}{
		{"box", geometry.NewBox(1, 2, 3), 8, 6},
		{"torus", geometry.NewTorus(1, .3, 24, 48, 2*math.Pi), 24 * 48, 2 * math.Pi * math.Pi * .09},
		{"sphere", geometry.NewSphere(2, 32, 16), 32*15 + 2, 32. / 3 * math.Pi},
		{"cylinder", geometry.NewCylinder(1, 2, 32, 2, true, true), 32*3 + 2, 2 * math.Pi},
	} {
		mesh := graphic.NewMesh(c.geometry, nil)
		mesh.SetScale(1, 1, -1) // mirrored, too
		s, err := NewModelSurface(mesh)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var m control.Mesh
		s.At(0, &m)
		if len(m.Positions) != c.vertices || math.Abs(m.Volume()/c.volume-1) > .03 {
			t.Errorf("%s: %d vertices, %.3f m³; want %d and some %.3f", c.name, len(m.Positions), m.Volume(), c.vertices, c.volume)
		}
	}
}

// Weights of morph targets are animated where the format has them, which g3n's loader alone fails at.
func TestAnimatedMorphTargets(t *testing.T) {
	node, g := loaded(t, growingColumn(2))
	grow, err := g.LoadAnimation(0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewModelSurface(node)
	if err != nil {
		t.Fatal(err)
	}
	var rest, m control.Mesh
	s.At(0, &rest)
	if at := rest.Positions[0]; at.Z != 2.5 && at.Z != 3.5 {
		t.Errorf("the node's own place is lost: %v", at)
	}
	const dt = .25
	for at := dt; at < 2; at += dt {
		grow.Update(dt)
		if err := s.Jump(); err != nil {
			t.Fatal(err)
		}
		s.At(0, &m)
		for i, x := range rest.Positions {
			want := r3.Add(x, r3.Vec{X: 2 * max(0, at-1)})
			if x.Y == 2 {
				want.Y += min(at, 1)
			}
			if d := r3.Norm(r3.Sub(m.Positions[i], want)); d > 2e-4 {
				t.Errorf("at %v s vertex %v is at %v; want %v", at, x, m.Positions[i], want)
			}
		}
	}
}

// A control of a model's surface moves it before each step, once for several controls of one, and tells the liquid.
func TestControlOfAModelSurface(t *testing.T) {
	node, g := loaded(t, jointedColumn(false))
	bow, err := g.LoadAnimation(0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewModelSurface(node)
	if err != nil {
		t.Fatal(err)
	}
	src := newControlled()
	water := NewLiquid(src, LiquidOptions{})
	defer water.Dispose()
	c, err := NewControl(water, fluid.ControlDef{Clip: s, Strength: 1}, node)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewControl(water, fluid.ControlDef{Clip: s, Strength: 1}, node); err != nil {
		t.Fatal(err)
	}
	bow.Update(1. / 60)
	water.Update(time.Second / 60)
	var m control.Mesh
	s.At(0, &m)
	if v := m.Velocities[0]; math.Abs(v.Y-2) > .01 {
		t.Errorf("the foot rises at %v m/s; want 2", v)
	}
	told := src.told
	if told == 0 {
		t.Error("the liquid is not told of a surface that moves")
	}
	for range 3 {
		water.Update(time.Second / 60)
	}
	if s.At(0, &m); m.Velocities[0] != (r3.Vec{}) || src.told > told+2 {
		t.Errorf("at rest the surface has %v m/s, and the liquid was told %d times more", m.Velocities[0], src.told-told)
	}
	node.ChildAt(1).GetNode().SetPosition(0, float32(math.Inf(1)), 0)
	water.Update(time.Second / 60)
	if c.Err() == nil || !strings.Contains(c.Err().Error(), "vertex") || errors.Is(c.Err(), src.refuses) && src.refuses != nil {
		t.Errorf("a surface without numbers: %v", c.Err())
	}
}
