package surfaceonly

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boundary"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// reading answers questions about the surface.
type reading struct {
	mesh   *trimesh.Mesh
	probe  trimesh.Probe
	found  []int32
	values []float32
}

// far is what distances are said to be at most, m.
const far = 1e6

// distance writes signed distances, negative in the liquid.
func (r *reading) distance(dst []float32, at []r3.Vec) { r.probe.Distance(dst, r.mesh, at, far) }

// clear tells whether a place is in the air, and no surface within a distance, m.
func (r *reading) clear(x r3.Vec, within float64) bool {
	_, near := r.probe.Near(r.mesh, x, within)
	return !near && !r.inside(x)
}

// inside tells whether a place is in liquid.
func (r *reading) inside(x r3.Vec) (in bool) {
	in, r.found = r.mesh.Inside(x, r.found)
	return in
}

// eachInside visits cubes with an edge, m, whose centres are in a piece of the liquid and in a box.
func (r *reading) eachInside(l *boundary.Liquid, piece int, box r3.Box, edge float64, visit func(x r3.Vec, volume float64)) {
	if !boxes.Valid(box) {
		return
	}
	size := r3.Sub(box.Max, box.Min)
	nx, ny, nz := int(math.Ceil(size.X/edge)), int(math.Ceil(size.Y/edge)), int(math.Ceil(size.Z/edge))
	for k := range nz {
		for j := range ny {
			for i := range nx {
				x := r3.Add(box.Min, reproducible.Scale(edge, r3.Vec{X: float64(i) + .5, Y: float64(j) + .5, Z: float64(k) + .5}))
				if r.isIn(l, piece, x) {
					visit(x, edge*edge*edge)
				}
			}
		}
	}
}

// isIn tells whether a place is in a piece of the liquid.
func (r *reading) isIn(l *boundary.Liquid, piece int, x r3.Vec) bool {
	ray, winding := geom.RayX(x), 0
	r.found = r.mesh.Boxes.Overlapping(r.found[:0], &ray)
	for _, t := range r.found {
		a, b, c := r.mesh.Corners(t)
		if turn, at := geom.CrossX(&x, &a, &b, &c); turn != 0 && at > x.X && l.PieceOf(t) == piece {
			winding += turn
		}
	}
	return winding > 0
}

// velocityAt writes the liquid's velocities; 0 in the air.
func (s *Solver) velocityAt(dst, at []r3.Vec) {
	for i, x := range at {
		dst[i] = r3.Vec{}
		if u, inside := s.liquid.VelocityAt(x); inside {
			dst[i] = u
		}
	}
}

// Sample writes what there is at points. The velocity in the air is 0, and so is the pressure: inside of the surface none is known.
func (s *Solver) Sample(dst []query.Sample, at []r3.Vec, acceleration func(x r3.Vec) r3.Vec) {
	for i, x := range at {
		dst[i] = query.Sample{Height: math.Inf(-1)}
		if !boxes.Contains(s.Settings.Domain, x) {
			continue
		}
		up := query.Up(acceleration(x))
		if u, inside := s.liquid.VelocityAt(x); inside {
			dst[i].Inside, dst[i].Velocity, dst[i].Height = true, u, 0
			if t, _, ok := s.reading.first(x, up, far); ok {
				dst[i].Height = t
			}
		} else if t, _, ok := s.reading.first(x, reproducible.Scale(-1, up), far); ok {
			dst[i].Height = -t
		}
	}
}

// first is how far along a ray with a unit direction the surface is, m, and the outward normal there, if that is less than most.
func (r *reading) first(from, dir r3.Vec, most float64) (at float64, normal r3.Vec, ok bool) {
	bounds, some := r.mesh.Boxes.Bounds()
	if !some {
		return 0, normal, false
	}
	most = min(most, reproducible.Norm(r3.Sub(bounds.Max, bounds.Min))+boxes.DistanceOutside(&bounds, &from))
	box := boxes.Around([]r3.Vec{from, r3.Add(from, reproducible.Scale(most, dir))})
	r.found = r.mesh.Boxes.Overlapping(r.found[:0], &box)
	at = most
	for _, t := range r.found {
		a, b, c := r.mesh.Corners(t)
		if d, n, hit := meet(from, dir, a, b, c); hit && (d < at || d == at && !ok) {
			at, normal, ok = d, n, true
		}
	}
	return at, normal, ok
}

