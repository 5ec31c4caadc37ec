package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// nearLiquid tells where liquid may come in this step: no further than what is on the move in and beside a block.
func (l *Liquid) nearLiquid() blocks.Near {
	l.placeFields()
	w := &l.world
	w.openings = l.appendOpenings(w.openings[:0])
	l.m.FindReach(w.strongest, w.openings)
	for s := range l.coupling.Solids { // liquid that a thin wall passes over comes as far as the wall
		if solid := &l.coupling.Solids[s]; solid.Thin && w.motions[s].Moves() {
			box := l.inDomain(solid.Bounds)
			l.m.AddReach(box, w.motions[s].Farthest(box))
		}
	}
	return l.m.Near()
}

// markStirred marks where bodies move, or were put.
func (l *Liquid) markStirred() {
	l.m.ClearStirred()
	for i := range l.coupling.Solids {
		s := &l.coupling.Solids[i]
		if s.Still || s.Fixed && !l.coupling.WasPut(i) || !boxes.Overlap(s.Bounds, l.def.Domain) {
			continue
		}
		l.m.Stir(s.Bounds)
	}
}
