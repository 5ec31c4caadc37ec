package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
)

// terraceDeep is how far the terrace reaches from the pool to its hedges, m.
const terraceDeep = 3.3

// terrace is what the pool is let into: paving of sandstone with hedges behind, and what makes an afternoon there. level is the paving's, m.
func terrace(level float64) *decor.Set {
	s := leisure(level)
	lo, hi := pool.Domain.Min, pool.Domain.Max
	north, south, west, east := s.Groups[0], s.Groups[1], s.Groups[2], s.Groups[3]
	const gap, below = .02, -.06
	x0, x1, z0, z1 := lo.X-terraceDeep, hi.X+terraceDeep, lo.Z-terraceDeep, hi.Z+terraceDeep
	north.Box(x0, below, z0, x1, level, lo.Z-gap, decor.Sand)
	south.Box(x0, below, hi.Z+gap, x1, level, z1, decor.Sand)
	west.Box(x0, below, lo.Z-gap, lo.X-gap, level, hi.Z+gap, decor.Sand)
	east.Box(hi.X+gap, below, lo.Z-gap, x1, level, hi.Z+gap, decor.Sand)
	const hedge, high = .7, 1.25
	north.Hedge(x0-hedge, z0-hedge, x1+hedge, z0, level-1, 1+high)
	west.Hedge(x0-hedge, z0, x0, z1, level-1, 1+high)
	east.Hedge(x1, z0, x1+hedge, z1, level-1, 1+high)
	for i := range 7 {
		x := x0 + .4 + (x1-x0-.8)*float64(i)/6
		north.Cypress(r3.Vec{X: x + .3*math.Sin(7.3*float64(i)), Y: level - 1, Z: z0 - 1.6 - .4*math.Sin(5.1*float64(i))}, 4.3+.8*math.Sin(3.1*float64(i)), .55)
	}
	for i := range 3 {
		z := z0 + 1.2 + 2.6*float64(i)
		west.Cypress(r3.Vec{X: x0 - 1.5, Y: level - 1, Z: z}, 4.4+.5*math.Sin(4*float64(i)), .55)
		east.Cypress(r3.Vec{X: x1 + 1.5, Y: level - 1, Z: z}, 4.2+.5*math.Sin(5*float64(i)), .55)
	}
	north.House(x0+.5, z0-5.6, x0+5, z0-2.6, level-1, 3.9, decor.Plaster, decor.Tiles)
	return s
}

// leisure is loungers, towels, a parasol, plants, a pergola and lamps on a paving at a level, m: a group for each of the pool's sides.
func leisure(level float64) *decor.Set {
	s := &decor.Set{}
	sides := decor.Sides(pool.Domain)
	north, south, west, east := s.Beyond(sides[0]), s.Beyond(sides[1]), s.Beyond(sides[2]), s.Beyond(sides[3])
	lo, hi := pool.Domain.Min, pool.Domain.Max
	put := func(x, z float64) r3.Vec { return r3.Vec{X: x, Y: level, Z: z} }
	north.Lounger(put(.55, lo.Z-1.35), math.Pi, decor.Towels)
	north.Lounger(put(2.15, lo.Z-1.35), math.Pi, decor.Canvas)
	north.Parasol(put(1.35, lo.Z-1.5), 2.25, 1.35, decor.Awning)
	north.Plant(put(-2.7, lo.Z-1.1), .42)
	north.Plant(put(3.5, lo.Z-.9), .42)
	north.Box(-2.2, level, lo.Z-1.9, -1.5, level+.42, lo.Z-1.2, decor.Teak) // a low table
	north.Towel(put(-2.0, lo.Z), .5)
	west.Lounger(put(lo.X-1.3, .2), -math.Pi/2, decor.Awning)
	west.Plant(put(lo.X-.9, -1.5), .42)
	south.Plant(put(-2.4, hi.Z+1.0), .42)
	south.Plant(put(2.4, hi.Z+1.0), .42)
	south.Lounger(put(0, hi.Z+1.35), 0, decor.Towels)
	east.Pergola(hi.X+.75, -1.5, hi.X+2.75, 1.5, level, 2.25, decor.Teak)
	east.Box(hi.X+1.3, level+.66, -.75, hi.X+2.2, level+.72, .75, decor.Teak)
	for _, z := range []float64{-.55, .55} {
		east.Box(hi.X+1.65, level, z-.05, hi.X+1.85, level+.66, z+.05, decor.Teak)
		east.Box(hi.X+.85, level, z-.2, hi.X+1.2, level+.42, z+.2, decor.Teak)
	}
	s.LampPost(north, put(-3.4, lo.Z-1.2), 2.2, 3)
	s.Lamps = append(s.Lamps, decor.Lamp{At: r3.Vec{X: hi.X + 1.75, Y: level + 2}, Radius: .12, Colour: decor.Warm, Light: 2.5})
	return s
}
