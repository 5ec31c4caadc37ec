package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"gonum.org/v1/gonum/spatial/r3"
)

// nearLiquid tells where liquid may come in this step.
func (l *simulation) nearLiquid() query.Reach {
	w := &l.world
	w.openings, w.swept = l.flows.AppendOpenings(w.openings[:0]), w.swept[:0]
	for s := range l.coupling.Solids { // liquid that a thin wall passes over comes as far as the wall
		if solid := &l.coupling.Solids[s]; solid.Thin && w.motions[s].Moves() {
			box := l.inDomain(solid.Bounds)
			w.swept = append(w.swept, query.Swept{Box: box, Distance: w.motions[s].Farthest(box)})
		}
	}
	return query.Reach{Strongest: w.fields.Strongest(), Openings: w.openings, Swept: w.swept}
}

// markStirred marks where bodies move, or were put.
func (l *simulation) markStirred() {
	l.surface.ClearStirred()
	for i := range l.coupling.Solids {
		s := &l.coupling.Solids[i]
		if s.Still || s.Fixed && !l.coupling.WasPut(i) || !boxes.Overlap(s.Bounds, l.def.Domain) {
			continue
		}
		l.surface.Stir(s.Bounds)
	}
}

// whole is the box of all that the mesh covers, m.
func (l *simulation) whole() r3.Box {
	tiles := l.disc.Tiles()
	return tiles.Whole()
}
