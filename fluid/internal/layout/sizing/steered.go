package sizing

import (
	"cmp"
	"slices"
)

const (
	// controlShare is the part of the target up to which blocks at control surfaces keep their level, with what is pinned before them counted in; they
	// get finer where all would fit controlRoom.
	controlShare = .9
	controlRoom  = .8
	// steady is by how much heavier a block at a control surface that is fine may be than one that is not, and yet come before it: the order must not
	// change with each step.
	steady = 2
)

// steered is a block at a control surface.
type steered struct {
	base int32
	seen bool
	load int32 // in the order
}

// pinControls gives the blocks at control surfaces the finest level that a part of the target holds for all of them, with the load up to then, and as many
// as it holds one more: first those that are seen, of these the ones with the least liquid, where shapes are thin. It returns the load.
// Those below the finest level may get finer for what cameras see.
func (s *Sizer) pinControls(in *Input, load int64) int64 {
	listSteered(s, in)
	if len(s.steered) == 0 {
		return load
	}
	whole := int64(0) // in cells of a block's edge
	for i := range s.steered {
		whole += int64(s.weight[s.steered[i].base])
	}
	level, share, room := s.top, s.part(controlShare), s.part(controlRoom)
	for int(level) > max(s.knobs.CoarsestLevel, 1) && load+whole<<(3*level) > share {
		level--
	}
	load += whole << (3 * level)
	for i := range s.steered {
		b := s.steered[i].base
		to, limit := level, room
		if s.g.Cur.Level[b] > level {
			limit = share
		}
		more := int64(s.weight[b])<<(3*(level+1)) - int64(s.weight[b])<<(3*level)
		if level < s.top && load+more <= limit {
			to, load = level+1, load+more
		} else if limit == room {
			room = 0 // none of those that come later gets finer before this one
		}
		pinSteered(s, b, to)
	}
	return load
}

// pinSteered gives a block at a control surface at least a level, if it may get finer in this plan.
func pinSteered(s *Sizer, b int32, level uint8) {
	if cur := s.g.Cur.Level[b]; cur < level && s.pin[b] < level {
		if s.risesLeft == 0 {
			level = max(cur, uint8(s.knobs.CoarsestLevel))
		} else {
			s.risesLeft--
		}
	}
	if level == s.top {
		s.pinAt(b, level)
	} else if !s.outside.Contains(uint32(b)) {
		s.pin[b] = max(s.pin[b], level)
	}
}

// listSteered lists the blocks at control surfaces that liquid is near and that are not as fine as can be yet, in the order in which they get finer.
func listSteered(s *Sizer, in *Input) {
	s.steered = s.steered[:0]
	for _, box := range in.Controls {
		s.eachBase(box, 0, func(b int32) {
			if s.pin[b] < s.top && s.matters(in, b) {
				s.steered = append(s.steered, newSteered(s, b))
			}
		})
	}
	slices.SortFunc(s.steered, func(a, b steered) int { return cmp.Compare(a.base, b.base) })
	s.steered = slices.CompactFunc(s.steered, func(a, b steered) bool { return a.base == b.base })
	slices.SortFunc(s.steered, func(a, b steered) int {
		switch {
		case a.seen != b.seen && a.seen:
			return -1
		case a.seen != b.seen:
			return 1
		case a.load != b.load:
			return cmp.Compare(a.load, b.load)
		}
		return cmp.Compare(a.base, b.base)
	})
}

// newSteered is a block at a control surface. Without a camera all are seen.
func newSteered(s *Sizer, b int32) steered {
	k := steered{base: b, seen: true, load: steady * s.weight[b]}
	if s.g.Cur.Level[b] == s.top {
		k.load = s.weight[b]
	}
	if len(s.cameras) > 0 {
		k.seen, _ = s.sees(s.middleOf(b))
	}
	return k
}
