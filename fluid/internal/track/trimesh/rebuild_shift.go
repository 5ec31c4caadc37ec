package trimesh

import (
	"cmp"
	"math"
	"slices"
)

// mostShift is the share of H by which the lattice is moved at most.
const mostShift = 0.125

// shiftGap is a range of shifts, as shares of H, at which no vertex near the region is on a plane of the lattice.
type shiftGap struct{ low, high float64 }

// mostShift is the share of H by which the lattice is moved at most along an axis.
func (r *Rebuilder) mostShift(axis int) float64 {
	if m := r.MostShift[axis]; m > 0 {
		return m
	}
	return mostShift
}

// findGaps lists the gaps along each axis, the largest first.
func (r *Rebuilder) findGaps() {
	for axis := range 3 {
		o := coordinate(&r.lattice.Origin, axis)
		most := r.mostShift(axis)
		r.shares = append(r.shares[:0], -most, most)
		for i := range r.near {
			x := (coordinate(&r.near[i], axis) - o) / r.lattice.H
			if x -= math.Floor(x + 0.5); x > -most && x < most {
				r.shares = append(r.shares, x)
			}
		}
		slices.Sort(r.shares)
		r.gaps[axis] = r.gaps[axis][:0]
		for i, x := range r.shares[1:] {
			if x > r.shares[i] {
				r.gaps[axis] = append(r.gaps[axis], shiftGap{r.shares[i], x})
			}
		}
		slices.SortStableFunc(r.gaps[axis], func(a, b shiftGap) int { return cmp.Compare(b.high-b.low, a.high-a.low) })
	}
}

// gapShares are where in a gap the lattice comes to lie: nowhere near an end, and at other places along each axis, since diagonals of squares would meet lattice edges otherwise.
var gapShares = [3]float64{0.47, 0.41, 0.53}

// shift is by what share of H the lattice is moved along an axis at one of several tries.
func (r *Rebuilder) shift(axis, try int) float64 {
	g := r.gaps[axis][try%len(r.gaps[axis])]
	share := gapShares[axis] + float64(float64(try)/29)
	return g.low + float64(share*(g.high-g.low))
}
