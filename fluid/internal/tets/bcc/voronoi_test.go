package bcc

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// checkVoronoi tells whether weights at a point are positive, of the nearest vertex's cell, and exact for linear fields; and whether there are any.
func checkVoronoi(t *testing.T, l *Lattice, x [3]float64, s *Weights) bool {
	t.Helper()
	if !l.Voronoi(x, s) {
		return false
	}
	sum, at := 0., [3]float64{}
	shared := map[int32]int{}
	for i, tet := range s.Tets {
		w := s.W[i]
		if !(w >= 0) {
			t.Fatalf("the weight of tetrahedron %d at %v is %g", tet, x, w)
		}
		sum += w
		for a := range at {
			at[a] += w * (l.Centres[tet][a] - x[a])
		}
		for _, v := range l.Corners[tet] {
			shared[v]++
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Fatalf("weights at %v have the sum %.15g", x, sum)
	}
	if geom.Norm(&at) > 1e-12*l.h {
		t.Fatalf("weights at %v are of a point %v away; nearest %d", x, at, l.nearest(&l.Corners[s.Tets[0]], &x, &Weights{}))
	}
	least := math.Inf(1)
	for v, y := range l.Position {
		if !l.Beyond[v] {
			least = min(least, geom.Distance(&y, &x))
		}
	}
	for v, n := range shared {
		if n == len(s.Tets) && geom.Distance(&l.Position[v], &x) <= least+1e-12 {
			return true
		}
	}
	t.Fatalf("weights at %v are not of the nearest vertex", x)
	return true
}

func TestVoronoiWeightsAreExactForLinearFields(t *testing.T) {
	s := &Weights{}
	for seed := range seeds(4, 30) {
		_, l := graded([3]int{3, 3, 3}, seed)
		r := rand.New(rand.NewPCG(seed, 7))
		lo, hi := l.extent()
		interior := 0
		for i := range 600 {
			var x [3]float64
			for a := range x {
				x[a] = lo[a] + (hi[a]-lo[a])*r.Float64()
			}
			switch i % 6 { // on polygons, at their corners, at vertices
			case 1:
				x = l.Middle[r.IntN(l.Edges())]
			case 2:
				x = l.Centres[r.IntN(l.Tets())]
			case 3:
				x = l.Position[r.IntN(l.Vertices())]
			case 4:
				c := l.Centres[r.IntN(l.Tets())]
				for a := range x {
					x[a] = c[a] + 1e-9*(x[a]-c[a])
				}
			}
			if checkVoronoi(t, l, x, s) {
				interior++
			}
		}
		if interior < 200 {
			t.Errorf("layout %d: %d points have weights", seed, interior)
		}
	}
}

func TestVoronoiWeightsAreContinuousFromCellToCell(t *testing.T) {
	s := &Weights{}
	for seed := range seeds(3, 30) {
		_, l := graded([3]int{3, 3, 3}, seed)
		r := rand.New(rand.NewPCG(seed, 11))
		values := make([]float64, l.Tets())
		for i := range values {
			values[i] = r.Float64()
		}
		at := func(x [3]float64) (sum float64, ok bool) {
			ok = l.Voronoi(x, s)
			for i, tet := range s.Tets {
				sum += s.W[i] * values[tet]
			}
			return sum, ok
		}
		crossed := 0
		for range 1000 {
			e := r.IntN(l.Edges())
			c, n, step := l.ring(e), l.Normal(int32(e)), 1e-9*l.h
			x := l.Middle[e]
			for a := range x { // somewhere on the polygon
				x[a] += .7 * r.Float64() * (c[0][a] - x[a])
			}
			var y [2][3]float64
			for side := range y {
				for a := range 3 {
					y[side][a] = x[a] + float64(2*side-1)*step*n[a]
				}
			}
			before, ok := at(y[0])
			after, too := at(y[1])
			if !ok || !too || l.Area[e] == 0 {
				continue
			}
			crossed++
			if math.Abs(after-before) > 1e-6 {
				t.Fatalf("from %g to %g across edge %d with the ring %v at %v", before, after, e, c, x)
			}
		}
		if crossed < 200 {
			t.Errorf("%d polygons were crossed", crossed)
		}
	}
}

func FuzzVoronoi(f *testing.F) {
	_, l := graded([3]int{3, 3, 3}, 4)
	s := &Weights{}
	f.Add(0., 3., 1.5)
	f.Add(math.NaN(), math.Inf(1), math.Inf(-1))
	f.Add(1e300, -1e300, 5e-324)
	f.Add(.3, 3.1, 1.7)
	f.Fuzz(func(t *testing.T, x, y, z float64) {
		at := [3]float64{x, y, z}
		found := l.Voronoi(at, s)
		for i, tet := range s.Tets {
			if w := s.W[i]; !(w >= 0 && w <= 1) || tet < 0 || int(tet) >= l.Tets() {
				t.Fatalf("tetrahedron %d has the weight %g", tet, w)
			}
		}
		if l.clamp(&at); checkVoronoi(t, l, at, s) != found {
			t.Fatalf("at %v, and taken to the layout, weights are %v alone", at, found)
		}
	})
}
