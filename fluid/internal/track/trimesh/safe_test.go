package trimesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// sphere is an octahedron, each of whose triangles has been split into four several times, blown up to radius 1.
func sphere(times int) (m Mesh) {
	o := octahedron()
	x, triangles := slices.Clone(o.Position), slices.Clone(o.Triangle)
	for range times {
		middle := map[[2]int32]int32{}
		between := func(a, b int32) int32 {
			key := [2]int32{min(a, b), max(a, b)}
			if _, there := middle[key]; !there {
				middle[key] = int32(len(x))
				x = append(x, r3.Unit(r3.Add(x[a], x[b])))
			}
			return middle[key]
		}
		var finer [][3]int32
		for _, v := range triangles {
			a, b, c := between(v[0], v[1]), between(v[1], v[2]), between(v[2], v[0])
			finer = append(finer, [3]int32{v[0], a, c}, [3]int32{v[1], b, a}, [3]int32{v[2], c, b}, [3]int32{a, b, c})
		}
		triangles = finer
	}
	m.Set(x, triangles, 0)
	return m
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(m *Mesh)
		want string
	}{
		"sound":      {func(*Mesh) {}, ""},
		"open":       {func(m *Mesh) { m.RemoveTriangle(5) }, "run along edge"},
		"not finite": {func(m *Mesh) { m.Position[3].Y = math.NaN() }, "vertex 3 is at"},
		"turned":     {func(m *Mesh) { v := m.Triangle[4]; m.RemoveTriangle(4); m.AddTriangle(v[1], v[0], v[2], 0) }, "run along edge"},
		"twice": {func(m *Mesh) {
			v := m.Triangle[4]
			m.AddTriangle(v[0], v[1], v[2], 0)
			m.AddTriangle(v[1], v[0], v[2], 0)
		}, "the same vertices"},
		"through":     {func(m *Mesh) { m.Move(0, r3.Vec{X: -3}) }, "meet"},
		"wrong table": {func(m *Mesh) { m.Edge[2][1]++ }, "is edge"},
	} {
		m := sphere(2)
		c.harm(&m)
		err := m.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Two spheres that overlap meet along a ring, and those that only touch in one point meet there.
func TestIntersections(t *testing.T) {
	for _, c := range []struct {
		shift float64
		meet  bool
	}{{1.5, true}, {2, true}, {math.Nextafter(2, 3), false}} {
		m, other := sphere(3), sphere(3)
		first := int32(len(m.Triangle))
		var number []int32
		for _, x := range other.Position {
			number = append(number, m.AddVertex(r3.Add(x, r3.Vec{X: c.shift}), 0))
		}
		for _, v := range other.Triangle {
			m.AddTriangle(number[v[0]], number[v[1]], number[v[2]], 0)
		}
		pairs := m.Intersections(nil)
		if len(pairs) > 0 != c.meet {
			t.Errorf("shift %g: %d pairs", c.shift, len(pairs))
		}
		for _, p := range pairs {
			if p[0] >= first || p[1] < first {
				t.Errorf("shift %g: triangles %v of one sphere meet", c.shift, p)
			}
		}
	}
}

// A surface whose vertices only move where MotionMeets lets them has no intersection, though they jump far; and it lets many and refuses many.
func TestMotionMeets(t *testing.T) {
	m := sphere(2)
	rng := rand.New(rand.NewPCG(5, 6))
	moved, refused := 0, 0
	n := 3000
	if testing.Short() {
		n = 500
	}
	for i := range n {
		v := rng.Int32N(int32(len(m.Position)))
		to := r3.Add(m.Position[v], r3.Scale(.8, r3.Vec{X: rng.Float64() - .5, Y: rng.Float64() - .5, Z: rng.Float64() - .5}))
		if i%3 == 0 { // on the grid there are many degenerate ways
			to = r3.Vec{X: math.Round(4*to.X) / 4, Y: math.Round(4*to.Y) / 4, Z: math.Round(4*to.Z) / 4}
		}
		if m.MotionMeets(v, to, nil, nil) {
			refused++
			continue
		}
		moved++
		m.Move(v, to)
		if pairs := m.Intersections(nil); len(pairs) > 0 {
			t.Fatalf("way %d, of vertex %d: triangles %v and %v meet", i, v, m.Triangle[pairs[0][0]], m.Triangle[pairs[0][1]])
		}
	}
	if moved < n/10 || refused < n/10 {
		t.Errorf("%d moved, %d refused", moved, refused)
	}
}

// The questions about new triangles, edges and tetrahedra.
func TestNew(t *testing.T) {
	m := octahedron() // vertices 0 and 1 are at ±X, 2 and 3 at ±Y, 4 and 5 at ±Z; triangle 0 is 0, 2, 4
	at := func(v [3]int32, other r3.Vec) (x [3]r3.Vec) {
		for i, w := range v {
			x[i] = other
			if w != Gone {
				x[i] = m.Position[w]
			}
		}
		return x
	}
	var all []int32
	for i := range m.Triangle {
		all = append(all, int32(i))
	}
	for i, c := range []struct {
		v      [3]int32
		other  r3.Vec
		except []int32
		want   bool
	}{
		{[3]int32{0, 2, Gone}, r3.Vec{X: 1, Y: 1}, nil, false},
		{[3]int32{0, 2, 4}, r3.Vec{}, nil, true},
		{[3]int32{0, 2, 4}, r3.Vec{}, []int32{0}, false},
		{[3]int32{0, 2, Gone}, r3.Vec{X: .25, Y: .25, Z: .5}, nil, true}, // in triangle 0
		{[3]int32{0, 2, Gone}, r3.Vec{X: .25, Y: .25, Z: .5}, []int32{0}, false},
		{[3]int32{0, 2, Gone}, r3.Vec{X: 1, Y: 1, Z: -1}, nil, false}, // in its plane, on the other side
		{[3]int32{0, 1, 2}, r3.Vec{}, nil, false},                     // inside
		{[3]int32{0, Gone, 2}, r3.Vec{X: -2}, nil, true},
		{[3]int32{0, Gone, 2}, r3.Vec{X: -2}, all, false},
		{[3]int32{Gone, Gone, 0}, r3.Vec{X: -2}, nil, true},
	} {
		if x := at(c.v, c.other); m.TriangleMeets(c.v, &x, c.except) != c.want {
			t.Errorf("triangle %d: want %v", i, c.want)
		}
	}
	for i, c := range []struct {
		v    [2]int32
		x    [2]r3.Vec
		want bool
	}{
		{[2]int32{0, 1}, [2]r3.Vec{{X: 1}, {X: -1}}, false},
		{[2]int32{0, 2}, [2]r3.Vec{{X: 1}, {Y: 1}}, false},
		{[2]int32{0, Gone}, [2]r3.Vec{{X: 1}, {X: -1}}, true},
		{[2]int32{Gone, 1}, [2]r3.Vec{{X: 3}, {X: -1}}, true},
		{[2]int32{0, Gone}, [2]r3.Vec{{X: 1}, {X: .5, Y: .5}}, true}, // along a side
		{[2]int32{0, Gone}, [2]r3.Vec{{X: 1}, {X: 3}}, false},
		{[2]int32{Gone, Gone}, [2]r3.Vec{{X: 1}, {X: 3}}, true},
	} {
		if m.EdgeMeets(c.v, &c.x, nil) != c.want {
			t.Errorf("edge %d: want %v", i, c.want)
		}
	}
	x := [4]r3.Vec{{X: 1}, {X: 3, Y: -1}, {X: 3, Y: 1}, {X: 3, Z: 1}}
	if !m.VertexInside(&x, nil) || m.VertexInside(&x, []int32{0}) {
		t.Error("vertex 0 is on the tetrahedron and no other")
	}
}
