package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Separating axes are compared with a tolerance, so that the features of a resting contact do not alternate with
// rounding: a face of B must exceed one of A, and an edge pair both.
const (
	faceBias = 2e-4 // m
	edgeBias = 1e-3 // m

	// clipSlack lets faces of equal size keep their corners whatever the rounding.
	clipSlack = 1e-5 // m
)

// boxBox finds the axis of least overlap among the 15 that can separate two boxes (Gottschalk
// et al. 1996), then clips the face that lies against it, or joins two edges.
func boxBox(a, b *solid, margin float64, m *manifold) {
	ra, rb, ha, hb := a.rot, b.rot, array(a.half), array(b.half)
	d := r3.Sub(b.pos, a.pos)
	ta, tb := array(mulVecT(ra, d)), array(mulVecT(rb, d))
	rt := transpose(ra)
	r := mulMat(&rt, rb)
	var abs mat3
	for i := range 3 {
		for j := range 3 {
			abs[i][j] = math.Abs(r[i][j])
		}
	}
	sepA, sepB, axisA, axisB := math.Inf(-1), math.Inf(-1), 0, 0
	for i := range 3 {
		s := math.Abs(ta[i]) - ha[i] - dot3(abs[i][0], hb[0], abs[i][1], hb[1], abs[i][2], hb[2])
		if s > sepA {
			sepA, axisA = s, i
		}
		s = math.Abs(tb[i]) - hb[i] - dot3(abs[0][i], ha[0], abs[1][i], ha[1], abs[2][i], ha[2])
		if s > sepB {
			sepB, axisB = s, i
		}
	}
	if max(sepA, sepB) > margin {
		return
	}
	sepE, edgeA, edgeB := edgeAxes(&r, &abs, &ta, &ha, &hb)
	switch {
	case sepE > margin:
	case sepE > max(sepA, sepB)+edgeBias:
		edgeContact(a, b, edgeA, edgeB, d, sepE, m)
	case sepB > sepA+faceBias:
		faceContact(b, a, axisB, math.Copysign(1, -tb[axisB]), margin, true, m)
	default:
		faceContact(a, b, axisA, math.Copysign(1, ta[axisA]), margin, false, m)
	}
}

// edgeAxes is the largest separation along the cross products of edges and the edges' axes.
// Nearly parallel edges are skipped: faces separate as well.
func edgeAxes(r, abs *mat3, t, ha, hb *[3]float64) (sep float64, edgeA, edgeB int) {
	sep = math.Inf(-1)
	for i := range 3 {
		i1, i2 := (i+1)%3, (i+2)%3
		for j := range 3 {
			l2 := 1 - float64(r[i][j]*r[i][j])
			if l2 < 1e-4 {
				continue
			}
			j1, j2 := (j+1)%3, (j+2)%3
			s := math.Abs(det(t[i2], t[i1], r[i2][j], r[i1][j])) -
				(dot3(ha[i1], abs[i2][j], ha[i2], abs[i1][j], hb[j1], abs[i][j2]) + float64(hb[j2]*abs[i][j1]))
			if s /= math.Sqrt(l2); s > sep {
				sep, edgeA, edgeB = s, i, j
			}
		}
	}
	return sep, edgeA, edgeB
}

// edgeContact joins the edges of a and b, along their axes i and j, that face each other.
func edgeContact(a, b *solid, i, j int, d r3.Vec, sep float64, m *manifold) {
	u, v := column(a.rot, i), column(b.rot, j)
	n := unit(reproducible.Cross(u, v))
	if reproducible.Dot(n, d) < 0 {
		n = reproducible.Scale(-1, n)
	}
	p, sideA := a.edgeCentre(i, n)
	q, sideB := b.edgeCentre(j, reproducible.Scale(-1, n))
	u, v = reproducible.Scale(component(a.half, i), u), reproducible.Scale(component(b.half, j), v)
	p, q = nearestOnLines(r3.Sub(p, u), reproducible.Scale(2, u), r3.Sub(q, v), reproducible.Scale(2, v))
	id := 1<<30 | uint32(i)<<12 | uint32(j)<<8 | sideA<<4 | sideB
	m.add(manifoldPoint{pos: reproducible.Scale(0.5, r3.Add(p, q)), normal: n, sep: sep, id: id})
}

// edgeCentre is the middle of the edge along axis i that is farthest along n, and which of
// the four it is.
func (s *solid) edgeCentre(i int, n r3.Vec) (p r3.Vec, side uint32) {
	p = s.pos
	for k := range 3 {
		if k == i {
			continue
		}
		c, h := column(s.rot, k), component(s.half, k)
		side <<= 1
		if reproducible.Dot(c, n) < 0 {
			h = -h
			side |= 1
		}
		p = r3.Add(p, reproducible.Scale(h, c))
	}
	return p, side
}

