package stage

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
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

// Behind is how far the walls stand behind the domain's sides, m: the liquid ends there, and
// two surfaces in one place would flicker.
const Behind = 0.012

// Basin tiles the floor and the walls of a domain up to a height, m, and lays a stone coping on
// each wall. The walls face inwards only: from outside one looks through the nearer ones, as into
// an aquarium. The wall towards +x may be left out: an open end.
func (s *Stage) Basin(domain r3.Box, top float64, openEnd bool) {
	s.walls(domain, top, openEnd)
	s.addCopings(domain, top, openEnd)
}

// Walls is a basin without copings.
func (s *Stage) Walls(domain r3.Box, top float64) { s.walls(domain, top, false) }

func (s *Stage) walls(domain r3.Box, top float64, openEnd bool) {
	tiles := s.Tiles(scene.TileOptions{})
	size, mid := domain.Size(), domain.Center()
	w, d, h := size.X+2*Behind, size.Z+2*Behind, top+Behind-domain.Min.Y
	wall := func(width, height float64, at r3.Vec, turnX, turnY float32) {
		m := s.Mesh(geometry.NewPlane(float32(width), float32(height)), tiles, at)
		m.SetRotation(turnX, turnY, 0)
	}
	up := domain.Min.Y + (top-Behind-domain.Min.Y)/2
	wall(w, d, r3.Vec{X: mid.X, Y: domain.Min.Y - Behind, Z: mid.Z}, -math.Pi/2, 0)
	wall(w, h, r3.Vec{X: mid.X, Y: up, Z: mid.Z - d/2}, 0, 0)
	wall(w, h, r3.Vec{X: mid.X, Y: up, Z: mid.Z + d/2}, 0, math.Pi)
	wall(d, h, r3.Vec{X: mid.X - w/2, Y: up, Z: mid.Z}, 0, math.Pi/2)
	if !openEnd {
		wall(d, h, r3.Vec{X: mid.X + w/2, Y: up, Z: mid.Z}, 0, -math.Pi/2)
	}
}

// Tiles is a tiled material that knows of the liquid.
func (s *Stage) Tiles(o scene.TileOptions) *scene.Tiles { return scene.NewTiles(s.Water, o) }

// PaleTiles is that of steps and other solids in a basin.
func (s *Stage) PaleTiles() *scene.Tiles {
	return s.Tiles(scene.TileOptions{Color: math32.Color{R: 0.80, G: 0.84, B: 0.84}, Other: math32.Color{R: 0.62, G: 0.72, B: 0.76}})
}

// addCopings lays a stone edge on each wall.
func (s *Stage) addCopings(domain r3.Box, top float64, openEnd bool) {
	stone := decor.Coping.Material(false)
	const width, thick = 0.2, 0.07
	lo, hi := domain.Min, domain.Max
	edge := func(normal r3.Vec, offset, x0, x1, z0, z1 float64) {
		shape := scene.NewGeometry(physics.Box(physics.Centred(x1-x0, thick, z1-z0)))
		m := s.Mesh(shape, stone, r3.Vec{X: (x0 + x1) / 2, Y: top + thick/2, Z: (z0 + z1) / 2})
		s.sides = append(s.sides, side{m, normal, offset})
	}
	edge(r3.Vec{Z: 1}, lo.Z, lo.X-width, hi.X+width, lo.Z-width, lo.Z-Behind)
	edge(r3.Vec{Z: -1}, -hi.Z, lo.X-width, hi.X+width, hi.Z+Behind, hi.Z+width)
	edge(r3.Vec{X: 1}, lo.X, lo.X-width, lo.X-Behind, lo.Z-Behind, hi.Z+Behind)
	if !openEnd {
		edge(r3.Vec{X: -1}, -hi.X, hi.X+Behind, hi.X+width, lo.Z-Behind, hi.Z+Behind)
	}
}

// Ground paves a terrace about the basin.
func (s *Stage) Ground() { Ground(s.Root, groundHeight, s.sky.Horizon) }

// groundHeight is that of the ground, m: under a basin's floor.
const groundHeight = -.06

// Park paves a terrace about the basin, with a wall, a hedge and trees about it.
func (s *Stage) Park() {
	s.Ground()
	s.Dress(decor.Park(groundHeight))
}

// Ground paves a terrace at a height, m, that fades into the horizon's colour.
func Ground(root *core.Node, height float32, horizon math32.Color) {
	const slabs, slab = 4, 0.9      // in a row of the picture, and m
	const reach = 30 * slabs * slab // m: whole pictures, and its rows from -z to +z, so that slabs lie where package site has them
	lay := func(y float32, mat material.IMaterial) {
		m := graphic.NewMesh(geometry.NewPlane(2*reach, 2*reach), mat)
		m.SetRotation(-math.Pi/2, 0, 0)
		m.SetPosition(0, y, 0)
		root.Add(m)
	}
	paving := Painted(picture.Paving(2*TextureSize, slabs, color.RGBA{186, 178, 164, 255}, 12), .03, 6)
	paving.Textures()[0].SetRepeat(2*reach/(slabs*slab), -2*reach/(slabs*slab))
	lay(height, paving)

	r, g, b := encode(horizon)
	mist := color.NRGBA{R: uint8(255 * r), G: uint8(255 * g), B: uint8(255 * b)}
	haze := Painted(picture.Haze(TextureSize, mist, .06), 0, 1)
	haze.SetUseLights(material.UseLightNone)
	haze.SetTransparent(true)
	haze.SetDepthMask(false)
	lay(height+.03, haze)
}
