package trimesh

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Two spheres that approach become one piece without handles, and stay one.
func TestSpheresMerge(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{X: -1.1}, 1, 8), icosphere(r3.Vec{X: 1.1}, 1, 8))
	var im Improver
	var g Merger
	var s Separator
	merged := 0
	for step := range 40 {
		if merged == 0 {
			deform(m, func(x r3.Vec) r3.Vec { return r3.Vec{X: x.X - math.Copysign(0.009, x.X), Y: x.Y, Z: x.Z} })
		}
		before := volumeOf(m)
		a := im.Improve(m, uniform(0.12))
		b := g.Merge(m, 0.03, 0.005)
		_, c := s.Separate(m, 0.06, 1e-6, nil)
		merged += b.Zips + b.Snaps
		legal(t, m, step)
		if change := volumeOf(m) - before - a.Volume - b.Volume - c.Volume; math.Abs(change) > 1e-12 {
			t.Errorf("step %d: the volume changes by %v that is not reported", step, change)
		}
	}
	if eulerOf(m) != 2 {
		t.Errorf("Euler characteristic %d", eulerOf(m))
	}
}

// Two plates a little apart become one: the joints grow into the space between until bubbles are all that is left of it.
func TestPlatesMerge(t *testing.T) {
	m := meshOf(cuboid(r3.Vec{X: -0.6, Y: -0.6, Z: -0.5}, r3.Vec{X: 1.2, Y: 1.2, Z: 0.49}, [3]int{10, 10, 4}), cuboid(r3.Vec{X: -0.58, Y: -0.57, Z: 0.01}, r3.Vec{X: 1.1, Y: 1.1, Z: 0.49}, [3]int{9, 9, 4}))
	var im Improver
	var g Merger
	var s Separator
	for step := range 25 {
		im.Improve(m, uniform(0.12))
		g.Merge(m, 0.03, 0.005)
		s.Separate(m, 0.06, 0.001, nil)
		legal(t, m, step)
	}
	if r := g.Merge(m, 0.03, 0.005); r.Zips+r.Snaps+r.Folds > 0 {
		t.Errorf("%+v is left to do", r)
	}
	if eulerOf(m) != 2 {
		t.Errorf("Euler characteristic %d", eulerOf(m))
	}
	plates, gap := 1.2*1.2*0.49+1.1*1.1*0.49, 1.1*1.1*0.02
	if v := volumeOf(m); math.Abs(v-plates-gap) > gap/2 {
		t.Errorf("volume %v of two plates of %v and a gap of %v", v, plates, gap)
	}
}

// A plate that is pressed thin in its middle gets a hole: a torus is left.
func TestSheetGetsHole(t *testing.T) {
	m := meshOf(cuboid(r3.Vec{X: -1, Y: -1, Z: -0.2}, r3.Vec{X: 2, Y: 2, Z: 0.4}, [3]int{16, 16, 3}))
	var im Improver
	var g Merger
	var s Separator
	holes := 0
	for step := 0; step < 80 && holes == 0; step++ {
		deform(m, func(x r3.Vec) r3.Vec {
			x.Z *= 1 - 0.1*math.Exp(-6*(x.X*x.X+x.Y*x.Y))
			return x
		})
		im.Improve(m, uniform(0.12))
		b := g.Merge(m, 0.02, 0.02)
		s.Separate(m, 0.06, 1e-6, nil)
		legal(t, m, step)
		holes += b.Zips + b.Snaps
		if holes > 0 && b.Volume >= 0 {
			t.Errorf("the hole changes the volume by %v", b.Volume)
		}
	}
	if holes == 0 || eulerOf(m) > 0 {
		t.Fatalf("%d holes, Euler characteristic %d", holes, eulerOf(m))
	}
}

