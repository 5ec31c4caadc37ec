package bcc

import (
	"math"
	"slices"
)

// openPlain takes the faces around the base cell that have four whole tetrahedra, at the layout's sides too.
func (w *window) openPlain() {
	edge := w.n + 2
	for a := range 3 {
		plain := w.plain[a][:edge*edge*edge]
		for i := range plain {
			plain[i] = none
		}
		w.plainFaces(a, w.b, [3]int{0, 0, 0}, [3]int{w.n, w.n, w.n}, [3]int{})
		for h, s := range partStride {
			if w.k.neighbour(h, 0) == w.k.level() && h != a {
				lo, hi := [3]int{}, [3]int{w.n, w.n, w.n}
				lo[h], hi[h] = -1, 0
				w.plainFaces(a, w.l.nearby(w.b)[13-s], lo, hi, placed(h, 0, 0, w.n))
			}
		}
		switch w.k.neighbour(a, 1) {
		case -1:
			w.plainHighFaces(a)
		case w.k.level():
			lo, hi := [3]int{}, [3]int{w.n, w.n, w.n}
			lo[a], hi[a] = w.n, w.n+1
			w.plainFaces(a, w.l.beside(w.b, a), lo, hi, placed(a, 0, 0, -w.n))
		}
	}
}

// plainFaces takes those of cells from lo to hi of a base cell of the same level, whose places in that are greater by shift.
func (w *window) plainFaces(a int, b int32, lo, hi, shift [3]int) {
	n, edge := w.n, w.n+2
	faces := w.l.faces[int(w.l.blocks[b].faces)+a*n*n*n:][:n*n*n]
	first := w.l.TetRuns[b]
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			at := 1 + edge*(y+1+edge*(z+1))
			from := n*(y+shift[1]+n*(z+shift[2])) + shift[0]
			for x := lo[0]; x < hi[0]; x++ {
				w.plain[a][at+x] = plainFace(first, faces[from+x])
			}
		}
	}
}

// plainHighFaces takes those at the layout's high side.
func (w *window) plainHighFaces(a int) {
	n, edge := w.n, w.n+2
	first := w.l.TetRuns[w.b]
	at := w.l.highFaces(w.b, a, n)
	for j := range n {
		for i := range n {
			x := placed(a, i, j, n)
			w.plain[a][x[0]+1+edge*(x[1]+1+edge*(x[2]+1))] = plainFace(first, w.l.faces[at+i+n*j])
		}
	}
}

// plainFace is the first tetrahedron of a face if it has four whole ones, counted from the base cell's first.
func plainFace(first int32, face uint32) int32 {
	if code := face & (1<<codeBits - 1); code >= highSmall || code&15 != 0 {
		return none
	}
	return first + int32(face>>codeBits)
}

// plainAt is the first tetrahedron of the low face of a cell, or none.
func (w *window) plainAt(axis, x, y, z int) int32 {
	return w.plain[axis][x+1+(w.n+2)*(y+1+(w.n+2)*(z+1))]
}

// sizes are the lengths and areas of the uniform lattice's edges and polygons.
type sizes struct{ corner, along, hexagon, square float64 }

// measure is the area and the length of an edge, m² and m, from what polygon tells of its polygon, and the vector along it in quarters.
func (l *Lattice) measure(area int, along [3]int) (size, dist float64) {
	length := math.Sqrt(float64(along[0]*along[0] + along[1]*along[1] + along[2]*along[2]))
	return float64(float64(float64(area)/(2*length))*l.quarter) * l.quarter, float64(length * l.quarter)
}

// sizes are those of the base cell's level.
func (w *window) sizes() (s sizes) {
	e := w.size
	// What polygon tells is twice the area times the length: of a hexagon 2·3√3/16·e²·√3/2·e, of a square 2·1/8·e²·e.
	s.hexagon, s.corner = w.l.measure(9*e*e*e/16, [3]int{e / 2, e / 2, e / 2})
	s.square, s.along = w.l.measure(e*e*e/4, [3]int{e, 0, 0})
	return s
}

