// Package query has the plain data that rooms exchange about a liquid and the solids around it: points, rays, views, triangles and signed distances, and the
// requests of flows, bodies and obstacles to the mesh. It does not depend on the discretisation or the tracker.
package query

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Solid is the distance of a solid and a box around it.
type Solid struct {
	Distance shapes.Distance
	Bounds   r3.Box // m
}

// Sample is the liquid at a point, extrapolated through solids.
type Sample struct {
	Inside   bool
	Height   float64 // of the surface above the point, m; negative in the air
	Velocity r3.Vec  // m/s
	Pressure float64 // Pa; 0 in the air
}

// Ray is a ray to intersect with the surface.
type Ray struct {
	From r3.Vec  // m
	Dir  r3.Vec  // of any length but 0
	Max  float64 // greatest distance, m; 0 means no limit
}

// Check returns an error if the ray is invalid.
func (r *Ray) Check() error {
	switch {
	case !geom.FiniteVec(r.From):
		return fmt.Errorf("From: %v m; must be finite", r.From)
	case !geom.FiniteVec(r.Dir) || r.Dir == r3.Vec{}:
		return fmt.Errorf("Dir: %v; must be finite and not 0", r.Dir)
	case !(r.Max >= 0):
		return fmt.Errorf("Max: %v m; must be ≥ 0", r.Max)
	}
	return nil
}

// Hit is the first intersection of a ray with the surface, from either side.
type Hit struct {
	Hit      bool
	Inside   bool    // the ray starts in the liquid
	Side     bool    // the intersection is with a side of the domain where liquid ends, not with the surface at air
	Point    r3.Vec  // m
	Normal   r3.Vec  // unit, out of the liquid
	Distance float64 // from Ray.From, m
}

// View is a camera: 4×4 matrices, column-major as in OpenGL, and the height of the
// viewport in pixels. The zero View is no camera.
type View struct {
	View, Projection [16]float32
	Height           int
}

// MaxViews is the greatest number of cameras: each adds its share to the cost of planning cell sizes.
const MaxViews = 16

// Triangles is the liquid's surface mesh.
type Triangles struct {
	Positions  []float32 // xyz per vertex, m
	Normals    []float32 // xyz per vertex, unit, out of the liquid
	Velocities []float32 // xyz per vertex, m/s
	Foam       []float32 // per vertex, 0 clear to 1 white
	Labels     []uint8   // per vertex; nil if the tracker has no labels
	Indices    []uint32  // three per triangle, counter-clockwise seen from the air
	Free       int       // number of Indices on the free surface; the rest close it along the domain's sides
}

// Up returns the unit vector against an acceleration, +y for none.
func Up(acceleration r3.Vec) r3.Vec {
	if n := reproducible.Norm(acceleration); n > 0 {
		return reproducible.Scale(-1/n, acceleration)
	}
	return r3.Vec{Y: 1}
}

// Unit returns the unit vector along v, of any finite length but 0.
func Unit(v r3.Vec) r3.Vec {
	most := max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
	v = r3.Vec{X: v.X / most, Y: v.Y / most, Z: v.Z / most}
	n := reproducible.Norm(v)
	return r3.Vec{X: v.X / n, Y: v.Y / n, Z: v.Z / n}
}

// SurfaceReport is what a tracker with a triangle mesh did in a step.
type SurfaceReport struct {
	Vertices, Triangles int
	Merges, Splits      int // of parts of the surface
	Collisions          int // collisions that held the motion back
	Repairs             int // tangles cut out
	Refused             int // changes that were not possible
	Flown               int // pieces too small for any cell that became droplets
	// Coarser is the factor on the target edge length, for lack of memory.
	Coarser float64
	// Late is the greatest part of a motion that was not done.
	Late float64
}

// Add adds the counts of later work.
func (r *SurfaceReport) Add(more *SurfaceReport) {
	r.Vertices, r.Triangles = more.Vertices, more.Triangles
	r.Merges += more.Merges
	r.Splits += more.Splits
	r.Collisions += more.Collisions
	r.Repairs += more.Repairs
	r.Refused += more.Refused
	r.Flown += more.Flown
	r.Coarser = max(r.Coarser, more.Coarser)
	r.Late = max(r.Late, more.Late)
}
