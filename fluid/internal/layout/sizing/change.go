package sizing

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// leastChanges is how many blocks may always change in a step, however small the liquid.
const leastChanges = 8

// farOver the target is a load that costs more than it takes to coarsen as many blocks as it needs.
const farOver = 1.2

// refineShare is the part of the changes that refinement may take before coarsening has its turn.
const refineShare = .75

// chooseNext moves from the grid's levels towards want: blocks go to their camera-independent
// floor and pins at once, then nearest first to what they want, as far as share and target
// allow; what is wanted coarser goes down one level after CoarsenDelay steps, or farthest
// first and at once when the target is exceeded.
func (s *Sizer) chooseNext(out *Outcome) {
	if s.fresh > 0 {
		copy(s.next, s.want)
		clear(s.held)
		return
	}
	s.changed = 0
	cur := s.g.Cur.Level
	for b, l := range cur {
		s.next[b] = min(l, s.top)
	}
	s.balance(s.next) // the caller may have reverted to anything
	for b, l := range s.floor {
		if l > s.next[b] {
			s.raise(s.next, int32(b), l)
		} else if l < s.next[b] && s.pinned.Contains(uint32(b)) {
			s.next[b] = l // ≥ top-1, so no neighbour is too fine
		}
	}
	load := s.load(s.next)
	limit := max(int(s.knobs.ChangeShare*float64(s.active)), leastChanges)
	target := int64(math.MaxInt64)
	if s.knobs.TargetUnknowns > 0 {
		target = int64(s.knobs.TargetUnknowns) * 512
	}
	s.findStale()
	load = s.coarsenOverload(load, target)
	refined := s.refine(load, target, max(int(refineShare*float64(limit)), 1), out)
	s.coarsen(limit - refined)
}

// hasChanged tells whether as many blocks have changed in this step as may.
func (s *Sizer) hasChanged() bool { return s.changed/cells(layout.MaxLevel) >= s.knobs.Changes }

// inViewSpeedup is by what factor CoarsenDelay is shorter for blocks in view that the surface has left: only the camera may come back at any
// time, or an eddy, where they count. With a target there is no need for it, since blocks are coarsened as far as the target is exceeded.
const inViewSpeedup = 5

// findStale counts how long blocks have been wanted coarser, and lists them, farthest first, in order.
func (s *Sizer) findStale() {
	s.order = s.order[:0]
	hasten := s.knobs.TargetUnknowns == 0 && !s.knobs.Field.followsFlow()
	for b, l := range s.next {
		if l <= s.want[b] {
			s.held[b] = 0
			continue
		}
		step := 1
		if hasten && s.depth[b] > 0 && (len(s.cameras) == 0 || s.visible.Contains(uint32(b))) {
			step = inViewSpeedup
		}
		s.held[b] = uint8(min(int(s.held[b])+step, math.MaxUint8))
		s.order = append(s.order, key(s.rank[b], int32(b)))
	}
	slices.Sort(s.order)
}

// key sorts by rank, then by base cell.
func key(rank float32, b int32) uint64 {
	u := math.Float32bits(rank)
	if u>>31 != 0 {
		u = ^u
	} else {
		u |= 1 << 31
	}
	return uint64(u)<<32 | uint64(uint32(b))
}

// coarsenOverload coarsens stale blocks before their delay has ended until all that is wanted would fit the target, as many as may change unless that
// is far too much, and adapts the reserve for such blocks. A target that has just fallen, or that not even the floor fits, tells
// nothing about what waves need.
func (s *Sizer) coarsenOverload(load, target int64) int64 {
	if target == math.MaxInt64 {
		return load
	}
	wanted := int64(0)
	for b, w := range s.weight {
		wanted += int64(w) << (3 * max(s.next[b], s.want[b]))
	}
	over := float64(wanted-target) / float64(target)
	if target < s.target || target < s.floorLoad {
		over = 0
	}
	s.target = target
	s.reserve += max(-reserveDown, min(over, reserveUp))
	s.reserve = max(leastReserve, min(s.reserve, mostReserve))
	for _, k := range s.order {
		if wanted <= target || s.hasChanged() && float64(wanted) < farOver*float64(target) {
			break
		}
		if b := int32(uint32(k)); s.weight[b] > 0 {
			s.lowerAirBeside(b)
			saved := s.lower(b)
			wanted -= saved
			load -= saved
		}
	}
	return load
}

// lowerAirBeside takes a level off those blocks without liquid, which by themselves save nothing, whose balance keeps a block from being coarsened.
func (s *Sizer) lowerAirBeside(b int32) {
	l := s.next[b]
	if l != s.g.Cur.Level[b] || l <= s.want[b] {
		return
	}
	for side, nb := range s.g.Balanced(b) {
		if nb != layout.None && s.weight[nb] == 0 && leastBeside(s, nb, b, side, s.next[nb]) > l-1 {
			s.lower(nb)
		}
	}
}

// lower takes a level off a block that has not changed in this step, if balance allows, and
// returns the load saved.
func (s *Sizer) lower(b int32) int64 {
	l := s.next[b]
	if l != s.g.Cur.Level[b] || l <= s.want[b] {
		return 0
	}
	for side, nb := range s.g.Balanced(b) {
		if nb != layout.None && leastBeside(s, nb, b, side, s.next[nb]) > l-1 {
			return 0
		}
	}
	s.next[b], s.held[b] = l-1, 0
	s.changed += cells(l)
	w := int64(s.weight[b])
	return w<<(3*l) - w<<(3*(l-1))
}

// refine raises the items that are coarser than wanted, nearest first, and returns how many
// blocks changed, their neighbours included.
func (s *Sizer) refine(load, target int64, limit int, out *Outcome) int {
	order := s.order[len(s.order):]
	for i := range s.items {
		if b := s.items[i].base; s.want[b] > s.next[b] {
			order = append(order, key(-s.rank[b], b))
		}
	}
	slices.Sort(order)
	before := s.raised
	for i, k := range order {
		b := int32(uint32(k))
		if s.want[b] <= s.next[b] {
			continue
		}
		w := int64(s.weight[b])
		if s.raised-before >= limit || s.hasChanged() || load+w<<(3*s.want[b])-w<<(3*s.next[b]) > target {
			out.Waiting = len(order) - i
			break
		}
		load += s.raise(s.next, b, s.want[b])
	}
	return s.raised - before
}

// coarsen lowers up to limit blocks whose delay has ended.
func (s *Sizer) coarsen(limit int) {
	for _, k := range s.order {
		if limit <= 0 {
			return
		}
		b := int32(uint32(k))
		if int(s.held[b]) < s.knobs.CoarsenDelay {
			continue
		}
		level := s.next[b]
		if s.lower(b); s.next[b] < level {
			limit--
		}
	}
}
