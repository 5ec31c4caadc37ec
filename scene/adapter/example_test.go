package adapter_test

import (
	"fmt"
	"strings"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// crateOBJ is a cube of 1 m about the origin.
const crateOBJ = `
v -.5 -.5 -.5
v  .5 -.5 -.5
v  .5  .5 -.5
v -.5  .5 -.5
v -.5 -.5  .5
v  .5 -.5  .5
v  .5  .5  .5
v -.5  .5  .5
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
`

// A game without an engine: the functions that draw only note what they are given.
func Example() {
	liquid, err := fluid.New(fluid.Def{
		Domain:    r3.Box{Min: r3.Vec{X: -1, Z: -1}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}, // m
		CellSize:  0.1,                                                              // m
		Resources: fluid.Resources{Workers: 1},
	})
	if err != nil {
		panic(err)
	}
	defer liquid.Close()
	if err := liquid.Fill(fluid.Below(0.5)); err != nil {
		panic(err)
	}
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	liquid.Couple(world.Coupling())
	crate, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: 0.75}})
	if err == nil {
		_, err = crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(0.4, 0.4, 0.4)), Density: 500})
	}
	if err != nil {
		panic(err)
	}

	stepper := adapter.NewStepper(liquid, adapter.Options{Async: true})
	defer stepper.Close()
	var place [16]float32 // of the crate's mesh
	stepper.BindBody(crate, func(position r3.Vec, rotation quat.Number) { place = adapter.Matrix(position, rotation) })
	crateMesh := adapter.BodyTriangles(crate)

	var water adapter.TriangleList
	for range 120 { // frames
		stepper.Update(time.Second/60, func(r *fluid.Report) {
			for range stepper.Events().Splashes {
				_ = r // a sound, from where it splashed
			}
		})
		stepper.Surface().Triangles(&water, stepper.Lag())
		stepper.Wait() // stands for the time that drawing takes
	}
	fmt.Printf("%d triangles of a crate, which floats: %v\n", len(crateMesh.Positions)/9, place[13] > 0.4 && place[13] < 0.6)
	fmt.Printf("triangles of water: %v\n", len(water.Positions) > 9*1000)
	// Output:
	// 12 triangles of a crate, which floats: true
	// triangles of water: true
}

// A click takes the body under the cursor; the mouse leads it until it is let go.
func ExampleGrabber() {
	world := physics.NewWorld(physics.WorldDef{})
	ball, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Z: -5}})
	if err == nil {
		_, err = ball.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, 0.5)})
	}
	if err != nil {
		panic(err)
	}
	// A camera at the origin that looks along -z, 90° wide, as column-major matrices.
	view := adapter.Matrix(r3.Vec{}, quat.Number{Real: 1})
	projection := [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.002, -1, 0, 0, -0.2002, 0}
	cursor := func(x, y float64) (from, dir r3.Vec) {
		return adapter.CursorRay(view, projection, x, y, 400, 400)
	}

	var hand adapter.Grabber
	if from, dir := cursor(200, 200); hand.Grab(world, from, dir) {
		fmt.Println("a body in the hand")
	}
	for range 120 {
		from, dir := cursor(300, 200) // the mouse has gone to the right
		if err := hand.Move(from, dir, 1./60); err != nil {
			panic(err)
		}
		world.Step(1. / 60)
	}
	hand.Release()
	fmt.Printf("at x = %.0f m\n", ball.Position().X)
	// Output:
	// a body in the hand
	// at x = 2 m
}

// A model of an artist becomes a body.
func ExampleNewModelBody() {
	vertices, triangles, err := adapter.ReadMesh(strings.NewReader(crateOBJ))
	if err != nil {
		panic(err)
	}
	world := physics.NewWorld(physics.WorldDef{})
	body, err := adapter.NewModelBody(world, []adapter.Mesh{{Name: "crate", Vertices: vertices, Triangles: triangles}}, adapter.ModelOptions{
		Form:  adapter.OneHull,
		Body:  physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: 2}},
		Shape: physics.ShapeDef{Density: 400}, // kg/m³
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.0f kg\n", body.MassProperties().Mass)
	// Output:
	// 400 kg
}
