package trimesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A sphere stretched to four times its length and squeezed is a good mesh after a few passes, of the same volume.
func TestImproveStretchedSphere(t *testing.T) {
	for _, curved := range []bool{false, true} {
		m := meshOf(icosphere(r3.Vec{}, 1, 16))
		deform(m, func(x r3.Vec) r3.Vec { return r3.Vec{X: 4 * x.X, Y: x.Y / 2, Z: x.Z / 3} })
		volume := volumeOf(m)
		im := Improver{Curved: curved}
		for pass := range 4 {
			before := volumeOf(m)
			r := im.Improve(m, uniform(0.08))
			legal(t, m, pass)
			part, smallest := poorCorners(m)
			change := volumeOf(m) - before
			t.Logf("pass %d: %d vertices, %.4f%% of corners below 10°, smallest %.2f°, volume %.2e, %+v", pass, m.Vertices(), 100*part, smallest, change/volume, r)
			if part > 0.01 {
				t.Errorf("pass %d: %.2f%% of corners are below 10°", pass, 100*part)
			}
			if math.Abs(change-r.Volume) > 1e-12*volume {
				t.Errorf("pass %d: the volume has changed by %v, and %v is reported", pass, change, r.Volume)
			}
		}
		if eulerOf(m) != 2 {
			t.Errorf("Euler characteristic %d", eulerOf(m))
		}
	}
}

// Random deformations of random shapes, each improved: never an intersection, and good triangles.
func TestImproveRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := func(i int) (*Mesh, int) {
		switch i % 3 {
		case 0:
			return meshOf(icosphere(r3.Vec{}, 1, 8)), 2
		case 1:
			return meshOf(torusAround(r3.Vec{}, 1, 0.4, 40, 20)), 0
		}
		return meshOf(icosphere(r3.Vec{X: -1.01}, 1, 8), icosphere(r3.Vec{X: 1.01}, 1, 8)), 4
	}
	runs := 12
	if testing.Short() {
		runs = 3
	}
	for i := range runs {
		m, euler := shapes(i)
		var im Improver
		for step := range 8 {
			deform(m, wave(rng, 0.2))
			r := im.Improve(m, uniform(0.12))
			legal(t, m, [2]int{i, step})
			part, smallest := poorCorners(m)
			if part > 0.01 || smallest < 2 {
				t.Errorf("%d, step %d: %.2f%% of corners below 10°, smallest %.2f°, %+v", i, step, 100*part, smallest, r)
			}
			if eulerOf(m) != euler {
				t.Fatalf("%d, step %d: Euler characteristic %d", i, step, eulerOf(m))
			}
		}
	}
}

// A pass over a mesh of 12k vertices that a step has moved keeps the volume to 1e-4.
func TestImproveVolume(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 32)) // 10,242 vertices
	var im Improver
	steps := 20
	if testing.Short() {
		steps = 6
	}
	for step := range steps {
		deform(m, func(x r3.Vec) r3.Vec {
			return r3.Vec{X: x.X * 1.05, Y: x.Y / 1.05, Z: x.Z + 0.02*math.Sin(3*x.X)}
		})
		volume := volumeOf(m)
		im.Improve(m, uniform(0.036))
		if change := math.Abs(volumeOf(m)-volume) / volume; change > 1e-4 {
			t.Errorf("step %d: the volume changes by %.2e", step, change)
		}
		part, _ := poorCorners(m)
		if part > 0.01 {
			t.Errorf("step %d: %.2f%% of corners below 10°", step, 100*part)
		}
	}
	legal(t, m, "at the end")
}

// Only what has changed is improved, if that is asked for: what is far from it stays as it was, and after an improvement nothing is left to do.
func TestImproveChanged(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 16))
	var im Improver
	for range 3 {
		deform(m, func(x r3.Vec) r3.Vec { return r3.Vec{X: 1.5 * x.X, Y: x.Y, Z: x.Z} })
		im.Improve(m, uniform(.08))
	}
	deform(m, func(x r3.Vec) r3.Vec { return r3.Vec{X: x.X, Y: x.Y, Z: x.Z + .2*x.X} })
	m.ForgetChanges()
	if r := im.ImproveChanged(m, uniform(.08)); r.Splits+r.Collapses+r.Flips+r.Slides > 0 {
		t.Errorf("nothing has changed: %+v", r)
	}
	for k := range int32(len(m.Triangle)) { // triangles come again at one end
		if v := m.Triangle[k]; v[0] != Gone && m.Position[v[0]].X > 2.5 {
			m.RemoveTriangle(k)
			m.AddTriangle(v[0], v[1], v[2], 0)
		}
	}
	before := map[r3.Vec]bool{}
	for _, x := range m.Position {
		before[x] = true
	}
	r := im.ImproveChanged(m, uniform(.08))
	legal(t, m, "there")
	if t.Logf("%+v", r); r.Splits+r.Collapses+r.Flips+r.Slides == 0 {
		t.Error("nothing is improved where triangles have changed")
	}
	for v, x := range m.Position {
		if len(m.VertexTriangles[v]) > 0 && x.X < 1 && !before[x] {
			t.Errorf("a vertex at %v is new", x)
		}
	}
	if r := im.ImproveChanged(m, uniform(.08)); r.Splits+r.Collapses+r.Flips+r.Slides > 0 {
		t.Errorf("after an improvement: %+v", r)
	}
}

