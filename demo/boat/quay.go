package main

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
)

// The quay about the basin, m.
const (
	quayDeep  = 3.4 // from the water to the wall behind
	kerbWide  = 0.5 // the edge of large stones
	kerbThick = 0.16
)

// surroundings is the harbour: quays of stone about the basin, what lies on them, and the town behind.
func (h *harbour) surroundings() *decor.Set {
	s := &decor.Set{}
	lo, hi, top := h.domain.Min, h.domain.Max, h.level+wallTop
	s.Here().Box(lo.X-.5, lo.Y-.4, lo.Z-.5, hi.X+.5, lo.Y-.012, hi.Z+.5, decor.Mud)
	sides := decor.Sides(h.domain)
	north, south, west, east := s.Beyond(sides[0]), s.Beyond(sides[1]), s.Beyond(sides[2]), s.Beyond(sides[3])
	const gap = .012 // the liquid ends where the wall begins
	h.quay(north, lo.X-quayDeep, lo.Z-quayDeep, hi.X+quayDeep, lo.Z-gap, top)
	h.quay(south, lo.X-quayDeep, hi.Z+gap, hi.X+quayDeep, hi.Z+quayDeep, top)
	h.quay(west, lo.X-quayDeep, lo.Z-gap, lo.X-gap, hi.Z+gap, top)
	h.quay(east, hi.X+gap, lo.Z-gap, hi.X+quayDeep, hi.Z+gap, top)
	kerb := func(g *decor.Group, x0, z0, x1, z1 float64) {
		g.Box(x0, top-.01, z0, x1, top+kerbThick-.01, z1, decor.Kerb)
	}
	kerb(north, lo.X-kerbWide, lo.Z-kerbWide, hi.X+kerbWide, lo.Z+.03)
	kerb(south, lo.X-kerbWide, hi.Z-.03, hi.X+kerbWide, hi.Z+kerbWide)
	kerb(west, lo.X-kerbWide, lo.Z+.03, lo.X+.03, hi.Z-.03)
	kerb(east, hi.X-.03, lo.Z+.03, hi.X+kerbWide, hi.Z-.03)
	for _, x := range []float64{-3.6, 0, 3.6} {
		north.Bollard(r3.Vec{X: x, Y: top + kerbThick - .01, Z: lo.Z - .27})
		south.Bollard(r3.Vec{X: x, Y: top + kerbThick - .01, Z: hi.Z + .27})
		fender(north, x+1.8, top, lo.Z+.06)
	}
	h.cargo(s, north, top)
	h.ends(s, west, east, top)
	h.town(north, west, east, top)
	return s
}

// quay is a block of masonry up to its paving.
func (h *harbour) quay(g *decor.Group, x0, z0, x1, z1, top float64) {
	g.Box(x0, h.domain.Min.Y-.4, z0, x1, top, z1, decor.Granite)
}

// fender is a post that hangs before the wall.
func fender(g *decor.Group, x, top, z float64) {
	g.Rod(r3.Vec{X: x, Y: top - .75, Z: z}, r3.Vec{X: x, Y: top + .1, Z: z}, .07, decor.Tarred)
	g.Rod(r3.Vec{X: x, Y: top + .08, Z: z}, r3.Vec{X: x, Y: top + .2, Z: z - .3}, .02, decor.Hemp)
}

// cargo is what waits on the long quay: crates, barrels, ropes, a shed and lamps.
func (h *harbour) cargo(s *decor.Set, g *decor.Group, top float64) {
	z := h.domain.Min.Z
	put := func(x, back float64) r3.Vec { return r3.Vec{X: x, Y: top, Z: z - back} }
	g.Shed(.7, z-3.3, 4.1, z-1.5, top, 2.2, decor.Tarred, decor.Tiles)
	g.Crate(put(-1.55, 1.4), .62, .1, decor.Pine)
	g.Crate(put(-.85, 1.65), .62, -.25, decor.Oak)
	g.Crate(r3.Add(put(-1.3, 1.5), r3.Vec{Y: .62}), .5, .5, decor.Pine)
	g.Barrel(put(-2.5, 1.3), .85, decor.Oak)
	g.Barrel(put(-3.2, 1.6), .85, decor.Oak)
	g.Barrel(put(-2.85, 2.05), .85, decor.Pine)
	g.Barrel(put(4.7, 1.3), .85, decor.Oak)
	g.Coil(put(-.2, 1.05), .34)
	g.Coil(put(4.2, .95), .3)
	g.Rope(r3.Vec{X: -3.6, Y: top + .42, Z: z - .27}, r3.Vec{X: 0, Y: top + .42, Z: z - .27}, .22, .022, decor.Hemp)
	s.LampPost(g, put(-4.6, .95), 2.5, 3.2)
	s.LampPost(g, put(.35, .95), 2.5, 3.2)
}

