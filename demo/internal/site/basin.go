package site

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
)

// inset is how far walls reach into a domain, m: the liquid touches them, with no air between.
const inset = .0005

// Along turns the y axis to a unit vector.
func Along(d r3.Vec) quat.Number {
	axis := r3.Cross(r3.Vec{Y: 1}, d)
	q := quat.Number{Real: 1 + d.Y, Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}
	if n := quat.Abs(q); n > 1e-9 {
		return quat.Scale(1/n, q)
	}
	return quat.Number{Imag: 1} // straight down
}

// PoolTiles are the tiles of a basin, and PaleTiles those of steps in it.
func PoolTiles() *raytrace.Material {
	return &raytrace.Material{Texture: raytrace.PoolTiles().At, Gloss: .6, Rough: .03}
}

// PaleTiles are those of steps and other solids in a basin.
func PaleTiles() *raytrace.Material {
	t := raytrace.PoolTiles()
	t.Colour, t.Other = raytrace.Colour{X: .80, Y: .84, Z: .84}, raytrace.Colour{X: .62, Y: .72, Z: .76}
	return &raytrace.Material{Texture: t.At, Gloss: .6, Rough: .03}
}

// Walls says which of a basin's walls are no tiled ones.
type Walls struct {
	Open  bool // there is none towards +x
	Glass bool // that towards +z is clear, so that a basin in a garden stands on the ground
}

// Basin tiles the floor and the walls of a domain up to a height.
func (p *Site) Basin(domain r3.Box, top float64, w Walls) {
	tiles := PoolTiles()
	tiles.Cutaway = true
	lo, hi := r3.Add(domain.Min, raytrace.Grey(inset)), r3.Sub(domain.Max, raytrace.Grey(inset))
	lo.Y, hi.Y = domain.Min.Y+inset, top
	quad := func(a, b, c, d r3.Vec) {
		p.Meshes = append(p.Meshes, raytrace.Mesh{Positions: []r3.Vec{a, b, c, d}, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}, Material: tiles})
	}
	at := func(x, y, z float64) r3.Vec { return r3.Vec{X: x, Y: y, Z: z} }
	quad(at(lo.X, lo.Y, hi.Z), at(hi.X, lo.Y, hi.Z), at(hi.X, lo.Y, lo.Z), at(lo.X, lo.Y, lo.Z))
	quad(at(lo.X, lo.Y, lo.Z), at(hi.X, lo.Y, lo.Z), at(hi.X, hi.Y, lo.Z), at(lo.X, hi.Y, lo.Z))
	quad(at(lo.X, lo.Y, hi.Z), at(lo.X, lo.Y, lo.Z), at(lo.X, hi.Y, lo.Z), at(lo.X, hi.Y, hi.Z))
	if !w.Glass {
		quad(at(hi.X, lo.Y, hi.Z), at(lo.X, lo.Y, hi.Z), at(lo.X, hi.Y, hi.Z), at(hi.X, hi.Y, hi.Z))
	}
	if !w.Open {
		quad(at(hi.X, lo.Y, lo.Z), at(hi.X, lo.Y, hi.Z), at(hi.X, hi.Y, hi.Z), at(hi.X, hi.Y, lo.Z))
	}
	p.sunk = p.Garden && !w.Glass
	p.addCopings(lo, hi, top, w)
	level := domain.Min.Y - .06
	switch {
	case p.sunk:
		p.addGarden(lo, hi, top-.01)
	case p.Garden:
		p.addGarden(lo, hi, domain.Min.Y)
	default:
		p.Ground(level)
	}
}

// addCopings lays a stone edge on each wall.
func (p *Site) addCopings(lo, hi r3.Vec, top float64, w Walls) {
	stone := Stone(color.RGBA{222, 214, 198, 255}, 3, 1)
	width, thick, over := .2, .07, 0.
	if p.sunk {
		stone = slabs(color.RGBA{226, 219, 203, 255}, 3, .6, 1)
		width, thick, over = .38, .05, .025
	}
	edge := func(x0, x1, z0, z1 float64) {
		p.Box(r3.Box{Min: r3.Vec{X: x0, Y: top, Z: z0}, Max: r3.Vec{X: x1, Y: top + thick, Z: z1}}, stone)
	}
	edge(lo.X-width, hi.X+width, lo.Z-width, lo.Z+over)
	if p.sunk { // in a window a wall before the liquid is left out
		edge(lo.X-width, hi.X+width, hi.Z-over, hi.Z+width)
	}
	edge(lo.X-width, lo.X+over, lo.Z+over, hi.Z-over)
	if !w.Open {
		edge(hi.X-over, hi.X+width, lo.Z+over, hi.Z-over)
	}
}

// slabs are stone slabs of a size, m, in n rows of a picture that is repeated.
func slabs(c color.RGBA, seed uint32, size float64, n int) *raytrace.Material {
	return &raytrace.Material{Texture: raytrace.Flat(raytrace.Painted(picture.Paving(2*TextureSize, n, c, seed), 1, 1), size*float64(n))}
}

