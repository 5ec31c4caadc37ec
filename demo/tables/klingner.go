package main

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/cost"
	"github.com/meniscus3d/meniscus/fluid"
)

// klingner is Table 1 of Klingner et al. 2006: what of a frame is remeshing.
func klingner() *table {
	return &table{
		name: "klingner", title: "Klingner et al. 2006, Table 1: what remeshing takes of a frame. Gas fills the domain; without smoke there is none of it to refine by",
		first: "scene", columns: []column{{"remeshing s", 4}, {"total s", 4}, {"share %", 1}},
		values: func(m *cost.Mean) []float64 {
			remesh, all := m.Of(meshing...).Seconds(), m.Step.Seconds()
			return []float64{remesh, all, 100 * remesh / all}
		},
		rows: []row{
			{name: "Figure 1, paddle", paper: []float64{13.2, 64.8, 20.3}, scene: paddle},
			{name: "Figure 5, bulb", paper: []float64{8.33, 44.5, 18.7}, note: "needs walls that deform"},
			{name: "Figure 6, bunnies", paper: []float64{5.76, 35.8, 16.1}, scene: blown},
			{name: "Figure 7, jet among obstacles", paper: []float64{313, 796, 39.3}, scene: jet},
		},
	}
}

// gas is a domain full of it, with finest cells of an edge, m, in a full run and twice that in a quick one.
func gas(s settings, domain r3.Box, cell float64) (def fluid.Def, steps int) {
	steps = 60
	if s.size == quick {
		cell, steps = 2*cell, 30
	}
	return fluid.Def{
		Domain: domain, CellSize: cell, Discretisation: s.cells, Tracker: fluid.NoSurface, Numerics: fluid.Numerics{Sizing: fluid.Sizing{Distance: .1, Vorticity: 7}},
		Physics: fluid.Physics{Weightless: true, Density: 1.2}, Resources: s.resources(),
	}, steps
}

// paddle is a board that turns in a box.
func paddle(s settings) cost.Run {
	const spin = math.Pi // rad/s
	def, steps := gas(s, r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, .025)
	var board fluid.ObstacleID
	middle := r3.Vec{X: .5, Y: .45, Z: .5}
	turned := func(l *fluid.Liquid, n int) error {
		sin, cos := math.Sincos(spin * dt * float64(n) / 2)
		return l.MoveObstacle(board, fluid.Motion{Translation: middle, Rotation: quat.Number{Real: cos, Jmag: sin}, AngularVelocity: r3.Vec{Y: spin}})
	}
	return cost.Run{
		New: func() (*fluid.Liquid, error) {
			l, err := fluid.New(def)
			if err != nil {
				return nil, err
			}
			if board, err = l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: -.28, Y: -.2, Z: -.03}, Max: r3.Vec{X: .28, Y: .2, Z: .03}})); err == nil {
				err = turned(l, 0)
			}
			return closedUnless(l, err)
		},
		Before: turned, Steps: steps, Dt: dt,
	}
}

// jet is blown through rows of balls. Its cells are of two sizes: larger ones tell nothing of the jet and the balls that would make them finer. In a full run a lattice has some
// 500,000 tetrahedra, as the paper's.
func jet(s settings) cost.Run {
	const radius, speed = .11, 2. // m, m/s
	def, steps := gas(s, r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 1}}, .033)
	def.Numerics.Levels = 2
	mouth := fluid.Cylinder(r3.Vec{X: .05, Y: .5, Z: .5}, r3.Vec{X: .25, Y: .5, Z: .5}, .12)
	return cost.Run{
		New: func() (*fluid.Liquid, error) {
			l, err := fluid.New(def)
			if err != nil {
				return nil, err
			}
			for i := range 27 {
				at := r3.Vec{X: .6 + .45*float64(i%3), Y: .2 + .3*float64(i/3%3), Z: .2 + .3*float64(i/9)}
				if _, err := l.AddObstacle(fluid.Sphere(at, radius)); err != nil {
					return closedUnless(l, err)
				}
			}
			return l, nil
		},
		Before: func(l *fluid.Liquid, _ int) error {
			return l.SetVelocity(mouth, func(r3.Vec) r3.Vec { return r3.Vec{X: speed} })
		},
		Steps: steps, Dt: dt,
	}
}

// closedUnless is a liquid, or an error after which it is closed.
func closedUnless(l *fluid.Liquid, err error) (*fluid.Liquid, error) {
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
