package contour

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// needs is which samples of a tile are to be exact: the ends of cut edges, which decide where the mesh is, and those beside them, which normals and second
// differences are of. Rows of samples are bit by bit.
type needs struct {
	any    bool     // some sample is within reach, but has only its side
	liquid []uint64 // bit x is set in liquid
	left   []uint64 // where only the side is known
	beside []uint64 // of these the ones beside cells that the surface passes
	ends   []uint64 // the ends of cut edges
	found  []found  // per sample
	n      int32    // samples along an edge
	limit  float32  // of distances: samples on the border that are closer may be ends of edges in other tiles
}

// found is the triangle that is closest to where a sample came from.
type found struct {
	of    int32 // 1 + its tile, or 0
	index int32
}

func (k *needs) reset(t *tile) {
	k.n = t.n + 1
	n := int(k.n)
	k.liquid, k.left = arrays.Resize(k.liquid, n*n), arrays.Resize(k.left, n*n)
	k.beside, k.ends = arrays.Resize(k.beside, n*n), arrays.Resize(k.ends, n*n)
	k.found = arrays.Resize(k.found, n*n*n)
	clear(k.liquid)
	clear(k.left)
	clear(k.beside)
	clear(k.ends)
	clear(k.found)
	k.any, k.limit = false, float32(borderCells)*float32(t.cell)
}

// borderCells is how far a cut edge's end is from the surface at most, cells: the edge's length, as it was before the step.
const borderCells = 1.1

// leave notes a sample of which only the side is known.
func (k *needs) leave(at *spot, x, row int32) {
	if at.liquid {
		k.liquid[row] |= 1 << x
	}
	if at.far < distant {
		k.left[row] |= 1 << x
		k.any = true
		if at.far == adjacent {
			k.beside[row] |= 1 << x
		}
	}
}

// find notes a sample that is known.
func (k *needs) find(l *layer, best *closest, liquid bool, x, row int32) {
	if liquid {
		k.liquid[row] |= 1 << x
	}
	if best.in != nil {
		k.found[x+k.n*row] = found{1 + l.slot[best.of.base], int32(best.index)}
	}
}

// traceNeeded makes the samples exact that are left and needed.
func (g *group) traceNeeded() {
	k := g.needs
	g.traceRows(border)
	k.findEnds(g.f)
	if g.traceRows(ends) {
		k.findEnds(g.f)
		g.traceRows(ends)
	}
	g.traceRows(besideEnds)
}

// which samples traceRows makes exact.
type which uint8

const (
	border     which = iota // those on the tile's border that may be ends of edges in other tiles
	ends                    // the ends of cut edges
	besideEnds              // what is beside these
)

// traceRows makes some of the samples that are left exact. It tells whether the side of any is another, since the surface bulges out of its triangles.
func (g *group) traceRows(which which) (turned bool) {
	k := g.needs
	for z := range k.n {
		for y := range k.n {
			r := y + k.n*z
			if k.left[r] == 0 {
				continue
			}
			var m uint64
			switch which {
			case border:
				if m = k.beside[r]; y > 0 && y < k.n-1 && z > 0 && z < k.n-1 {
					m &= 1 | 1<<(k.n-1)
				}
			case ends:
				m = k.ends[r]
			default:
				m = k.besideEnds(y, z)
			}
			m &= k.left[r]
			for ; m != 0; m &= m - 1 {
				x := int32(bits.TrailingZeros64(m))
				switch known, other := g.traceLeft(x, y, z); {
				case other:
					k.liquid[r] ^= 1 << x
					turned = true
					fallthrough
				case known:
					k.left[r] &^= 1 << x
				}
			}
		}
	}
	return turned
}

// findEnds marks the ends of the cut edges, and what on the border is so close to the surface that it may be one.
func (k *needs) findEnds(f []float32) {
	n := k.n
	for z := range n {
		for y := range n {
			r := y + n*z
			s := k.liquid[r]
			cut := (s ^ s>>1) & (1<<(n-1) - 1)
			k.ends[r] |= cut | cut<<1
			if y+1 < n {
				cut = s ^ k.liquid[r+1]
				k.ends[r] |= cut
				k.ends[r+1] |= cut
			}
			if z+1 < n {
				cut = s ^ k.liquid[r+n]
				k.ends[r] |= cut
				k.ends[r+n] |= cut
			}
			step := n - 1
			if y == 0 || y == n-1 || z == 0 || z == n-1 {
				step = 1
			}
			for x := int32(0); x < n; x += step {
				if abs32(f[x+n*r]) < k.limit {
					k.ends[r] |= 1 << x
				}
			}
		}
	}
}

// besideEnds are the samples of a row beside ends of cut edges.
func (k *needs) besideEnds(y, z int32) uint64 {
	n, r := k.n, y+k.n*z
	m := k.ends[r]<<1 | k.ends[r]>>1
	if y > 0 {
		m |= k.ends[r-1]
	}
	if y < n-1 {
		m |= k.ends[r+1]
	}
	if z > 0 {
		m |= k.ends[r-n]
	}
	if z < n-1 {
		m |= k.ends[r+n]
	}
	return m
}

// traceLeft makes a sample exact, if one beside it is: it compares what is closest to the samples beside it, and what is around the best of these. It tells whether it did, and whether the sample's side is another.
func (g *group) traceLeft(x, y, z int32) (known, turned bool) {
	c := g.c
	l, k := c.from, g.needs
	n := k.n
	i := x + n*(y+n*z)
	var beside [6]int32
	count := 0
	for a, v := range [3]int32{x, y, z} {
		step := [3]int32{1, n, n * n}[a]
		if v > 0 && k.found[i-step].of != 0 {
			beside[count] = i - step
			count++
		}
		if v < n-1 && k.found[i+step].of != 0 {
			beside[count] = i + step
			count++
		}
	}
	if count == 0 {
		return false, false
	}
	p := g.origin(c.edge, x, y, z)
	at := l.locate(p.X, p.Y, p.Z)
	if at.far == distant {
		return false, false
	}
	best := within(float32(farCells * float32(at.t.cell)))
	var last found
	for _, j := range beside[:count] {
		if o := k.found[j]; o != last {
			l.tryFace(&at, &l.tiles[o.of-1], int(o.index), &best)
			last = o
		}
	}
	if best.in == nil {
		l.search(at.t, at.cell, at.p, &best)
	} else {
		l.searchAround(at.t, at.p, &best)
	}
	g.f[i] = c.ripples.signed(l, &best, &at)
	k.find(l, &best, at.liquid, x, y+n*z)
	return true, (g.f[i] < 0) != at.liquid
}
