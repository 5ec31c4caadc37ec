package decor

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

func at(x, y, z float64) r3.Vec { return r3.Vec{X: x, Y: y, Z: z} }

// Bollard is a mooring post of iron, 45 cm high.
func (g *Group) Bollard(foot r3.Vec) {
	g.Rod(foot, r3.Add(foot, at(0, .06, 0)), .19, Iron)
	g.Rod(foot, r3.Add(foot, at(0, .36, 0)), .12, Iron)
	g.Rod(r3.Add(foot, at(0, .36, 0)), r3.Add(foot, at(0, .45, 0)), .17, Iron)
}

// Coil is a rope laid in rings on the ground.
func (g *Group) Coil(foot r3.Vec, radius float64) {
	const thick, pieces = .03, 12
	for ring := range 4 {
		r := radius - .015*float64(ring%2) - .05*float64(ring/3)
		y := thick * (1 + 1.7*float64(ring))
		point := func(k int) r3.Vec {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / pieces)
			return r3.Add(foot, at(r*cos, y, r*sin))
		}
		for k := range pieces {
			g.Rod(point(k), point(k+1), thick, Hemp)
		}
	}
}

// Crate is a box of boards with battens at its edges, turned by an angle, rad.
func (g *Group) Crate(foot r3.Vec, edge, angle float64, of Stuff) {
	turn := turned(r3.Vec{Y: 1}, angle)
	put := func(size, middle r3.Vec) {
		g.Add(physics.Box(physics.Centred(size.X, size.Y, size.Z)), r3.Add(foot, r3.Rotation(turn).Rotate(middle)), turn, of)
	}
	b := .1 * edge // a batten
	put(at(edge-b, edge-b, edge-b), at(0, edge/2, 0))
	for _, x := range []float64{-1, 1} {
		for _, z := range []float64{-1, 1} {
			put(at(b, edge, b), at(x*(edge-b)/2, edge/2, z*(edge-b)/2))
		}
		for _, y := range []float64{b / 2, edge - b/2} {
			put(at(edge, b, b), at(0, y, x*(edge-b)/2))
			put(at(b, b, edge), at(x*(edge-b)/2, y, 0))
		}
	}
}

// Barrel stands upright, with three hoops.
func (g *Group) Barrel(foot r3.Vec, height float64, of Stuff) {
	r := .36 * height
	g.lathe(foot, of, [2]float64{.82 * r, 0}, [2]float64{r, .3 * height}, [2]float64{r, .7 * height}, [2]float64{.82 * r, height})
	for _, y := range []float64{.1, .5, .84} {
		wide := r * (1.02 - .5*max(0, math.Abs(y+.03-.5)-.2))
		g.Rod(r3.Add(foot, at(0, y*height, 0)), r3.Add(foot, at(0, (y+.05)*height, 0)), wide, Iron)
	}
}

// LampPost is a lamp on a post, as high as its light is over the foot.
func (s *Set) LampPost(g *Group, foot r3.Vec, height float64, light float32) {
	top := r3.Add(foot, at(0, height, 0))
	g.Rod(foot, r3.Add(foot, at(0, .25, 0)), .09, Iron)
	g.Rod(foot, r3.Sub(top, at(0, .16, 0)), .045, Iron)
	g.Rod(r3.Sub(top, at(0, .16, 0)), r3.Sub(top, at(0, .12, 0)), .1, Iron)
	g.Rod(r3.Add(top, at(0, .11, 0)), r3.Add(top, at(0, .16, 0)), .15, Iron)
	s.Lamps = append(s.Lamps, Lamp{At: top, Radius: .12, Colour: Warm, Light: light})
}

// Warm is the light of a filament.
var Warm = rgb(1, .80, .52)

