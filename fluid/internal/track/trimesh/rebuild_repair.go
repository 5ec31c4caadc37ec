package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// Repair cuts out where a label's surface meets itself, and fills it up again: inside is where the surface winds around a place more than zero times. So parts that overlap are joined, and what is turned
// inside out vanishes, with the surface between parts that are inside alike. Pairs of triangles of which one has another label are left as they are. Surfaces of a negative label are
// joined as well. If there is an error, the mesh is as it was.
func (r *Rebuilder) Repair(m *Mesh, l Lattice, label int32) (RebuildReport, error) {
	r.pairs = m.Intersections(r.pairs[:0])
	return r.repairPairs(m, l, label)
}

// repairPairs is Repair where the pairs that meet are known.
func (r *Rebuilder) repairPairs(m *Mesh, l Lattice, label int32) (RebuildReport, error) {
	r.mode = fromRepair
	if err := r.begin(m, l, label); err != nil {
		return RebuildReport{}, err
	}
	for _, pair := range r.pairs {
		for _, t := range pair {
			a, b, c := m.Corners(t)
			r.near = append(r.near, a, b, c)
		}
	}
	return r.run(r.markPairs)
}

// markPairs marks the cells where triangles meet.
func (r *Rebuilder) markPairs() error {
	r.marked = r.marked[:0]
	r.origins.clear() // what is marked
	for _, pair := range r.pairs {
		if r.mesh.Label[pair[0]] != r.label || r.mesh.Label[pair[1]] != r.label {
			continue
		}
		low, high := r.cellsOf(pair[0])
		low2, high2 := r.cellsOf(pair[1])
		for axis := range 3 {
			low[axis], high[axis] = max(low[axis], low2[axis]), min(high[axis], high2[axis])
		}
		if float64(high[0]-low[0]+1)*float64(high[1]-low[1]+1)*float64(high[2]-low[2]+1) > mostCells {
			return errTooLarge
		}
		for k := low[2]; k <= high[2]; k++ {
			for j := low[1]; j <= high[1]; j++ {
				for i := low[0]; i <= high[0]; i++ {
					cell := [3]int32{i, j, k}
					if _, fresh := r.origins.add(latticeKey(0, cell), 0); fresh {
						r.marked = append(r.marked, cell)
					}
				}
			}
		}
	}
	return nil
}

// cellsOf are the lowest and the highest indices of the cells in a triangle's box.
func (r *Rebuilder) cellsOf(t int32) (low, high [3]int32) {
	a, b, c := r.mesh.Corners(t)
	box := boxes.Around([]r3.Vec{a, b, c})
	return r.lattice.cell(&box.Min), r.lattice.cell(&box.Max)
}
