package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// The pool, m. The domain is higher than its walls, so that a splash stays in it.
var domain = r3.Box{Min: r3.Vec{X: -1.4, Y: 0, Z: -1.2}, Max: r3.Vec{X: 2.2, Y: 3.2, Z: 1.2}}

const (
	level  = 1.1         // of the pool, m
	tall   = 1.3         // of the shape, m
	foot   = 1.25        // of the shape where it is out of the pool, m
	turned = 50 * degree // of the shape, towards where it is thrown
	degree = math.Pi / 180
)

// throw is the velocity with which the shape is let go, m/s.
var throw = r3.Vec{X: 1.1, Y: 2.3}

// Times of the keys, s.
const (
	begun     = .3
	risen     = 1.6
	twisting  = 2.0
	twisted   = 3.0
	untwisted = 3.9
	stretched = 4.7
	squashed  = 5.5
	thrown    = 5.65
	released  = 5.9
)

// keys are the shapes that the liquid is to pass through: pulled out of the pool, twisted one way and the other, stretched, squashed, and thrown.
func keys(m shapes.Mesh) []control.Key {
	m = m.Deformed(shapes.Turn(turned))
	at := func(t float64, place r3.Vec, by ...shapes.Deformation) control.Key {
		return control.Key{Time: t, Positions: m.Deformed(append(by, shapes.Translate(place))...).Positions}
	}
	const below = .1
	deep, up := r3.Vec{Y: below}, r3.Vec{Y: foot}
	low, flat := shapes.Squash(1.5), shapes.Squash(1.6)
	return []control.Key{
		at(0, deep, low), at(begun, deep, low),
		at(risen, up), at(twisting, up),
		at(twisted, up, shapes.Twist(140*degree, .1*tall, .9*tall)),
		at(untwisted, up, shapes.Twist(-40*degree, .1*tall, .9*tall)),
		at(stretched, up, shapes.Stretch(1.4)),
		at(squashed, up, flat), at(thrown, up, flat),
		// At an even acceleration the velocity is then what the constraints ask for.
		at(released, r3.Add(up, r3.Scale((released-thrown)/2, throw)), flat),
	}
}

// morph computes the frames between the keys in one go. At the end every vertex has the velocity of the throw.
func morph(m shapes.Mesh) (*control.Clip, error) {
	d := control.Morph{Triangles: m.Triangles, Keys: keys(m), FramesPerSecond: 20, Passes: 60}
	for v := range m.Positions {
		d.Velocities = append(d.Velocities, control.VelocityConstraint{Time: released, Vertex: v, Velocity: throw})
	}
	clip, _, err := d.Solve()
	if err != nil {
		return nil, fmt.Errorf("the keys: %w", err)
	}
	return clip, nil
}
