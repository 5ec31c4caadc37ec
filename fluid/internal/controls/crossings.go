package controls

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/raster"
)

// crossing is what the control surface is at a face.
type crossing struct {
	velocity [3]float64 // m/s
	weight   float64
	place    float64 // along the face's axis, m
	slope    float64 // the normal's part along the axis times that along the face's normal; 0 where place is not known
}

// lattice is the cell of the finest lattice that holds a place.
func (c *Control) lattice(x *[3]float64) (at [3]int) {
	r := &c.raster
	for a := range at {
		at[a] = int(math.Floor((x[a] - r.Origin[a]) / r.H))
	}
	return at
}

// index is the number of a cell of the lattice, or -1 beyond it.
func (c *Control) index(at [3]int) int {
	d := &c.raster.Dim
	if at[0] < 0 || at[1] < 0 || at[2] < 0 || at[0] >= d[0] || at[1] >= d[1] || at[2] >= d[2] {
		return -1
	}
	return at[0] + d[0]*(at[1]+d[1]*at[2])
}

// inside tells whether a place is in the shape; around: whether half of the eight finest cells around it are.
func (c *Control) inside(x *[3]float64, around bool) bool {
	if !around {
		return c.holds(c.index(c.lattice(x)))
	}
	corner, n := *x, 0
	for a := range corner {
		corner[a] -= float64(.5 * c.raster.H)
	}
	low := c.lattice(&corner)
	for k := range 8 {
		if c.holds(c.index([3]int{low[0] + k&1, low[1] + k>>1&1, low[2] + k>>2})) {
			n++
		}
	}
	return n >= 4
}

// at finds the surface near a face. It is best at the face, then further out along the axis, then a cell further in. At a row beyond the surface it is
// further in.
func (c *Control) at(p *place, beyond bool) crossing {
	low, edge := p.x, p.edge
	for a := range low {
		shift := .5 - float64(float64(edge)/2) // the centre of the face's first finest column
		if a == p.axis {
			shift = -.5 // the cell below the face
		}
		low[a] += float64(shift * c.raster.H)
	}
	first := c.lattice(&low)
	out := int(p.way)
	steps := [...]int{0, out * edge, 2 * out * edge, -out * edge}
	if beyond {
		steps = [...]int{0, -out * edge, -2 * out * edge, -3 * out * edge}
	}
	for _, step := range steps {
		if found, ok := c.through(first, p, step); ok {
			return found
		}
	}
	return c.near(first)
}

// through is the mean of the crossings of a face's finest columns, so many finest cells from the face.
func (c *Control) through(first [3]int, p *place, step int) (mean crossing, ok bool) {
	n, axis, edge := 0, p.axis, p.edge
	u, v := (axis+1)%3, (axis+2)%3
	lo, hi := step-(edge-1)/2, step+edge/2
	for i := range edge * edge {
		for s := lo; s <= hi; s++ {
			at := first
			at[axis] += s
			at[u] += i % edge
			at[v] += i / edge
			if k := c.index(at); k >= 0 && c.raster.At[axis][k] >= 0 {
				x := &c.raster.Crossings[axis][c.raster.At[axis][k]]
				if float64(x.Outward) == p.way {
					mean.add(c, x, axis, at[axis])
					mean.slope += float64(p.way * x.Normal[axis] * p.along(&x.Normal))
					n++
				}
			}
		}
	}
	if n == 0 {
		return mean, false
	}
	mean.divide(float64(n))
	return mean, true
}

// near is the mean of the crossings of any axis around a cell, or of all.
func (c *Control) near(first [3]int) (mean crossing) {
	n := 0
	for i := range 27 {
		at := [3]int{first[0] + i%3 - 1, first[1] + i/3%3 - 1, first[2] + i/9 - 1}
		k := c.index(at)
		if k < 0 {
			continue
		}
		for axis := range 3 {
			if id := c.raster.At[axis][k]; id >= 0 {
				mean.add(c, &c.raster.Crossings[axis][id], axis, at[axis])
				n++
			}
		}
	}
	if n == 0 {
		return c.mean
	}
	mean.divide(float64(n))
	return mean
}

// add adds a crossing along an axis, of the cell at that coordinate.
func (m *crossing) add(c *Control, x *raster.Crossing, axis, at int) {
	for a := range m.velocity {
		m.velocity[a] += x.Velocity[a]
	}
	m.weight += float64(x.Weight)
	m.place += c.raster.Origin[axis] + float64((float64(at)+.5+x.Fraction)*c.raster.H)
}

func (m *crossing) divide(n float64) {
	for a := range m.velocity {
		m.velocity[a] /= n
	}
	m.weight /= n
	m.place /= n
	m.slope /= n
}

// average is what the surface is on the mean.
func (c *Control) average() (mean crossing) {
	n := 0
	for axis := range 3 {
		for i := range c.raster.Crossings[axis] {
			mean.add(c, &c.raster.Crossings[axis][i], axis, 0)
			n++
		}
	}
	if n > 0 {
		mean.divide(float64(n))
	}
	return mean
}
