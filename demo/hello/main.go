// Command hello is the whole of a small game: a pool in daylight, a crate and a ball that the mouse
// drags, a tap that runs while the space bar is held, and a line for each splash.
package main

import (
	"flag"
	"log"
	"time"

	"github.com/g3n/engine/app"
	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/renderer"
	"github.com/g3n/engine/window"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
	"gonum.org/v1/gonum/spatial/r3"
)

func main() {
	headless := flag.Bool("headless", false, "play two seconds and save the last picture as hello.png")
	flag.Parse()
	a := app.App(1280, 720, "meniscus: hello")
	if frame := hello(a); *headless {
		for range 40 {
			frame(a.Renderer(), time.Second/20)
		}
		check(scene.SavePicture("hello.png", a.Gls()))
	} else {
		a.Run(frame)
	}
}

// hello builds the game and returns what is called for each picture.
func hello(a *app.Application) func(*renderer.Renderer, time.Duration) {
	pool := r3.Box{Min: r3.Vec{X: -3, Z: -2}, Max: r3.Vec{X: 3, Y: 2.4, Z: 2}} // m
	liq := must(fluid.New(fluid.Def{Domain: pool, CellSize: .05, Budget: fluid.Budget{Step: 8 * time.Millisecond}}))
	check(liq.Fill(fluid.Below(.9))) // up to y = .9 m
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	liq.Couple(world.Coupling())
	must(world.AddRoom(physics.RoomDef{Inside: pool, Thickness: 9})) // walls for the bodies; the camera stands within one
	crate := must(world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: -.6, Y: 1.8, Z: .3}}))
	must(crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.6, .6, .6)), Density: 400})) // kg/m³
	water := scene.NewLiquid(liq, scene.LiquidOptions{})
	water.Show(crate, scene.NewWood(math32.Color{R: .8, G: .58, B: .36}))
	root := core.NewNode().Add(water).Add(scene.NewRoom(water, pool, scene.RoomOptions{}))
	root.Add(scene.NewDaylight(scene.SkyOptions{Sun: math32.Vector3{X: .45, Y: .72, Z: .4}}))
	cam := camera.NewPerspective(16./9, .1, 300, 50, camera.Vertical)
	cam.SetPosition(.5, 2.1, 5.3)
	cam.LookAt(&math32.Vector3{Y: .65}, &math32.Vector3{Y: 1})
	water.Follow(cam) // the grid is finest where it looks
	water.GrabWithMouse(a, cam, world)
	add := func(kind physics.BodyKind, at r3.Vec, g physics.Geometry, density float64) physics.Body { // m, kg/m³
		b := must(world.AddBody(physics.BodyDef{Kind: kind, Position: at}))
		must(b.AddShape(physics.ShapeDef{Geometry: g, Density: density}))
		return b
	}
	water.Show(add(physics.Dynamic, r3.Vec{X: .8, Y: 2.1, Z: .8}, physics.Sphere(r3.Vec{}, .28), 150), scene.NewPaint(math32.Color{R: .9, G: .25, B: .12}, .6))
	water.Show(add(physics.Static, r3.Vec{X: 1.6, Y: 1.75, Z: -1.9}, physics.Box(physics.Centred(.4, .4, .4)), 0), nil)
	tap := must(liq.AddEmitter(fluid.EmitterDef{Shape: fluid.Cylinder(r3.Vec{X: 1.6, Y: 1.75, Z: -1.7}, r3.Vec{X: 1.6, Y: 1.75, Z: -1.4}, .15),
		Velocity: r3.Vec{Z: 1.4}, Rate: 100, Stopped: true})) // m/s, l/s
	for event, do := range map[string]func(fluid.EmitterID) error{window.OnKeyDown: liq.StartEmitter, window.OnKeyUp: liq.StopEmitter} {
		a.Subscribe(event, func(_ string, ev any) {
			if ev.(*window.KeyEvent).Key == window.KeySpace {
				check(do(tap))
			}
		})
	}
	log.Print("space: the tap; the mouse drags crate and ball")
	liq.Prewarm() // memory for the budget: the first frame is like the others
	return func(rend *renderer.Renderer, dt time.Duration) {
		water.Update(dt, func(*fluid.Report) {
			for _, s := range water.Events().Splashes {
				log.Printf("splash at %.1f m/s", s.Speed)
			}
		})
		check(water.Draw(rend, root, cam))
	}
}

func check(err error) { must(0, err) }

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
