package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// BytesPerCell is what a finest cell costs at worst, fields, tiles and solver together:
// measured by TestMemoryEstimate of package fluid.
const BytesPerCell = 1450

// MostCells is how many cells a domain, m, has if all are of the finest size, m, those beyond the sides that are passed included.
func MostCells(domain r3.Box, cellSize float64, passed [6]bool) float64 {
	n := 1.0
	for a, e := range reproducible.Array(r3.Sub(domain.Max, domain.Min)) {
		blocks := math.Ceil(e / (layout.Edge * cellSize))
		for _, p := range passed[2*a : 2*a+2] {
			if p {
				blocks++
			}
		}
		n *= blocks * layout.Edge
	}
	return n
}

// Place lays the grid from the domain's low corner, with one more base cell on each side that is passed: for the air beyond an open one, and
// for the velocity beyond one with a current.
func (c *Config) Place(passed [6]bool) {
	lo, hi := reproducible.Array(c.Domain.Min), reproducible.Array(c.Domain.Max)
	edge := float64(c.CellSize * layout.Edge)
	for a := range 3 {
		c.Origin[a] = lo[a]
		// A domain that is a whole number of blocks but for rounding gets no further one.
		c.Dim[a] = max(1, int(math.Ceil((hi[a]-lo[a])/edge-1e-6)))
		if passed[2*a] {
			c.Origin[a] -= edge
			c.Dim[a]++
		}
		if passed[2*a+1] {
			c.Dim[a]++
		}
	}
}
