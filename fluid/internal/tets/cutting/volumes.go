package cutting

// leastVolume is the part of its cell that a row's volume is at least.
const leastVolume = 1e-6

// sumVolumes finds what solids and sides leave of the cells of a base cell's vertices.
func (m *merge) sumVolumes(_ int, b int32) {
	d, l := m.d, m.d.l
	if !m.nearby(b, (*mergeKey).isChanged) {
		return
	}
	lo, hi := l.VertexRuns[b], l.VertexRuns[b+1]
	copy(d.Volume[lo:hi], l.Volume[lo:hi])
	copy(d.room[lo:hi], l.Volume[lo:hi])
	scale := d.scale[lo:hi]
	for i := range scale {
		scale[i] = 1
	}
	sides := d.static.bases[b].sides
	if sides == 0 && !d.CutsInto(b) {
		return
	}
	for v := lo; v < hi; v++ {
		if l.Beyond[v] {
			d.Volume[v], d.room[v] = 0, 0
			continue
		}
		if sides != 0 {
			d.room[v], d.scale[v] = d.roomAt(v)
		}
		filled := 0.
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			if l.Ends[e][0] == v {
				filled += d.filled[e][0]
			} else {
				filled += d.filled[e][1]
			}
		}
		left := d.room[v] - float64(filled*d.scale[v])
		if left < leastVolume*l.Volume[v] {
			left = 0
		}
		d.Volume[v] = left
	}
}

// roomAt is the volume of a vertex's cell within the domain, m³, and that for each m³ of the pyramids on its polygons.
//
// The polygons, as far as they are within, and what the cell has of the sides, bound it. By Gauss's theorem the volume is a third of the sum of their areas times
// their heights above the vertex. As all of them close the cell, the area on a side is minus what the polygons' area vectors, out of the cell, add up to along its axis.
func (d *Discretiser) roomAt(v int32) (room, scale float64) {
	l := d.l
	var sum vec
	pyramids := 0.
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		area := l.Area[e] * d.within[e]
		if l.Ends[e][1] == v {
			area = -area
		}
		for a, n := range l.Normal(e) {
			sum[a] += float64(area * n)
		}
		pyramids += float64(l.Area[e] * d.within[e] * l.Dist[e] / 6)
	}
	room = pyramids
	for a, area := range sum {
		side := 2 * a
		if area < 0 {
			side, area = side+1, -area
		}
		room += float64(area * d.domain.side(side, &l.Position[v]) / 3)
	}
	if room = max(0, room); pyramids > 0 {
		scale = room / pyramids
	}
	return room, scale
}
