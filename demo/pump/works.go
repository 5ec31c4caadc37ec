package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// The pump seen from the side, m: the source on the left, the chamber between two walls around
// x = 0, the tank that is filled on the right. At cells of 0.05 m the chamber is eight wide.
var domain = r3.Box{Min: r3.Vec{X: -1.6, Y: 0, Z: -0.25}, Max: r3.Vec{X: 1.2, Y: 1.8, Z: 0.25}}

const (
	level = 1.1 // of both tanks at the start, m

	bore    = 0.2  // half the chamber's width, m
	outside = 0.35 // of the walls' outer faces from the middle, m
	wallTop = 1.7  // m

	sill, lintel = 0.1, 0.35 // of the openings in the walls, m

	into = 0.5 // m, how far solids reach beyond the domain, so that no face of theirs lies on one of the domain's
)

// The piston. Its lower face stays above the flaps and below the source's surface: no pump lifts
// liquid that has come away from its piston.
const (
	lowest     = 0.45 // of the lower face, m
	stroke     = 0.25 // m
	pistonTall = 0.3  // m
	period     = 2.4  // s, of a stroke up and down
	dwell      = 0.2  // share of a half in which the piston waits at its end for a flap to fall shut
	seal       = 0.02 // m, by which it reaches into the walls
)

// walls are the solids between the tanks: those below and above the openings.
func walls() []r3.Box {
	var out []r3.Box
	for _, side := range []float64{-1, 1} {
		x0, x1 := min(side*bore, side*outside), max(side*bore, side*outside)
		out = append(out,
			r3.Box{Min: r3.Vec{X: x0, Y: -into, Z: domain.Min.Z - into}, Max: r3.Vec{X: x1, Y: sill, Z: domain.Max.Z + into}},
			r3.Box{Min: r3.Vec{X: x0, Y: lintel, Z: domain.Min.Z - into}, Max: r3.Vec{X: x1, Y: wallTop, Z: domain.Max.Z + into}})
	}
	return out
}

// face is the height of the piston's lower face t seconds into its strokes, m.
func face(t float64) float64 {
	u := 2 * math.Mod(t, period) / period // 0 to 1 up, 1 to 2 down
	rise := func(u float64) float64 { return (1 - math.Cos(math.Pi*min(1, u/(1-dwell)))) / 2 }
	if u < 1 {
		return lowest + stroke*rise(u)
	}
	return lowest + stroke*(1-rise(u-1))
}

func pistonAt(t float64) r3.Vec { return r3.Vec{Y: face(t) + pistonTall/2} }

// swept is what the piston's face sweeps in a stroke, litres.
func swept() float64 { return 1000 * stroke * 2 * bore * domain.Size().Z }

// fill puts the walls up and fills both tanks, and the chamber up to the piston.
func fill(liq *fluid.Liquid) error {
	for _, w := range walls() {
		if _, err := liq.AddObstacle(fluid.Box(w)); err != nil {
			return err
		}
	}
	left, chamber, right := domain, domain, domain
	left.Max.X, left.Max.Y = -bore, level
	chamber.Min.X, chamber.Max.X, chamber.Max.Y = -outside, outside, lowest+pistonTall/2
	right.Min.X, right.Max.Y = bore, level
	for _, b := range []r3.Box{left, chamber, right} {
		if err := liq.Fill(fluid.Box(b)); err != nil {
			return err
		}
	}
	return nil
}

func newPiston(world *physics.World) (physics.Body, error) {
	b, err := world.AddBody(physics.BodyDef{Kind: physics.Kinematic, Name: "piston", Position: pistonAt(0)})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(2*(bore+seal), pistonTall, domain.Size().Z+2*into))})
	}
	return b, err
}
