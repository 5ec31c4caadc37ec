package physics

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Centred is the box about the origin with the edges x, y and z, m: for Box, OpenBox and the bounds of an SDF.
func Centred(x, y, z float64) r3.Box {
	half := r3.Vec{X: x / 2, Y: y / 2, Z: z / 2}
	return r3.Box{Min: reproducible.Scale(-1, half), Max: half}
}

// Box is the solid box b, m, with edges of 1e-4 to 1e6 m.
func Box(b r3.Box) Geometry {
	return Geometry{kind: boxGeometry, centre: centreOf(b), half: reproducible.Scale(.5, b.Size())}
}

// Sphere is the ball of a radius, 1e-4 to 1e6 m, about centre, m.
func Sphere(centre r3.Vec, radius float64) Geometry {
	return Geometry{kind: sphereGeometry, centre: centre, radius: radius}
}

// Capsule is what lies within radius, 1e-4 to 1e6 m, of the segment from a to b, m, which may be one point. It is up to 1e6 m long.
func Capsule(a, b r3.Vec, radius float64) Geometry {
	g := aboutAxis(capsuleGeometry, a, b, radius)
	if g.half.Y <= 1e-9*radius { // shorter than rounding allows for
		return Sphere(g.centre, radius)
	}
	return g
}

// Cylinder is the solid cylinder with flat ends centred at a and b, m, 1e-4 to 1e6 m apart.
//
// radius: 1e-4 to 1e6 m.
func Cylinder(a, b r3.Vec, radius float64) Geometry { return aboutAxis(cylinderGeometry, a, b, radius) }

// aboutAxis is a round solid about the segment from a to b.
func aboutAxis(kind geometryKind, a, b r3.Vec, radius float64) Geometry {
	g := Geometry{kind: kind, centre: reproducible.Scale(.5, r3.Add(a, b)), radius: radius}
	d := r3.Sub(b, a)
	g.half.Y = reproducible.Norm(d) / 2
	if d.X == 0 && d.Z == 0 || !finite(g.half.Y) {
		return g
	}
	if d.Y < 0 { // the solid is the same from either end
		d = reproducible.Scale(-1, d)
	}
	u := unit(d)
	g.turn = unitRotation(quat.Number{Real: 1 + u.Y, Imag: u.Z, Kmag: -u.X}) // from y to u
	return g
}

// HalfSpace is all that lies behind the plane through point, m, on the side that its normal points away from. normal is of any length but
// zero. It suits static bodies only.
func HalfSpace(point, normal r3.Vec) Geometry {
	a := absVec(normal)
	most := max(a.X, a.Y, a.Z) // as squares of what is very short or long are not numbers
	return Geometry{kind: halfSpaceGeometry, centre: point, normal: unit(r3.Vec{X: normal.X / most, Y: normal.Y / most, Z: normal.Z / most})}
}

// OpenBox is a tub: the box b, m, hollow and open at its upper side, +y, with a floor and four sides of a wall's thickness, m. The hollow is
// outside the solid. wall is at least 1e-4 m and less than the box is high and half as much as it is wide and deep.
func OpenBox(b r3.Box, wall float64) Geometry {
	g := Box(b)
	g.kind, g.wall = openBoxGeometry, wall
	return g
}

// Hull is the convex hull of 4 to 16384 points, m, in any order, which may repeat or lie
// inside. Points within 1e-4 of its extent of one plane make one face. Of more than
// MaxHullVertices corners those farthest out are kept: the hull is then a little
// smaller. It must be at least 1e-4 m and 1e-4 of its extent thick. Validate reports what is wrong with
// the points. The slice is not kept.
func Hull(points []r3.Vec) Geometry {
	h, limit := buildHull(points)
	return Geometry{kind: hullGeometry, hull: h, flaw: checkField(limit == "", "Hull: points", any(nil), limit)}
}

// SDF is the solid where the signed distance eval is negative. A sheet where it falls to 0 and rises again,
// as left by a cut flush with a face, is open to bodies, rays and liquid.
//
// eval writes the signed distance to the surface, m, of each of pts, in the shape's axes,
// to dst of the same length. It must not fall short of 1-Lipschitz (a distance too small in
// magnitude is safe), keep the slices, or allocate if World.Step is not to. It may be called
// concurrently if Body.Distance is.
//
// bounds: m, encloses the solid.
//
// A shape of package fluid is one: SDF(s.Eval, s.Bounds()).
// It suits static and kinematic bodies, and dynamic ones whose mass Body.SetMassProperties has set.
// It touches all convex solids and open boxes, by points on them, but not half-spaces, meshes
// or another SDF.
func SDF(eval func(dst []float32, pts []r3.Vec), bounds r3.Box) Geometry {
	return Geometry{kind: sdfGeometry, dist: eval, bounds: bounds}
}

// Validate reports a size outside its limits as a *FieldError, which names the form and its argument.
func (g Geometry) Validate() error {
	const size, length = "edges of 1e-4 to 1e6 m", "1e-4 to 1e6 m"
	flaw := func(argument string, value any, limit string) error {
		return &FieldError{g.kind.String() + ": " + argument, value, limit}
	}
	round := g.kind == sphereGeometry || g.kind == capsuleGeometry || g.kind == cylinderGeometry
	switch {
	case g.kind == noGeometry:
		return &FieldError{"ShapeDef.Geometry", "zero", "made by Box, Sphere, Capsule, Cylinder, HalfSpace, OpenBox, Hull, Mesh, HeightField or SDF"}
	case g.flaw != nil:
		return g.flaw
	case round && !within(g.radius, minSize, maxCoordinate):
		return flaw("radius", g.radius, length)
	case !near(g.centre):
		return flaw("place", g.centre, limitPosition)
	}
	switch g.kind {
	case boxGeometry, openBoxGeometry:
		if !goodSize(g.half) {
			return flaw("size", reproducible.Scale(2, g.half), size)
		}
		if g.kind == openBoxGeometry && !(g.wall >= minSize && g.wall < 2*g.half.Y && g.wall < g.half.X && g.wall < g.half.Z) {
			return flaw("wall", g.wall, "at least 1e-4 m, less than the height and half the other edges")
		}
	case capsuleGeometry:
		if most := 2 * (g.half.Y + g.radius); !(most <= maxCoordinate) {
			return flaw("length", most, "at most 1e6 m, caps included")
		}
	case cylinderGeometry:
		if !within(2*g.half.Y, minSize, maxCoordinate) {
			return flaw("distance of a and b", 2*g.half.Y, length)
		}
	case halfSpaceGeometry:
		if !finiteVec(g.normal) {
			return flaw("normal", g.normal, "finite and not zero")
		}
	case sdfGeometry:
		if g.dist == nil {
			return flaw("eval", nil, "a function")
		}
		if !near(g.bounds.Min) || !near(g.bounds.Max) || !goodSize(reproducible.Scale(0.5, g.bounds.Size())) {
			return flaw("bounds", g.bounds, "finite within ±1e6 m, with "+size)
		}
	}
	return nil
}

var geometryNames = [geometryKinds]string{"", "Sphere", "Capsule", "Cylinder", "Box", "Hull", "HalfSpace", "SDF", "Mesh", "OpenBox"}

// String is the name of the function that makes the geometry, Mesh for a HeightField too.
func (k geometryKind) String() string { return geometryNames[k] }
