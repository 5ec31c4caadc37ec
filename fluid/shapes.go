package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// SDF is a solid or a region given by its signed distance.
//
// The shapes of this package do not panic on bad parameters: what is wrong with one is kept and told by [CheckSDF], and by whatever takes the shape.
type SDF interface {
	// Eval writes the signed distance (m, negative inside) at pts[i] into dst[i].
	//
	// dst: len ≥ len(pts).
	// pts: m.
	//
	// Values must be 1-Lipschitz, and exact near the surface. The value at a point must not depend on the other points. Eval must be safe for
	// concurrent calls and should not allocate.
	//
	// A place with the value 0 is part of a solid only if values next to it are negative: a sheet where it falls to 0 and rises again is open. An
	// obstacle that tells NaN, an infinity or 1e37 m and more is left out from the next step on until it is sane, and named once in Report.Warnings;
	// of other shapes nothing is where they do.
	Eval(dst []float32, pts []r3.Vec)

	// Bounds is a box that holds the inside, m; it may be infinite (±math.Inf) on unbounded sides.
	Bounds() r3.Box
}

// Thick is what an SDF made elsewhere may be besides: one that knows its thinnest wall. Liquid is kept from passing walls thinner
// than a cell, which costs time and, at edges, exactness; an SDF that isn't Thick may have such walls anywhere. Solids of
// this package know theirs, but for intersections, differences and meshes.
type Thick interface {
	// Thickness is the solid's smallest wall thickness, m.
	Thickness() float64
}

// CheckSDF reports what is wrong with s, or nil.
//
// A shape of this package is checked by its parameters, down to the last shape inside a composite; the error names the shape, the field and the
// limit. An SDF made elsewhere is asked for its Validate() error method, where it has one, and is sampled at a few points of its bounds otherwise.
func CheckSDF(s SDF) error {
	if err := shapes.Check(inner(s)); err != nil {
		return fmt.Errorf("fluid: %w", err)
	}
	return nil
}

// inner is a shape without what is told of its liquid as package shapes knows it, which tells a [Mesh] of this package from a shape made elsewhere by its type.
func inner(s SDF) shapes.SDF {
	switch of := s.(type) {
	case *Mesh:
		if of != nil {
			return &of.mesh
		}
	case shapes.LiquidShape:
		return inner(of.SDF)
	}
	return s
}

// compose is the union of shapes, or where they meet.
func compose(parts []SDF, meet bool) SDF {
	all := make([]shapes.SDF, len(parts))
	for i, s := range parts {
		all[i] = inner(s)
	}
	if meet {
		return shapes.Intersection(all...)
	}
	return shapes.Union(all...)
}

// Labelled is a shape whose liquid, where Fill or an emitter puts it, has a surface of its own: it touches liquid of another label, and both press on
// each other as one liquid does, but they never merge. Each surface has its own tension, also where they touch: drops bounce off each other, unless liquid without viscosity
// catches at their rims. What comes without a shape, from currents and droplets, becomes part of the nearest surface. label: 0, which other shapes have, to 255; others than 0
// need Def.Tracker ExplicitMesh. Within a composite, and for whatever else takes a shape, a label means nothing.
func Labelled(s SDF, label int) SDF {
	t := shapes.LiquidShapeOf(s)
	t.Label = label
	return t
}

// Moving is a shape that Fill puts liquid into which moves with a velocity, m/s, of at most 1e4; in other shapes it is at rest. Within a composite, and for whatever
// else takes a shape, a velocity means nothing.
func Moving(s SDF, velocity r3.Vec) SDF {
	t := shapes.LiquidShapeOf(s)
	t.Velocity = velocity
	return t
}

// checkFilled reports what is wrong with a shape that liquid is put into, or is told of its liquid and out of its limits.
func (d *Def) checkFilled(s SDF) error {
	if err := CheckSDF(s); err != nil {
		return err
	}
	most := mostLabel
	if d.Tracker != ExplicitMesh || d.Method == BoundaryOnly {
		most = 0
	}
	return shapes.LiquidShapeOf(s).Check(mostLabel, most, maxMotion)
}

