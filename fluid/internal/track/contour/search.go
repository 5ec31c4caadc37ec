package contour

import (
	"math"
	"math/bits"
)

// reach is how many cells away from its own the search for the closest triangle looks: what it finds within that many cells, less overhang, is exact.
const reach = 2

// markNearby writes which cells of a tile, and within reach of it, are occupied, and which of its cells are within reach of such, or beside one.
func (c *Contour) markNearby(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	n, e := t.n, t.n+4
	rows := l.occupied[t.halo : t.halo+e*e]
	near, beside := l.nearby[t.cellRows:t.cellRows+n*n], l.beside[t.cellRows:t.cellRows+n*n]
	if t.mixed {
		clear(rows)
		for _, s := range t.around {
			if s != none && int(s) < l.active {
				l.occupy(t, &l.tiles[s], rows)
			}
		}
	} else {
		for z := range e {
			for y := range e {
				rows[y+e*z] = l.occupiedRow(t, y-reach, z-reach)
			}
		}
	}
	for z := range n {
		for y := range n {
			var far, m uint64
			for dz := range int32(2*reach + 1) {
				r := rows[y+e*(z+dz):][:2*reach+1]
				if middle := r[1] | r[2] | r[3]; dz == 0 || dz == 2*reach {
					far |= r[0] | middle | r[4]
				} else {
					m |= middle
					far |= r[0] | r[4]
				}
			}
			beside[y+n*z] = (m>>1 | m>>2 | m>>3) & (1<<n - 1)
			m |= far
			near[y+n*z] = (m | m>>1 | m>>2 | m>>3 | m>>4) & (1<<n - 1)
		}
	}
}

// occupiedRow is a row of a tile's cells with those beyond its ends, for tiles of one level around it.
func (l *layer) occupiedRow(t *tile, y, z int32) (m uint64) {
	q := int32(0)
	n := t.n
	q, y = wrap(y, n, q, 3)
	q, z = wrap(z, n, q, 9)
	for d := int32(0); d < 3; d++ {
		s := t.around[q+d]
		if s == none || int(s) >= l.active {
			continue
		}
		o := &l.tiles[s]
		row := l.cells[o.cellRows+y+n*z]
		switch d {
		case 0:
			for k := int32(1); k <= reach; k++ {
				if x := n - k; x >= 0 {
					m |= row >> x & 1 << (reach - k)
				}
			}
		case 1:
			m |= row << reach
		default:
			m |= row & (1<<reach - 1) << (n + reach)
		}
	}
	return m
}

// occupy adds the occupied cells of a tile o to the rows of another's cells with those around it: one of another size counts for all cells that it overlaps.
func (l *layer) occupy(t, o *tile, rows []uint64) {
	n, e := t.n, t.n+4
	finer := int(o.level) - int(t.level)
	var low [3]int32 // of o, cells of t from the first row
	for a := range 3 {
		low[a] = (o.coords[a]-t.coords[a])*n + reach
	}
	for z := range o.n {
		z0, z1 := overlapped(low[2], z, finer, e)
		if z0 >= z1 {
			continue
		}
		for y := range o.n {
			m := l.cells[o.cellRows+y+o.n*z]
			if m == 0 {
				continue
			}
			y0, y1 := overlapped(low[1], y, finer, e)
			if m = resized(m, finer); low[0] < 0 {
				m >>= -low[0]
			} else {
				m <<= low[0]
			}
			m &= 1<<e - 1
			for v := z0; v < z1; v++ {
				for u := y0; u < y1; u++ {
					rows[u+e*v] |= m
				}
			}
		}
	}
}

// overlapped is the range, from 0 to e, of the cells that a cell overlaps that is so many levels finer, the tile of which begins at low.
func overlapped(low, x int32, finer int, e int32) (from, to int32) {
	if finer >= 0 {
		from = low + x>>finer
		to = from + 1
	} else {
		from = low + x<<-finer
		to = from + 1<<-finer
	}
	return max(0, from), min(e, to)
}

