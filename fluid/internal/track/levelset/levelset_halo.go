package levelset

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// wall is the magnitude of a halo beyond the grid of which only the sign counts.
const wall = 1e30

// directions are the offsets of a block's 26 neighbours, and its own, by x + 3y + 9z from (-1, -1, -1).
var directions [27][3]int

func init() {
	for d := range directions {
		directions[d] = [3]int{d%3 - 1, d/3%3 - 1, d/9 - 1}
	}
}

// haloPart is what a tile of a block takes from one of the blocks around it, or from the block itself: where that begins in the
// tile, where in the other's cells if these are of the same size, and how many places along each axis it is.
type haloPart struct {
	to, from int
	size     [3]int
}

// haloParts are by level and direction.
var haloParts = makeHaloParts()

func makeHaloParts() (all [layout.MaxLevel + 1][27]haloPart) {
	for l := range all {
		n, e := 1<<l, 1<<l+2
		for d := range all[l] {
			o := [3]int{d%3 - 1, d/3%3 - 1, d/9 - 1}
			lo, hi := haloSpan(o, n, 1)
			all[l][d] = haloPart{
				to:   lo[0] + 1 + e*(lo[1]+1+e*(lo[2]+1)),
				from: lo[0] - n*o[0] + n*(lo[1]-n*o[1]+n*(lo[2]-n*o[2])),
				size: [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]},
			}
		}
	}
	return all
}

// facing is the directions across the sides of a block, -x, +x, -y, ...
var facing = [6]int{12, 14, 10, 16, 4, 22}

// gatherNew copies a block of Phi on Cur into w.tile: (n+2)³ values with one layer of halo, x fastest.
//
// Beyond the grid the halo is the linear extrapolation.
//
// A finer neighbour that is out of its own, narrower band has no distance to give: its
// halo takes this block's limit.
func (s *Field) gatherNew(w *workspace, b int32) {
	s.gatherAround(w, b)
	for d, nb := range s.g.Nearby(b) {
		if nb != layout.None && s.g.Cur.Level[nb] != s.g.Cur.Level[b] {
			s.gatherUnlike(b, nb, d, w.tile[:])
		}
	}
	s.beyond(b, w.tile[:], 1<<s.g.Cur.Level[b], 1)
}

// gatherSides is gatherNew as sweeps need it: the halo's edges and corners are not set, beyond the grid it is ±wall with the sign of the cell beside it, and where
// a finer neighbour is out of its band it goes on as the block does where that is linear.
func (s *Field) gatherSides(w *workspace, b int32) {
	s.gatherAround(w, b)
	level := s.g.Cur.Level
	for side, nb := range s.g.Neighbour[b] {
		if nb == layout.None || level[nb] == level[b] {
			continue
		}
		s.gatherUnlike(b, nb, facing[side], w.tile[:])
	}
	s.fillOuterHalo(b, w.tile[:], 1<<level[b])
	if level[b] == 0 {
		return
	}
	for side, nb := range s.g.Neighbour[b] {
		if nb != layout.None && level[nb] > level[b] {
			s.goOnUnknown(w.tile[:], s.Phi[s.g.Cur.First[nb]:], facing[side], level[b], level[nb])
		}
	}
}

// gatherAround copies a block, and of those around it what halo lies in blocks of its level. The other halo is not set.
func (s *Field) gatherAround(w *workspace, b int32) {
	m := &s.g.Cur
	for d, nb := range s.g.Nearby(b) {
		if nb == layout.None || m.Level[nb] != m.Level[b] {
			nb = b
		}
		w.first[d] = m.First[nb]
	}
	gatherAlike(w.tile[:], s.Phi, &w.first, 1<<m.Level[b])
}

// gatherAlike fills a tile from 27 blocks of n³ cells, of which each begins in phi where first says. It exists in plain Go,
// here, and in assembly for processors with AVX2.
//
// dst: len = (n+2)³.
var gatherAlike = gatherAlikeGo

func gatherAlikeGo(dst, phi []float32, first *[27]int32, n int) {
	e := n + 2
	for d, from := range first {
		p := &haloParts[bits.Len(uint(n))-1][d]
		for k := range p.size[2] {
			for j := range p.size[1] {
				copy(dst[p.to+e*(j+e*k):][:p.size[0]], phi[int(from)+p.from+n*(j+n*k):])
			}
		}
	}
}

