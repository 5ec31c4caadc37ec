package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// A rock from a triangle mesh, as a file of a game has it, stands in the water.
func ExampleNewMesh() {
	vertices := []r3.Vec{ // an octahedron, m
		{X: 1.4, Y: .4, Z: .5}, {X: .6, Y: .4, Z: .5}, {X: 1, Y: .8, Z: .5},
		{X: 1, Y: 0, Z: .5}, {X: 1, Y: .4, Z: .9}, {X: 1, Y: .4, Z: .1},
	}
	triangles := [][3]int32{ // the orientation does not matter
		{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5},
	}
	rock, err := fluid.NewMesh(vertices, triangles, fluid.MeshOptions{})
	if err != nil {
		fmt.Println(err) // such as a mesh with large holes
		return
	}
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 1}}, CellSize: .1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if _, err := liq.AddObstacle(rock); err != nil {
		fmt.Println(err)
		return
	}
	if err := liq.Fill(fluid.Below(.4)); err != nil { // around the rock
		fmt.Println(err)
		return
	}
	liq.Step(1. / 60)
	var s [1]fluid.Sample
	liq.Sample(s[:], []r3.Vec{{X: 1, Y: .4, Z: .5}})
	fmt.Printf("a rock of %.0f litres, solid within: %v\n", 1000*rock.Volume(), s[0].Medium == fluid.MediumSolid)
	// Output:
	// a rock of 85 litres, solid within: true
}
