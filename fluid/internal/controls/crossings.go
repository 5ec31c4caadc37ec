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
	slope    float64 // the normal's part along the axis times that along the face's normal
	ahead    float64 // of a face that is offAxis: how far its plane is from the face's centre, along its normal, m,
	lean     float64 // and the normal's part along the face's
	known    bool    // place and slope are, or ahead and lean
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

// inside tells whether a place is in the shape; around: whether half of the eight finest cells around it are. What is nearer to a corner of the finest cells
// than to a centre is if the surface is beyond most of the edges' middles between the eight centres around it.
func (c *Control) inside(x *[3]float64, around bool) bool {
	low := c.lowOf(x)
	if around {
		n := 0
		for k := range 8 {
			if c.holds(c.index([3]int{low[0] + k&1, low[1] + k>>1&1, low[2] + k>>2})) {
				n++
			}
		}
		return n >= 4
	}
	at := c.lattice(x)
	if c.isAtCentre(x, at) {
		return c.holds(c.index(at))
	}
	n := 0
	for axis := range 3 {
		for k := range 4 {
			from := low
			from[(axis+1)%3] += k & 1
			from[(axis+2)%3] += k >> 1
			if c.halfWay(axis, from) {
				n++
			}
		}
	}
	return n >= 6
}

// lowOf is the lowest of the eight cells whose centres are around a place.
func (c *Control) lowOf(x *[3]float64) [3]int {
	corner := *x
	for a := range corner {
		corner[a] -= float64(.5 * c.raster.H)
	}
	return c.lattice(&corner)
}

// isAtCentre tells whether a place is nearer to the centre of its cell of the lattice than to a corner.
func (c *Control) isAtCentre(x *[3]float64, at [3]int) bool {
	away := 0.
	for a, k := range at {
		away += math.Abs((x[a]-c.raster.Origin[a])/c.raster.H - float64(k) - .5)
	}
	return away < .75
}

// halfWay tells whether what is half way from the centre of a cell of the lattice to that of the next one along an axis is in the shape.
func (c *Control) halfWay(axis int, from [3]int) bool {
	next := from
	next[axis]++
	i := c.index(from)
	a, b := c.holds(i), c.holds(c.index(next))
	if a == b || i < 0 || c.raster.At[axis][i] < 0 {
		return a
	}
	return a == (c.raster.Crossings[axis][c.raster.At[axis][i]].Fraction > .5)
}

// at finds the surface near a face, along its axis. One that is offAxis reads it along each axis, and takes where it is nearest.
func (c *Control) at(p *place, beyond bool) (best crossing) {
	if !p.offAxis {
		best = c.onAxis(p, p.axis, beyond)
	} else {
		nearest := math.Inf(1)
		for axis := range 3 {
			found := c.onAxis(p, axis, beyond)
			if away := math.Abs(found.place - p.x[axis]); found.known && away < nearest {
				best, nearest = found, away
			}
		}
	}
	if !best.known {
		return c.near(c.below(p, p.axis))
	}
	return best
}

// below is the cell below a face along an axis, in the face's first finest column.
func (c *Control) below(p *place, axis int) [3]int {
	low := p.x
	for a := range low {
		shift := .5 - float64(float64(p.columns[a])/2) // the centre of the column
		if a == axis {
			shift = -.5
		}
		low[a] += float64(shift * c.raster.H)
	}
	return c.lattice(&low)
}

// onAxis finds the surface near a face along an axis. It is best at the face, then further out along the axis, then a cell further in. At a row beyond the
// surface it is further in.
func (c *Control) onAxis(p *place, axis int, beyond bool) crossing {
	first, edge := c.below(p, axis), p.edge
	out := p.wayOn(axis)
	steps := [...]int{0, out * edge, 2 * out * edge, -out * edge}
	switch {
	case out == 0:
		steps = [...]int{0, edge, -edge, 2 * edge}
	case beyond:
		steps = [...]int{0, -out * edge, -2 * out * edge, -3 * out * edge}
	}
	for _, step := range steps {
		if found := c.through(first, p, axis, step); found.known {
			return found
		}
	}
	return crossing{}
}

// through is the mean of the crossings of a face's finest columns along an axis, so many finest cells from the face.
func (c *Control) through(first [3]int, p *place, axis, step int) (mean crossing) {
	n, way := 0, float64(p.wayOn(axis))
	u, v := (axis+1)%3, (axis+2)%3
	lo, hi := step-(p.edge-1)/2, step+p.edge/2
	for i := range p.columns[u] * p.columns[v] {
		for s := lo; s <= hi; s++ {
			at := first
			at[axis] += s
			at[u] += i % p.columns[u]
			at[v] += i / p.columns[u]
			if k := c.index(at); k >= 0 && c.raster.At[axis][k] >= 0 {
				x := &c.raster.Crossings[axis][c.raster.At[axis][k]]
				if way == 0 || float64(x.Outward) == way {
					mean.add(c, x, axis, at[axis])
					if p.offAxis {
						mean.ahead += c.planeBeyond(x, axis, at, &p.x)
						mean.lean += p.along(&x.Normal)
					} else {
						mean.slope += float64(way * x.Normal[axis] * p.along(&x.Normal))
					}
					n++
				}
			}
		}
	}
	if n > 0 {
		mean.divide(float64(n))
		mean.known = p.offAxis || mean.slope != 0
	}
	return mean
}

// planeBeyond is how far the plane of a crossing along an axis, of a cell of the lattice, is from a place, along its normal, m.
func (c *Control) planeBeyond(x *raster.Crossing, axis int, cell [3]int, from *[3]float64) (far float64) {
	for a, k := range cell {
		along := float64(k) + .5
		if a == axis {
			along += x.Fraction
		}
		far += float64(x.Normal[a] * (c.raster.Origin[a] + float64(along*c.raster.H) - from[a]))
	}
	return far
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
	m.ahead /= n
	m.lean /= n
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
