package stuffing

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Each point of a mesh is found from the tetrahedron of the lattice that holds it, and its weights give it back.
func TestLocate(t *testing.T) {
	c := r3.Vec{X: 1.3, Y: 1.7, Z: 1.6}
	d := without(both(torus(c, r3.Vec{X: .3, Y: .2, Z: 1}, .9, .25), waves(r3.Vec{X: 1, Y: 1, Z: .8}, .3, .9)), sphere(r3.Vec{X: 1, Y: 1, Z: .8}, .4))
	l := graded([3]int{4, 4, 4}, .1, func(b int, p r3.Vec) uint8 { return uint8(b * 7 % 4) })
	m := Mesher{}
	mesh := m.stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval})
	r := rand.New(rand.NewPCG(5, 5))
	missed := 0
	const points = 20_000
	for range points {
		v := int32(r.IntN(mesh.Tets()))
		var x r3.Vec
		rest := 1.
		for i, corner := range mesh.Corners[v] {
			share := rest
			if i < 3 {
				share *= r.Float64()
			}
			rest -= share
			x = r3.Add(x, r3.Scale(share, point(mesh.Position[corner])))
		}
		in, _ := l.Locate([3]float64{x.X, x.Y, x.Z})
		got, w, within := mesh.Find(in, x)
		if !within {
			missed++
			continue
		}
		var back r3.Vec
		for i, corner := range mesh.Corners[got] {
			back = r3.Add(back, r3.Scale(w[i], point(mesh.Position[corner])))
		}
		if r3.Norm(r3.Sub(back, x)) > 1e-8 || math.Abs(w[0]+w[1]+w[2]+w[3]-1) > 1e-9 {
			t.Fatalf("point %v, weights %v of tetrahedron %d give %v", x, w, got, back)
		}
	}
	if missed > points/1000 {
		t.Errorf("%d of %d points are not found", missed, points)
	}
}

// A point outside of the mesh, far away or no number is not found, and something near is told.
func TestLocateOutside(t *testing.T) {
	l := uniform([3]int{8, 8, 8}, 1, [3]float64{})
	d := sphere(r3.Vec{X: 4, Y: 4, Z: 4}, 2.5)
	m := Mesher{}
	mesh := m.stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval})
	for _, x := range []r3.Vec{{X: 7, Y: 4, Z: 4}, {X: 1e9}, {X: math.NaN()}, {Y: math.Inf(1)}, {X: -math.MaxFloat64}} {
		tet, _, within := mesh.Locate(0, x)
		if within || tet < 0 || int(tet) >= mesh.Tets() {
			t.Errorf("%v: tetrahedron %d, %v", x, tet, within)
		}
	}
	for i := range int32(l.Tets()) {
		lo, hi := mesh.Of(i)
		for v := lo; v < hi; v++ {
			if mesh.Source[v] != i {
				t.Fatalf("tetrahedron %d is of %d, not of %d", v, mesh.Source[v], i)
			}
		}
		if hi > lo && (lo > 0 && mesh.Source[lo-1] == i || int(hi) < mesh.Tets() && mesh.Source[hi] == i) {
			t.Fatalf("%d to %d is not all of %d", lo, hi, i)
		}
	}
}