// Ground paves the ground at a height.
func (p *Site) Ground(height float64) {
	const reach = 110
	p.Sky.Haze, p.Sky.HazeFrom = 1./25, 11
	p.Box(r3.Box{Min: r3.Vec{X: -reach, Y: height - 1, Z: -reach}, Max: r3.Vec{X: reach, Y: height, Z: reach}}, slabs(color.RGBA{186, 178, 164, 255}, 12, .9, 4))
}

// sunny is a clear day: the sun's light is several times that of the sky.
func (p *Site) sunny() {
	s := &p.Sky
	s.Strength, s.Fill = 1.05, .45
	s.Horizon = raytrace.Colour{X: .62, Y: .74, Z: .86}
	s.Zenith = raytrace.Colour{X: .12, Y: .30, Z: .66}
	s.Haze = 1. / 400
}

// addGarden puts the basin into a terrace that is paved at a height, with a wall and hedges, and a lawn around it.
func (p *Site) addGarden(lo, hi r3.Vec, y float64) {
	const terrace = 4.2 // m about the basin
	paving := slabs(color.RGBA{198, 186, 166, 255}, 12, .8, 4)
	out0, out1 := r3.Vec{X: lo.X - terrace, Z: lo.Z - terrace}, r3.Vec{X: hi.X + terrace, Z: hi.Z + 2*terrace}
	pave := func(x0, x1, z0, z1, y float64, m *raytrace.Material) {
		p.Box(r3.Box{Min: r3.Vec{X: x0, Y: y - .4, Z: z0}, Max: r3.Vec{X: x1, Y: y, Z: z1}}, m)
	}
	around := func(in0, in1, out0, out1 r3.Vec, y float64, m *raytrace.Material) {
		pave(out0.X, out1.X, out0.Z, in0.Z, y, m)
		pave(out0.X, out1.X, in1.Z, out1.Z, y, m)
		pave(out0.X, in0.X, in0.Z, in1.Z, y, m)
		pave(in1.X, out1.X, in0.Z, in1.Z, y, m)
	}
	const outside = .02
	in0, in1 := r3.Sub(lo, raytrace.Grey(outside)), r3.Add(hi, raytrace.Grey(outside))
	if p.sunk {
		around(in0, in1, out0, out1, y, paving)
	} else {
		pave(out0.X, out1.X, out0.Z, out1.Z, y, paving)
	}
	const far = 60
	around(out0, out1, r3.Vec{X: -far, Z: -far}, r3.Vec{X: far, Z: far}, y-.03, &raytrace.Material{Texture: grass})
	// Walls about the terrace's far sides, and hedges behind them.
	plaster := &raytrace.Material{Texture: plastered}
	cap := Stone(color.RGBA{206, 190, 166, 255}, 8, 1)
	wall := func(x0, x1, z0, z1, height float64) {
		p.Box(r3.Box{Min: r3.Vec{X: x0, Y: y - .4, Z: z0}, Max: r3.Vec{X: x1, Y: y + height, Z: z1}}, plaster)
		p.Box(r3.Box{Min: r3.Vec{X: x0 - .04, Y: y + height, Z: z0 - .04}, Max: r3.Vec{X: x1 + .04, Y: y + height + .05, Z: z1 + .04}}, cap)
	}
	wall(out0.X-.3, out1.X+.3, out0.Z-.3, out0.Z, .55)
	wall(out0.X-.3, out0.X, out0.Z, out1.Z-3, .55)
	p.addTrees(out0, out1, y)
}

// addTrees plants cypresses and round bushes behind the terrace.
func (p *Site) addTrees(lo, hi r3.Vec, y float64) {
	leaves := &raytrace.Material{Texture: foliage}
	for i := range 9 {
		x := lo.X - .5 + (hi.X-lo.X+2)*float64(i)/8 + .35*math.Sin(7.3*float64(i))
		h := 3.4 + .7*math.Sin(3.1*float64(i)+1)
		p.Meshes = append(p.Meshes, tree(r3.Vec{X: x, Y: y, Z: lo.Z - 1.7 + .3*math.Sin(5.1*float64(i))}, .46+.06*math.Sin(4*float64(i)), h, uint32(i), leaves))
	}
	for i := range 22 {
		x := lo.X - 1 + (hi.X-lo.X+3)*float64(i)/21
		r := .55 + .14*math.Sin(9.7*float64(i))
		p.Meshes = append(p.Meshes, tree(r3.Vec{X: x, Y: y - .3, Z: lo.Z - .95 + .12*math.Sin(3.3*float64(i))}, r, 2.1*r+.3, uint32(40+i), leaves))
	}
	for i := range 12 {
		z := lo.Z + (hi.Z-lo.Z-3)*float64(i)/11
		r := .5 + .14*math.Sin(8.7*float64(i))
		p.Meshes = append(p.Meshes, tree(r3.Vec{X: lo.X - .9, Y: y - .3, Z: z}, r, 2.1*r+.3, uint32(80+i), leaves))
	}
}
