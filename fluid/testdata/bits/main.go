// Command bits steps a small scene and prints a hash of liquid and bodies after each step, for builds to be compared.
// Its arguments are the cell size, m, the number of steps and what space is divided into, Cubes or Tetrahedra; without any .05, 60 and Cubes.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

func main() {
	cell, steps, of := .05, 60, fluid.Cubes
	if len(os.Args) > 3 {
		var err error
		cell, err = strconv.ParseFloat(os.Args[1], 64)
		check(err)
		steps, err = strconv.Atoi(os.Args[2])
		check(err)
		if os.Args[3] == fluid.Tetrahedra.String() {
			of = fluid.Tetrahedra
		}
	}
	l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1.6, Y: .8, Z: .8}}, CellSize: cell, Discretisation: of, Physics: fluid.Physics{Viscosity: 1e-4, SurfaceTension: .07},
		Budget: fluid.Budget{Work: 3}, WhiteWater: 5000})
	check(err)
	check(l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .6, Y: .6, Z: .8}})))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .9, Y: .3, Z: .4}, AngularVelocity: r3.Vec{X: 1, Z: 2}})
	check(err)
	_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, .15, .2)), Density: 300})
	check(err)
	l.Couple(w.Coupling())
	_, err = l.AddObstacle(fluid.Cylinder(r3.Vec{X: 1.2, Z: .3}, r3.Vec{X: 1.2, Y: .8, Z: .3}, .1))
	check(err)
	paddle, err := l.AddObstacle(fluid.Sphere(r3.Vec{X: .1}, .08))
	check(err)
	check(l.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: .3, Y: .2, Z: .4}, AngularVelocity: r3.Vec{Y: 3}}))
	for range steps {
		if r := l.Step(1. / 60); r.Err != nil {
			log.Fatal(r.Err)
		}
		fmt.Printf("%016x %016x\n", l.Hash(), w.Hash())
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