// ends are the short quays.
func (h *harbour) ends(s *decor.Set, west, east *decor.Group, top float64) {
	lo, hi := h.domain.Min, h.domain.Max
	y := top + kerbThick - .01
	for _, z := range []float64{-1.6, 1.6} {
		west.Bollard(r3.Vec{X: lo.X - .27, Y: y, Z: z})
		east.Bollard(r3.Vec{X: hi.X + .27, Y: y, Z: z})
	}
	for k := range 6 { // a ladder down to the water
		rung := lo.Y + .55 + .16*float64(k)
		east.Rod(r3.Vec{X: hi.X - .05, Y: rung, Z: -.2}, r3.Vec{X: hi.X - .05, Y: rung, Z: .2}, .014, decor.Iron)
	}
	for _, z := range []float64{-.2, .2} {
		east.Rod(r3.Vec{X: hi.X - .05, Y: lo.Y + .4, Z: z}, r3.Vec{X: hi.X - .05, Y: y + .02, Z: z}, .02, decor.Iron)
	}
	east.Crate(r3.Vec{X: hi.X + 1.5, Y: top, Z: -1.9}, .7, .3, decor.Pine)
	east.Crate(r3.Vec{X: hi.X + 1.6, Y: top, Z: -1.05}, .55, -.2, decor.Oak)
	west.Crate(r3.Vec{X: lo.X - 1.5, Y: top, Z: -2.2}, .7, .2, decor.Oak)
	west.Barrel(r3.Vec{X: lo.X - 1.4, Y: top, Z: -1.2}, .85, decor.Pine)
	s.LampPost(east, r3.Vec{X: hi.X + 1.0, Y: top, Z: 1.2}, 2.5, 3.2)
}

// town is a wall behind the quays, and roofs over it.
func (h *harbour) town(north, west, east *decor.Group, top float64) {
	lo, hi := h.domain.Min, h.domain.Max
	x0, x1, z0, z1 := lo.X-quayDeep, hi.X+quayDeep, lo.Z-quayDeep, hi.Z+quayDeep
	const thick, high = .35, 1.5
	wall := func(g *decor.Group, x0, z0, x1, z1 float64) {
		g.Box(x0, top-1, z0, x1, top+high, z1, decor.Granite)
		g.Box(x0-.05, top+high, z0-.05, x1+.05, top+high+.12, z1+.05, decor.Kerb)
	}
	wall(north, x0-thick, z0-thick, x1+thick, z0)
	wall(west, x0-thick, z0, x0, z1)
	wall(east, x1, z0, x1+thick, z1)
	for _, house := range []struct {
		x, z, wide, eaves float64
		walls, roof       decor.Stuff
	}{
		{-12, -5, 5.5, 3.4, decor.Ochre, decor.Tiles}, {-6, -3.5, 4.6, 4.2, decor.Plaster, decor.Slate}, {-.6, -5.5, 5.2, 3.3, decor.Rose, decor.Tiles},
		{5.4, -3.8, 4.4, 4.4, decor.Plaster, decor.Tiles}, {10.6, -5, 5.2, 3.6, decor.Ochre, decor.Slate},
	} {
		north.House(house.x-house.wide/2, z0+house.z-3, house.x+house.wide/2, z0+house.z, top-1, 1+house.eaves, house.walls, house.roof)
	}
	for _, way := range []float64{-3, 3} {
		west.House(x0-8, way-2, x0-3, way+2, top-1, 4.2, decor.Ochre, decor.Tiles)
		east.House(x1+3, way-2, x1+8, way+2, top-1, 4.2, decor.Rose, decor.Slate)
	}
}