// slack is by how much a ray may miss a triangle beside another one, in barycentric coordinates, so that none passes between them.
const slack = 1e-9

// meet is how far along a ray a triangle is, and its unit normal.
//
// Source: Möller and Trumbore 1997.
func meet(from, dir, a, b, c r3.Vec) (at float64, normal r3.Vec, hit bool) {
	ab, ac, ap := r3.Sub(b, a), r3.Sub(c, a), r3.Sub(from, a)
	n := reproducible.Cross(ab, ac)
	det := -reproducible.Dot(dir, n)
	size := reproducible.Norm(n)
	if det == 0 || size == 0 {
		return 0, normal, false
	}
	q := reproducible.Cross(ap, dir)
	u, v := reproducible.Dot(ac, q)/det, -reproducible.Dot(ab, q)/det
	at = reproducible.Dot(ap, n) / det
	return at, reproducible.Scale(1/size, n), u >= -slack && v >= -slack && u+v <= 1+slack && at >= 0
}

// Cast writes the first hit of each ray.
func (s *Solver) Cast(rays []query.Ray, hits []query.Hit) {
	for i := range rays {
		s.cast(&rays[i], &hits[i])
	}
}

// cast looks for the first surface on a ray.
func (s *Solver) cast(ray *query.Ray, hit *query.Hit) {
	*hit = query.Hit{}
	d, longest := s.Settings.Domain, ray.Max
	if longest == 0 {
		longest = math.Inf(1)
	}
	dir := query.Unit(ray.Dir)
	enters, leaves, through, ok := boxes.Through(&d, ray.From, dir)
	if !ok || enters > longest {
		return
	}
	start := ray.From
	if enters > 0 {
		start = within(&d, r3.Add(start, reproducible.Scale(enters, dir)))
	}
	in := s.reading.inside(start)
	if in && enters > 0 {
		*hit = query.Hit{Hit: true, Side: true, Point: start, Normal: through, Distance: enters}
		return
	}
	hit.Inside = in
	end := min(leaves, longest) - enters
	if t, n, ok := s.reading.first(start, dir, end); ok {
		hit.Hit, hit.Point, hit.Normal, hit.Distance = true, within(&d, r3.Add(start, reproducible.Scale(t, dir))), n, enters+t
	}
}

// within is the place of a box that is nearest to one.
func within(b *r3.Box, x r3.Vec) r3.Vec { return boxes.Min(boxes.Max(x, b.Min), b.Max) }

// VolumeIn is how much liquid is in a shape, and how much of the shape solids leave open.
func (s *Solver) VolumeIn(shape shapes.SDF, solids []query.Solid) (liquid, open float64) {
	d, edge := s.Settings.Domain, s.Settings.CellSize
	box := boxes.Intersection(shape.Bounds(), d)
	if !boxes.Valid(box) {
		return 0, 0
	}
	outside := clipped{shape, d, solids}
	open = shapes.Volume(outside.Eval, box, edge)
	for _, p := range s.liquid.Pieces() {
		if b := boxes.Intersection(box, p.Box); boxes.Valid(b) {
			liquid += shapes.Volume(s.inLiquid(shape), b, edge/2)
		}
	}
	return liquid, open
}

// inLiquid is the distance to what of a shape is in liquid.
func (s *Solver) inLiquid(shape shapes.SDF) shapes.Distance {
	r := &s.reading
	return func(dst []float32, at []r3.Vec) {
		shape.Eval(dst, at)
		r.values = arrays.Resize(r.values, len(at))
		r.distance(r.values, at)
		for i, d := range r.values {
			dst[i] = max(dst[i], d)
		}
	}
}

// WetIn tells whether there may be liquid in a box.
func (s *Solver) WetIn(b r3.Box) bool {
	for _, p := range s.liquid.Pieces() {
		if boxes.Overlap(p.Box, b) {
			return true
		}
	}
	return false
}

// nearWet tells whether there may be liquid in or beside a box.
func (s *Solver) nearWet(b r3.Box) bool { return s.WetIn(boxes.Grown(b, 2*s.Settings.CellSize)) }
