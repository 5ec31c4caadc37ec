package cubes

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Under a level surface the gaps are how many cells are between it and the block's lower and upper side, the one that it passes through with them.
func TestGapsOfALevelSurface(t *testing.T) {
	for bits := range layout.MaxLevel + 1 {
		n := 1 << bits
		finest := uint8(layout.Edge / n) // of these are in a cell
		phi := make([]float32, n*n*n)
		for axis := range 3 {
			for cell := range n {
				for _, at := range []float64{.1, .37, .9} {
					for c := range phi {
						phi[c] = float32(float64(c>>(axis*bits)&(n-1)) + .5 - float64(cell) - at)
					}
					want := noGaps
					for a := range 6 {
						want[a] = finest
					}
					want[2*axis], want[2*axis+1] = uint8(cell+1)*finest, uint8(n-cell)*finest
					if got := gapsOf(phi, bits, .5); got != want {
						t.Fatalf("%d cells, surface in cell %d of axis %d: gaps %v, want %v", n, cell, axis, got, want)
					}
				}
			}
		}
		for c := range phi {
			phi[c] = math.MaxFloat32
		}
		if got := gapsOf(phi, bits, .5); bits > 0 && got != noGaps {
			t.Fatalf("%d cells without a surface: gaps %v", n, got)
		}
	}
}
