package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"gonum.org/v1/gonum/spatial/r3"
)

// topology tells where the grid's blocks and cells are on its Cur layout, and what lies beside them.
type topology struct{ g *layout.Grid }

// block is where a block stands.
type block struct {
	b     int32
	n     int
	bits  int // n is 1<<bits
	h     float64
	lo    [3]float64
	first int32
}

func (t topology) block(b int32) block {
	l := t.g.Cur.Level[b]
	return block{b, 1 << l, int(l), t.g.CellSize(l), t.g.Corner(b), t.g.Cur.First[b]}
}

// place is where cell c of the block, counted from its first, stands in it.
func (k *block) place(c int) [3]int {
	return [3]int{c & (k.n - 1), c >> k.bits & (k.n - 1), c >> (2 * k.bits)}
}

// index is the other way round.
func (k *block) index(at [3]int) int { return at[0] + k.n*(at[1]+k.n*at[2]) }

// reach is the farthest that anything of the block, and one cell around it, is from its middle.
func (k *block) reach() float64 { return float64(float64(k.n+2)/2*k.h*math.Sqrt(3)) + 1e-9 }

func (k *block) middle() r3.Vec {
	e := float64(k.h * float64(k.n) / 2)
	return r3.Vec{X: k.lo[0] + e, Y: k.lo[1] + e, Z: k.lo[2] + e}
}

// point is a place in the block, in cells from its low corner.
func (k *block) point(x r3.Vec) r3.Vec {
	return r3.Vec{X: k.lo[0] + float64(x.X*k.h), Y: k.lo[1] + float64(x.Y*k.h), Z: k.lo[2] + float64(x.Z*k.h)}
}

func (k *block) centre(x, y, z int) r3.Vec {
	return r3.Vec{X: k.lo[0] + float64((float64(x)+.5)*k.h), Y: k.lo[1] + float64((float64(y)+.5)*k.h), Z: k.lo[2] + float64((float64(z)+.5)*k.h)}
}

// key is what static solids and the domain's sides leave of a block depends on: its level and those below it on each axis.
type key struct {
	level uint8
	low   [3]uint8
	first int32
}

// keyOf is the key of a block on the Cur layout.
func (t topology) keyOf(b int32) key {
	now := key{level: t.g.Cur.Level[b], first: t.g.Cur.First[b]}
	for a := range 3 {
		now.low[a] = 255
		if nb := t.g.Neighbour[b][2*a]; nb != layout.None {
			now.low[a] = t.g.Cur.Level[nb]
		}
	}
	return now
}

// sameLevel tells whether a neighbour of a block is there and has cells of the same size.
func (t topology) sameLevel(k *block, nb int32) bool {
	return nb != layout.None && int(t.g.Cur.Level[nb]) == k.bits
}

// blockSides tells, per axis, whether the faces on a block's low side are composite, and whether its high side
// is the grid's.
type blockSides struct{ coarse, end [3]bool }

func (t topology) sidesOf(k *block) (s blockSides) {
	for a := range 3 {
		low := t.g.Neighbour[k.b][2*a]
		s.coarse[a] = low != layout.None && t.g.Cur.Level[low] < t.g.Cur.Level[k.b]
		s.end[a] = t.g.Neighbour[k.b][2*a+1] == layout.None
	}
	return s
}

// next is the cell beside a cell of a block across a side, and its edge; less than 0 beyond the grid.
func (t topology) next(k *block, side int, at [3]int) (int32, float64) {
	at[side/2] += side&1*2 - 1
	if u := at[side/2]; u < 0 || u >= k.n {
		return t.beyond(k, side, at)
	}
	return k.first + int32(k.index(at)), k.h
}

