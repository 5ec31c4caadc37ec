package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// capPoints is the number of points that stand for the rim of a cylinder's cap.
	capPoints = 8
	// maxFeature is the longest polygon that a solid shows; clipping by as many planes at
	// most doubles it.
	maxFeature = MaxHullVertices

	// aligned is the least cosine between a face's normal and the axis of a contact on it: 0.6°, above the rounding error of
	// the axis and below a visible angle.
	aligned = 0.99995
	// sharp, m, is the tolerance of depth: points of contact must be as deep as the overlap up to this, and beyond it the
	// rounded rim of a cylinder's core is corrected.
	sharp = 1e-3

	// parallel is the sine below which two edges share a line, not a point.
	parallel = 0.02
)

// feature is the part of a solid's surface that faces some way: a polygon, a segment, or a
// point.
type feature struct {
	n      int
	points [maxFeature]clipVertex
	face   uint32  // its number in the solid
	normal r3.Vec  // of a polygon, outward
	flat   bool    // it is a polygon
	radius float64 // the surface is that far outside it, m
	curve  float64 // radius of curvature about its points, m
}

// faceToward fills f with the feature of the solid that faces the unit vector n.
func (s *solid) faceToward(n r3.Vec, f *feature) {
	f.n, f.face, f.flat, f.radius, f.curve = 0, 0, false, 0, 0
	switch s.kind {
	case sphereGeometry:
		f.radius, f.curve = s.radius, s.radius
		f.put(s.pos)
	case capsuleGeometry:
		f.radius, f.curve = s.radius, s.radius
		d := reproducible.Scale(s.half.Y, s.axis())
		f.put(r3.Sub(s.pos, d))
		f.put(r3.Add(s.pos, d))
	case cylinderGeometry:
		s.cylinderToward(n, f)
	default:
		s.hullToward(n, f)
	}
}

func (f *feature) put(p r3.Vec) {
	f.points[f.n] = clipVertex{p: p, id: uint32(f.n), edge: uint32(f.n)}
	f.n++
}

func (s *solid) hullToward(n r3.Vec, f *feature) {
	l := mulVecT(s.rot, n)
	best, most := 0, -2.0
	for i := range s.hull.planes {
		// A tie must not alternate with rounding.
		if d := reproducible.Dot(s.hull.planes[i].normal, l); d > most+1e-6 {
			best, most = i, d
		}
	}
	f.face, f.normal = uint32(best), s.faceNormal(best)
	for _, v := range s.hull.face(best) {
		f.put(r3.Add(s.pos, mulVec(s.rot, s.hull.vertices[v])))
	}
	f.flat = f.n > 2 // the side of a triangle is an edge
}

// onCap is where the points of a cap are, on one of radius 1.
var onCap = circle(capPoints)

// cylinderToward shows a cap or the line on the side that is farthest along n. The first
// point of a cap that is not square to n is its farthest.
func (s *solid) cylinderToward(n r3.Vec, f *feature) {
	l, full := mulVecT(s.rot, n), s.full()
	rim := hypot(l.X, l.Z)
	if math.Abs(l.Y) < math.Sqrt(0.5) {
		x, z := full.X*l.X/rim, full.X*l.Z/rim
		for _, y := range [2]float64{-full.Y, full.Y} {
			f.put(r3.Add(s.pos, mulVec(s.rot, r3.Vec{X: x, Y: y, Z: z})))
		}
		f.face, f.curve = 2, full.X
		return
	}
	c, q := 1.0, 0.0
	if rim > 1e-3 {
		c, q = l.X/rim, l.Z/rim
	}
	side := math.Copysign(1, l.Y)
	f.flat, f.normal = true, reproducible.Scale(side, s.axis())
	if side < 0 {
		f.face = 1
	}
	for k := range capPoints {
		// Counterclockwise from outside: from +x to -z on top.
		x, z := turned(onCap[k][0], -side*onCap[k][1], c, q)
		p := r3.Vec{X: full.X * x, Y: side * full.Y, Z: full.X * z}
		f.put(r3.Add(s.pos, mulVec(s.rot, p)))
	}
}

