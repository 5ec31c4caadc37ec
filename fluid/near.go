package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
)

// nearLiquid tells where liquid may come in this step: no further than what is on the move in and beside a block.
func (l *Liquid) nearLiquid() blocks.Near {
	l.placeFields()
	w := &l.world
	w.openings = l.appendOpenings(w.openings[:0])
	l.m.FindReach(w.strongest, w.openings, stirReach*l.def.CellSize)
	c := &l.coupling
	for s := range c.solid { // liquid that a thin wall passes over comes as far as the wall
		if solid := &c.solid[s]; solid.Thin && c.wallMotions[s].Moves() {
			box := l.inDomain(solid.Bounds)
			l.m.AddReach(box, c.wallMotions[s].Farthest(box))
		}
	}
	return l.m.Near()
}
