package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
)

// wallThick is that of the channel's concrete, m.
const wallThick = .22

// yard is the channel of concrete, the dam that the reservoir leans on, and the mill whose wheel the flood turns.
func yard() *decor.Set {
	s := &decor.Set{}
	lo, hi := domain.Min, domain.Max
	sides := decor.Sides(domain)
	floor, north, south, west := s.Here(), s.Beyond(sides[0]), s.Beyond(sides[1]), s.Beyond(sides[2])
	const gap = .012 // the liquid ends where the wall begins
	wall := func(g *decor.Group, x0, z0, x1, z1 float64) {
		g.Box(x0, -.3, z0, x1, wallTop, z1, decor.Concrete)
		g.Box(x0-.03, wallTop, z0-.03, x1+.03, wallTop+.09, z1+.03, decor.Timber)
	}
	floor.Box(lo.X-.1, -.3, lo.Z-.1, hi.X, -gap, hi.Z+.1, decor.Concrete)
	wall(north, lo.X-wallThick, lo.Z-gap-wallThick, hi.X, lo.Z-gap)
	wall(south, lo.X-wallThick, hi.Z+gap, hi.X, hi.Z+gap+wallThick)
	wall(west, lo.X-gap-wallThick, lo.Z-gap, lo.X-gap, hi.Z+gap)
	for _, x := range []float64{-1.5, -.75, .75, 1.5, 2.7} { // buttresses
		north.Box(x-.08, -.3, lo.Z-wallThick-.3, x+.08, wallTop-.12, lo.Z-wallThick, decor.Concrete)
	}
	dam(s, north)
	mill(s, north)
	return s
}

// dam is the bank behind the channel with a railing and a walk of timber, and trees on it.
func dam(s *decor.Set, g *decor.Group) {
	const x0, x1, near, far, crest = -9.0, .4, -1.9, -4.6, 1.55
	slope := func(x0, x1, z0, z1 float64, of decor.Stuff) {
		g.Wedge(x0, x1, z0, z1, -.06, crest, of)
	}
	slope(x0, x1, near+.9, near, decor.Concrete)
	g.Box(x0, -.06, far, x1, crest, near, decor.Concrete)
	g.Box(x0, crest, near-.75, x1-.05, crest+.06, near-.05, decor.Timber)
	g.Railing(r3.Vec{X: x0, Y: crest + .06, Z: near - .1}, r3.Vec{X: x1 - .1, Y: crest + .06, Z: near - .1}, decor.Iron)
	for i := range 7 {
		x := x0 + .8 + 1.35*float64(i)
		g.Cypress(r3.Vec{X: x, Y: crest - .1, Z: far - .3 - .5*math.Sin(4.7*float64(i))}, 2.6+.9*math.Sin(2.9*float64(i)), .62)
	}
	s.LampPost(g, r3.Vec{X: -1.6, Y: crest + .06, Z: near - .6}, 1.7, 2.5)
}

// mill is the house that the wheel's axle leads into.
func mill(s *decor.Set, g *decor.Group) {
	const x0, x1, z0, z1 = 1.25, 4.6, -4.4, -1.55
	g.Shed(x0, z0, x1, z1, 0, 2.35, decor.Grey, decor.Slate)
	g.Rod(r3.Vec{X: wheelAt.X, Y: wheelAt.Y, Z: z1}, r3.Vec{X: wheelAt.X, Y: wheelAt.Y, Z: domain.Min.Z}, .05, decor.Iron)
	g.Rod(r3.Vec{X: wheelAt.X, Y: wheelAt.Y, Z: z1 + .02}, r3.Vec{X: wheelAt.X, Y: wheelAt.Y, Z: z1 + .1}, .16, decor.Iron)
	g.Barrel(r3.Vec{X: 4.95, Z: -1.7}, .85, decor.Oak)
	g.Crate(r3.Vec{X: 5.3, Z: -2.6}, .7, .3, decor.Pine)
	for k := range 5 { // sawn timber
		for row := range 3 - k/2 {
			z := -1.25 - .19*float64(k)
			y := .09 + .17*float64(row)
			g.Beam(r3.Vec{X: 5.9, Y: y, Z: z}, r3.Vec{X: 8.3, Y: y, Z: z}, .17, .15, decor.Pine)
		}
	}
	s.Lamps = append(s.Lamps, decor.Lamp{At: r3.Vec{X: (x0 + x1) / 2, Y: 2.25, Z: z1 + .3}, Radius: .1, Colour: decor.Warm, Light: 2.5})
	g.Rod(r3.Vec{X: (x0 + x1) / 2, Y: 2.4, Z: z1}, r3.Vec{X: (x0 + x1) / 2, Y: 2.4, Z: z1 + .3}, .02, decor.Iron)
	g.Hedge(-9, -9, 14, -8, -.06, 2.2)
	for i := range 6 {
		g.Cypress(r3.Vec{X: 6 + 1.4*float64(i), Y: -.06, Z: -6.5 - .8*math.Sin(3.3*float64(i))}, 4.2+.8*math.Sin(5.3*float64(i)), .75)
	}
}
