package surface

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// wall is the magnitude that a halo beyond the grid has when it must tell nothing.
const wall = 1e30

// directions are the offsets of a block's 26 neighbours, and its own, by x + 3y + 9z from (-1, -1, -1).
var directions [27][3]int

func init() {
	for d := range directions {
		directions[d] = meshOffset(d)
	}
}

// gatherNew copies a block of Phi on Cur into (n+2)³ values with one layer of halo, x fastest.
//
// Beyond the grid the halo is the linear extrapolation. With walls set, as sweeps need it, it is
// ±wall with the sign of the cell beside it, and the halo's edges and corners are left out.
//
// A finer neighbour that is out of its own, narrower band says only that it is far: its
// halo takes this block's limit.
func (s *LevelSet) gatherNew(b int32, dst []float32, walls bool) {
	m := &s.g.Cur
	l := m.Level[b]
	n := 1 << l
	for _, o := range directions {
		if walls && o[0]*o[0]+o[1]*o[1]+o[2]*o[2] > 1 {
			continue
		}
		nb := s.g.Around(b, o[0], o[1], o[2])
		if nb == grid.None {
			continue
		}
		switch rl := m.Level[nb]; {
		case rl == l:
			sameHalo(dst, s.Phi[m.First[nb]:][:n*n*n], n, o)
		case rl > l:
			s.fineHalo(dst, b, nb, n, o)
		case rl == 0:
			s.singleHalo(dst, b, nb, n, o)
		default:
			s.coarseHalo(dst, l, nb, o)
		}
	}
	s.beyond(b, dst, n, 1, walls)
}

// sameHalo fills the part of the halo that a neighbour of the same level at offset o covers.
func sameHalo(dst, cells []float32, n int, o [3]int) {
	e := n + 2
	lo, hi := haloSpan(o, n, 1)
	shift := o[0] + n*(o[1]+n*o[2])
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			copyRow(dst[1+lo[0]+e*(j+1+e*(k+1)):], cells[lo[0]+n*(j+n*k)-n*shift:], hi[0]-lo[0])
		}
	}
}

// copyRow copies 1, 2, 4 or 8 values: calls to copy would take longer than what they copy.
func copyRow(dst, src []float32, n int) {
	switch n {
	case 8:
		*(*[8]float32)(dst) = [8]float32(src)
	case 4:
		*(*[4]float32)(dst) = [4]float32(src)
	case 2:
		*(*[2]float32)(dst) = [2]float32(src)
	default:
		dst[0] = src[0]
	}
}

// fineHalo is sameHalo for a finer neighbour.
func (s *LevelSet) fineHalo(dst []float32, b, nb int32, n int, o [3]int) {
	l, rl := s.g.Cur.Level[b], s.g.Cur.Level[nb]
	cells := s.Phi[s.g.Cur.First[nb]:]
	e := n + 2
	lo, hi := haloSpan(o, n, 1)
	far, own := .999*s.limit(rl), s.limit(l)
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			to := 1 + e*(j+1+e*(k+1))
			for i := lo[0]; i < hi[0]; i++ {
				v := middle(cells, 1<<rl, i-o[0]*n, j-o[1]*n, k-o[2]*n, 1<<(rl-l))
				if v >= far {
					v = own
				} else if v <= -far {
					v = -own
				}
				dst[to+i] = v
			}
		}
	}
}

// singleHalo is sameHalo for a neighbour of one cell: it lies on the line from b's own cell.
func (s *LevelSet) singleHalo(dst []float32, b, nb int32, n int, o [3]int) {
	e := n + 2
	lo, hi := haloSpan(o, n, 1)
	first, far := s.g.Cur.First[b], s.Phi[s.g.Cur.First[nb]]
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			for i := lo[0]; i < hi[0]; i++ {
				own := s.Phi[int(first)+min(max(i, 0), n-1)+n*(min(max(j, 0), n-1)+n*min(max(k, 0), n-1))]
				dst[1+i+e*(j+1+e*(k+1))] = own + (far-own)*2/(1+float32(n))
			}
		}
	}
}

// tap is where a place of the halo lies along one axis of a coarser block: in which cell, how far from
// its centre, and between which cells the slope is taken.
type tap struct {
	cell, lo, hi int
	d, inv       float32 // cells; one over the cells from lo to hi
}

// taps are those of the places towards -1, 0 and 1, by the level of the block and of the coarser one.
var taps [grid.MaxLevel + 1][grid.MaxLevel + 1][3][grid.Edge]tap

func init() {
	for l := 2; l <= grid.MaxLevel; l++ {
		for rl := 1; rl < l; rl++ {
			for o := -1; o <= 1; o++ {
				lo, hi := haloSpan([3]int{o}, 1<<l, 1)
				for i := lo[0]; i < hi[0]; i++ {
					taps[l][rl][o+1][i-lo[0]] = newTap(i-o<<l, l, rl)
				}
			}
		}
	}
}

// newTap is the tap of cell i of a block of level l in one of level rl.
func newTap(i, l, rl int) tap {
	last := 1<<rl - 1
	x := (float32(i) + .5) * float32(int(1)<<rl) / float32(int(1)<<l)
	c := int(x)
	t := tap{cell: c, lo: max(c-1, 0), hi: min(c+1, last), d: x - float32(c) - .5}
	t.inv = 1 / float32(t.hi-t.lo)
	return t
}

