package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// harbour is a basin, m.
type harbour struct {
	domain r3.Box
	level  float64 // of the water
	berth  r3.Vec  // where the boat is moored: its height is nothing
}

var basin = harbour{
	domain: r3.Box{Min: r3.Vec{X: -5.5, Y: 0, Z: -3.5}, Max: r3.Vec{X: 5.5, Y: 2.0, Z: 3.5}},
	level:  0.9, berth: r3.Vec{X: -2.4, Z: 1.1},
}

// eyes is where the chasing camera may be. From over the basin's open side one would look through that into the water.
var eyes = r3.Box{Min: r3.Vec{X: -5.2, Y: 1, Z: -3.2}, Max: r3.Vec{X: 5.2, Y: 4, Z: 3.2}}

// wallTop is how high the walls of a basin are, m over its water.
const wallTop = 0.45

// The paddle is a board across the basin that moves to and fro, m and s. Waves of this period
// are three metres long at this depth.
const (
	paddleIn    = 0.3 // from the wall
	paddleThick = 0.16
	paddleTop   = 0.4  // over the water
	stroke      = 0.05 // to either side
	period      = 1.5
	easing      = 3.0 // s, until the stroke is whole
	intoFloor   = 0.5 // how deep it reaches into floor and walls
)

// paddle makes the waves.
type paddle struct {
	body physics.Body
	home r3.Vec
	time float64 // since it was switched on, s
	on   bool
}

// newPaddle goes through the floor and the walls.
func (h *harbour) newPaddle(world *physics.World) (p paddle, err error) {
	size := r3.Vec{X: paddleThick, Y: h.level + paddleTop + intoFloor, Z: h.domain.Size().Z + 2*intoFloor}
	p.on, p.home = true, r3.Vec{X: h.domain.Min.X + paddleIn, Y: size.Y/2 - intoFloor, Z: h.domain.Center().Z}
	p.body, err = world.AddBody(physics.BodyDef{Kind: physics.Kinematic, Name: "paddle", Position: p.home})
	if err == nil {
		_, err = p.body.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(size.X, size.Y, size.Z))})
	}
	return p, err
}

// beat gives the paddle its velocity for the next dt seconds. Switched off, it goes back to the
// middle.
func (p *paddle) beat(dt float64) error {
	at := p.body.Position()
	next := p.home
	if p.on {
		p.time += dt
		next.X += stroke * min(1, p.time/easing) * math.Sin(2*math.Pi*p.time/period)
	} else {
		p.time = 0
	}
	const fastest = 0.2 // m/s
	next.X = at.X + max(-fastest*dt, min(next.X-at.X, fastest*dt))
	return p.body.SetVelocity(r3.Scale(1/dt, r3.Sub(next, at)))
}

// addWalls adds what bodies bump into: half-spaces for the domain's own walls.
func (h *harbour) addWalls(world *physics.World) error {
	lo, hi, mid := h.domain.Min, h.domain.Max, h.domain.Center()
	for _, plane := range []struct{ point, normal r3.Vec }{
		{r3.Vec{Y: lo.Y}, r3.Vec{Y: 1}},
		{r3.Vec{X: lo.X, Y: mid.Y}, r3.Vec{X: 1}}, {r3.Vec{X: hi.X, Y: mid.Y}, r3.Vec{X: -1}},
		{r3.Vec{Z: lo.Z, Y: mid.Y}, r3.Vec{Z: 1}}, {r3.Vec{Z: hi.Z, Y: mid.Y}, r3.Vec{Z: -1}},
	} {
		wall, err := world.AddBody(physics.BodyDef{Name: "wall", Position: plane.point})
		if err != nil {
			return err
		}
		if _, err := wall.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, plane.normal), Material: physics.Material{Friction: .2}}); err != nil {
			return err
		}
	}
	return nil
}
