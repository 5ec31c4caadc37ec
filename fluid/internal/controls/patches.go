package controls

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// patch, in finest cells, is the edge of the boxes that AppendBoxes lists: that of a block, and they lie as blocks do.
	patch = 8
	// patchMargin, in finest cells, is how far a surface may move before it comes to a block that it was not near.
	patchMargin = 2
)

// AppendBoxes lists boxes within the blocks that the surfaces that act are in or near, m.
func (s *Set) AppendBoxes(dst []r3.Box) []r3.Box {
	for _, c := range s.All {
		if c.acts() {
			dst = s.appendPatches(dst, c)
		}
	}
	return dst
}

// appendPatches lists such boxes for one surface, which are those of the last substep.
func (s *Set) appendPatches(dst []r3.Box, c *Control) []r3.Box {
	r := &c.raster
	var low, n [3]int // the first patch, and how many there are
	stride := 1
	for a := range n {
		first := int(math.Round((r.Origin[a] - s.Origin[a]) / r.H))
		low[a] = floorDiv(first-patchMargin, patch)
		n[a] = floorDiv(first+r.Dim[a]+patchMargin, patch) - low[a] + 1
		near := arrays.Resize(c.nearby[a], r.Dim[a])
		for k := range near {
			near[k] = [2]int32{
				int32(stride * (floorDiv(first+k-patchMargin, patch) - low[a])),
				int32(stride * (floorDiv(first+k+patchMargin, patch) - low[a])),
			}
		}
		c.nearby[a], stride = near, stride*n[a]
	}
	c.patches = arrays.Resize(c.patches, stride)
	clear(c.patches)
	for axis := range 3 {
		for i := range r.Crossings[axis] {
			at := c.cell(int(r.Crossings[axis][i].Cell))
			x, y, z := &c.nearby[0][at[0]], &c.nearby[1][at[1]], &c.nearby[2][at[2]]
			for corner := range 8 {
				c.patches[x[corner&1]+y[corner>>1&1]+z[corner>>2]] = true
			}
		}
	}
	for i, some := range c.patches {
		if some {
			at := [3]int{low[0] + i%n[0], low[1] + i/n[0]%n[1], low[2] + i/(n[0]*n[1])}
			dst = append(dst, s.withinPatch(at))
		}
	}
	return dst
}

// withinPatch is a box that touches no other block than a patch.
func (s *Set) withinPatch(at [3]int) (box r3.Box) {
	const off = .01 // finest cells
	var lo, hi [3]float64
	for a, k := range at {
		lo[a] = s.Origin[a] + float64((float64(patch*k)+off)*s.CellSize)
		hi[a] = s.Origin[a] + float64((float64(patch*(k+1))-off)*s.CellSize)
	}
	return r3.Box{Min: reproducible.Vector(lo), Max: reproducible.Vector(hi)}
}

// floorDiv is the whole part of a/b, rounded down.
func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
