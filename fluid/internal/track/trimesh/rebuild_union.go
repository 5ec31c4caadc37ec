package trimesh

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// Union adds a shape to the inside of a label's surface: shape gives signed distances, negative inside, in batches, and is inside of the box. What is thinner than the lattice's cells may be missed.
// If there is an error, the mesh is as it was.
func (r *Rebuilder) Union(m *Mesh, l Lattice, box r3.Box, shape func(dst []float32, at []r3.Vec), label int32) (RebuildReport, error) {
	return r.combine(fromUnion, m, l, box, shape, label)
}

// Subtract takes a shape, given as with Union, out of the inside of a label's surface.
func (r *Rebuilder) Subtract(m *Mesh, l Lattice, box r3.Box, shape func(dst []float32, at []r3.Vec), label int32) (RebuildReport, error) {
	return r.combine(fromDifference, m, l, box, shape, label)
}

func (r *Rebuilder) combine(mode rebuildMode, m *Mesh, l Lattice, box r3.Box, shape func(dst []float32, at []r3.Vec), label int32) (RebuildReport, error) {
	r.mode, r.shape = mode, shape
	if err := r.begin(m, l, label); err != nil {
		return RebuildReport{}, err
	}
	if !l.holds(&box) {
		return RebuildReport{}, fmt.Errorf("trimesh: Rebuilder: the box from %v to %v reaches over more than ±%d cells of size %v", box.Min, box.Max, mostIndex, l.H)
	}
	r.avoid(&box)
	return r.run(func() error { return r.markShape(box) })
}

// markShape marks the cells of a box in which the shape changes the surface: those with a corner in the shape that hold triangles, or that the shape's surface passes where it comes to count.
func (r *Rebuilder) markShape(box r3.Box) error {
	r.marked = r.marked[:0]
	low, high := r.lattice.cell(&box.Min), r.lattice.cell(&box.Max)
	dim := [3]int{int(high[0]-low[0]) + 1, int(high[1]-low[1]) + 1, int(high[2]-low[2]) + 1}
	if min(dim[0], dim[1], dim[2]) < 1 || float64(dim[0]+1)*float64(dim[1]+1)*float64(dim[2]+1) > mostNodes {
		return fmt.Errorf("trimesh: Rebuilder: the box from %v to %v is %v cells: no side may be less than 1, and it can have %d nodes at most", box.Min, box.Max, dim, mostNodes)
	}
	r.places = r.places[:0]
	for k := range int32(dim[2]) + 1 {
		for j := range int32(dim[1]) + 1 {
			for i := range int32(dim[0]) + 1 {
				r.places = append(r.places, r.lattice.node([3]int32{low[0] + i, low[1] + j, low[2] + k}))
			}
		}
	}
	if err := r.sampleShape(r.places); err != nil {
		return err
	}
	r.markMesh(&box, low, dim)
	n, cell := 0, 0
	row, layer := dim[0]+1, (dim[0]+1)*(dim[1]+1)
	for k := range dim[2] {
		for j := range dim[1] {
			n = k*layer + j*row
			for i := range dim[0] {
				at := [3]int32{low[0] + int32(i), low[1] + int32(j), low[2] + int32(k)}
				if in := r.cornersIn(n+i, row, layer); in > 0 && (r.hasMesh[cell] || in < 8 && (r.windingAt(at) > 0) == (r.mode == fromDifference)) {
					r.marked = append(r.marked, at)
				}
				cell++
			}
		}
	}
	return nil
}

// cornersIn is how many corners of a cell of the box are in the shape; n is the place of the lowest one in values.
func (r *Rebuilder) cornersIn(n, row, layer int) (count int) {
	for _, d := range [8]int{0, 1, row, row + 1, layer, layer + 1, layer + row, layer + row + 1} {
		if r.values[n+d] < 0 {
			count++
		}
	}
	return count
}

// markMesh finds the cells of a box that the boxes of triangles touch.
func (r *Rebuilder) markMesh(box *r3.Box, low [3]int32, dim [3]int) {
	r.hasMesh = arrays.Resize(r.hasMesh, dim[0]*dim[1]*dim[2])
	clear(r.hasMesh)
	whole := r3.Box{Min: r.lattice.node(low), Max: r.lattice.node([3]int32{low[0] + int32(dim[0]), low[1] + int32(dim[1]), low[2] + int32(dim[2])})}
	r.hits = r.mesh.Boxes.Overlapping(r.hits[:0], &whole)
	for _, t := range r.hits {
		if r.mesh.Label[t] != r.label {
			continue
		}
		from, to := r.cellsOf(t)
		for axis := range 3 {
			from[axis], to[axis] = max(from[axis]-low[axis], 0), min(to[axis]-low[axis], int32(dim[axis])-1)
		}
		for k := from[2]; k <= to[2]; k++ {
			for j := from[1]; j <= to[1]; j++ {
				for i := from[0]; i <= to[0]; i++ {
					r.hasMesh[int(i)+dim[0]*(int(j)+dim[1]*int(k))] = true
				}
			}
		}
	}
}
