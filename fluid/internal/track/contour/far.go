package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"gonum.org/v1/gonum/spatial/r3"
)

// Beyond the search's reach distances are propagated on a coarser lattice: the nodes stride samples apart of the tiles with the
// surface and of those around them. Near the surface they are exact. A node that is settled has the sign bit.

// Distance writes the signed distances of points, m, negative in the liquid: exact to the mesh where that is within a sample's
// spacing, of some percent within Band, and ±Band further out. The sides of the domain are not part of the surface.
func (c *Contour) Distance(dst []float32, at []r3.Vec) {
	if !c.now.ready {
		c.propagate()
	}
	c.answers, c.asked = dst, at
	par.For(c.pool, len(at), 256, c, (*Contour).distances)
	c.answers, c.asked = nil, nil
}

func (c *Contour) distances(_, lo, hi int) {
	l, scale := c.now, 1/c.unit
	for i := lo; i < hi; i++ {
		p := r3.Sub(c.asked[i], r3.Vec{X: c.g.Origin[0], Y: c.g.Origin[1], Z: c.g.Origin[2]})
		x, y, z := float64(p.X*scale), float64(p.Y*scale), float64(p.Z*scale)
		c.answers[i] = float32(float64(l.distanceAt(x, y, z)) * c.unit)
	}
}

// distanceAt is the signed distance at global units, units.
func (l *layer) distanceAt(x, y, z float64) float32 {
	d, exact := l.near(x, y, z)
	if !exact {
		far := l.farAt(x, y, z)
		if d = float32(math.Copysign(float64(far), float64(d))); far < 1 {
			// Not less than what the search has left out.
			d = float32(math.Copysign(1, float64(d)))
		}
	}
	band := l.c.fullUnits()
	return max(-band, min(d, band))
}

// farAt interpolates what was propagated, units ≥ 0.
func (l *layer) farAt(x, y, z float64) float32 {
	b, p := l.c.place(x, y, z)
	s := l.slot[b]
	if s == none {
		return l.c.fullUnits()
	}
	t := &l.tiles[s]
	m := t.n / t.stride
	var at [3]int32
	var u [3]float32
	inverse := 1 / float32(t.cell*t.stride)
	for a := range 3 {
		v := float32(p[a] * inverse)
		at[a] = min(int32(v), m-1)
		u[a] = v - float32(at[a])
	}
	n := m + 1
	f := l.far[t.far+at[0]+n*(at[1]+n*at[2]):]
	var q [4]float32
	for k, o := range [4]int32{0, n, n * n, n*n + n} {
		v, w := abs32(f[o]), abs32(f[o+1])
		q[k] = v + float32(u[0]*(w-v))
	}
	v, w := q[0]+float32(u[1]*(q[1]-q[0])), q[2]+float32(u[1]*(q[3]-q[2]))
	return v + float32(u[2]*(w-v))
}

// farRounds is how often distances pass from tile to tile: the band is no wider than a block, so that they come from the one beside it, or around its edge.
const farRounds = 3

// propagate writes the distances of the nodes from the surface, in tiles with some that are nearer than they were.
func (c *Contour) propagate() {
	l := c.now
	n := len(l.tiles)
	l.farOld, c.lowered, c.swept = arrays.Resize(l.farOld, len(l.far)), arrays.Resize(c.lowered, n), arrays.Resize(c.swept, n)
	c.forTiles(n, 1, (*Contour).seedFar)
	for i := range c.lowered {
		c.lowered[i], c.swept[i] = i < l.active, true
	}
	for range farRounds {
		c.todo = c.todo[:0]
		for i, lowered := range c.lowered {
			if lowered {
				c.todo = append(c.todo, int32(i))
			}
		}
		c.forTodo((*Contour).sweepFar)
		copy(l.farOld, l.far)
		c.forTiles(n, 4, (*Contour).lowerFar)
		copy(c.swept, c.lowered)
	}
	l.ready = true
}

// seedFar writes the exact distances of a tile's nodes that are within the search's reach.
func (c *Contour) seedFar(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	m := t.n / t.stride
	size := float32(t.cell * t.stride)
	band, exact := c.fullUnits(), square(float32((reach-overhang)*float32(t.cell)))
	dst := l.far[t.far:]
	at := 0
	var last closest // to the node before
	for z := range m + 1 {
		for y := range m + 1 {
			bound := float32(math.MaxFloat32) // by the node before: the surface is no further than from that, and the way from it
			for x := range m + 1 {
				p := [3]float32{float32(x) * size, float32(y) * size, float32(z) * size}
				cell := t.cellOf(p)
				dst[at] = min(band, bound)
				if l.nearby[t.cellRows+cell[1]+t.n*cell[2]]>>cell[0]&1 != 0 {
					best := closest{square: float32(bound * bound), root: bound}
					if last.in != nil {
						l.tryFace(&spot{t: t, p: p}, last.of, last.index, &best)
					}
					l.search(t, cell, p, &best)
					last = best
					dst[at] = min(best.root, band)
					bound = best.root
					if best.in != nil && best.square <= exact {
						dst[at] = math.Float32frombits(math.Float32bits(dst[at]) | 1<<31)
					}
				}
				bound += size
				at++
			}
		}
	}
}

