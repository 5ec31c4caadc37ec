package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
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

// Geometry is the form of a solid, in the axes of its shape. Make one with Box, Sphere, Capsule, Cylinder, HalfSpace, OpenBox, Hull, Mesh,
// HeightField or SDF; the zero value is not a solid. Body.AddShape and Validate report a size outside its limits.
//
// The forms that package fluid has too, Box, Sphere, Capsule, Cylinder and HalfSpace, take the same arguments there: where the solid is, then
// its radius or normal.
type Geometry struct {
	kind    geometryKind
	half    r3.Vec      // box, open box: half extents; capsule, cylinder: Y is half the length of the axis, m
	radius  float64     // sphere, capsule, cylinder, m
	centre  r3.Vec      // origin of the geometry's own axes in the shape, m
	turn    quat.Number // rotation of the y axis to that of a capsule or cylinder; zero for none
	hull    *hull
	surface *surface // of a mesh or height field
	flaw    error    // what is wrong with a hull, mesh or height field
	wall    float64  // open box, m
	normal  r3.Vec   // half-space: unit outward normal
	dist    func(dst []float32, pts []r3.Vec)
	bounds  r3.Box // SDF, m
}

// pose returns the pose of the geometry's own axes for a shape at an offset and a rotation, a unit quaternion.
func (g *Geometry) pose(offset r3.Vec, rotation quat.Number) (r3.Vec, quat.Number) {
	if g.centre != (r3.Vec{}) {
		offset = r3.Add(offset, rotate(rotation, g.centre))
	}
	if g.turn != (quat.Number{}) {
		rotation = reproducible.QuatMul(rotation, g.turn)
	}
	return offset, rotation
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
		d := absVec(reproducible.Scale(g.half.Y, column(rot, 1)))
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

// part is a convex solid, half-space or SDF, between which contacts are found. An open box has five
// parts, any other geometry one.
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

// coreShare is the difference between a cylinder and its core as a share of the cylinder's smaller size. The axis between two
// bodies is exact up to an overlap of that depth.
const coreShare = 0.1

// core returns the core of a capsule or cylinder, as in part, and the radius by which the solid exceeds it.
func (g *Geometry) core() (half r3.Vec, radius float64) {
	if g.kind == capsuleGeometry {
		return r3.Vec{Y: g.half.Y}, g.radius
	}
	r := float64(coreShare * min(g.radius, g.half.Y))
	return r3.Vec{X: g.radius - r, Y: g.half.Y - r}, r
}

// capsuleDistance is the signed distance of p to the capsule about the segment of half length h on the y axis.
func capsuleDistance(p r3.Vec, h, radius float64) float64 {
	p.Y -= max(-h, min(p.Y, h))
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

// outside2 is the squared distance to a box of a point at the signed distances x, y and z beyond its faces.
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
