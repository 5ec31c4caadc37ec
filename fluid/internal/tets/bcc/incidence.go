package bcc

// listVertexEdges lists the edges of each vertex.
func (l *Lattice) listVertexEdges() {
	runs := l.VertexEdgeRuns
	clear(runs)
	for _, e := range l.Ends {
		runs[e[0]+1]++
		runs[e[1]+1]++
	}
	for v := range l.cursor {
		runs[v+1] += runs[v]
		l.cursor[v] = runs[v]
	}
	for e, ends := range l.Ends {
		for _, v := range ends {
			l.VertexEdges[l.cursor[v]] = int32(e)
			l.cursor[v]++
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
	area, _ := polygon(corners[:len(around)], along)
	// area is twice the polygon's times the height.
	return float64(float64(float64(area)/6*l.quarter)*l.quarter) * l.quarter
}
