package physics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Query selects the shapes that a cast or query considers. The zero value selects all but sensors.
type Query struct {
	// Filter is the query's, as if it were a shape's.
	Filter Filter
	// Ignore is a body whose shapes are skipped, such as the caller's; the zero Body: none.
	Ignore Body
}

// Ray is a segment from a point along a motion, m.
type Ray struct{ From, Motion r3.Vec }

// CastHit is where a ray or moving shape first meets a shape.
type CastHit struct {
	Shape    Shape
	Point    r3.Vec  // world, m
	Normal   r3.Vec  // unit, out of Shape
	Fraction float64 // of the motion until then, 0 to 1
}

// ClosestHit is the point of a shape nearest to another point.
type ClosestHit struct {
	Shape    Shape
	Point    r3.Vec  // on the surface, world, m
	Normal   r3.Vec  // unit, out of Shape
	Distance float64 // m, negative inside
}

// queryScratch is scratch for queries.
type queryScratch struct {
	tri    meshScratch
	sdf    sdfScratch
	pts    [7]r3.Vec
	out    [7]float32
	box    *hull
	shrunk hull // a part's, scaled
	rot    mat3
	a, b   solid
	moved  solid
	shapes []int32
}

// admits reports whether the query considers the shape.
func (q *Query) admits(w *World, s *shape) bool {
	return !s.def.Sensor && q.Filter.withDefaults().meets(s.def.Filter) &&
		!(q.Ignore.world == w && s.body == q.Ignore.slot && q.Ignore.Valid())
}

func checkRay(field string, from, motion r3.Vec) error {
	switch {
	case !near(from):
		return &FieldError{field + ": from", from, limitPosition}
	case !near(motion) || reproducible.Norm2(motion) == 0:
		return &FieldError{field + ": motion", motion, "finite, within ±1e6 m and not zero"}
	}
	return nil
}

// RayCast finds the first shape on the segment from a point along motion, m. A ray that starts
// inside a solid hits it at once, with a normal against the ray. Open meshes are hit from their front only, unless they are
// TwoSided. ok is false if nothing is hit. The error is a *FieldError about the ray.
func (w *World) RayCast(from, motion r3.Vec, q Query) (hit CastHit, ok bool, err error) {
	defer w.enter(&inRayCast).leave()
	if err := checkRay("World.RayCast", from, motion); err != nil {
		return CastHit{}, false, err
	}
	hit, ok = w.rayCast(from, motion, &q)
	return hit, ok, nil
}

func (w *World) rayCast(from, motion r3.Vec, q *Query) (hit CastHit, ok bool) {
	limit := 1.0
	w.tree.along(from, motion, r3.Vec{}, func(slot int32) float64 {
		if s := &w.shapes[slot]; q.admits(w, s) {
			if t, n, met := w.rayShape(s, from, motion, limit); met && (!ok || t < limit || t == limit && slot < hit.Shape.slot) {
				limit, ok = t, true
				hit = CastHit{w.shape(slot), r3.Add(from, reproducible.Scale(t, motion)), n, t}
			}
		}
		return limit
	})
	return hit, ok
}

// rayShape finds where a ray first enters a shape.
func (w *World) rayShape(s *shape, from, motion r3.Vec, limit float64) (t float64, n r3.Vec, ok bool) {
	t = limit
	for k := range s.parts {
		w.query.b = s.solid(uint8(k))
		if x, m, met := w.query.b.ray(&w.query, from, motion, t); met && (!ok || x < t) {
			t, n, ok = x, m, true
		}
	}
	return t, n, ok
}

// RayCastAll appends to dst where the ray first enters each shape on its way, nearest first.
// The error is that of RayCast. It does not allocate if dst has room.
func (w *World) RayCastAll(dst []CastHit, from, motion r3.Vec, q Query) ([]CastHit, error) {
	defer w.enter(&inRayCastAll).leave()
	if err := checkRay("World.RayCastAll", from, motion); err != nil {
		return dst, err
	}
	first := len(dst)
	w.tree.along(from, motion, r3.Vec{}, func(slot int32) float64 {
		if s := &w.shapes[slot]; q.admits(w, s) {
			if t, n, met := w.rayShape(s, from, motion, 1); met {
				dst = append(dst, CastHit{w.shape(slot), r3.Add(from, reproducible.Scale(t, motion)), n, t})
			}
		}
		return 1
	})
	slices.SortFunc(dst[first:], func(a, b CastHit) int {
		return cmp.Or(cmp.Compare(a.Fraction, b.Fraction), cmp.Compare(a.Shape.slot, b.Shape.slot))
	})
	return dst, nil
}

// RayCasts writes to dst what RayCast finds for each of the rays; where nothing is hit,
// Shape is zero. The error is about the first ray that is wrong; nothing is written then.
// It panics if the lengths differ.
func (w *World) RayCasts(dst []CastHit, rays []Ray, q Query) error {
	defer w.enter(&inRayCasts).leave()
	if len(dst) != len(rays) {
		panic("physics: RayCasts: dst and rays differ in length")
	}
	for i := range rays {
		if err := checkRay("World.RayCasts", rays[i].From, rays[i].Motion); err != nil {
			return err
		}
	}
	for i := range rays {
		dst[i], _ = w.rayCast(rays[i].From, rays[i].Motion, &q)
	}
	return nil
}

