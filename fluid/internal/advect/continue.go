package advect

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// Constant extrapolation has the surface of a wave move slower than the liquid under it by the
// velocity's gradient times the way from the last known face: 6 % for 16 cells to half a wave.
// Faces one cell beyond a known one of their axis therefore get the velocity with which nothing
// accumulates in the cell between, which is what the liquid would do if it went on there.
// Source: Chan, Street 1970 (continuity in surface cells).

// steepest bounds that correction, relative to the known velocity: a torn surface has gradients
// that no wave has.
const steepest = .5

// liquid is the state of a face that has liquid on a side and is open.
const liquid = 1

// change is a face's new velocity.
type change struct {
	slot int32
	axis uint8
	u    float64
}

// propose lists the changes of a block's faces.
func (e *Extrapolation) propose(s *extrapolationScratch, b int32) {
	if !e.Reached[b] {
		return
	}
	bits, first := int(e.g.Cur.Level[b]), int(e.g.Cur.First[b])
	n := 1 << bits
	for a := range 3 {
		low, _ := e.beside(b, a, 0)
		high, mixed := e.beside(b, a, 1)
		if has := e.has[0][a][b]; has == every || has == none && low == nil && high == nil && !mixed {
			continue
		}
		stride, last := 1<<(bits*a), (n-1)<<(bits*a)
		state := e.state[a][first:][:n*n*n]
		for c, known := range state {
			if known != 0 {
				continue
			}
			var near [2]bool // whether the next face below and above is, or may be, the liquid's
			if c&last != 0 {
				near[0] = state[c-stride] == liquid
			} else {
				near[0] = low != nil && low[c+last] == liquid
			}
			if c&last != last {
				near[1] = state[c+stride] == liquid
			} else {
				near[1] = mixed || high != nil && high[c-last] == liquid
			}
			if !near[0] && !near[1] {
				continue
			}
			at := [3]int{c & (n - 1), c >> bits & (n - 1), c >> (2 * bits)}
			if u, ok := e.proposal(b, a, at, near); ok {
				s.changes = append(s.changes, change{int32(first + c), uint8(a), u})
			}
		}
	}
}

// beside is the state of the faces in the block on the low (0) or high (1) side, nil if none is known or
// its level differs. In that case mixed tells whether it stores faces that this block shares.
func (e *Extrapolation) beside(b int32, a, side int) (state []uint8, mixed bool) {
	m, nb := &e.g.Cur, e.g.Neighbour[b][2*a+side]
	if nb == grid.None || e.has[0][a][nb] == none {
		return nil, false
	}
	if m.Level[nb] != m.Level[b] {
		return nil, side == 1
	}
	return e.state[a][m.First[nb]:], false
}

// proposal is the mean of what the two sides of a face, or the one that is near the liquid, say of it.
func (e *Extrapolation) proposal(b int32, a int, at [3]int, near [2]bool) (u float64, ok bool) {
	sum, count := 0., 0.
	for side := range near {
		if !near[side] {
			continue
		}
		cb, cell := b, at
		if side == 0 {
			cell[a]--
		}
		if cell[a] < 0 {
			cb = e.g.Neighbour[b][2*a] // of the same level
			cell[a] += 1 << e.g.Cur.Level[b]
		}
		if u, ok := e.beyond(cb, a, cell, side); ok {
			sum += u
			count++
		}
	}
	return sum / count, count > 0
}

// beyond is the velocity on one side, low (1) or high (0), of a cell by continuity, if the face across
// the cell, on side, is known.
func (e *Extrapolation) beyond(b int32, a int, cell [3]int, side int) (u float64, ok bool) {
	across := e.slots(b, a, cell)[side]
	if across < 0 || e.state[a][across] != liquid {
		return 0, false
	}
	out := 0.
	for _, p := range [2]int{(a + 1) % 3, (a + 2) % 3} {
		s := e.slots(b, p, cell)
		if s[1] >= 0 {
			out += e.faces[p][s[1]]
		}
		out -= e.faces[p][s[0]]
	}
	known := e.faces[a][across]
	limit := steepest * math.Abs(known)
	out = max(-limit, min(limit, out))
	if side == 0 {
		return known - out, true
	}
	return known + out, true
}

// slots are where a cell's faces on its low and high side along an axis are stored; -1 for a wall.
func (e *Extrapolation) slots(b int32, axis int, cell [3]int) [2]int {
	bits := int(e.g.Cur.Level[b])
	c := int(e.g.Cur.First[b]) + cell[0] + cell[1]<<bits + cell[2]<<(2*bits)
	s := [2]int{c, c + 1<<(bits*axis)}
	if cell[axis] == 0 {
		s[0] = e.g.FaceCell(b, axis, cell)
	}
	if cell[axis] == 1<<bits-1 {
		cell[axis]++
		s[1] = e.g.FaceCell(b, axis, cell)
	}
	return s
}
