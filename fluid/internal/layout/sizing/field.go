package sizing

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Field is a sizing field inside of the liquid: cells there are to have edges of at most
//
//	μ = k₀ + min(k_d·d, k_s·(1-s), k_w·(1-ω)),
//
// where k₀ is the edge of the finest cells, d the distance to the surface, to regions and to openings, s the density of smoke and ω the vorticity, both
// from 0 to 1. It makes cells finer than the other criteria do, never coarser. What is seen is no finer than its pixels ask for, what is not seen no finer than
// Knobs.InvisibleLevel, and under a target both yield as the surface does. A weight of 0 leaves its term out; the zero value asks for nothing.
//
// Source: Klingner et al. 2006, eq. 5. Its min over the terms is that over all criteria here.
type Field struct {
	// Distance is k_d: by how much the edge grows with d, m per m. d is known to half a base cell.
	Distance float64
	// Smoke is k_s in finest cells: how much longer the edge is where there is no smoke.
	Smoke float64
	// Vorticity is k_w in finest cells: how much longer the edge is where the liquid does not turn.
	Vorticity float64
	// Turn is the vorticity from which on ω is 1, 1/s. 0 means DefaultTurn.
	Turn float64
}

// DefaultTurn is the vorticity of what turns once in 13 s, a tenth of what splashes have: cells are to be fine in all of an eddy. Where they are in its core alone, what the
// large ones around smooth away costs more than the fine ones save.
const DefaultTurn = 1

func (f Field) withDefaults() Field {
	for _, k := range []*float64{&f.Distance, &f.Smoke, &f.Vorticity, &f.Turn} {
		if !(*k > 0) {
			*k = 0
		}
	}
	if f.Turn == 0 {
		f.Turn = DefaultTurn
	}
	return f
}

// followsFlow tells whether the flow, and not only its boundaries, asks for finer cells.
func (f *Field) followsFlow() bool { return f.Smoke > 0 || f.Vorticity > 0 }

// wishes are what Knobs.Field asks for, per base cell.
type wishes struct {
	on     bool      // something
	edges  []float32 // μ, in finest cells; +Inf in air
	flow   []float32 // what smoke and vorticity alone leave of it
	lively int       // the finest level that these ask for anywhere
	gap    []float32 // see measureGap
}

func newWishes(bases int) wishes {
	return wishes{edges: make([]float32, bases), flow: make([]float32, bases), gap: make([]float32, bases)}
}

// measureField finds what Knobs.Field asks for.
func (s *Sizer) measureField(in *Input) {
	f, w := &s.knobs.Field, &s.wishes
	w.on, w.lively = f.Distance > 0 || f.followsFlow(), 0
	if !w.on {
		return
	}
	if f.Distance > 0 {
		s.measureGap(in)
	}
	none := float32(math.Inf(1))
	least := none
	for b := range w.edges {
		w.edges[b], w.flow[b] = none, none
		if !s.wet.Contains(uint32(b)) {
			continue
		}
		if f.Smoke > 0 && in.Smoke != nil {
			w.flow[b] = 1 + float32(f.Smoke*(1-unit(in.Smoke[b])))
		}
		if f.Vorticity > 0 && in.Vorticity != nil {
			w.flow[b] = min(w.flow[b], 1+float32(f.Vorticity*(1-unit(in.Vorticity[b]/float32(f.Turn)))))
		}
		least = min(least, w.flow[b])
		if w.edges[b] = w.flow[b]; f.Distance > 0 {
			w.edges[b] = min(w.edges[b], 1+float32(f.Distance*layout.Edge*float64(w.gap[b])))
		}
	}
	w.lively = levelOf(least)
}

// unit bounds a value to what is from 0 to 1.
func unit(x float32) float64 {
	if !(x > 0) {
		return 0
	}
	return float64(min(x, 1))
}

// level is what the field asks for in a block.
func (w *wishes) level(b int32) int {
	if !w.on {
		return 0
	}
	return levelOf(w.edges[b])
}

// levelOf is the coarsest level whose cells have no longer edges, in finest cells.
func levelOf(edge float32) int { return ceil(float64(layout.MaxLevel - log2(edge))) }

// isLively tells whether smoke and vorticity ask for as fine a level in a block as anywhere, and for a finer one than all liquid has that is seen.
func (s *Sizer) isLively(b int) bool {
	w := &s.wishes
	return w.lively > s.knobs.CoarsestLevel+1 && levelOf(w.flow[b]) == w.lively
}

// ways are the distances between the middles of a base cell and of those before it in Grid.Nearby, in base cells.
var ways = makeWays()

func makeWays() (all [13]float32) {
	for c := range all {
		x, y, z := c%3-1, c/3%3-1, c/9-1
		all[c] = float32(math.Sqrt(float64(x*x + y*y + z*z)))
	}
	return all
}

// measureGap measures how far the middles of blocks are from the nearest block at the surface, a region or an opening, whose own distance is 0, in base cells. By
// steps to the 26 blocks around it is up to a tenth too large.
// Source: Borgefors 1986, Distance Transformations in Digital Images (two passes, weights 1, √2 and √3).
func (s *Sizer) measureGap(in *Input) {
	const half = .5
	gap := s.wishes.gap
	for b := range gap {
		gap[b] = float32(math.Inf(1))
		if s.pin[b] > 0 || in.Band.Contains(uint32(b)) {
			gap[b] = -half
		}
	}
	closer := func(b int, nb int32, way float32) {
		if nb != layout.None {
			gap[b] = min(gap[b], gap[nb]+way)
		}
	}
	for b := range gap {
		for c, nb := range s.g.Nearby(int32(b))[:13] {
			closer(b, nb, ways[c])
		}
	}
	for b := len(gap) - 1; b >= 0; b-- {
		for c, nb := range s.g.Nearby(int32(b))[14:] {
			closer(b, nb, ways[12-c])
		}
	}
	for b, d := range gap {
		gap[b] = max(d, 0)
	}
}
