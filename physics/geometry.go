package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

type geometryKind uint8

// The order is that in which the table of colliders has the two parts.
const (
	noGeometry geometryKind = iota
	sphereGeometry
	capsuleGeometry
	cylinderGeometry
	boxGeometry
	hullGeometry
	halfSpaceGeometry
	sdfGeometry
	meshGeometry
	openBoxGeometry // never a part: it is made of boxes
	geometryKinds
)

// unbounded stands for infinity in the bounds of a half-space, m: finite, so that sums and
// conversions to integers of it stay defined.
const unbounded = 1e9

// Geometry is the form of a solid, in the axes of its shape. Make one with Box, Sphere,
// Capsule, Cylinder, Hull, OpenBox, Mesh, HeightField, HalfSpace or SDFGeometry; the zero
// value is not a solid. A size outside its limits is reported by Validate, and so by Body.AddShape.
type Geometry struct {
	kind    geometryKind
	half    r3.Vec  // box, open box: half extents; capsule, cylinder: Y is half the height, m
	radius  float64 // sphere, capsule, cylinder, m
	hull    *hull
	surface *surface // of a mesh or height field
	flaw    string   // what the points of a hull or mesh must be, if it has none
	wall    float64  // open box, m
	normal  r3.Vec   // half-space: unit outward normal
	dist    func(dst []float32, pts []r3.Vec)
	bounds  r3.Box // SDF, m
}

// Box is a solid box with the full edge lengths w, h, d along x, y, z, in m, each from 1e-4
// to 1e6, centred on the shape's origin.
func Box(w, h, d float64) Geometry {
	return Geometry{kind: boxGeometry, half: r3.Vec{X: w / 2, Y: h / 2, Z: d / 2}}
}

// Sphere is a solid ball of the given radius, 1e-4 to 1e6 m, about the shape's origin.
func Sphere(radius float64) Geometry {
	return Geometry{kind: sphereGeometry, radius: radius}
}

// Capsule is all that lies within radius, 1e-4 to 1e6 m, of a segment on the y axis, centred
// on the shape's origin. height is the whole one, caps included: more than twice the radius,
// up to 1e6 m.
func Capsule(radius, height float64) Geometry {
	return Geometry{kind: capsuleGeometry, radius: radius, half: r3.Vec{Y: height / 2}}
}

// Cylinder is a solid cylinder about the y axis, centred on the shape's origin; radius and
// height are from 1e-4 to 1e6 m.
func Cylinder(radius, height float64) Geometry {
	return Geometry{kind: cylinderGeometry, radius: radius, half: r3.Vec{Y: height / 2}}
}

// Hull is the convex hull of 4 to 16384 points, m, in any order, which may repeat or lie
// inside. Points within 1e-4 of its extent of one plane make one face. Of more than
// MaxHullVertices corners those are kept that lie farthest out, so that the hull is a little
// smaller. It must be at least 1e-4 m and 1e-4 of its extent thick: what is wrong with flat
// or otherwise unfit points is reported by Validate. The points are not kept.
func Hull(points []r3.Vec) Geometry {
	h, flaw := buildHull(points)
	return Geometry{kind: hullGeometry, hull: h, flaw: flaw}
}

// OpenBox is a tub: a box with the full outer edge lengths w, h, d, in m, centred on the
// shape's origin, hollow and open at +y, with a floor and four sides wall m thick. The
// hollow is outside the solid. wall is at least 1e-4 m and less than h, w/2 and d/2.
func OpenBox(w, h, d, wall float64) Geometry {
	return Geometry{kind: openBoxGeometry, half: r3.Vec{X: w / 2, Y: h / 2, Z: d / 2}, wall: wall}
}

// HalfSpace is all that lies below the plane through the shape's origin with the given
// outward normal, of any length but zero. It suits static bodies only.
func HalfSpace(normal r3.Vec) Geometry {
	a := absVec(normal)
	most := max(a.X, a.Y, a.Z) // as squares of what is very short or long are not numbers
	return Geometry{kind: halfSpaceGeometry, normal: unit(r3.Vec{X: normal.X / most, Y: normal.Y / most, Z: normal.Z / most})}
}

