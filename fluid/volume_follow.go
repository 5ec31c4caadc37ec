package fluid

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// follow hands the old components' targets to the n new ones in proportion to the volume of the
// cells they share.
func (l *Liquid) follow(n int) {
	v := &l.volumes
	if v.adopt || len(v.target) == 0 {
		v.target = append(v.target[:0], v.held...)
		return
	}
	l.pairUp()
	if l.forgetSwept() {
		l.pairUp()
	}
	v.next, v.seen, v.known = resize(v.next, n), resize(v.seen, len(v.target)), resize(v.known, n)
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
	for c := range v.next {
		if !v.known[c] {
			v.next[c] = v.held[c]
		}
	}
	v.target, v.next = v.next, v.target
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
	for b, thin := range l.set.ClipBlocks {
		if thin && l.listDoubtful(int32(b)) {
			l.clipWays(0, s.now, s.ago, 0, 1)
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
	v, first := &l.volumes, l.grid.Cur.First[b]
	s := &v.swept
	s.cells, s.now = s.cells[:0], s.now[:0]
	for c := first; c < first+1<<(3*l.grid.Cur.Level[b]); c++ {
		if from := v.label[c]; from >= 0 && s.doubts(from, v.now[c]) {
			s.cells = append(s.cells, c)
		}
	}
	if len(s.cells) == 0 {
		return false
	}
	pts := l.centres(b)
	for _, c := range s.cells {
		p := pts[c-first]
		s.now = append(s.now, l.grid.ToPoint(p.X, p.Y, p.Z))
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
