package tets

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A corner of the layout's cells gets its distance from those at the centres of the cells around it, so that a field that is linear is exact. Opposite
// octants go in pairs, each cell by the size of the other; what is aslant to the line between the two cancels over all pairs, since cells that share an
// edge differ by one level at most. Beyond the layout's sides the two cells next to the side stand for one; where these are of two sizes, that is exact but
// for what is aslant.

// stencil is the cells of the layout from whose values that at a corner follows, and by what weights. Entries of weight 0 end it.
type stencil struct {
	cell   [8]int32
	weight [8]float64
}

// at is what a field of the layout's cells is at the corner.
func (s *stencil) at(field []float32) (sum float64) {
	for i, w := range s.weight {
		if w == 0 {
			break
		}
		sum += float64(w * float64(field[s.cell[i]]))
	}
	return sum
}

// add adds a cell by a weight.
func (s *stencil) add(cell int32, weight float64) {
	for i, w := range s.weight {
		if w == 0 || s.cell[i] == cell {
			s.cell[i], s.weight[i] = cell, w+weight
			return
		}
	}
}

// corners makes the stencils of a lattice's corners.
type corners struct {
	g *layout.Grid
	l *graded
}

// makeStencils makes the stencils of the lattice at hand.
func (m *Lattice) makeStencils() {
	m.now.stencils = arrays.Resize(m.now.stencils, m.now.Vertices())
	m.corners = corners{m.Grid, m.now}
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, &m.corners, (*corners).makeBase)
}

func (c *corners) makeBase(_ int, b int32) {
	l := c.l
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if l.Cell[v] >= 0 || l.Beyond[v] {
			continue
		}
		s := &l.stencils[v]
		if *s = (stencil{}); !c.within(s, b, &l.Position[v]) {
			c.between(s, &l.Position[v], c.g.CellSize(l.Level[v]))
		}
	}
}

// within makes the stencil of a corner in the middle of a block, and tells whether it is one.
func (c *corners) within(s *stencil, b int32, x *[3]float64) bool {
	level, low := c.g.Cur.Level[b], c.g.Corner(b)
	n, h := 1<<level, c.g.CellSize(level)
	var at [3]int
	for a := range at {
		if at[a] = int((x[a]-low[a])/h + .5); at[a] <= 0 || at[a] >= n {
			return false
		}
	}
	for i := range s.cell {
		s.cell[i] = int32(c.g.Cur.Cell(b, at[0]-1+i&1, at[1]-1+i>>1&1, at[2]-1+i>>2))
		s.weight[i] = 1. / 8
	}
	return true
}

// between makes the stencil of any corner, of which the smallest cells that meet there have an edge h, m.
func (c *corners) between(s *stencil, x *[3]float64, h float64) {
	var size [8]float64
	for i := range size {
		_, _, size[i] = c.octant(x, h, i)
	}
	for i := range size {
		low, beyond, own := c.octant(x, h, i)
		weight, cell := size[7-i]/(own+size[7-i])/4, c.g.CellAt(low)
		for a := range low {
			if beyond>>a&1 == 0 {
				continue
			}
			next := low // go on as far beyond the side as the first cell is within
			if i>>a&1 == 0 {
				next[a] += own
			} else {
				next[a] -= own
			}
			if c.holds(a, next[a]) {
				more := weight * 2 * own / (own + c.g.EdgeAt(reproducible.Vector(next)))
				s.add(cell, more)
				s.add(c.g.CellAt(next), -more)
			}
		}
		s.add(cell, weight)
	}
}

// octant is a place in the cell of an octant about a corner, along which axes that is beyond the layout, so that the cell on the other side stands for it, and the
// cell's edge, m. Bit a of the octant is set on the high side along axis a.
func (c *corners) octant(x *[3]float64, h float64, octant int) (low [3]float64, beyond int, size float64) {
	low = *x
	for a := range low {
		step := h / 4
		if octant>>a&1 == 0 {
			step = -step
		}
		if low[a] += step; !c.holds(a, low[a]) {
			low[a] = x[a] - step
			beyond |= 1 << a
		}
	}
	b, _, _, _ := c.g.Locate(c.g.ToPoint(low[0], low[1], low[2]))
	return low, beyond, c.g.CellSize(c.g.Cur.Level[b])
}

// holds tells whether a coordinate is within the layout.
func (c *corners) holds(axis int, x float64) bool {
	lo := c.g.Origin[axis]
	return x > lo && x < lo+float64(c.g.H*layout.Edge*float64(c.g.Dim[axis]))
}
