package sizing

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// item is a block that effort can refine.
type item struct {
	base   int32
	rank   float32 // grid.MaxLevel + log2(pixels across a finest cell): its level at gain 1, before rounding up
	depth  float32 // distance from the surface along the grid's axes, base cells
	field  int     // the level that Knobs.Field asks for
	wet    bool
	unseen bool
}

// level is what an item wants at a gain of 2^octaves with a band of the given thickness, in
// base cells, and no finer than top; air has its own, since thickness is grown for what has unknowns.
// Sources: Kim, Ihm, Cha 2006 §IV: visible at the surface finest, nearer finer, coarser away from it; Klingner et al. 2006, eq. 5.
func (s *Sizer) level(it *item, octaves, thickness float64, top uint8) uint8 {
	v := min(ceil(float64(it.rank)+octaves), int(top))
	if !it.wet {
		thickness = s.knobs.Thickness
	}
	l := v - drop(it.depth, thickness)
	if it.wet { // visible liquid is finer than invisible liquid, however deep
		l = max(l, min(v, max(s.knobs.CoarsestLevel+1, it.field)))
	}
	return uint8(max(l, 0))
}

// drop is how many levels a block loses by its depth: one per base cell beyond the band, which is
// the steepest that 2:1 balance lets through.
func drop(depth float32, thickness float64) int {
	x := float64(depth) - thickness
	if x <= 0 {
		return 0
	}
	return max(ceil(x), 0)
}

// ceil rounds up to a level.
func ceil(x float64) int {
	if x >= layout.MaxLevel {
		return layout.MaxLevel
	}
	i := int(max(x, 0))
	if x > float64(i) {
		i++
	}
	return i
}

// log2 is off by 0.00015 at most, monotone, and exact at powers of two; math.Log2 was an eighth of a
// plan. x is positive and normal. The coefficients are a least-squares fit of
// (log2(1+m) - m)/(m(1-m)).
func log2(x float32) float32 {
	u := math.Float32bits(x)
	e := float32(int(u>>23) - 127)
	m := math.Float32frombits(u&(1<<23-1)|127<<23) - 1
	return e + m + float32(m*(1-m)*(.43807+float32(m*(-.23669+float32(m*.08031)))))
}

// classify finds each block's floor, which it has whatever the target, its weight, and the items. rank is
// -Inf, first to be coarsened, for all that isn't an item.
func (s *Sizer) classify(in *Input) {
	k := &s.knobs
	s.visible.Clear()
	s.visible.Grow(uint32(len(s.floor)))
	s.items = s.items[:0]
	s.measureField(in)
	if len(s.cameras) == 0 {
		s.focus(in)
	}
	s.measureDepth(in)
	for b := range int32(len(s.floor)) {
		s.rank[b] = float32(math.Inf(-1))
		s.floor[b] = uint8(k.CoarsestLevel)
		if s.outside.Contains(uint32(b)) {
			continue
		}
		wet := in.Wet.Contains(uint32(b))
		s.consider(&item{base: b, wet: wet, depth: float32(s.depth[b]) / layout.Edge, field: s.wishes.level(b)})
	}
	s.balanceFloor()
}

// consider sets a block's floor and makes it an item where seeing it could raise it.
func (s *Sizer) consider(it *item) {
	k := &s.knobs
	b := it.base
	s.floor[b] = uint8(k.CoarsestLevel)
	if k.TargetUnknowns <= 0 {
		s.floor[b] = s.unseenLevel(it, 1)
	}
	if s.pinned.Contains(uint32(b)) {
		s.floor[b] = s.pin[b]
		s.visible.Set(uint32(b))
		return
	}
	s.floor[b] = max(s.floor[b], s.pin[b])
	if it.rank = 64; s.level(it, 0, k.ThicknessCap, layout.MaxLevel) <= s.floor[b] {
		return
	}
	pixels := 0.
	if len(s.cameras) > 0 {
		var seen bool
		seen, pixels = s.sees(s.middleOf(b))
		it.unseen = !seen
	} else {
		pixels = s.closeness(b)
	}
	it.rank = layout.MaxLevel + log2(float32(pixels*s.g.H))
	if it.unseen {
		if s.unseenLevel(it, 1) > s.floor[b] {
			s.rank[b] = it.rank - unseenRank
			s.items = append(s.items, *it)
		}
		return
	}
	s.rank[b] = it.rank
	s.visible.Set(uint32(b))
	s.items = append(s.items, *it)
}

