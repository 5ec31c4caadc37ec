package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// This is the one file of the package that knows by name what is behind the seam.

// coarsestLevel bounds Plan.InvisibleLevel.
const coarsestLevel = grid.MaxLevel

// pickMethod is the method that a definition asks for. Tests put others in its place.
var pickMethod = blocksMethod

// blocksMethod is adaptive blocks, with their level set or without a surface.
func blocksMethod(l *simulation) method {
	m := newBlocks(l)
	of := method{
		disc: m, surface: &m.Surface, volumes: &m.Volumes, edits: &m.Edits, sources: &m.Sources, sides: &m.Flow,
		forces: &m.Forces, parts: &m.Sleep, reader: &m.Queries, coder: &m.State, spray: m.Spray,
	}
	if l.def.Tracker == NoSurface {
		of.follow(m, adaptive.NoSurface{Surface: &m.Surface})
	}
	return of
}

// follow has blocks take the liquid from a tracker that is not their level set.
func (of *method) follow(m *adaptive.Blocks, surface tracker) {
	m.Follow(surface)
	of.surface, of.volumes = surface, adaptive.Measured{Volumes: &m.Volumes}
}

// newBlocks makes adaptive blocks: from the domain's low corner, with one more base cell on each open side, for the air beyond it, and on each that
// is Flow, for the velocity there.
func newBlocks(l *simulation) *adaptive.Blocks {
	d := &l.def
	c := adaptive.Config{CellSize: d.CellSize, Domain: d.Domain, Open: d.Sides.open(), Coarsest: uint8(grid.MaxLevel + 1 - d.Levels)}
	lo, hi, passed := reproducible.Array(d.Domain.Min), reproducible.Array(d.Domain.Max), d.Sides.passed()
	edge := float64(d.CellSize * grid.Edge)
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
	return adaptive.New(c, l.pool, &l.graph, &l.solver.Components)
}
