package trimesh

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Areas and volumes are those of the closed forms, also far from the origin of coordinates.
func TestMeasures(t *testing.T) {
	edge := 4 / math.Sqrt(10+2*math.Sqrt(5)) // of an icosahedron in the unit sphere
	for _, c := range []struct {
		name         string
		shape        soup
		volume, area float64
	}{
		{"box", dividedBox(r3.Vec{X: 1, Y: 2, Z: 3}, 4), 6, 22},
		{"sheet", dividedBox(r3.Vec{X: 1, Y: 1, Z: 1. / 1024}, 5), 1. / 1024, 2 + 4./1024},
		{"icosahedron", icosphere(r3.Vec{}, 1, 1), 5. / 12 * (3 + math.Sqrt(5)) * edge * edge * edge, 5 * math.Sqrt(3) * edge * edge},
	} {
		for _, at := range []r3.Vec{{}, {X: 1024, Y: -2048, Z: 4096}} {
			m := new(soup).add(c.shape, at, false).mesh(0)
			bound := 1e-13
			if c.name == "icosahedron" && at != (r3.Vec{}) {
				bound = 1e-11 // its positions there are rounded to 2⁻⁴⁰ m
			}
			if v := m.Volume(m.Position); math.Abs(v/c.volume-1) > bound {
				t.Errorf("%s at %v: volume %v, want %v", c.name, at, v, c.volume)
			}
			var s Measures
			s.Measure(nil, m, m.Position)
			if a := s.SurfaceArea(); math.Abs(a/c.area-1) > bound {
				t.Errorf("%s at %v: area %v, want %v", c.name, at, a, c.area)
			}
		}
	}
}

// The vertices' normals are the gradient of the volume, their areas add up to the surface's, and any number of workers gives the same bits.
func TestVertexMeasures(t *testing.T) {
	m := new(soup).add(jolted(icosphere(r3.Vec{}, .7, 16), .01), r3.Vec{X: 3}, false).mesh(0)
	var s Measures
	s.Measure(nil, m, m.Position)
	sum := 0.
	for _, a := range s.Area {
		sum += a
	}
	if a := s.SurfaceArea(); math.Abs(sum/a-1) > 1e-12 {
		t.Errorf("the vertices have %v m² in all, want %v", sum, a)
	}
	before := m.Volume(m.Position)
	for _, v := range []int32{0, 7, 500, int32(len(m.Position) - 1)} {
		d := r3.Vec{X: 1. / 1024, Y: -1. / 512, Z: 1. / 2048}
		m.Target[v] = r3.Add(m.Target[v], d)
		// The volume is linear in each vertex.
		if got, want := m.Volume(m.Target)-before, reproducible.Dot(s.Normal[v], d); math.Abs(got-want) > 1e-14 {
			t.Errorf("vertex %d: the volume grows by %v, want %v", v, got, want)
		}
		m.Target[v] = m.Position[v]
	}
	pool := par.New(2)
	defer pool.Close()
	var two Measures
	two.Measure(pool, m, m.Position)
	for v := range s.Normal {
		if s.Normal[v] != two.Normal[v] || s.Area[v] != two.Area[v] {
			t.Fatalf("vertex %d: %v, with two workers %v", v, s.Normal[v], two.Normal[v])
		}
	}
	if n := testing.AllocsPerRun(3, func() { s.Measure(pool, m, m.Position) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAngles(t *testing.T) {
	box := dividedBox(r3.Vec{X: 1, Y: 1, Z: 1}, 0)
	a := box.mesh(0).Angles(box.position)
	if math.Abs(a.Least-math.Pi/4) > 1e-15 || a.ShareFrom(1) != 1 || a.ShareFrom(8) != 1./3 {
		t.Errorf("a cube: least angle %v, %v from 80° on", a.Least, a.ShareFrom(8))
	}
	needle := soup{position: []r3.Vec{{}, {X: 1}, {X: .5, Y: .05}, {X: .5, Y: .05, Z: .05}}, triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}
	if a := needle.mesh(0).Angles(needle.position); a.ShareFrom(1) != .5 || math.Abs(a.Least-math.Atan(.1)) > .02 {
		t.Errorf("a needle: least angle %v, %v from 10° on", a.Least, a.ShareFrom(1))
	}
	if a := new(Mesh).Angles(nil); a.ShareFrom(1) != 1 {
		t.Error("no triangles: bad angles")
	}
}
