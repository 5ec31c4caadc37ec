package blocks

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// gates is what solids leave of a block, as masks: static ones and walls alone, and with bodies. still is the cells that are mostly
// in solids that never move.
type gates struct {
	fixed, now gaps
	still      mask
}

// gaps is, per axis, which faces are open at all, which so far that their velocity counts, and which wholly; and which cells are
// mostly in a solid. A face is at the cell above it.
type gaps struct {
	open, wide, whole [3]mask
	solid             mask
}

// readFixed makes the masks of what static solids and walls leave of a block.
func (d *Discretiser) readFixed(g *gaps, k *block) {
	*g = gaps{}
	for c := range k.n * k.n * k.n {
		if !mostly(d.fixedVolume[int(k.first)+c], k.h) {
			g.solid.set(c)
		}
		for a := range 3 {
			open := d.fixedOpen[a][int(k.first)+c]
			if open != 0 {
				g.open[a].set(c)
			}
			if open >= sliver {
				g.wide[a].set(c)
			}
			if open == 1 {
				g.whole[a].set(c)
			}
		}
	}
}

// cut notes how far a face that a body covers a part of is open.
func (g *gaps) cut(a, c int, open float64) {
	g.whole[a].drop(c)
	if open < sliver {
		g.wide[a].drop(c)
	}
	if open == 0 {
		g.open[a].drop(c)
	}
}

// reopen makes the faces along an axis as open as static solids and walls leave them: those that bodies may have covered a part of.
func (g *gates) reopen(a int, open, fixed []float64) {
	for i, m := range &g.fixed.open[a] {
		for m &^= g.now.whole[a][i]; m != 0; m &= m - 1 {
			c := i<<6 + bits.TrailingZeros64(m)
			open[c] = fixed[c]
		}
	}
}

// fill notes whether a cell that a body fills in part is mostly in a solid.
func (g *gaps) fill(c int, mostly bool) {
	if mostly {
		g.solid.drop(c)
	} else {
		g.solid.set(c)
	}
}

// mostly tells whether a volume, m³, is at least half of a cell's of edge h.
func mostly(volume float32, h float64) bool { return float64(volume) >= .5*h*h*h }

// alike tells whether a neighbour of a block is there and has cells of the same size.
func (d *Discretiser) alike(k *block, nb int32) bool {
	return nb != grid.None && int(d.g.Cur.Level[nb]) == k.bits
}
