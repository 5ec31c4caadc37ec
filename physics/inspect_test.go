package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// enclosed is the volume within triangles, m³, positive if they face outwards, and their
// area, m². Every edge must belong to two triangles that run through it in opposite ways.
func enclosed(t *testing.T, v []r3.Vec, tri [][3]int32) (volume, area float64) {
	t.Helper()
	edges := map[[2]int32]int{}
	for _, c := range tri {
		a, b, d := v[c[0]], v[c[1]], v[c[2]]
		n := r3.Cross(r3.Sub(b, a), r3.Sub(d, a))
		volume += r3.Dot(a, n) / 6
		area += r3.Norm(n) / 2
		for k := range 3 {
			edges[[2]int32{c[k], c[(k+1)%3]}]++
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
			t.Fatalf("edge %v runs %d and %d times", e, n, edges[[2]int32{e[1], e[0]}])
		}
	}
	return volume, area
}

func TestTriangles(t *testing.T) {
	egg := func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(r3.Norm(p) - 0.5)
		}
	}
	half := r3.Vec{X: 0.6, Y: 0.6, Z: 0.6}
	for _, c := range []struct {
		name         string
		g            Geometry
		volume, area float64
		tolerance    float64
	}{
		{"box", Box(Centred(1, 2, 3)), 6, 22, 1e-12},
		{"open box", OpenBox(Centred(2, 1, 3), 0.25), 6 - 1.5*2.5*0.75, 22 + 2*0.75*(1.5+2.5), 1e-12},
		{"sphere", Sphere(r3.Vec{}, 0.5), math.Pi / 6, math.Pi, 0.02},
		{"capsule", Capsule(r3.Vec{Y: -1}, r3.Vec{Y: 1}, 0.5), math.Pi * (0.5 + 1./6), math.Pi * (2 + 1), 0.02},
		{"cylinder", Cylinder(r3.Vec{Y: -1}, r3.Vec{Y: 1}, 0.5), math.Pi / 2, math.Pi * (2 + 0.5), 0.02},
		{"hull", Hull([]r3.Vec{{}, {X: 1}, {Y: 2}, {Z: 3}, {X: 0.1, Y: 0.1, Z: 0.1}}), 1, 5.5 + math.Sqrt(36+9+4)/2, 1e-9},
		{"SDF", SDF(egg, r3.Box{Min: r3.Scale(-1, half), Max: half}), math.Pi / 6, math.Pi, 0.02},
	} {
		volume, area := enclosed(t, first(c.g.Triangles(40)), second(c.g.Triangles(40)))
		if math.Abs(volume-c.volume) > c.tolerance*c.volume || math.Abs(area-c.area) > c.tolerance*c.area {
			t.Errorf("%s: %.4f m³ and %.4f m², want %.4f and %.4f", c.name, volume, area, c.volume, c.area)
		}
	}
	v, tri := HeightField(HeightFieldDef{Columns: 3, Rows: 2, SpacingX: 1, SpacingZ: 2, Heights: []float64{0, 1, 0, 0, 1, 0}}).Triangles(8)
	if len(v) != 6 || len(tri) != 4 {
		t.Fatalf("a field of two cells has %d vertices and %d triangles", len(v), len(tri))
	}
	for _, c := range tri {
		if n := r3.Cross(r3.Sub(v[c[1]], v[c[0]]), r3.Sub(v[c[2]], v[c[0]])); n.Y <= 0 {
			t.Errorf("triangle %v of a field faces %v", c, n)
		}
	}
	tetrahedron := Mesh(MeshDef{
		Vertices:  []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
	})
	v, tri = tetrahedron.Triangles(8)
	if volume, _ := enclosed(t, v, tri); math.Abs(volume-1./6) > 1e-12 {
		t.Errorf("a mesh encloses %g m³", volume)
	}
	v, tri = HalfSpace(r3.Vec{}, r3.Vec{X: 1, Y: 2, Z: -2}).Triangles(8)
	if len(tri) != 2 {
		t.Fatalf("a half-space has %d triangles", len(tri))
	}
	n := r3.Unit(r3.Cross(r3.Sub(v[tri[0][1]], v[tri[0][0]]), r3.Sub(v[tri[0][2]], v[tri[0][0]])))
	if r3.Norm(r3.Sub(n, r3.Vec{X: 1. / 3, Y: 2. / 3, Z: -2. / 3})) > 1e-9 {
		t.Errorf("the plane of a half-space faces %v", n)
	}
	for _, bad := range []func() ([]r3.Vec, [][3]int32){
		func() ([]r3.Vec, [][3]int32) { return Geometry{}.Triangles(8) },
		func() ([]r3.Vec, [][3]int32) { return Sphere(r3.Vec{}, -1).Triangles(8) },
		func() ([]r3.Vec, [][3]int32) { return Sphere(r3.Vec{}, 1).Triangles(2) },
		func() ([]r3.Vec, [][3]int32) { return Sphere(r3.Vec{}, 1).Triangles(1 << 30) },
	} {
		if v, tri := bad(); v != nil || tri != nil {
			t.Errorf("%d triangles of nothing", len(tri))
		}
	}
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// The points of contact of a box at rest bear its weight, asleep or not.
func TestContactsBearTheWeight(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	floor := ground(w)
	box := dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5, 0)
	for _, n := range []int{20, 200} {
		steps(w, n)
		sum, points := 0.0, 0
		for c := range w.Contacts() {
			points++
			sum += c.Force * c.Normal.Y
			if c.A.Body() != floor || c.B.Body() != box || math.Abs(c.Point.Y) > 1e-3 {
				t.Errorf("contact %+v", c)
			}
		}
		near1(t, "force", sum, box.Mass()*9.81, 0.001*box.Mass()*9.81)
		if points != 4 {
			t.Errorf("%d points", points)
		}
	}
	if box.Awake() {
		t.Error("the box does not sleep")
	}
	var shapes []Shape
	for s := range box.Shapes() {
		shapes = append(shapes, s)
	}
	if len(shapes) != 1 || shapes[0].Body() != box {
		t.Errorf("shapes of the box: %v", shapes)
	}
	for s := range (Body{}).Shapes() {
		t.Error(s)
	}
}
