package tets

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A corner of the layout's cells gets its distance from those at the centres of the cells around it, so that a field that is linear is exact. Opposite
// octants go in pairs, each cell by the size of the other; what is aslant to the line between the two cancels over all pairs, since cells that share an
// edge differ by one level at most. Beyond the layout's sides the two cells next to the side stand for one; where these are of two sizes, what is aslant is left,
// and the least change of the weights that does away with it follows.

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

// placed is a stencil that is being made, with a place in each cell, m.
type placed struct {
	*stencil
	in [8][3]float64
}

// add adds the cell that holds a place, m, by a weight.
func (s *placed) add(g *layout.Grid, x *[3]float64, weight float64) {
	b, fx, fy, fz := g.Locate(g.ToPoint(x[0], x[1], x[2]))
	cell := g.Cur.CellIn(b, fx, fy, fz)
	for i, w := range s.weight {
		if w == 0 || s.cell[i] == cell {
			s.cell[i], s.weight[i], s.in[i] = cell, w+float64(weight), *x
			return
		}
	}
}

// centres are those of the cells of the first n entries, m.
func (s *placed) centres(g *layout.Grid, n int) (at [8][3]float64) {
	for i, x := range s.in[:n] {
		b, _, _, _ := g.Locate(g.ToPoint(x[0], x[1], x[2]))
		low, h := g.Corner(b), g.CellSize(g.Cur.Level[b])
		for a := range low {
			at[i][a] = low[a] + float64(h*(math.Floor((x[a]-low[a])/h)+.5))
		}
	}
	return at
}

// tidy moves the entries of weight 0 to the end.
func (s *stencil) tidy() {
	n := 0
	for i, w := range s.weight {
		if w != 0 {
			s.cell[n], s.weight[n] = s.cell[i], w
			n++
		}
	}
	clear(s.weight[n:])
}

// corners makes the stencils of a lattice's corners. Up to first and last along each axis, m, cells count: those of the layout that are not beyond a closed side of the
// domain, where what the surface's distance is is nobody's concern.
type corners struct {
	g           *layout.Grid
	l           *graded
	first, last [3]float64
}

// cornersOf makes what makes the stencils of a lattice, of a domain, m, with which sides open (-x, +x, -y, …).
func cornersOf(g *layout.Grid, l *graded, domain r3.Box, open [6]bool) (c corners) {
	whole := g.Whole()
	c = corners{g, l, reproducible.Array(whole.Min), reproducible.Array(whole.Max)}
	lo, hi := reproducible.Array(domain.Min), reproducible.Array(domain.Max)
	for a := range lo {
		if !open[2*a] {
			c.first[a] = max(c.first[a], lo[a])
		}
		if !open[2*a+1] {
			c.last[a] = min(c.last[a], hi[a])
		}
	}
	return c
}

// makeStencils makes the stencils of the lattice at hand.
func (m *Lattice) makeStencils() {
	l := m.now
	if l.Vertices() > cap(l.stencils) {
		l.builds = 0
	}
	l.stencils = arrays.Resize(l.stencils, l.Vertices())
	m.corners = cornersOf(m.Grid, l, m.Domain, m.Open)
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, &m.corners, (*corners).makeBase)
	l.builds = l.Builds()
}

func (c *corners) makeBase(_ int, b int32) {
	l := c.l
	if !l.IsSince(b, l.builds) {
		return
	}
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
		if at[a] = int((x[a]-low[a])/h + .5); at[a] <= 0 || at[a] >= n || x[a]-c.first[a] < h/4 || c.last[a]-x[a] < h/4 {
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
func (c *corners) between(to *stencil, x *[3]float64, h float64) {
	s := placed{stencil: to}
	var lows [8][3]float64
	var outside [8]int
	var size [8]float64
	for i := range size {
		lows[i], outside[i], size[i] = c.octant(x, h, i)
	}
	atSide := false
	for i, own := range size {
		low, beyond := lows[i], outside[i]
		atSide = atSide || beyond != 0
		weight := size[7-i] / (own + size[7-i]) / 4
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
			if c.holds(a, next[a], x[a]) {
				more := float64(float64(weight)*2*own) / (float64(own) + c.g.EdgeAt(reproducible.Vector(next)))
				s.add(c.g, &low, more)
				s.add(c.g, &next, -more)
			}
		}
		s.add(c.g, &low, weight)
	}
	if atSide {
		s.straighten(c.g, x)
	}
}

// straighten changes the weights, whose sum is 1, by the least that makes a linear field exact at a place, m: by δᵢ = (xᵢ - x̄)·λ, with Σ δᵢ xᵢ what is missing. Along
// axes in which all of the cells lie alike nothing can be done.
func (s *placed) straighten(g *layout.Grid, x *[3]float64) {
	n := 0
	for n < len(s.weight) && s.weight[n] != 0 {
		n++
	}
	at := s.centres(g, n)
	var mean, lambda [3]float64
	for i := range at[:n] {
		for a, y := range at[i] {
			mean[a] += y / float64(n)
			lambda[a] -= float64(s.weight[i] * (y - x[a]))
		}
	}
	var m [9]float64
	for i := range at[:n] {
		for a := range mean {
			at[i][a] -= mean[a]
		}
		for a, y := range at[i] {
			for b, z := range at[i] {
				m[3*a+b] += float64(y * z)
			}
		}
	}
	least := flat * (m[0] + m[4] + m[8])
	if least == 0 { // there is but one cell
		return
	}
	for a := range mean {
		m[4*a] += float64(least)
	}
	dense.Factor(m[:], 3)
	dense.Solve(m[:], lambda[:])
	for i, y := range at[:n] {
		s.weight[i] += float64(y[0]*lambda[0]) + float64(y[1]*lambda[1]) + float64(y[2]*lambda[2])
	}
	s.tidy()
}

// flat is how thin the places of cells count as flat, as a square.
const flat = 1e-9

// octant is a place in the cell of an octant about a corner, along which axes that is beyond the layout, so that the cell on the other side stands for it, and the
// cell's edge, m. Bit a of the octant is set on the high side along axis a.
func (c *corners) octant(x *[3]float64, h float64, octant int) (low [3]float64, beyond int, size float64) {
	low = *x
	for a := range low {
		step := h / 4
		if octant>>a&1 == 0 {
			step = -step
		}
		if low[a] += step; !c.holds(a, low[a], x[a]) {
			low[a] = x[a] - step
			beyond |= 1 << a
		}
	}
	b, _, _, _ := c.g.Locate(c.g.ToPoint(low[0], low[1], low[2]))
	return low, beyond, c.g.CellSize(c.g.Cur.Level[b])
}

// holds tells whether cells at a coordinate count for a corner at another.
func (c *corners) holds(axis int, x, corner float64) bool {
	lo, hi := c.first[axis], c.last[axis]
	if slack := float64(c.g.H / 8); corner < lo-slack || corner > hi+slack { // beyond a side of the domain
		lo, hi = c.g.Origin[axis], c.g.Origin[axis]+float64(c.g.H*layout.Edge*float64(c.g.Dim[axis]))
	}
	return x > lo && x < hi
}