// gatherUnlike fills the halo that block nb, of another level and in a direction from block b, covers.
func (s *Field) gatherUnlike(b, nb int32, d int, dst []float32) {
	m := &s.g.Cur
	l, rl, cells := m.Level[b], m.Level[nb], s.Phi[m.First[nb]:]
	switch part := &haloParts[l][d]; {
	case rl > l:
		s.fineHalo(dst, cells, part, l, rl)
	case rl == 0:
		s.singleHalo(dst, b, cells[0], 1<<l, directions[d])
	default:
		coarseHalo(dst, cells, part, &taps[l][rl], directions[d], 1<<l+2, 1<<rl)
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

// fineHalo fills a part of the halo of a block of level l from the cells of a finer neighbour of level rl: by the mean of the
// eight in the middle of those that make up one.
func (s *Field) fineHalo(dst, cells []float32, part *haloPart, l, rl uint8) {
	n, e, r := 1<<rl, 1<<l+2, 1<<(rl-l)
	far, own := .999*s.limit(rl), s.limit(l)
	first := middleOfEight(part.from, l, rl) // part.from is in cells of l; along each axis it is the first or the last
	for z := range part.size[2] {
		for y := range part.size[1] {
			row, at := dst[part.to+e*(y+e*z):][:part.size[0]], first+r*n*(y+n*z)
			for x := range row {
				low, high := cells[at:][:n+2], cells[at+n*n:][:n+2]
				v := (low[0] + low[1] + low[n] + low[n+1] + high[0] + high[1] + high[n] + high[n+1]) / 8
				if v >= far {
					v = own
				} else if v <= -far {
					v = -own
				}
				row[x] = v
				at += r
			}
		}
	}
}

// goOnUnknown continues a block into the halo that fineHalo has filled towards d, where any of the eight cells is out of its band and the block is linear across the
// side: the mean of the eight, or the block's limit, is not the distance there. It is no less than the mean.
func (s *Field) goOnUnknown(dst, cells []float32, d int, l, rl uint8) {
	part, n, e, r := &haloParts[l][d], 1<<rl, 1<<l+2, 1<<(rl-l)
	far, limit, o := .999*s.limit(rl), s.limit(l), directions[d]
	in := -(o[0] + e*(o[1]+e*o[2]))
	first := middleOfEight(part.from, l, rl)
	for z := range part.size[2] {
		for y := range part.size[1] {
			for x := range part.size[0] {
				to := part.to + x + e*(y+e*z)
				mean, most := middle(cells[first+r*(x+n*(y+n*z)):], n)
				if most < far {
					continue
				}
				side := float32(math.Copysign(1, float64(mean)))
				if c, slope := float32(side*dst[to+in]), linearSlope(dst, to+in, in, side); c > 0 && slope > 0 {
					dst[to] = float32(side * lesser(greater(float32(side*mean), c-slope), limit))
				}
			}
		}
	}
}

// middleOfEight is the first of the eight cells in the middle of a cell of level l, in a block of the finer level rl.
func middleOfEight(cell int, l, rl uint8) int {
	n, r := 1<<rl, 1<<(rl-l)
	i, j, k := cell&(1<<l-1), cell>>l&(1<<l-1), cell>>(2*l)
	return (r/2-1)*(1+n+n*n) + r*(i+n*(j+n*k))
}

// middle is the mean and the greatest magnitude of eight cells in a block of n³.
func middle(cells []float32, n int) (mean, most float32) {
	low, high := cells[:n+2], cells[n*n:][:n+2]
	for _, v := range [8]float32{low[0], low[1], low[n], low[n+1], high[0], high[1], high[n], high[n+1]} {
		mean += v
		most = greater(most, abs32(v))
	}
	return mean / 8, most
}

// singleHalo fills the halo towards o from a neighbour of one cell: it lies on the line from b's own cell.
func (s *Field) singleHalo(dst []float32, b int32, far float32, n int, o [3]int) {
	e := n + 2
	lo, hi := haloSpan(o, n, 1)
	first := s.g.Cur.First[b]
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
var taps [layout.MaxLevel + 1][layout.MaxLevel + 1][3][layout.Edge]tap

func init() {
	for l := 2; l <= layout.MaxLevel; l++ {
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

// coarseHalo fills a part of the halo, of edge e, from a coarser neighbour of rn³ cells towards o: the coarse cell's value with
// slopes by differences inside of that block.
func coarseHalo(dst, cells []float32, part *haloPart, table *[3][layout.Edge]tap, o [3]int, e, rn int) {
	tx, ty, tz := table[o[0]+1][:part.size[0]], table[o[1]+1][:part.size[1]], table[o[2]+1][:part.size[2]]
	for k := range tz {
		z := &tz[k]
		for j := range ty {
			y := &ty[j]
			row := dst[part.to+e*(j+e*k):][:len(tx)]
			mid := cells[rn*(y.cell+rn*z.cell):][:rn]
			yLo, yHi := cells[rn*(y.lo+rn*z.cell):][:rn], cells[rn*(y.hi+rn*z.cell):][:rn]
			zLo, zHi := cells[rn*(y.cell+rn*z.lo):][:rn], cells[rn*(y.cell+rn*z.hi):][:rn]
			for i := 0; i < len(row); {
				c, lo, hi := tx[i].cell, tx[i].lo, tx[i].hi
				v, slope := mid[c], mid[hi]-mid[lo]
				yPart, zPart := float32(y.d*(yHi[c]-yLo[c])*y.inv), float32(z.d*(zHi[c]-zLo[c])*z.inv)
				for ; i < len(row) && tx[i].cell == c; i++ { // the places in a coarse cell
					row[i] = v + float32(tx[i].d*slope*tx[i].inv) + yPart + zPart
				}
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

// beyond fills the halo outside of the grid, w layers of it, axis by axis, by linear extrapolation.
func (s *Field) beyond(b int32, dst []float32, n, w int) {
	e := n + 2*w
	stride := [3]int{1, e, e * e}
	for side, nb := range s.g.Neighbour[b] {
		if nb != layout.None {
			continue
		}
		a := side / 2
		p, q, out := stride[(a+1)%3], stride[(a+2)%3], (side%2*2-1)*stride[a]
		first := (w + side%2*(n-1)) * stride[a]
		single := n == 1 && s.g.Neighbour[b][side^1] == layout.None
		for u := range e {
			from := first + u*q
			for range e {
				extend(dst, from, out, w, single)
				from += p
			}
		}
	}
}

// extend writes w values after dst[from], going by step.
func extend(dst []float32, from, step, w int, single bool) {
	v, slope := dst[from], float32(0)
	if !single {
		slope = v - dst[from-step]
	}
	for i := 1; i <= w; i++ {
		dst[from+i*step] = v + float32(float32(i)*slope)
	}
}

// fillOuterHalo fills one layer of halo outside of the grid, but for its edges and corners, with values of which only the
// sign counts.
func (s *Field) fillOuterHalo(b int32, dst []float32, n int) {
	e := n + 2
	stride := [3]int{1, e, e * e}
	for side, nb := range s.g.Neighbour[b] {
		if nb != layout.None {
			continue
		}
		a := side / 2
		p, q, out := stride[(a+1)%3], stride[(a+2)%3], (side%2*2-1)*stride[a]
		first := (1+side%2*(n-1))*stride[a] + p + q
		for u := range n {
			from := first + u*q
			for range n {
				far := float32(wall)
				if dst[from] < 0 {
					far = -wall
				}
				dst[from+out] = far
				from += p
			}
		}
	}
}

// oldBox is the part of a block's old φ that is read, by places in the cube of gatherOld; hi is not in it.
type oldBox struct{ lo, hi [3]int }

// gatherOld copies a block of the published φ with half a block of halo: (2n)³ values, x
// fastest, the block's first cell at (n/2, n/2, n/2). n must be 4 or 8. What lies outside of
// the box may be left out.
func (s *Field) gatherOld(b int32, dst []float32, box oldBox) {
	g := s.g
	l := g.Prev.Level[b]
	n := 1 << l
	w := n / 2
	for a := range 3 {
		if g.Neighbour[b][2*a] == layout.None || g.Neighbour[b][2*a+1] == layout.None {
			box.lo[a], box.hi[a] = 0, 2*n // what is beyond comes from what is within
		}
	}
	for _, o := range directions {
		nb := g.Around(b, o[0], o[1], o[2])
		if nb == layout.None {
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
			if g.Cur.Level[b] != l {
				lo[0], hi[0] = max(lo[0], box.lo[0]-w), min(hi[0], box.hi[0]-w)
				s.continueHalo(dst, b, max(l, g.Prev.Level[nb]), lo, hi)
			}
		}
	}
	s.beyond(b, dst, n, w)
}

// oldHalo fills the places lo to hi-1 of the halo, which lie in a block nb of the same level.
func (s *Field) oldHalo(dst []float32, nb int32, n int, o, lo, hi [3]int) {
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
func (s *Field) sampledHalo(dst []float32, nb int32, n int, o, lo, hi [3]int) {
	w, e := n/2, 1<<s.g.Prev.Level[nb]+2
	f := float32(e-2) / float32(n)
	in := func(a, i int) float32 { return float32((float32(i-o[a]*n)+.5)*f) + .5 } // in its tile
	tile := s.Tiles.Tile(nb)
	var index [layout.Edge]int
	var share [layout.Edge]float32
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
func sampleRow(row []float32, index *[layout.Edge]int, share *[layout.Edge]float32, t []float32, e int, v, w float32) {
	p, q, r, s := t[:e], t[e:][:e], t[e*e:][:e], t[e*e+e:][:e]
	for n := range row {
		i, u := index[n&(layout.Edge-1)], share[n&(layout.Edge-1)]
		a := p[i] + float32(u*(p[i+1]-p[i]))
		b := q[i] + float32(u*(q[i+1]-q[i]))
		c := r[i] + float32(u*(r[i+1]-r[i]))
		d := s[i] + float32(u*(s[i+1]-s[i]))
		a += float32(v * (b - a))
		c += float32(v * (d - c))
		row[n] = a + float32(w*(c-a))
	}
}