// convexScratch is scratch for the contact of two convex solids.
type convexScratch struct {
	sat        satScratch
	tri        meshScratch
	a, b       feature
	clip       [2][2 * maxFeature]clipVertex
	candidates []manifoldPoint // candidates of one contact

	// Arguments passed through a table of functions, kept here so that they do not escape to the heap.
	solidA, solidB solid
	manifold       manifold
}

// convex finds the contact of two convex solids: the axis between them, by separating axes
// for polyhedra and by the gap between their cores for round ones, then what their surfaces
// share across it.
func (q *convexScratch) convex(a, b *solid, margin float64, m *manifold) {
	axis, ok := q.separatingAxis(a, b, margin)
	if !ok {
		return
	}
	q.candidates = q.candidates[:0]
	q.addContact(a, b, axis, margin)
	m.reduce(q.candidates, 4)
}

// separatingAxis is the axis between a and b, unless they are farther apart than margin.
func (q *convexScratch) separatingAxis(a, b *solid, margin float64) (axis axisSeparation, ok bool) {
	if a.hull != nil && b.hull != nil {
		return q.sat.hulls(a, b, margin)
	}
	curved := a.kind == cylinderGeometry || b.kind == cylinderGeometry
	g := gjkGap(a, b, r3.Vec{})
	if g.distance-a.radius-b.radius > margin {
		return axis, false
	}
	if g.distance > 0 {
		axis = axisSeparation{n: g.n, sep: g.distance - a.radius - b.radius}
		if curved {
			axis.sep = reproducible.Dot(g.n, r3.Sub(b.surfaceSupport(reproducible.Scale(-1, g.n)), a.surfaceSupport(g.n)))
		}
	} else {
		axis = deepestAxis(a, b)
	}
	// The core of a cylinder is smaller than itself by a radius that its rim does not have.
	if curved && axis.sep < -sharp {
		axis.refine(a, b)
	}
	return axis, axis.sep <= margin
}

// addContact appends to q.candidates the points that a and b share across the axis.
func (q *convexScratch) addContact(a, b *solid, axis axisSeparation, margin float64) {
	if axis.edges {
		q.candidates = append(q.candidates, edgePoint(a, b, axis))
		return
	}
	n := axis.n
	a.faceToward(n, &q.a)
	b.faceToward(reproducible.Scale(-1, n), &q.b)
	onA, onB := -1.0, -1.0
	if q.a.flat {
		onA = reproducible.Dot(q.a.normal, n)
	}
	if q.b.flat {
		onB = -reproducible.Dot(q.b.normal, n)
	}
	grazed := false
	switch {
	case onA >= aligned && onA >= onB-1e-6:
		grazed = q.addFaceContact(&q.a, &q.b, false, margin)
	case onB >= aligned:
		grazed = q.addFaceContact(&q.b, &q.a, true, margin)
	default:
		q.addLineContact(n, margin)
	}
	low := math.Inf(1)
	for i := range q.candidates {
		low = min(low, q.candidates[i].sep)
	}
	if low > axis.sep+sharp && !grazed { // where they are deepest is not on these features
		q.candidates = append(q.candidates, manifoldPoint{pos: midpoint(a, b, axis), normal: n, sep: axis.sep, roundA: q.a.curve, roundB: q.b.curve})
	}
}

// midpoint is the point midway between two solids where they are nearest or deepest along the axis:
// a is moved back along it until they are apart by a little, and then something is between them.
func midpoint(a, b *solid, axis axisSeparation) r3.Vec {
	x, y := a.fullCore(), b.fullCore()
	least, _ := a.size()
	back := reproducible.Scale(min(0, axis.sep+x.radius+y.radius-float64(0.01*least)), axis.n)
	g := gjkGap(&x, &y, back)
	onA, onB := r3.Sub(r3.Add(g.a, reproducible.Scale(x.radius, g.n)), back), r3.Sub(g.b, reproducible.Scale(y.radius, g.n))
	return reproducible.Scale(0.5, r3.Add(onA, onB))
}