// resized is a row of bits for cells that are so many levels coarser than its own.
func resized(m uint64, coarser int) (r uint64) {
	if coarser == 0 {
		return m
	}
	for ; m != 0; m &= m - 1 {
		if x := bits.TrailingZeros64(m); coarser > 0 {
			r |= 1 << (x >> coarser)
		} else {
			r |= (1<<(1<<-coarser) - 1) << (x << -coarser)
		}
	}
	return r
}

// wrap adds to a part of the neighbourhood where a coordinate lies, and brings it into 0 to n-1.
func wrap(x, n, q, step int32) (part, within int32) {
	switch {
	case x < 0:
		return q, max(0, x+n)
	case x >= n:
		return q + 2*step, min(n-1, x-n)
	}
	return q + step, x
}

// rowOrder are the rows of cells around one, y and z, the closest first.
var rowOrder = func() (all [25][2]int32) {
	i := 0
	for far := int32(0); far <= 2*reach*reach; far++ {
		for z := int32(-reach); z <= reach; z++ {
			for y := int32(-reach); y <= reach; y++ {
				if y*y+z*z == far {
					all[i] = [2]int32{y, z}
					i++
				}
			}
		}
	}
	return all
}()

// closeRows is how many of rowOrder are no more than one cell away; the others are at least a whole cell away, but for what reaches out of them.
const closeRows = 9

// closest is what a search has found so far.
type closest struct {
	square float32 // of the distance, units²
	root   float32 // the distance, units
	side   float32 // how far outside of the triangle's plane the point is
	in     *piece  // with the triangle
	of     *tile
	index  int
	v, w   float32 // weights of its second and third corner in its closest point
	inside bool    // that is on no edge
}

// tie is the relative difference up to which squares of distances count as the same: a hundred roundings of numbers up to a
// block's 32 units. Where an edge or a vertex is closest, triangles that share it tell the side: the one whose plane is furthest away is right.
const tie = 1e-5

// try compares a triangle with the closest so far. ap: the point from the triangle's first corner; h: how far it is outside of its plane.
func (q *closest) try(t *tile, k *piece, i int, ap [3]float32, h float32) {
	f := &k.faces[i]
	v, w, inside := f.weights(ap)
	square := float32(h * h)
	if !inside {
		x, y, z := ap[0]-float32(v*f.ab[0])-float32(w*f.ac[0]), ap[1]-float32(v*f.ab[1])-float32(w*f.ac[1]), ap[2]-float32(v*f.ab[2])-float32(w*f.ac[2])
		square = float32(x*x) + float32(y*y) + float32(z*z)
	}
	if square > float32(q.square*(1+tie)) {
		return
	}
	if square < float32(q.square*(1-tie)) || abs32(h) > abs32(q.side) {
		q.side, q.in, q.of, q.index, q.v, q.w, q.inside = h, k, t, i, v, w, inside
	}
	if square < q.square {
		q.square, q.root = square, float32(math.Sqrt(float64(square)))
	}
}

// within begins a search for what is closer than a distance, units.
func within(far float32) closest { return closest{square: float32(far * far), root: far} }

// weights are those of the second and the third corner in the point of a triangle that is closest to one ap away from the first; inside
// tells that it is on no edge.
//
// Source: the regions of Ericson, Real-Time Collision Detection, §5.1.5.
func (f *face) weights(ap [3]float32) (v, w float32, inside bool) {
	d1, d2 := dot(f.ab, ap), dot(f.ac, ap)
	if d1 <= 0 && d2 <= 0 {
		return 0, 0, false
	}
	d3, d4 := d1-f.abab, d2-f.abac
	if d3 >= 0 && d4 <= d3 {
		return 1, 0, false
	}
	d5, d6 := d1-f.abac, d2-f.acac
	if d6 >= 0 && d5 <= d6 {
		return 0, 1, false
	}
	vc := float32(d1*d4) - float32(d3*d2)
	if vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3 {
		return d1 / (d1 - d3), 0, false
	}
	vb := float32(d5*d2) - float32(d1*d6)
	if vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6 {
		return 0, d2 / (d2 - d6), false
	}
	va := float32(d3*d6) - float32(d5*d4)
	if va <= 0 && d4 >= d3 && d5 >= d6 && (d4-d3)+(d5-d6) > 0 {
		s := (d4 - d3) / ((d4 - d3) + (d5 - d6))
		return 1 - s, s, false
	}
	scale := 1 / (va + vb + vc)
	return vb * scale, vc * scale, true
}