// A sphere that is pressed in from both ends becomes a torus.
func TestSphereBecomesTorus(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 16))
	var im Improver
	var g Merger
	var s Separator
	for step := 0; step < 80 && eulerOf(m) == 2; step++ {
		deform(m, func(x r3.Vec) r3.Vec {
			x.Z *= 1 - 0.1*math.Exp(-8*(x.X*x.X+x.Y*x.Y))
			return x
		})
		im.Improve(m, uniform(0.1))
		g.Merge(m, 0.02, 0.02)
		s.Separate(m, 0.05, 1e-6, nil)
		legal(t, m, step)
	}
	for range 5 { // what is as thin around the hole goes too, and small ones beside it
		im.Improve(m, uniform(0.1))
		g.Merge(m, 0.02, 0.02)
		s.Separate(m, 0.05, 1e-4, nil)
		legal(t, m, "then")
	}
	if eulerOf(m) != 0 {
		t.Errorf("Euler characteristic %d", eulerOf(m))
	}
}

// labelWinding is how often the triangles of a label go around a point: 1 inside, 0 outside.
//
// Source: van Oosterom and Strackee 1983.
func labelWinding(m *Mesh, x r3.Vec, label int32) (w float64) {
	for k := range m.Triangle {
		if m.Triangle[k][0] == Gone || m.Label[k] != label {
			continue
		}
		a, b, c := m.Corners(int32(k))
		a, b, c = r3.Sub(a, x), r3.Sub(b, x), r3.Sub(c, x)
		la, lb, lc := r3.Norm(a), r3.Norm(b), r3.Norm(c)
		w += math.Atan2(r3.Dot(a, r3.Cross(b, c)), la*lb*lc+r3.Dot(a, b)*lc+r3.Dot(b, c)*la+r3.Dot(c, a)*lb) / (2 * math.Pi)
	}
	return w
}

// Two boxes join by the sides that face each other, but not around what is between them.
func TestJointEnclosesNothing(t *testing.T) {
	low := cuboid(r3.Vec{X: -0.5, Y: -0.5, Z: -1}, r3.Vec{X: 1, Y: 1, Z: 0.98}, [3]int{1, 1, 1})
	high := cuboid(r3.Vec{X: -0.49, Y: -0.48, Z: 0.02}, r3.Vec{X: 0.96, Y: 0.97, Z: 0.98}, [3]int{1, 1, 1})
	var g Merger
	m := meshOf(low, high)
	if r := g.Merge(m, 0.05, 0); r.Zips+r.Snaps == 0 || eulerOf(m) != 2 {
		t.Errorf("alone: %+v, Euler characteristic %d", r, eulerOf(m))
	}
	m = meshOf(low, high, icosphere(r3.Vec{X: 0.2, Y: 0.1}, 0.01, 1))
	for k, v := range m.Triangle {
		if v[0] >= int32(len(low.position)+len(high.position)) {
			m.Label[k] = -1
		}
	}
	r := g.Merge(m, 0.05, 0)
	legal(t, m, "with a sphere between")
	if w := labelWinding(m, r3.Vec{X: 0.2, Y: 0.1}, 0); math.Abs(w) > 1e-9 {
		t.Errorf("the sphere between is inside: %v, %+v", w, r)
	}
}

// Pieces of different labels, and of one that is negative, stay apart.
func TestLabelsStayApart(t *testing.T) {
	for _, label := range [][2]int32{{0, 1}, {-1, -1}} {
		m := meshOf(icosphere(r3.Vec{X: -1.005}, 1, 8), icosphere(r3.Vec{X: 1.005}, 1, 8))
		for k := range m.Label {
			m.Label[k] = label[0]
			if a, _, _ := m.Corners(int32(k)); a.X > 0 {
				m.Label[k] = label[1]
			}
		}
		var g Merger
		if r := g.Merge(m, 0.02, 0.02); r != (MergeReport{}) {
			t.Errorf("%v: %+v", label, r)
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	m := meshOf(icosphere(r3.Vec{}, 1, 32))
	var g Merger
	b.ReportAllocs()
	for b.Loop() {
		g.Merge(m, 0.004, 0.004)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*m.Vertices()), "µs/vertex")
}
