package surface

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// wall is the magnitude that a halo beyond the grid has when it must tell nothing.
const wall = 1e30

// gatherNew copies a block of Phi on Cur into (n+2)³ values with one layer of halo, x fastest.
//
// Beyond the grid the halo is the linear extrapolation, or with walls set ±wall with the sign
// of the cell beside it.
//
// A finer neighbour that is out of its own, narrower band says only that it is far: its
// halo takes this block's limit.
func (s *LevelSet) gatherNew(b int32, dst []float32, walls bool) {
	g := s.g
	l, first := g.Cur.Level[b], int(g.Cur.First[b])
	n := 1 << l
	e := n + 2
	for k := range n {
		for j := range n {
			from := first + n*(j+n*k)
			copy(dst[1+e*(j+1+e*(k+1)):][:n], s.Phi[from:from+n])
		}
	}
	for oz := -1; oz <= 1; oz++ {
		for oy := -1; oy <= 1; oy++ {
			for ox := -1; ox <= 1; ox++ {
				if ox == 0 && oy == 0 && oz == 0 {
					continue
				}
				if nb := g.Around(b, ox, oy, oz); nb != grid.None {
					s.newHalo(dst, b, nb, n, [3]int{ox, oy, oz})
				}
			}
		}
	}
	s.beyond(b, dst, n, 1, walls)
}

// newHalo fills the part of the halo that the neighbour nb at offset o covers.
func (s *LevelSet) newHalo(dst []float32, b, nb int32, n int, o [3]int) {
	l, rl, first := s.g.Cur.Level[b], s.g.Cur.Level[nb], int(s.g.Cur.First[nb])
	e := n + 2
	lo, hi := haloSpan(o, n, 1)
	far, own := .999*s.limit(rl), s.limit(l)
	for k := lo[2]; k < hi[2]; k++ {
		kk := k - o[2]*n
		for j := lo[1]; j < hi[1]; j++ {
			jj := j - o[1]*n
			to := 1 + e*(j+1+e*(k+1))
			from := first + n*(jj+n*kk) - o[0]*n
			for i := lo[0]; i < hi[0]; i++ {
				var v float32
				switch {
				case rl == l:
					v = s.Phi[from+i]
				case rl > l:
					v = middle(s.Phi[first:], 1<<rl, i-o[0]*n, jj, kk, 1<<(rl-l))
					if v >= far {
						v = own
					} else if v <= -far {
						v = -own
					}
				default:
					v = s.fromCoarse(b, nb, [3]int{i, j, k}, o)
				}
				dst[to+i] = v
			}
		}
	}
}

// haloSpan is the range of places of a block with w layers of halo that lie towards o.
func haloSpan(o [3]int, n, w int) (lo, hi [3]int) {
	for a := range 3 {
		switch o[a] {
		case -1:
			lo[a], hi[a] = -w, 0
		case 1:
			lo[a], hi[a] = n, n+w
		default:
			lo[a], hi[a] = 0, n
		}
	}
	return lo, hi
}

// middle averages the eight cells in the middle of the r³ cells that coarse cell (i, j, k) covers.
func middle(cells []float32, n, i, j, k, r int) float32 {
	h := r/2 - 1
	at := i*r + h + n*(j*r+h+n*(k*r+h))
	a := cells[at] + cells[at+1] + cells[at+n] + cells[at+n+1]
	at += n * n
	return (a + cells[at] + cells[at+1] + cells[at+n] + cells[at+n+1]) / 8
}

// fromCoarse is φ at cell `at` of block b's halo, which lies in the coarser block nb: the coarse
// cell's value with slopes by differences inside of that block, or, where that has one
// cell, the line from b's own cell.
func (s *LevelSet) fromCoarse(b, nb int32, at, o [3]int) float32 {
	m := &s.g.Cur
	l, rl := m.Level[b], m.Level[nb]
	n, rn := 1<<l, 1<<rl
	f := float32(rn) / float32(n)
	if rl == 0 {
		own := s.Phi[m.Cell(b, min(max(at[0], 0), n-1), min(max(at[1], 0), n-1), min(max(at[2], 0), n-1))]
		return own + (s.Phi[m.First[nb]]-own)*2/(1+float32(n))
	}
	var c [3]int
	var d [3]float32
	for a := range 3 {
		x := (float32(at[a]-o[a]*n) + .5) * f
		c[a] = min(max(int(x), 0), rn-1)
		d[a] = x - float32(c[a]) - .5
	}
	cell := m.Cell(nb, c[0], c[1], c[2])
	v := s.Phi[cell]
	for a, step := range [3]int{1, rn, rn * rn} {
		lo, hi, w := cell, cell, float32(0)
		if c[a] > 0 {
			lo, w = lo-step, w+1
		}
		if c[a] < rn-1 {
			hi, w = hi+step, w+1
		}
		v += d[a] * (s.Phi[hi] - s.Phi[lo]) / w
	}
	return v
}