// risen is how far the curved surface is outside of the triangle where that is closest.
func (q *closest) risen() float32 {
	b := &q.in.bends[q.index]
	v, w := q.v, q.w
	u := 1 - v - w
	return float32(u*float32(v*b[0])) + float32(u*float32(w*b[1])) + float32(v*float32(w*b[2]))
}

// search finds the closest triangle to a point in a cell of a tile that is closer than what best has, within reach.
func (l *layer) search(t *tile, cell [3]int32, p [3]float32, best *closest) {
	size, e := float32(t.cell), t.n+4
	var gaps [3][2*reach + 1]float32
	for a := range 3 {
		squareGaps(p[a]-float32(float32(cell[a])*size), size, &gaps[a])
	}
	rows := l.occupied[t.halo:]
	if rows[cell[1]+reach+e*(cell[2]+reach)]>>(cell[0]+reach)&1 != 0 {
		l.tryTriangles(t, cell[0], cell[1], cell[2], p, best)
	}
	for i, o := range &rowOrder {
		if i == closeRows && best.root < float32((1-overhang)*size) {
			break
		}
		row := gaps[1][o[0]+reach] + gaps[2][o[1]+reach]
		if row > best.square {
			continue
		}
		y, z := cell[1]+o[0], cell[2]+o[1]
		m := rows[y+reach+e*(z+reach)] >> cell[0] & 31
		if i == 0 {
			m &^= 1 << reach
		}
		for m != 0 {
			dx := int32(bits.TrailingZeros64(m))
			m &= m - 1
			if row+gaps[0][dx] <= best.square {
				l.tryCell(t, cell[0]+dx-reach, y, z, p, best)
			}
		}
	}
}

// squareGaps are the squares of the distances along one axis from a place in a cell to what may be of the cells up to reach before and after it.
func squareGaps(x, size float32, gaps *[2*reach + 1]float32) {
	gaps[reach] = 0
	low, high := x-float32(overhang*size), size-x-float32(overhang*size)
	for d := 1; d <= reach; d++ {
		below, above := max(0, low), max(0, high)
		gaps[reach-d], gaps[reach+d] = float32(below*below), float32(above*above)
		low += size
		high += size
	}
}

// tryCell compares the triangles of a cell of a tile, or of what is there in one beside it.
func (l *layer) tryCell(t *tile, x, y, z int32, p [3]float32, best *closest) {
	if n := t.n; uint32(x) >= uint32(n) || uint32(y) >= uint32(n) || uint32(z) >= uint32(n) {
		q := int32(0)
		cell := [3]*int32{&x, &y, &z}
		for a, step := range [3]int32{1, 3, 9} {
			switch {
			case *cell[a] < 0:
				*cell[a] += n
				p[a] += float32(l.c.edge)
			case *cell[a] >= n:
				*cell[a] -= n
				p[a] -= float32(l.c.edge)
				q += 2 * step
			default:
				q += step
			}
			if uint32(*cell[a]) >= uint32(n) {
				return
			}
		}
		o := &l.tiles[t.around[q]]
		if o.level != t.level {
			l.tryOtherCells(o, int(o.level)-int(t.level), [3]int32{x, y, z}, p, best)
			return
		}
		t = o
	}
	l.tryTriangles(t, x, y, z, p, best)
}