// unseenRank sets the rank of a block that is not seen below that of any that is.
const unseenRank = 64

// unseenLevel is what a block wants even if it is not seen, for a share from 0 to 1 of what such blocks may have.
func (s *Sizer) unseenLevel(it *item, share float64) uint8 {
	k := &s.knobs
	more := max(min(k.InvisibleLevel, int(s.top))-k.CoarsestLevel, 0)
	level := k.CoarsestLevel + int(share*float64(more))
	return uint8(max(level-drop(it.depth, k.Thickness), min(level, it.field), k.CoarsestLevel))
}

func (s *Sizer) middleOf(b int32) [3]float64 {
	c := s.g.Corner(b)
	return [3]float64{c[0] + float64(s.edge/2), c[1] + float64(s.edge/2), c[2] + float64(s.edge/2)}
}

// focus measures, for want of a camera, how many blocks away the nearest body, emitter or lively flow is;
// where there is none, the middle of the surface takes its place. near is the L1 distance,
// by one sweep up and one down (Rosenfeld, Pfaltz 1966).
func (s *Sizer) focus(in *Input) {
	const far = math.MaxUint16 / 2
	found := false
	for b := range s.near {
		s.near[b] = far
		if s.pin[b] > 0 || s.isLively(b) {
			s.near[b], found = 0, true
		}
	}
	if !found {
		s.near[s.middle(in)] = 0
	}
	for b := range s.near {
		s.nearer(b, 0)
	}
	for b := len(s.near) - 1; b >= 0; b-- {
		s.nearer(b, 1)
	}
}

func (s *Sizer) nearer(b, side int) {
	for a := range 3 {
		if nb := s.g.Neighbour[b][2*a+side]; nb != layout.None {
			s.near[b] = min(s.near[b], s.near[nb]+1)
		}
	}
}

// farthest is as deep as a block counts, finest cells: beyond, all are of the coarsest level.
const farthest = (layout.MaxLevel + 1) * layout.Edge

// measureDepth finds how many finest cells each block is from the surface, a body or an emitter, along the grid's axes: those that a block
// beside it has between the two, and all of those further on, by the same sweeps.
func (s *Sizer) measureDepth(in *Input) {
	for b := range int32(len(s.depth)) {
		s.depth[b] = farthest
		if s.isNear(in, b) {
			s.depth[b] = 0
			continue
		}
		for side, nb := range s.g.Neighbour[b] {
			if nb != layout.None && s.isNear(in, nb) {
				s.depth[b] = min(s.depth[b], in.gap(nb, side^1))
			}
		}
	}
	for b := range s.depth {
		s.deeper(b, 0)
	}
	for b := len(s.depth) - 1; b >= 0; b-- {
		s.deeper(b, 1)
	}
}

// isNear tells whether a block is at the surface, a body or an emitter.
func (s *Sizer) isNear(in *Input, b int32) bool {
	return s.pin[b] > 0 || in.Band.Contains(uint32(b))
}

// gap is how many finest cells of a block are between one of its sides and what of the surface is in it.
func (in *Input) gap(b int32, side int) uint8 {
	if in.Gaps == nil {
		return layout.Edge
	}
	return max(1, min(in.Gaps[b][side], layout.Edge))
}

func (s *Sizer) deeper(b, side int) {
	for a := range 3 {
		if nb := s.g.Neighbour[b][2*a+side]; nb != layout.None {
			s.depth[b] = min(s.depth[b], s.depth[nb]+layout.Edge)
		}
	}
}

// middle is the base cell at the mean of those at the surface.
func (s *Sizer) middle(in *Input) int32 {
	var sum [3]int
	n := 0
	for b := range int32(len(s.near)) {
		if in.Band.Contains(uint32(b)) {
			for a, c := range s.g.BaseCoords(b) {
				sum[a] += c
			}
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return s.g.BaseAt(sum[0]/n, sum[1]/n, sum[2]/n)
}

// closeness stands for pixels per metre without a view: a gain g makes all finest within the
// part g of the grid's perimeter, so 1 is everywhere. Equally distant blocks are told apart
// by their index, so that a target may cut between them.
func (s *Sizer) closeness(b int32) float64 {
	n := float64(len(s.near))
	d := float64(s.near[b]) + 1 + float64(b)/n
	return float64(s.g.Dim[0]+s.g.Dim[1]+s.g.Dim[2]+2) / (d * s.g.H)
}
