// Package forces holds what acts on the liquid besides gravity and pressure, surface tension
// and viscosity, and the foam that the surface carries.
//
// Step order: Tension and Viscosity after the velocity has been carried to
// the new graph and gravity added, before the solve; Foam once the surface has moved.
package forces

import "github.com/meniscus3d/meniscus/fluid/internal/layout"

// gather copies a block of a cell field on Cur with w layers of halo, no more than it has cells along an edge, into (n+2w)³
// values, x fastest. Beyond the grid the field goes on linearly. A finer neighbour gives the mean of the
// eight cells in a cell's middle, a coarser one a parabola along each axis.
func gather(g *layout.Grid, b int32, w int, field, dst []float32) {
	n := 1 << g.Cur.Level[b]
	e, first := n+2*w, int(g.Cur.First[b])
	for k := range n {
		for j := range n {
			copy(dst[w+e*(j+w+e*(k+w)):][:n], field[first+n*(j+n*k):])
		}
	}
	at := g.BaseCoords(b)
	for o := range 27 {
		off := [3]int{o%3 - 1, o/3%3 - 1, o/9 - 1}
		if nb := g.BaseAt(at[0]+off[0], at[1]+off[1], at[2]+off[2]); nb != layout.None && o != 13 {
			gatherFrom(g, b, nb, off, w, field, dst)
		}
	}
	beyond(g, b, n, w, dst)
}

// gatherFrom fills the halo that the neighbour nb at offset off covers.
func gatherFrom(g *layout.Grid, b, nb int32, off [3]int, w int, field, dst []float32) {
	l, rl := g.Cur.Level[b], g.Cur.Level[nb]
	n, e := 1<<l, 1<<l+2*w
	var lo, hi [3]int
	for a, o := range off {
		lo[a], hi[a] = max(0, o)*n, max(0, o)*n+w
		switch o {
		case 0:
			hi[a] = n
		case -1:
			lo[a], hi[a] = -w, 0
		}
	}
	cells := field[g.Cur.First[nb]:][:1<<(3*rl)]
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			for i := lo[0]; i < hi[0]; i++ {
				c := [3]int{i - off[0]*n, j - off[1]*n, k - off[2]*n}
				to := &dst[i+w+e*(j+w+e*(k+w))]
				switch {
				case rl == l:
					*to = cells[c[0]+n*(c[1]+n*c[2])]
				case rl > l:
					*to = middle(cells, 1<<rl, c, 1<<(rl-l))
				default:
					*to = parabolic(cells, 1<<rl, c, float32(int(1)<<rl)/float32(n))
				}
			}
		}
	}
}

// middle is the mean of the eight cells in the middle of the r³ that cell c covers.
func middle(cells []float32, n int, c [3]int, r int) float32 {
	h, sum := r/2-1, float32(0)
	for o := range 8 {
		sum += cells[c[0]*r+h+o&1+n*(c[1]*r+h+o>>1&1+n*(c[2]*r+h+o>>2))]
	}
	return sum / 8
}

// parabolic is a field at the centre of cell c, counted in cells of ratio coarse ones: the coarse
// cell's value and along each axis the parabola through it within its block. A straight line
// would leave out half of the surface's bend.
func parabolic(cells []float32, n int, c [3]int, ratio float32) float32 {
	var at [3]int
	var d [3]float32
	for a := range 3 {
		x := float32((float32(c[a]) + .5) * ratio)
		at[a] = min(int(x), n-1)
		d[a] = x - float32(at[a]) - .5
	}
	i := at[0] + n*(at[1]+n*at[2])
	v := cells[i]
	for a, step := range [3]int{1, n, n * n} {
		switch {
		case n == 1:
		case n == 2:
			first := i - at[a]*step
			v += float32(d[a] * (cells[first+step] - cells[first]))
		default:
			shift := max(1, min(at[a], n-2)) - at[a]
			m := i + shift*step
			slope, bend := (cells[m+step]-cells[m-step])/2, cells[m+step]+cells[m-step]-2*cells[m]
			from := -float32(shift)
			to := from + d[a]
			v += float32(slope*(to-from)) + float32(bend/2*(float32(to*to)-float32(from*from)))
		}
	}
	return v
}

// beyond carries the field on outside of the grid, axis by axis, into w layers.
func beyond(g *layout.Grid, b int32, n, w int, dst []float32) {
	e := n + 2*w
	stride := [3]int{1, e, e * e}
	for a := range 3 {
		for side := range 2 {
			if g.Neighbour[b][2*a+side] != layout.None {
				continue
			}
			from, step := w*stride[a], -stride[a]
			if side == 1 {
				from, step = (w+n-1)*stride[a], stride[a]
			}
			for u := range e {
				for v := range e {
					i := from + u*stride[(a+1)%3] + v*stride[(a+2)%3]
					slope := float32(0)
					if n > 1 {
						slope = dst[i] - dst[i-step]
					}
					for range w {
						dst[i+step] = dst[i] + slope
						i += step
					}
				}
			}
		}
	}
}
