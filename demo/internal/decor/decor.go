// Package decor describes what stands about the demos' basins, for a window and for ray tracing alike: plain lists of solids and what they are made of.
// They are only to be looked at: no body meets them, and no liquid.
package decor

import (
	"iter"
	"math"

	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Set is what stands about a basin.
type Set struct {
	Groups []*Group
	Lamps  []Lamp
}

// Group is parts that are seen together: from where Normal·eye is above Offset, m, or from everywhere if Normal is zero. What stands at a wall of a
// basin hides with it when the camera is behind it.
type Group struct {
	Normal r3.Vec
	Offset float64
	Parts  []Part
}

// Part is a solid, or a surface that faces one way, of one stuff. Its texture lies on it in m.
type Part struct {
	adapter.TriangleList
	Position r3.Vec      // m
	Rotation quat.Number // unit
	Stuff    Stuff
}

// Lamp is a glass ball, or a lens if Aim is not zero, that shines when there is little daylight, or always if Always. Its light falls with the square
// of the distance.
type Lamp struct {
	At     r3.Vec  // m
	Radius float64 // of the glass, m
	Colour math32.Color
	Light  float32 // on a face 1 m away, where the noon's sun has about 1
	Aim    r3.Vec  // where a spotlight looks to; zero: the lamp shines to all sides
	Wide   float64 // half of a spotlight's cone, degrees
	Always bool
}

// Visible tells whether a camera at eye sees the group.
func (g *Group) Visible(eye r3.Vec) bool {
	return g.Normal == (r3.Vec{}) || r3.Dot(g.Normal, eye) > g.Offset
}

// Here adds a group that is always seen.
func (s *Set) Here() *Group { return s.group(r3.Vec{}, 0) }

// Side is one of a basin's sides.
type Side struct {
	Normal r3.Vec // into the basin
	offset float64
}

// Sides are those of a domain: towards -z, +z, -x and +x.
func Sides(d r3.Box) [4]Side {
	return [4]Side{{r3.Vec{Z: 1}, d.Min.Z}, {r3.Vec{Z: -1}, -d.Max.Z}, {r3.Vec{X: 1}, d.Min.X}, {r3.Vec{X: -1}, -d.Max.X}}
}

// Beyond adds a group that stands at a side of a basin.
func (s *Set) Beyond(at Side) *Group { return s.group(at.Normal, at.offset) }

func (s *Set) group(normal r3.Vec, offset float64) *Group {
	g := &Group{Normal: normal, Offset: offset}
	s.Groups = append(s.Groups, g)
	return g
}

// Corners are those of all triangles, in the world.
func (g *Group) Corners() iter.Seq[r3.Vec] {
	return func(yield func(r3.Vec) bool) {
		for _, p := range g.Parts {
			turn := r3.Rotation(p.Rotation)
			for i := 0; i < len(p.Positions); i += 3 {
				q := r3.Vec{X: float64(p.Positions[i]), Y: float64(p.Positions[i+1]), Z: float64(p.Positions[i+2])}
				if !yield(r3.Add(p.Position, turn.Rotate(q))) {
					return
				}
			}
		}
	}
}

// Add adds a solid.
func (g *Group) Add(shape physics.Geometry, at r3.Vec, turn quat.Number, of Stuff) {
	g.Parts = append(g.Parts, Part{adapter.ShapeTriangles(shape), at, turn, of})
}

// upright is no rotation.
var upright = quat.Number{Real: 1}

// turned is a rotation about a unit axis, rad.
func turned(axis r3.Vec, angle float64) quat.Number { return quat.Number(r3.NewRotation(angle, axis)) }

// Box adds a box along the axes from one corner to the other.
func (g *Group) Box(x0, y0, z0, x1, y1, z1 float64, of Stuff) {
	lo, hi := r3.Vec{X: x0, Y: y0, Z: z0}, r3.Vec{X: x1, Y: y1, Z: z1}
	size := r3.Sub(hi, lo)
	g.Add(physics.Box(physics.Centred(size.X, size.Y, size.Z)), r3.Scale(.5, r3.Add(lo, hi)), upright, of)
}

// Beam adds a beam from a to b, wide and high, whose grain runs along it.
func (g *Group) Beam(a, b r3.Vec, wide, high float64, of Stuff) {
	d := r3.Sub(b, a)
	g.Add(physics.Box(physics.Centred(r3.Norm(d), high, wide)), r3.Scale(.5, r3.Add(a, b)), along(r3.Vec{X: 1}, d), of)
}

// Rod adds a round bar of a radius from a to b: a prism, of fewer sides the thinner it is.
func (g *Group) Rod(a, b r3.Vec, radius float64, of Stuff) {
	sides := 16
	if radius < .05 {
		sides = 8
	}
	d := r3.Sub(b, a)
	half := r3.Norm(d) / 2
	var corners []r3.Vec
	for k := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
		corners = append(corners, r3.Vec{X: radius * cos, Y: -half, Z: radius * sin}, r3.Vec{X: radius * cos, Y: half, Z: radius * sin})
	}
	g.Add(physics.Hull(corners), r3.Scale(.5, r3.Add(a, b)), along(r3.Vec{Y: 1}, d), of)
}

