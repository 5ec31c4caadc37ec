package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"gonum.org/v1/gonum/spatial/r3"
)

// readThinWalls lists the thin walls of the step, and has the cells near them marked.
func (l *simulation) readThinWalls() {
	l.world.obstacles.ListWalls(l.disc.StepWalls(), l.coupling.Solids)
	l.disc.MarkThinWalls()
}

// nearLiquid tells where liquid may come in this step.
func (l *simulation) nearLiquid() query.Reach {
	w := &l.world
	w.openings = l.flows.AppendOpenings(w.openings[:0])
	return query.Reach{Strongest: w.fields.Strongest(), Openings: w.openings, Swept: w.obstacles.Motions.Swept(l.coupling.Solids)}
}

// markStirred marks where bodies move, or were put.
func (l *simulation) markStirred() {
	l.surface.ClearStirred()
	l.coupling.EachStirring(l.surface.Stir)
}

// whole is the box of all that the mesh covers, m.
func (l *simulation) whole() r3.Box {
	tiles := l.disc.Tiles()
	return tiles.Whole()
}