// SDFGeometry is the solid on whose inside dist is negative. A sheet where it falls to 0 and rises again,
// as a cut leaves that is flush with a face, is open to bodies, rays and liquid.
//
// dist writes the signed distance to the surface, m, of each of pts, in the shape's axes,
// to dst of the same length; it must not fall short of 1-Lipschitz (a distance too small in
// magnitude is safe), keep the slices, or allocate if Step is not to. It may be called
// concurrently if World.Distance is.
//
// bounds: m, encloses the solid.
//
// It suits static and kinematic bodies, and dynamic ones whose mass Body.SetMass has set.
// It touches all convex solids and open boxes, by points on them, but not half-spaces, meshes
// or another SDFGeometry.
func SDFGeometry(dist func(dst []float32, pts []r3.Vec), bounds r3.Box) Geometry {
	return Geometry{kind: sdfGeometry, dist: dist, bounds: bounds}
}

// Validate reports a size outside its limits as a *FieldError.
func (g Geometry) Validate() error {
	const size = "each edge 1e-4 to 1e6 m"
	switch g.kind {
	case boxGeometry, openBoxGeometry:
		if !goodSize(g.half) {
			return &FieldError{"ShapeDef.Geometry (box edges)", reproducible.Scale(2, g.half), size}
		}
		if g.kind == openBoxGeometry && !(g.wall >= minSize && g.wall < 2*g.half.Y && g.wall < g.half.X && g.wall < g.half.Z) {
			return &FieldError{"ShapeDef.Geometry (wall)", g.wall, "at least 1e-4 m and less than h, w/2 and d/2"}
		}
	case sphereGeometry:
		if !within(g.radius, minSize, maxCoordinate) {
			return &FieldError{"ShapeDef.Geometry (radius)", g.radius, "1e-4 to 1e6 m"}
		}
	case capsuleGeometry, cylinderGeometry:
		if !within(g.radius, minSize, maxCoordinate) {
			return &FieldError{"ShapeDef.Geometry (radius)", g.radius, "1e-4 to 1e6 m"}
		}
		least := minSize
		if g.kind == capsuleGeometry {
			least = 2 * g.radius * (1 + 1e-9)
		}
		if !within(2*g.half.Y, least, maxCoordinate) {
			return &FieldError{"ShapeDef.Geometry (height)", 2 * g.half.Y, "1e-4 to 1e6 m and, of a capsule, more than twice the radius"}
		}
	case hullGeometry:
		if g.flaw != "" {
			return &FieldError{"ShapeDef.Geometry (hull points)", nil, g.flaw}
		}
	case meshGeometry:
		if g.flaw != "" {
			return &FieldError{"ShapeDef.Geometry (mesh)", nil, g.flaw}
		}
	case halfSpaceGeometry:
		if !finiteVec(g.normal) {
			return &FieldError{"ShapeDef.Geometry (normal)", g.normal, "finite and not zero"}
		}
	case sdfGeometry:
		if g.dist == nil {
			return &FieldError{"ShapeDef.Geometry (dist)", nil, "a function"}
		}
		if !near(g.bounds.Min) || !near(g.bounds.Max) || !goodSize(reproducible.Scale(0.5, g.bounds.Size())) {
			return &FieldError{"ShapeDef.Geometry (bounds)", g.bounds, "finite within ±1e6 m, " + size}
		}
	default:
		return &FieldError{"ShapeDef.Geometry", "zero", "made by Box, Sphere, Capsule, Cylinder, Hull, OpenBox, Mesh, HeightField, HalfSpace or SDFGeometry"}
	}
	return nil
}

func goodSize(half r3.Vec) bool {
	return within(2*half.X, minSize, maxCoordinate) && within(2*half.Y, minSize, maxCoordinate) && within(2*half.Z, minSize, maxCoordinate)
}

