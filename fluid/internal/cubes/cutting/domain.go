package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// domain is the box that the liquid is in, m, and which of its sides, -x, +x, -y, …, liquid may leave through.
type domain struct {
	lo, hi [3]float64
	open   [6]bool
}

// beyond is how far a box goes beyond each side, m; less than 0 where it does not.
func (d *domain) beyond(box r3.Box) (by [6]float64) {
	lo, hi := reproducible.Array(box.Min), reproducible.Array(box.Max)
	for a := range 3 {
		by[2*a], by[2*a+1] = d.lo[a]-lo[a], hi[a]-d.hi[a]
	}
	return by
}

// openCell is the fraction of a cell that is in the domain.
func (d *domain) openCell(k *block, at [3]int, walls bool) float64 {
	if !walls {
		return 1
	}
	return d.within(k, 0, at[0], 1) * d.within(k, 1, at[1], 1) * d.within(k, 2, at[2], 1)
}

// openFace is the fraction of a face slot of a block that the domain's sides leave open, and the face's edge, cells.
func (d *domain) openFace(k *block, now key, a int, at [3]int, walls bool) (open float64, size int) {
	size = 1
	if at[a] == 0 {
		switch low := now.low[a]; {
		case low == 255:
			return 0, size
		case low < now.level:
			if at[(a+1)%3]&1 == 1 || at[(a+2)%3]&1 == 1 {
				return 0, size
			}
			size = 2
		}
	}
	if !walls {
		return 1, size
	}
	if d.inSide(k, a, at[a]) {
		return 0, size
	}
	p, q := (a+1)%3, (a+2)%3
	return d.within(k, p, at[p], size) * d.within(k, q, at[q], size), size
}

// inSide tells whether the faces below the i-th cells along an axis are in a closed side of the domain, or beyond it.
func (d *domain) inSide(k *block, a, i int) bool {
	x := k.lo[a] + float64(float64(i)*k.h)
	return !d.open[2*a] && x < d.lo[a]+float64(touch*k.h) || !d.open[2*a+1] && x > d.hi[a]-float64(touch*k.h)
}

// within is the part of an edge along an axis, size cells from cell i on, that the domain's
// closed sides leave.
func (d *domain) within(k *block, a, i, size int) float64 {
	lo := k.lo[a] + float64(float64(i)*k.h)
	hi := lo + float64(float64(size)*k.h)
	from, to := lo, hi
	if !d.open[2*a] {
		from = max(from, d.lo[a])
	}
	if !d.open[2*a+1] {
		to = min(to, d.hi[a])
	}
	f := (to - from) / (hi - lo)
	if f > 1-1e-9 {
		return 1
	}
	return max(0, f)
}

// wallDistance is how far inside of the domain's closed sides a point is, m.
func (d *domain) wallDistance(p r3.Vec) float64 {
	v := [3]float64{p.X, p.Y, p.Z}
	c := math.Inf(1)
	for a := range 3 {
		if !d.open[2*a] {
			c = min(c, v[a]-d.lo[a])
		}
		if !d.open[2*a+1] {
			c = min(c, d.hi[a]-v[a])
		}
	}
	return c
}