// beyond is a cell across a side of a block, at one cell outside of it, and that cell's edge.
func (t topology) beyond(k *block, side int, at [3]int) (int32, float64) {
	nb := t.g.Neighbour[k.b][side]
	if nb == layout.None {
		return layout.None, 0
	}
	axis := side / 2
	at[axis] = (at[axis] + k.n) % k.n
	switch to, from := t.g.Cur.Level[nb], t.g.Cur.Level[k.b]; {
	case to < from:
		for a := range at {
			at[a] /= 2
		}
	case to > from:
		for a := range at {
			at[a] *= 2
		}
		if side&1 == 0 {
			at[axis]++
		}
	}
	return int32(t.g.Cur.Cell(nb, at[0], at[1], at[2])), t.g.CellSize(t.g.Cur.Level[nb])
}

// area is that of the face at a slot, m².
func (t topology) area(k *block, a int, at [3]int) float64 {
	if at[a] == 0 {
		if nb := t.g.Neighbour[k.b][2*a]; nb != layout.None && t.g.Cur.Level[nb] < t.g.Cur.Level[k.b] {
			return 4 * k.h * k.h
		}
	}
	return k.h * k.h
}

// unlike is the offset to a neighbour where there is none or one of another size.
const unlike = 0

// below is the offset from a cell on a low side of the block to the one across it.
func (t topology) below(k *block, a int) int {
	return t.beside(k, 2*a, (k.n-1)<<(k.bits*a))
}

// beside is the offset to the block across a side, and shift cells on in it.
func (t topology) beside(k *block, side, shift int) int {
	nb := t.g.Neighbour[k.b][side]
	if !t.sameLevel(k, nb) {
		return unlike
	}
	return int(t.g.Cur.First[nb]-k.first) + shift
}

// side is the one or four cells on a side of a face.
type side struct {
	cells [4]int32
	n     int
}

// sides gives the cells below and above a face slot, which must be even where it is composite.
// A face without cells below (n = 0) is a wall.
func (t topology) sides(k *block, a int, at [3]int) (lo, hi side) {
	p, q := (a+1)%3, (a+2)%3
	m := &t.g.Cur
	hi = side{[4]int32{int32(m.Cell(k.b, at[0], at[1], at[2]))}, 1}
	if at[a] > 0 {
		at[a]--
		return side{[4]int32{int32(m.Cell(k.b, at[0], at[1], at[2]))}, 1}, hi
	}
	nb := t.g.Neighbour[k.b][2*a]
	if nb == layout.None {
		return side{}, hi
	}
	level, low := m.Level[k.b], m.Level[nb]
	below := at
	below[a] = 1<<low - 1
	switch {
	case low == level:
		lo = side{[4]int32{int32(m.Cell(nb, below[0], below[1], below[2]))}, 1}
	case low < level:
		below[p], below[q] = at[p]/2, at[q]/2
		lo = side{[4]int32{int32(m.Cell(nb, below[0], below[1], below[2]))}, 1}
		hi = quad(m, k.b, at, p, q)
	default:
		below[p], below[q] = 2*at[p], 2*at[q]
		lo = quad(m, nb, below, p, q)
	}
	return lo, hi
}

func quad(m *layout.Map, b int32, at [3]int, p, q int) (s side) {
	for c := range 4 {
		x := at
		x[p] += c & 1
		x[q] += c >> 1
		s.cells[c] = int32(m.Cell(b, x[0], x[1], x[2]))
	}
	s.n = 4
	return s
}

// countBeside is how many of the cells below and above a composite face on a low side of the block are in a mask of the block's cells, and
// in one of those of the block below.
func (t topology) countBeside(k *block, a int, at [3]int, own, beyond *mask) (below, above int) {
	p, q, low := (a+1)%3, (a+2)%3, int(t.g.Cur.Level[t.g.Neighbour[k.b][2*a]])
	c, first := at[p]<<(k.bits*p)+at[q]<<(k.bits*q), (1<<low-1)<<(low*a)
	if low < k.bits {
		return beyond.one(first + at[p]/2<<(low*p) + at[q]/2<<(low*q)), own.four(c, 1<<(k.bits*p), 1<<(k.bits*q))
	}
	return beyond.four(first+2*at[p]<<(low*p)+2*at[q]<<(low*q), 1<<(low*p), 1<<(low*q)), own.one(c)
}
