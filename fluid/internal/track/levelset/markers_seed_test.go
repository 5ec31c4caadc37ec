package levelset

import (
	"math/rand/v2"
	"testing"
)

// The kernel in use must find the same cells as that in plain Go.
func TestFindSmoothAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for n := 1; n <= 8; n *= 2 {
		e := n + 2
		tile := make([]float32, e*e*e)
		for range 100 {
			for i := range tile {
				tile[i] = 4 * (r.Float32() - .5)
			}
			tile[r.IntN(len(tile))] /= 0
			var smooth, near, plainSmooth, plainNear rowBits
			findSmooth(&smooth, &near, tile, n, 3, -1.87, .77)
			findSmoothGo(&plainSmooth, &plainNear, tile, n, 3, -1.87, .77)
			if smooth != plainSmooth || near != plainNear {
				t.Fatalf("%d³: smooth %x, near %x; in plain Go %x, %x", n, smooth, near, plainSmooth, plainNear)
			}
		}
	}
}
