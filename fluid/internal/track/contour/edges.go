package contour

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// findSigns writes the rows of signs of a tile, and which of its cells the surface passes by the signs of their corners.
func (c *Contour) findSigns(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	n := int(t.n)
	f := l.samples(t)
	signs := l.sign[t.rows:]
	for r := range (n + 1) * (n + 1) {
		row, m := f[r*(n+1):][:n+1], uint64(0)
		for x, v := range row {
			if v < 0 {
				m |= 1 << x
			}
		}
		signs[r] = m
	}
	all := uint64(1)<<n - 1
	for z := range n {
		for y := range n {
			s := signs[y+(n+1)*z:]
			or, and := s[0]|s[1]|s[n+1]|s[n+2], s[0]&s[1]&s[n+1]&s[n+2]
			l.cells[t.cellRows+int32(y+n*z)] = (or | or>>1) &^ (and & (and >> 1)) & all
		}
	}
}

// findFiner writes which cells in and around a tile finer tiles have the surface in, where there are some beside it.
func (c *Contour) findFiner(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	if !t.finer {
		return
	}
	e := t.n + 4
	rows := l.occupied[t.halo : t.halo+e*e]
	clear(rows)
	for _, s := range t.around {
		if s != none && int(s) < l.active && l.tiles[s].level > t.level {
			l.occupy(t, &l.tiles[s], rows)
		}
	}
}

// besideFiner are the cells of a row that touch one where a finer tile has the surface: it may cut their faces though their own samples do not tell.
func (l *layer) besideFiner(t *tile, y, z int32) (m uint64) {
	if !t.finer {
		return 0
	}
	e := t.n + 4
	for dz := int32(-1); dz <= 1; dz++ {
		for dy := int32(-1); dy <= 1; dy++ {
			r := l.occupied[t.halo+y+dy+reach+e*(z+dz+reach)]
			m |= r>>(reach-1) | r>>reach | r>>(reach+1)
		}
	}
	return m & (1<<t.n - 1)
}

// findEdges marks and counts the vertices that a tile has: those on cut edges within it, and on its border where it is their owner.
func (c *Contour) findEdges(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	n := int(t.n)
	signs := l.sign[t.rows:]
	count := int32(0)
	for z := range n + 1 {
		for y := range n + 1 {
			r := y + (n+1)*z
			s := signs[r]
			var cut [3]uint64
			cut[0] = (s ^ s>>1) & (1<<n - 1)
			if y < n {
				cut[1] = s ^ signs[r+1]
			}
			if z < n {
				cut[2] = s ^ signs[r+n+1]
			}
			q := 3*int(part(int32(y), t.n)) + 9*int(part(int32(z), t.n))
			for a := range 3 {
				m := cut[a]
				for px, of := range [3]uint64{1, 1<<n - 2, 1 << n} {
					if t.owner[a][px+q] != i {
						m &^= of
					}
				}
				if a == 0 && t.owner[0][1+q] == i {
					m = cut[0]
				}
				l.crossed[a][t.rows+int32(r)], l.rank[a][t.rows+int32(r)] = m, count
				count += int32(bits.OnesCount64(m))
			}
		}
	}
	t.vertices = count
}

// placeVertices puts the vertices of a tile where the samples' zero is between the ends of their edges, and gives them the
// samples' gradient as normal.
func (c *Contour) placeVertices(worker int, i int32) {
	l, w := c.now, &c.work[worker]
	t := &l.tiles[i]
	if t.vertices == 0 {
		return
	}
	n := int(t.n)
	l.gatherHalo(t, w)
	f, cell := w.halo, float32(t.cell)
	e := n + 3
	steps := [3]int{1, e, e * e}
	dst, normals := l.position[3*t.first:], l.normal[3*t.first:]
	for z := range n + 1 {
		for y := range n + 1 {
			r := y + (n+1)*z
			for a := range 3 {
				at := int(l.rank[a][int(t.rows)+r])
				for m := l.crossed[a][int(t.rows)+r]; m != 0; m &= m - 1 {
					x := bits.TrailingZeros64(m)
					k := x + 1 + e*(y+1+e*(z+1))
					u, bend := t.crossingAt(f, k, steps[a])
					p := [3]float32{float32(x), float32(y), float32(z)}
					p[a] += u
					dst[3*at], dst[3*at+1], dst[3*at+2] = p[0]*cell, p[1]*cell, p[2]*cell
					normal := gradient(f, k, a, &steps, u, bend)
					copy(normals[3*at:3*at+3], normal[:])
					at++
				}
			}
		}
	}
}

// gradient is the unit vector along that of the samples, at u on an edge from node k along an axis. bend: see crossingAt.
func gradient(f []float32, k, axis int, steps *[3]int, u, bend float32) (g [3]float32) {
	o := k + steps[axis]
	sum := float32(0)
	for a, s := range steps {
		if a == axis {
			g[a] = f[o] - f[k] + float32((u-.5)*bend)
		} else {
			low, high := f[k+s]-f[k-s], f[o+s]-f[o-s]
			g[a] = float32((low + float32(u*(high-low))) * .5)
		}
		sum += float32(g[a] * g[a])
	}
	if sum > 0 {
		scale := 1 / float32(math.Sqrt(float64(sum)))
		for a := range g {
			g[a] *= scale
		}
	}
	return g
}

