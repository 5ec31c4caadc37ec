package trimesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// boxOf is the box around a ball.
func boxOf(c r3.Vec, radius float64) r3.Box {
	d := r3.Vec{X: radius, Y: radius, Z: radius}
	return r3.Box{Min: r3.Sub(c, d), Max: r3.Add(c, d)}
}

// The same calls give the same mesh, whatever a Rebuilder has done before.
func TestRebuilderRepeats(t *testing.T) {
	var used Rebuilder
	var meshes [2]*Mesh
	for i := range meshes {
		m := cubeSphere(r3.Vec{}, 1, 12)
		rng := rand.New(rand.NewPCG(11, 12))
		for range 6 {
			r := &used
			if i == 0 {
				r = new(Rebuilder)
			}
			f, box := randomShape(rng)
			if _, err := r.Union(m, Lattice{H: 0.12}, box, batches(f), 0); err != nil {
				t.Fatal(err)
			}
		}
		meshes[i] = m
		if _, err := used.Union(boxMesh(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1}, 3), Lattice{H: 0.2}, boxOf(r3.Vec{}, 0.6), batches(ballDistance(r3.Vec{}, 0.5)), 0); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := meshes[0], meshes[1]; !slices.Equal(a.Position, b.Position) || !slices.Equal(a.Triangle, b.Triangle) || !slices.Equal(a.Edge, b.Edge) {
		t.Error("two meshes after the same changes differ")
	}
}

// A surface of another label stays as it is, and one that is in the way is an error.
func TestRebuilderLabels(t *testing.T) {
	const h = 0.1
	var s soup
	s.addSphere(r3.Vec{}, 1, 12)
	split := len(s.triangles)
	s.addSphere(r3.Vec{X: 2.2}, 1, 12)
	var m Mesh
	for _, x := range s.position {
		m.AddVertex(x, 0)
	}
	for i, v := range s.triangles {
		m.AddTriangle(v[0], v[1], v[2], int32(i/split))
	}
	others := func() (count int) {
		for k, v := range m.Triangle {
			if v[0] != Gone && m.Label[k] == 1 {
				count++
			}
		}
		return count
	}
	before := others()
	var r Rebuilder
	at := r3.Vec{X: 0.5, Z: 0.4}
	if _, err := r.Union(&m, Lattice{H: h}, boxOf(at, 0.6), batches(ballDistance(at, 0.6)), 0); err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if n := others(); n != before {
		t.Errorf("the other surface had %d triangles and has %d", before, n)
	}
	was := triangleSet(&m)
	at = r3.Vec{X: 1.1}
	if _, err := r.Union(&m, Lattice{H: h}, boxOf(at, 0.5), batches(ballDistance(at, 0.5)), 0); err != errBlocked {
		t.Errorf("a ball across the other surface: error %v, want %v", err, errBlocked)
	}
	checkSame(t, &m, was)
}

// checkSame reports a mesh that is not what it was.
func checkSame(t *testing.T, m *Mesh, was map[[3]r3.Vec]bool) {
	t.Helper()
	is := triangleSet(m)
	for k := range is {
		if !was[k] || len(is) != len(was) {
			t.Fatal("after an error the mesh is another one")
		}
	}
}

// What can't be done is an error, and leaves the mesh as it was.
func TestRebuilderErrors(t *testing.T) {
	m := cubeSphere(r3.Vec{}, 1, 6)
	was := triangleSet(m)
	ball, box := batches(ballDistance(r3.Vec{X: 1}, 0.5)), boxOf(r3.Vec{X: 1}, 0.5)
	var r Rebuilder
	for _, c := range []struct {
		name  string
		l     Lattice
		box   r3.Box
		shape func(dst []float32, at []r3.Vec)
	}{
		{"no cells", Lattice{}, box, ball},
		{"not a number", Lattice{H: 0.1, Origin: r3.Vec{Y: math.NaN()}}, box, ball},
		{"far away", Lattice{H: 0.1, Origin: r3.Vec{Y: 1e9}}, box, ball},
		{"a box without end", Lattice{H: 0.1}, r3.Box{Min: box.Min, Max: r3.Vec{X: math.Inf(1), Y: 1, Z: 1}}, ball},
		{"a large box", Lattice{H: 0.001}, boxOf(r3.Vec{}, 1), ball},
		{"a box inside out", Lattice{H: 0.1}, r3.Box{Min: box.Max, Max: box.Min}, ball},
		{"no distance", Lattice{H: 0.1}, box, func(dst []float32, at []r3.Vec) {
			for i := range dst {
				dst[i] = float32(math.NaN())
			}
		}},
	} {
		if _, err := r.Union(m, c.l, c.box, c.shape, 0); err == nil {
			t.Errorf("%s: no error", c.name)
		}
		checkSame(t, m, was)
	}
	if _, err := r.Rebuild(m, Lattice{H: 1}, [][3]int32{{1 << 20}}, nil, 0); err == nil {
		t.Error("a cell far away: no error")
	}
}

