package fluid

// markStirred marks the blocks that a body which moves touches: where it stands, and what φ says in it, changes with
// each step.
func (l *Liquid) markStirred() {
	stirred := resize(l.set.Stirred, l.grid.Bases())
	l.set.Stirred = stirred
	clear(stirred)
	for i := range l.coupling.solid {
		s := &l.coupling.solid[i]
		if s.Still || s.Fixed || !overlaps(s.Bounds, l.def.Domain) {
			continue
		}
		lo, hi := l.baseRange(s.Bounds)
		for z := lo[2]; z <= hi[2]; z++ {
			for y := lo[1]; y <= hi[1]; y++ {
				for x := lo[0]; x <= hi[0]; x++ {
					stirred[l.grid.BaseAt(x, y, z)] = true
				}
			}
		}
	}
}
