package cutting

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// AirBeside calls visit for every cell of air across an open face from a row of the last Fill's
// graph, with the row: once a face.
func (d *Discretiser) AirBeside(gr *graph.Graph, visit func(row, cell int32)) {
	for b := range int32(d.g.Bases()) {
		from, to := gr.Parts[b].Face, gr.Parts[b+1].Face
		if from == to {
			continue
		}
		k := d.block(b)
		for f := from; f < to; f++ {
			if gr.A[f] != graph.Air && gr.B[f] != graph.Air {
				continue
			}
			air, wet := d.sides(&k, int(gr.Cubes.Axis[f]), k.place(int(gr.Slot[f]-k.first)))
			if gr.B[f] == graph.Air {
				air, wet = wet, air
			}
			row := int32(-1)
			for _, c := range wet.cells[:wet.n] {
				row = max(row, d.Row[c])
			}
			for _, c := range air.cells[:air.n] {
				visit(row, c)
			}
		}
	}
}

// SurfaceCell is a cell that is no row but holds some liquid, and a row beside it, across an open face.
type SurfaceCell struct{ Cell, Row int32 }

// SurfaceCells are those of a block. The rest is scratch.
type SurfaceCells struct {
	List        []SurfaceCell
	none, solid mask
}

// MakeSurfaceCells makes room for those of a block.
func MakeSurfaceCells() SurfaceCells {
	return SurfaceCells{List: make([]SurfaceCell, 0, layout.Edge*layout.Edge*layout.Edge)}
}

// FindSurfaceCells lists a block's cells of air that hold liquid, but for those without a row of the last Fill's graph beside them. fraction is
// what of each cell is liquid.
func (d *Discretiser) FindSurfaceCells(s *SurfaceCells, b int32, fraction []float32) {
	p, k := &d.patterns[b], d.block(b)
	left := everyCell(k.bits)
	s.List = s.List[:0]
	if d.Asleep[b] || p.rows == left {
		return
	}
	less(fraction, math.SmallestNonzeroFloat32, &s.none)
	less(d.Volume[k.first:][:len(fraction)], math.SmallestNonzeroFloat32, &s.solid)
	any := false
	for i := range left {
		left[i] &^= s.none[i] | s.solid[i] | p.rows[i]
		any = any || left[i] != 0
	}
	if !any {
		return
	}
	first := d.Down()
	for n := range 6 {
		side := (first + n) % 6
		at, step := d.rowsAcross(&k, side)
		ends := cellsAt(k.bits, side)
		for i := range left {
			for m := left[i] & at[i]; m != 0; m &= m - 1 {
				c := k.first + int32(i<<6+bits.TrailingZeros64(m))
				s.List = append(s.List, SurfaceCell{c, d.Row[c+step]})
			}
			left[i] &^= at[i]
			for m := left[i] & ends[i]; m != 0; m &= m - 1 {
				c := i<<6 + bits.TrailingZeros64(m)
				if row := d.rowBeyond(&k, side, c); row >= 0 {
					s.List = append(s.List, SurfaceCell{k.first + int32(c), row})
					left.drop(c)
				}
			}
		}
	}
}

// Down is the side, -x, +x, -y, ..., of a block that most nearly faces down.
func (d *Discretiser) Down() (side int) {
	for a, up := range d.Up {
		if math.Abs(up) > math.Abs(d.Up[side/2]) {
			side = 2 * a
		}
	}
	if d.Up[side/2] < 0 {
		side++
	}
	return side
}

// rowsAcross has the cells of a block that have a row of the block beyond an open face on a side, step cells on.
func (d *Discretiser) rowsAcross(k *block, side int) (at mask, step int32) {
	a, rows := side/2, &d.patterns[k.b].rows
	open := &d.masks[k.b].now.open[a]
	step = 1 << (k.bits * a)
	if side&1 == 0 {
		at = rows.above(k.bits, a)
		return at.and(open), -step
	}
	m := rows.and(open)
	return m.below(k.bits, a), step
}

// rowBeyond is the row, or one of them, beyond an open face on a side of the block, or less than 0.
func (d *Discretiser) rowBeyond(k *block, side, c int) int32 {
	at := k.place(c)
	if cell, _ := d.next(k, side, at); cell >= 0 && d.Row[cell] >= 0 && d.opens(k, side, at) {
		return d.Row[cell]
	}
	return -1
}

// Add lists a cell with a row beside it.
func (s *SurfaceCells) Add(cell, row int32) { s.List = append(s.List, SurfaceCell{cell, row}) }