func square(x float32) float32 { return float32(x * x) }

// sweepFar solves |∇d| = 1 in a tile by Gauss-Seidel sweeps in eight directions.
//
// Source: Zhao 2005, A fast sweeping method for eikonal equations.
func (c *Contour) sweepFar(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	n := t.n/t.stride + 1
	f, h := l.far[t.far:t.far+n*n*n], float32(t.cell*t.stride)
	for _, direction := range [8]int{0, 7, 1, 6, 2, 5, 3, 4} {
		x0, dx := int32(0), int32(1)
		if direction&1 != 0 {
			x0, dx = n-1, -1
		}
		changed := false
		for zi := range n {
			z := zi
			if direction&4 != 0 {
				z = n - 1 - zi
			}
			for yi := range n {
				y := yi
				if direction&2 != 0 {
					y = n - 1 - yi
				}
				changed = sweepRow(f, n, x0, dx, y, z, h) || changed
			}
		}
		if !changed {
			return // nor would any other sweep
		}
	}
}

// A node's distance that is less than this part of their spacing more than what its neighbours say is left. One is at least leastStep spacings more than
// the least of these.
const (
	leftAlone = 1e-4
	leastStep = .577
)

// sweepRow tells whether any distance has changed.
func sweepRow(f []float32, n, x, dx, y, z int32, h float32) (changed bool) {
	at := x + n*(y+n*z)
	least, alone := float32(leastStep*h), float32(leftAlone*h)
	for range n {
		if v := f[at]; !math.Signbit(float64(v)) {
			a, b, c := lower(f, at, 1, x, n), lower(f, at, n, y, n), lower(f, at, n*n, z, n)
			if v -= alone; min(a, b, c)+least < v {
				if d := eikonal(a, b, c, h); d < v {
					f[at], changed = d, true
				}
			}
		}
		at += dx
		x += dx
	}
	return changed
}

// lower is the less of the values on both sides along an axis.
func lower(f []float32, at, step, x, n int32) float32 {
	switch {
	case n == 1:
		return math.MaxFloat32
	case x == 0:
		return abs32(f[at+step])
	case x == n-1:
		return abs32(f[at-step])
	}
	return min(abs32(f[at-step]), abs32(f[at+step]))
}

// eikonal is d with Σ max(0, d-v)² = h² over the three values.
func eikonal(a, b, c, h float32) float32 {
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
	}
	if a > b {
		a, b = b, a
	}
	d := a + h
	if d <= b {
		return d
	}
	d = (a + b + float32(math.Sqrt(float64(float32(2*h*h)-float32((a-b)*(a-b)))))) / 2
	if d <= c {
		return d
	}
	sum := a + b + c
	squares := float32(a*a) + float32(b*b) + float32(c*c)
	root := float32(sum*sum) - float32(3*(squares-float32(h*h)))
	return (sum + float32(math.Sqrt(float64(max(0, root))))) / 3
}

// lowerFar gives the nodes on a tile's border the least value that any tile beside it has for them, of those that have been swept.
func (c *Contour) lowerFar(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	m := t.n / t.stride
	c.lowered[i] = false
	for r := range 27 {
		if r == 13 {
			continue
		}
		lo, hi := borderPart(m, r)
		d := [3]int32{int32(r%3 - 1), int32(r/3%3 - 1), int32(r/9 - 1)}
		for k := 1; k < 8; k++ {
			q, shift, fits := int32(13), [3]int32{}, true
			for a, step := range [3]int32{1, 3, 9} {
				if k>>a&1 != 0 {
					fits = fits && d[a] != 0
					q += d[a] * step
					shift[a] = d[a] * c.edge
				}
			}
			if fits && t.around[q] != none && c.swept[t.around[q]] && l.lowerPart(t, &l.tiles[t.around[q]], lo, hi, shift) {
				c.lowered[i] = true
			}
		}
	}
}

// lowerPart does that for a range of nodes, by those of a tile whose low corner is at shift, units. It tells whether any is lower by more than a
// thousandth of a unit.
func (l *layer) lowerPart(t, o *tile, lo, hi, shift [3]int32) (lower bool) {
	n, e := t.n/t.stride+1, o.n/o.stride+1
	size, other := t.cell*t.stride, o.cell*o.stride
	own, others := l.far[t.far:][:n*n*n], l.farOld[o.far:][:e*e*e]
	for z := lo[2]; z < hi[2]; z++ {
		w := z*size - shift[2]
		for y := lo[1]; y < hi[1]; y++ {
			v := y*size - shift[1]
			if (v|w)&(other-1) != 0 {
				continue
			}
			row := e * (v/other + e*(w/other))
			for x := lo[0]; x < hi[0]; x++ {
				u := x*size - shift[0]
				if u&(other-1) != 0 {
					continue
				}
				dst := &own[x+n*(y+n*z)]
				if v := others[row+u/other]; abs32(v) < abs32(*dst) {
					lower = lower || abs32(v) < abs32(*dst)-1e-3
					*dst = v
				}
			}
		}
	}
	return lower
}