// guarded is a shape the distances of which are numbers.
func guarded(s SDF) shapes.SDF { return shapes.Guard(inner(s)) }

// Box is the solid box b, m.
func Box(b r3.Box) SDF { return shapes.Box(b) }

// RoundBox is the box b with its edges and corners rounded.
//
// radius: m, > 0, at most half the shortest side.
func RoundBox(b r3.Box, radius float64) SDF { return shapes.RoundBox(b, radius) }

// Sphere is the ball of a radius (m, > 0) about centre (m).
func Sphere(centre r3.Vec, radius float64) SDF { return shapes.Sphere(centre, radius) }

// Capsule is the segment from a to b (m) with a radius (m, > 0); a and b may be one point.
func Capsule(a, b r3.Vec, radius float64) SDF { return shapes.Capsule(a, b, radius) }

// Cylinder is the solid cylinder with flat ends centred at a and b (m, not one point).
//
// radius: m, > 0.
func Cylinder(a, b r3.Vec, radius float64) SDF { return shapes.Cylinder(a, b, radius) }

// HalfSpace is everything behind the plane through point (m), on the side its normal points away from. normal: length 1.
func HalfSpace(point, normal r3.Vec) SDF { return shapes.HalfSpace(point, normal) }

// Below is everything lower than y (m): still liquid up to a level.
func Below(y float64) SDF { return shapes.Below(y) }

// Torus is the ring about centre (m) whose hole lies along axis (length 1).
//
// major: m, > 0: radius of the circle in the middle of the tube.
// minor: m, > 0, < major: radius of the tube.
func Torus(centre, axis r3.Vec, major, minor float64) SDF {
	return shapes.Torus(centre, axis, major, minor)
}

// Union is what is inside any of the shapes. Outside it is as exact as they are; inside, where shapes overlap, the distance may be told too short.
func Union(shapes ...SDF) SDF { return compose(shapes, false) }

// Intersection is what is inside all of the shapes. Inside it is as exact as they are;
// outside, over an edge where two meet, the distance may be told too short.
func Intersection(shapes ...SDF) SDF { return compose(shapes, true) }

// Difference is a with b cut away. Where both end in the same face, the cut is open there. Near the edge of the cut the distance may be told
// too short.
func Difference(a, b SDF) SDF { return shapes.Difference(inner(a), inner(b)) }

// Transform is s turned by a unit quaternion about the origin, then moved.
//
// rotation:    length 1; quat.Number{Real: 1} turns nothing.
// translation: m.
func Transform(s SDF, rotation quat.Number, translation r3.Vec) SDF {
	return shapes.Transform(inner(s), rotation, translation)
}

// Shell is s hollowed out: a wall of a thickness (m, > 0) under its surface.
func Shell(s SDF, thickness float64) SDF { return shapes.Shell(inner(s), thickness) }

// Offset is s with its surface moved out by d (m), or in where d < 0.
func Offset(s SDF, d float64) SDF { return shapes.Offset(inner(s), d) }

// Bake samples s on a uniform grid, for shapes that are slow to evaluate.
//
// cell: m, > 0: edge of a grid cell; features thinner than that are lost.
//
// Within the grid, which reaches two cells past the bounds of s, the result is trilinear, off by at most about cell²/8 times the curvature and so by
// up to half a cell at edges. Past the grid it is √(f² + x²), with x the distance to the grid and f the value where the grid is nearest: never more
// than the true distance, and 1-Lipschitz.
//
// Bake fails where s does not pass [CheckSDF], where its bounds are infinite, and where the grid would have more than 2²⁶ samples (256 MiB). It uses
// all processors; the result does not depend on how many.
func Bake(s SDF, cell float64) (SDF, error) {
	g, err := shapes.Bake(inner(s), cell)
	if err != nil {
		return nil, fmt.Errorf("fluid: Bake: %w", err)
	}
	return g, nil
}
