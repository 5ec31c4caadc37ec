package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// stirReach, in finest cells, is how far around a body that moves φ is kept a distance in every step: its band. With less a
// floating box's pool rises 2 % too little.
const stirReach = 3

// markStirred marks the blocks at bodies that move: where they stand, and what φ says in and beside them, changes with
// each step.
func (l *Liquid) markStirred() {
	stirred := arrays.Resize(l.m.Set.Stirred, l.m.Grid.Bases())
	l.m.Set.Stirred = stirred
	clear(stirred)
	for i := range l.coupling.solid {
		s := &l.coupling.solid[i]
		put := i < len(l.coupling.state) && l.coupling.state[i].put
		if s.Still || s.Fixed && !put || !boxes.Overlap(s.Bounds, l.def.Domain) {
			continue
		}
		l.m.EachBase(boxes.Grown(s.Bounds, stirReach*l.def.CellSize), func(b int32) { stirred[b] = true })
	}
}
