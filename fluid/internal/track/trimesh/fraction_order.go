package trimesh

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// cellOrder sorts pieces by their cells: those of a cell keep their order, so that sums are always taken in the same one.
type cellOrder struct{ sorted, other []orderedPiece }

// orderedPiece is a piece with its cell's number in the box of all cells that have one.
type orderedPiece struct {
	key   uint64
	piece int32
}

// digit is how many bits of a key a pass sorts by.
const digit = 8

// of returns the order, by layers along Z, rows along Y, and X.
//
// Source: Knuth, The Art of Computer Programming 3, section 5.2.5: radix sort, the least digit first.
func (o *cellOrder) of(pieces []cellPiece) []orderedPiece {
	o.sorted, o.other = arrays.Resize(o.sorted, len(pieces)), arrays.Resize(o.other, len(pieces))
	const mask = 1<<cellBits - 1
	low, high := [3]uint64{mask, mask, mask}, [3]uint64{}
	for i := range pieces {
		for a := range low {
			x := pieces[i].key >> (cellBits * a) & mask
			low[a], high[a] = min(low[a], x), max(high[a], x)
		}
	}
	var shift [4]int
	for a := range low {
		shift[a+1] = shift[a] + bits.Len64(max(high[a], low[a])-low[a])
	}
	for i := range pieces {
		key := uint64(0)
		for a := range low {
			key |= (pieces[i].key>>(cellBits*a)&mask - low[a]) << shift[a]
		}
		o.sorted[i] = orderedPiece{key, int32(i)}
	}
	for at := 0; at < shift[3]; at += digit {
		o.pass(at)
	}
	return o.sorted
}

// pass sorts by the digit that begins at a bit.
func (o *cellOrder) pass(at int) {
	var first [1 << digit]int32
	for _, p := range o.sorted {
		first[p.key>>at&(1<<digit-1)]++
	}
	n := int32(0)
	for d, count := range first {
		first[d] = n
		n += count
	}
	for _, p := range o.sorted {
		d := p.key >> at & (1<<digit - 1)
		o.other[first[d]] = p
		first[d]++
	}
	o.sorted, o.other = o.other, o.sorted
}
