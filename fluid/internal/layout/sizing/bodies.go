package sizing

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// Region is a body or a moving obstacle, as query.Region has it. The blocks that it touches are finest where liquid is near, whatever the camera
// sees; where the target doesn't hold those of all regions, those of the largest Size are a level coarser. More
// than one coarser level would, by 2:1 balance, make what the camera sees coarser. Where one is not enough, the whole grid does without its
// finest level. Asleep regions keep the level their blocks have, up to their own, and get no finer.
type Region = query.Region

// all is as many regions as there are.
const all = math.MaxInt32

const (
	// bodyShare is the part of the target up to which regions keep finest blocks, all else that is needed counted in; up to
	// bodyKeep they keep them for half of Knobs.CoarsenDelay steps, since a target that falls briefly rises again. The
	// next one gets them once all would fit bodyRoom for Knobs.CoarsenDelay steps, leastChanges blocks a step. One that has to
	// give them back soon doubles the wait for the next, up to mostDelays times.
	bodyShare  = .75
	bodyKeep   = .95
	bodyRoom   = .6
	mostDelays = 32
	// mostRises is how many of the blocks at jets and bodies get finer in a step under a target: what a dozen bodies that fall
	// into liquid ask for; Knobs.Changes bounds it further, but not below leastChanges. When the whole grid has its finest level
	// again there are a hundred.
	mostRises = 24
	// jetShare is the part of the target up to which jets keep finest blocks; they get them where all would fit jetRoom.
	jetShare = .25
	jetRoom  = .2
	// leastShare is the part of the target that regions' blocks may have when all are a level coarser, else the grid's
	// finest level goes; it comes back once they would fit leastRoom for as long.
	leastShare = 1.0
	leastRoom  = .7
	// bodyReach, in base cells, is how near liquid must be for a region to matter.
	bodyReach = 2
)

// pinRegions finds the blocks at jets, bodies and emitters, and chooses which bodies have finest ones.
func (s *Sizer) pinRegions(in *Input) {
	clear(s.pin)
	s.pinned.Clear()
	s.pinned.Grow(uint32(len(s.pin)))
	s.sortRegions(in.Bodies)
	s.chooseTop(in)
	keep, share, room := s.part(bodyKeep), s.part(bodyShare), s.part(bodyRoom)
	if s.overShare >= s.knobs.CoarsenDelay/2 || s.fresh > 0 {
		keep = share
	}
	if s.risesLeft = all; s.knobs.TargetUnknowns > 0 && s.fresh == 0 {
		s.risesLeft = min(mostRises, max(leastChanges, s.knobs.Changes))
	}
	load, n, next := s.restLoad+s.pinControls(in, s.pinJets(in)), 0, false
	for k, i := range s.regionOrder {
		r := &in.Bodies[i]
		if n == k { // all that need them more have finest blocks
			whole := load + s.finestLoad(in, r)
			next = k == s.finest && whole <= room
			if k < s.finest && whole <= keep || next && s.roomForRegion >= s.regionDelay {
				load, n = whole, k+1
			}
		}
		s.pinRegion(in, r, k < n, k == s.lastGained || k == s.finest)
	}
	if s.overShare++; n == 0 || load <= share {
		s.overShare = 0
	}
	s.remember(n, next)
	for _, box := range in.Emitters {
		s.eachBase(box, 0, func(b int32) { s.pinAt(b, s.top) })
	}
}

// pinJets gives jets their finest blocks, as far as a part of the target holds them, and returns their load in 1/512 unknowns.
func (s *Sizer) pinJets(in *Input) (load int64) {
	share, room := s.part(jetShare), s.part(jetRoom)
	for _, box := range in.Jets {
		r, limit := Region{Box: box}, room
		if s.isFinest(in, &r) {
			limit = share
		}
		if whole := load + s.finestLoad(in, &r); whole <= limit {
			load = whole
			s.pinRegion(in, &r, true, false)
		}
	}
	return load
}

// isFinest tells whether a region's blocks are as fine as can be.
func (s *Sizer) isFinest(in *Input, r *Region) bool {
	finest := true
	s.eachBase(r.Box, r.Margin, func(b int32) { finest = finest && (!s.matters(in, b) || s.g.Cur.Level[b] >= s.top) })
	return finest
}

// remember notes that so many regions have finest blocks now, and whether there was room for the next.
func (s *Sizer) remember(n int, next bool) {
	s.roomForRegion++
	s.sinceRegion = min(s.sinceRegion+1, all)
	delay := s.knobs.CoarsenDelay
	switch {
	case n > s.finest:
		s.lastGained, s.sinceRegion = n-1, 0
	case n < s.finest && s.finest < all:
		s.lastGained = -1
		if s.sinceRegion < mostDelays*delay/4 {
			s.regionDelay *= 2
		}
	}
	if s.sinceRegion >= mostDelays*delay {
		s.regionDelay = delay
	}
	s.regionDelay = max(delay, min(s.regionDelay, mostDelays*delay))
	if !next || n > s.finest {
		s.roomForRegion = 0
	}
	s.finest = n
	if n == len(s.regionOrder) {
		s.finest = all
	}
}