// setQuery makes q.a the convex geometry at a pose.
func (q *queryScratch) setQuery(field string, g *Geometry, pos r3.Vec, rot quat.Number) error {
	if err := g.Validate(); err != nil {
		return err
	}
	switch {
	case g.kind > hullGeometry:
		return &FieldError{field + ": g", nil, "a Sphere, Capsule, Cylinder, Box or Hull"}
	case !near(pos):
		return &FieldError{field + ": pos", pos, limitPosition}
	case !goodRotation(rot):
		return &FieldError{field + ": rot", rot, limitRotation}
	}
	pos, rot = g.pose(pos, unitRotation(rot))
	q.rot = rotationMatrix(rot)
	q.a = solid{kind: g.kind, pos: pos, rot: &q.rot, half: g.half, radius: g.radius, hull: g.hull}
	switch g.kind {
	case boxGeometry:
		if q.box == nil {
			q.box = boxHull(g.half)
		}
		q.box.resizeBox(g.half)
		q.a.hull = q.box
	case capsuleGeometry, cylinderGeometry:
		q.a.half, q.a.radius = g.core()
	}
	return nil
}

// ShapeCast moves a convex geometry from a pose along motion, m, without turning it, and
// finds the first shape that it hits. A shape that it overlaps from the start is hit at once,
// unless the motion leads out of it. The error is a *FieldError about the arguments.
func (w *World) ShapeCast(g Geometry, pos r3.Vec, rot quat.Number, motion r3.Vec, q Query) (hit CastHit, ok bool, err error) {
	defer w.enter(&inShapeCast).leave()
	if err := w.query.setQuery("World.ShapeCast", &g, pos, rot); err != nil {
		return CastHit{}, false, err
	}
	if err := checkRay("World.ShapeCast", pos, motion); err != nil {
		return CastHit{}, false, err
	}
	a := &w.query.a
	box := boundsIn(a, &worldAxes, r3.Vec{}, 0)
	limit := 1.0
	w.tree.along(box.Center(), motion, reproducible.Scale(0.5, box.Size()), func(slot int32) float64 {
		s := &w.shapes[slot]
		if !q.admits(w, s) {
			return limit
		}
		for k := range s.parts {
			w.query.b = s.solid(uint8(k))
			t, n, met := w.query.sweepAny(a, &w.query.b, motion)
			if met && (!ok || t < limit || t == limit && slot < hit.Shape.slot) {
				limit, ok = t, true
				hit = CastHit{w.shape(slot), r3.Add(a.surfaceSupport(n), reproducible.Scale(t, motion)), reproducible.Scale(-1, n), t}
			}
		}
		return limit
	})
	return hit, ok, nil
}

// Overlap appends to dst the shapes that a convex geometry at a pose overlaps, in a stable order.
// The error is a *FieldError about the arguments.
func (w *World) Overlap(dst []Shape, g Geometry, pos r3.Vec, rot quat.Number, q Query) ([]Shape, error) {
	defer w.enter(&inOverlap).leave()
	if err := w.query.setQuery("World.Overlap", &g, pos, rot); err != nil {
		return dst, err
	}
	box := boundsIn(&w.query.a, &worldAxes, r3.Vec{}, 0)
	found := w.query.shapes[:0]
	w.tree.overlapping(&box, func(slot int32) {
		if s := &w.shapes[slot]; overlap(&s.bounds, &box) && q.admits(w, s) && w.overlaps(s) {
			found = append(found, slot)
		}
	})
	slices.Sort(found)
	for _, slot := range found {
		dst = append(dst, w.shape(slot))
	}
	w.query.shapes = found
	return dst, nil
}

// overlaps reports whether the queried geometry overlaps a shape.
func (w *World) overlaps(s *shape) bool {
	q := &w.query
	a := q.a.fullCore()
	touch := func(b *solid) bool {
		e := b.fullCore()
		return gjkGap(&a, &e, r3.Vec{}).distance <= a.radius+e.radius
	}
	for k := range s.parts {
		q.b = s.solid(uint8(k))
		switch q.b.kind {
		case halfSpaceGeometry:
			if reproducible.Dot(q.b.normal, r3.Sub(q.a.surfaceSupport(reproducible.Scale(-1, q.b.normal)), q.b.pos)) <= 0 {
				return true
			}
		case sdfGeometry:
			if _, low := q.sdf.deepest(&q.a, &q.b); low <= 0 {
				return true
			}
		case meshGeometry:
			met := false
			box := boundsIn(&q.a, &q.b, r3.Vec{}, castTolerance)
			q.tri.each(&q.a, &q.b, &box, func(int32) bool {
				met = touch(&q.tri.solid)
				return !met
			})
			if met {
				return true
			}
		default:
			if touch(&q.b) {
				return true
			}
		}
	}
	return false
}