// Shed is a house of boards on a stone foot, its ridge along x, with a door and two windows towards +z.
func (g *Group) Shed(x0, z0, x1, z1, y, eaves float64, walls, roof Stuff) {
	const foot, over = .35, .25 // m
	g.Box(x0-.05, y-.2, z0-.05, x1+.05, y+foot, z1+.05, Granite)
	g.Box(x0, y+foot, z0, x1, y+eaves, z1, walls)
	rise := .42 * (z1 - z0)
	g.Gable(x0, y+eaves, z0, x1, y+eaves+rise, z1, walls)
	g.slopes(x0-over, x1+over, z0, z1, y+eaves, rise, roof)
	mid, front := (x0+x1)/2, z1+.03
	door := func(x, w, low, high float64, of Stuff) {
		g.Box(x-w/2-.07, y+low-.07, z1, x+w/2+.07, y+high+.07, front, White)
		g.Box(x-w/2, y+low, z1+.01, x+w/2, y+high, front+.015, of)
	}
	door(mid, .95, .07, 1.95, Tarred)
	for _, way := range []float64{-1, 1} {
		x := mid + way*.31*(x1-x0)
		door(x, .75, 1.05, 1.85, Pane)
		g.Box(x-.02, y+1.05, front, x+.02, y+1.85, front+.03, White)
		g.Box(x-.375, y+1.43, front, x+.375, y+1.47, front+.03, White)
	}
}

// slopes are the two of a roof with its ridge along x, over walls from z0 to z1.
func (g *Group) slopes(x0, x1, z0, z1, eaves, rise float64, of Stuff) {
	const thick, over = .07, .3
	half := (z1 - z0) / 2
	for _, way := range []float64{-1, 1} {
		d := r3.Unit(at(0, -rise, way*half))
		ridge := at((x0+x1)/2, eaves+rise+thick, (z0+z1)/2)
		long := math.Hypot(rise, half) + over
		middle := r3.Add(ridge, r3.Scale(long/2, d))
		g.Add(physics.Box(physics.Centred(x1-x0, thick, long)), middle, turned(r3.Vec{X: 1}, way*math.Atan2(rise, half)), of)
	}
}

// House is one of a town beyond: plastered, with a roof, to be seen from afar.
func (g *Group) House(x0, z0, x1, z1, y, eaves float64, walls, roof Stuff) {
	g.Box(x0, y, z0, x1, y+eaves, z1, walls)
	rise := .36 * (z1 - z0)
	g.Gable(x0, y+eaves, z0, x1, y+eaves+rise, z1, walls)
	g.slopes(x0-.2, x1+.2, z0, z1, y+eaves, rise, roof)
	panes := []Stuff{Pane, Glass, Glass, Pane, Glass}
	for i, x := 0, x0+.9; x < x1-.6; i, x = i+1, x+1.5 {
		g.Box(x-.32, y+eaves-1.5, z1, x+.32, y+eaves-.5, z1+.04, White)
		g.Box(x-.25, y+eaves-1.43, z1+.02, x+.25, y+eaves-.57, z1+.06, panes[i%len(panes)])
	}
}

// Lounger is a reclining chair of wood with a cushion, its head at an angle from +z, rad, seen from above.
func (g *Group) Lounger(foot r3.Vec, angle float64, cushion Stuff) {
	turn := turned(r3.Vec{Y: 1}, angle)
	put := func(size, middle r3.Vec, lift float64, of Stuff) {
		g.Add(physics.Box(physics.Centred(size.X, size.Y, size.Z)), r3.Add(foot, r3.Rotation(turn).Rotate(middle)), lifted(turn, lift), of)
	}
	const wide, long, high = .64, 1.25, .30
	for _, x := range []float64{-1, 1} {
		put(at(.06, .07, long+.55), at(x*(wide/2-.03), high, .28), 0, Teak)
		for _, z := range []float64{-.55, .75} {
			put(at(.06, high, .06), at(x*(wide/2-.03), high/2, z), 0, Teak)
		}
	}
	put(at(wide-.08, .08, long), at(0, high+.06, -.02), 0, cushion)
	put(at(wide-.08, .08, .72), at(0, high+.27, .88), -.62, cushion)
	put(at(wide-.14, .11, .2), at(0, high+.46, 1.0), -.62, White)
}

// Parasol gives a round shade. It stands on a stone.
func (g *Group) Parasol(foot r3.Vec, height, radius float64, of Stuff) {
	g.Rod(foot, r3.Add(foot, at(0, .1, 0)), .28, Granite)
	g.Rod(foot, r3.Add(foot, at(0, height+.12, 0)), .025, Teak)
	const ribs, fall = 8, .42
	corner := func(k int, r, y float64) r3.Vec {
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + .5) / ribs)
		return at(r*cos, y, r*sin)
	}
	for k := range ribs { // each gore is a flat wedge with a hem
		a, b := corner(k, radius, -fall), corner(k+1, radius, -fall)
		down := at(0, -.03, 0)
		top := at(0, 0, 0)
		g.Add(physics.Hull([]r3.Vec{top, a, b, r3.Add(top, down), r3.Add(a, at(0, -.16, 0)), r3.Add(b, at(0, -.16, 0))}), r3.Add(foot, at(0, height, 0)), upright, of)
	}
}

