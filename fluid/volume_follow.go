package fluid

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// follow hands the old components' targets to the n new ones in proportion to the volume of the
// cells they share.
func (l *Liquid) follow(n int) {
	v := &l.volumes
	if v.adopt || len(v.target) == 0 {
		v.target, v.gained = append(v.target[:0], v.held...), v.gained[:0]
		return
	}
	l.pairUp()
	if l.forgetSwept() {
		l.pairUp()
	}
	v.next, v.seen, v.known = arrays.Resize(v.next, n), arrays.Resize(v.seen, len(v.target)), arrays.Resize(v.known, n)
	clear(v.next)
	clear(v.seen)
	clear(v.known)
	for _, p := range v.pairs {
		v.seen[p.from] += p.volume
	}
	for _, p := range v.pairs {
		if v.seen[p.from] > 0 {
			v.next[p.to] += v.target[p.from] * p.volume / v.seen[p.from]
			v.known[p.to] = true
		}
	}
	v.settleGains()
	l.reassignOrphanTargets()
	v.target, v.next = v.next, v.target
}

// reassignOrphanTargets hands the targets of old components that are gone, drops and sheets that the grid has lost, to those where they would be now, and
// takes those of new ones that share nothing with the old from where they came. Else what is lost here and found there would come
// and go all over the liquid, in other basins, too.
func (l *Liquid) reassignOrphanTargets() {
	v := &l.volumes
	any := slices.Contains(v.seen, 0) || slices.Contains(v.known, false)
	m := &l.m.Grid.Cur
	for b := int32(0); any && int(b) < l.m.Grid.Bases(); b++ {
		first, n := m.First[b], 1<<(3*m.Level[b])
		label, now := v.label[first:][:n], v.now[first:][:n]
		for i, from := range label {
			c, to := first+int32(i), now[i]
			if from >= 0 && v.seen[from] == 0 {
				if successor := l.nextTo(b, c, l.m.Drift); successor >= 0 {
					v.next[successor] += v.target[from]
					v.seen[from] = math.Inf(1) // it is settled
				}
			}
			if to >= 0 && !v.known[to] {
				if parent := l.nextTo(b, c, -l.m.Drift); parent >= 0 {
					v.next[to] = min(v.held[to], v.next[parent]/2)
					v.next[parent] -= v.next[to]
					v.known[to] = true
				}
			}
		}
	}
	for c := range v.next {
		if !v.known[c] {
			v.next[c] = v.held[c]
		}
	}
}