// addEdges writes the base cell's edges: of each cell those from the low neighbours' centres, then those to what is on its sides; then those along axes; then the
// diagonals of faces.
func (w *window) addEdges() {
	e, s := w.l.EdgeRuns[w.b], w.sizes()
	for z := range w.n {
		for y := range w.n {
			for x := range w.n {
				e = w.addCell(e, [3]int{x, y, z}, &s)
			}
		}
	}
	for a := range 3 {
		for p := range 27 {
			if p/partStride[a]%3 == 1 && w.k.owns(p) {
				e = w.addAlong(e, a, p, &s)
			}
		}
	}
	e = w.addDiagonals(e)
	if e != w.l.EdgeRuns[w.b+1] {
		panic("bcc: edges were miscounted")
	}
}

// addCell writes a cell's edges from its low neighbours' centres and to what is on its sides.
func (w *window) addCell(e int32, x [3]int, s *sizes) int32 {
	plain := [8]int32{
		w.plainAt(0, x[0], x[1], x[2]), w.plainAt(0, x[0]+1, x[1], x[2]), w.plainAt(1, x[0], x[1], x[2]),
		w.plainAt(1, x[0], x[1]+1, x[2]), w.plainAt(2, x[0], x[1], x[2]), w.plainAt(2, x[0], x[1], x[2]+1),
	}
	if min(plain[0], plain[1], plain[2], plain[3], plain[4], plain[5]) >= 0 && !w.atLowSide(&x) {
		w.addPlainCell(e, x, &plain, s)
		return e + 11
	}
	for a := range 3 {
		e = w.addBetween(e, a, x, s)
	}
	return w.addSpokes(e, x, &plain, s)
}

// atLowSide tells whether a cell is at a low side of the layout.
func (w *window) atLowSide(x *[3]int) bool {
	return x[0] == 0 && w.k.neighbour(0, 0) < 0 || x[1] == 0 && w.k.neighbour(1, 0) < 0 || x[2] == 0 && w.k.neighbour(2, 0) < 0
}

// addPlainCell writes the eleven edges from a cell's low neighbours and to its corners where all its faces are plain.
func (w *window) addPlainCell(e int32, x [3]int, plain *[8]int32, s *sizes) {
	l, steps, edge, halo := w.l, w.fine/w.n, w.fine+1, w.fine+2
	c := steps * (x[0] + edge*(x[1]+edge*x[2]))
	h := x[0]*steps + 1 + halo*(x[1]*steps+1+halo*(x[2]*steps+1))
	centre := w.centre[h]
	var at [3][4]float64 // coordinates at quarters of the cell
	for a := range 3 {
		for i := range at[a] {
			at[a][i] = w.x[a][beyondOf+x[a]*w.size+i*(w.size/4)]
		}
	}
	ends, dist, area := l.Ends[e:e+11:e+11], l.Dist[e:e+11:e+11], l.Area[e:e+11:e+11]
	middle, runs := l.Middle[e:e+11:e+11], l.RingRuns[e:e+11:e+11]
	first := len(w.rings)
	w.rings = slices.Grow(w.rings, 60)[:first+60]
	ring := w.rings[first : first+60 : first+60]
	for a, d := range [3]int{1, halo, halo * halo} {
		ends[a], dist[a], area[a] = [2]int32{w.centre[h-d], centre}, s.along, s.square
		middle[a] = [3]float64{at[0][2], at[1][2], at[2][2]}
		middle[a][a] = at[a][0]
		runs[a] = int32(first + 4*a)
		t := plain[2*a]
		ring[4*a], ring[4*a+1], ring[4*a+2], ring[4*a+3] = t, t+1, t+2, t+3
	}
	ends, dist, area, middle, runs, ring = ends[3:11], dist[3:11], area[3:11], middle[3:11], runs[3:11], ring[12:60]
	for i := range 8 {
		sx, sy, sz := i&1, i>>1&1, i>>2
		ends[i] = [2]int32{centre, w.corner[c+steps*(sx+edge*(sy+edge*sz))]}
		dist[i], area[i] = s.corner, s.hexagon
		middle[i] = [3]float64{at[0][2*sx+1], at[1][2*sy+1], at[2][2*sz+1]}
		runs[i] = int32(first + 12 + 6*i)
		hexagon := ring[6*i : 6*i+6 : 6*i+6]
		for k, t := range &plainCorner[i] {
			hexagon[k] = plain[t.face&7] + t.tet
		}
	}
}