// addFaceContact clips inc by the sides of the polygon ref and keeps what is nearer to it than
// margin. It reports whether that is nothing because they only graze.
func (q *convexScratch) addFaceContact(ref, inc *feature, swapped bool, margin float64) bool {
	n := ref.normal
	poly, count := 0, inc.n
	copy(q.clip[0][:], inc.points[:inc.n])
	for k := range ref.n {
		p, next := ref.points[k].p, ref.points[(k+1)%ref.n].p
		u := unit(reproducible.Cross(r3.Sub(next, p), n))
		h := reproducible.Dot(u, p) + clipSlack
		switch count {
		case 0, 1:
		case 2:
			count = clipSegment(q.clip[poly][:2], u, h)
		default:
			count = clip(q.clip[1-poly][:], q.clip[poly][:count], u, h, uint32(k))
			poly = 1 - poly
		}
	}
	top := reproducible.Dot(n, ref.points[0].p)
	rest := q.clip[poly][:count]
	if grazes(ref, inc, rest, top, n) {
		return true
	}
	id := ref.face<<24 | inc.face<<16
	normal := n
	if swapped {
		id |= 1 << 31
		normal = reproducible.Scale(-1, n)
	}
	for _, v := range rest {
		sep := reproducible.Dot(n, v.p) - top - inc.radius
		if sep > margin {
			continue
		}
		h := manifoldPoint{pos: r3.Sub(v.p, reproducible.Scale(inc.radius+float64(sep/2), n)), normal: normal, sep: sep, id: id | v.id}
		if swapped {
			h.roundA = inc.curve
		} else {
			h.roundB = inc.curve
		}
		q.candidates = append(q.candidates, h)
	}
	return false
}

// addLineContact finds two points if an edge or side of each solid, both square to n, run along each
// other, as of two capsules side by side.
func (q *convexScratch) addLineContact(n r3.Vec, margin float64) {
	a0, a1, okA := q.a.line(n)
	b0, b1, okB := q.b.line(reproducible.Scale(-1, n))
	if !okA || !okB {
		return
	}
	u, v := r3.Sub(a1, a0), r3.Sub(b1, b0)
	if reproducible.Norm(reproducible.Cross(u, v)) > parallel*reproducible.Norm(u)*reproducible.Norm(v) {
		return
	}
	l2 := reproducible.Norm2(u)
	s, t := reproducible.Dot(r3.Sub(b0, a0), u)/l2, reproducible.Dot(r3.Sub(b1, a0), u)/l2
	lo, hi := max(0, min(s, t)), min(1, max(s, t))
	if !(hi-lo > 1e-6) {
		return
	}
	for k, x := range [2]float64{lo, hi} {
		p := r3.Add(a0, reproducible.Scale(x, u))
		y := max(0, min((x-s)/(t-s), 1))
		w := r3.Sub(r3.Add(b0, reproducible.Scale(y, v)), p)
		beside := reproducible.Norm(r3.Sub(w, r3.Add(reproducible.Scale(reproducible.Dot(w, n), n), reproducible.Scale(reproducible.Dot(w, u)/l2, u))))
		if beside > sharp+float64(parallel*math.Sqrt(l2)) { // deep overlap: the edges do not face each other
			continue
		}
		if sep := reproducible.Dot(w, n) - q.a.radius - q.b.radius; sep <= margin {
			pos := r3.Add(p, reproducible.Scale(q.a.radius+float64(sep/2), n))
			q.candidates = append(q.candidates, manifoldPoint{pos: pos, normal: n, sep: sep, id: uint32(k + 1), roundA: q.a.curve, roundB: q.b.curve})
		}
	}
}

