package physics_test

import (
	"fmt"

	"github.com/meniscus3d/meniscus/physics"
	"gonum.org/v1/gonum/spatial/r3"
)

// A crate falls onto the ground and comes to rest.
func Example() {
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	ground, err := world.AddBody(physics.BodyDef{Name: "ground"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := ground.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1})}); err != nil {
		fmt.Println(err)
		return
	}
	crate, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: "crate", Position: r3.Vec{Y: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.5, .5, .5)), Density: 400}); err != nil {
		fmt.Println(err)
		return
	}
	for range 180 {
		world.Step(1.0 / 60)
		for _, hit := range world.Events().Hits {
			fmt.Printf("%s hits %s at %.1f m/s\n", hit.B.Body().Name(), hit.A.Body().Name(), hit.Speed)
		}
	}
	fmt.Printf("%.0f kg at rest at y = %.2f m, awake: %v\n", crate.Mass(), crate.Position().Y, crate.Awake())
	// Output:
	// crate hits ground at 5.8 m/s
	// 50 kg at rest at y = 0.25 m, awake: false
}

// A motor opens a gate to its stop.
func ExampleWorld_AddJoint() {
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	gate, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1, Y: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := gate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(2, 2, .1)), Density: 600}); err != nil {
		fmt.Println(err)
		return
	}
	hinge, err := world.AddJoint(physics.JointDef{
		Kind: physics.HingeJoint, B: gate, Axis: r3.Vec{Y: 1},
		Limits: physics.Limits{Upper: 1.5},
		Motor:  physics.Motor{Speed: 1, Max: 500},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 120 {
		world.Step(1.0 / 60)
	}
	fmt.Printf("open by %.2f rad, bearing %.0f N\n", hinge.Angle(), hinge.Force().Y)
	// Output: open by 1.50 rad, bearing 2354 N
}

// A ball stays in the room that a liquid's domain is.
func ExampleWorld_AddRoom() {
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	domain := r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 2}} // of a liquid: its Def().Domain
	if _, err := world.AddRoom(physics.RoomDef{Inside: domain, Open: physics.RoomSides{MaxY: true}}); err != nil {
		fmt.Println(err)
		return
	}
	ball, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1, Y: .5, Z: 1}, Velocity: r3.Vec{X: 3}, AngularDamping: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := ball.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .2)}); err != nil {
		fmt.Println(err)
		return
	}
	for range 600 {
		world.Step(1.0 / 60)
	}
	fmt.Printf("at y = %.1f m, in the room: %v\n", ball.Position().Y, ball.Position().X < 2)
	// Output: at y = 0.2 m, in the room: true
}