// addBetween writes the edge from the centre of a cell's low neighbour along an axis, if that is as large and within.
func (w *window) addBetween(e int32, a int, x [3]int, s *sizes) int32 {
	steps := w.fine / w.n
	at := [3]int{x[0] * steps, x[1] * steps, x[2] * steps}
	low := at
	low[a]--
	ends := [2]int32{w.centreAt(low[0], low[1], low[2]), w.centreAt(at[0], at[1], at[2])}
	p := w.middleOf(x)
	if x[a] == 0 && w.k.neighbour(a, 0) != w.k.level() {
		return e
	}
	if t := w.plainAt(a, x[0], x[1], x[2]); t >= 0 {
		p[a] -= w.size / 2
		l := w.l
		l.Ends[e], l.Dist[e], l.Area[e], l.Middle[e] = ends, s.along, s.square, w.position(&p)
		l.RingRuns[e] = int32(len(w.rings))
		w.rings = append(w.rings, t, t+1, t+2, t+3)
		return e + 1
	}
	q := p
	q[a] -= w.size
	f := w.l.look(&cell{w.b, x}, a, 0)
	w.ring = f.ring(w.ring[:0])
	w.addEdge(e, ends, &q, &p)
	return e + 1
}

// middleOf is a cell's centre in quarters.
func (w *window) middleOf(x [3]int) [3]int {
	return [3]int{x[0]*w.size + w.size/2, x[1]*w.size + w.size/2, x[2]*w.size + w.size/2}
}

// addHexagon writes the edge from a cell's centre to a corner where the three faces there are plain.
func (w *window) addHexagon(e int32, x [3]int, c int, plain *[8]int32, s *sizes) {
	l, steps, r := w.l, w.fine/w.n, w.size/4
	sx, sy, sz := c&1, c>>1&1, c>>2
	l.Ends[e] = [2]int32{w.centreAt(x[0]*steps, x[1]*steps, x[2]*steps), w.cornerAt((x[0]+sx)*steps, (x[1]+sy)*steps, (x[2]+sz)*steps)}
	l.Dist[e], l.Area[e] = s.corner, s.hexagon
	l.Middle[e] = w.position(&[3]int{(4*x[0] + 1 + 2*sx) * r, (4*x[1] + 1 + 2*sy) * r, (4*x[2] + 1 + 2*sz) * r})
	l.RingRuns[e] = int32(len(w.rings))
	t := &plainCorner[c]
	w.rings = append(w.rings, plain[t[0].face]+t[0].tet, plain[t[1].face]+t[1].tet, plain[t[2].face]+t[2].tet,
		plain[t[3].face]+t[3].tet, plain[t[4].face]+t[4].tet, plain[t[5].face]+t[5].tet)
}

// plainCorner is aroundCorner where faces are plain.
var plainCorner = func() (all [8][6]struct {
	face uint8
	tet  int32
}) {
	for c := range all {
		for i, t := range aroundCorner[c] {
			all[c][i].face, all[c][i].tet = uint8(2*t.axis+t.side)&7, int32(t.octant>>1)
		}
	}
	return all
}()

// addSpokes writes the edges from a cell's centre to its corners, then to the middles of its edges and of its faces.
func (w *window) addSpokes(e int32, x [3]int, plain *[8]int32, sizes *sizes) int32 {
	f := &w.faces
	w.l.lookAround(&cell{w.b, x}, f)
	for s := range 8 {
		if min(plain[s&1], plain[2+s>>1&1], plain[4+s>>2]) >= 0 {
			w.addHexagon(e, x, s, plain, sizes)
			e++
			continue
		}
		w.ring = f.cornerRing(w.ring[:0], s)
		w.addSpoke(e, x, [3]int{2 * (s & 1), 2 * (s >> 1 & 1), 2 * (s >> 2)})
		e++
	}
	if w.fine == w.n {
		return e
	}
	for a := range 3 {
		for s := range 4 {
			su, sv := s&1, s>>1
			if w.k.finest[part(a, 1, w.sideOf(x[(a+1)%3], su), w.sideOf(x[(a+2)%3], sv))] > w.k.level() {
				w.ring = f.edgeRing(w.ring[:0], a, su, sv)
				w.addSpoke(e, x, placed(a, 2*su, 2*sv, 1))
				e++
			}
		}
	}
	for side := range 6 {
		a, s := side/2, side%2
		if w.k.neighbour(a, s) > w.k.level() && w.sideOf(x[a], s) == 2*s {
			w.ring = f[side].ring(w.ring[:0])
			if s == 0 {
				slices.Reverse(w.ring) // what is beyond is the low side
			}
			w.addSpoke(e, x, placed(a, 1, 1, 2*s))
			e++
		}
	}
	return e
}

