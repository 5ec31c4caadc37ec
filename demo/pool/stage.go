package main

import (
	"image/color"
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/scene"
)

// sky is the daylight of the whole scene: the afternoon of scene's default.
var sky = scene.SkyOptions{
	Horizon: math32.Color{R: 0.66, G: 0.77, B: 0.86},
	Sun:     math32.Vector3{X: 0.45, Y: 0.72, Z: 0.40},
}

// stage is the scene around a pool.
type stage struct {
	root  *core.Node
	water *scene.Liquid
	cast  *cast
	sides []side
}

// side is what is only shown where the camera is on the pool's side of a wall.
type side struct {
	node   core.INode
	normal r3.Vec // into the pool
	offset float64
}

// openSides hides the copings between the eye and the pool, as the walls hide themselves.
func (s *stage) openSides(eye r3.Vec) {
	for _, side := range s.sides {
		side.node.SetVisible(r3.Dot(side.normal, eye) > side.offset)
	}
}

// newStage builds what a pool looks like, follows its bodies, and dresses those that are
// dropped later. It needs the window's OpenGL context.
func newStage(p *pool, height int) *stage {
	s := &stage{root: core.NewNode(), cast: newCast()}
	s.water = scene.NewLiquid(p.liquid, scene.LiquidOptions{Sky: sky, Height: height})
	s.root.Add(scene.NewSky(sky))
	s.addLights()
	s.addBasin()
	s.addSurroundings()
	s.root.Add(s.water)
	dress := func(t toy) {
		node := s.cast.node(t)
		s.root.Add(node)
		b := s.water.Bind(p.world, t.body.Index(), node)
		b.Offset = r3.Scale(-1, t.body.MassProperties().Centre)
	}
	for _, t := range p.toys {
		dress(t)
	}
	p.onDrop = dress
	return s
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

// clearColour makes the background the horizon's colour.
func clearColour(gs *gls.GLS) {
	r, g, b := encode(sky.Horizon)
	gs.ClearColor(r, g, b, 1)
}

// addLights lights g3n's own materials: a warm sun, the cool sky, and a little from below.
func (s *stage) addLights() {
	sun := light.NewDirectional(&math32.Color{R: 1, G: 0.93, B: 0.80}, 0.95)
	sun.SetPositionVec(&sky.Sun)
	s.root.Add(sun)
	fill := light.NewDirectional(&math32.Color{R: 0.62, G: 0.76, B: 1}, 0.22)
	fill.SetPosition(-0.5, 0.6, -0.3)
	s.root.Add(fill)
	bounce := light.NewDirectional(&math32.Color{R: 0.7, G: 0.85, B: 0.85}, 0.10)
	bounce.SetPosition(0, -1, 0.2)
	s.root.Add(bounce)
	s.root.Add(light.NewAmbient(&math32.Color{R: 0.72, G: 0.84, B: 1}, 0.34))
}

// behind is how far the walls stand behind the domain's sides, m: the liquid ends there, and
// two surfaces in one place would flicker.
const behind = 0.012

// addBasin tiles floor, walls and steps. The walls face inwards only: from outside one looks
// through the nearer ones, as into an aquarium.
func (s *stage) addBasin() {
	tiles := scene.NewTiles(s.water, scene.TileOptions{Sky: sky})
	size := domain.Size()
	w, d := float32(size.X+2*behind), float32(size.Z+2*behind)
	h := float32(wallTop + behind)
	wall := func(width, height float32, x, y, z, turnX, turnY float32) {
		m := graphic.NewMesh(geometry.NewPlane(width, height), tiles)
		m.SetPosition(x, y, z)
		m.SetRotation(turnX, turnY, 0)
		s.root.Add(m)
	}
	mid := float32(wallTop-behind) / 2
	wall(w, d, 0, -behind, 0, -math.Pi/2, 0)
	wall(w, h, 0, mid, -d/2, 0, 0)
	wall(w, h, 0, mid, d/2, 0, math.Pi)
	wall(d, h, -w/2, mid, 0, 0, math.Pi/2)
	wall(d, h, w/2, mid, 0, 0, -math.Pi/2)

	pale := scene.NewTiles(s.water, scene.TileOptions{
		Sky: sky, Color: math32.Color{R: 0.80, G: 0.84, B: 0.84}, Other: math32.Color{R: 0.62, G: 0.72, B: 0.76}})
	for _, b := range steps() {
		b.Min.Y = -behind
		s.box(b, pale)
	}
}

// addSurroundings adds the copings, the column, the spout's pipe and the ground.
func (s *stage) addSurroundings() {
	s.addCopings()
	shaft := graphic.NewMesh(geometry.NewCylinder(columnRadius, columnTop, 40, 1, true, true),
		painted(picture.Stone(textureSize, color.RGBA{206, 190, 166, 255}, 8), .1, 10))
	shaft.SetPosition(float32(columnFoot.X), float32(columnTop/2), float32(columnFoot.Z))
	s.root.Add(shaft)

	s.addPipe()
	s.addGround()
}

// addPipe leads from the ground outside to the spout's mouth.
func (s *stage) addPipe() {
	brass := material.NewStandard(&math32.Color{R: 0.72, G: 0.55, B: 0.26})
	brass.SetSpecularColor(&math32.Color{R: 0.9, G: 0.8, B: 0.5})
	brass.SetShininess(50)
	brass.SetSide(material.SideDouble)
	radius := spout.radius + 0.015
	bend := r3.Vec{X: spout.mouth.X, Y: spout.mouth.Y, Z: domain.Min.Z - 0.45}
	add := func(g *geometry.Geometry, y, z float64, turn float32) {
		m := graphic.NewMesh(g, brass)
		m.SetPosition(float32(bend.X), float32(y), float32(z))
		m.SetRotation(turn, 0, 0)
		s.root.Add(m)
	}
	length := spout.mouth.Z - bend.Z
	add(geometry.NewCylinder(radius, length, 40, 1, false, false), bend.Y, bend.Z+length/2, math.Pi/2)
	add(geometry.NewCylinder(radius+.02, .04, 40, 1, false, false), bend.Y, spout.mouth.Z-.02, math.Pi/2)
	add(geometry.NewCylinder(radius, bend.Y, 40, 1, false, false), bend.Y/2, bend.Z, 0)
	add(geometry.NewSphere(radius*1.12, 32, 16), bend.Y, bend.Z, 0)
}

// addCopings lays a stone edge on each wall.
func (s *stage) addCopings() {
	stone := painted(picture.Stone(textureSize, color.RGBA{222, 214, 198, 255}, 3), .1, 10)
	const width, thick = 0.2, 0.07
	lo, hi := domain.Min, domain.Max
	edge := func(normal r3.Vec, offset, x0, x1, z0, z1 float64) {
		m := s.box(r3.Box{Min: r3.Vec{X: x0, Y: wallTop, Z: z0}, Max: r3.Vec{X: x1, Y: wallTop + thick, Z: z1}}, stone)
		s.sides = append(s.sides, side{m, normal, offset})
	}
	edge(r3.Vec{Z: 1}, lo.Z, lo.X-width, hi.X+width, lo.Z-width, lo.Z-behind)
	edge(r3.Vec{Z: -1}, -hi.Z, lo.X-width, hi.X+width, hi.Z+behind, hi.Z+width)
	edge(r3.Vec{X: 1}, lo.X, lo.X-width, lo.X-behind, lo.Z-behind, hi.Z+behind)
	edge(r3.Vec{X: -1}, -hi.X, hi.X+behind, hi.X+width, lo.Z-behind, hi.Z+behind)
}

// addGround paves a terrace that fades into the horizon.
func (s *stage) addGround() {
	const reach, slab = 110.0, 0.9 // m
	lay := func(y float32, mat material.IMaterial) {
		m := graphic.NewMesh(geometry.NewPlane(2*reach, 2*reach), mat)
		m.SetRotation(-math.Pi/2, 0, 0)
		m.SetPosition(0, y, 0)
		s.root.Add(m)
	}
	const slabs = 4
	paving := painted(picture.Paving(2*textureSize, slabs, color.RGBA{186, 178, 164, 255}, 12), .03, 6)
	paving.Textures()[0].SetRepeat(2*reach/(slabs*slab), 2*reach/(slabs*slab))
	lay(-0.06, paving)

	r, g, b := encode(sky.Horizon)
	mist := color.NRGBA{R: uint8(255 * r), G: uint8(255 * g), B: uint8(255 * b)}
	haze := painted(picture.Haze(textureSize, mist, .06), 0, 1)
	haze.SetUseLights(material.UseLightNone)
	haze.SetTransparent(true)
	haze.SetDepthMask(false)
	lay(-0.03, haze)
}

func (s *stage) box(b r3.Box, mat material.IMaterial) core.INode {
	size, at := b.Size(), b.Center()
	m := graphic.NewMesh(geometry.NewBox(float32(size.X), float32(size.Y), float32(size.Z)), mat)
	m.SetPosition(float32(at.X), float32(at.Y), float32(at.Z))
	s.root.Add(m)
	return m
}