// Where only some vertices are to be improved the others and the edges between them stay.
func TestImproveWhere(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 16))
	below := map[[2]r3.Vec]bool{}
	edgesBelow := func(visit func(ends [2]r3.Vec)) {
		for _, e := range m.Edge {
			if e[0] != Gone && m.Position[e[0]].X <= .1 && m.Position[e[1]].X <= .1 {
				a, b := m.Position[e[0]], m.Position[e[1]]
				visit([2]r3.Vec{a, b})
				visit([2]r3.Vec{b, a})
			}
		}
	}
	edgesBelow(func(ends [2]r3.Vec) { below[ends] = true })
	before := m.Vertices()
	var im Improver
	r := im.ImproveWhere(m, uniform(.3), func(x *r3.Vec) bool { return x.X > .1 })
	legal(t, m, "above")
	left := 0
	edgesBelow(func(ends [2]r3.Vec) {
		if below[ends] {
			left++
		}
	})
	if t.Logf("%d of %d vertices are left, %+v", m.Vertices(), before, r); left != len(below) || r.Collapses < before/4 {
		t.Errorf("%d of %d edges below stay, %+v", left/2, len(below)/2, r)
	}
	for v, heavy := range m.Heavy {
		if heavy {
			t.Fatalf("vertex %d is heavy", v)
		}
	}
}

// evolve runs all three on two spheres that meet.
func evolve() *Mesh {
	m := meshOf(icosphere(r3.Vec{X: -1.01}, 1, 8), icosphere(r3.Vec{X: 1.01}, 1, 8))
	im := Improver{Curved: true}
	var g Merger
	var s Separator
	for step := range 4 {
		moveSafely(m, func(x r3.Vec) r3.Vec { return r3.Vec{X: -0.01 * x.X, Y: 0.02 * math.Sin(float64(step)+4*x.X)} })
		im.Improve(m, uniform(0.1))
		g.Merge(m, 0.02, 0.005)
		s.Separate(m, 0.05, 1e-4, nil)
	}
	return m
}

// The same mesh comes out with the same bits of the same one that goes in.
func TestTopologyRepeats(t *testing.T) {
	a, b := evolve(), evolve()
	if !slices.Equal(a.Position, b.Position) || !slices.Equal(a.Triangle, b.Triangle) || eulerOf(a) != 2 {
		t.Errorf("two runs differ: %d and %d vertices; Euler characteristic %d", a.Vertices(), b.Vertices(), eulerOf(a))
	}
}

// On a mesh that needs nothing the three allocate nothing, once warm.
func TestTopologyAllocatesNothing(t *testing.T) {
	m := evolve()
	im := Improver{Curved: true}
	var g Merger
	var s Separator
	length := uniform(0.1)
	if n := testing.AllocsPerRun(3, func() {
		im.Improve(m, length)
		g.Merge(m, 0.02, 0.005)
		s.Separate(m, 0.05, 1e-4, nil)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Edges at vertices whose target length is no length are left alone, and lengths that are too short make no more vertices than there may be.
func TestImproveBadLengths(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 4))
	var im Improver
	for _, length := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if r := im.Improve(m, uniform(length)); r.Splits+r.Collapses+r.Flips+r.Slides > 0 {
			t.Errorf("length %v: %+v", length, r)
		}
	}
	im.MostVertices = 200
	if r := im.Improve(m, uniform(1e-6)); r.Splits != 38 || r.Refused == 0 || m.Vertices() != 200 {
		t.Errorf("%d vertices, %+v", m.Vertices(), r)
	}
	legal(t, m, "at the end")
}

// Edges have the lengths that they are asked for where they are, and longer ones begin no faster than the grading allows.
func TestImproveLengths(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 8))
	var im Improver
	for range 3 {
		im.Improve(m, func(dst []float64, at []r3.Vec) {
			for i, x := range at {
				dst[i] = 0.2
				if x.X < 0 {
					dst[i] = 0.06
				}
			}
		})
		legal(t, m, "then")
	}
	for e, ends := range m.Edge {
		if ends[0] == Gone {
			continue
		}
		a, b := m.Position[ends[0]], m.Position[ends[1]]
		l := r3.Norm(r3.Sub(a, b))
		if la, lb := im.Length[ends[0]], im.Length[ends[1]]; math.Abs(la-lb) > 0.5*l+1e-12 {
			t.Fatalf("edge %d of length %v: target lengths %v and %v", e, l, la, lb)
		}
		if max(a.X, b.X) < 0 && l > 1.5*0.06+1e-12 {
			t.Errorf("an edge of length %v on the fine side", l)
		}
		if min(a.X, b.X) > 0.5 && l < 0.06 {
			t.Errorf("an edge of length %v on the coarse side", l)
		}
	}
}

