package advect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// The kernels in use must give the same bits as those in plain Go.
func TestKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for n := grid.Edge / 2; n <= grid.Edge; n *= 2 {
		for range 100 {
			faces, state := make([]float32, n*n*n), make([]uint8, n*n*n)
			for c := range faces {
				faces[c], state[c] = float32(r.NormFloat64()), uint8(r.IntN(3))
			}
			used := tile{n: n, all: -r.IntN(2)}
			for z := range n {
				for y := range n {
					used.list(y, z, n*(y+n*z))
				}
			}
			plain := used
			loadRows(&used, faces, state)
			loadRowsGo(&plain, faces, state)
			compare(t, &used, &plain)
			used.count = 0
			for z := range n {
				for y := range n {
					if r.IntN(2) == 0 {
						used.list(y, z, n*(y+n*z))
						used.rows[used.count-1].mask = uint32(r.IntN(1 << n))
					}
				}
			}
			plain = used
			also := slices.Clone(faces)
			spreadRows(&used, faces)
			spreadRowsGo(&plain, also)
			used.mean, plain.mean = [tileRows][grid.Edge]float32{}, [tileRows][grid.Edge]float32{}
			compare(t, &used, &plain)
			for c := range faces {
				if faces[c] != also[c] && (faces[c] == faces[c] || also[c] == also[c]) {
					t.Fatalf("%d³: face %d is %g, in plain Go %g", n, c, faces[c], also[c])
				}
			}
		}
	}
}

func compare(t *testing.T, used, plain *tile) {
	t.Helper()
	same := func(x, y float32) bool { return x == y || x != x && y != y }
	if used.rows != plain.rows || !slices.EqualFunc(used.u[:], plain.u[:], same) || used.one != plain.one {
		t.Fatalf("%d³: the kernel and plain Go differ", used.n)
	}
}