// chooseTop chooses the finest level that there is: so that regions' blocks, all a level coarser, fit the target.
func (s *Sizer) chooseTop(in *Input) {
	weight := int64(0) // of all regions' blocks, 1/512
	for i := range in.Bodies {
		r := &in.Bodies[i]
		s.eachBase(r.Box, r.Margin, func(b int32) {
			if s.pin[b] == 0 && s.matters(in, b) && (!r.Asleep || s.g.Cur.Level[b] >= s.top-1) {
				s.pin[b] = 1
				weight += int64(s.weight[b])
			}
		})
	}
	clear(s.pin)
	least := uint8(min(max(s.knobs.CoarsestLevel, 1)+1, layout.MaxLevel)) // a pin is not 0
	s.top = max(s.top, least)
	for s.top > least && weight<<(3*(s.top-1)) > s.part(leastShare) {
		s.top--
		s.finest, s.roomForFinest = all, 0
	}
	if s.roomForFinest++; s.top == layout.MaxLevel || weight<<(3*s.top) > s.part(leastRoom) {
		s.roomForFinest = 0
	} else if s.roomForFinest > s.knobs.CoarsenDelay {
		s.top++
		s.finest, s.roomForFinest = 0, 0
	}
}

// part is a part of the target, in 1/512 unknowns.
func (s *Sizer) part(of float64) int64 {
	if s.knobs.TargetUnknowns <= 0 {
		return math.MaxInt64
	}
	return int64(of * 512 * float64(s.knobs.TargetUnknowns))
}

// sortRegions lists the regions by their sizes.
func (s *Sizer) sortRegions(regions []Region) {
	s.regionOrder = s.regionOrder[:0]
	for i := range regions {
		s.regionOrder = append(s.regionOrder, int32(i))
	}
	slices.SortStableFunc(s.regionOrder, func(i, k int32) int { return cmp.Compare(regions[i].Size, regions[k].Size) })
}

// finestLoad is what a region's finest blocks add to those that there are, in 1/512 unknowns.
func (s *Sizer) finestLoad(in *Input, r *Region) int64 {
	sum := int64(0)
	s.eachBase(r.Box, r.Margin, func(b int32) {
		if s.matters(in, b) && s.pin[b] < s.top {
			level := s.top
			if r.Asleep {
				level = min(level, s.g.Cur.Level[b])
			}
			sum += int64(s.weight[b]) << (3 * level)
		}
	})
	return sum
}

// pinRegion gives a region's blocks their level: the finest, a few at a time if slowly, or the one below. No more than s.rises get finer.
func (s *Sizer) pinRegion(in *Input, r *Region, finest, slowly bool) {
	few := min(leastChanges, s.knobs.Changes)
	s.eachBase(r.Box, r.Margin, func(b int32) {
		if !s.matters(in, b) {
			return
		}
		level, cur := s.top, s.g.Cur.Level[b]
		if finest && slowly && cur < level && s.pin[b] < level {
			few--
		}
		if !finest || few < 0 && cur < level {
			level = max(s.top-1, uint8(s.knobs.CoarsestLevel))
		}
		if cur < level && s.pin[b] < level {
			if s.risesLeft == 0 {
				level = max(cur, uint8(s.knobs.CoarsestLevel))
			} else {
				s.risesLeft--
			}
		}
		if r.Asleep {
			s.pin[b] = max(s.pin[b], min(level, cur))
		} else {
			s.pinAt(b, level)
		}
	})
}

// matters tells whether liquid is near a block.
func (s *Sizer) matters(in *Input, b int32) bool {
	return in.Wet.Contains(uint32(b)) || in.Band.Contains(uint32(b)) || float64(in.MinAbs[b]) <= bodyReach*s.edge
}

func (s *Sizer) pinAt(b int32, level uint8) {
	if !s.outside.Contains(uint32(b)) {
		s.pin[b] = max(s.pin[b], level)
		s.pinned.Set(uint32(b))
	}
}

// eachBase calls visit for the base cells that a box with a margin touches.
func (s *Sizer) eachBase(box r3.Box, margin float64, visit func(b int32)) {
	lo, hi, ok := s.span(box, margin)
	for z := lo[2]; ok && z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				visit(s.g.BaseAt(x, y, z))
			}
		}
	}
}

// span is the range of base cells that a box with a margin touches; not ok if there are none.
func (s *Sizer) span(box r3.Box, margin float64) (lo, hi [3]int, ok bool) {
	if !(margin > 0) {
		margin = 0
	}
	least := [3]float64{box.Min.X, box.Min.Y, box.Min.Z}
	most := [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
	for a := range 3 {
		l := (least[a] - margin - s.g.Origin[a]) / s.edge
		h := (most[a] + margin - s.g.Origin[a]) / s.edge
		if !(l <= h) || h < 0 || l >= float64(s.g.Dim[a]) {
			return lo, hi, false
		}
		lo[a] = int(max(l, 0))
		hi[a] = int(min(h, float64(s.g.Dim[a]-1)))
	}
	return lo, hi, true
}
