package levelset

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The kernel in use must give the same bits as that in plain Go, at the ends of the cube too.
func TestLinearsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for n := 1; n <= 8; n *= 2 {
		e := n + 2
		cube := make([]float32, e*e*e)
		for i := range cube {
			cube[i] = r.Float32() - .5
		}
		for range 100 {
			var at ways
			var used, plain [512]float32
			count := r.IntN(len(used) + 1)
			for a := range at {
				for i := range at[a] {
					at[a][i] = 100 * (r.Float32() - .5) // nobody asks about what lies outside
				}
				for i := range count {
					if at[a][i] = r.Float32() * float32(e-1); r.IntN(8) == 0 {
						at[a][i] = float32(r.IntN(e - 1))
					}
					at[a][i] = min(at[a][i], math.Nextafter32(float32(e-1), 0))
				}
			}
			linears(&used, cube, e, &at, count)
			linearsGo(&plain, cube, e, &at, count)
			for i := range count {
				if math.Float32bits(used[i]) != math.Float32bits(plain[i]) {
					t.Fatalf("%d³, place %d of %d: %g, in plain Go %g", n, i, count, used[i], plain[i])
				}
			}
		}
	}
}
