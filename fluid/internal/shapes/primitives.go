package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The distances below are the closed forms of I. Quilez, "Distance functions",
// written for any axis; all are exact, inside and out.

type boxSDF struct {
	box          r3.Box
	centre, half r3.Vec
	round        float64 // radius of the edges, not included in half
	name         string
}

// Box returns the solid box b, m.
func Box(b r3.Box) SDF { return newBox("Box", b, 0) }

// RoundBox returns the box b with its edges and corners rounded.
//
// radius: m, > 0, at most half the shortest side.
func RoundBox(b r3.Box, radius float64) SDF { return newBox("RoundBox", b, radius) }

func newBox(name string, b r3.Box, round float64) *boxSDF {
	half := reproducible.Scale(0.5, r3.Sub(b.Max, b.Min))
	return &boxSDF{
		box: b, centre: r3.Add(b.Min, half), round: round, name: name,
		half: r3.Sub(half, r3.Vec{X: round, Y: round, Z: round}),
	}
}

func (s *boxSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	c, h, r := s.centre, s.half, s.round
	for i, p := range pts {
		dst[i] = float32(boxDistance(r3.Sub(p, c), h) - r)
	}
}

// boxDistance returns the signed distance at p from the box |x| ≤ half.
func boxDistance(p, half r3.Vec) float64 {
	x, y, z := math.Abs(p.X)-half.X, math.Abs(p.Y)-half.Y, math.Abs(p.Z)-half.Z
	if x <= 0 && y <= 0 && z <= 0 {
		return max(x, y, z)
	}
	x, y, z = max(x, 0), max(y, 0), max(z, 0)
	return math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
}

func (s *boxSDF) Bounds() r3.Box { return s.box }

func (s *boxSDF) Validate() error {
	c := params{shape: s.name}
	c.point("Min", s.box.Min)
	c.point("Max", s.box.Max)
	size := r3.Sub(s.box.Max, s.box.Min)
	c.positive("size along X", size.X)
	c.positive("size along Y", size.Y)
	c.positive("size along Z", size.Z)
	if s.name == "RoundBox" {
		c.positive("radius", s.round)
		if limit := boxes.LeastEdge(s.box) / 2; s.round > limit {
			c.fail("radius is %v m; it must be ≤ %v m, half the shortest side", s.round, limit)
		}
	}
	return c.err
}

// Ball is a solid sphere.
type Ball struct {
	Centre r3.Vec  // m
	Radius float64 // m, > 0
}

// Sphere returns the ball of a radius (m, > 0) about centre (m).
func Sphere(centre r3.Vec, radius float64) SDF { return &Ball{centre, radius} }

// Eval sets dst to the signed distances of the ball.
func (s *Ball) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	c, r := s.Centre, s.Radius
	for i, p := range pts {
		d := r3.Sub(p, c)
		dst[i] = float32(math.Sqrt(reproducible.Dot(d, d)) - r)
	}
}

// Bounds returns the box of the ball, m.
func (s *Ball) Bounds() r3.Box {
	return boxes.Grown(r3.Box{Min: s.Centre, Max: s.Centre}, s.Radius)
}

// Validate returns an error if centre or radius is invalid.
func (s *Ball) Validate() error {
	c := params{shape: "Sphere"}
	c.point("centre", s.Centre)
	c.positive("radius", s.Radius)
	return c.err
}

// rodSDF is a capsule or a cylinder: a segment with a radius.
type rodSDF struct {
	a, b, axis     r3.Vec
	length, radius float64
}

func newRod(a, b r3.Vec, radius float64) rodSDF {
	d := r3.Sub(b, a)
	return rodSDF{a, b, normalised(d), reproducible.Norm(d), radius}
}

// along returns the height of p above a, along the axis, and its squared distance from the axis.
func (s *rodSDF) along(p r3.Vec) (height, away2 float64) {
	d := r3.Sub(p, s.a)
	h := reproducible.Dot(d, s.axis)
	d = r3.Sub(d, reproducible.Scale(h, s.axis)) // not |d|² - h²: that cancels near the axis
	return h, reproducible.Dot(d, d)
}

func (s *rodSDF) validate(c *params) {
	c.point("a", s.a)
	c.point("b", s.b)
	c.positive("radius", s.radius)
}

type capsuleSDF struct{ rodSDF }

// Capsule returns the points within a radius (m, > 0) of the segment from a to b (m); a and b may be equal.
func Capsule(a, b r3.Vec, radius float64) SDF { return &capsuleSDF{newRod(a, b, radius)} }

func (s *capsuleSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	for i, p := range pts {
		h, away2 := s.along(p)
		h -= min(max(h, 0), s.length)
		dst[i] = float32(math.Sqrt(float64(h*h)+away2) - s.radius)
	}
}

func (s *capsuleSDF) Bounds() r3.Box {
	return boxes.Grown(r3.Box{Min: boxes.Min(s.a, s.b), Max: boxes.Max(s.a, s.b)}, s.radius)
}

