package levelset

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// sweep is the eikonal update of a block's cells, row by row.
type sweep struct {
	h, band float32 // m
	dead    float32 // cells that are this close to the wanted value stay, m
	loose   float32 // likewise those next to the ones beside the surface, m
	rim     bool    // some halo is wall
}

// The slopes beside the surface that may stay: the steepest is beyond the √3 of an exact corner.
const (
	gentlest = .6
	steepest = 1.9
)

// wavefront is where the rows of a block begin in its tile, in the order of a sweep: none of those that are as far along y
// and z together waits for another.
type wavefront [layout.Edge * layout.Edge]int32

// wavefronts are by level and by direction: against y where it is odd, against z from 2 on.
var wavefronts = makeWavefronts()

func makeWavefronts() (all [layout.MaxLevel + 1][4]wavefront) {
	for l := range all {
		for dir := range all[l] {
			n, e, count := 1<<l, 1<<l+2, 0
			for far := range 2*n - 1 {
				for j := max(0, far-n+1); j <= min(far, n-1); j++ {
					y, z := j, far-j
					if dir&1 != 0 {
						y = n - 1 - y
					}
					if dir&2 != 0 {
						z = n - 1 - z
					}
					all[l][dir][count] = int32(1 + e*(y+1+e*(z+1)))
					count++
				}
			}
		}
	}
	return all
}

// run updates the n³ cells inside a halo, row after row; along x all cells of a row go by the old ones. It tells whether
// anything changed, and sets, by rows in their order, bits for the cells beside the surface whose slope is to be repaired.
func (q *sweep) run(t []float32, rows *wavefront, steep *[layout.Edge * layout.Edge]uint8, n int) (changed bool) {
	return sweepRows(t, rows, steep, *q, n)
}

// sweepRows is sweep.run. It exists in plain Go, here, and in assembly for processors with AVX2; both give the same bits.
//
// t: len = (n+2)³, with the halo; edges and corners of it are not read.
var sweepRows = sweepRowsGo

func sweepRowsGo(t []float32, rows *wavefront, steep *[layout.Edge * layout.Edge]uint8, q sweep, n int) (changed bool) {
	var row [layout.Edge]float32
	slow, fast := q.slopes()
	for i, first := range rows[:n*n] {
		steep[i] = 0
		for x := range n {
			at := int(first) + x
			c, near, sign := q.around(t, at, n+2)
			row[x] = t[at]
			least, dead := least3(near), q.dead
			if !(least > 0) {
				if g := squares(c, near); g < slow || g > fast {
					steep[i] |= 1 << x
				}
				continue
			}
			if least < q.h {
				dead = q.loose
			}
			v := q.eikonal(near)
			v = lesser(greater(v-dead, lesser(c, v+dead)), q.band)
			if q.rim {
				v = q.beside(t, at, n+2, c, v, near, dead)
			}
			row[x] = sign * v
			changed = changed || row[x] != t[at]
		}
		copy(t[first:], row[:n])
	}
	return changed
}

// slopes are the squares of the gentlest and of the steepest slope, m².
func (q *sweep) slopes() (slow, fast float32) {
	return gentlest * gentlest * q.h * q.h, steepest * steepest * q.h * q.h
}

// around is the magnitude of a cell, its smaller neighbours along the axes, counted as positive on the cell's
// own side, and that side.
func (q *sweep) around(t []float32, at, e int) (c float32, near [3]float32, side float32) {
	side = 1
	if math.Signbit(float64(t[at])) {
		side = -1
	}
	for a, step := range [3]int{1, e, e * e} {
		near[a] = lesser(float32(side*t[at-step]), float32(side*t[at+step]))
	}
	return float32(side * t[at]), near, side
}

// squares is (h|∇φ|)² from the nearer neighbours.
func squares(c float32, near [3]float32) float32 {
	a, b, d := greater(c-near[0], 0), greater(c-near[1], 0), greater(c-near[2], 0)
	return float32(a*a) + float32(b*b) + float32(d*d)
}

