package decor

import (
	"math"

	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

// The round stage about the pool, m.
const (
	stageRadius   = 6.0 // to the curtain
	curtainHeight = 6.5
	trussHeight   = 5.2 // of the lamps
)

// Theatre is a stage in the round: a floor of boards up to a pool, m, whose walls are top high, a curtain about it, and spotlights on a ring. It is all always
// seen: the cameras stand within the curtain and over the floor.
func Theatre(pool r3.Box, top float64) *Set {
	s := &Set{}
	g := s.Here()
	const gap = .03 // behind the tiles
	lo, hi, r := pool.Min, pool.Max, stageRadius+.4
	floor := func(x0, z0, x1, z1 float64) { g.Box(x0, top-.2, z0, x1, top, z1, Boards) }
	floor(-r, -r, r, lo.Z-gap)
	floor(-r, hi.Z+gap, r, r)
	floor(-r, lo.Z-gap, lo.X-gap, hi.Z+gap)
	floor(hi.X+gap, lo.Z-gap, r, hi.Z+gap)
	rim := func(x0, z0, x1, z1 float64) { g.Box(x0, top, z0, x1, top+.05, z1, Tarred) }
	const wide = .16
	rim(lo.X-wide, lo.Z-wide, hi.X+wide, lo.Z-gap)
	rim(lo.X-wide, hi.Z+gap, hi.X+wide, hi.Z+wide)
	rim(lo.X-wide, lo.Z-gap, lo.X-gap, hi.Z+gap)
	rim(hi.X+gap, lo.Z-gap, hi.X+wide, hi.Z+gap)

	round := func(radius float64, n int) (way []r3.Vec) {
		for k := range n + 1 {
			sin, cos := math.Sincos(-2 * math.Pi * float64(k) / float64(n)) // the middle is to the left
			way = append(way, r3.Vec{X: radius * cos, Z: radius * sin})
		}
		return way
	}
	g.Drape(round(stageRadius, 48), top, curtainHeight, .11, .42, Velvet)
	g.Drape(round(stageRadius-.25, 48), curtainHeight-.9, curtainHeight, .07, .3, Crimson)
	truss := round(3.6, 24)
	for i := range len(truss) - 1 {
		a, b := truss[i], truss[i+1]
		a.Y, b.Y = trussHeight+.35, trussHeight+.35
		g.Rod(a, b, .035, Steel)
		a.Y, b.Y = trussHeight+.65, trussHeight+.65
		g.Rod(a, b, .035, Steel)
		g.Rod(r3.Vec{X: a.X, Y: trussHeight + .35, Z: a.Z}, b, .018, Steel)
	}
	for k, c := range []math32.Color{{R: 1, G: .82, B: .58}, {R: .62, G: .74, B: 1}, {R: 1, G: .82, B: .58}, {R: .62, G: .74, B: 1}} {
		sin, cos := math.Sincos(2*math.Pi*(float64(k)+.5)/4 + .35)
		from := r3.Vec{X: 3.6 * cos, Y: trussHeight + .2, Z: 3.6 * sin}
		aim := r3.Vec{X: -4.5 * cos, Y: top + .4, Z: -4.5 * sin}
		s.Spotlight(g, from, aim, Lamp{Colour: c, Light: 110, Wide: 26, Always: true})
	}
	return s
}
