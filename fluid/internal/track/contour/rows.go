package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// rows are rows of the old surface's cells around a tile, bit by bit, that its samples may come from: bit pad+x is that of cell x of the tile.
type rows struct {
	lo, hi  [3]int32 // samples come from so many cells further, at least and at most
	n, wide int32    // samples along an edge, and rows along y
	near    []uint64 // within reach of the surface
	beside  []uint64 // in a cell that the surface passes or beside one
	passed  []uint64 // in a cell that the surface passes
	liquid  []uint64 // its low corner is in liquid
}

// pad is how many cells beyond a tile rows go on: 33 samples have room with two of them.
const pad = 15

// gather collects the rows for a tile whose samples come from between lo and hi of them, units. ok is false where they come from too far.
// Cells of other levels count for all of the tile's own that they overlap.
func (k *rows) gather(from *layer, t *tile, lo, hi [3]float64) (ok bool) {
	around := from.c.g.Nearby(t.base)
	// What is interpolated may round to a bit more than what it is between.
	const slack = 1e-3
	for a := range 3 {
		cell := float64(t.cell)
		l, h := math.Floor(lo[a]/cell-slack), math.Floor(hi[a]/cell+slack)
		if far := float64(min(pad, t.n)); !(l >= -far && h <= far-1) {
			return false
		}
		k.lo[a], k.hi[a] = int32(l), int32(h)
	}
	k.n = t.n + 1
	k.wide = k.n + k.hi[1] - k.lo[1]
	size := int(k.wide * (k.n + k.hi[2] - k.lo[2]))
	k.near, k.beside = arrays.Resize(k.near, size), arrays.Resize(k.beside, size)
	k.passed, k.liquid = arrays.Resize(k.passed, size), arrays.Resize(k.liquid, size)
	i := 0
	for z := k.lo[2]; z <= t.n+k.hi[2]; z++ {
		for y := k.lo[1]; y <= t.n+k.hi[1]; y++ {
			k.gatherRow(from, t, around, i, y, z)
			i++
		}
	}
	return true
}

// gatherRow collects a row. Beyond the domain's sides there is what is within them.
func (k *rows) gatherRow(l *layer, t *tile, around *[27]int32, i int, y, z int32) {
	n := t.n
	q := int32(0)
	at := [2]int32{y, z}
	for a, step := range [2]int32{3, 9} {
		v := at[a]
		part := int32(1)
		switch {
		case v < 0:
			part, v = 0, v+n
		case v >= n:
			part, v = 2, v-n
		}
		// The block beyond the side of that axis alone tells whether the domain goes on.
		if part != 1 && around[13+(part-1)*step] == layout.None {
			if part == 0 {
				v = 0
			} else {
				v = n - 1
			}
			part = 1
		}
		at[a] = v
		q += part * step
	}
	var near, beside, passed, liquid uint64
	for d := int32(0); d < 3; d++ {
		b := around[q+d]
		if b == layout.None {
			continue
		}
		m := l.rowOf(b, t, at)
		switch d {
		case 0:
			near, beside, passed, liquid = before(m[0], n), before(m[1], n), before(m[2], n), before(m[3], n)
		case 1:
			near, beside, passed, liquid = near|m[0]<<pad, beside|m[1]<<pad, passed|m[2]<<pad, liquid|m[3]<<pad
		default:
			near, beside, passed, liquid = near|m[0]<<(pad+n), beside|m[1]<<(pad+n), passed|m[2]<<(pad+n), liquid|m[3]<<(pad+n)
		}
	}
	if around[12] == layout.None {
		near, beside, passed, liquid = continuedLow(near), continuedLow(beside), continuedLow(passed), continuedLow(liquid)
	}
	if around[14] == layout.None {
		near, beside, passed, liquid = continuedHigh(near, n), continuedHigh(beside, n), continuedHigh(passed, n), continuedHigh(liquid, n)
	}
	k.near[i], k.beside[i], k.passed[i], k.liquid[i] = near, beside, passed, liquid
}

// rowOf are the bits of a row, y and z, of a base cell, near, beside, passed and liquid, as cells of a tile's level.
func (l *layer) rowOf(b int32, t *tile, at [2]int32) (m [4]uint64) {
	if l.liquid[b] {
		m[3] = 1<<t.n - 1
	}
	s := l.slot[b]
	if s == none {
		return m
	}
	o := &l.tiles[s]
	active, finer := int(s) < l.active, int(o.level)-int(t.level)
	y, z, rows := at[0]<<max(0, finer)>>max(0, -finer), at[1]<<max(0, finer)>>max(0, -finer), int32(1)<<max(0, finer)
	if active {
		m[3] = sampled(l.sign[o.rows+y+(o.n+1)*z]&(1<<o.n-1), finer)
	}
	for v := z; v < z+rows; v++ {
		for u := y; u < y+rows; u++ {
			row := o.cellRows + u + o.n*v
			m[0] |= l.nearby[row]
			m[1] |= l.beside[row]
			if active {
				m[2] |= l.cells[row]
			}
		}
	}
	for k := range 3 {
		m[k] = resized(m[k], finer)
	}
	return m
}

// sampled is a row of bits for cells that are so many levels coarser than its own, each with that of the first one there.
func sampled(m uint64, coarser int) uint64 {
	if coarser <= 0 {
		return resized(m, coarser)
	}
	r := uint64(0)
	for x := 0; x < 64>>coarser; x++ {
		r |= m >> (x << coarser) & 1 << x
	}
	return r
}

// before are the last of n bits, so that they end before bit pad.
func before(m uint64, n int32) uint64 {
	if n < pad {
		return m << (pad - n)
	}
	return m >> (n - pad)
}

// continuedLow has the bits before pad be like that.
func continuedLow(m uint64) uint64 {
	if m>>pad&1 != 0 {
		return m | (1<<pad - 1)
	}
	return m
}

// continuedHigh has those after n bits from pad on be like the last of these.
func continuedHigh(m uint64, n int32) uint64 {
	if m>>(pad+n-1)&1 != 0 {
		return m | ^uint64(0)<<(pad+n)
	}
	return m
}

// of tells which samples of a row may come from near the surface, from beside a cell that it passes and from within such. liquid is where those
// that do not come from near it are in liquid.
func (k *rows) of(y, z int32) (near, beside, passed, liquid uint64) {
	for dz := range k.hi[2] - k.lo[2] + 1 {
		i := y + k.wide*(z+dz)
		for dy := range k.hi[1] - k.lo[1] + 1 {
			near |= k.near[i+dy]
			beside |= k.beside[i+dy]
			passed |= k.passed[i+dy]
		}
	}
	i := y + k.wide*z
	liquid = k.liquid[i] >> (pad + k.lo[0])
	var n, b, p uint64
	for dx := k.lo[0]; dx <= k.hi[0]; dx++ {
		n |= near >> (pad + dx)
		b |= beside >> (pad + dx)
		p |= passed >> (pad + dx)
	}
	all := uint64(1)<<k.n - 1
	return n & all, b & all, p & all, liquid & all
}
