package transport

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// spot is where a place is in a lattice, from the centre of which cell, in its edges.
type spot struct {
	centre int32
	y      [3]float64
	edge   float64 // of the cell, m
}

// find locates a place, or the nearest one within the layout.
func (m *mesh) find(x *[3]float64) (s spot) {
	g := m.grid
	bx, fx := split(float64((x[0]-g.Origin[0])*m.perBase), g.Dim[0])
	by, fy := split(float64((x[1]-g.Origin[1])*m.perBase), g.Dim[1])
	bz, fz := split(float64((x[2]-g.Origin[2])*m.perBase), g.Dim[2])
	first := m.VertexRuns[bx+g.Dim[0]*(by+g.Dim[1]*bz)]
	level := m.Level[first] & layout.MaxLevel
	n := int32(1) << level
	var cx, cy, cz int32
	cx, s.y[0] = within(fx, n)
	cy, s.y[1] = within(fy, n)
	cz, s.y[2] = within(fz, n)
	s.centre, s.edge = first+cx+n*(cy+n*cz), m.cell[level]
	return s
}

// split is the base cell along an axis that holds a place, in base cells, and the place in it.
func split(v float64, most int) (int, float64) {
	if !(v > 0) {
		return 0, 0
	}
	if v >= float64(most) {
		return most - 1, 1
	}
	i := int(v)
	return i, float64(v) - float64(i)
}

// within is the cell of n along an axis that holds a place in a base cell, and the place from its centre, in cells.
func within(f float64, n int32) (int32, float64) {
	v := float64(f * float64(n))
	cell := min(int32(v), n-1)
	return cell, v - float64(cell) - .5
}

// linear is the velocity that is linear between vertices, at a place.
func (f *field) linear(x *[3]float64) [3]float64 {
	s := f.find(x)
	return f.linearAt(f.vertex, &s)
}

// linearAt is linear between vertices with some velocities.
func (f *field) linearAt(values [][3]float64, s *spot) [3]float64 {
	if w := wedgeTo(s.y); f.around[s.centre][w] >= 0 {
		return f.linearIn(values, s.centre, &wedges[w], &s.y)
	}
	t, weights := f.Locate(s.place(f.mesh))

	return f.blend(values, t, &weights)
}

// place is where a spot is, m.
func (s *spot) place(m *mesh) (x [3]float64) {
	for a, c := range m.Position[s.centre] {
		x[a] = c + float64(s.y[a]*s.edge)
	}
	return x
}

// linearIn is it in the whole tetrahedron in a wedge of a cell's centre, at a place from that, in edges of the cell.
func (f *field) linearIn(values [][3]float64, centre int32, w *wedge, y *[3]float64) [3]float64 {
	k := &f.link[centre]
	far, near, third := math.Abs(y[w.far]), math.Abs(y[w.near]), y[w.third]
	a, b := &values[centre], &values[k[8+w.square]]
	c, d := &values[k[w.low&7]], &values[k[w.low&7|1<<w.third]]
	wa, wb, wc, wd := 1-far-near, far-near, near-third, near+third
	return [3]float64{
		float64(wa*a[0]) + float64(wb*b[0]) + float64(wc*c[0]) + float64(wd*d[0]),
		float64(wa*a[1]) + float64(wb*b[1]) + float64(wc*c[1]) + float64(wd*d[1]),
		float64(wa*a[2]) + float64(wb*b[2]) + float64(wc*c[2]) + float64(wd*d[2]),
	}
}

// weights are the barycentric coordinates of a place in a tetrahedron.
func (m *mesh) weights(t int32, x *[3]float64) (w [4]float64) {
	c := &m.Corners[t]
	o, p, q, r := &m.Position[c[0]], &m.Position[c[1]], &m.Position[c[2]], &m.Position[c[3]]
	// Numbers by themselves stay in registers.
	p0, p1, p2 := p[0]-o[0], p[1]-o[1], p[2]-o[2]
	q0, q1, q2 := q[0]-o[0], q[1]-o[1], q[2]-o[2]
	r0, r1, r2 := r[0]-o[0], r[1]-o[1], r[2]-o[2]
	y0, y1, y2 := x[0]-o[0], x[1]-o[1], x[2]-o[2]
	qr0, qr1, qr2 := float64(q1*r2)-float64(q2*r1), float64(q2*r0)-float64(q0*r2), float64(q0*r1)-float64(q1*r0)
	by := 1 / (float64(p0*qr0) + float64(p1*qr1) + float64(p2*qr2))
	w1 := (float64(y0*qr0) + float64(y1*qr1) + float64(y2*qr2)) * by
	rp0, rp1, rp2 := float64(r1*p2)-float64(r2*p1), float64(r2*p0)-float64(r0*p2), float64(r0*p1)-float64(r1*p0)
	w2 := (float64(y0*rp0) + float64(y1*rp1) + float64(y2*rp2)) * by
	pq0, pq1, pq2 := float64(p1*q2)-float64(p2*q1), float64(p2*q0)-float64(p0*q2), float64(p0*q1)-float64(p1*q0)
	w3 := (float64(y0*pq0) + float64(y1*pq1) + float64(y2*pq2)) * by
	return [4]float64{1 - float64(w1) - float64(w2) - float64(w3), w1, w2, w3}
}

