package main

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/cost"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// rabbits are a light and a heavy one of balls and rods that fall before two cannons: Figure 6, without smoke.
type rabbits struct {
	light, heavy physics.Body
}

// The rabbits' room, m, how tall they are, m, how dense, kg/m³, and how fast the cannons blow, m/s.
const (
	rabbitTall   = .3
	lightDensity = 3.
	heavyDensity = 300.
	cannonSpeed  = 12.
)

var rabbitRoom = r3.Box{Max: r3.Vec{X: 1.4, Y: 1, Z: .8}}

// cannons blow along z and upwards at where the rabbits begin to fall.
var cannons = [2]fluid.SDF{cannon(.35), cannon(1.05)}

func cannon(x float64) fluid.SDF {
	return fluid.Cylinder(r3.Vec{X: x, Y: .4, Z: .04}, r3.Vec{X: x, Y: .48, Z: .2}, .1)
}

// newRabbits lets both fall through a room full of gas.
func newRabbits(def fluid.Def) (*fluid.Liquid, *rabbits, error) {
	l, err := fluid.New(def)
	if err != nil {
		return nil, nil, err
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b := &rabbits{}
	if _, err = w.AddRoom(physics.RoomDef{Inside: rabbitRoom}); err == nil {
		b.light, err = addRabbit(w, lightDensity, r3.Vec{X: .35, Y: .5, Z: .4})
	}
	if err == nil {
		b.heavy, err = addRabbit(w, heavyDensity, r3.Vec{X: 1.05, Y: .5, Z: .4})
	}
	if err == nil {
		l.Couple(w.Coupling())
	}
	l, err = closedUnless(l, err)
	return l, b, err
}

// addRabbit adds one that faces -z, its foot at a place.
func addRabbit(w *physics.World, density float64, foot r3.Vec) (physics.Body, error) {
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: foot, NoSleep: true})
	if err != nil {
		return b, err
	}
	at := func(x, y, z float64) r3.Vec { return r3.Scale(rabbitTall, r3.Vec{X: x, Y: y, Z: -z}) }
	for _, part := range []physics.Geometry{
		physics.Sphere(at(0, .26, -.1), .26*rabbitTall), physics.Sphere(at(0, .31, .1), .17*rabbitTall), physics.Sphere(at(0, .59, .17), .15*rabbitTall),
		physics.Capsule(at(.07, .66, .12), at(.12, .93, 0), .07*rabbitTall), physics.Capsule(at(-.07, .66, .12), at(-.12, .93, 0), .07*rabbitTall),
	} {
		if _, err := b.AddShape(physics.ShapeDef{Geometry: part, Density: density}); err != nil {
			return b, err
		}
	}
	return b, nil
}

// blow has the cannons blow.
func blow(l *fluid.Liquid, _ int) error {
	for _, c := range cannons {
		if err := l.SetVelocity(c, func(r3.Vec) r3.Vec { return r3.Vec{Y: .45 * cannonSpeed, Z: .9 * cannonSpeed} }); err != nil {
			return err
		}
	}
	return nil
}

// blown is the run of the rabbits.
func blown(s settings) cost.Run {
	def, steps := gas(s, rabbitRoom, .025)
	return cost.Run{
		New: func() (*fluid.Liquid, error) {
			l, _, err := newRabbits(def)
			return l, err
		},
		Before: blow, Steps: steps, Dt: dt,
	}
}
