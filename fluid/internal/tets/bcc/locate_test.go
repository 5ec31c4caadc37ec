package bcc

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// checkLocated tells whether a point is where its weights say.
func checkLocated(t *testing.T, l *Lattice, x [3]float64) {
	t.Helper()
	tet, w := l.Locate(x)
	if tet < 0 || int(tet) >= l.Tets() {
		t.Fatalf("%v is in tetrahedron %d of %d", x, tet, l.Tets())
	}
	lo := l.grid.Origin
	sum, at := 0., [3]float64{}
	for k, v := range l.Corners[tet] {
		if !(w[k] >= 0 && w[k] <= 1) {
			t.Fatalf("%v has the weights %v in tetrahedron %d, shape %d", x, w, tet, l.Shapes[tet])
		}
		sum += w[k]
		for a := range at {
			at[a] += w[k] * l.Position[v][a]
		}
	}
	if math.Abs(sum-1) > 1e-14 {
		t.Fatalf("the weights of %v have the sum %.17g", x, sum)
	}
	for a := range x {
		hi := lo[a] + 8*l.h*float64(l.grid.Dim[a])
		want := min(max(x[a], lo[a]), hi)
		if x[a] != x[a] {
			want = lo[a]
		}
		if math.Abs(at[a]-want) > 1e-13*(math.Abs(lo[a])+math.Abs(hi)) {
			t.Fatalf("%v, in tetrahedron %d of shape %d with corners %v, has weights %v for %v", x, tet, l.Shapes[tet], l.Corners[tet], w, at)
		}
	}
}

func TestLocateFindsPoints(t *testing.T) {
	seen := map[Shape]bool{}
	for seed := range seeds(6, 40) {
		_, l := graded([3]int{3, 2, 3}, seed)
		r := rand.New(rand.NewPCG(seed, 7))
		lo, hi := l.extent()
		for range 2000 {
			var x [3]float64
			for a := range x {
				x[a] = lo[a] + (hi[a]-lo[a])*(1.2*r.Float64()-.1)
			}
			checkLocated(t, l, x)
			tet, _ := l.Locate(x)
			seen[l.Shapes[tet]] = true
		}
		for range 2000 { // ties
			x := l.Position[r.IntN(l.Vertices())]
			checkLocated(t, l, x)
			y := l.Centres[r.IntN(l.Tets())]
			checkLocated(t, l, y)
			checkLocated(t, l, [3]float64{x[0], x[1], y[2]})
			checkLocated(t, l, [3]float64{x[0], math.Nextafter(x[1], 9), math.Nextafter(x[2], -9)})
		}
	}
	if len(seen) != 6 {
		t.Errorf("points were found in shapes %v alone", seen)
	}
}

func FuzzLocate(f *testing.F) {
	_, l := graded([3]int{3, 2, 3}, 4)
	f.Add(0., 0., 0.)
	f.Add(math.NaN(), math.Inf(1), math.Inf(-1))
	f.Add(1e300, -1e300, 5e-324)
	f.Add(-.9, 2.4, .7)
	f.Fuzz(func(t *testing.T, x, y, z float64) { checkLocated(t, l, [3]float64{x, y, z}) })
}

func TestInterpolateIsExactForLinearFields(t *testing.T) {
	_, l := graded([3]int{3, 2, 3}, 3)
	field := make([][3]float64, l.Vertices())
	linear := func(x [3]float64) [3]float64 { return [3]float64{1 + x[0] - 2*x[1], x[2], 3*x[1] - x[0]} }
	for v, x := range l.Position {
		field[v] = linear(x)
	}
	r := rand.New(rand.NewPCG(5, 7))
	lo, hi := l.extent()
	for range 2000 {
		var x [3]float64
		for a := range x {
			x[a] = lo[a] + (hi[a]-lo[a])*r.Float64()
		}
		if got, want := Interpolate(l, field, x), linear(x); geom.Distance(&got, &want) > 1e-12 {
			t.Fatalf("%v at %v, not %v", got, x, want)
		}
	}
}

func TestAskingAllocatesNothing(t *testing.T) {
	_, l := graded([3]int{3, 3, 3}, 4)
	lo, hi := l.extent()
	s := &Weights{}
	ask := func() {
		for i := range 200 {
			var x [3]float64
			for a := range x {
				x[a] = lo[a] + (hi[a]-lo[a])*float64(i*(a+3)%200)/200
			}
			l.Locate(x)
			l.Voronoi(x, s)
		}
	}
	ask()
	if n := testing.AllocsPerRun(5, ask); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
