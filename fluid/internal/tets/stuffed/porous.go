package stuffed

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// Spread gives the rows of the last Fill's graph a body's coupling to vertices of the lattice: what a vertex has, the tetrahedra around it share evenly. It is
// for bodies too thin to cut the mesh, which the lattice treats as porous.
//
// gr: the graph. from: Row is of another graph, whose rows have these vertices, of so many that the lattice has.
func (d *Discretiser) Spread(gr *graph.Graph, lattice int, to, from *graph.BodyCoupling, vertices []int32) {
	d.mark, d.around = arrays.Lengthen(d.mark, lattice), arrays.Lengthen(d.around, lattice)
	for e, r := range from.Row {
		d.mark[vertices[r]], d.around[vertices[r]] = int32(e+1), 0
	}
	d.eachMarked(gr, func(_, v int32) { d.around[v]++ })
	to.Row, to.K = to.Row[:0], to.K[:0]
	d.eachMarked(gr, func(r, v int32) {
		last := len(to.Row) - 1
		if last < 0 || to.Row[last] != r {
			to.Row, to.K = append(to.Row, r), append(to.K, [6]float64{})
			last++
		}
		for i, k := range from.K[d.mark[v]-1] {
			to.K[last][i] += k / float64(d.around[v])
		}
	})
	for _, r := range from.Row {
		d.mark[vertices[r]] = 0
	}
	to.Still, to.More, to.Less, to.Steps = from.Still, from.More, from.Less, from.Steps
}

// eachMarked calls visit for each row with each of its corners that is a marked vertex of the lattice.
func (d *Discretiser) eachMarked(gr *graph.Graph, visit func(r, v int32)) {
	m := d.Mesh
	for r, t := range gr.Cell {
		for _, p := range m.Corners[t] {
			if v := m.Origin[p]; v >= 0 && d.mark[v] > 0 {
				visit(int32(r), v)
			}
		}
	}
}