// New vertices have the origin of those around, and where there are none that of the Rebuilder.
func TestRebuilderOrigins(t *testing.T) {
	m := cubeSphere(r3.Vec{}, 1, 12)
	for i := range m.Origin {
		m.Origin[i] = 5
	}
	r := Rebuilder{Origin: 9}
	for _, c := range []struct {
		at   r3.Vec
		nine bool
	}{{r3.Vec{X: 0.9}, false}, {r3.Vec{X: 4}, true}} {
		if _, err := r.Subtract(m, Lattice{H: 0.1}, boxOf(c.at, 0.3), batches(ballDistance(c.at, 0.3)), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Union(m, Lattice{H: 0.1}, boxOf(c.at, 0.2), batches(ballDistance(c.at, 0.2)), 0); err != nil {
			t.Fatal(err)
		}
		for v, list := range m.VertexTriangles {
			if x := m.Position[v]; len(list) > 0 && x.X > 1.5 && m.Origin[v] != 9 {
				t.Fatalf("vertex %d at %v has origin %d", v, x, m.Origin[v])
			} else if len(list) > 0 && m.Origin[v] != 5 && x.X < 1.5 && x.X > 1.2 {
				t.Fatalf("vertex %d at %v has origin %d", v, x, m.Origin[v])
			}
		}
	}
}

// A level set with a bump that the mesh does not know yet is absorbed in the marked cells; a marked cell without a change keeps the surface where it is.
func TestRebuildAbsorbs(t *testing.T) {
	const h = 0.1
	ball, bump := ballDistance(r3.Vec{}, 1), ballDistance(r3.Vec{X: 0.9}, 0.4)
	distance := func(dst []float64, at []r3.Vec) {
		for i, x := range at {
			dst[i] = min(ball(x), bump(x))
		}
	}
	m := cubeSphere(r3.Vec{}, 1, 24)
	lost := 4./3*math.Pi - volumeOf(m)
	var marked [][3]int32
	for i := range int32(12) {
		for j := range int32(12) {
			for k := range int32(12) {
				marked = append(marked, [3]int32{i + 4, j - 6, k - 6})
			}
		}
	}
	var r Rebuilder
	report, err := r.Rebuild(m, Lattice{H: h}, marked, distance, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := manifold(m); err != nil {
		t.Error(err)
	}
	const d, a, b = 0.9, 1, 0.4
	lens := math.Pi * (a + b - d) * (a + b - d) * (d*d + 2*d*(a+b) - 3*(a-b)*(a-b)) / (12 * d)
	want := 4./3*math.Pi*(a*a*a+b*b*b) - lens
	// Chords of length h cut off a layer of less than h²/4 r; along the crease less than h²/2 is missing of each cross-section.
	bound := lost + math.Pi*h*h + 2*math.Pi*b*h*h/2
	if v := volumeOf(m); math.Abs(v-want) > bound || eulerOf(m) != 2 {
		t.Errorf("volume %v, want %v ± %v; Euler characteristic %d; %+v", v, want, bound, eulerOf(m), report)
	}
	for v, x := range m.Position {
		if len(m.VertexTriangles[v]) > 0 && math.Abs(min(ball(x), bump(x))) > h/4 {
			t.Errorf("vertex %d at %v is %v away from the surface", v, x, min(ball(x), bump(x)))
		}
	}
}

// A rod drilled through a box leaves a hole.
func TestSubtractThrough(t *testing.T) {
	m := boxMesh(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1}, 5)
	low, high := r3.Vec{X: 0.31, Y: 0.33, Z: -0.5}, r3.Vec{X: 0.7, Y: 0.69, Z: 1.5}
	var r Rebuilder
	report, err := r.Subtract(m, Lattice{H: 0.08}, r3.Box{Min: low, Max: high}, batches(blockDistance(low, high)), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := manifold(m); err != nil {
		t.Error(err)
	}
	if e := eulerOf(m); e != 0 {
		t.Errorf("Euler characteristic %d, want 0", e)
	}
	// Along creases, four edges of the rod and its two ends in the box's sides, less than half of a cell's square is cut off.
	if v, want := volumeOf(m), 1-0.39*0.36; math.Abs(v-want) > (4+4*(0.39+0.36))*0.08*0.08/2 {
		t.Errorf("volume %v, want %v; %+v", v, want, report)
	}
}

// What is left of a rough surface from which a half space is taken away ends at its plane, and no triangle of it is without an area: such a one touches the next, and
// a surface that touches itself can't be moved.
func TestSubtractHalfSpace(t *testing.T) {
	const h, plane = .12, .9
	beyond := func(dst []float32, at []r3.Vec) {
		for i, x := range at {
			dst[i] = float32(plane - x.X)
		}
	}
	var r Rebuilder
	r.MostShift[0] = .01
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 7))
		m := cubeSphere(r3.Vec{}, 1, 24)
		rough := .02 + .04*rng.Float64()
		for v, x := range m.Position {
			m.Move(int32(v), r3.Scale(1+rough*(2*rng.Float64()-1)-.04*float64(seed%3), x))
		}
		l := Lattice{Origin: r3.Vec{X: plane - .04*h, Y: h * rng.Float64(), Z: h * rng.Float64()}, H: h}
		if _, err := r.Subtract(m, l, r3.Box{Min: r3.Vec{X: plane - h, Y: -1.2, Z: -1.2}, Max: r3.Vec{X: 1.3, Y: 1.2, Z: 1.2}}, beyond, 0); err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		m.Compact()
		far := 0.
		for _, x := range m.Position {
			far = max(far, x.X-plane)
		}
		flat := 0
		for i := range m.Triangle {
			a, b, c := m.Corners(int32(i))
			long := max(r3.Norm2(r3.Sub(b, a)), r3.Norm2(r3.Sub(c, b)), r3.Norm2(r3.Sub(a, c)))
			if r3.Norm(r3.Cross(r3.Sub(b, a), r3.Sub(c, a))) < 1e-9*long {
				flat++
			}
		}
		if far > 1e-6 || flat > 0 {
			t.Errorf("seed %d: it ends %.3g edges beyond the plane, and %d triangles have no area", seed, far/h, flat)
		}
	}
}
