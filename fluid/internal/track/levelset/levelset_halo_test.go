package levelset

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// The kernel in use must fill a tile just as that in plain Go does: every place of it, from the right block.
func TestGatherersAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for l := range layout.MaxLevel + 1 {
		n := 1 << l
		phi := make([]float32, 40*n*n*n)
		for i := range phi {
			phi[i] = float32(i)
		}
		var first [27]int32
		for d := range first {
			first[d] = int32(n * n * n * r.IntN(40))
		}
		used, plain := make([]float32, (n+2)*(n+2)*(n+2)), make([]float32, (n+2)*(n+2)*(n+2))
		for i := range used {
			used[i], plain[i] = -1, -2
		}
		gatherAlike(used, phi, &first, n)
		gatherAlikeGo(plain, phi, &first, n)
		if !slices.Equal(used, plain) {
			t.Fatalf("%d³: %v, in plain Go %v", n, used, plain)
		}
	}
}
