package layout

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// cube is a cell by its low corner and its edge, in finest cells.
type cube struct {
	at    [3]int
	edge  int
	base  int32
	level uint8
}

// cubeAt is the cell that has a finest cell, if that is in the grid.
func (g *Grid) cubeAt(p [3]int) (c cube, ok bool) {
	b := g.BaseAt(p[0]>>MaxLevel, p[1]>>MaxLevel, p[2]>>MaxLevel)
	if b == None {
		return c, false
	}
	c = cube{base: b, level: g.Cur.Level[b]}
	c.edge = Edge >> c.level
	for a := range c.at {
		c.at[a] = p[a] &^ (c.edge - 1)
	}
	return c, true
}

// index is that of the cell in every cell field.
func (g *Grid) index(c *cube) int32 {
	var i [3]int
	for a := range i {
		i[a] = (c.at[a] & (Edge - 1)) / c.edge
	}
	return int32(g.Cur.Cell(c.base, i[0], i[1], i[2]))
}

// place is where a point in finest cells is, m.
func (g *Grid) place(x, y, z float64) r3.Vec {
	return r3.Vec{X: g.Origin[0] + float64(g.H*x), Y: g.Origin[1] + float64(g.H*y), Z: g.Origin[2] + float64(g.H*z)}
}

// middle is that of the cell, m.
func (g *Grid) middle(c *cube) r3.Vec {
	half := float64(c.edge) / 2
	return g.place(float64(c.at[0])+float64(half), float64(c.at[1])+float64(half), float64(c.at[2])+float64(half))
}

// AppendCutAway appends the faces of Cur's cells that a cut lays bare: those between a cell whose middle is on the plane or behind it and one whose middle is
// in front of it. Both middles are in the domain, m. Between cells of two sizes they have the smaller one's. wet tells which cells hold liquid.
func (g *Grid) AppendCutAway(dst []query.CellFace, plane query.Plane, domain r3.Box, wet func(cell int32) bool) []query.CellFace {
	// From a block's middle to that of a cell of it there is half a diagonal at most, and from there to the middle of a neighbour less than 1.3 edges.
	near := float64(2.2 * float64(g.H*Edge))
	for b := range int32(g.Bases()) {
		if d := plane.Distance(g.Middle(b)); d > near || d < -near {
			continue
		}
		at, edge := g.BaseCoords(b), Edge>>g.Cur.Level[b]
		for z := 0; z < Edge; z += edge {
			for y := 0; y < Edge; y += edge {
				for x := 0; x < Edge; x += edge {
					c := cube{[3]int{at[0]*Edge + x, at[1]*Edge + y, at[2]*Edge + z}, edge, b, g.Cur.Level[b]}
					if m := g.middle(&c); plane.Distance(m) <= 0 && boxes.Contains(domain, m) {
						dst = g.appendBare(dst, &c, plane, domain, wet)
					}
				}
			}
		}
	}
	return dst
}

// appendBare appends the faces of a cell behind the plane that the cut lays bare.
func (g *Grid) appendBare(dst []query.CellFace, c *cube, plane query.Plane, domain r3.Box, wet func(cell int32) bool) []query.CellFace {
	for side := range 6 {
		a, u, v := side/2, (side/2+1)%3, (side/2+2)%3
		p := c.at
		p[a]--
		if side%2 == 1 {
			p[a] += c.edge + 1
		}
		part := c.edge
		if other, ok := g.cubeAt(p); ok {
			part = min(part, other.edge)
		}
		for i := 0; i < c.edge; i += part {
			for j := 0; j < c.edge; j += part {
				q := p
				q[u] += i
				q[v] += j
				other, ok := g.cubeAt(q)
				if !ok {
					continue
				}
				if m := g.middle(&other); plane.Distance(m) > 0 && boxes.Contains(domain, m) {
					face := query.CellFace{Count: 4, Level: MaxLevel - int(c.level), Wet: wet(g.index(c))}
					g.corners(&face, c, side, [2]int{c.at[u] + i, c.at[v] + j}, part)
					dst = append(dst, face)
				}
			}
		}
	}
	return dst
}

// corners sets those of a square on a side of a cell, from its low corner along the two other axes on, in finest cells.
func (g *Grid) corners(f *query.CellFace, c *cube, side int, from [2]int, edge int) {
	a, u, v := side/2, (side/2+1)%3, (side/2+2)%3
	for k, step := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		var p [3]float64
		p[a] = float64(c.at[a] + side%2*c.edge)
		p[u], p[v] = float64(from[0]+step[0]*edge), float64(from[1]+step[1]*edge)
		if side%2 == 0 {
			k = 3 - k
		}
		f.Corners[k] = g.place(p[0], p[1], p[2])
	}
}