// blend is the mean of the velocities of a tetrahedron's vertices, with weights.
func (f *field) blend(values [][3]float64, t int32, w *[4]float64) [3]float64 {
	k := &f.Corners[t]
	a, b, c, d := &values[k[0]], &values[k[1]], &values[k[2]], &values[k[3]]
	wa, wb, wc, wd := w[0], w[1], w[2], w[3]
	return [3]float64{
		float64(wa*a[0]) + float64(wb*b[0]) + float64(wc*c[0]) + float64(wd*d[0]),
		float64(wa*a[1]) + float64(wb*b[1]) + float64(wc*c[1]) + float64(wd*d[1]),
		float64(wa*a[2]) + float64(wb*b[2]) + float64(wc*c[2]) + float64(wd*d[2]),
	}
}

// accurate is the velocity at a place from those of the tetrahedra at the corners of the Voronoi cell that the place is in. Where the cell is not one of the uniform lattice it
// is linear between vertices.
//
// Source: Klingner et al. 2006 eq. 4; in the uniform lattice each corner is on one of six squares and on two of eight hexagons, so that the fourteen distances are shared.
func (f *field) accurate(x *[3]float64) [3]float64 {
	a := f.arrive(x)
	return f.arrived(&a)
}

// arrival is where a trace ends: in the Voronoi cell of a vertex that is one of the uniform lattice, y from that, or elsewhere in a cell of the layout, y from its centre; in
// cells. The latter's centre is given as its complement.
type arrival struct {
	y      [3]float64
	vertex int32
}

// arrive finds in which cell a place is.
func (f *field) arrive(x *[3]float64) arrival {
	s := f.find(x)
	y, v := s.y, s.centre
	if math.Abs(y[0])+math.Abs(y[1])+math.Abs(y[2]) > .75 { // nearer to a corner
		v = f.link[v][upwards(y[0])|upwards(y[1])<<1|upwards(y[2])<<2]
		for a := range y {
			y[a] -= math.Copysign(.5, y[a])
		}
	}
	if f.closed[v] == open {
		return arrival{s.y, ^s.centre}
	}
	return arrival{y, v}
}

// arrived is the velocity there.
func (f *field) arrived(a *arrival) [3]float64 {
	switch v := a.vertex; {
	case v < 0:
		return f.fallback(&spot{centre: ^v, y: a.y, edge: f.cell[f.Level[^v]&layout.MaxLevel]})
	case f.closed[v] == closed:
		return f.inCell(v, &a.y)
	}
	return f.inMirroredCell(a.vertex, &a.y)
}

// fallback is linear between vertices, of the order of the tetrahedra's velocities.
func (f *field) fallback(s *spot) [3]float64 {
	if f.has == second {
		return f.linearAt(f.sharp, s)
	}
	return f.linearAt(f.vertex, s)
}

// leastFactor bounds the distances from a cell's polygons from below, cells: there the weights of corners of one polygon are as good as all.
const leastFactor = 1e-9

// factors are one over the distances of a place from the polygons of its Voronoi cell: across the six long edges, and for each pair of short ones whose polygons meet the
// product of theirs. Both have room for more, so that no index is beyond.
type factors struct {
	square [8]float64
	pair   [16]float64
}

// set sets them for a place from the vertex, in edges of the cells around.
func (k *factors) set(y *[3]float64) {
	u, v, w := y[0], y[1], y[2]
	k.square = [8]float64{factor(.5 + u), factor(.5 - u), factor(.5 + v), factor(.5 - v), factor(.5 + w), factor(.5 - w)}
	lo, right, left, hi := .75+(u+v), .75+(v-u), .75+(u-v), .75+(-u-v)
	h0, h1, h2, h3 := factor(lo+w), factor(right+w), factor(left+w), factor(hi+w)
	h4, h5, h6, h7 := factor(lo-w), factor(right-w), factor(left-w), factor(hi-w)
	k.pair = [16]float64{h0 * h1, h2 * h3, h4 * h5, h6 * h7, h0 * h2, h1 * h3, h4 * h6, h5 * h7, h0 * h4, h1 * h5, h2 * h6, h3 * h7}
}

// factor is one over a distance, bounded.
func factor(distance float64) float64 {
	if distance < leastFactor {
		distance = leastFactor
	}
	return 1 / distance
}

// weight is that of the corner in a wedge.
func (k *factors) weight(w *wedge) float64 { return k.square[w.square&7] * k.pair[w.pair&15] }

// inCell is it in the Voronoi cell of a vertex in the uniform lattice, at a place from the vertex, in edges of its cells.
func (f *field) inCell(v int32, y *[3]float64) [3]float64 {
	var k factors
	k.set(y)
	total, x, y2, z := 0., 0., 0., 0.
	for i, t := range &f.around[v] {
		w, u := k.weight(&wedges[i]), &f.tet[t]
		total += float64(w)
		x += float64(w * u[0])
		y2 += float64(w * u[1])
		z += float64(w * u[2])
	}
	by := 1 / total
	return [3]float64{x * by, y2 * by, z * by}
}

// inMirroredCell is inCell where the layout's sides mirror a part of the cell.
func (f *field) inMirroredCell(v int32, y *[3]float64) [3]float64 {
	var k factors
	k.set(y)
	total, x, y2, z := 0., 0., 0., 0.
	for i := range wedges {
		w := k.weight(&wedges[i])
		total += float64(w)
		t, across := f.tetIn(v, i)
		p := &f.tet[t]
		x += float64(w * turned(p[0], across&1))
		y2 += float64(w * turned(p[1], across>>1&1))
		z += float64(w * turned(p[2], across>>2&1))
	}
	by := 1 / total
	return [3]float64{x * by, y2 * by, z * by}
}

// turned is -x if the bit is 1, without a branch.
func turned(x float64, bit uint8) float64 {
	return math.Float64frombits(math.Float64bits(x) ^ uint64(bit)<<63)
}
