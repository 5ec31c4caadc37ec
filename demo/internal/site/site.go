// Package site builds what the demos have in common for pictures by ray tracing, as package stage does for a window: daylight, a tiled basin
// with its liquid, bodies, and what is around them. It needs no OpenGL.
package site

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Look is how a liquid looks, in the terms of scene.Look.
type Look struct {
	Tint      raytrace.Colour // what is left of white light after one metre
	Turbidity float64         // light that is scattered, 1/m
	Scatter   raytrace.Colour // the colour of scattered light
}

// Water is clear water, as scene.Look has it by default.
var Water = Look{Tint: raytrace.Colour{X: .70, Y: .94, Z: .98}, Turbidity: .06, Scatter: raytrace.Colour{X: .05, Y: .30, Z: .36}}

// Narrow is that of water between walls half a metre apart, as package stage has it.
var Narrow = Look{Tint: raytrace.Colour{X: .25, Y: .75, Z: .88}, Turbidity: .5, Scatter: Water.Scatter}

// Site is a scene in the making.
type Site struct {
	raytrace.Scene
	// Garden puts basins into the ground of a terrace in a garden. Else they stand on the ground, as in a window, and the camera sees through
	// the walls between it and the liquid.
	Garden bool

	sunk bool // the basin is, into the ground
}

// New is a place with a liquid's surface, which is not copied, in daylight.
func New(s *fluid.Surface, l Look, garden bool) *Site {
	p := &Site{Garden: garden}
	p.Sky = raytrace.Afternoon()
	absorb := func(tint float64) float64 { return -math.Log(max(tint, 1e-4)) }
	p.Liquid = &raytrace.Liquid{
		Positions: s.Positions, Normals: s.Normals, Foam: s.Foam, Indices: s.Indices, Free: s.Free, Droplets: s.Droplets,
		Absorb: raytrace.Colour{X: absorb(l.Tint.X), Y: absorb(l.Tint.Y), Z: absorb(l.Tint.Z)}, Cloud: l.Turbidity, Scatter: l.Scatter,
		FoamColour: raytrace.Colour{X: .88, Y: .90, Z: .91},
	}
	if garden {
		p.sunny()
	}
	return p
}

// TextureSize is the edge of textures, texels.
const TextureSize = 512

// Paint is a material of one colour, as a display shows it, with some gloss.
func Paint(c color.RGBA, gloss float64) *raytrace.Material {
	one := raytrace.Painted(picture.Plain(c), 1, 1)
	return &raytrace.Material{Colour: one(&raytrace.Point{}), Gloss: gloss}
}

// Wood is the sides of a crate.
func Wood(c color.RGBA, seed uint32) *raytrace.Material {
	return &raytrace.Material{Texture: raytrace.Painted(picture.Crate(TextureSize, c, seed), 1, 1), Gloss: .35, Rough: .12}
}

// Boards are painted ones, five to each half metre of a mesh's own places.
func Boards(c color.RGBA, seed uint32) *raytrace.Material {
	return &raytrace.Material{Texture: raytrace.Painted(picture.Boards(TextureSize, c, seed), 2, 2), Gloss: .5, Rough: .08}
}

// Stone is rough and speckled; size is that of its pattern, m.
func Stone(c color.RGBA, seed uint32, size float64) *raytrace.Material {
	return &raytrace.Material{Texture: raytrace.Flat(raytrace.Painted(picture.Stone(TextureSize, c, seed), 1, 1), size)}
}

// Brass is a metal.
var Brass = &raytrace.Material{Metal: raytrace.Colour{X: .80, Y: .58, Z: .26}, Rough: .12}

// Add adds solids.
func (p *Site) Add(s ...raytrace.Solid) { p.Solids = append(p.Solids, s...) }

// Box adds a box along the axes.
func (p *Site) Box(b r3.Box, m *raytrace.Material) { p.Add(raytrace.AxisBox(b, m)) }

// At is where a body stands.
func At(b physics.Body) raytrace.Place {
	return raytrace.Place{Position: b.Position(), Rotation: b.Rotation()}
}

// Body adds a body's shapes in one material, with their places in m for its texture.
func (p *Site) Body(b physics.Body, m *raytrace.Material) {
	p.List(adapter.BodyTriangles(b), At(b), m)
}

// Shape adds one shape of a body.
func (p *Site) Shape(s physics.Shape, m *raytrace.Material) {
	at, turn := s.Pose()
	p.List(adapter.ShapeTriangles(s.Def().Geometry), raytrace.Place{Position: at, Rotation: turn}, m)
}

// List adds a list of triangles.
func (p *Site) List(l adapter.TriangleList, at raytrace.Place, m *raytrace.Material) {
	mesh := raytrace.Mesh{Place: at, Material: m}
	for i := range len(l.Positions) / 3 {
		get := func(a []float32) r3.Vec {
			return r3.Vec{X: float64(a[3*i]), Y: float64(a[3*i+1]), Z: float64(a[3*i+2])}
		}
		mesh.Positions = append(mesh.Positions, get(l.Positions))
		mesh.Normals = append(mesh.Normals, get(l.Normals))
		mesh.UVs = append(mesh.UVs, [2]float64{float64(l.Texcoords[2*i]), float64(l.Texcoords[2*i+1])})
		if i%3 == 2 {
			mesh.Triangles = append(mesh.Triangles, [3]int32{int32(i - 2), int32(i - 1), int32(i)})
		}
	}
	p.Meshes = append(p.Meshes, mesh)
}

// Tube adds an open pipe of a radius from a to b.
func (p *Site) Tube(radius float64, a, b r3.Vec, m *raytrace.Material) {
	const around = 48
	mesh := raytrace.Mesh{Material: m}
	along := r3.Unit(r3.Sub(b, a))
	side := r3.Vec{X: 1}
	if math.Abs(along.X) > .9 {
		side = r3.Vec{Y: 1}
	}
	u := r3.Unit(r3.Cross(along, side))
	v := r3.Cross(along, u)
	for i := range int32(around) {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / around)
		n := r3.Add(r3.Scale(cos, u), r3.Scale(sin, v))
		out := r3.Scale(radius, n)
		mesh.Positions = append(mesh.Positions, r3.Add(a, out), r3.Add(b, out))
		mesh.Normals = append(mesh.Normals, n, n)
		k, next := 2*i, 2*((i+1)%around)
		mesh.Triangles = append(mesh.Triangles, [3]int32{k, next, k + 1}, [3]int32{next, next + 1, k + 1})
	}
	p.Meshes = append(p.Meshes, mesh)
}

// Rod adds a cylinder of a radius from a to b.
func (p *Site) Rod(radius float64, a, b r3.Vec, m *raytrace.Material) {
	d := r3.Sub(b, a)
	p.Add(raytrace.NewCylinder(radius, r3.Norm(d), raytrace.Place{Position: r3.Scale(.5, r3.Add(a, b)), Rotation: Along(r3.Unit(d))}, m))
}

// Pipe adds a pipe of a radius through points, with a ball at each bend.
func (p *Site) Pipe(radius float64, m *raytrace.Material, points ...r3.Vec) {
	for i, a := range points[:len(points)-1] {
		p.Tube(radius, a, points[i+1], m)
		p.Add(raytrace.NewBall(1.01*radius, raytrace.Place{Position: a}, m))
	}
}