// beyond fills the halo outside of the grid, w layers of it, axis by axis.
func (s *LevelSet) beyond(b int32, dst []float32, n, w int, walls bool) {
	e := n + 2*w
	stride := [3]int{1, e, e * e}
	for a := range 3 {
		low, high := s.g.Neighbour[b][2*a] == grid.None, s.g.Neighbour[b][2*a+1] == grid.None
		if !low && !high {
			continue
		}
		p, q, st := stride[(a+1)%3], stride[(a+2)%3], stride[a]
		single := n == 1 && low && high
		for u := range e {
			for v := range e {
				line := u*p + v*q
				if low {
					extend(dst, line+w*st, -st, w, walls, single)
				}
				if high {
					extend(dst, line+(w+n-1)*st, st, w, walls, single)
				}
			}
		}
	}
}

// extend writes w values after dst[from], going by step.
func extend(dst []float32, from, step, w int, walls, single bool) {
	v := dst[from]
	if walls {
		far := float32(wall)
		if v < 0 {
			far = -wall
		}
		for i := 1; i <= w; i++ {
			dst[from+i*step] = far
		}
		return
	}
	slope := float32(0)
	if !single {
		slope = v - dst[from-step]
	}
	for i := 1; i <= w; i++ {
		dst[from+i*step] = v + float32(i)*slope
	}
}

// gatherOld copies a block of the published φ with half a block of halo: (2n)³ values, x
// fastest, the block's first cell at (n/2, n/2, n/2). n must be 4 or 8.
func (s *LevelSet) gatherOld(b int32, dst []float32) {
	g := s.g
	l := g.Prev.Level[b]
	n := 1 << l
	w := n / 2
	for oz := -1; oz <= 1; oz++ {
		for oy := -1; oy <= 1; oy++ {
			for ox := -1; ox <= 1; ox++ {
				nb := g.Around(b, ox, oy, oz)
				if nb == grid.None {
					continue
				}
				o := [3]int{ox, oy, oz}
				if g.Prev.Level[nb] == l {
					s.oldHalo(dst, nb, n, o)
				} else {
					s.sampledHalo(dst, nb, n, o)
				}
			}
		}
	}
	s.beyond(b, dst, n, w, false)
}

func (s *LevelSet) oldHalo(dst []float32, nb int32, n int, o [3]int) {
	w, e := n/2, n+2
	lo, hi := haloSpan(o, n, w)
	tile := s.Tiles.Tile(nb)
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			to := lo[0] + w + 2*n*(j+w+2*n*(k+w))
			from := lo[0] + 1 - o[0]*n + e*(j+1-o[1]*n+e*(k+1-o[2]*n))
			switch hi[0] - lo[0] { // calls to copy would take longer than what they copy
			case 8:
				*(*[8]float32)(dst[to:]) = [8]float32(tile[from:])
			case 4:
				*(*[4]float32)(dst[to:]) = [4]float32(tile[from:])
			default:
				*(*[2]float32)(dst[to:]) = [2]float32(tile[from:])
			}
		}
	}
}

// sampledHalo reads the part of the halo that lies in a block nb of another level.
func (s *LevelSet) sampledHalo(dst []float32, nb int32, n int, o [3]int) {
	w := n / 2
	lo, hi := haloSpan(o, n, w)
	f := float32(int(1)<<s.g.Prev.Level[nb]) / float32(n)
	in := func(a, i int) float32 { return (float32(i-o[a]*n) + .5) * f }
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			row := dst[lo[0]+w+2*n*(j+w+2*n*(k+w)):][:hi[0]-lo[0]]
			s.Tiles.Row(nb, row, in(0, lo[0]), f, in(1, j), in(2, k))
		}
	}
}