// nextTo is a component that was there before and is now where a cell's liquid is dt seconds later, or beside that; -1 if there is none.
func (l *Liquid) nextTo(b, c int32, dt float64) int32 {
	v, m := &l.volumes, &l.m.Grid.Cur
	in, bits, h, lo := int(c-m.First[b]), int(m.Level[b]), l.m.Grid.CellSize(m.Level[b]), l.m.Grid.Corner(b)
	at := [3]int{in & (1<<bits - 1), in >> bits & (1<<bits - 1), in >> (2 * bits)}
	for i := range 27 {
		i = (i + 13) % 27 // its own place first
		var x [3]float64
		for a, step := range [3]int{i % 3, i / 3 % 3, i / 9} {
			x[a] = lo[a] + float64((float64(at[a]+step)-.5)*h)
		}
		p := l.m.Vel.Trace(l.m.Grid.ToPoint(x[0], x[1], x[2]), dt)
		to, fx, fy, fz := l.m.Grid.Locate(p)
		if label := v.now[m.CellIn(to, fx, fy, fz)]; label >= 0 && v.known[label] {
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
func (l *Liquid) traceFresh(worker int, c int32, x *[3]float64) (label int32) {
	v := &l.volumes
	p := l.m.Vel.Trace(l.m.Grid.ToPoint(x[0], x[1], x[2]), -l.m.Drift)
	from, fx, fy, fz := l.m.Grid.Locate(p)
	if label = v.label[l.m.Grid.Cur.CellIn(from, fx, fy, fz)]; label >= 0 {
		v.origins[worker] = append(v.origins[worker], origin{c, label})
	}
	return label
}

// noteOrigins labels the cells that were traced: not before all are, since one may have come from another.
func (v *volumes) noteOrigins() {
	for w, list := range v.origins {
		for _, o := range list {
			v.label[o.cell] = o.label
		}
		v.origins[w] = list[:0]
	}
}

// pairUp finds what old and new components share.
func (l *Liquid) pairUp() {
	v := &l.volumes
	v.pairs = v.pairs[:0]
	l.eachShared(func(from, to int32, volume float64) {
		if from >= 0 {
			v.addPair(from, to, volume)
		}
	})
}

// addPair adds to what an old and a new component share. Rows come in runs, so the last pair
// is nearly always the one.
func (v *volumes) addPair(from, to int32, volume float64) {
	for i := len(v.pairs) - 1; i >= 0; i-- {
		if p := &v.pairs[i]; p.from == from && p.to == to {
			p.volume += volume
			last := len(v.pairs) - 1
			v.pairs[i], v.pairs[last] = v.pairs[last], v.pairs[i]
			return
		}
	}
	v.pairs = append(v.pairs, pair{from, to, volume})
}

// sweeper is scratch of forgetSwept.
type sweeper struct {
	doubtful []pair
	cells    []int32
	now, ago []grid.Point // where a cell is, seen from a wall, and was a step before
}

// reserve makes room for a block's cells.
func (s *sweeper) reserve() {
	const cells = grid.Edge * grid.Edge * grid.Edge
	s.doubtful, s.cells = make([]pair, 0, 64), make([]int32, 0, cells)
	s.now, s.ago = make([]grid.Point, 0, cells), make([]grid.Point, 0, cells)
}

// forgetSwept forgets of which component cells were that a thin wall has passed: their liquid went on ahead of the wall,
// and what they hold now was behind it. It tells whether there were any.
func (l *Liquid) forgetSwept() (any bool) {
	v := &l.volumes
	s := &v.swept
	if v.findDoubtful(); len(s.doubtful) == 0 {
		return false
	}
	for b, thin := range l.m.Set.ClipBlocks {
		if thin && l.listDoubtful(int32(b)) {
			l.m.ClipBack(0, int32(b), s.now, s.ago)
			for i, c := range s.cells {
				if s.ago[i] != s.now[i] { // it met the wall
					v.label[c], v.shared[b].to, any = -1, mixed, true
				}
			}
		}
	}
	return any
}

// findDoubtful lists the pairs of which the old component went on elsewhere, too, and the new one was elsewhere before: where
// components part or meet, one of the two is not so.
func (v *volumes) findDoubtful() {
	s := &v.swept
	s.doubtful = s.doubtful[:0]
	for _, p := range v.pairs {
		parted, met := false, false
		for _, q := range v.pairs {
			parted = parted || q.from == p.from && q.to != p.to
			met = met || q.to == p.to && q.from != p.from
		}
		if parted && met {
			s.doubtful = append(s.doubtful, p)
		}
	}
}

// listDoubtful lists a block's cells that went from one component to another in doubt, and tells whether there are any.
func (l *Liquid) listDoubtful(b int32) bool {
	v, first := &l.volumes, l.m.Grid.Cur.First[b]
	s := &v.swept
	s.cells, s.now = s.cells[:0], s.now[:0]
	for c := first; c < first+1<<(3*l.m.Grid.Cur.Level[b]); c++ {
		if from := v.label[c]; from >= 0 && s.doubts(from, v.now[c]) {
			s.cells = append(s.cells, c)
		}
	}
	if len(s.cells) == 0 {
		return false
	}
	pts := l.m.Centres(b)
	for _, c := range s.cells {
		p := pts[c-first]
		s.now = append(s.now, l.m.Grid.ToPoint(p.X, p.Y, p.Z))
	}
	s.ago = append(s.ago[:0], s.now...)
	return true
}

func (s *sweeper) doubts(from, to int32) bool {
	for i := range s.doubtful {
		if p := &s.doubtful[i]; p.from == from && p.to == to {
			return true
		}
	}
	return false
}
