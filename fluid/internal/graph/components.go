package graph

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Components are the connected sets of rows.
type Components struct {
	Label  []int32   // row → component, numbered in order of their first row
	Closed []bool    // per component: it touches no air
	parent geom.Sets // of rows
}

// Find labels a graph's components.
func (c *Components) Find(g *Graph) {
	c.Label, c.parent = arrays.Resize(c.Label, g.Rows), arrays.Resize(c.parent, g.Rows)
	if len(g.Connectivity) == 0 {
		c.findByFaces(g, nil)
		return
	}
	for b := range g.Connectivity {
		lo, hi := g.Parts[b].Row, g.Parts[b+1].Row
		parent, step := c.parent[lo:hi], int32(1)
		if g.Connectivity[b].Connected {
			step = 0
		}
		r := lo
		for i := range parent {
			parent[i], r = r, r+step
		}
	}
	for b := range g.Connectivity {
		if part := &g.Connectivity[b]; part.Simple {
			for _, r := range part.Below {
				if r >= 0 {
					c.union(r, g.Parts[b].Row)
				}
			}
			continue
		}
		lo, hi := g.Parts[b].Face, g.Parts[b+1].Face
		lower, upper := g.A[lo:hi], g.B[lo:hi]
		for f, a := range lower {
			if b := upper[f]; a|b >= 0 {
				c.union(a, b)
			} else if min(a, b) != Air || max(a, b) < 0 { // not a row and air
				c.unionFace(g, a, b)
			}
		}
	}
	c.number(g)
	c.findClosed(g)
}

// FindApart is Find as if the faces that cut tells were not there: they join no rows, and what is beyond them is no air. cut: len faces.
func (c *Components) FindApart(g *Graph, cut []bool) {
	c.Label = arrays.Resize(c.Label, g.Rows)
	c.findByFaces(g, cut)
}

// findByFaces is Find for a graph that does not tell how the rows of parts are connected, and FindApart. cut is nil for none.
func (c *Components) findByFaces(g *Graph, cut []bool) {
	c.parent.Reset(g.Rows)
	for f, a := range g.A {
		if cut != nil && cut[f] {
			continue
		}
		if b := g.B[f]; a|b >= 0 {
			c.union(a, b)
		} else {
			c.unionFace(g, a, b)
		}
	}
	n := int32(0)
	for r := range c.Label {
		if p := c.parent.Find(int32(r)); int(p) < r {
			c.Label[r] = c.Label[p]
		} else {
			c.Label[r] = n
			n++
		}
	}
	c.Closed = arrays.Resize(c.Closed, int(n))
	for i := range c.Closed {
		c.Closed[i] = true
	}
	for f, a := range g.A {
		if b := g.B[f]; a|b < 0 && (cut == nil || !cut[f]) {
			c.markOpen(g, a, b)
		}
	}
}

func (c *Components) union(a, b int32) {
	if c.parent[a] == c.parent[b] { // nearly always
		return
	}
	c.parent.Join(a, b)
}

// unionFace joins all rows on both sides of a face.
func (c *Components) unionFace(g *Graph, a, b int32) {
	first := Air
	for _, side := range [2]int32{a, b} {
		for _, r := range g.onSide(side) {
			if r == Air {
				continue
			}
			if first != Air {
				c.union(first, r)
			}
			first = r
		}
	}
}

// onSide is the four rows, each perhaps Air, on a side: a single one four times.
func (g *Graph) onSide(side int32) [4]int32 {
	if side >= 0 || side == Air {
		return [4]int32{side, side, side, side}
	}
	return g.Cubes.Quads[^side]
}

// number labels the components by their roots, which are their first rows.
func (c *Components) number(g *Graph) {
	n := int32(0)
	for b := range g.Connectivity {
		lo, hi := g.Parts[b].Row, g.Parts[b+1].Row
		for r := lo; r < hi; r++ {
			label := n
			if p := c.parent.Find(r); p < r {
				label = c.Label[p]
			} else {
				n++
			}
			c.Label[r] = label
			if g.Connectivity[b].Connected {
				rest := c.Label[lo+1 : hi]
				for i := range rest {
					rest[i] = label
				}
				break
			}
		}
	}
	c.Closed = arrays.Resize(c.Closed, int(n))
}

// findClosed tells which components touch air.
func (c *Components) findClosed(g *Graph) {
	for i := range c.Closed {
		c.Closed[i] = true
	}
	for b := range g.Connectivity {
		if part := &g.Connectivity[b]; part.Simple {
			if part.Air {
				c.Closed[c.Label[g.Parts[b].Row]] = false
			}
			continue
		}
		lo, hi := g.Parts[b].Face, g.Parts[b+1].Face
		lower, upper := g.A[lo:hi], g.B[lo:hi]
		for f, a := range lower {
			if b := upper[f]; a|b < 0 {
				if r := max(a, b); min(a, b) == Air && r >= 0 {
					c.Closed[c.Label[r]] = false
				} else {
					c.markOpen(g, a, b)
				}
			}
		}
	}
}

// markOpen marks the components of the rows on a face where there is air too.
func (c *Components) markOpen(g *Graph, a, b int32) {
	air := false
	for _, side := range [2]int32{a, b} {
		for _, r := range g.onSide(side) {
			air = air || r == Air
		}
	}
	for _, side := range [2]int32{a, b} {
		for _, r := range g.onSide(side) {
			if air && r != Air {
				c.Closed[c.Label[r]] = false
			}
		}
	}
}