// thickness is the smallest wall thickness, m; that of an SDF is not known, so the smallest
// edge of its bounds stands for it.
func (g *Geometry) thickness() float64 {
	switch g.kind {
	case sphereGeometry, capsuleGeometry:
		return 2 * g.radius
	case cylinderGeometry:
		return 2 * min(g.radius, g.half.Y)
	case hullGeometry:
		return g.hull.width
	case boxGeometry:
		return 2 * smallest(g.half)
	case openBoxGeometry:
		return g.wall
	case sdfGeometry:
		return smallest(g.bounds.Size())
	case meshGeometry:
		if g.surface.closed {
			return g.surface.wall
		}
	}
	return unbounded
}

// worldBounds is the hull of the geometry at pos, turned by rot.
func (g *Geometry) worldBounds(pos r3.Vec, rot *mat3) r3.Box {
	switch g.kind {
	case sphereGeometry:
		return grow(r3.Box{Min: pos, Max: pos}, g.radius)
	case capsuleGeometry:
		d := absVec(reproducible.Scale(g.half.Y-g.radius, column(rot, 1)))
		return grow(r3.Box{Min: r3.Sub(pos, d), Max: r3.Add(pos, d)}, g.radius)
	case cylinderGeometry:
		// A disc with the axis u reaches r√(1-u²) along each coordinate.
		u := column(rot, 1)
		d := absVec(reproducible.Scale(g.half.Y, u))
		d = r3.Add(d, reproducible.Scale(g.radius, r3.Vec{X: sine(u.X), Y: sine(u.Y), Z: sine(u.Z)}))
		return r3.Box{Min: r3.Sub(pos, d), Max: r3.Add(pos, d)}
	case hullGeometry:
		p := r3.Add(pos, mulVec(rot, g.hull.vertices[0]))
		b := r3.Box{Min: p, Max: p}
		for _, v := range g.hull.vertices[1:] {
			p := r3.Add(pos, mulVec(rot, v))
			b = r3.Box{Min: minVec(b.Min, p), Max: maxVec(b.Max, p)}
		}
		return b
	case sdfGeometry, meshGeometry:
		box := g.bounds
		if g.surface != nil {
			box = g.surface.bounds
		}
		c := r3.Add(pos, mulVec(rot, box.Center()))
		return turnedBox(c, rot, reproducible.Scale(0.5, box.Size()))
	case halfSpaceGeometry:
		b := grow(r3.Box{}, unbounded)
		n := mulVec(rot, g.normal)
		// A plane square to an axis bounds the solid on one side.
		const square = 1 - 1e-12
		switch {
		case n.X > square:
			b.Max.X = pos.X
		case n.X < -square:
			b.Min.X = pos.X
		case n.Y > square:
			b.Max.Y = pos.Y
		case n.Y < -square:
			b.Min.Y = pos.Y
		case n.Z > square:
			b.Max.Z = pos.Z
		case n.Z < -square:
			b.Min.Z = pos.Z
		}
		return b
	}
	return turnedBox(pos, rot, g.half)
}

// sine is √(1-c²), and 0 for what rounding makes of |c| = 1.
func sine(c float64) float64 { return math.Sqrt(max(0, 1-float64(c*c))) }

// A part is what contacts are found between: a convex solid, half-space or SDF. Every
// geometry is one part, but an open box is five slabs.
type part struct {
	kind   geometryKind
	offset r3.Vec // of its centre in the shape, m
	half   r3.Vec // of a box; of the core of a round solid X is the radius and Y half the height
	radius float64
	hull   *hull // of a box or hull
}

