package advect

import (
	"encoding/binary"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Constant extrapolation has the surface of a wave move slower than the liquid under it by the
// velocity's gradient times the way from the last known face: 6 % for 16 cells to half a wave.
// Faces one cell beyond a known one of their axis therefore get the velocity with which nothing
// accumulates in the cell between, which is what the liquid would do if it went on there.
// Source: Chan, Street 1970 (continuity in surface cells).

// steepest bounds that correction, relative to the known velocity: a surface that breaks up has gradients
// that no wave has.
const steepest = .5

// The state of a face that has liquid on a side: it is open, or shut by a solid.
const (
	liquid uint8 = 1
	shut   uint8 = 2
)

// change is a face's new velocity.
type change struct {
	slot int32
	axis uint8
	u    float32
}

// propose lists the changes of a block's faces.
func (e *Extrapolation) propose(worker int, b int32) {
	t := &e.work[worker]
	if !e.Reached[b] {
		return
	}
	s := e.neighbourhood(b)
	for a := range 3 {
		l := e.line(b, a)
		if has := e.has[0][a][b]; has == every || has == none && l.low == nil && l.high == nil && !l.mixed {
			continue
		}
		for r := range s.n * s.n {
			y, z := r%s.n, r/s.n
			below, above := l.unknownBeside(y, z)
			for m := below | above; m != 0; m &= m - 1 {
				bit := m & -m
				x := bits.TrailingZeros64(m) / 8
				if u, ok := e.proposal(&s, a, [3]int{x, y, z}, below&bit != 0, above&bit != 0); ok {
					t.changes = append(t.changes, change{int32(s.first + x + s.n*r), uint8(a), u})
				}
			}
		}
	}
}

// line is the state of the faces along an axis: of a block, and of those beside it, nil if none is known
// there or the level differs. If it does on the high side, mixed tells whether faces are known there.
type line struct {
	a, n             int
	state, low, high []uint8
	mixed            bool
}

func (e *Extrapolation) line(b int32, a int) (l line) {
	m := &e.g.Cur
	l = line{a: a, n: 1 << m.Level[b], state: e.state[a][m.First[b]:]}
	for side, nb := range e.g.Neighbour[b][2*a : 2*a+2] {
		switch {
		case nb == layout.None || e.has[0][a][nb] == none:
		case m.Level[nb] != m.Level[b]:
			l.mixed = l.mixed || side == 1
		case side == 0:
			l.low = e.state[a][m.First[nb]:]
		default:
			l.high = e.state[a][m.First[nb]:]
		}
	}
	return l
}

// unknownBeside are the unknown faces of a row along x of which the next one below, or above, along the axis is, or may
// be, the liquid's: the high bit of a byte for each.
func (l *line) unknownBeside(y, z int) (lower, upper uint64) {
	n := l.n
	c := n * (y + n*z)
	own := word(l.state[c:], n)
	gaps := equal(own, 0) & (^uint64(0) >> (64 - 8*n))
	if gaps == 0 {
		return 0, 0
	}
	var below, above uint64
	switch l.a {
	case 0:
		below, above = own<<8|l.first(c+n-1, 1), own>>8|l.last(c, 1)<<(8*(n-1))
	case 1:
		below, above = l.across(c, y, n)
	case 2:
		below, above = l.across(c, z, n*n)
	}
	return gaps & equal(below, liquid), gaps & equal(above, liquid)
}

// across is the states beside a row that begins at cell c, at along the axis, step cells below and above.
func (l *line) across(c, at, step int) (below, above uint64) {
	last := l.n - 1
	if at > 0 {
		below = word(l.state[c-step:], l.n)
	} else {
		below = l.first(c+last*step, l.n)
	}
	if at < last {
		above = word(l.state[c+step:], l.n)
	} else {
		above = l.last(c-last*step, l.n)
	}
	return below, above
}

// first is n states in the block on the low side, last in that on the high side.
func (l *line) first(c, n int) uint64 {
	if l.low == nil {
		return 0
	}
	return word(l.low[c:], n)
}

func (l *line) last(c, n int) uint64 {
	switch {
	case l.mixed:
		return 0x0101010101010101 * uint64(liquid)
	case l.high == nil:
		return 0
	}
	return word(l.high[c:], n)
}

// word is n states, the first lowest.
func word(s []uint8, n int) uint64 {
	switch n {
	case 8:
		return binary.LittleEndian.Uint64(s)
	case 4:
		return uint64(binary.LittleEndian.Uint32(s))
	case 2:
		return uint64(binary.LittleEndian.Uint16(s))
	}
	return uint64(s[0])
}

// equal sets the high bit of the bytes that are a state; none is above 0x80.
func equal(w uint64, state uint8) uint64 {
	const ones = 0x0101010101010101
	return ^((w ^ uint64(state)*ones) + 0x7f*ones) & (0x80 * ones)
}

// proposal is the mean of the velocities that follow for a face from the cells below and above it, as far as they are wanted.
func (e *Extrapolation) proposal(s *neighbourhood, a int, at [3]int, below, above bool) (u float32, ok bool) {
	var v float32
	var also bool
	own := e.faces[a][s.first+at[0]+s.n*(at[1]+s.n*at[2])]
	if above {
		v, also = e.beyond(s, a, &at, 1, own)
	}
	if below {
		if at[a]--; at[a] < 0 {
			at[a] = s.n - 1
			low := e.neighbourhood(e.g.Neighbour[s.b][2*a])
			u, ok = e.beyond(&low, a, &at, 0, own)
		} else {
			u, ok = e.beyond(s, a, &at, 0, own)
		}
	}
	switch {
	case ok && also:
		return (u + v) / 2, true
	case also:
		return v, true
	}
	return u, ok
}

// beyond is the velocity on one side, low (1) or high (0), of a cell by continuity, if the face across
// the cell, on side, is known. Where a step in the surface leaves several such faces of a cell open, each takes its share
// of what accumulates with their own velocities: if each took all of it the sum would change sign.
func (e *Extrapolation) beyond(s *neighbourhood, a int, at *[3]int, side int, own float32) (u float32, ok bool) {
	c := s.first + at[0] + s.n*(at[1]+s.n*at[2])
	across, sign := 0, float32(1)
	if side == 0 {
		across = s.low(e.g, a, at, c)
	} else {
		across, sign = s.high(e.g, a, at, c), -1
	}
	if across < 0 || e.state[a][across] != liquid {
		return 0, false
	}
	known := e.faces[a][across]
	out, share := float32(sign*(own-known)), float32(1)
	for _, p := range others[a] {
		u, state := e.faces[p], e.state[p]
		low, high := s.low(e.g, p, at, c), s.high(e.g, p, at, c)
		out -= u[low]
		if high < 0 {
			continue
		}
		out += u[high]
		if state[low] == liquid && state[high] == 0 || state[low] == 0 && state[high] == liquid {
			share++
		}
	}
	limit := float32(steepest * abs(known))
	return max(known-limit, min(known+limit, own-float32(sign*out/share))), true
}

// others are the two axes across each.
var others = [3][2]int{{1, 2}, {2, 0}, {0, 1}}

// neighbourhood is a block and the blocks on its sides: whether one on the low side is coarser, and where the cells of those
// on the high side begin, -1 if they are of another level.
type neighbourhood struct {
	b        int32
	n, first int
	step     [3]int
	coarser  [3]bool
	next     [3]int
}

func (e *Extrapolation) neighbourhood(b int32) neighbourhood {
	m := &e.g.Cur
	n := 1 << m.Level[b]
	s := neighbourhood{b: b, n: n, first: int(m.First[b]), step: [3]int{1, n, n * n}}
	for a := range 3 {
		low, high := e.g.Neighbour[b][2*a], e.g.Neighbour[b][2*a+1]
		s.coarser[a] = low != layout.None && m.Level[low] < m.Level[b]
		s.next[a] = -1
		if high != layout.None && m.Level[high] == m.Level[b] {
			s.next[a] = int(m.First[high])
		}
	}
	return s
}

// low and high are where the face on a side of the block's cell c, which is at so many along the axes, is stored; -1
// for a wall.
func (s *neighbourhood) low(g *layout.Grid, axis int, at *[3]int, c int) int {
	if at[axis] == 0 && s.coarser[axis] {
		return g.FaceCell(s.b, axis, *at)
	}
	return c
}

func (s *neighbourhood) high(g *layout.Grid, axis int, at *[3]int, c int) int {
	if at[axis] < s.n-1 {
		return c + s.step[axis]
	}
	return s.highest(g, axis, *at, c)
}

// highest is high on the block's high side.
func (s *neighbourhood) highest(g *layout.Grid, axis int, at [3]int, c int) int {
	if s.next[axis] >= 0 {
		return s.next[axis] + c - s.first - (s.n-1)*s.step[axis]
	}
	at[axis]++
	return g.FaceCell(s.b, axis, at)
}
