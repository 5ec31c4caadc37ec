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
