package cubes

import "github.com/meniscus3d/meniscus/fluid/internal/layout"

// BytesPerCell is what a finest cell costs at worst, fields, tiles and solver together:
// measured by TestMemoryEstimate of package fluid.
const BytesPerCell = 1250

// Place lays the layout, with one more base cell on each side that is passed: for the air beyond an open one, and for the velocity beyond one with a
// current.
func (c *Config) Place(passed [6]bool) {
	c.Origin, c.Dim = layout.Place(c.Domain, c.CellSize, passed)
}
