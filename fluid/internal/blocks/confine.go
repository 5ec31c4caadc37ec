package blocks

import (
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"gonum.org/v1/gonum/spatial/r3"
)

// Where a side of the domain runs through cells, what stands in them beyond it takes nothing that the side has not
// taken: a game's own wall at the side, or a step that reaches into it, must not count twice. In such cells a
// solid is cut with the domain first.

// confined is where the domain's closed sides run through a block.
type confined struct {
	d    *Discretiser
	part [3][grid.Edge]bool // per axis and layer of cells: whether a side runs through it
	any  bool
}

// enter readies the scratch for a block.
func (s *scratch) enter(d *Discretiser, k *block) {
	c := &s.confined
	c.d, c.any = d, false
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
}

// confine cuts the distances at n of s.pts with the domain, from the first on, if a side runs through what they belong to.
func (s *scratch) confine(crossed bool, first, n int) {
	if crossed {
		for i := first; i < first+n; i++ {
			s.dist[i] = max(s.dist[i], float32(-s.confined.d.wallDistance(s.pts[i])))
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

// confineSquare cuts a face's corner distances with the domain.
func (s *scratch) confineSquare(c *[4]float64, k *block, a int, at [3]int, size int) {
	for i := range c {
		x := [3]float64{float64(at[0]), float64(at[1]), float64(at[2])}
		x[(a+1)%3] += float64(i & 1 * size)
		x[(a+2)%3] += float64(i >> 1 * size)
		c[i] = max(c[i], s.outside(k, r3.Vec{X: x[0], Y: x[1], Z: x[2]})-touch)
	}
}

// confineCell is confineSquare for a cell and its middle.
func (s *scratch) confineCell(c *[8]float64, middle *float64, at [3]int, k *block) {
	lo := r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}
	for i := range c {
		c[i] = max(c[i], s.outside(k, r3.Add(lo, r3.Vec{X: float64(i & 1), Y: float64(i >> 1 & 1), Z: float64(i >> 2)})))
	}
	*middle = max(*middle, s.outside(k, r3.Add(lo, r3.Vec{X: .5, Y: .5, Z: .5})))
}
