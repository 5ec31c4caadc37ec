package cubes

import "github.com/meniscus3d/meniscus/fluid/internal/layout"

// matchComponents hands the old components' targets to the new ones in proportion to the volume of the
// cells they share.
func (v *Volumes) matchComponents() {
	t := &v.Targets
	if t.Defers() || t.Empty() {
		t.ResetToHeld()
		v.DropGains()
		return
	}
	v.findPairs()
	if v.forgetSwept() {
		v.findPairs()
	}
	t.Distribute()
	v.bookGains()
	v.reassignOrphanTargets()
	v.keepMomentum()
	t.EndMatch()
}

// findPairs finds what old and new components share. Only a tracker that is weighed tells of liquid in cells of no component how much it is: what
// else seems to have come from none is what the surface gained.
func (v *Volumes) findPairs() {
	t, loose := &v.Targets, v.surface.hasLoose()
	t.StartMatch()
	v.eachShared(func(from, to int32, volume float64) {
		switch {
		case from >= 0 && to >= 0:
			t.AddShared(from, to, volume)
		case from >= 0:
			t.AddLoose(from, volume)
		case loose:
			t.AddBound(to, volume)
		}
	})
}

// bookGains books what came or went at known places with the components there, or beside there.
func (v *Volumes) bookGains() {
	for _, g := range v.gains {
		to := v.now[g.cell]
		if to < 0 && g.base >= 0 {
			to = v.componentNear(g.base, g.cell, 0)
		}
		if to >= 0 {
			v.Targets.AddGain(to, g.volume)
			if !g.merges {
				v.motion.Exclude(to)
			}
		}
	}
	v.DropGains()
}

// reassignOrphanTargets hands the targets of old components that are gone, drops and sheets that the grid has lost, to those where they would be now, and
// takes those of new ones that share nothing with the old from where they came. Else what is lost here and found there would come
// and go all over the liquid, in other basins, too.
func (v *Volumes) reassignOrphanTargets() {
	m := v.m
	cur := &m.Grid.Cur
	t := &v.Targets
	any := t.Unmatched()
	for b := int32(0); any && int(b) < m.Grid.Bases(); b++ {
		first, n := cur.First[b], 1<<(3*cur.Level[b])
		label, now := v.label[first:][:n], v.now[first:][:n]
		for i, from := range label {
			c, to := first+int32(i), now[i]
			if from >= 0 && t.IsOrphan(from) {
				if successor := v.componentNear(b, c, m.Drift); successor >= 0 {
					t.Inherit(from, successor)
				}
			}
			if to >= 0 && !t.Known(to) {
				if parent := v.componentNear(b, c, -m.Drift); parent >= 0 {
					t.Split(to, parent)
				}
			}
		}
	}
}

// componentNear is a component that was there before and is now where a cell's liquid is dt seconds later, or beside that; -1 if there is none.
func (v *Volumes) componentNear(b, c int32, dt float64) int32 {
	m := v.m
	cur := &m.Grid.Cur
	in, bits, h, lo := int(c-cur.First[b]), int(cur.Level[b]), m.Grid.CellSize(cur.Level[b]), m.Grid.Corner(b)
	at := [3]int{in & (1<<bits - 1), in >> bits & (1<<bits - 1), in >> (2 * bits)}
	for i := range 27 {
		i = (i + 13) % 27 // its own place first
		var x [3]float64
		for a, step := range [3]int{i % 3, i / 3 % 3, i / 9} {
			x[a] = lo[a] + float64((float64(at[a]+step)-.5)*h)
		}
		p := m.Vel.Trace(m.Grid.ToPoint(x[0], x[1], x[2]), dt)
		to, fx, fy, fz := m.Grid.Locate(p)
		if label := v.now[cur.CellIn(to, fx, fy, fz)]; label >= 0 && v.Targets.Known(label) {
			return label
		}
	}
	return -1
}

// origin is the old component that a cell's liquid came from.
type origin struct{ cell, label int32 }

// traceFresh finds out which old component the liquid of a cell at x that held none came from, -1 if from none: what falls freely comes
// further in a step than it is long, and would share nothing with what it was. Near walls thinner than a cell it isn't asked: they may
// stand in between.
func (v *Volumes) traceFresh(worker int, c int32, x *[3]float64) (label int32) {
	m := v.m
	p := m.Vel.Trace(m.Grid.ToPoint(x[0], x[1], x[2]), -m.Drift)
	from, fx, fy, fz := m.Grid.Locate(p)
	if label = v.label[m.Grid.Cur.CellIn(from, fx, fy, fz)]; label >= 0 {
		v.origins[worker] = append(v.origins[worker], origin{c, label})
	}
	return label
}

// noteOrigins labels the cells that were traced: not before all are, since one may have come from another.
func (v *Volumes) noteOrigins() {
	for w, list := range v.origins {
		for _, o := range list {
			v.label[o.cell] = o.label
		}
		v.origins[w] = list[:0]
	}
}

// sweptCells is scratch of forgetSwept: cells of a block, and where each is, seen from a wall, and was a step before.
type sweptCells struct {
	cells    []int32
	now, ago []layout.Point
}

// reserve makes room for a block's cells.
func (s *sweptCells) reserve() {
	const cells = layout.Edge * layout.Edge * layout.Edge
	s.cells = make([]int32, 0, cells)
	s.now, s.ago = make([]layout.Point, 0, cells), make([]layout.Point, 0, cells)
}

// forgetSwept forgets of which component cells were that a thin wall has passed: their liquid went on ahead of the wall,
// and what they hold now was behind it. It tells whether there were any.
func (v *Volumes) forgetSwept() (any bool) {
	m := v.m
	s := &v.swept
	if !v.Targets.FindAmbiguous() {
		return false
	}
	for b, thin := range m.Set.ClipBlocks {
		if thin && v.listAmbiguous(int32(b)) {
			v.clip(0, int32(b), s.now, s.ago)
			for i, c := range s.cells {
				if s.ago[i] != s.now[i] { // it met the wall
					v.label[c], v.shared[b].To, any = -1, mixed, true
				}
			}
		}
	}
	return any
}

// listAmbiguous lists a block's cells that went from one component to another of an ambiguous pair, and tells whether there are any.
func (v *Volumes) listAmbiguous(b int32) bool {
	m := v.m
	first := m.Grid.Cur.First[b]
	s := &v.swept
	s.cells, s.now = s.cells[:0], s.now[:0]
	for c := first; c < first+1<<(3*m.Grid.Cur.Level[b]); c++ {
		if from := v.label[c]; from >= 0 && v.Targets.Ambiguous(from, v.now[c]) {
			s.cells = append(s.cells, c)
		}
	}
	if len(s.cells) == 0 {
		return false
	}
	pts := m.Centres.Of(m.Grid, b)
	for _, c := range s.cells {
		p := pts[c-first]
		s.now = append(s.now, m.Grid.ToPoint(p.X, p.Y, p.Z))
	}
	s.ago = append(s.ago[:0], s.now...)
	return true
}
