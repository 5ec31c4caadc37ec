package main

import (
	"image/color"
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// paints are what things are made of, to the eye.
type paints struct {
	hull, cabin, roof, glass, funnel, band, brass, pine, oak material.IMaterial
}

func newPaints() *paints {
	crate := func(c color.RGBA, seed uint32) material.IMaterial {
		m := stage.Painted(picture.Crate(stage.TextureSize, c, seed), .12, 12)
		m.Textures()[0].SetRepeat(1/crateEdge, 1/crateEdge)
		m.Textures()[0].SetOffset(.5, .5)
		return m
	}
	boards := stage.Painted(picture.Boards(stage.TextureSize, color.RGBA{150, 60, 44, 255}, 3), .2, 20)
	boards.Textures()[0].SetRepeat(2, 2)
	return &paints{
		hull:   boards,
		cabin:  stage.Plain(math32.Color{R: 0.90, G: 0.88, B: 0.80}, .2, 20),
		roof:   stage.Plain(math32.Color{R: 0.16, G: 0.26, B: 0.36}, .3, 30),
		glass:  stage.Plain(math32.Color{R: 0.10, G: 0.16, B: 0.20}, .9, 90),
		funnel: stage.Plain(math32.Color{R: 0.12, G: 0.12, B: 0.13}, .4, 30),
		band:   stage.Plain(math32.Color{R: 0.95, G: 0.72, B: 0.16}, .3, 30),
		brass:  stage.Plain(math32.Color{R: 0.72, G: 0.55, B: 0.26}, .8, 50),
		pine:   crate(color.RGBA{226, 186, 128, 255}, 40),
		oak:    crate(color.RGBA{112, 66, 44, 255}, 42),
	}
}

// brackish is the look of water in a harbour.
var brackish = scene.Look{Tint: math32.Color{R: .26, G: .56, B: .44}, Turbidity: .8, Scatter: math32.Color{R: .07, G: .22, B: .22}}

// dress builds what the harbour looks like, follows its bodies, and dresses crates that come
// later. It needs the window's OpenGL context.
func dress(b *boat, o scene.LiquidOptions) *stage.Stage {
	s := stage.New(b.Liquid(), o)
	s.Water.SetLook(brackish)
	s.Dress(b.surroundings())
	s.Ground()
	p := newPaints()
	s.Follow(b.paddle.body, p.board(b.domain.Size().Z, b.level+paddleTop))

	hull, hatch := p.dressHull(b.vessel)
	s.Lamp(hull, decor.Lamp{At: r3.Sub(lanternAt, b.vessel.hull.MassProperties().Centre), Radius: .045, Colour: decor.Warm, Light: 1.2})
	s.Root.Add(hull)
	s.Water.Bind(b.World().Coupling(), b.vessel.hull.Index(), hull)
	b.onHole = func() { hatch.SetVisible(false) }
	s.Follow(b.vessel.rudder, p.dressRudder(b.vessel))
	b.onCrate = func(c crate) {
		mat := p.pine
		if c.ratio > 1 {
			mat = p.oak
		}
		s.Follow(c.body, scene.NewBody(c.body, mat))
	}
	for _, c := range b.crates {
		b.onCrate(c)
	}
	return s
}

// lanternAt is where the boat's lantern hangs, over the cabin, m from the hull's middle.
var lanternAt = r3.Add(cabinAt, r3.Vec{X: .1, Y: cabinSize.Y/2 + .42, Z: .08})

// board is the paddle from wall to wall, as far as it stands above the floor, on a node at the
// body's origin.
func (p *paints) board(width, height float64) core.INode {
	node := core.NewNode()
	m := graphic.NewMesh(stage.NewBox(r3.Vec{X: paddleThick, Y: height, Z: width - .02}), p.roof)
	m.SetPosition(0, float32(intoFloor/2), 0)
	node.Add(m)
	return node
}

// dressHull is the vessel's shapes, and what is only there for the eye, on a node at its centre
// of mass, and the mesh of the hatch among them.
func (p *paints) dressHull(v *vessel) (node *core.Node, hatch *graphic.Mesh) {
	node = core.NewNode()
	for s := range v.hull.Shapes() {
		mat := p.hull
		if s.Def().UserData == cabinPart {
			mat = p.cabin
		}
		mesh := scene.NewShape(s, mat)
		if s == v.hatch {
			hatch = mesh
		}
		node.Add(mesh)
	}
	p.trim(node, v.hull.MassProperties().Centre)
	return node, hatch
}

// trim adds what is only there for the eye to a node at the vessel's centre of mass.
func (p *paints) trim(node *core.Node, centre r3.Vec) {
	at := func(g *geometry.Geometry, mat material.IMaterial, x, y, z float64) {
		m := graphic.NewMesh(g, mat)
		c := r3.Sub(r3.Vec{X: x, Y: y, Z: z}, centre)
		m.SetPosition(float32(c.X), float32(c.Y), float32(c.Z))
		node.Add(m)
	}
	box := func(mat material.IMaterial, size r3.Vec, x, y, z float64) { at(stage.NewBox(size), mat, x, y, z) }
	const rail = .03
	side := r3.Vec{X: length/2 + prowLength + .01, Y: depth/2 - .03} // a rubbing band about the gunwale, to the stem
	for _, way := range []float64{-1, 1} {
		box(p.band, r3.Vec{X: length + .02, Y: rail, Z: .03}, -.01, side.Y, way*(beam/2+.005))
		a, b := r3.Vec{X: length / 2, Y: side.Y, Z: way * (beam/2 + .005)}, side
		m := graphic.NewMesh(stage.NewBox(r3.Vec{X: r3.Norm(r3.Sub(b, a)), Y: rail, Z: .03}), p.band)
		mid := r3.Sub(r3.Scale(.5, r3.Add(a, b)), centre)
		m.SetPosition(float32(mid.X), float32(mid.Y), float32(mid.Z))
		m.SetRotation(0, float32(math.Atan2(a.Z-b.Z, b.X-a.X)), 0)
		node.Add(m)
	}
	box(p.band, r3.Vec{X: .03, Y: rail, Z: beam + .04}, -length/2-.005, side.Y, 0)
	c, half := cabinAt, r3.Scale(.5, cabinSize)
	box(p.roof, r3.Vec{X: cabinSize.X + .08, Y: .03, Z: cabinSize.Z + .08}, c.X, c.Y+half.Y+.015, 0)
	window := c.Y + half.Y - .13
	for _, way := range []float64{-1, 1} {
		box(p.glass, r3.Vec{X: .2, Y: .12, Z: .01}, c.X, window, way*half.Z)
		box(p.glass, r3.Vec{X: .01, Y: .12, Z: .14}, c.X+half.X, window, way*.11)
	}
	at(geometry.NewCylinder(.05, .22, 24, 1, true, true), p.funnel, c.X-.06, c.Y+half.Y+.14, -.08)
	at(geometry.NewCylinder(.053, .05, 24, 1, false, false), p.band, c.X-.06, c.Y+half.Y+.17, -.08)
	at(geometry.NewCylinder(.014, lanternAt.Y-c.Y-half.Y, 12, 1, true, true), p.brass, lanternAt.X, (lanternAt.Y+c.Y+half.Y)/2, lanternAt.Z)
	at(geometry.NewCylinder(.02, .12, 16, 1, true, true), p.brass, length/2+.12, depth/2+sheer+.05, 0) // a bollard
}

// dressRudder is the blade with its stock.
func (p *paints) dressRudder(v *vessel) core.INode {
	node := scene.NewBody(v.rudder, p.roof)
	stock := graphic.NewMesh(geometry.NewCylinder(.018, .5, 16, 1, true, true), p.brass)
	stock.SetPosition(float32(rudderSize.X/2), .12, 0)
	node.Add(stock)
	return node
}