// clipVertex is a corner of the polygon being clipped. id tells how it came about, edge
// names the edge that leaves it.
type clipVertex struct {
	p    r3.Vec
	id   uint32
	edge uint32
}

// faceContact clips the face of inc that lies against the face of ref on the given axis and
// side by the sides of that face, and adds what is nearer than margin. swapped says that ref
// is the second of the pair.
func faceContact(ref, inc *solid, axis int, side, margin float64, swapped bool, m *manifold) {
	n := reproducible.Scale(side, column(ref.rot, axis))
	var buf [2][16]clipVertex
	face := inc.opposedFace(n, &buf[0])
	poly, count := 0, 4
	for k := range 2 {
		i := (axis + 1 + k) % 3
		u, h := column(ref.rot, i), component(ref.half, i)
		c := reproducible.Dot(u, ref.pos)
		for s := range 2 {
			plane := uint32(2*k + s)
			count = clip(buf[1-poly][:], buf[poly][:count], u, h+c+clipSlack, plane)
			poly = 1 - poly
			u, c = reproducible.Scale(-1, u), -c
		}
	}
	top := reproducible.Dot(n, ref.pos) + component(ref.half, axis)
	if boxGrazes(ref, inc, axis, buf[poly][:count], top, n) {
		return
	}
	id := uint32(axis)<<24 | face<<16
	if side > 0 {
		id |= 1 << 26
	}
	normal := n
	if swapped {
		id |= 1 << 27
		normal = reproducible.Scale(-1, n)
	}
	for _, v := range buf[poly][:count] {
		if sep := reproducible.Dot(n, v.p) - top; sep <= margin {
			m.add(manifoldPoint{pos: r3.Sub(v.p, reproducible.Scale(sep/2, n)), normal: normal, sep: sep, id: id | v.id})
		}
	}
}

// boxGrazes is grazes for boxes, whose faces have two axes.
func boxGrazes(ref, inc *solid, axis int, poly []clipVertex, top float64, n r3.Vec) bool {
	if lowest(poly, n)-top < -grazingDepth {
		return false
	}
	for k := 1; k <= 2; k++ {
		i := (axis + k) % 3
		if extent(poly, column(ref.rot, i)) < min(grazingDepth, 0.2*component(ref.half, i), 0.2*smallest(inc.half)) {
			return true
		}
	}
	return false
}

// opposedFace writes the corners, in order, of the face that faces n most squarely, and
// names it.
func (s *solid) opposedFace(n r3.Vec, out *[16]clipVertex) uint32 {
	axis, most := 0, -1.0
	for k := range 3 {
		if d := math.Abs(reproducible.Dot(n, column(s.rot, k))); d > most+1e-6 {
			axis, most = k, d
		}
	}
	side := 1.0
	name := uint32(axis) << 1
	if reproducible.Dot(n, column(s.rot, axis)) > 0 {
		side = -1
		name |= 1
	}
	i, j := (axis+1)%3, (axis+2)%3
	c := r3.Add(s.pos, reproducible.Scale(side*component(s.half, axis), column(s.rot, axis)))
	u := reproducible.Scale(component(s.half, i), column(s.rot, i))
	v := reproducible.Scale(component(s.half, j), column(s.rot, j))
	for k, f := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		p := r3.Add(c, r3.Add(reproducible.Scale(f[0], u), reproducible.Scale(f[1], v)))
		out[k] = clipVertex{p: p, id: uint32(k), edge: uint32(k)}
	}
	return name
}

// clip writes to dst the part of the polygon src where u·p ≤ h, and returns its length
// (Sutherland, Hodgman 1974).
func clip(dst []clipVertex, src []clipVertex, u r3.Vec, h float64, plane uint32) int {
	n := 0
	for k, v := range src {
		next := &src[(k+1)%len(src)]
		d, e := reproducible.Dot(u, v.p)-h, reproducible.Dot(u, next.p)-h
		if d <= 0 {
			dst[n] = v
			n++
		}
		if d <= 0 != (e <= 0) {
			x := clipVertex{
				p:    r3.Add(v.p, reproducible.Scale(d/(d-e), r3.Sub(next.p, v.p))),
				id:   1<<15 | plane<<8 | v.edge<<1,
				edge: v.edge,
			}
			if d <= 0 { // leaving: the clip plane makes the next edge
				x.id, x.edge = x.id|1, maxFeature+plane
			}
			dst[n] = x
			n++
		}
	}
	return n
}
