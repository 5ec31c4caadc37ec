package main

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// The channel, m: a reservoir behind the gate at x = 0, dry land and the wheel before it, and an open
// end.
var domain = r3.Box{Min: r3.Vec{X: -2.2, Y: 0, Z: -0.3}, Max: r3.Vec{X: 3.2, Y: 1.4, Z: 0.3}}

const level = 0.95 // of the reservoir, m

// The gate hangs from a hinge and reaches into the floor and the walls, so that it is tight; a strut
// props its foot.
const (
	gateTop, gateFoot = 1.05, -0.06 // m
	gateThick         = 0.12
	gateDensity       = 700  // kg/m³, oak
	gateInto          = 0.05 // m, into each wall
	gateOpen          = 1.6  // rad

	strutHeight   = 0.12
	strutLength   = 0.5
	strutStrength = 5000 // N
)

// The ball swings on a rope from over the channel.
var (
	ropeTop   = r3.Vec{X: 0.5, Y: 2.1}
	ropeAngle = 0.95 // rad, from upright at the start
)

const (
	ropeLength  = 1.4 // m
	ballRadius  = 0.2
	ballDensity = 7200 // kg/m³, iron
)

// The wheel: paddles on a hub, whose tips pass just over the floor.
var wheelAt = r3.Vec{X: 2.2, Y: 0.6}

const (
	paddles      = 8
	hubRadius    = 0.16
	wheelRadius  = 0.54
	paddleThick  = 0.08
	paddleWide   = 0.52
	wheelDensity = 600 // kg/m³
	brake        = 25  // N·m, of the mill that the wheel drives
)

// The river fills the reservoir again once the gate is open.
const (
	riverRate   = 150.0 // litres/s
	riverRadius = 0.2   // m
)

var riverMouth = r3.Vec{X: -1.85, Y: 1.25}

// fullTurn is one, rad.
const fullTurn = 2 * math.Pi

// turned is a turn about z, rad.
func turned(angle float64) quat.Number {
	sin, cos := math.Sincos(angle / 2)
	return quat.Number{Real: cos, Kmag: sin}
}

// ballAt is where the ball is held at the start.
func ballAt() r3.Vec {
	sin, cos := math.Sincos(ropeAngle)
	return r3.Add(ropeTop, r3.Vec{X: ropeLength * sin, Y: -ropeLength * cos})
}

// strutFoot and strutHead are its ends, on the floor and on the gate.
func strutHead() r3.Vec { return r3.Vec{X: gateThick / 2, Y: strutHeight} }
func strutFoot() r3.Vec { return r3.Vec{X: gateThick/2 + strutLength} }

// paddle is the k-th of the wheel, m about its axle.
func paddle(k int) (size, at r3.Vec, angle float64) {
	angle = fullTurn * float64(k) / paddles
	sin, cos := math.Sincos(angle)
	inner := hubRadius / 2 // in the hub
	r := (wheelRadius + inner) / 2
	return r3.Vec{X: wheelRadius - inner, Y: paddleThick, Z: paddleWide}, r3.Vec{X: r * cos, Y: r * sin}, angle
}

// fill fills the reservoir up to the gate and readies the river.
func (f *flood) fill() (err error) {
	f.Liquid().Couple(f.World().Coupling())
	b := domain
	b.Max.X, b.Max.Y = 0, level
	if err = f.Liquid().Fill(fluid.Box(b)); err != nil {
		return err
	}
	f.river, err = f.Liquid().AddEmitter(fluid.EmitterDef{
		Shape:    fluid.Cylinder(riverMouth, r3.Sub(riverMouth, r3.Vec{Y: 0.1}), riverRadius),
		Velocity: r3.Vec{Y: -1.2}, Rate: riverRate, Stopped: true,
	})
	return err
}

// dynamic makes a body of shapes that never sleeps: a wheel at rest must feel the first drop.
func (f *flood) dynamic(name string, at r3.Vec, shapes ...physics.ShapeDef) (physics.Body, error) {
	b, err := f.World().AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: name, Position: at, NoSleep: true})
	for _, s := range shapes {
		if err == nil {
			_, err = b.AddShape(s)
		}
	}
	return b, err
}

// hang makes the gate, its hinge and the strut that props it.
func (f *flood) hang() (err error) {
	size := r3.Vec{X: gateThick, Y: gateTop - gateFoot, Z: domain.Size().Z + 2*gateInto}
	if f.gate, err = f.dynamic("gate", r3.Vec{Y: gateFoot + size.Y/2},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(size.X, size.Y, size.Z)), Density: gateDensity}); err != nil {
		return err
	}
	if f.hinge, err = f.World().AddJoint(physics.JointDef{
		Kind: physics.HingeJoint, Name: "hinge", B: f.gate, Anchor: r3.Vec{Y: gateTop}, Axis: r3.Vec{Z: 1},
		Limits: physics.Limits{Lower: -0.1, Upper: gateOpen},
	}); err != nil {
		return err
	}
	f.strut, err = f.World().AddJoint(physics.JointDef{
		Kind: physics.DistanceJoint, Name: "strut", B: f.gate, Anchor: strutFoot(), AnchorB: strutHead(), BreakForce: strutStrength,
	})
	return err
}

// tie makes the ball, its rope and the hook that holds it up.
func (f *flood) tie() (err error) {
	at := ballAt()
	if f.ball, err = f.dynamic("ball", at,
		physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, ballRadius), Density: ballDensity, Material: physics.Material{Restitution: .1}}); err != nil {
		return err
	}
	if _, err = f.World().AddJoint(physics.JointDef{
		Kind: physics.DistanceJoint, Name: "rope", B: f.ball, Anchor: ropeTop, AnchorB: at, Limits: physics.Limits{Upper: ropeLength},
	}); err != nil {
		return err
	}
	f.hook, err = f.World().AddJoint(physics.JointDef{Name: "hook", B: f.ball, Anchor: at})
	return err
}

// mount makes the wheel and its axle, which a mill brakes.
func (f *flood) mount() (err error) {
	shapes := []physics.ShapeDef{{Geometry: physics.Box(physics.Centred(2*hubRadius, 2*hubRadius, paddleWide)), Density: wheelDensity}}
	for k := range paddles {
		size, at, angle := paddle(k)
		shapes = append(shapes, physics.ShapeDef{
			Geometry: physics.Box(physics.Centred(size.X, size.Y, size.Z)), Density: wheelDensity, Offset: at, Rotation: turned(angle),
		})
	}
	if f.wheel, err = f.dynamic("wheel", wheelAt, shapes...); err != nil {
		return err
	}
	f.axle, err = f.World().AddJoint(physics.JointDef{
		Kind: physics.HingeJoint, Name: "axle", B: f.wheel, Anchor: wheelAt, Axis: r3.Vec{Z: 1}, Motor: physics.Motor{Max: brake},
	})
	return err
}