// ClosestPoint finds the point of all surfaces that is nearest to p and within
// distance, m; for a p inside of a solid, the nearest point of its surface. The error is a *FieldError about the
// arguments.
func (w *World) ClosestPoint(p r3.Vec, distance float64, q Query) (hit ClosestHit, ok bool, err error) {
	defer w.enter(&inClosestPoint).leave()
	if err := checkPoint("World.ClosestPoint", p, distance); err != nil {
		return ClosestHit{}, false, err
	}
	hit, ok = w.closestPoint(p, distance, &q)
	return hit, ok, nil
}

func checkPoint(field string, p r3.Vec, distance float64) error {
	switch {
	case !near(p):
		return &FieldError{field + ": p", p, limitPosition}
	case !within(distance, 0, maxCoordinate):
		return &FieldError{field + ": distance", distance, "0 to 1e6 m"}
	}
	return nil
}

// ClosestPoints writes to dst what ClosestPoint finds for each of pts; where there is
// nothing, Shape is zero. The error is about the first point that is wrong; nothing is
// written then. It panics if the lengths differ.
func (w *World) ClosestPoints(dst []ClosestHit, pts []r3.Vec, distance float64, q Query) error {
	defer w.enter(&inClosestPoints).leave()
	if len(dst) != len(pts) {
		panic("physics: ClosestPoints: dst and pts differ in length")
	}
	for _, p := range pts {
		if err := checkPoint("World.ClosestPoints", p, distance); err != nil {
			return err
		}
	}
	for i, p := range pts {
		dst[i], _ = w.closestPoint(p, distance, &q)
	}
	return nil
}

func (w *World) closestPoint(p r3.Vec, distance float64, q *Query) (hit ClosestHit, ok bool) {
	box := grow(r3.Box{Min: p, Max: p}, distance)
	best := distance
	w.tree.overlapping(&box, func(slot int32) {
		s := &w.shapes[slot]
		if !q.admits(w, s) || boxGap(&s.bounds, p) > best {
			return
		}
		for k := range s.parts {
			w.query.b = s.solid(uint8(k))
			d, at, n := w.query.closest(&w.query.b, p)
			if d < best || d == best && (!ok || slot < hit.Shape.slot) {
				best, ok = d, true
				hit = ClosestHit{w.shape(slot), at, n, d}
			}
		}
	})
	return hit, ok
}

// closest is the signed distance of the world point p to a part, the point of the surface
// there, and the normal out of it.
func (q *queryScratch) closest(s *solid, p r3.Vec) (d float64, at, n r3.Vec) {
	switch s.kind {
	case halfSpaceGeometry:
		n = s.normal
		d = reproducible.Dot(n, r3.Sub(p, s.pos))
	case sdfGeometry:
		local := mulVecT(s.rot, r3.Sub(p, s.pos))
		q.pts[0] = local
		s.dist(q.out[:1], q.pts[:1])
		d = float64(q.out[0])
		n = mulVec(s.rot, q.outward(s, local))
	case meshGeometry:
		return s.mesh.closest(s, p)
	default:
		point, full := solid{kind: sphereGeometry, pos: p, rot: s.rot}, s.fullCore()
		if g := gjkGap(&full, &point, r3.Vec{}); g.distance > 0 {
			n, d = g.n, g.distance-full.radius
		} else {
			axis := deepestAxis(&full, &point)
			n, d = axis.n, axis.sep
			if full.kind == cylinderGeometry { // its side is no face
				n, d = full.cylinderExit(p)
			}
		}
	}
	return d, r3.Sub(p, reproducible.Scale(d, n)), n
}

// cylinderExit is the shortest way out of a cylinder from the point p in it.
func (s *solid) cylinderExit(p r3.Vec) (n r3.Vec, d float64) {
	l, full := mulVecT(s.rot, r3.Sub(p, s.pos)), s.full()
	r := hypot(l.X, l.Z)
	n, d = r3.Vec{Y: math.Copysign(1, l.Y)}, math.Abs(l.Y)-full.Y
	if side := r - full.X; side > d {
		n, d = r3.Vec{X: 1}, side
		if r > 0 {
			n = r3.Vec{X: l.X / r, Z: l.Z / r}
		}
	}
	return mulVec(s.rot, n), d
}

// closest is that of queryScratch for the surface, which stands as b does.
func (s *surface) closest(b *solid, p r3.Vec) (d float64, at, n r3.Vec) {
	local := mulVecT(b.rot, r3.Sub(p, b.pos))
	best, q, i := s.nearestTriangle(local)
	v := s.corners(i)
	normal := triangleNormal(&v)
	if d = best; s.closed {
		d = math.Copysign(best, s.distance(local))
	}
	if away := r3.Sub(local, q); reproducible.Norm(away) > 1e-9 {
		normal = reproducible.Scale(math.Copysign(1, d), unit(away))
	}
	return d, r3.Add(b.pos, mulVec(b.rot, q)), mulVec(b.rot, normal)
}
