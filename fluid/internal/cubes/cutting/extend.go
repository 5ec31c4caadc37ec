package cutting

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Extend gives phi in cells that are mostly solid the mean of the values that follow from the cells beside them that are
// not, two layers deep, so that cells that a moving body uncovers are what lies around them. The value that follows from a cell above or
// below assumes a level surface: a still one stays level at any wall. Beyond the domain's open sides cells stay as they are.
func (d *Discretiser) Extend(phi []float32) {
	d.phi = phi
	par.Each(d.pool, d.g.Bases(), 2, &d.extension, (*extension).extendBlock)
	d.phi = nil
}

// extension writes φ in solids.
type extension struct{ d *Discretiser }

// extendBlock is Extend for a block. It reads no cell of another block that Extend writes, so that blocks may run in parallel.
func (e *extension) extendBlock(_ int, b int32) {
	d := e.d
	solid := d.masks[b].now.solid
	if d.untouched(b) || solid == (mask{}) {
		return
	}
	k := d.block(b)
	source := everyCell(k.bits)
	outlet := d.domain.outlet(&k)
	for i := range solid {
		source[i] &^= solid[i]
		solid[i] &^= outlet[i]
	}
	var from beside
	from.across = e.solidSides(&k, &solid)
	for range 2 {
		found := mask{}
		from.within = source.besides(k.bits)
		for i, m := range &solid {
			for m &= from.any(i) &^ source[i]; m != 0; m &= m - 1 {
				c := i<<6 + bits.TrailingZeros64(m)
				if mean, ok := e.around(&k, c, &from); ok {
					d.phi[int(k.first)+c] = mean
					found.set(c)
				}
			}
		}
		source.or(&found)
	}
}

// beside tells, per side, which cells of a block have one beside them there that they may follow: in the block, and across a side of it.
type beside struct{ within, across [6]mask }

// any has the i-th word of the cells with one on any side.
func (s *beside) any(i int) (m uint64) {
	for side := range 6 {
		m |= s.within[side][i] | s.across[side][i]
	}
	return m
}

// solidSides has, per side of a block, those of its cells that are solid with one that is mostly open across it.
func (e *extension) solidSides(k *block, solid *mask) (rims [6]mask) {
	d := e.d
	for side := range rims {
		nb, a := d.g.Neighbour[k.b][side], side/2
		if nb == layout.None {
			continue
		}
		at := cellsAt(k.bits, side)
		var closed mask
		if d.sameLevel(k, nb) && side&1 == 0 {
			closed = d.masks[nb].now.solid.beyond(k.bits, a)
		} else if d.sameLevel(k, nb) {
			closed = d.masks[nb].now.solid.beneath(k.bits, a)
		} else {
			closed = e.closedBeyond(k, side, at.and(solid))
		}
		for i, m := range &at {
			rims[side][i] = m & solid[i] &^ closed[i]
		}
	}
	return rims
}

// closedBeyond has those of the given cells at a side of a block across which the cell, of another size, is mostly solid.
func (e *extension) closedBeyond(k *block, side int, at mask) (closed mask) {
	d := e.d
	for i, m := range &at {
		for ; m != 0; m &= m - 1 {
			c := i<<6 + bits.TrailingZeros64(m)
			if cell, h := d.next(k, side, k.place(c)); !mostly(d.Volume[cell], h) {
				closed.set(c)
			}
		}
	}
	return closed
}

// around is the mean of the values that follow from the cells beside cell c; false if there are none.
func (e *extension) around(k *block, c int, from *beside) (mean float32, ok bool) {
	d := e.d
	sum, count := float32(0), float32(0)
	parted := d.Volume[int(k.first)+c] > 0 // a thin wall may stand between
	for side := range 6 {
		a, up := side/2, side&1*2-1
		way := float32(k.h)
		var cell int32
		if from.within[side].has(c) {
			i := c + up<<(k.bits*a)
			if parted && !d.masks[k.b].now.open[a].has(max(c, i)) {
				continue
			}
			cell = k.first + int32(i)
		} else if from.across[side].has(c) {
			at := k.place(c)
			if parted && !d.opens(k, side, at) {
				continue
			}
			var h float64
			cell, h = d.next(k, side, at)
			way = float32(k.h+h) / 2
		} else {
			continue
		}
		rise := float32(d.Up[a]) * float32(up) // of the cell there, per metre
		v := d.phi[cell] - float32(rise*way)
		if parted && (v < 0) != (d.phi[cell] < 0) && e.besideWall(k, side, k.place(c)) {
			v = d.phi[cell] // what is near to it is across a wall
		}
		sum, count = sum+v, count+1
	}
	return sum / count, count > 0
}

// besideWall tells whether the cell beside a cell of a block across a side is near to the surface only across a thin wall: shut faces
// lead to what is on the other side of the surface, and no open one does. Cells that are mostly solid, which Extend writes, are not read.
func (e *extension) besideWall(k *block, side int, at [3]int) bool {
	d := e.d
	of, a := *k, side/2
	at[a] += side&1*2 - 1
	if at[a] < 0 || at[a] >= k.n {
		nb := d.g.Neighbour[k.b][side]
		if !d.sameLevel(k, nb) {
			return false // it isn't known
		}
		of, at[a] = d.block(nb), (at[a]+k.n)%k.n
	}
	wet, across := d.phi[int(of.first)+of.index(at)] < 0, false
	for s := range 6 {
		if cell, h := d.next(&of, s, at); cell >= 0 && mostly(d.Volume[cell], h) && (d.phi[cell] < 0) != wet {
			if d.opens(&of, s, at) {
				return false
			}
			across = true
		}
	}
	return across
}

// opens tells whether liquid can pass a side of a cell.
func (d *Discretiser) opens(k *block, side int, at [3]int) bool {
	at[side/2] += side & 1
	slot := d.g.FaceCell(k.b, side/2, at)
	return slot >= 0 && d.Open[side/2][slot] > 0
}
