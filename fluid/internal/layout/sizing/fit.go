package sizing

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// perOctave is the resolution of effort: 1/64 octave of gain moves a distance band by
	// 1.1 %, and so the unknowns of a plane surface by 2.2 %.
	perOctave = 64
	// thickenings is how many steps the band's thickness grows in, unseenSteps as many for what is not seen.
	thickenings, unseenSteps = 128, 64
	// leastReserve to mostReserve of the target is kept for blocks that wait to be coarsened. It
	// grows by up to reserveUp a step in which they do not fit, or waves would have blocks
	// coarsened at one step and refined at the next; it falls by reserveDown otherwise.
	leastReserve = .05
	mostReserve  = .35
	reserveUp    = .02
	reserveDown  = .0005
	// deadBand is the part of the target within which effort stays as it is.
	deadBand = .04
)

// effort is how much detail is asked for: first what all blocks at the surface have, whether they are seen or not, then gain, in 1/perOctave
// octaves, then thickness. So what is not seen is made coarser when nothing that is seen is finer, and before what is seen has less than that.
type effort struct {
	gain   int // of log2
	unseen int // 0 to unseenSteps
	thick  int // 0 to thickenings
}

// raise gives a block at least a level, those that are balanced with it at least one less, and so on, and
// returns the added load in 1/512 unknowns. Levels that were balanced stay so; the result does
// not depend on the order of calls.
func (s *Sizer) raise(levels []uint8, b int32, l uint8) int64 {
	old := levels[b]
	if old >= l {
		return 0
	}
	levels[b] = l
	if old == s.g.Cur.Level[b] {
		s.raised++
		s.changed += cells(l)
	}
	w := int64(s.weight[b])
	load := w<<(3*l) - w<<(3*old)
	return load + raiseAround(s, levels, b, l)
}

// raiseAround gives the neighbours of a block at a level what it asks of them.
func raiseAround(s *Sizer, levels []uint8, b int32, l uint8) (load int64) {
	if l < 2 && !s.leaves {
		return 0
	}
	for side, nb := range s.g.Balanced(b) {
		if nb == layout.None {
			continue
		}
		if least := leastBeside(s, b, nb, side, l); least > 0 {
			load += s.raise(levels, nb, least)
		}
	}
	return load
}

// leastBeside is the least level of a block's neighbour: one less than its own, l, and as much where liquid leaves to it across a face.
//
// side: the neighbour's place in layout.Grid.Balanced, whose first six are across faces.
func leastBeside(s *Sizer, b, nb int32, side int, l uint8) uint8 {
	if s.leaves && side < 6 && s.beyond.Contains(uint32(nb)) && !s.beyond.Contains(uint32(b)) {
		return l
	}
	return max(l, 1) - 1
}

// balance raises blocks until no two that the grid balances differ by more than a level, and none beyond an open side is coarser than that within.
func (s *Sizer) balance(levels []uint8) {
	for b, l := range levels {
		raiseAround(s, levels, int32(b), l)
	}
}

func (s *Sizer) balanceFloor() {
	s.balance(s.floor)
	s.floorLoad, s.restLoad = s.load(s.floor), 0
	for b, w := range s.weight {
		if s.pin[b] == 0 {
			s.restLoad += int64(w) << (3 * s.floor[b])
		}
	}
}

// load is the predicted number of unknowns, in 1/512.
func (s *Sizer) load(levels []uint8) int64 {
	sum := int64(0)
	for b, w := range s.weight {
		sum += int64(w) << (3 * levels[b])
	}
	return sum
}

func unknowns(load int64) int { return int((load + 511) / 512) }

// wish fills want with the balanced levels at an effort, none finer than top, and returns their load. It never falls
// as the effort grows.
func (s *Sizer) wish(e effort, top uint8) int64 {
	copy(s.want, s.floor)
	octaves := s.octaves(e)
	load := s.floorLoad
	for i := range s.items {
		it := &s.items[i]
		l := s.unseenLevel(it, s.leastShare(it, e))
		if !it.unseen {
			l = max(l, s.level(it, octaves, s.thicknessAt(it, e), top))
		}
		if l > s.want[it.base] {
			load += s.raise(s.want, it.base, l)
		}
	}
	return load
}

func (s *Sizer) octaves(e effort) float64 {
	return min(float64(e.gain)/perOctave, reproducible.Log2(s.knobs.ViewGain))
}

// thickness is what the band has on average.
func (s *Sizer) thickness(e effort) float64 {
	return s.knobs.Thickness + float64((s.knobs.ThicknessCap-s.knobs.Thickness)*float64(e.thick)/thickenings)
}

// thicknessAt grows the band at the nearest blocks first. All at once, a level sea would gain
// a whole layer or nothing.
func (s *Sizer) thicknessAt(it *item, e effort) float64 {
	share := s.share(it, float64(float64(e.thick)/thickenings))
	return s.knobs.Thickness + float64((s.knobs.ThicknessCap-s.knobs.Thickness)*share)
}

// ranks is how many items there are of some, and the range of their ranks.
type ranks struct {
	items       int
	least, most float32
}

func (r *ranks) add(it *item) {
	if r.items == 0 {
		r.least, r.most = it.rank, it.rank
	}
	r.items++
	r.least, r.most = min(r.least, it.rank), max(r.most, it.rank)
}

// ranksOf is the ranks of the items that are seen, or of the others, as this one.
func (s *Sizer) ranksOf(it *item) *ranks {
	if it.unseen {
		return &s.rankUnseen
	}
	return &s.rankSeen
}

