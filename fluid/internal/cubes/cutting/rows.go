package cutting

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// rowNumbering finds the cells that are rows and numbers them.
type rowNumbering struct{ d *Discretiser }

// number marks a block's liquid cells with 0 in Row, others with -1, and counts them.
func (n *rowNumbering) number(_ int, b int32) {
	d := n.d
	k := d.block(b)
	p := &d.patterns[b]
	less(d.phi[k.first:][:k.n*k.n*k.n], 0, &p.liquid)
	n.fillVoids(&k, p)
	rows := p.liquid
	switch {
	case d.Asleep[b]:
		rows = mask{}
	case !d.untouched(b):
		n.dropEnclosed(&k, &rows)
	}
	d.counts[b].rows = rows.count()
	if p.first == k.first && p.rows == rows {
		return
	}
	p.rows = rows
	row := d.Row[k.first:][:k.n*k.n*k.n]
	for c := range row {
		row[c] = int32(rows[c>>6]>>(c&63)&1) - 1
	}
}

// dropEnclosed takes the cells out of a block's rows that have no open face.
func (n *rowNumbering) dropEnclosed(k *block, rows *mask) {
	d := n.d
	var opened mask
	for a := range 3 {
		open := &d.masks[k.b].now.open[a]
		opened.or(open)
		m := open.below(k.bits, a)
		opened.or(&m)
		if nb := d.g.Neighbour[k.b][2*a+1]; d.sameLevel(k, nb) {
			m = d.masks[nb].now.open[a].beneath(k.bits, a)
			opened.or(&m)
		}
	}
	for side := range 6 {
		if nb := d.g.Neighbour[k.b][side]; nb != layout.None && !d.sameLevel(k, nb) {
			n.lookBeyond(k, side, rows, &opened)
		}
	}
	for i, m := range &opened {
		rows[i] &= m
	}
}

// lookBeyond adds the rows to opened that have an open face on a side of the block where cells of another size lie.
func (n *rowNumbering) lookBeyond(k *block, side int, rows, opened *mask) {
	at := cellsAt(k.bits, side)
	for i, m := range rows {
		for m &= at[i] &^ opened[i]; m != 0; m &= m - 1 {
			if c := i<<6 + bits.TrailingZeros64(m); n.d.opens(k, side, k.place(c)) {
				opened.set(c)
			}
		}
	}
}

// enclosed is the rows that faces of the block lead from to rows on all six sides.
func (p *pattern) enclosed(level int) mask {
	m := p.rows
	for a := range 3 {
		above := p.links[a].below(level, a)
		for i := range words(level) {
			m[i] &= p.links[a][i] & above[i]
		}
	}
	return m
}

// place numbers a block's rows from its place in the list on. Those that will not get a face on every side have none yet.
func (n *rowNumbering) place(_ int, b int32) {
	d := n.d
	gr, r := d.gr, d.counts[b].wet
	if d.dry(b) {
		return
	}
	k := d.block(b)
	var centre [3][layout.Edge]float64
	for i := range k.n {
		x := k.centre(i, i, i)
		centre[0][i], centre[1][i], centre[2][i] = x.X, x.Y, x.Z
	}
	row, volume := d.Row[k.first:][:k.n*k.n*k.n], d.Volume[k.first:][:k.n*k.n*k.n]
	p := &d.patterns[b]
	enclosed := p.enclosed(k.bits)
	for i, w := range p.rows {
		for ; w != 0; w &= w - 1 {
			c := i<<6 + bits.TrailingZeros64(w)
			row[c] = r
			at := k.place(c)
			gr.Cell[r], gr.Size[r], gr.Volume[r] = k.first+int32(c), float32(k.h), volume[c]
			gr.Centre[r] = [3]float64{centre[0][at[0]&7], centre[1][at[1]&7], centre[2][at[2]&7]}
			gr.Cubes.Red[r] = (at[0]+at[1]+at[2])&1 != 0
			if !enclosed.has(c) {
				gr.Cubes.Sides[r] = [6]int32{-1, -1, -1, -1, -1, -1}
			}
			r++
		}
	}
}

// dry tells whether a block has no rows.
func (d *Discretiser) dry(b int32) bool { return d.counts[b+1].wet == d.counts[b].wet }
