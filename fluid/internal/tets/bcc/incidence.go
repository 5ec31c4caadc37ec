package bcc

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// listVertexEdges lists the edges of each vertex. Each worker sorts a part of the edges.
func (l *Lattice) listVertexEdges(pool *par.Pool) {
	parts := pool.Workers()
	for len(l.cursors) < parts {
		l.cursors = append(l.cursors, nil)
	}
	l.cursors = l.cursors[:parts]
	par.Each(pool, parts, 1, l, (*Lattice).countEnds)
	at := int32(0)
	for v := range l.Vertices() {
		l.VertexEdgeRuns[v] = at
		for _, c := range l.cursors {
			n := c[v]
			c[v] = at
			at += n
		}
	}
	l.VertexEdgeRuns[l.Vertices()] = at
	par.Each(pool, parts, 1, l, (*Lattice).placeEnds)
}

// partOf is a part of the edges.
func (l *Lattice) partOf(part int32) (lo, hi int) {
	return l.Edges() * int(part) / len(l.cursors), l.Edges() * int(part+1) / len(l.cursors)
}

// countEnds counts the ends of a part of the edges, per vertex.
func (l *Lattice) countEnds(_ int, part int32) {
	lo, hi := l.partOf(part)
	ends := arrays.Resize(l.cursors[part], l.Vertices())
	l.cursors[part] = ends
	clear(ends)
	for _, e := range l.Ends[lo:hi] {
		ends[e[0]]++
		ends[e[1]]++
	}
}

// placeEnds writes a part of the edges where they go.
func (l *Lattice) placeEnds(_ int, part int32) {
	lo, hi := l.partOf(part)
	cursor := l.cursors[part]
	for e := lo; e < hi; e++ {
		for _, v := range l.Ends[e] {
			l.VertexEdges[cursor[v]] = int32(e)
			cursor[v]++
		}
	}
}

// addVolumes sums up the volumes of a base cell's Voronoi cells: pyramids on their polygons, and on the layout's sides below centres.
func (l *Lattice) addVolumes(_ int, b int32) {
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		sum := 0.
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			sum += float64(l.Area[e] * l.Dist[e])
		}
		l.Volume[v] = sum / 6
	}
	k := &l.blocks[b]
	n := 1 << k.level()
	for side, first := range k.beyond {
		if k.neighbour(side/2, side%2) >= 0 {
			continue
		}
		for i := range n * n {
			x := placed(side/2, i%n, i/n, side%2*(n-1))
			l.Volume[lo+first+int32(i)] = 0
			l.Volume[lo+int32(x[0]+n*(x[1]+n*x[2]))] += l.sideVolume(&cell{b, x}, side/2, side%2)
		}
	}
}

// sideVolume is that between a cell's centre and its Voronoi cell's part of a side of the layout, m³.
func (l *Lattice) sideVolume(c *cell, axis, side int) float64 {
	var ring [16]int32
	var corners [16][3]int
	lo := l.low(c.b)
	f := l.look(c, axis, side)
	around := f.ring(ring[:0])
	for i, t := range around {
		corners[i] = l.quarters(&lo, &l.Centres[t])
	}
	height := wholeEdge >> l.blocks[c.b].level() / 2
	along := placed(axis, 0, 0, height)
	area, _ := polygon(corners[:len(around)], &along)
	// area is twice the polygon's times the height.
	return float64(float64(float64(area)/6*l.quarter)*l.quarter) * l.quarter
}
