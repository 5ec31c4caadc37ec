package bcc

import (
	"math/rand/v2"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// balancedLevels are random levels that differ by one at most across faces and edges, between least and most.
func balancedLevels(dim [3]int, seed uint64, corners bool) []uint8 {
	r := rand.New(rand.NewPCG(seed, 3))
	n := dim[0] * dim[1] * dim[2]
	levels := make([]uint8, n)
	mean := r.IntN(4)
	for b := range levels {
		levels[b] = uint8(min(3, max(0, mean+r.IntN(4)-2)))
		if r.IntN(8) == 0 {
			levels[b] = uint8(r.IntN(4))
		}
	}
	balance(dim, levels, corners)
	return levels
}

func balance(dim [3]int, levels []uint8, corners bool) {
	g := layout.New([3]float64{}, 1, dim, 0)
	for again := true; again; {
		again = false
		for b := range levels {
			for i, nb := range g.Nearby(int32(b)) {
				odd := 0
				for _, c := range [3]int{i % 3, i / 3 % 3, i / 9} {
					if c != 1 {
						odd++
					}
				}
				if nb >= 0 && (odd < 3 || corners) && levels[nb] > levels[b]+1 {
					levels[b] = levels[nb] - 1
					again = true
				}
			}
		}
	}
}
