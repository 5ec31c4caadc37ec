package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// nearLiquid tells where liquid may come in this step.
func (l *Liquid) nearLiquid() blocks.Near {
	l.placeFields()
	dt, i := l.m.Dt, &l.m.Survey
	i.Openings = l.appendMouths(i.Openings[:0])
	l.m.FindReach(float64(dt*dt*l.world.strongest), i.Openings)
	for s := range l.coupling.Solids { // liquid that a thin wall passes over comes as far as the wall
		if solid := &l.coupling.Solids[s]; solid.Thin && l.world.motions[s].moves {
			box := l.inDomain(solid.Bounds)
			l.m.ExtendReach(box, l.world.motions[s].farthest(box))
		}
	}
	return l.m.Reach()
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
