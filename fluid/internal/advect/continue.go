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
	bits := int(e.g.Cur.Level[b])
	n, first := 1<<bits, int(e.g.Cur.First[b])
	for a := range 3 {
		if e.has[0][a][b] == every {
			continue
		}
		stride := 1 << (bits * a)
		state := e.state[a][first:][:n*n*n]
		for c, known := range state {
			if known != 0 {
				continue
			}
			k := c >> (bits * a) & (n - 1)
			below, above := k == 0 || state[c-stride] == liquid, k == n-1 || state[c+stride] == liquid
			if !below && !above {
				continue
			}
			at := [3]int{c & (n - 1), c >> bits & (n - 1), c >> (2 * bits)}
			sum, count := 0., 0.
			for side, near := range [2]bool{below, above} {
				if !near {
					continue
				}
				if u, ok := e.beyond(b, a, n, at, side); ok {
					sum += u
					count++
				}
			}
			if count > 0 {
				s.changes = append(s.changes, change{int32(first + c), uint8(a), sum / count})
			}
		}
	}
}

// beyond is the velocity at a face by continuity in the cell on its low (0) or high (1) side, if
// the face across that cell is known.
func (e *Extrapolation) beyond(b int32, a, n int, at [3]int, side int) (u float64, ok bool) {
	g := e.g
	cell, sign := at, -1.
	if side == 0 {
		sign = 1
		if at[a] > 0 {
			cell[a]--
		} else {
			nb := g.Neighbour[b][2*a]
			if nb == grid.None || g.Cur.Level[nb] != g.Cur.Level[b] {
				return 0, false
			}
			b, cell[a] = nb, n-1
		}
	}
	far := cell
	far[a] += side
	slot := g.FaceCell(b, a, far)
	if slot < 0 || e.state[a][slot] != liquid {
		return 0, false
	}
	out := 0.
	for _, p := range [2]int{(a + 1) % 3, (a + 2) % 3} {
		high := cell
		high[p]++
		lo, hi := g.FaceCell(b, p, cell), g.FaceCell(b, p, high)
		if hi >= 0 {
			out += e.faces[p][hi]
		}
		out -= e.faces[p][lo]
	}
	known := e.faces[a][slot]
	limit := steepest * math.Abs(known)
	return known - sign*max(-limit, min(limit, out)), true
}
