package lattice

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// coarsest is how few unknowns end the hierarchy.
const coarsest = 48

// sizePart is what multigrid takes for the size of a vertex's cell, in edges of a cube. Entries between aggregates are sums of those of the cells, and
// count by the ratio of the sizes, to become area over size as on a grid of such aggregates. Across a cube's side the lattice's add up to
// 7/4 of the edge, of four hexagons 3/8 each and of two squares 1/8, where that has 1.
const sizePart = 4. / 7

// levels is scratch: the unknowns at hand, as cubes of some edge, and which is in each.
type levels struct {
	fine, coarse [][3]int32
	unknown      []int32
}

// aggregate groups the rows for multigrid by octants: first the vertices of a cube, then cubes by eights.
func (l *Lattice) aggregate(g *graph.Graph) {
	g.Levels = g.Levels[:0]
	l.fine = l.fine[:0]
	for _, v := range g.Cell {
		l.fine = append(l.fine, l.vertices[v])
	}
	size := l.edge
	for shift := 2; len(l.fine) > coarsest && size < 2*l.edge*float64(max(l.cubes[0], l.cubes[1], l.cubes[2])); shift = 1 {
		l.join(g, shift, float32(size))
		size *= 2
	}
}

// join appends a level whose unknowns are the cubes that places are in if they are divided by a power of two.
func (l *Lattice) join(g *graph.Graph, shift int, size float32) {
	if len(g.Levels) == cap(g.Levels) {
		g.Levels = append(g.Levels, graph.Aggregation{})
	} else {
		g.Levels = g.Levels[:len(g.Levels)+1]
	}
	a := &g.Levels[len(g.Levels)-1]
	a.Parent, a.Size = arrays.Resize(a.Parent, len(l.fine)), a.Size[:0]
	l.coarse = l.coarse[:0]
	nx, ny := int32(l.cubes[0]+1), int32(l.cubes[1]+1)
	l.unknown = arrays.Resize(l.unknown, int(nx*ny)*(l.cubes[2]+1))
	for i := range l.unknown {
		l.unknown[i] = none
	}
	for i, at := range l.fine {
		at = [3]int32{at[0] >> shift, at[1] >> shift, at[2] >> shift}
		to := &l.unknown[at[0]+nx*(at[1]+ny*at[2])]
		if *to == none {
			*to = int32(len(l.coarse))
			l.coarse, a.Size = append(l.coarse, at), append(a.Size, size)
		}
		a.Parent[i] = *to
	}
	a.Count = len(l.coarse)
	l.fine, l.coarse = l.coarse, l.fine
}