// share is an item's part of what all together, seen or not, get a part of: the nearest have all of theirs when the farthest
// begin to get some.
func (s *Sizer) share(it *item, of float64) float64 {
	r := s.ranksOf(it)
	far := float64(r.most-it.rank) / max(float64(r.most-r.least), 1e-6)
	return min(max(float64(2*of)-far, 0), 1)
}

// leastShare is an item's part of the least level that all at the surface have: what is seen has all of it when what is not seen begins to get some.
func (s *Sizer) leastShare(it *item, e effort) float64 {
	of, seen, unseen := float64(e.unseen)/unseenSteps, float64(s.rankSeen.items), float64(s.rankUnseen.items)
	if it.unseen {
		return s.share(it, max(float64(of*(seen+unseen))-seen, 0)/unseen)
	}
	return s.share(it, min(float64(of*(seen+unseen))/seen, 1))
}

// gains is the range that makes a difference: from no item above the coarsest level
// to all finest, or to the knob.
func (s *Sizer) gains() (lo, hi int) {
	s.rankSeen, s.rankUnseen = ranks{}, ranks{}
	for i := range s.items {
		it := &s.items[i]
		s.ranksOf(it).add(it)
	}
	hi = int(math.Ceil(perOctave * min(reproducible.Log2(s.knobs.ViewGain), layout.MaxLevel-1-float64(s.rankSeen.least)+1./perOctave)))
	lo = int(math.Floor(perOctave * (float64(s.knobs.CoarsestLevel) - float64(s.rankSeen.most))))
	return min(lo, hi), hi
}

// coarserLoad is what the blocks at regions would add if all had their finest level, in 1/512 unknowns.
func (s *Sizer) coarserLoad() int64 {
	sum := int64(0)
	if s.finest == all && s.top == layout.MaxLevel {
		return 0
	}
	for b, w := range s.weight {
		if s.pinned.Contains(uint32(b)) {
			sum += int64(w)<<(3*layout.MaxLevel) - int64(w)<<(3*s.pin[b])
		}
	}
	return sum
}

// chooseEffort finds the greatest effort whose load fits the target less its reserve, and
// leaves its levels in want. Within deadBand of that the last effort stays.
func (s *Sizer) chooseEffort(out *Outcome) {
	lo, hi := s.gains()
	full, more := s.effortAt(hi+unseenSteps, lo, hi), s.coarserLoad()
	out.Full, out.Least = unknowns(s.wish(full, layout.MaxLevel)+more), unknowns(s.floorLoad)
	out.Gain, out.Thickness, out.Visible = s.knobs.ViewGain, s.knobs.Thickness, s.rankSeen.items
	if s.knobs.TargetUnknowns <= 0 {
		out.Seen, s.effort = out.Full, full // what is not seen is in the floor
		return
	}
	out.Seen = unknowns(s.wish(effort{gain: hi}, layout.MaxLevel) + more)
	target := int64(float64(s.knobs.TargetUnknowns) * 512 * (1 - s.reserve))
	e := s.search(lo, hi, target)
	s.effort = e
	s.started = true
	out.Thickness, out.UnseenShort = s.thickness(e), e.unseen < unseenSteps && len(s.items) > 0
	if e.gain < hi {
		out.Gain = reproducible.Exp2(s.octaves(e))
	}
	if e.gain == lo && e.unseen == 0 && s.floorLoad > int64(s.knobs.TargetUnknowns)*512 {
		out.Gain = 0
		copy(s.want, s.floor)
		out.Knob, out.Text = s.warning()
	}
}

func (s *Sizer) warning() (knob, text string) {
	switch {
	case s.knobs.CoarsestLevel == layout.MaxLevel:
		return "Def.Numerics.Levels", "a uniform grid cannot be coarsened to the budget; raise Levels, CellSize or Budget"
	case s.knobs.CoarsestLevel > 0:
		return "Def.Numerics.Levels", "the liquid needs more unknowns than the budget has at the coarsest level; raise Levels, CellSize or Budget"
	}
	return "Budget", "the liquid and its bodies need more unknowns than the budget has; raise Budget or CellSize"
}

// effortAt is effort i, from lo on, of gains from lo to hi.
func (s *Sizer) effortAt(i, lo, hi int) effort {
	thick := max(i-hi-unseenSteps, 0)
	return effort{max(lo, min(i-unseenSteps, hi)), min(i-lo, unseenSteps), thick}
}

// search gallops from the last effort and then bisects; outside of the dead band the answer
// does not depend on where it starts. want is left with the answer's levels.
func (s *Sizer) search(lo, hi int, target int64) effort {
	at := func(i int) effort { return s.effortAt(i, lo, hi) }
	wish := func(i int) int64 { return s.wish(at(i), s.top) }
	end := hi + unseenSteps
	i := end
	if s.knobs.ThicknessCap > s.knobs.Thickness {
		end += thickenings
	}
	if e := s.effort; s.started {
		i = min(max(lo, min(e.gain, hi))+e.unseen+e.thick, end)
	}
	load := wish(i)
	if s.started && load <= target && float64(load) >= (1-deadBand)*float64(target) {
		return at(i)
	}
	good, bad := lo, end+1 // good fits, or is the least; bad does not
	if load <= target {
		good = i
		for step := 1; good+step < bad; step *= 4 {
			if probe := good + step; wish(probe) <= target {
				good = probe
			} else {
				bad = probe
			}
		}
	} else {
		bad = i
		for step := 1; bad-step > good; step *= 4 {
			if probe := bad - step; wish(probe) <= target {
				good = probe
			} else {
				bad = probe
			}
		}
	}
	for bad-good > 1 {
		if mid := good + (bad-good)/2; wish(mid) <= target {
			good = mid
		} else {
			bad = mid
		}
	}
	wish(good)
	return at(good)
}
