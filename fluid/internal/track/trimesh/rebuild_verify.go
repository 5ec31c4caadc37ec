package trimesh

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// freshBox is the box of a new triangle.
type freshBox struct {
	box   r3.Box
	index int32 // of the triangle in fresh
}

// verify tells whether the new triangles meet neither each other nor what stays; where they do the region is wanted larger. In the cells of the region
// they can't meet each other, since planes part them: pieces outside are compared with everything, and what fills the region with other surfaces.
func (r *Rebuilder) verify() bool {
	r.listBoxes()
	ok := true
	r.blocked = false
	for i := range r.boxes {
		if b := &r.boxes[i]; int(b.index) < r.pieces || r.foreign {
			ok = r.meetsNoOld(b) && ok
		}
	}
	axis := r.sortBoxes()
	for i := range r.boxes {
		b := &r.boxes[i]
		for j := i + 1; j < len(r.boxes) && coordinate(&r.boxes[j].box.Min, axis) <= coordinate(&b.box.Max, axis); j++ {
			c := &r.boxes[j]
			if int(min(b.index, c.index)) < r.pieces && boxes.Overlap(b.box, c.box) {
				ok = r.apart(b.index, c.index) && ok
			}
		}
	}
	return ok
}

// listBoxes lists the boxes of the new triangles that may meet something.
func (r *Rebuilder) listBoxes() {
	r.boxes = r.boxes[:0]
	last, listed := Gone, false
	for i := range r.fresh {
		if cell := r.fresh[i].cell; i >= r.pieces && cell != last {
			last, listed = cell, r.foreign || r.atBoundary(cell)
		}
		if i < r.pieces || listed {
			c := r.corners(&r.fresh[i])
			r.boxes = append(r.boxes, freshBox{boxes.Around(c[:]), int32(i)})
		}
	}
}

// sortBoxes sorts the boxes along the axis along which they are spread most.
func (r *Rebuilder) sortBoxes() (axis int) {
	all := boxes.Nowhere()
	for i := range r.boxes {
		all.Min, all.Max = boxes.Min(all.Min, r.boxes[i].box.Min), boxes.Max(all.Max, r.boxes[i].box.Min)
	}
	size := r3.Sub(all.Max, all.Min)
	for k := 1; k < 3; k++ {
		if coordinate(&size, k) > coordinate(&size, axis) {
			axis = k
		}
	}
	slices.SortFunc(r.boxes, func(a, b freshBox) int {
		return cmp.Or(cmp.Compare(coordinate(&a.box.Min, axis), coordinate(&b.box.Min, axis)), cmp.Compare(a.index, b.index))
	})
	return axis
}

// atBoundary tells whether a cell of the region has a neighbour that is not.
func (r *Rebuilder) atBoundary(cell int32) bool {
	c := r.region.cells[cell]
	for axis := range 3 {
		if !r.region.has(shifted(c, axis, -1)) || !r.region.has(shifted(c, axis, 1)) {
			return true
		}
	}
	return false
}

// meetsNoOld tells whether a new triangle meets none of those that stay.
func (r *Rebuilder) meetsNoOld(b *freshBox) bool {
	ok := true
	t := &r.fresh[b.index]
	c := r.corners(t)
	r.hits = r.mesh.Boxes.Overlapping(r.hits[:0], &b.box)
	for _, other := range r.hits {
		if r.mesh.Label[other] == r.label && (int(b.index) >= r.pieces || r.isRemoved.find(uint64(other)) != Gone) {
			continue
		}
		if r.mesh.meets(other, t.v, &c) {
			ok = false
			r.blocked = r.blocked || r.mesh.Label[other] != r.label
			r.surroundTriangle(t)
		}
	}
	return ok
}

// apart tells whether two new triangles don't meet.
func (r *Rebuilder) apart(i, j int32) bool {
	t, u := &r.fresh[i], &r.fresh[j]
	c, d := r.corners(t), r.corners(u)
	if !trianglesMeet(t.v, &c, u.v, &d) {
		return true
	}
	r.surroundTriangle(t)
	r.surroundTriangle(u)
	return false
}

// surroundTriangle wants the region larger around a new triangle: behind the faces of its cell, or those that the triangle passes of which it is a piece.
func (r *Rebuilder) surroundTriangle(t *newTriangle) {
	if t.cell != Gone {
		refiller{r}.surround(r.region.cells[t.cell])
		return
	}
	old := r.seam.triangles[t.old]
	for k := old.first; k < old.first+old.count; k++ {
		g := &r.seam.segments[k]
		below := shifted(g.cell, int(g.axis), -1)
		if r.region.has(g.cell) != r.region.has(below) {
			r.wanted = append(r.wanted, g.cell, below)
		}
	}
}