// line is the edge of the feature that is farthest along n; ok is false unless it is square
// to n.
func (f *feature) line(n r3.Vec) (p, q r3.Vec, ok bool) {
	most := math.Inf(-1)
	for k := range f.n {
		a, b := f.points[k].p, f.points[(k+1)%f.n].p
		if d := reproducible.Dot(r3.Add(a, b), n); f.n > 1 && d > most {
			p, q, most = a, b, d
		}
	}
	u := r3.Sub(q, p)
	return p, q, f.n > 1 && math.Abs(reproducible.Dot(u, n)) < parallel*reproducible.Norm(u)
}

// grazes reports whether the polygon, what two faces share, is a sliver of contact that is
// about to be: two bodies that slide past each other, as over the seam of a floor.
func grazes(ref, inc *feature, poly []clipVertex, top float64, n r3.Vec) bool {
	if !inc.flat || len(poly) == 0 || reproducible.Dot(inc.normal, n) > -0.98 {
		return false
	}
	if lowest(poly, n)-top < -grazingDepth {
		return false
	}
	for k := range ref.n {
		u := reproducible.Cross(r3.Sub(ref.points[(k+1)%ref.n].p, ref.points[k].p), n)
		l := reproducible.Norm(u)
		if extent(poly, u) < l*grazingDepth && extent(ref.points[:ref.n], u) > 10*l*grazingDepth && extent(inc.points[:inc.n], u) > 10*l*grazingDepth {
			return true
		}
	}
	return false
}

// lowest is how far along n the polygon begins; +Inf without any corner.
func lowest(poly []clipVertex, n r3.Vec) float64 {
	low := math.Inf(1)
	for _, v := range poly {
		low = min(low, reproducible.Dot(n, v.p))
	}
	return low
}

// extent of the polygon along u.
func extent(poly []clipVertex, u r3.Vec) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range poly {
		x := reproducible.Dot(u, v.p)
		lo, hi = min(lo, x), max(hi, x)
	}
	return hi - lo
}

// edgePoint is the point between the edges of the axis.
func edgePoint(a, b *solid, axis axisSeparation) manifoldPoint {
	p, u := a.edge(axis.edgeA)
	q, v := b.edge(axis.edgeB)
	p, q = nearestOnLines(p, u, q, v)
	id := 1<<30 | uint32(axis.edgeA)<<8 | uint32(axis.edgeB)
	return manifoldPoint{pos: reproducible.Scale(0.5, r3.Add(p, q)), normal: axis.n, sep: axis.sep, id: id}
}

// edge is where edge i of a polyhedron begins, and the vector to its end.
func (s *solid) edge(i int) (p, u r3.Vec) {
	return r3.Add(s.pos, mulVec(s.rot, s.hull.vertices[s.hull.edges[i].a])), s.direction(i)
}

// nearestOnLines are the nearest points of the lines p+su and q+tv, kept on the segments
// 0 ≤ s, t ≤ 1.
func nearestOnLines(p, u, q, v r3.Vec) (r3.Vec, r3.Vec) {
	w := r3.Sub(q, p)
	uu, vv, uv := reproducible.Norm2(u), reproducible.Norm2(v), reproducible.Dot(u, v)
	wu, wv := reproducible.Dot(w, u), reproducible.Dot(w, v)
	apart := det(uu, uv, uv, vv)
	s := max(0, min(det(wu, wv, uv, vv)/apart, 1))
	t := max(0, min(det(uv, uu, wv, wu)/apart, 1))
	return r3.Add(p, reproducible.Scale(s, u)), r3.Add(q, reproducible.Scale(t, v))
}

// clipSegment moves the ends of the segment p to where u·x ≤ h and returns how many are left.
func clipSegment(p []clipVertex, u r3.Vec, h float64) int {
	d, e := reproducible.Dot(u, p[0].p)-h, reproducible.Dot(u, p[1].p)-h
	switch {
	case d > 0 && e > 0:
		return 0
	case d > 0:
		p[0].p = r3.Add(p[0].p, reproducible.Scale(d/(d-e), r3.Sub(p[1].p, p[0].p)))
	case e > 0:
		p[1].p = r3.Add(p[1].p, reproducible.Scale(e/(e-d), r3.Sub(p[0].p, p[1].p)))
	}
	return 2
}