// Ball adds a ball.
func (g *Group) Ball(at r3.Vec, radius float64, of Stuff) {
	g.Add(physics.Sphere(r3.Vec{}, radius), at, upright, of)
}

// along turns a unit axis to a direction, keeping what can be upright so.
func along(axis, d r3.Vec) quat.Number {
	d = r3.Unit(d)
	if axis.X == 1 {
		yaw := math.Atan2(-d.Z, d.X)
		return quat.Mul(turned(r3.Vec{Y: 1}, yaw), turned(r3.Vec{Z: 1}, math.Asin(max(-1, min(d.Y, 1)))))
	}
	n := r3.Cross(axis, d)
	if r3.Norm(n) < 1e-9 {
		return upright // a bar has no upper end
	}
	return turned(r3.Unit(n), math.Acos(max(-1, min(r3.Dot(axis, d), 1))))
}

// Wedge adds a bank that rises from y0 at z0 to y1 at z1.
func (g *Group) Wedge(x0, x1, z0, z1, y0, y1 float64, of Stuff) {
	var corners []r3.Vec
	for _, x := range []float64{0, x1 - x0} {
		corners = append(corners, r3.Vec{X: x}, r3.Vec{X: x, Z: z1 - z0}, r3.Vec{X: x, Y: y1 - y0, Z: z1 - z0})
	}
	g.Add(physics.Hull(corners), r3.Vec{X: x0, Y: y0, Z: z0}, upright, of)
}

// Rope adds a rope that sags between two points, m.
func (g *Group) Rope(a, b r3.Vec, sag, radius float64, of Stuff) {
	const pieces = 8
	point := func(i int) r3.Vec {
		t := float64(i) / pieces
		p := r3.Add(a, r3.Scale(t, r3.Sub(b, a)))
		p.Y -= 4 * sag * t * (1 - t)
		return p
	}
	for i := range pieces {
		g.Rod(point(i), point(i+1), radius, of)
	}
}

// Gable adds a prism with a roof's section: from x0 to x1 and z0 to z1 at y0, its ridge along x at y1.
func (g *Group) Gable(x0, y0, z0, x1, y1, z1 float64, of Stuff) {
	mid := r3.Vec{X: (x0 + x1) / 2, Y: y0, Z: (z0 + z1) / 2}
	x, z := (x1-x0)/2, (z1-z0)/2
	var corners []r3.Vec
	for _, way := range []float64{-1, 1} {
		corners = append(corners, r3.Vec{X: way * x, Z: -z}, r3.Vec{X: way * x, Z: z}, r3.Vec{X: way * x, Y: y1 - y0})
	}
	g.Add(physics.Hull(corners), mid, upright, of)
}

// Drape adds cloth in folds over a way on the ground, from y0 to y1, that is seen from the left of the way as one walks it. deep is half the folds'
// depth and long their length, m.
func (g *Group) Drape(way []r3.Vec, y0, y1, deep, long float64, of Stuff) {
	const steps = 8 // of a fold
	var path []r3.Vec
	walked := 0.
	for i := range len(way) - 1 {
		d := r3.Sub(way[i+1], way[i])
		length := r3.Norm(d)
		left := r3.Vec{X: d.Z / length, Z: -d.X / length}
		n := max(1, int(math.Round(length/long*steps)))
		for k := range n {
			t := float64(k) / float64(n)
			fold := deep * math.Sin(2*math.Pi*(walked+t*length)/long)
			path = append(path, r3.Add(r3.Add(way[i], r3.Scale(t, d)), r3.Scale(fold, left)))
		}
		walked += length
	}
	path = append(path, way[len(way)-1])
	g.Parts = append(g.Parts, Part{sheet(path, y0, y1), r3.Vec{}, upright, of})
}

// sheet is an upright surface over a path on the ground, smooth along it, that faces to the left.
func sheet(path []r3.Vec, y0, y1 float64) (l adapter.TriangleList) {
	normals, places := make([]r3.Vec, len(path)), make([]float64, len(path))
	for i := range path {
		d := r3.Sub(path[min(i+1, len(path)-1)], path[max(i-1, 0)])
		normals[i] = r3.Unit(r3.Vec{X: d.Z, Z: -d.X})
		if i > 0 {
			places[i] = places[i-1] + r3.Norm(r3.Sub(path[i], path[i-1]))
		}
	}
	corner := func(i int, y float64) {
		p, n := path[i], normals[i]
		l.Positions = append(l.Positions, float32(p.X), float32(y), float32(p.Z))
		l.Normals = append(l.Normals, float32(n.X), 0, float32(n.Z))
		l.Texcoords = append(l.Texcoords, float32(places[i]), float32(y))
	}
	for i := range len(path) - 1 {
		corner(i, y0)
		corner(i, y1)
		corner(i+1, y1)
		corner(i, y0)
		corner(i+1, y1)
		corner(i+1, y0)
	}
	return l
}

// lifted is a rotation after one about x, rad.
func lifted(turn quat.Number, lift float64) quat.Number {
	return quat.Mul(turn, turned(r3.Vec{X: 1}, lift))
}