// Pergola is posts and beams with slats that shade, over a floor.
func (g *Group) Pergola(x0, z0, x1, z1, y, height float64, of Stuff) {
	const post, beam = .14, .16
	top := y + height
	for _, x := range []float64{x0, x1} {
		for _, z := range []float64{z0, z1} {
			g.Beam(at(x, y, z), at(x, top, z), post, post, of)
		}
		g.Beam(at(x, top+beam/2, z0-.3), at(x, top+beam/2, z1+.3), .09, beam, of)
	}
	for z := z0 - .2; z <= z1+.2; z += .32 {
		g.Beam(at(x0-.3, top+beam+.06, z), at(x1+.3, top+beam+.06, z), .06, .12, of)
	}
}

// Spotlight is a lamp in a can that looks at a place.
func (s *Set) Spotlight(g *Group, from, aim r3.Vec, l Lamp) {
	d := r3.Unit(r3.Sub(aim, from))
	g.Rod(r3.Sub(from, r3.Scale(.42, d)), r3.Sub(from, r3.Scale(.02, d)), .13, Iron)
	l.At, l.Aim, l.Radius = from, aim, .1
	s.Lamps = append(s.Lamps, l)
}

// Hedge is a clipped one.
func (g *Group) Hedge(x0, z0, x1, z1, y, height float64) {
	g.Box(x0, y, z0, x1, y+height, z1, Leaves)
}

// Railing is posts with two bars from a to b.
func (g *Group) Railing(a, b r3.Vec, of Stuff) {
	const high = 1.0
	n := max(1, int(math.Round(r3.Norm(r3.Sub(b, a))/1.2)))
	for k := range n + 1 {
		p := r3.Add(a, r3.Scale(float64(k)/float64(n), r3.Sub(b, a)))
		g.Rod(p, r3.Add(p, at(0, high, 0)), .025, of)
	}
	for _, y := range []float64{.5, high} {
		g.Rod(r3.Add(a, at(0, y, 0)), r3.Add(b, at(0, y, 0)), .02, of)
	}
}

// lathe adds a round thing about the y axis through rings of a radius and a height each, convex between neighbours.
func (g *Group) lathe(foot r3.Vec, of Stuff, rings ...[2]float64) {
	const n = 14
	for i := range len(rings) - 1 {
		var corners []r3.Vec
		for _, ring := range rings[i : i+2] {
			for k := range n {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
				corners = append(corners, at(ring[0]*cos, ring[1], ring[0]*sin))
			}
		}
		g.Add(physics.Hull(corners), foot, upright, of)
	}
}

// Cypress is a slender tree.
func (g *Group) Cypress(foot r3.Vec, height, radius float64) {
	g.lathe(foot, Leaves, [2]float64{.6 * radius, 0}, [2]float64{radius, .14 * height}, [2]float64{radius, .36 * height}, [2]float64{.84 * radius, .6 * height},
		[2]float64{.55 * radius, .8 * height}, [2]float64{.24 * radius, .94 * height}, [2]float64{.02, height})
}

// Plant is a round bush in a pot.
func (g *Group) Plant(foot r3.Vec, radius float64) {
	g.lathe(foot, Clay, [2]float64{.2, 0}, [2]float64{.3, .38}, [2]float64{.33, .40}, [2]float64{.33, .46})
	g.Ball(r3.Add(foot, at(0, .46+.75*radius, 0)), radius, Leaves)
}

// Towel hangs over the edge of a pool towards +z at a place of its wall.
func (g *Group) Towel(edge r3.Vec, wide float64) {
	const thick, coping = .014, .07
	x0, x1, y := edge.X-wide/2, edge.X+wide/2, edge.Y+coping
	g.Box(x0, y, edge.Z-.6, x1, y+thick, edge.Z+.02, Towels)
	g.Box(x0, y-.3, edge.Z+.006, x1, y+thick, edge.Z+.02, Towels)
}