// tryTriangles compares the triangles of an occupied cell of a tile.
func (l *layer) tryTriangles(t *tile, x, y, z int32, p [3]float32, best *closest) {
	row := t.cellRows + y + t.n*z
	rank := l.cellRank[row] + int32(bits.OnesCount64(l.cells[row]&(1<<x-1)))
	k := &l.pieces[l.slot[t.base]]
	for i := k.first[rank]; i < k.first[rank+1]; i++ {
		f := &k.faces[i]
		ap := [3]float32{p[0] - f.a[0], p[1] - f.a[1], p[2] - f.a[2]}
		x, y, z := ap[0]-float32((f.ab[0]+f.ac[0])*(1./3)), ap[1]-float32((f.ab[1]+f.ac[1])*(1./3)), ap[2]-float32((f.ab[2]+f.ac[2])*(1./3))
		if far := best.root + f.radius; float32(x*x)+float32(y*y)+float32(z*z) > float32(far*far) {
			continue
		}
		if h := dot(f.n, ap); float32(h*h) <= float32(best.square*(1+tie)) {
			best.try(t, k, int(i), ap, h)
		}
	}
}

// tryOtherCells does that where the tile is so many levels finer than the cell, or coarser.
func (l *layer) tryOtherCells(t *tile, finer int, cell [3]int32, p [3]float32, best *closest) {
	if finer < 0 {
		x, y, z := cell[0]>>-finer, cell[1]>>-finer, cell[2]>>-finer
		if l.cells[t.cellRows+y+t.n*z]>>x&1 != 0 {
			l.tryTriangles(t, x, y, z, p, best)
		}
		return
	}
	var low [3]int32
	for a := range 3 {
		low[a] = cell[a] << finer
	}
	size, ratio := float32(t.cell), int32(1)<<finer
	for z := low[2]; z < low[2]+ratio; z++ {
		zz := squareGap(p[2], z, size)
		for y := low[1]; y < low[1]+ratio; y++ {
			row := zz + squareGap(p[1], y, size)
			for m := l.cells[t.cellRows+y+t.n*z] >> low[0] & (1<<ratio - 1); m != 0; m &= m - 1 {
				if x := low[0] + int32(bits.TrailingZeros64(m)); row+squareGap(p[0], x, size) <= best.square {
					l.tryTriangles(t, x, y, z, p, best)
				}
			}
		}
	}
}

// squareGap is the square of the distance along an axis from a place to what may be of a cell.
func squareGap(p float32, cell int32, size float32) float32 {
	low := float32(float32(cell) * size)
	gap := max(0, low-p, p-low-size) - float32(overhang*size)
	gap = max(0, gap)
	return float32(gap * gap)
}

// Around a triangle's border there are others as far as this part of a cell away. walks is how many triangles searchAround goes on to.
const (
	around = .1 + overhang
	walks  = 4
)

// searchAround goes from the closest triangle so far to closer ones beside it, until the closest point is within one.
func (l *layer) searchAround(t *tile, p [3]float32, best *closest) {
	rows, e, inverse := l.occupied[t.halo:], t.n+4, 1/float32(t.cell)
	for range walks {
		if best.inside {
			return
		}
		f, v, w := &best.in.faces[best.index], best.v, best.w
		var lo, hi [3]int32
		for a := range 3 {
			foot := float32(float32((best.of.coords[a]-t.coords[a])*l.c.edge) + f.a[a] + float32(v*f.ab[a]) + float32(w*f.ac[a]))
			foot = float32(foot * inverse)
			lo[a] = max(-reach, int32(foot-around+reach)-reach)
			hi[a] = min(t.n+reach-1, int32(foot+around+reach)-reach)
		}
		if lo[0] > hi[0] {
			return
		}
		in, index := best.in, best.index
		mask := (uint64(2)<<(hi[0]+reach) - 1) >> (lo[0] + reach) << (lo[0] + reach)
		for z := lo[2]; z <= hi[2]; z++ {
			for y := lo[1]; y <= hi[1]; y++ {
				for m := rows[y+reach+e*(z+reach)] & mask; m != 0; m &= m - 1 {
					l.tryCell(t, int32(bits.TrailingZeros64(m))-reach, y, z, p, best)
				}
			}
		}
		if best.in == in && best.index == index {
			return
		}
	}
}