// Pieces that share an edge, which has four triangles then, are improved around it.
func TestImproveSharedEdge(t *testing.T) {
	s := cuboid(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1}, [3]int{1, 1, 1})
	other := cuboid(r3.Vec{X: -1, Y: -1}, r3.Vec{X: 1, Y: 1, Z: 1}, [3]int{1, 1, 1})
	number := func(x r3.Vec) int32 {
		if i := slices.Index(s.position, x); i >= 0 {
			return int32(i)
		}
		s.position = append(s.position, x)
		return int32(len(s.position) - 1)
	}
	for _, v := range other.triangles {
		s.triangles = append(s.triangles, [3]int32{number(other.position[v[0]]), number(other.position[v[1]]), number(other.position[v[2]])})
	}
	m := meshOf(s)
	legal(t, m, "at first")
	var im Improver
	im.Improve(m, uniform(0.2))
	legal(t, m, "then")
	four := 0
	for _, list := range m.EdgeTriangles {
		if len(list) == 4 {
			four++
		}
	}
	if v := volumeOf(m); four < 4 || math.Abs(v-2) > 1e-9 {
		t.Errorf("%d edges of four triangles, volume %v", four, v)
	}
	var sep Separator
	_, r := sep.Separate(m, 0, 0, nil)
	legal(t, m, "separated")
	for e, list := range m.EdgeTriangles {
		if len(list) > 2 {
			t.Errorf("edge %d has %d triangles after %+v", e, len(list), r)
		}
	}
}

// A triangle with its corners nearly in line, and one with two of them nearly at one point, go.
func TestImproveFlatTriangles(t *testing.T) {
	box := cuboid(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1}, [3]int{4, 4, 4})
	const height = 1e-9
	for _, beside := range []float64{0, 1e-9} {
		m := meshOf(box)
		for _, k := range []int32{3, 40, 77, 120} {
			v := m.Triangle[k]
			a, b, c := m.Corners(k)
			middle := reproducible.Scale(0.5, r3.Add(a, b))
			w := m.AddVertex(r3.Add(middle, reproducible.Scale(height, r3.Sub(c, middle))), 0)
			m.RemoveTriangle(k)
			m.AddTriangle(v[0], w, v[2], 0)
			m.AddTriangle(w, v[1], v[2], 0)
			m.AddTriangle(v[0], v[1], w, 0)
			if beside > 0 { // and a short edge
				x := m.AddVertex(r3.Add(m.Position[w], reproducible.Scale(beside, r3.Sub(m.Position[v[2]], m.Position[w]))), 0)
				for _, l := range slices.Clone(m.VertexTriangles[w]) {
					if u := m.Triangle[l]; slices.Contains(u[:], v[2]) {
						u = replaced(u, w, x)
						m.RemoveTriangle(l)
						m.AddTriangle(u[0], u[1], u[2], 0)
					}
				}
				m.AddTriangle(v[0], w, x, 0)
				m.AddTriangle(w, v[1], x, 0)
			}
		}
		legal(t, m, "at first")
		if _, smallest := poorCorners(m); smallest > 1e-6 {
			t.Fatalf("the smallest angle is %v°", smallest)
		}
		var im Improver
		r := im.Improve(m, uniform(0.25))
		legal(t, m, "then")
		if part, smallest := poorCorners(m); part > 0 || r.Needles > 0 {
			t.Errorf("beside %v: the smallest angle is %v°, %+v", beside, smallest, r)
		}
		if v := volumeOf(m); math.Abs(v-1) > 1e-6 {
			t.Errorf("beside %v: volume %v", beside, v)
		}
	}
}

// A vertex that is heavy stays where it is.
func TestHeavyStays(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 8))
	deform(m, func(x r3.Vec) r3.Vec { return r3.Vec{X: x.X / 3, Y: 2 * x.Y, Z: x.Z} })
	where := map[r3.Vec]bool{}
	for v := range m.Position {
		if v%7 == 0 {
			m.Heavy[v] = true
			where[m.Position[v]] = true
		}
	}
	var im Improver
	im.Improve(m, uniform(0.2))
	for v, x := range m.Position {
		if len(m.VertexTriangles[v]) > 0 && m.Heavy[v] {
			delete(where, x)
		}
	}
	if len(where) > 0 {
		t.Errorf("%d heavy vertices are not where they were", len(where))
	}
	legal(t, m, "then")
}

func BenchmarkImprove(b *testing.B) {
	m := meshOf(icosphere(r3.Vec{}, 1, 32))
	var im Improver
	im.Improve(m, uniform(0.036))
	b.ReportAllocs()
	for b.Loop() {
		im.Improve(m, uniform(0.036))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*m.Vertices()), "µs/vertex")
}
