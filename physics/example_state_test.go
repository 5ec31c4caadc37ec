package physics_test

import (
	"bytes"
	"fmt"

	"github.com/meniscus3d/meniscus/physics"
	"gonum.org/v1/gonum/spatial/r3"
)

// drop is a ball above the ground.
func drop() (*physics.World, physics.Body) {
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	ground, err := world.AddBody(physics.BodyDef{})
	if err == nil {
		_, err = ground.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1})})
	}
	if err != nil {
		panic(err)
	}
	ball, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: "ball", Position: r3.Vec{Y: 3}})
	if err == nil {
		_, err = ball.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .5), Density: 500})
	}
	if err != nil {
		panic(err)
	}
	return world, ball
}

// A ray from the camera finds what the cursor points at.
func ExampleWorld_RayCast() {
	world, _ := drop()
	hit, ok, err := world.RayCast(r3.Vec{X: -4, Y: 3}, r3.Vec{X: 8}, physics.Query{}) // from, and how far, m
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ok, hit.Shape.Body().Name())
	fmt.Printf("at x = %.1f m\n", hit.Point.X)
	// Output:
	// true ball
	// at x = -0.5 m
}

// Rollback: a copy of the world undoes what has happened since, bit for bit.
func ExampleWorld_CopyTo() {
	world, ball := drop()
	var kept physics.World
	world.CopyTo(&kept)
	steps := func() uint64 {
		for range 60 {
			world.Step(1. / 60)
		}
		return world.Hash()
	}
	first := steps()
	kept.CopyTo(world) // handles stay good
	fmt.Printf("back at y = %.0f m; the same bits: %v\n", ball.Position().Y, steps() == first)
	// Output: back at y = 3 m; the same bits: true
}

// A copy that is stepped ahead shows where a body will be.
func ExampleWorld_Body() {
	world, ball := drop()
	var ahead physics.World
	world.CopyTo(&ahead)
	for range 30 {
		ahead.Step(1. / 60)
	}
	fmt.Printf("now at y = %.1f m, in half a second at %.1f m\n", ball.Position().Y, ahead.Body(ball.ID()).Position().Y)
	// Output: now at y = 3.0 m, in half a second at 1.8 m
}

// A saved world goes on in another process as it would have here.
func ExampleWorld_Save() {
	world, _ := drop()
	for range 30 {
		world.Step(1. / 60)
	}
	var file bytes.Buffer
	if err := world.Save(&file); err != nil {
		fmt.Println(err)
		return
	}
	again := physics.NewWorld(physics.WorldDef{})
	if err := again.Restore(&file); err != nil {
		fmt.Println(err)
		return
	}
	for range 30 {
		world.Step(1. / 60)
		again.Step(1. / 60)
	}
	fmt.Println("the same bits:", again.Hash() == world.Hash())
	// Output: the same bits: true
}
