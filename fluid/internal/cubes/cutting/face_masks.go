package cutting

import (
	"math/bits"
)

// faceMasks are the masks of what solids leave open of a block: fixed with static ones and walls alone, now with bodies too. static has the
// cells that are mostly in solids that never move.
type faceMasks struct {
	fixed, now openMasks
	static     mask
}

// openMasks tell, per axis, which faces are open at all, which so far that their velocity counts, and which wholly; and which cells are
// mostly in a solid. A face is at the cell above it.
type openMasks struct {
	open, wide, whole [3]mask
	solid             mask
}

// readMasks makes the masks of what static solids and walls leave of a block.
func (st *staticSolids) readMasks(g *openMasks, k *block) {
	*g = openMasks{}
	for c := range k.n * k.n * k.n {
		if !mostly(st.volume[int(k.first)+c], k.h) {
			g.solid.set(c)
		}
		for a := range 3 {
			open := st.open[a][int(k.first)+c]
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

// coverFace notes how far a face that a body covers a part of is open.
func (g *openMasks) coverFace(a, c int, open float64) {
	g.whole[a].drop(c)
	if open < sliver {
		g.wide[a].drop(c)
	}
	if open == 0 {
		g.open[a].drop(c)
	}
}

// reopen makes the faces along an axis as open as static solids and walls leave them: those that bodies may have covered a part of.
func (g *faceMasks) reopen(a int, open, fixed []float64) {
	for i, m := range &g.fixed.open[a] {
		for m &^= g.now.whole[a][i]; m != 0; m &= m - 1 {
			c := i<<6 + bits.TrailingZeros64(m)
			open[c] = fixed[c]
		}
	}
}

// setSolid notes whether a cell that a body fills in part is mostly in a solid.
func (g *openMasks) setSolid(c int, mostly bool) {
	if mostly {
		g.solid.drop(c)
	} else {
		g.solid.set(c)
	}
}

// mostly tells whether a volume, m³, is at least half of a cell's of edge h.
func mostly(volume float32, h float64) bool { return float64(volume) >= .5*h*h*h }
