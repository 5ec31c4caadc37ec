package cutting

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// nodeRows tells, with a bit per corner along x, where in s.nodes a solid is less than touch away, where less than touching, and
// from where on it can't come within middleMargin of the middle of a cell, outside of it or in it. Rows are numbered y + (n+1) z.
type nodeRows struct {
	solid, near, far, deep [(layout.Edge + 1) * (layout.Edge + 1)]uint16
}

// apart, in cells, is middleMargin beyond the way from a cell's middle to its corners.
const apart = middleMargin + .87

// readNodes fills s.rows for the corners of the block's cells lo ≤ cell < hi, and returns the least distance of any, in cells.
func (s *scratch) readNodes(k *block, lo, hi [3]int) (least float64) {
	least = math.Inf(1)
	m := k.n + 1
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			row := y + m*z
			var solid, near, far, deep uint64
			for i, d := range s.nodes[lo[0]+m*row : hi[0]+1+m*row] {
				i &= 15
				solid |= negativeBit(d-touch) << i
				near |= negativeBit(d-touching) << i
				far |= negativeBit(apart-d) << i
				deep |= negativeBit(d+apart) << i
				if d < least {
					least = d
				}
			}
			s.rows.solid[row], s.rows.near[row] = uint16(solid<<lo[0]), uint16(near<<lo[0])
			s.rows.far[row], s.rows.deep[row] = uint16(far<<lo[0]), uint16(deep<<lo[0])
		}
	}
	return least
}

// negativeBit is 1 for a number less than 0, else 0.
func negativeBit(v float64) uint64 { return math.Float64bits(v) >> 63 }

// cellRow is what is known of a row of cells by the bits of their corners: which are near the solid, which have a corner in it, which are
// sure to be wholly out of it or in it, and of which the face on the low side of each axis has some corner in it, or all.
type cellRow struct {
	near, solid uint16
	out, in     uint16
	some, all   [3]uint16
}

// cellRow classifies the cells whose lowest corners are those of a row.
func (r *nodeRows) cellRow(row, m int) (c cellRow) {
	s00, s10, s01, s11 := r.solid[row], r.solid[row+1], r.solid[row+m], r.solid[row+m+1]
	along := func(v uint16) uint16 { return v | v>>1 }
	c.near = along(r.near[row] | r.near[row+1] | r.near[row+m] | r.near[row+m+1])
	c.some = [3]uint16{s00 | s10 | s01 | s11, along(s00 | s01), along(s00 | s10)}
	c.all = [3]uint16{s00 & s10 & s01 & s11, s00 & s01 & (s00 & s01 >> 1), s00 & s10 & (s00 & s10 >> 1)}
	c.solid = along(c.some[0])
	c.out = along(r.far[row]|r.far[row+1]|r.far[row+m]|r.far[row+m+1]) &^ c.solid
	c.in = along(r.deep[row]|r.deep[row+1]|r.deep[row+m]|r.deep[row+m+1]) & c.all[0] & (c.all[0] >> 1)
	return c
}

// findCut notes the faces of the block's cells lo ≤ cell < hi that the body covers a part of, and in
// s.near the cells that it comes near to, with their middles in s.pts. It returns how near it comes to a corner of any, in cells.
func (cuts *bodyCuts) findCut(s *scratch, j *job, k *block, lo, hi [3]int) (closest float64) {
	s.near, s.faces, s.pts = s.near[:0], s.faces[:0], s.pts[:0]
	if closest = s.readNodes(k, lo, hi); closest >= touching {
		return closest
	}
	j.rough = cuts.findDry(s, k, j.at)
	sides := cuts.sidesOf(k)
	m := k.n + 1
	span := uint16(1<<hi[0] - 1<<lo[0])
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			row := s.rows.cellRow(y+m*z, m)
			cells := row.near
			if sides.coarse[0] { // a composite face reaches beyond the cell that it is stored at
				cells |= 1
			}
			if y == 0 && sides.coarse[1] || z == 0 && sides.coarse[2] {
				cells = span
			}
			for cells &= span; cells != 0; cells &= cells - 1 {
				s.noteCell(j, k, &sides, &row, [3]int{bits.TrailingZeros16(cells), y, z})
			}
		}
	}
	return closest
}

// noteCell notes a cell, the face below it along each axis, and at the high end of the grid the one above it.
func (s *scratch) noteCell(j *job, k *block, sides *blockSides, row *cellRow, at [3]int) {
	cell, here := k.first+int32(k.index(at)), uint16(1)<<at[0]
	if row.near&here != 0 {
		s.noteInside(j, k, row, at, cell)
	}
	dry := s.dry.has(int(cell - k.first))
	for a := range 3 {
		switch {
		case at[a] == 0 && sides.coarse[a]:
			if (at[(a+1)%3]|at[(a+2)%3])&1 == 0 { // else a composite face leaves it unused
				s.noteFace(j, k, a, at, 2, cell, false)
			}
		case dry || row.some[a]&here == 0:
		case row.all[a]&here != 0 && !s.confined.any:
			plane := k.plane(a, at)
			j.addFace(a, at, cell, false).cover(1, plane.at(.5, .5))
		case !s.confined.any:
			s.cutFace(k, a, at, 1, int32(len(j.faces)))
			j.addFace(a, at, cell, false)
		default:
			s.noteFace(j, k, a, at, 1, cell, false)
		}
		if at[a] == k.n-1 && sides.end[a] && row.solid&here != 0 && !dry {
			above := at
			above[a]++
			s.noteFace(j, k, a, above, 1, cell, true)
		}
	}
}

// noteInside notes a cell that is near the body. One that is sure to be out of it is kept only if a thin wall may take from it.
func (s *scratch) noteInside(j *job, k *block, row *cellRow, at [3]int, cell int32) {
	j.hit = true
	here := uint16(1) << at[0]
	out := row.out&here != 0
	if out && !j.at.Thin {
		return
	}
	to := j.addCell(cell)
	switch {
	case out:
	case row.in&here != 0 && !s.confined.any:
		to.solid, to.taken, to.x = 1, 1, k.centre(at[0], at[1], at[2])
	default:
		s.addCell(k, at, int32(len(j.cells)-1))
	}
}

// noteFace notes a face, size cells wide, unless it is open; what is solid of one that is cut is not known yet.
func (s *scratch) noteFace(j *job, k *block, a int, at [3]int, size int, slot int32, end bool) {
	side := s.classifyFace(k, a, at, size, int32(len(j.faces)))
	if side == 1 {
		return
	}
	face := j.addFace(a, at, slot, end)
	if side == -1 {
		p := cutFace{plane: k.plane(a, at), size: float64(size)}
		s.confineFace(&p, a, at, size)
		face.cover(p.plane.part[0]*p.plane.part[1], p.plane.at(p.size/2, p.size/2))
	}
}
