package scenes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Obstacle is a dam that breaks, whose flood runs over a hemisphere (the Dam of Chentanez et al. 2007, Table 1).
var Obstacle = Scene{
	Name: "obstacle", Domain: r3.Box{Max: r3.Vec{X: 3.2, Y: 1.8, Z: 1.2}}, Cell: .04,
	Build: func(l *fluid.Liquid) error {
		if _, err := l.AddObstacle(fluid.Sphere(Hemisphere, HemisphereRadius)); err != nil {
			return err
		}
		return l.Fill(fluid.Box(Dammed))
	},
}

// Dammed is the liquid behind the dam, m.
var Dammed = r3.Box{Max: r3.Vec{X: .9, Y: 1, Z: 1.2}}

// Hemisphere is the middle of the hemisphere, on the floor, m.
var Hemisphere = r3.Vec{X: 1.85, Z: .6}

// HemisphereRadius, m.
const HemisphereRadius = .34