// gatherHalo copies a tile's samples with one more layer around them to halo: the next ones of the tiles beside it, else in line with its own.
func (l *layer) gatherHalo(t *tile, w *workspace) {
	n := t.n
	e := n + 3
	w.halo = arrays.Resize(w.halo, int(e*e*e))
	src := l.samples(t)
	for z := range n + 1 {
		for y := range n + 1 {
			copy(w.halo[1+e*(y+1+e*(z+1)):][:n+1], src[(n+1)*(y+(n+1)*z):])
		}
	}
	// The samples beyond edges and corners of a tile are not needed.
	for a := range 3 {
		for side := range int32(2) {
			var o *tile
			if s := t.around[13+(2*side-1)*[3]int32{1, 3, 9}[a]]; s != none && int(s) < l.active {
				o = &l.tiles[s]
			}
			l.gatherSide(t, o, w.halo, a, side)
		}
	}
}

// gatherSide does that for a side, from the tile o beyond it, or nil.
func (l *layer) gatherSide(t, o *tile, halo []float32, a int, side int32) {
	n, u, v := t.n, (a+1)%3, (a+2)%3
	e := n + 3
	step := [3]int32{1, e, e * e}
	at, inward := int32(0), step[a]
	if side == 1 {
		at, inward = n+2, -step[a]
	}
	for j := range n + 1 {
		for i := range n + 1 {
			k := at*step[a] + (i+1)*step[u] + (j+1)*step[v]
			first, second := halo[k+inward], halo[k+2*inward]
			halo[k] = float32(2*first) - second
			switch {
			case o == nil:
			case o.cell <= t.cell:
				// There is a sample at that very place.
				if v := l.f[o.f+o.beside(a, side, t.cell/o.cell, i*t.cell/o.cell, j*t.cell/o.cell)]; o.cell == t.cell || o.knows(v) {
					halo[k] = v
				}
			default:
				// The parabola through the two samples of the tile and what the other has further away.
				if far, known := l.bilinear(o, a, side, i*t.cell, j*t.cell); known {
					r := float32(o.cell / t.cell)
					halo[k] = float32((1-r)/(1+r)*second) + float32(2*(r-1)/r*first) + float32(2/((r+1)*r)*far)
				}
			}
		}
	}
}

// knows tells whether a sample of a tile is more than a side.
func (t *tile) knows(f float32) bool { return abs32(f) < float32(knownCells)*float32(t.cell) }

// beside is the place of a tile's sample that is d samples from the side that another tile touches: with its high side, for side 0, or its low one.
func (t *tile) beside(a int, side, d, i, j int32) int32 {
	var at [3]int32
	at[a], at[(a+1)%3], at[(a+2)%3] = d, i, j
	if side == 0 {
		at[a] = t.n - d
	}
	return at[0] + (t.n+1)*(at[1]+(t.n+1)*at[2])
}

// bilinear interpolates in the first layer of a tile's samples from that side, at local units along the side. known: these are more than sides.
func (l *layer) bilinear(o *tile, a int, side, u, v int32) (value float32, known bool) {
	i, j := min(u/o.cell, o.n-1), min(v/o.cell, o.n-1)
	part := 1 / float32(o.cell)
	x, y := float32(u-i*o.cell)*part, float32(v-j*o.cell)*part
	f := l.f[o.f:]
	var q [4]float32
	known = true
	for k := range q {
		q[k] = f[o.beside(a, side, 1, i+int32(k&1), j+int32(k>>1))]
		known = known && o.knows(q[k])
	}
	low, high := q[0]+float32(x*(q[1]-q[0])), q[2]+float32(x*(q[3]-q[2]))
	return low + float32(y*(high-low)), known
}

// leastPart keeps vertices apart from the ends of their edges, parts of an edge: else triangles have no area where a sample is nearly
// 0, and no normal. The volume that this moves has both signs.
const leastPart = 1e-3

// crossingAt is where between sample k and the next, of different sign, the zero is, 0 to 1: that of the line between them, moved by
// what the second differences around say that the samples bend. bend is the second difference.
func (t *tile) crossingAt(f []float32, k, step int) (u, bend float32) {
	a, b := f[k], f[k+step]
	u = a / (a - b)
	before, after := f[k-step], f[k+2*step]
	if t.knows(before) && t.knows(after) {
		// f(u) = a + u(b-a) - u(1-u)/2·f″; its zero by a step of Newton from the line's. The second difference is the mean of those
		// at both ends, limited: one across the middle of a thin sheet says nothing of the surface.
		bend = limited(before-float32(2*a)+b, after-float32(2*b)+a)
		u += float32(.5 * u * (1 - u) * bend / (b - a))
	}
	return max(leastPart, min(1-leastPart, u)), bend
}

// limited is the mean of two numbers, no more than twice that closer to 0, and 0 where the signs differ.
func limited(a, b float32) float32 {
	switch mean := float32((a + b) * .5); {
	case a > 0 && b > 0:
		return min(mean, 2*a, 2*b)
	case a < 0 && b < 0:
		return max(mean, 2*a, 2*b)
	}
	return 0
}
