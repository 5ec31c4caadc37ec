package levelset

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Fraction writes the liquid fractions, 0 to 1, of a block's cells of Cur, and tells whether some may not be 0.
// Workers may call it side by side.
//
// dst: len = the block's cells.
//
// Each eighth of a cell is cut by the plane that φ, interpolated, has in its middle. One plane for
// the whole cell would take a sheet thinner than a cell for half a cell: it has φ = 0 on two sides. A plane further
// off than half a cell's diagonal, .87 cells, misses the cell.
func (s *Field) Fraction(worker int, b int32, dst []float32) (some bool) {
	l := s.g.Cur.Level[b]
	h := float32(s.g.CellSize(l))
	phi := s.Phi[s.g.Cur.First[b]:][:len(dst)]
	switch w := &s.work[worker]; {
	case int(b) < len(s.ClipBlocks) && s.ClipBlocks[b]:
		fractionsByCell(dst, phi, 1/h)
	case s.low[b] > h: // the surface cuts no cell; within a wall, liquid may end on one side and air on the other
		liquid := float32(0)
		for i, v := range phi {
			dst[i] = sideOf(v)
			liquid += dst[i]
		}
		return liquid > 0
	default:
		if n := w.cuts.find(dst, phi, h); n > 0 {
			s.gatherNew(w, b)
			w.cuts.edge, w.cuts.corner = 1<<l+2, &cutCorners[l]
			cutCells(&w.cuts, dst, w.tile[:], n)
		}
	}
	return true
}

// fractionsByCell is Fraction where a thin wall may stand between a cell and the next: each by its own φ.
func fractionsByCell(dst, phi []float32, perMetre float32) {
	for i, v := range phi {
		dst[i] = clamp32(.5-float32(v*perMetre), 0, 1)
	}
}

// sideOf is 1 in the liquid and 0 in the air.
func sideOf(phi float32) float32 { return float32(math.Float32bits(phi) >> 31) }

// cuts are the cells of a block that the surface may cut.
type cuts struct {
	cell   [512]uint16
	corner *[512]uint16 // by cell: see cutCorners
	edge   int32        // of the tile, cells
	h      float32      // the cells' edge, m
}

// cutCorners is, by level and cell, where the cube of 27 cells around a cell begins in a tile.
var cutCorners [layout.MaxLevel + 1][512]uint16

func init() {
	for l := range cutCorners {
		n := 1 << l
		for c := range n * n * n {
			cutCorners[l][c] = uint16(c%n + (n+2)*(c/n%n+(n+2)*(c/(n*n))))
		}
	}
}

// find lists the cells within h of the surface, and takes all for full or empty. It returns how many there are.
func (q *cuts) find(dst, phi []float32, h float32) (n int) {
	q.h = h
	limit := math.Float32bits(h)
	dst = dst[:len(phi)]
	for i, v := range phi {
		dst[i] = sideOf(v)
		q.cell[n&511] = uint16(i)
		n += int((math.Float32bits(v)&^(1<<31) - limit) >> 31)
	}
	return n
}
