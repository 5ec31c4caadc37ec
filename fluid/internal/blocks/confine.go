package blocks

import (
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"gonum.org/v1/gonum/spatial/r3"
)

// Where a side of the domain runs through cells, what stands in them beyond it takes nothing that the side has not
// taken: a game's own wall at the side, or a step that reaches into it, must not count twice. In such cells a
// solid is cut with the domain first.

// confined is a solid, for one block, and where the domain's closed sides run through that.
type confined struct {
	d     *Discretiser
	solid Distance
	part  [3][grid.Edge]bool // per axis and layer of cells: whether a side runs through it
	any   bool
	both  Distance // of what is in the solid and in the domain
}

// enter readies the scratch for a solid in a block.
func (s *scratch) enter(d *Discretiser, k *block, solid Distance) {
	c := &s.confined
	c.d, c.solid, c.any = d, solid, false
	if d.wallDistance(k.middle()) > k.reach() {
		return
	}
	for a := range 3 {
		for i := range k.n {
			f := d.within(k, a, i, 1)
			c.part[a][i] = f > 0 && f < 1
			c.any = c.any || c.part[a][i]
		}
	}
	if c.both == nil {
		c.both = func(dst []float32, pts []r3.Vec) {
			c.solid(dst, pts)
			for i, p := range pts {
				dst[i] = max(dst[i], float32(-c.d.wallDistance(p)))
			}
		}
	}
}

// crossed tells whether a side of the domain runs through a cell, or, without the axis whose bit is set, through
// the face below it, size cells wide.
func (s *scratch) crossed(at [3]int, size, without int) bool {
	c := &s.confined
	if !c.any {
		return false
	}
	for a := range 3 {
		if without>>a&1 == 0 && (c.part[a][at[a]] || c.part[a][at[a]+size-1]) {
			return true
		}
	}
	return false
}

// outside is how far a place in the block, in cells, is outside of the domain, in cells.
func (s *scratch) outside(k *block, x r3.Vec) float64 {
	return -s.confined.d.wallDistance(k.point(x)) / k.h
}

// confineSquare cuts a face's corner distances with the domain and gives the distance to do so elsewhere.
func (s *scratch) confineSquare(c *[4]float64, k *block, a int, at [3]int, size int) Distance {
	for i := range c {
		x := [3]float64{float64(at[0]), float64(at[1]), float64(at[2])}
		x[(a+1)%3] += float64(i & 1 * size)
		x[(a+2)%3] += float64(i >> 1 * size)
		c[i] = max(c[i], s.outside(k, r3.Vec{X: x[0], Y: x[1], Z: x[2]})-touch)
	}
	return s.confined.both
}

// confineCell is confineSquare for a cell and its middle.
func (s *scratch) confineCell(p *cellPart, k *block) Distance {
	for i := range p.d {
		p.d[i] = max(p.d[i], s.outside(k, p.place(float64(i&1), float64(i>>1&1), float64(i>>2))))
	}
	p.middle = max(p.middle, s.outside(k, p.place(.5, .5, .5)))
	return s.confined.both
}
