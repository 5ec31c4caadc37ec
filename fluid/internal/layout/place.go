package layout

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MostCells is how many cells a domain, m, has if all are of the finest size, m, those beyond the sides that are passed included.
func MostCells(domain r3.Box, cellSize float64, passed [6]bool) float64 {
	n := 1.0
	for a, e := range reproducible.Array(r3.Sub(domain.Max, domain.Min)) {
		blocks := math.Ceil(e / (Edge * cellSize))
		for _, p := range passed[2*a : 2*a+2] {
			if p {
				blocks++
			}
		}
		n *= blocks * Edge
	}
	return n
}

// Place is where the base cells of a domain, m, begin and how many there are along each axis: from the domain's low corner, with one more on each side that is
// passed.
func Place(domain r3.Box, cellSize float64, passed [6]bool) (origin [3]float64, dim [3]int) {
	lo, hi := reproducible.Array(domain.Min), reproducible.Array(domain.Max)
	edge := float64(cellSize * Edge)
	for a := range 3 {
		origin[a] = lo[a]
		// A domain that is a whole number of blocks but for rounding gets no further one.
		dim[a] = max(1, int(math.Ceil((hi[a]-lo[a])/edge-1e-6)))
		if passed[2*a] {
			origin[a] -= edge
			dim[a]++
		}
		if passed[2*a+1] {
			dim[a]++
		}
	}
	return origin, dim
}
