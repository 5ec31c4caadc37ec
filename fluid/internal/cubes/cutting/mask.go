package cutting

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// mask is a bit for each cell of a block, in their order: of 8³ cells each word is a plane.
type mask [8]uint64

// way is where the cells beside a cell are along an axis, in cells. low is those of a word on the block's low side.
type way struct {
	stride, back uint // to the next cell, and to the one on the other side of the block
	low          uint64
}

// waysOf is per level and axis; the third axis of a block of 8³ cells leads from word to word instead.
var waysOf = [4][3]way{
	{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
	{{1, 1, 0x55}, {2, 2, 0x33}, {4, 4, 0x0f}},
	{{1, 3, 0x1111111111111111}, {4, 12, 0x000f000f000f000f}, {16, 48, 0xffff}},
	{{1, 7, 0x0101010101010101}, {8, 56, 0xff}, {0, 0, 0}},
}

// across tells whether an axis leads from word to word.
func across(level, axis int) bool { return level == 3 && axis == 2 }

// words is how many words of a mask a block of a level has.
func words(level int) int { return 1 << max(0, 3*level-6) }

// above has the cells whose neighbour below along an axis is in m, within the block.
func (m *mask) above(level, axis int) (to mask) {
	if across(level, axis) {
		copy(to[1:], m[:7])
		return to
	}
	w := &waysOf[level][axis]
	for i := range words(level) {
		to[i] = m[i] << w.stride &^ w.low
	}
	return to
}

// below has the cells whose neighbour above along an axis is in m, within the block.
func (m *mask) below(level, axis int) (to mask) {
	if across(level, axis) {
		copy(to[:], m[1:])
		return to
	}
	w := &waysOf[level][axis]
	for i := range words(level) {
		to[i] = (m[i] &^ w.low) >> w.stride
	}
	return to
}

// besides has, per side, the cells whose neighbour there is in m, within the block.
func (m *mask) besides(level int) (to [6]mask) {
	for a := range 3 {
		to[2*a], to[2*a+1] = m.above(level, a), m.below(level, a)
	}
	return to
}

// beyond has the cells on the low side of a block whose neighbour across it, in a block of the same level, is in m.
func (m *mask) beyond(level, axis int) (to mask) {
	if across(level, axis) {
		to[0] = m[7]
		return to
	}
	w := &waysOf[level][axis]
	for i := range words(level) {
		to[i] = m[i] >> w.back & w.low
	}
	return to
}

// beneath has the cells on the high side of a block whose neighbour across it, in a block of the same level, is in m.
func (m *mask) beneath(level, axis int) (to mask) {
	if across(level, axis) {
		to[7] = m[0]
		return to
	}
	w := &waysOf[level][axis]
	for i := range words(level) {
		to[i] = m[i] & w.low << w.back
	}
	return to
}

// lowSide has, per level and axis, the cells on the low side of a block, evenSide every other of every other row of them.
var lowSide, evenSide = func() (low, even [4][3]mask) {
	for level := range low {
		for c := range 1 << (3 * level) {
			at := [3]int{c & (1<<level - 1), c >> level & (1<<level - 1), c >> (2 * level)}
			for a := range 3 {
				if at[a] == 0 {
					low[level][a].set(c)
					if (at[0]|at[1]|at[2])&1 == 0 {
						even[level][a].set(c)
					}
				}
			}
		}
	}
	return low, even
}()

// cellsAt has the cells of a block at a side: -x, +x, -y, ...
func cellsAt(level, side int) mask {
	at := lowSide[level][side/2]
	if side&1 == 1 {
		at = at.beneath(level, side/2)
	}
	return at
}

// everyCell has all cells of a block.
func everyCell(level int) (m mask) {
	for i := range words(level) {
		m[i] = math.MaxUint64 >> (64 - min(64, 1<<(3*level)))
	}
	return m
}

func (m *mask) has(c int) bool { return m.one(c) != 0 }
func (m *mask) one(c int) int  { return int(m[c>>6&7] >> (c & 63) & 1) }

// four is how many of four cells in a square, steps p and q apart, it has.
func (m *mask) four(c, p, q int) int { return m.one(c) + m.one(c+p) + m.one(c+q) + m.one(c+p+q) }

func (m *mask) set(c int)  { m[c>>6] |= 1 << (c & 63) }
func (m *mask) drop(c int) { m[c>>6] &^= 1 << (c & 63) }

// or adds what another mask has.
func (m *mask) or(o *mask) {
	for i, w := range o {
		m[i] |= w
	}
}

// and has what both masks have.
func (m *mask) and(o *mask) (to mask) {
	for i, w := range o {
		to[i] = m[i] & w
	}
	return to
}

func (m *mask) count() (n int32) {
	for _, w := range m {
		n += int32(bits.OnesCount64(w))
	}
	return n
}

// spread8 is eight bits as the lowest of eight bytes each.
var spread8 = func() (t [256]uint64) {
	for i := range t {
		for b := range 8 {
			t[i] |= uint64(i>>b&1) << (8 * b)
		}
	}
	return t
}()

// paint writes one in the bytes of the cells of a block that ones has, two where twos has them, and 0 elsewhere.
func paint(dst []uint8, ones, twos *mask) {
	if len(dst) == 1 {
		dst[0] = uint8(ones[0] + 2*twos[0])
		return
	}
	for i := 0; i < len(dst); i += 8 {
		w, shift := i>>6, i&63
		a, b := uint8(ones[w]>>shift), uint8(twos[w]>>shift)
		binary.LittleEndian.PutUint64(dst[i:], spread8[a]|spread8[b]<<1)
	}
}