// appendParts appends the parts of g to dst. The sides run the full height, so that no seam
// with the floor shows from outside.
func (g *Geometry) appendParts(dst []part) []part {
	slab := func(c, h r3.Vec) part { return part{kind: boxGeometry, offset: c, half: h, hull: boxHull(h)} }
	switch g.kind {
	case boxGeometry:
		return append(dst, slab(r3.Vec{}, g.half))
	case openBoxGeometry:
		h, t := g.half, float64(g.wall/2)
		return append(dst,
			slab(r3.Vec{Y: t - h.Y}, r3.Vec{X: h.X, Y: t, Z: h.Z}),
			slab(r3.Vec{X: t - h.X}, r3.Vec{X: t, Y: h.Y, Z: h.Z}),
			slab(r3.Vec{X: h.X - t}, r3.Vec{X: t, Y: h.Y, Z: h.Z}),
			slab(r3.Vec{Z: t - h.Z}, r3.Vec{X: h.X - float64(2*t), Y: h.Y, Z: t}),
			slab(r3.Vec{Z: h.Z - t}, r3.Vec{X: h.X - float64(2*t), Y: h.Y, Z: t}),
		)
	case capsuleGeometry, cylinderGeometry:
		half, radius := g.core()
		return append(dst, part{kind: g.kind, half: half, radius: radius})
	}
	return append(dst, part{kind: g.kind, half: g.half, radius: g.radius, hull: g.hull})
}

// coreShare of its smaller size is what a cylinder's core is smaller than itself: so deep two
// bodies may overlap while the axis between them is exact.
const coreShare = 0.1

// core is that of a capsule or cylinder, as in part, and what the solid is larger than it.
func (g *Geometry) core() (half r3.Vec, radius float64) {
	if g.kind == capsuleGeometry {
		return r3.Vec{Y: g.half.Y - g.radius}, g.radius
	}
	r := float64(coreShare * min(g.radius, g.half.Y))
	return r3.Vec{X: g.radius - r, Y: g.half.Y - r}, r
}

// capsuleDistance is the signed distance of p to the capsule of half height h, caps included.
func capsuleDistance(p r3.Vec, h, radius float64) float64 {
	p.Y -= max(radius-h, min(p.Y, h-radius))
	return reproducible.Norm(p) - radius
}

// cylinderDistance is the signed distance of p to the cylinder of half height h.
func cylinderDistance(p r3.Vec, h, radius float64) float64 {
	x, y := hypot(p.X, p.Z)-radius, math.Abs(p.Y)-h
	if d := max(x, y); d <= 0 {
		return d
	}
	return math.Sqrt(outside2(x, y, 0))
}

// boxDistance is the signed distance of p to the box of half extents h about the origin.
func boxDistance(p, h r3.Vec) float64 {
	x, y, z := math.Abs(p.X)-h.X, math.Abs(p.Y)-h.Y, math.Abs(p.Z)-h.Z
	if d := max(x, y, z); d <= 0 {
		return d
	}
	return math.Sqrt(outside2(x, y, z))
}

// outside2 is the squared distance to a box of a point that is so far beyond its faces.
func outside2(x, y, z float64) float64 {
	x, y, z = x+math.Abs(x), y+math.Abs(y), z+math.Abs(z) // 0, or exactly twice what it was: cheaper than max
	return float64((float64(x*x) + float64(y*y) + float64(z*z)) / 4)
}

// openBoxDistance is the exact signed distance of p to the open box.
//
// Inside the solid the nearest point outside lies either beyond the outer box or in the
// hollow, which reaches up without end; outside it the nearest slab decides. The solid is
// symmetric in x and z, so one side of each pair is enough.
func openBoxDistance(p, h r3.Vec, wall float64) float64 {
	x, y, z := math.Abs(p.X)-h.X, math.Abs(p.Y)-h.Y, math.Abs(p.Z)-h.Z // beyond the outer faces
	down := -p.Y - h.Y
	if out := max(x, y, z); out < 0 {
		// The hollow as a box: its sides are a wall further in, its floor is at y = wall-h.Y.
		inX, inY, inZ := x+wall, down+wall, z+wall
		if inX > 0 || inY > 0 || inZ > 0 {
			return max(out, -math.Sqrt(outside2(inX, inY, inZ)))
		}
	}
	// Beyond the two faces of a slab a point is beyond its middle by half a wall more.
	half := float64(wall / 2)
	floor := outside2(x, math.Abs(down+half)-half, z)
	sideX := outside2(math.Abs(x+half)-half, y, z)
	sideZ := outside2(x, y, math.Abs(z+half)-half)
	return math.Sqrt(min(floor, sideX, sideZ))
}