// addSpoke writes the edge from a cell's centre to a vertex on its sides, in halves of the cell's edge from its low corner.
func (w *window) addSpoke(e int32, x, to [3]int) {
	steps := w.fine / w.n
	m := w.middleOf(x)
	var p [3]int
	for a := range 3 {
		p[a] = m[a] + (to[a]-1)*w.size/2
	}
	v := w.cornerAt(x[0]*steps+to[0]*steps/2, x[1]*steps+to[1]*steps/2, x[2]*steps+to[2]*steps/2)
	w.addEdge(e, [2]int32{w.centreAt(x[0]*steps, x[1]*steps, x[2]*steps), v}, &m, &p)
}

// sideOf is the part along an axis of a cell's low or high side.
func (w *window) sideOf(x, side int) int {
	switch x + side {
	case 0:
		return 0
	case w.n:
		return 2
	}
	return 1
}

// addEdge writes an edge between vertices at places in quarters, with the window's ring.
func (w *window) addEdge(e int32, ends [2]int32, from, to *[3]int) {
	l := w.l
	along := [3]int{to[0] - from[0], to[1] - from[1], to[2] - from[2]}
	lo := [3]float64{w.x[0][beyondOf], w.x[1][beyondOf], w.x[2][beyondOf]}
	for i, t := range w.ring {
		w.polygon[i&(mostCorners-1)] = l.quarters(&lo, &l.Centres[t])
	}
	area, middle := polygon(w.polygon[:len(w.ring)], &along)
	for a := range middle {
		middle[a] = lo[a] + float64(l.quarter*middle[a])
	}
	l.Ends[e], l.Middle[e] = ends, middle
	l.Area[e], l.Dist[e] = l.measure(area, along)
	l.RingRuns[e] = int32(len(w.rings))
	w.rings = append(w.rings, w.ring...)
}

// polygon is twice the area of a polygon across a vector times the vector's length, and its centroid, in quarters. That of one of no area is the mean
// of its corners. The area is that of the polygon's shadow along an axis that the vector has a part of.
func polygon(corners [][3]int, along *[3]int) (area int, middle [3]float64) {
	k := 0
	for along[k] == 0 {
		k++
	}
	u, v := next[k], next[k+1]
	var sum [3]int
	c := &corners[0]
	p := [3]int{corners[1][0] - c[0], corners[1][1] - c[1], corners[1][2] - c[2]}
	for i := 2; i < len(corners); i++ {
		x := &corners[i]
		q := [3]int{x[0] - c[0], x[1] - c[1], x[2] - c[2]}
		w := p[u%3]*q[v%3] - p[v%3]*q[u%3]
		area += w
		sum[0] += w * (p[0] + q[0])
		sum[1] += w * (p[1] + q[1])
		sum[2] += w * (p[2] + q[2])
		p = q
	}
	if area == 0 {
		return 0, mean(corners)
	}
	for a := range middle {
		middle[a] = float64(c[a]) + float64(sum[a])/float64(3*area)
	}
	return area * (along[0]*along[0] + along[1]*along[1] + along[2]*along[2]) / along[k], middle
}

// next are the axes after each.
var next = [4]uint8{1, 2, 0, 1}

func mean(corners [][3]int) (middle [3]float64) {
	for a := range middle {
		sum := 0
		for i := range corners {
			sum += corners[i][a] - corners[0][a]
		}
		middle[a] = float64(corners[0][a]) + float64(sum)/float64(len(corners))
	}
	return middle
}