func (s *capsuleSDF) Validate() error {
	c := params{shape: "Capsule"}
	s.validate(&c)
	return c.err
}

type cylinderSDF struct{ rodSDF }

// Cylinder returns the solid cylinder with flat ends centred at a and b (m, not one point).
//
// radius: m, > 0.
func Cylinder(a, b r3.Vec, radius float64) SDF { return &cylinderSDF{newRod(a, b, radius)} }

func (s *cylinderSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	half := float64(s.length / 2)
	for i, p := range pts {
		h, away2 := s.along(p)
		x, y := math.Sqrt(away2)-s.radius, math.Abs(h-half)-half
		if x <= 0 || y <= 0 {
			dst[i] = float32(max(x, y))
		} else {
			dst[i] = float32(math.Sqrt(float64(x*x) + float64(y*y)))
		}
	}
}

func (s *cylinderSDF) Bounds() r3.Box {
	// A disc with normal n reaches radius·√(1 - nₖ²) along axis k.
	reach := func(n float64) float64 { return float64(s.radius * math.Sqrt(max(0, 1-float64(n*n)))) }
	r := r3.Vec{X: reach(s.axis.X), Y: reach(s.axis.Y), Z: reach(s.axis.Z)}
	return r3.Box{Min: r3.Sub(boxes.Min(s.a, s.b), r), Max: r3.Add(boxes.Max(s.a, s.b), r)}
}

func (s *cylinderSDF) Validate() error {
	c := params{shape: "Cylinder"}
	s.validate(&c)
	c.positive("distance from a to b", s.length)
	return c.err
}

type halfSpaceSDF struct {
	point, normal r3.Vec
	unit          r3.Vec
	name          string
}

// HalfSpace returns the half-space behind the plane through point (m): the side that its normal
// points away from. normal: length 1.
func HalfSpace(point, normal r3.Vec) SDF {
	return &halfSpaceSDF{point, normal, normalised(normal), "HalfSpace"}
}

// Below returns the half-space below y (m): still liquid up to a level.
func Below(y float64) SDF {
	up := r3.Vec{Y: 1}
	return &halfSpaceSDF{r3.Vec{Y: y}, up, up, "Below"}
}

func (s *halfSpaceSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	o, n := s.point, s.unit
	for i, p := range pts {
		dst[i] = float32(reproducible.Dot(r3.Sub(p, o), n))
	}
}

func (s *halfSpaceSDF) Bounds() r3.Box {
	b := boxes.Everywhere()
	o, n := s.point, s.unit
	side := func(lo, hi *float64, o, n float64) {
		switch {
		case n == 1:
			*hi = o
		case n == -1:
			*lo = o
		}
	}
	side(&b.Min.X, &b.Max.X, o.X, n.X)
	side(&b.Min.Y, &b.Max.Y, o.Y, n.Y)
	side(&b.Min.Z, &b.Max.Z, o.Z, n.Z)
	return b
}

func (s *halfSpaceSDF) Validate() error {
	c := params{shape: s.name}
	if s.name == "Below" {
		if !(math.Abs(s.point.Y) <= MaxCoord) {
			c.fail("y is %v m; it must be within ±%g m", s.point.Y, MaxCoord)
		}
		return c.err
	}
	c.point("point", s.point)
	c.unit("normal", s.normal)
	return c.err
}

type torusSDF struct {
	centre, axis, unit r3.Vec
	major, minor       float64
}

// Torus returns the torus about centre (m) around an axis (length 1).
//
// major: m, > 0: radius of the centre line of the tube.
// minor: m, > 0, < major: radius of the tube.
func Torus(centre, axis r3.Vec, major, minor float64) SDF {
	return &torusSDF{centre, axis, normalised(axis), major, minor}
}

func (s *torusSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	for i, p := range pts {
		d := r3.Sub(p, s.centre)
		h := reproducible.Dot(d, s.unit)
		d = r3.Sub(d, reproducible.Scale(h, s.unit))
		x := math.Sqrt(reproducible.Dot(d, d)) - s.major
		dst[i] = float32(math.Sqrt(float64(x*x)+float64(h*h)) - s.minor)
	}
}

func (s *torusSDF) Bounds() r3.Box {
	// The middle circle reaches major·√(1 - nₖ²) along axis k, the tube minor more.
	reach := func(n float64) float64 { return float64(s.major*math.Sqrt(max(0, 1-float64(n*n)))) + s.minor }
	r := r3.Vec{X: reach(s.unit.X), Y: reach(s.unit.Y), Z: reach(s.unit.Z)}
	return r3.Box{Min: r3.Sub(s.centre, r), Max: r3.Add(s.centre, r)}
}

func (s *torusSDF) Validate() error {
	c := params{shape: "Torus"}
	c.point("centre", s.centre)
	c.unit("axis", s.axis)
	c.positive("major", s.major)
	c.positive("minor", s.minor)
	if s.minor >= s.major {
		c.fail("minor is %v m; it must be < major, %v m", s.minor, s.major)
	}
	return c.err
}
