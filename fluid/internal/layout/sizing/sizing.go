// Package sizing decides the level of every block of the adaptive grid, from where the
// surface is, what the camera sees, where bodies and emitters are, and how many unknowns
// the step can afford.
//
// Levels are the grid's: 0 is one cell per base cell, grid.MaxLevel the finest. A plan has
// four parts: criteria (what each block may want), fit (the one number, the effort, that
// makes the sum of the requests meet the target), 2:1 balance, and the change from
// the present levels (refine at once, coarsen after CoarsenDelay steps).
//
// Source: Kim, Ihm, Cha 2006 §IV (criteria) and §V.1 (minimum level, marching away from the
// band). Hysteresis, a target, and blocks at bodies whose level no camera changes are added.
package sizing

import (
	"fmt"
	"math"

	"github.com/kelindar/bitmap"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Defaults of Knobs.
const (
	// DefaultCoarsenDelay is half a second at 60 steps/s: where a camera looks away and back within it, no detail is lost.
	DefaultCoarsenDelay = 30
	// DefaultChangeShare bounds the cost of a cut to another camera: all is there after 8 steps.
	DefaultChangeShare = 1. / 8
	// DefaultThicknessCap is as deep as finest cells are worth their cost: 16 of them.
	DefaultThicknessCap = 2
)

// Knobs are what the game, or the budget, sets. The zero value means four levels, no minimum
// for what no camera sees, a view gain of 1 and no target.
type Knobs struct {
	// CoarsestLevel is the lowest level allowed: grid.MaxLevel-(Def.Numerics.Levels-1).
	CoarsestLevel int
	// InvisibleLevel is the least level of blocks at the surface, seen or not. Where the target is exceeded it is lowered last, and first where nobody looks.
	InvisibleLevel int
	// ViewGain is the most cells per pixel. 0 means 1; +Inf makes every visible block at
	// the surface finest, as in Kim et al.'s tests. Without a view it is the share of the grid's
	// diagonal around the bodies that is finest.
	ViewGain float64
	// TargetUnknowns is the most unknowns to plan for. 0 means no limit.
	TargetUnknowns int
	// PerCell is how many unknowns a cell of liquid makes. 0 means 1.
	PerCell int
	// Thickness widens the band, in base cells of distance from the surface.
	Thickness float64
	// ThicknessCap is what Thickness may grow to, under the liquid, while the target is not
	// reached. 0 means DefaultThicknessCap; less than Thickness means no growth.
	ThicknessCap float64
	// CoarsenDelay is how many steps in a row a block must be wanted coarser. 0 means
	// DefaultCoarsenDelay; at most 255.
	CoarsenDelay int
	// ChangeShare is the share of the blocks at or under the surface that may change in a
	// step by choice; at least 8 may. 0 means DefaultChangeShare. Not by choice are the
	// camera-independent minimum, blocks at bodies, the two rings that balance needs around the
	// last block refined, and what must go at once to meet the target.
	ChangeShare float64
	// Field refines what is inside of the liquid.
	Field Field
	// Changes bounds that, what blocks at bodies take by their turn, and what goes for the target unless that is far
	// exceeded: as many blocks that gain or lose the finest level, or others with as many cells. 0 means no bound.
	Changes int
}

// Requests is what a step asks of a mesh, whatever that consists of. How it meets the target, and where the surface is, is left to the mesh.
type Requests struct {
	Bodies    []Region
	Emitters  []r3.Box // m; finest, wet or not
	Jets      []r3.Box // m; finest where liquid is near, if the target holds that
	Controls  []r3.Box // m; as fine as the target holds where liquid is near
	Band      int      // depth of the finest cells along the surface, in finest cells
	Field     Field    // see Knobs
	Invisible int      // how many levels coarser than the finest the surface is that nobody sees

	ViewGain                float64 // see Knobs, as for the others
	TargetUnknowns, Changes int
}

// Input is what the surface and the bodies look like. Slices are per base cell; Plan keeps none.
type Input struct {
	// MinAbs is the smallest |φ| in the block, m. NaN counts as far.
	MinAbs []float32
	// Gaps is how many finest cells the surface in a block is from each of its sides (-x, +x, -y, …), along the axis and with the cells that it passes through:
	// 1 to 8, and 8 where there is none. Nil means 8 everywhere.
	Gaps [][6]uint8
	// Fraction is the part of the block that is liquid, 0 to 1, to predict unknowns with. Nil
	// means 1 where wet, 1/2 where wet at the surface.
	Fraction []float32
	// Vorticity is the greatest in the block, 1/s, Smoke the greatest density of smoke, from 0 to 1, for Knobs.Field. Nil where neither is known.
	Vorticity, Smoke []float32

	Wet      bitmap.Bitmap // holds liquid
	Band     bitmap.Bitmap // holds the surface, or will within the step
	Bodies   []Region
	Emitters []r3.Box // m; finest, wet or not
	Jets     []r3.Box // m; finest where liquid is near, if the target holds that
	Controls []r3.Box // m; as fine as the target holds where liquid is near
}

// Outcome says what a plan chose. Unknowns are predictions from Input.Fraction.
type Outcome struct {
	Unknowns []int   // by levels, the finest first, as set; valid until the next plan
	Total    int     // their sum
	Least    int     // at no gain: what the target cannot go below
	Seen     int     // at Knobs.ViewGain and Knobs.Thickness, but for what is not seen
	Full     int     // with that, whatever the target
	Gain     float64 // cells per pixel in force; 0 when even that is too much
	// Thickness of the band in force, in base cells.
	Thickness float64
	Refined   int // blocks
	Coarsened int // blocks
	Changed   int // of both, those that hold liquid, as many finest blocks as have as many cells
	Waiting   int // blocks that wanted to be refined but must wait for their turn
	Visible   int // blocks that matter and can be seen
	// UnseenShort tells that the target does not hold Knobs.InvisibleLevel.
	UnseenShort bool
	// Knob and Text warn that the target cannot be met; both empty otherwise.
	Knob, Text string
}

// Sizer plans the levels of one grid. It must be used from one goroutine at a time.
type Sizer struct {
	g       *layout.Grid
	edge    float64 // of a base cell, m
	outside bitmap.Bitmap
	beyond  bitmap.Bitmap // those of them that liquid leaves to: see BeyondOpen
	leaves  bool          // there are some
	views   []View        // none of them zero
	cameras []camera      // views made ready
	spare   []camera      // for the next SetViews
	coded   []View        // for Code

	knobs   Knobs
	wet     bitmap.Bitmap // blocks in the domain that hold liquid
	liquid  bitmap.Bitmap // those, and blocks in the domain at the surface
	visible bitmap.Bitmap
	pinned  bitmap.Bitmap // blocks whose level is exactly pin
	pin     []uint8
	near    []uint16 // steps to the nearest body, emitter or lively flow; see focus
	depth   []uint8  // from the surface, a body or an emitter, finest cells, at most farthest
	wishes  wishes
	weight  []int32 // liquid in the block, 1/512
	rank    []float32
	items   []item

	floor    []uint8 // camera-independent part, balanced
	want     []uint8
	next     []uint8
	held     []uint8 // steps in a row of being wanted coarser
	order    []uint64
	perLevel []int // of the last Outcome
	active   int   // blocks at or under the surface

	rankSeen, rankUnseen ranks   // of the items that are seen, and of the others
	floorLoad            int64   // 1/512 unknowns at floor
	raised               int     // blocks that raise took off the grid's level
	changed              int     // cells of blocks that have another level than the grid's, on the finer one
	reserve              float64 // part of the target
	target               int64   // the last one, 1/512 unknowns
	effort               effort
	started              bool // effort comes from a target
	fresh                int  // so many plans are set at once

	top           uint8   // the finest level that there is
	risesLeft     int     // how many blocks at regions may still get finer in this plan
	roomForFinest int     // steps in a row in which finer finest cells would have had room
	regionOrder   []int32 // indices of Input.Bodies, by ascending Size
	steered       []steered
	restLoad      int64 // 1/512 unknowns at floor, of the blocks without a region
	finest        int   // so many of them have finest blocks; all means there is room for any
	roomForRegion int   // steps in a row in which the next body would have had room
	regionDelay   int   // how many of these steps there must be
	sinceRegion   int   // steps since one got them
	overShare     int   // steps in a row in which regions had more than their share of the target
	lastGained    int   // the place in needs of the one that got them last; -1: none
}

// New makes a sizer for a grid whose liquid is confined to domain, m.
func New(g *layout.Grid, domain r3.Box) *Sizer {
	n := g.Bases()
	s := &Sizer{
		g: g, edge: g.H * layout.Edge, fresh: 1, reserve: leastReserve, finest: all, lastGained: -1, sinceRegion: all, top: layout.MaxLevel,
		pin: make([]uint8, n), near: make([]uint16, n), depth: make([]uint8, n), weight: make([]int32, n), rank: make([]float32, n),
		wishes: newWishes(n),
		floor:  make([]uint8, n), want: make([]uint8, n), next: make([]uint8, n), held: make([]uint8, n),
		items: make([]item, 0, n), order: make([]uint64, 0, n),
	}
	for _, m := range []*bitmap.Bitmap{&s.outside, &s.beyond, &s.wet, &s.liquid, &s.visible, &s.pinned} {
		m.Grow(uint32(n))
	}
	for b := range int32(n) {
		if s.beyondSides(b, domain) != [6]bool{} {
			s.outside.Set(uint32(b))
		}
	}
	return s
}

// BeyondOpen has blocks beyond some sides of the domain (-x, +x, -y, …) be as fine as those beside them within: what leaves is measured there.
func BeyondOpen(s *Sizer, domain r3.Box, open [6]bool) {
	for b := range int32(s.g.Bases()) {
		for side, beyond := range s.beyondSides(b, domain) {
			if beyond && open[side] {
				s.beyond.Set(uint32(b))
				s.leaves = true
			}
		}
	}
}

// sliver is the part of a block's edge up to which what is within the domain counts as rounding, as in layout.Place.
const sliver = 1e-6

// beyondSides tells which sides of the domain, m, a block lies beyond.
func (s *Sizer) beyondSides(b int32, domain r3.Box) (beyond [6]bool) {
	lo := [3]float64{domain.Min.X, domain.Min.Y, domain.Min.Z}
	hi := [3]float64{domain.Max.X, domain.Max.Y, domain.Max.Z}
	for a, c := range s.g.Corner(b) {
		beyond[2*a], beyond[2*a+1] = c+float64((1-sliver)*s.edge) <= lo[a], c+float64(sliver*s.edge) >= hi[a]
	}
	return beyond
}

// Restart makes the next so many plans set every wanted level at once, as the first one does.
func (s *Sizer) Restart(plans int) { s.fresh = plans }

// Visible tells whether the last Plan found a block in view. Blocks of far air are not looked at.
func (s *Sizer) Visible(base int32) bool { return s.visible.Contains(uint32(base)) }

// Plan chooses the levels and sets them in the grid, which must be settled. It allocates
// nothing but what the grid needs for blocks it never had.
// Plan panics if a slice of in has the wrong length.
func (s *Sizer) Plan(in *Input, knobs Knobs) Outcome {
	s.check(in)
	s.knobs = knobs.withDefaults()
	var out Outcome
	s.findLiquid(in)
	s.weigh(in)
	s.pinRegions(in)
	s.classify(in)
	s.chooseEffort(&out)
	s.chooseNext(&out)
	s.set(&out)
	s.fresh = max(0, s.fresh-1)
	return out
}

func (s *Sizer) check(in *Input) {
	n := s.g.Bases()
	wrong := len(in.MinAbs) != n || in.Gaps != nil && len(in.Gaps) != n
	for _, list := range [][]float32{in.Fraction, in.Vorticity, in.Smoke} {
		wrong = wrong || list != nil && len(list) != n
	}
	if wrong {
		panic(fmt.Sprintf("sizing: MinAbs, Gaps, Fraction, Vorticity and Smoke have %d, %d, %d, %d and %d values; the grid has %d base cells",
			len(in.MinAbs), len(in.Gaps), len(in.Fraction), len(in.Vorticity), len(in.Smoke), n))
	}
}

// findLiquid finds the sets of blocks in the domain that hold liquid and that are at the surface.
func (s *Sizer) findLiquid(in *Input) {
	clear(s.wet)
	copy(s.wet, in.Wet)
	s.wet.AndNot(s.outside)
	clear(s.liquid)
	copy(s.liquid, in.Band)
	s.liquid.AndNot(s.outside)
	s.liquid.Or(s.wet)
	s.active = s.liquid.Count()
}

// weigh measures the liquid in the blocks.
func (s *Sizer) weigh(in *Input) {
	for b := range s.weight {
		w := 0
		if s.wet.Contains(uint32(b)) {
			w = 512
			if in.Fraction != nil {
				w = max(1, min(512, int(float32(512*in.Fraction[b])+.5)))
			} else if in.Band.Contains(uint32(b)) {
				w = 256
			}
		}
		s.weight[b] = int32(w * s.knobs.PerCell)
	}
}

func (k Knobs) withDefaults() Knobs {
	k.CoarsestLevel = max(0, min(k.CoarsestLevel, layout.MaxLevel))
	k.InvisibleLevel = max(k.CoarsestLevel, min(k.InvisibleLevel, layout.MaxLevel))
	k.PerCell = max(1, k.PerCell)
	if !(k.ViewGain > 0) {
		k.ViewGain = 1
	}
	if !(k.Thickness > 0) {
		k.Thickness = 0
	}
	if !(k.ThicknessCap > 0) {
		k.ThicknessCap = DefaultThicknessCap
	}
	k.ThicknessCap = max(k.ThicknessCap, k.Thickness)
	if k.CoarsenDelay <= 0 {
		k.CoarsenDelay = DefaultCoarsenDelay
	}
	k.CoarsenDelay = min(k.CoarsenDelay, math.MaxUint8)
	if !(k.ChangeShare > 0) {
		k.ChangeShare = DefaultChangeShare
	}
	k.Field = k.Field.withDefaults()
	if k.Changes <= 0 {
		k.Changes = math.MaxInt32
	}
	return k
}

// set applies next in ascending order of base cells and counts what it will cost.
func (s *Sizer) set(out *Outcome) {
	var load [layout.MaxLevel + 1]int64
	changed := 0
	for b, l := range s.next {
		cur := s.g.Cur.Level[b]
		switch {
		case l > cur:
			out.Refined++
		case l < cur:
			out.Coarsened++
		}
		if l != cur && s.weight[b] > 0 {
			changed += cells(max(l, cur))
		}
		s.g.Set(int32(b), l)
		load[l] += int64(s.weight[b]) << (3 * l)
	}
	sum := int64(0)
	s.perLevel = s.perLevel[:0]
	for l := layout.MaxLevel; l >= 0; l-- {
		s.perLevel = append(s.perLevel, unknowns(load[l]))
		sum += load[l]
	}
	out.Unknowns = s.perLevel
	out.Total, out.Changed = unknowns(sum), (changed+cells(layout.MaxLevel)-1)/cells(layout.MaxLevel)
}

// cells is how many a block of a level has.
func cells(level uint8) int { return 1 << (3 * level) }
