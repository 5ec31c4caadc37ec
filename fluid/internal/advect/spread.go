package advect

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// tile is one axis's faces of a block, m/s, with one layer of its surroundings: n+2 places along each
// axis, x fastest. The kernels know where its fields lie.
type tile struct {
	u, one [tileRoom]float32 // 0 where nothing is known, elsewhere the velocity, and 1
	rows   [tileRows]row
	mean   [tileRows][grid.Edge]float32
	n      int // cells along the block
	count  int // of rows
	all    int // -1 if the rows' faces are known whatever their state is, else 0

	known [grid.Edge]uint64 // per plane of the block, a bit x + n·y per place
	rim   [grid.Edge]uint64 // likewise: one of the surroundings, next to the place, is known

	changes []change
}

// row is up to eight faces beside each other along x.
type row struct {
	at   int32  // the first place in the tile
	from int32  // where the first face is stored
	mask uint32 // a bit for each: it is known, or in the layer
	_    uint32
}

const (
	tileEdge = grid.Edge + 2
	tileRoom = tileEdge*tileEdge*tileEdge + grid.Edge
	tileRows = grid.Edge * grid.Edge
)

// The kernels exist in plain Go, here, and in assembly for processors with AVX2; both give the same bits.
// load takes what is known of the tile's rows from the faces, and notes in the mask which they are.
// spread sets the rows' places, and the faces, to the mean of what is known beside them.
var (
	loadRows   = loadRowsGo
	spreadRows = spreadRowsGo
)

func loadRowsGo(t *tile, faces []float32, state []uint8) {
	for i := range t.rows[:t.count] {
		r := &t.rows[i]
		u, one := t.u[r.at:][:t.n], t.one[r.at:][:t.n]
		r.mask = 0
		for x, s := range state[r.from:][:t.n] {
			if t.all != 0 || s != 0 {
				r.mask |= 1 << x
				u[x], one[x] = faces[int(r.from)+x], 1
			}
		}
	}
}

func spreadRowsGo(t *tile, faces []float32) {
	e := t.n + 2
	for i := range t.rows[:t.count] {
		r := &t.rows[i]
		for m := r.mask; m != 0; m &= m - 1 {
			x := bits.TrailingZeros32(m)
			k := int(r.at) + x
			t.mean[i][x] = beside(&t.u, k, e) / beside(&t.one, k, e)
		}
	}
	for i := range t.rows[:t.count] {
		r := &t.rows[i]
		for m := r.mask; m != 0; m &= m - 1 {
			x := bits.TrailingZeros32(m)
			u := t.mean[i][x]
			t.u[int(r.at)+x], t.one[int(r.at)+x], faces[int(r.from)+x] = u, 1, u
		}
	}
}

// beside is the sum of the six values beside a place.
func beside(v *[tileRoom]float32, k, e int) float32 {
	return v[k-1] + v[k+1] + v[k-e] + v[k+e] + v[k-e*e] + v[k+e*e]
}

// spread sets the block's unknown faces, layer by layer, to the mean of what was known before beside them.
// first is that of the block in faces.
func (t *tile) spread(faces []float32, first int) {
	rows := spreadRows
	if t.n < grid.Edge/2 {
		rows = spreadRowsGo
	}
	for t.nextLayer(first) {
		rows(t, faces)
	}
}

// nextLayer lists the rows that have unknown places beside known ones, and makes these known. It tells
// whether there are any.
func (t *tile) nextLayer(first int) bool {
	n := t.n
	side := &sides[n]
	line, e := uint64(1)<<n-1, n+2
	t.count = 0
	below := uint64(0)
	for z := range n {
		k := t.known[z]
		f := k<<1&^side.low | k>>1&^side.high | k<<n | k>>n | t.rim[z] | below
		if z+1 < n {
			f |= t.known[z+1]
		}
		below = k
		f &= side.all &^ k
		t.known[z] |= f
		for y := 0; f != 0; y++ {
			if m := f & line; m != 0 {
				t.rows[t.count] = row{at: int32(1 + e*(y+1+e*(z+1))), from: int32(first + n*(y+n*z)), mask: uint32(m)}
				t.count++
			}
			f >>= n
		}
	}
	return t.count > 0
}

// sides are the places of a plane of n² whose x is the lowest, or the highest, and all of them.
var sides = makeSides()

func makeSides() (s [grid.Edge + 1]struct{ low, high, all uint64 }) {
	for n := 1; n <= grid.Edge; n++ {
		for y := range n {
			s[n].low |= 1 << (n * y)
			s[n].high |= 1 << (n*y + n - 1)
			s[n].all |= (1<<n - 1) << (n * y)
		}
	}
	return s
}