// eikonal is the upwind solution of |∇v| = 1 for the nearer neighbours along the axes.
func (q *sweep) eikonal(near [3]float32) float32 {
	a, b, d := near[0], near[1], near[2]
	a, b = lesser(a, b), greater(a, b)
	b, d = lesser(b, d), greater(b, d)
	a, b = lesser(a, b), greater(a, b)
	hh := float32(q.h * q.h)
	v := a + q.h
	if !(v > b) {
		return v
	}
	b -= a
	bb := float32(b * b)
	v = a + float32(.5*(b+sqrt32(greater(hh+hh-bb, 0))))
	if !(v > d) {
		return v
	}
	d -= a
	rest := bb + float32(d*d) - hh
	rest += rest + rest
	d += b
	return a + float32(1./3*(d+sqrt32(greater(float32(d*d)-rest, 0))))
}

// beside guards a cell at the end of the grid whose nearest surface may lie beyond it, so
// that the inside can't tell its distance: it does not grow, except to within h of
// its inner neighbour. Then cells beside it along the end are nearer to that surface: where none is, what was there has closed,
// and the cell grows beyond them.
func (q *sweep) beside(t []float32, at, e int, c, v float32, near [3]float32, grow float32) float32 {
	for a, step := range [3]int{1, e, e * e} {
		low, high := abs32(t[at-step]), abs32(t[at+step])
		if inner := lesser(low, high); wall/2 <= greater(low, high) && c < inner {
			along := lesser(near[(a+1)%3], near[(a+2)%3])
			v = lesser(v, greater(greater(c, inner-q.h), along+grow))
		}
	}
	return v
}

// repair scales the cells beside the surface whose slope is out of bounds, by no more than gain. Scaling by steps keeps
// neighbours' factors alike, and with them the zero level between. It tells whether there are any.
//
// Source: Russo, Smereka 2000, the subcell distance φ/|∇φ|.
func (q *sweep) repair(w *workspace, t []float32, rows *wavefront, n int, gain float32) bool {
	repairs := w.repairs[:0] // which wait for each other: slopes are measured against cells that are not repaired
	for i, set := range w.steep[:n*n] {
		for ; set != 0; set &= set - 1 {
			at := int(rows[i]) + bits.TrailingZeros8(set)
			c, near, side := q.around(t, at, n+2)
			if q.rim && n > 1 {
				q.continueBeyond(t, at, n+2, c, side, &near)
			}
			g := sqrt32(squares(c, near)) / q.h
			if gentlest <= g && g <= steepest {
				continue
			}
			repairs = append(repairs, repair{int32(at), side * min(c*clamp32(1/g, 1/gain, gain), q.band)})
		}
	}
	for _, r := range repairs {
		t[r.at] = r.phi
	}
	return len(repairs) > 0
}

// continueBeyond has φ go on beyond the end of the grid where it is linear across it: a surface that leaves through the end aslant goes on there. Where φ bends, as between
// the surface and what only the end makes a surface of a shape that was filled, or in a drop that lies there, what is beyond says nothing.
//
// near: the smaller neighbours of the cell at t[at], whose own side is side, in a tile of edge e.
func (q *sweep) continueBeyond(t []float32, at, e int, c, side float32, near *[3]float32) {
	for a, step := range [3]int{1, e, e * e} {
		switch {
		case abs32(t[at-step]) >= wall/2:
		case abs32(t[at+step]) >= wall/2:
			step = -step
		default:
			continue
		}
		near[a] = lesser(near[a], c-linearSlope(t, at, step, side))
	}
}

// bent is the part by which φ's differences from a cell at a side to the next inwards and on from there may differ where φ counts as linear.
const bent = .2

// linearSlope is by how much φ, counted as positive on a side, grows from the cell at t[at] to the next, a step away, if it grows on so from there: else 0.
func linearSlope(t []float32, at, step int, side float32) float32 {
	inner := float32(side * t[at+step])
	first, second := inner-float32(side*t[at]), float32(side*t[at+2*step])-inner
	if lesser(first, second) >= float32((1-bent)*greater(first, second)) && first > 0 {
		return first
	}
	return 0
}

// repair is a new value of a cell beside the surface.
type repair struct {
	at  int32
	phi float32
}

func least3(v [3]float32) float32 { return lesser(lesser(v[0], v[1]), v[2]) }

// lesser and greater are the processor's minimum and maximum of packed numbers.
func lesser(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

func greater(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}
