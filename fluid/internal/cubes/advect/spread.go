package advect

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// tile is one axis's faces of a block, m/s, with one layer of its surroundings: n+2 places along each
// axis, x fastest. The kernels know where its fields lie.
type tile struct {
	u, one [tileRoom]float32              // 0 where nothing is known, elsewhere the velocity, and 1
	mean   [tileRows][layout.Edge]float32 // of a layer, eight rows for each plane
	n      int                            // cells along the block
	all    int                            // -1 if the faces that are loaded are known whatever their state is, else 0

	known [layout.Edge]uint64 // per plane of the block, a bit x + 8y per place
	rim   [layout.Edge]uint64 // likewise: one of the surroundings, next to the place, is known

	changes []change
}

const (
	tileEdge = layout.Edge + 2
	tileRoom = tileEdge*tileEdge*tileEdge + layout.Edge
	tileRows = layout.Edge * layout.Edge
)

// The kernels exist in plain Go, here, and in assembly for processors with AVX2; both give the same bits.
// loadRows takes the known faces of rows: as many as the block has along an axis, from the first face on, fromStep apart,
// to places from to on, toStep apart. It tells by a bit x + 8i for each which they are.
// spread sets a block's unknown places, layer by layer, and its faces there, to the mean of what was known before beside them.
var (
	loadRows = loadRowsGo
	spread   = spreadGo
)

func loadRowsGo(t *tile, faces []float32, state []uint8, to, toStep, fromStep int) (known uint64) {
	for i := range t.n {
		u, one := t.u[to+toStep*i:][:t.n], t.one[to+toStep*i:][:t.n]
		faces := faces[fromStep*i:][:t.n]
		for x, s := range state[fromStep*i:][:t.n] {
			if t.all != 0 || s != 0 {
				known |= 1 << (x + layout.Edge*i)
				u[x], one[x] = faces[x], 1
			}
		}
	}
	return known
}

func spreadGo(t *tile, faces []float32) {
	e := t.n + 2
	var layer [layout.Edge]uint64
	for t.nextLayer(&layer) {
		t.each(&layer, func(k, _ int, mean *float32) { *mean = beside(&t.u, k, e) / beside(&t.one, k, e) })
		t.each(&layer, func(k, face int, mean *float32) { t.u[k], t.one[k], faces[face] = *mean, 1, *mean })
	}
}

// each calls visit for the places of a layer.
func (t *tile) each(layer *[layout.Edge]uint64, visit func(k, face int, mean *float32)) {
	for z, set := range layer[:t.n] {
		for ; set != 0; set &= set - 1 {
			x, y := bits.TrailingZeros64(set)%layout.Edge, bits.TrailingZeros64(set)/layout.Edge
			visit(t.place(x, y, z), x+t.n*(y+t.n*z), &t.mean[y+layout.Edge*z][x])
		}
	}
}

// beside is the sum of the six values beside a place.
func beside(v *[tileRoom]float32, k, e int) float32 {
	return v[k-1] + v[k+1] + v[k-e] + v[k+e] + v[k-e*e] + v[k+e*e]
}

// nextLayer finds the unknown places beside known ones, and makes these known. It tells whether there are any.
func (t *tile) nextLayer(layer *[layout.Edge]uint64) bool {
	side, below, any := &sides[t.n], uint64(0), uint64(0)
	for z := range t.n {
		k := t.known[z]
		f := k<<1&^side.low | k>>1&^side.high | k<<layout.Edge | k>>layout.Edge | t.rim[z] | below
		if z+1 < t.n {
			f |= t.known[z+1]
		}
		below = k
		f &= side.all &^ k
		t.known[z] |= f
		layer[z] = f
		any |= f
	}
	return any != 0
}

// sides are the places of a plane of a block of n³ whose x is the lowest, or the highest, and all of them; and all of those
// of the planes from the fifth on, which blocks of 4³ don't have: the kernel takes planes by fours.
var sides = makeSides()

func makeSides() (s [layout.Edge + 1]struct{ low, high, all, fifth uint64 }) {
	for n := 1; n <= layout.Edge; n++ {
		for y := range n {
			s[n].low |= 1 << (layout.Edge * y)
			s[n].high |= 1 << (layout.Edge*y + n - 1)
			s[n].all |= (1<<n - 1) << (layout.Edge * y)
		}
		if n > 4 {
			s[n].fifth = s[n].all
		}
	}
	return s
}
