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
	l.farOld, c.lowered = arrays.Resize(l.farOld, len(l.far)), arrays.Resize(c.lowered, len(l.tiles))
	c.forTiles(len(l.tiles), 1, (*Contour).seedFar)
	for i := range c.lowered {
		c.lowered[i] = i < l.active
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
		c.forTiles(len(l.tiles), 4, (*Contour).lowerFar)
	}
	l.ready = true
}

// seedFar writes the exact distances of a tile's nodes that are within the search's reach.
func (c *Contour) seedFar(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	m := t.n / t.stride
	size := float32(t.cell * t.stride)
	band, exact := c.fullUnits(), float32(float32(reach*t.cell)*float32(reach*t.cell))
	dst := l.far[t.far:]
	at := 0
	for z := range m + 1 {
		for y := range m + 1 {
			for x := range m + 1 {
				p := [3]float32{float32(x) * size, float32(y) * size, float32(z) * size}
				cell := t.cellOf(p)
				dst[at] = band
				if l.nearby[t.cellRows+cell[1]+t.n*cell[2]]>>cell[0]&1 != 0 {
					best := closest{square: math.MaxFloat32, root: math.MaxFloat32}
					l.search(t, cell, p, &best)
					dst[at] = min(float32(math.Sqrt(float64(best.square))), band)
					if best.square <= exact {
						dst[at] = math.Float32frombits(math.Float32bits(dst[at]) | 1<<31)
					}
				}
				at++
			}
		}
	}
}

// sweepFar solves |∇d| = 1 in a tile by Gauss-Seidel sweeps in eight directions.
//
// Source: Zhao 2005, A fast sweeping method for eikonal equations.
func (c *Contour) sweepFar(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	n := t.n/t.stride + 1
	f, h := l.far[t.far:t.far+n*n*n], float32(t.cell*t.stride)
	for direction := range 8 {
		x0, dx := int32(0), int32(1)
		if direction&1 != 0 {
			x0, dx = n-1, -1
		}
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
				sweepRow(f, n, x0, dx, y, z, h)
			}
		}
	}
}

func sweepRow(f []float32, n, x, dx, y, z int32, h float32) {
	at := x + n*(y+n*z)
	for range n {
		v := f[at]
		if !math.Signbit(float64(v)) {
			f[at] = min(v, eikonal(lower(f, at, 1, x, n), lower(f, at, n, y, n), lower(f, at, n*n, z, n), h))
		}
		at += dx
		x += dx
	}
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

// lowerFar gives the nodes on a tile's border the least value that any tile has for them.
func (c *Contour) lowerFar(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	m := t.n / t.stride
	n := m + 1
	c.lowered[i] = false
	for z := range n {
		for y := range n {
			dx := m
			if y == 0 || y == m || z == 0 || z == m {
				dx = 1
			}
			for x := int32(0); x <= m; x += dx {
				r := part(x, m) + 3*part(y, m) + 9*part(z, m)
				if r != 13 && l.lowerNode(t, int(r), [3]int32{x, y, z}) {
					c.lowered[i] = true
				}
			}
		}
	}
}

// lowerNode does that for one node, on a part of the border, and tells whether it is lower by more than a thousandth of a unit.
func (l *layer) lowerNode(t *tile, r int, node [3]int32) (lower bool) {
	d := [3]int{r%3 - 1, r/3%3 - 1, r/9 - 1}
	n := t.n/t.stride + 1
	dst := &l.far[t.far+node[0]+n*(node[1]+n*node[2])]
	best := *dst
	for k := 1; k < 8; k++ {
		q, at, fits := 13, [3]int32{}, true
		for a, step := range [3]int{1, 3, 9} {
			at[a] = node[a] * t.cell * t.stride
			if k>>a&1 != 0 {
				fits = fits && d[a] != 0
				q += d[a] * step
				at[a] -= int32(d[a]) * l.c.edge
			}
		}
		if !fits || t.around[q] == none {
			continue
		}
		o := &l.tiles[t.around[q]]
		size := o.cell * o.stride
		if (at[0]|at[1]|at[2])&(size-1) != 0 {
			continue
		}
		m := o.n/o.stride + 1
		if v := l.farOld[o.far+at[0]/size+m*(at[1]/size+m*(at[2]/size))]; abs32(v) < abs32(best) {
			best = v
		}
	}
	lower = abs32(best) < abs32(*dst)-1e-3
	*dst = best
	return lower
}
