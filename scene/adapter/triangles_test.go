package adapter

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// volume is what a closed list encloses, m³; it is below 0 if the list is inside out.
func volume(t *testing.T, l *TriangleList) (v float64) {
	t.Helper()
	n := len(l.Positions) / 9
	if n == 0 || len(l.Normals) != 9*n || len(l.Texcoords) != 6*n {
		t.Fatalf("%d coordinates, %d of normals, %d of textures", len(l.Positions), len(l.Normals), len(l.Texcoords))
	}
	at := func(a []float32, i int) r3.Vec {
		return r3.Vec{X: float64(a[3*i]), Y: float64(a[3*i+1]), Z: float64(a[3*i+2])}
	}
	for i := range n {
		a, b, c := at(l.Positions, 3*i), at(l.Positions, 3*i+1), at(l.Positions, 3*i+2)
		v += r3.Dot(a, r3.Cross(b, c)) / 6
		face := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
		for k := range 3 {
			if n := at(l.Normals, 3*i+k); math.Abs(r3.Norm(n)-1) > 1e-5 || r3.Dot(n, face) <= 0 {
				t.Fatalf("normal %v of a face that looks along %v", n, face)
			}
		}
	}
	return v
}

// A list is closed and looks outwards; a body's is in the body's own axes, wherever the body is.
func TestTriangleLists(t *testing.T) {
	for name, c := range map[string]struct {
		g    physics.Geometry
		want float64
	}{
		"box": {physics.Box(physics.Centred(1, 2, 3)), 6}, "sphere": {physics.Sphere(r3.Vec{}, 0.5), math.Pi / 6}, "tub": {physics.OpenBox(physics.Centred(2, 1, 2), 0.25), 4 - 1.5*1.5*0.75},
	} {
		l := ShapeTriangles(c.g)
		if v := volume(t, &l); math.Abs(v-c.want) > 0.01*c.want {
			t.Errorf("%s: %g m³, want %g", name, v, c.want)
		}
	}
	w := physics.NewWorld(physics.WorldDef{})
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 5}, Rotation: quat.Number{Real: math.Cos(.4), Kmag: math.Sin(.4)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0, 2} {
		if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(1, 1, 1)), Offset: r3.Vec{X: x}, Density: 100 + 2000*x}); err != nil {
			t.Fatal(err)
		}
	}
	l := BodyTriangles(b)
	if v := volume(t, &l); math.Abs(v-2) > 1e-5 {
		t.Errorf("two cubes of 1 m have %g m³", v)
	}
	var lo, hi float32
	for i := 0; i < len(l.Positions); i += 3 {
		lo, hi = min(lo, l.Positions[i]), max(hi, l.Positions[i])
	}
	if math.Abs(float64(lo)+0.5) > 1e-5 || math.Abs(float64(hi)-2.5) > 1e-5 {
		t.Errorf("from %g to %g m along x, want -0.5 to 2.5", lo, hi)
	}
}

// A picture's list is where the surface is, some time back along its velocities; it reuses its memory, and is
// empty where the picture has no triangles.
func TestPictureTriangles(t *testing.T) {
	f := newFake()
	var p SurfaceCopy
	p.CopyFrom(&f.surface)
	var l TriangleList
	p.Triangles(&l, 0.01)
	if len(l.Positions) != 3*len(p.Indices) || len(l.Normals) != 3*len(p.Indices) || len(l.Texcoords) != 2*len(p.Indices) {
		t.Fatalf("%d coordinates of %d corners", len(l.Positions), len(p.Indices))
	}
	for k, i := range p.Indices {
		want := p.Positions[3*i+1] - 0.01*p.Velocities[3*i+1]
		if math.Abs(float64(l.Positions[3*k+1]-want)) > 1e-6 || l.Texcoords[2*k] != p.Foam[i] {
			t.Fatalf("corner %d is %g m high with foam %g; want %g and %g", k, l.Positions[3*k+1], l.Texcoords[2*k], want, p.Foam[i])
		}
	}
	if n := testing.AllocsPerRun(10, func() { p.Triangles(&l, 0) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	p.Indices = nil
	if p.Triangles(&l, 0); len(l.Positions)+len(l.Normals)+len(l.Texcoords) > 0 {
		t.Error("triangles of an empty picture")
	}
}
