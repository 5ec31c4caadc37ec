package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// gaps is how far the surface in each block is from the block's sides, for sizing.Input: how deep the blocks beside it lie.
// Distances would not tell: φ is known to a few cells of a block's own level only, so that what they say depends on the level.
type gaps struct {
	m  *Cells
	of [][6]uint8 // finest cells, 1 to 8
}

// measure measures the blocks of the settled layout.
func (g *gaps) measure() { par.Each(g.m.Pool, len(g.of), 16, g, (*gaps).measureBlock) }

// noGaps are those of a block without a surface.
var noGaps = [6]uint8{layout.Edge, layout.Edge, layout.Edge, layout.Edge, layout.Edge, layout.Edge}

func (g *gaps) measureBlock(_ int, b int32) {
	level := g.m.Grid.Cur.Level[b]
	half := float32(g.m.Grid.CellSize(level) / 2)
	g.of[b] = noGaps
	if level > 0 && g.m.Set.Nearest(b) <= half {
		g.of[b] = gapsOf(g.m.Set.Phi[g.m.Grid.Cur.First[b]:][:1<<(3*level)], int(level), half)
	}
}

// gapsOf finds the outermost cells, along each axis, whose centres are within half a cell, m, of the surface. φ is that of a block with 2^bits cells on an edge.
func gapsOf(phi []float32, bits int, half float32) [6]uint8 {
	last := 1<<bits - 1
	lo, hi := [3]int{last, last, last}, [3]int{}
	for c, p := range phi {
		if p > half || p < -half {
			continue
		}
		for a := range 3 {
			at := c >> (a * bits) & last
			lo[a], hi[a] = min(lo[a], at), max(hi[a], at)
		}
	}
	var g [6]uint8
	for a := range 3 {
		g[2*a], g[2*a+1] = uint8((lo[a]+1)<<(layout.MaxLevel-bits)), uint8((last-hi[a]+1)<<(layout.MaxLevel-bits))
	}
	return g
}