// coarseHalo is sameHalo for a coarser neighbour: the coarse cell's value with slopes by
// differences inside of that block.
func (s *LevelSet) coarseHalo(dst []float32, l uint8, nb int32, o [3]int) {
	n, rl := 1<<l, s.g.Cur.Level[nb]
	rn, e := 1<<rl, n+2
	cells := s.Phi[s.g.Cur.First[nb]:][:rn*rn*rn]
	lo, hi := haloSpan(o, n, 1)
	table := &taps[l][rl]
	tx, ty, tz := table[o[0]+1][:hi[0]-lo[0]], table[o[1]+1][:hi[1]-lo[1]], table[o[2]+1][:hi[2]-lo[2]]
	for k := range tz {
		z := &tz[k]
		for j := range ty {
			y := &ty[j]
			row := dst[1+lo[0]+e*(lo[1]+j+1+e*(lo[2]+k+1)):][:len(tx)]
			mid := cells[rn*(y.cell+rn*z.cell):][:rn]
			yLo, yHi := cells[rn*(y.lo+rn*z.cell):][:rn], cells[rn*(y.hi+rn*z.cell):][:rn]
			zLo, zHi := cells[rn*(y.cell+rn*z.lo):][:rn], cells[rn*(y.cell+rn*z.hi):][:rn]
			for i := range row {
				x := &tx[i]
				c := x.cell
				v := mid[c] + float32(x.d*(mid[x.hi]-mid[x.lo])*x.inv)
				v += float32(y.d * (yHi[c] - yLo[c]) * y.inv)
				row[i] = v + float32(z.d*(zHi[c]-zLo[c])*z.inv)
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
		dst[from+i*step] = v + float32(float32(i)*slope)
	}
}

// oldBox is the part of a block's old φ that is read, by places in the cube of gatherOld; hi is not in it.
type oldBox struct{ lo, hi [3]int }

// gatherOld copies a block of the published φ with half a block of halo: (2n)³ values, x
// fastest, the block's first cell at (n/2, n/2, n/2). n must be 4 or 8. What lies outside of
// the box may be left out.
func (s *LevelSet) gatherOld(b int32, dst []float32, box oldBox) {
	g := s.g
	l := g.Prev.Level[b]
	n := 1 << l
	w := n / 2
	for a := range 3 {
		if g.Neighbour[b][2*a] == grid.None || g.Neighbour[b][2*a+1] == grid.None {
			box.lo[a], box.hi[a] = 0, 2*n // what is beyond comes from what is within
		}
	}
	for _, o := range directions {
		nb := g.Around(b, o[0], o[1], o[2])
		if nb == grid.None {
			continue
		}
		lo, hi := haloSpan(o, n, w)
		empty := false
		for a := range 3 {
			first, end := max(lo[a], box.lo[a]-w), min(hi[a], box.hi[a]-w)
			empty = empty || first >= end
			if a > 0 { // rows stay whole
				lo[a], hi[a] = first, end
			}
		}
		switch {
		case empty:
		case g.Prev.Level[nb] == l:
			s.oldHalo(dst, nb, n, o, lo, hi)
		default:
			s.sampledHalo(dst, nb, n, o, lo, hi)
		}
	}
	s.beyond(b, dst, n, w, false)
}

// oldHalo fills the places lo to hi-1 of the halo, which lie in a block nb of the same level.
func (s *LevelSet) oldHalo(dst []float32, nb int32, n int, o, lo, hi [3]int) {
	w, e := n/2, n+2
	tile := s.Tiles.Tile(nb)
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			to := lo[0] + w + 2*n*(j+w+2*n*(k+w))
			from := lo[0] + 1 - o[0]*n + e*(j+1-o[1]*n+e*(k+1-o[2]*n))
			copyRow(dst[to:], tile[from:], hi[0]-lo[0])
		}
	}
}

// sampledHalo is oldHalo for a block of another level.
func (s *LevelSet) sampledHalo(dst []float32, nb int32, n int, o, lo, hi [3]int) {
	w, e := n/2, 1<<s.g.Prev.Level[nb]+2
	f := float32(e-2) / float32(n)
	in := func(a, i int) float32 { return float32((float32(i-o[a]*n)+.5)*f) + .5 } // in its tile
	tile := s.Tiles.Tile(nb)
	var index [grid.Edge]int
	var share [grid.Edge]float32
	count := hi[0] - lo[0]
	for i := range count {
		x := in(0, lo[0]+i)
		index[i] = int(x)
		share[i] = x - float32(index[i])
	}
	for k := lo[2]; k < hi[2]; k++ {
		z := in(2, k)
		kk := int(z)
		for j := lo[1]; j < hi[1]; j++ {
			y := in(1, j)
			jj := int(y)
			row := dst[lo[0]+w+2*n*(j+w+2*n*(k+w)):][:count]
			sampleRow(row, &index, &share, tile[e*(jj+e*kk):], e, y-float32(jj), z-float32(kk))
		}
	}
}

// sampleRow interpolates along a row, whose places and shares along x are given, at the shares v and w
// of the way to the next row and plane of a tile.
func sampleRow(row []float32, index *[grid.Edge]int, share *[grid.Edge]float32, t []float32, e int, v, w float32) {
	p, q, r, s := t[:e], t[e:][:e], t[e*e:][:e], t[e*e+e:][:e]
	for n := range row {
		i, u := index[n&(grid.Edge-1)], share[n&(grid.Edge-1)]
		a := p[i] + float32(u*(p[i+1]-p[i]))
		b := q[i] + float32(u*(q[i+1]-q[i]))
		c := r[i] + float32(u*(r[i+1]-r[i]))
		d := s[i] + float32(u*(s[i+1]-s[i]))
		a += float32(v * (b - a))
		c += float32(v * (d - c))
		row[n] = a + float32(w*(c-a))
	}
}
