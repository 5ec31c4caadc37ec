package blocks

import "github.com/meniscus3d/meniscus/fluid/internal/graph"

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
			air, wet := d.sides(&k, int(gr.Axis[f]), k.place(int(gr.Slot[f]-k.first)))
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

// RowsOf writes for each cell of a block which row of the last Fill's graph its liquid is of: its own, or if it is air that of a cell beside
// it, across an open face; less than 0 if there is none, or no liquid. fraction is what of each cell is liquid.
func (d *Discretiser) RowsOf(b int32, fraction []float32, to []int32) {
	k := d.block(b)
	copy(to, d.Row[k.first:][:len(to)])
	if d.patterns[b].rows == everyCell(k.bits) {
		return
	}
	for c, f := range fraction {
		if f > 0 && to[c] < 0 {
			to[c] = d.rowBeside(&k, k.place(c))
		}
	}
}

// rowBeside is a row beside a cell, across an open face, or less than 0.
func (d *Discretiser) rowBeside(k *block, at [3]int) int32 {
	for side := range 6 {
		if cell, _ := d.next(k, side, at); cell >= 0 && d.Row[cell] >= 0 && d.opens(k, side, at) {
			return d.Row[cell]
		}
	}
	return -1
}
