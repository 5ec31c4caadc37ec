package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
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

// gather collects the rows for a tile whose samples come from between lo and hi of them, units. ok is false where they come from too far or the tiles
// there are not of the tile's level: then they are not known.
func (k *rows) gather(from *layer, t *tile, lo, hi [3]float64) (ok bool) {
	around, ok := from.alike(t)
	if !ok {
		return false
	}
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
			k.gatherRow(from, t, &around, i, y, z)
			i++
		}
	}
	return true
}

// alike are the base cells around a tile, its own beyond the domain's sides; ok tells that they are of its level.
func (l *layer) alike(t *tile) (around [27]int32, ok bool) {
	around = *l.c.g.Nearby(t.base)
	for _, b := range around {
		if b == grid.None {
			continue
		}
		if l.level[b] != t.level {
			return around, false
		}
		if s := l.slot[b]; s != none && l.tiles[s].mixed {
			return around, false
		}
	}
	return around, true
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
		if part != 1 && around[13+(part-1)*step] == grid.None {
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
	full := uint64(1)<<n - 1
	for d := int32(0); d < 3; d++ {
		b := around[q+d]
		if b == grid.None {
			continue
		}
		var m [4]uint64
		if l.liquid[b] {
			m[3] = full
		}
		if s := l.slot[b]; s != none {
			o := &l.tiles[s]
			row := o.cellRows + at[0] + n*at[1]
			m[0], m[1] = l.nearby[row], l.beside[row]
			if int(s) < l.active {
				m[2], m[3] = l.cells[row], l.sign[o.rows+at[0]+(n+1)*at[1]]&full
			}
		}
		switch d {
		case 0:
			near, beside, passed, liquid = before(m[0], n), before(m[1], n), before(m[2], n), before(m[3], n)
		case 1:
			near, beside, passed, liquid = near|m[0]<<pad, beside|m[1]<<pad, passed|m[2]<<pad, liquid|m[3]<<pad
		default:
			near, beside, passed, liquid = near|m[0]<<(pad+n), beside|m[1]<<(pad+n), passed|m[2]<<(pad+n), liquid|m[3]<<(pad+n)
		}
	}
	if around[12] == grid.None {
		near, beside, passed, liquid = continuedLow(near), continuedLow(beside), continuedLow(passed), continuedLow(liquid)
	}
	if around[14] == grid.None {
		near, beside, passed, liquid = continuedHigh(near, n), continuedHigh(beside, n), continuedHigh(passed, n), continuedHigh(liquid, n)
	}
	k.near[i], k.beside[i], k.passed[i], k.liquid[i] = near, beside, passed, liquid
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
