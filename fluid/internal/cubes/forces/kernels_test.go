package forces

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// The kernel in use must give the same bits as that in plain Go.
func TestKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for n := 4; n <= layout.Edge; n *= 2 {
		for range 1000 {
			phi, tile := make([]float32, n*n+n+2), make([]float32, 2*(n+2)*(n+3)+3)
			for i := range phi {
				phi[i] = 2*r.Float32() - 1
			}
			most := []float32{1, 10 * trace, trace}[r.IntN(3)]
			for i := range tile {
				tile[i] = most * r.Float32()
			}
			at := [3]float32{r.Float32(), r.Float32(), r.Float32()}
			made, fade, reach := max(0, 2*r.Float32()-1), r.Float32(), r.Float32()
			used, plain := make([]float32, len(phi)), make([]float32, len(phi))
			shows := carryEight(used, phi, tile, n, at, made, fade, reach)
			should := carryEightGo(plain, phi, tile, n, at, made, fade, reach)
			if shows != should || !slices.Equal(used, plain) {
				t.Fatalf("%d³: %v %v, in plain Go %v %v", n, shows, used, should, plain)
			}
		}
	}
}
