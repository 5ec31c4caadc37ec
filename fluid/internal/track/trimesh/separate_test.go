package trimesh

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// waistShape is a tube along x that two bulbs hang on.
func waistShape(waist float64) soup {
	var x, radius []float64
	for i := range 33 {
		at := -1.6 + 0.1*float64(i)
		x = append(x, at)
		radius = append(radius, waist+(0.6-waist)*math.Min(1, math.Pow(math.Abs(at)/0.9, 2)))
	}
	return revolved(x, radius, 24, [2]float64{-1.75, 1.75})
}

// A waist that gets thinner pinches off: two pieces are left, with the volume that there was.
func TestTubePinches(t *testing.T) {
	m := meshOf(waistShape(0.3))
	legal(t, m, "at first")
	var im Improver
	var s Separator
	cuts := 0
	for step := 0; step < 60 && cuts == 0; step++ {
		deform(m, func(x r3.Vec) r3.Vec {
			f := 1 - 0.08*math.Exp(-16*x.X*x.X)
			return r3.Vec{X: x.X, Y: f * x.Y, Z: f * x.Z}
		})
		before := volumeOf(m)
		a := im.Improve(m, uniform(0.1))
		_, b := s.Separate(m, 0.05, 1e-6, nil)
		legal(t, m, step)
		change := volumeOf(m) - before
		if math.Abs(change-a.Volume-b.Volume) > 1e-12 {
			t.Errorf("step %d: the volume has changed by %v, and %v and %v are reported", step, change, a.Volume, b.Volume)
		}
		cuts += b.Cuts
	}
	if cuts != 1 || eulerOf(m) != 4 {
		t.Fatalf("%d cuts, Euler characteristic %d", cuts, eulerOf(m))
	}
}

// The hole of a torus closes: a sphere is left, once the bubbles in what was the hole are gone.
func TestTorusHoleCloses(t *testing.T) {
	m := meshOf(torusAround(r3.Vec{}, 0.8, 0.4, 48, 24))
	var im Improver
	var s Separator
	cuts := 0
	for step := 0; step < 80 && cuts == 0; step++ {
		deform(m, func(x r3.Vec) r3.Vec {
			r := math.Hypot(x.X, x.Y)
			f := 1 - 0.08*math.Exp(-4*r*r)
			return r3.Vec{X: f * x.X, Y: f * x.Y, Z: x.Z}
		})
		im.Improve(m, uniform(0.1))
		before := volumeOf(m)
		removed, r := s.Separate(m, 0.05, 0.001, nil)
		legal(t, m, step)
		cuts += r.Cuts
		change := volumeOf(m) - before - r.Volume
		for _, p := range removed {
			change += p.Volume
			if p.Volume >= 0 {
				t.Errorf("a piece of volume %v was removed", p.Volume)
			}
		}
		if math.Abs(change) > 1e-12 {
			t.Errorf("step %d: the volume changes by %v that is not reported", step, change)
		}
	}
	if cuts == 0 || eulerOf(m) != 2 {
		t.Fatalf("%d cuts, Euler characteristic %d", cuts, eulerOf(m))
	}
}

// Two tetrahedra that share a vertex, and two that share an edge, get vertices of their own.
func TestVerticesAreSeparated(t *testing.T) {
	tetrahedron := func(v [4]int32) [][3]int32 {
		return [][3]int32{{v[0], v[2], v[1]}, {v[0], v[1], v[3]}, {v[1], v[2], v[3]}, {v[2], v[0], v[3]}}
	}
	corners := []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}, {X: -1, Z: 0.2}, {Y: -1, Z: 0.1}, {X: -1, Y: -0.5, Z: -1}, {X: -1, Y: -1, Z: 0.1}}
	for _, second := range [][4]int32{{0, 5, 4, 6}, {0, 4, 7, 3}} {
		var m Mesh
		m.Set(corners, append(tetrahedron([4]int32{0, 1, 2, 3}), tetrahedron(second)...), 0)
		if v := volumeOf(&m); v <= 0 {
			t.Fatalf("volume %v", v)
		}
		legal(t, &m, "at first")
		shared := m.Vertices()
		var s Separator
		_, r := s.Separate(&m, 0, 0, nil)
		legal(t, &m, "then")
		if m.Vertices() != 8 || r.Copies != 8-shared || eulerOf(&m) != 4 {
			t.Errorf("%v: %d vertices of %d, %+v, Euler characteristic %d", second, m.Vertices(), shared, r, eulerOf(&m))
		}
	}
}

// Two triangles back to back cancel, and tiny pieces go with their volume told.
func TestCancelledAndTiny(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 4), icosphere(r3.Vec{X: 3}, 0.01, 1))
	tiny := volumeOf(m) - volumeOf(meshOf(icosphere(r3.Vec{}, 1, 4)))
	a, b, c := m.AddVertex(r3.Vec{Y: 2}, 0), m.AddVertex(r3.Vec{Y: 3}, 0), m.AddVertex(r3.Vec{Z: 3}, 0)
	m.AddTriangle(a, b, c, 0)
	m.AddTriangle(c, b, a, 0)
	var s Separator
	removed, r := s.Separate(m, 0, 1e-5, nil)
	legal(t, m, "then")
	if r.Cancelled != 1 || len(removed) != 1 || m.Vertices() != 162 || eulerOf(m) != 2 {
		t.Fatalf("%+v, %v removed, %d vertices", r, removed, m.Vertices())
	}
	if p := removed[0]; math.Abs(p.Volume-tiny) > 1e-12 || r3.Norm(r3.Sub(p.Centre, r3.Vec{X: 3})) > 1e-12 {
		t.Errorf("%+v, volume %v", p, tiny)
	}
}

// The centre of a piece that is removed is that of its volume, however its vertices lie.
func TestCentreOfTiny(t *testing.T) {
	tip := r3.Vec{X: .04, Y: .02, Z: .08}
	cone := soup{position: []r3.Vec{tip}}
	const n = 7
	for i := range n { // more vertices at one place of the base than elsewhere
		turn := 2 * math.Pi * math.Pow(float64(i)/n, 2)
		cone.position = append(cone.position, r3.Vec{X: .01 * math.Cos(turn), Y: .01 * math.Sin(turn)})
	}
	for i := range int32(n) {
		next := 1 + (i+1)%n
		cone.triangles = append(cone.triangles, [3]int32{0, 1 + i, next})
		if next > 2 {
			cone.triangles = append(cone.triangles, [3]int32{1, next, 1 + i})
		}
	}
	m := meshOf(cone)
	var base r3.Vec // of the polygon
	area := 0.
	for i := 2; i < n; i++ {
		a, b, c := cone.position[1], cone.position[i], cone.position[i+1]
		part := r3.Norm(r3.Cross(r3.Sub(b, a), r3.Sub(c, a)))
		base, area = r3.Add(base, r3.Scale(part/3, r3.Add(a, r3.Add(b, c)))), area+part
	}
	want := r3.Add(r3.Scale(.75/area, base), r3.Scale(.25, tip))
	var s Separator
	removed, _ := s.Separate(m, 0, 1, nil)
	if len(removed) != 1 || r3.Norm(r3.Sub(removed[0].Centre, want)) > 1e-12 {
		t.Errorf("%+v, want its centre at %v", removed, want)
	}
}

func BenchmarkSeparate(b *testing.B) {
	m := meshOf(icosphere(r3.Vec{}, 1, 32))
	var s Separator
	b.ReportAllocs()
	for b.Loop() {
		s.Separate(m, 0.01, 1e-6, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*m.Vertices()), "µs/vertex")
}
