package cutting

// leastVolume is the part of its cell that a row's volume is at least.
const leastVolume = 1e-6

// sumVolumes finds what solids and sides leave of the cells of a base cell's vertices.
func (m *merge) sumVolumes(_ int, b int32) {
	d, l := m.d, m.d.l
	if !m.nearby(b, (*mergeKey).isChanged) {
		return
	}
	lo, hi := l.VertexRuns.Of(b)
	if m.nearby(b, (*mergeKey).hasNewWalls) {
		m.findRoom(b, lo, hi)
	}
	copy(d.Volume[lo:hi], d.room[lo:hi])
	if !d.CutsInto(b) {
		return
	}
	for v := lo; v < hi; v++ {
		filled := 0.
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			if l.Ends[e][0] == v {
				filled += d.filled[e][0]
			} else {
				filled += d.filled[e][1]
			}
		}
		if left := d.room[v] - filled; left >= leastVolume*l.Volume[v] {
			d.Volume[v] = left
		} else {
			d.Volume[v] = 0
		}
	}
}

// findRoom finds what the domain's sides leave of the cells of vertices from one to another.
func (m *merge) findRoom(b, lo, hi int32) {
	d, l := m.d, m.d.l
	copy(d.room[lo:hi], l.Volume[lo:hi])
	sides := d.static.bases[b].sides
	for v := lo; v < hi; v++ {
		if l.Beyond[v] {
			d.room[v] = 0
		} else if sides != 0 && d.besideSide(v, sides) {
			d.room[v] = d.roomAt(v)
		}
	}
}

// besideSide tells whether the cell of a vertex may reach one of some sides.
func (d *Discretiser) besideSide(v int32, sides uint8) bool {
	x, reach := &d.l.Position[v], float64(ringReach*d.cellEdge(v))
	for side := range 6 {
		if sides>>side&1 == 1 && d.domain.side(side, x) < reach {
			return true
		}
	}
	return false
}

// roomAt is the volume of a vertex's cell within the domain, m³.
//
// The polygons, as far as they are within, and what the cell has of the sides, bound it. By Gauss's theorem the volume is a third of the sum of their areas times
// their heights above the vertex. As all of them close the cell, the area on a side is minus what the polygons' area vectors, out of the cell, add up to along its axis.
func (d *Discretiser) roomAt(v int32) (room float64) {
	l := d.l
	var sum vec
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		area := l.Area[e] * d.within[e]
		if l.Ends[e][1] == v {
			area = -area
		}
		for a, n := range l.Normal(e) {
			sum[a] += float64(area * n)
		}
		room += float64(l.Area[e] * d.within[e] * l.Dist[e] / 6)
	}
	for a, area := range sum {
		side := 2 * a
		if area < 0 {
			side, area = side+1, -area
		}
		if high := d.domain.side(side, &l.Position[v]); high < ringReach*d.cellEdge(v) { // else it is rounding
			room += float64(area * high / 3)
		}
	}
	return max(0, room)
}
