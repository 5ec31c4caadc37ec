package cutting

import "math/bits"

// A void is a cell of air that liquid encloses. Its pressure is that of the air at any depth, so that the liquid around it accelerates
// into it. The void then moves on to the next cell instead of closing, along floors and walls for minutes, and drives a flow in the whole
// tank. The grid does not resolve voids: they become liquid. Larger air that liquid encloses is a bubble.

// fillVoids adds a block's voids to its liquid cells.
func (n *rowNumbering) fillVoids(k *block, p *pattern) {
	d := n.d
	air := everyCell(k.bits)
	solid := &d.masks[k.b].now.solid
	outlet := d.domain.outlet(k)
	for i := range air {
		air[i] &^= p.liquid[i] | solid[i] | outlet[i]
	}
	var beside mask
	for a := range 3 {
		low, high := air.above(k.bits, a), air.below(k.bits, a)
		beside.or(&low)
		beside.or(&high)
	}
	p.voids = mask{}
	for i, m := range &air {
		for m &^= beside[i]; m != 0; m &= m - 1 {
			if c := i<<6 + bits.TrailingZeros64(m); n.isEnclosed(k, k.place(c)) {
				p.voids.set(c)
			}
		}
	}
	p.liquid.or(&p.voids)
}

// isEnclosed tells whether a cell of air has liquid across all its open faces, and any, two cells thick. A cavity right under
// the surface closes by itself; filled at once it would cause a jet.
func (n *rowNumbering) isEnclosed(k *block, at [3]int) (wet bool) {
	d := n.d
	for side := range 6 {
		if !d.opens(k, side, at) {
			continue
		}
		cell, h := d.next(k, side, at)
		if cell < 0 || d.phi[cell] >= 0 || n.airBeyond(k, side, at, h) {
			return false
		}
		wet = true
	}
	return wet
}

// setVoidPhi makes φ negative in the voids.
func (n *rowNumbering) setVoidPhi() {
	d := n.d
	for b := range d.patterns {
		voids := &d.patterns[b].voids
		if *voids == (mask{}) {
			continue
		}
		k := d.block(int32(b))
		for i, m := range voids {
			for ; m != 0; m &= m - 1 {
				d.phi[int(k.first)+i<<6+bits.TrailingZeros64(m)] = float32(-k.h / 2)
			}
		}
	}
}

// airBeyond tells whether the cell after the next, of edge h, on a side is air.
func (n *rowNumbering) airBeyond(k *block, side int, at [3]int, h float64) bool {
	d := n.d
	if h != k.h {
		return false
	}
	to := *k
	at[side/2] += side&1*2 - 1
	if u := at[side/2]; u < 0 || u >= k.n {
		to = d.block(d.g.Neighbour[k.b][side])
		at[side/2] = (u + k.n) % k.n
	}
	if !d.opens(&to, side, at) {
		return false
	}
	cell, _ := d.next(&to, side, at)
	return cell >= 0 && d.phi[cell] >= 0
}
