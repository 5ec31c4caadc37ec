// Package stage builds what the demos have in common to look at: daylight, a tiled basin, the
// terrace it stands on, and painted things.
package stage

import (
	"cmp"
	"image"
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/texture"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

// Sky is the daylight of the demos unless a flag says otherwise: the afternoon of scene's default, with the sun behind the cameras.
var Sky = scene.SkyOptions{
	Horizon: math32.Color{R: 0.66, G: 0.77, B: 0.86},
	Sun:     math32.Vector3{X: 0.45, Y: 0.72, Z: 0.40},
}

// Hall is the light of a dark hall with one strong lamp from above, before the stage.
var Hall = scene.SkyOptions{
	Zenith: math32.Color{R: .055, G: .060, B: .085}, Horizon: math32.Color{R: .085, G: .070, B: .075}, Ground: math32.Color{R: .05, G: .035, B: .03},
	Sun: math32.Vector3{X: .35, Y: .85, Z: .45}, SunLit: math32.Color{R: 1.05, G: .98, B: .86},
}

// Narrow is the look of water between walls half a metre apart: clear water would hardly be seen there.
var Narrow = scene.Look{Tint: math32.Color{R: 0.25, G: 0.75, B: 0.88}, Turbidity: 0.5}

// Bright is the look of water that is told from the sky behind it.
var Bright = scene.Look{Tint: math32.Color{R: .1, G: .5, B: .72}, Turbidity: .9}

// TextureSize is the edge of the demos' textures, texels.
const TextureSize = 512

// Stage is the scene around a liquid. Make one with New.
type Stage struct {
	Root  *core.Node
	Water *scene.Liquid
	// OnFrame, if any, is called when the bodies' nodes are in their places, before each picture.
	OnFrame func()

	sky   scene.SkyOptions
	sides []side
}

// side is what is only shown where the camera is on the basin's side of a wall.
type side struct {
	node   core.INode
	normal r3.Vec // into the basin
	offset float64
}

// New is a stage with the liquid and the options' daylight, which is Sky if they have none, and nothing
// else. It needs the window's OpenGL context.
func New(liquid *fluid.Liquid, o scene.LiquidOptions) *Stage {
	o.Sky = cmp.Or(o.Sky, Sky)
	s := &Stage{Root: core.NewNode(), Water: scene.NewLiquid(liquid, o), sky: o.Sky}
	s.Root.Add(scene.NewDaylight(o.Sky))
	s.Root.Add(s.Water)
	return s
}

// NewBasin is a stage with a liquid in a basin, of a look unless the options have one; see Basin.
func NewBasin(liquid *fluid.Liquid, o scene.LiquidOptions, look scene.Look, domain r3.Box, top float64) *Stage {
	o.Look = cmp.Or(o.Look, look)
	s := New(liquid, o)
	s.Basin(domain, top, false)
	return s
}

// Prepare readies a picture from eye: it hides the copings between the eye and the basin, as the walls
// hide themselves.
func (s *Stage) Prepare(eye r3.Vec) {
	if s.OnFrame != nil {
		s.OnFrame()
	}
	for _, side := range s.sides {
		side.node.SetVisible(r3.Dot(side.normal, eye) > side.offset)
	}
}

// Follow makes a node at a body's own origin move with it.
func (s *Stage) Follow(b physics.Body, node core.INode) {
	s.Root.Add(node)
	s.Water.BindBody(b, node)
}

// Mesh adds a thing at a place, m.
func (s *Stage) Mesh(g geometry.IGeometry, mat material.IMaterial, at r3.Vec) *graphic.Mesh {
	m := graphic.NewMesh(g, mat)
	m.SetPosition(float32(at.X), float32(at.Y), float32(at.Z))
	s.Root.Add(m)
	return m
}

// Box adds a box, m.
func (s *Stage) Box(b r3.Box, mat material.IMaterial) *graphic.Mesh {
	return s.Mesh(NewBox(b.Size()), mat, b.Center())
}

// Rod adds a cylinder of a radius, m. Span lays it between two points.
func (s *Stage) Rod(mat material.IMaterial, radius float64) *graphic.Mesh {
	return s.Mesh(geometry.NewCylinder(radius, 1, 24, 1, true, true), mat, r3.Vec{})
}

// Tube adds an open pipe of a radius, m, from a to b.
func (s *Stage) Tube(mat material.IMaterial, radius float64, a, b r3.Vec) {
	Span(s.Mesh(geometry.NewCylinder(radius, 1, 40, 1, false, false), mat, r3.Vec{}), a, b)
}

// Span lays a rod from a to b, m.
func Span(rod *graphic.Mesh, a, b r3.Vec) {
	d, mid := r3.Sub(b, a), r3.Scale(.5, r3.Add(a, b))
	long := r3.Norm(d)
	if long == 0 {
		return
	}
	d = r3.Scale(1/long, d)
	rod.SetPosition(float32(mid.X), float32(mid.Y), float32(mid.Z))
	rod.SetScale(1, float32(long), 1)
	var q math32.Quaternion
	q.SetFromUnitVectors(&math32.Vector3{Y: 1}, &math32.Vector3{X: float32(d.X), Y: float32(d.Y), Z: float32(d.Z)})
	rod.SetRotationQuat(&q)
}

// Pipe adds a pipe of a radius, m, through points, with a ball at each bend.
func (s *Stage) Pipe(mat material.IMaterial, radius float64, points ...r3.Vec) {
	for i, p := range points[:len(points)-1] {
		Span(s.Rod(mat, radius), p, points[i+1])
		s.Mesh(geometry.NewSphere(radius, 24, 12), mat, p)
	}
}

// NewBox is a box of the given edges about the origin, m.
func NewBox(size r3.Vec) *geometry.Geometry {
	return geometry.NewBox(float32(size.X), float32(size.Y), float32(size.Z))
}

// encode is a linear colour as a display shows it, for OpenGL's clear colour.
func encode(c math32.Color) (r, g, b float32) {
	curve := func(v float32) float32 {
		if v <= 0.0031308 {
			return 12.92 * v
		}
		return float32(1.055*math.Pow(float64(v), 1/2.4) - 0.055)
	}
	return curve(c.R), curve(c.G), curve(c.B)
}

// ClearColour makes the background the horizon's colour.
func ClearColour(gs *gls.GLS, sky scene.SkyOptions) {
	r, g, b := encode(sky.Horizon)
	gs.ClearColor(r, g, b, 1)
}

// Painted is a lit material that shows a picture, with a highlight.
func Painted(img *image.RGBA, gloss, shininess float32) *material.Standard {
	m := Plain(math32.Color{R: 1, G: 1, B: 1}, gloss, shininess)
	t := texture.NewTexture2DFromRGBA(img)
	t.SetWrapS(gls.REPEAT)
	t.SetWrapT(gls.REPEAT)
	t.SetMinFilter(gls.LINEAR_MIPMAP_LINEAR)
	m.AddTexture(t)
	return m
}

// Plain is a lit material of one colour, with a highlight.
func Plain(c math32.Color, gloss, shininess float32) *material.Standard {
	m := material.NewStandard(&c)
	m.SetSpecularColor(&math32.Color{R: gloss, G: gloss, B: gloss})
	m.SetShininess(shininess)
	return m
}
