package isomesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernel in use must give the same bits as that in plain Go.
func TestLandingsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for n := 1; n <= 8; n *= 2 {
		e := n + 2
		used := meshLanding{tile: make([]float32, e*e*e), edge: int32(e), perMetre: 3.7}
		steep := float32(1)
		for round := range 40 {
			for i := range used.tile {
				used.tile[i] = steep * (r.Float32() - .5)
			}
			if steep *= .5; round == 30 { // no gradient at all
				steep = 0
			}
			count := 1 + r.IntN(meshBatch)
			for i := range (count + 7) / 8 * 8 {
				used.cube[i] = int32(r.IntN(n) + e*(r.IntN(n)+e*r.IntN(n)))
				for a := range used.place {
					used.place[a][i] = r.Float32()
				}
			}
			plain := used
			landing(&used, count)
			landGo(&plain, count)
			for i := range count {
				for a := range used.place {
					x, y := used.place[a][i], plain.place[a][i]
					u, v := used.normal[a][i], plain.normal[a][i]
					if math.Float32bits(x) != math.Float32bits(y) || math.Float32bits(u) != math.Float32bits(v) {
						t.Fatalf("%d³, round %d, place %d, axis %d: %g, normal %g; in plain Go %g, %g", n, round, i, a, x, u, y, v)
					}
				}
			}
		}
	}
}

func TestLeastAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for n := 1; n < 300; n++ {
		v := make([]float32, n)
		for i := range v {
			v[i] = r.Float32() - .5
		}
		for _, sign := range []float32{1, -1} {
			if used, plain := meshLeast(v, sign), meshLeastGo(v, sign); used != plain {
				t.Fatalf("least of %d numbers: %g, in plain Go %g", n, used, plain)
			}
		}
	}
}

func TestMeansAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	a, b := make([]float32, 99), make([]float32, 99)
	for i := range a {
		a[i], b[i] = r.Float32()-.5, r.Float32()-.5
	}
	for n := range len(a) {
		used, plain := make([]float32, n), make([]float32, n)
		meshMeans(used, a, b)
		meshMeansGo(plain, a, b)
		if !slices.Equal(used, plain) {
			t.Fatalf("%d means: %v, in plain Go %v", n, used, plain)
		}
	}
}
