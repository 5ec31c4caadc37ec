package scene_test

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/loader/obj"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/renderer"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

// A game that has a root, a camera and a renderer puts water into its scene.
func Example() {
	liq, err := fluid.New(fluid.Def{
		Domain:   r3.Box{Min: r3.Vec{X: -4, Y: 0, Z: -3}, Max: r3.Vec{X: 4, Y: 3, Z: 3}}, // m
		CellSize: 0.05,                                                                   // m
		Budget:   fluid.Budget{Step: 6 * time.Millisecond},
	})
	if err != nil {
		panic(err)
	}
	if err := liq.Fill(fluid.Below(1.2)); err != nil {
		panic(err)
	}
	root, cam := core.NewNode(), camera.New(16.0/9)
	root.Add(scene.NewSky(scene.SkyOptions{}))
	water := scene.NewLiquid(liq, scene.LiquidOptions{})
	water.Follow(cam)
	root.Add(water)
	liq.Prewarm()

	// Hand this to app.Run.
	_ = func(rend *renderer.Renderer, dt time.Duration) {
		water.Update(dt)
		if err := water.Draw(rend, root, cam); err != nil {
			panic(err)
		}
	}
}

// The steps run beside the game, which touches liquid and bodies in functions that Update calls.
func ExampleLiquid_Update_async() {
	liq, err := fluid.New(fluid.Def{
		Domain:    r3.Box{Max: r3.Vec{X: 2, Y: 2, Z: 2}},               // m
		CellSize:  0.1,                                                 // m
		Resources: fluid.Resources{Workers: runtime.GOMAXPROCS(0) - 1}, // leaves one processor to the frames
	})
	if err != nil {
		panic(err)
	}
	defer liq.Close()
	water := scene.NewLiquid(liq, scene.LiquidOptions{Async: true})
	defer water.Wait() // before the liquid is closed

	// A key was pressed.
	water.BetweenSteps(func() {
		if err := liq.Fill(fluid.Below(0.5)); err != nil {
			panic(err)
		}
	})
	for range 3 { // frames
		f := water.Update(time.Second/60, func(r *fluid.Report) {
			fmt.Printf("step %d: %.0f L, %d splashes\n", r.Step, r.Ledger.HeldL, len(water.Events().Splashes))
		})
		if f.Late {
			fmt.Println("the step is not done yet; the picture goes on")
		}
		water.Wait() // stands for the time that the picture takes
	}
	// Output:
	// step 1: 2000 L, 0 splashes
	// step 2: 2000 L, 0 splashes
}

// What g3n's loaders read becomes a body that the liquid carries, and follows it.
func ExampleNewModelBody() {
	dec, err := obj.DecodeReader(strings.NewReader(`
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
`), strings.NewReader(""))
	if err != nil {
		panic(err)
	}
	crate, err := dec.NewGroup()
	if err != nil {
		panic(err)
	}
	crate.SetPosition(0, 2, 0)
	crate.SetScale(0.5, 0.5, 0.5)

	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	body, err := scene.NewModelBody(world, crate, scene.ModelOptions{
		Form:  scene.OneHull,
		Body:  physics.BodyDef{Kind: physics.Dynamic},
		Shape: physics.ShapeDef{Density: 400}, // kg/m³
	})
	if err != nil {
		panic(err)
	}
	var binder scene.Binder // or a Liquid's BindBody
	binder.BindBody(body, crate)

	for range 30 {
		world.Step(1.0 / 60)
		binder.Capture()
	}
	binder.Interpolate(1)
	fmt.Printf("%.0f kg at %.1f m\n", body.MassProperties().Mass, crate.Position().Y)
	// Output:
	// 50 kg at 0.8 m
}

// A click drops a stone where the mouse meets the water, unless a body lies before it.
func ExampleCursorRay() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 2, Z: 2}}, CellSize: 0.1})
	if err != nil {
		panic(err)
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(0.8)); err != nil {
		panic(err)
	}
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	liq.Couple(world.Coupling())
	cam := camera.New(16.0 / 9)
	cam.SetPosition(1, 3, 1)
	cam.LookAt(&math32.Vector3{X: 1, Z: 1}, &math32.Vector3{Z: -1})

	click := func(x, y float64) error { // pixels of a viewport of 1600 × 900
		from, dir := scene.CursorRay(cam, x, y, 1600, 900)
		var hit [1]fluid.RayHit
		if err := liq.RayCast(hit[:], []fluid.Ray{{From: from, Dir: dir}}); err != nil || !hit[0].Hit {
			return err
		}
		_, met, err := world.RayCast(from, r3.Scale(hit[0].Distance, dir), physics.Query{})
		if err != nil || met {
			return err
		}
		stone, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Add(hit[0].Point, r3.Vec{Y: .3})})
		if err != nil {
			return err
		}
		_, err = stone.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .1), Density: 2500})
		fmt.Printf("a stone falls from %.1f m\n", stone.Position().Y)
		return err
	}
	if err := click(800, 450); err != nil {
		panic(err)
	}
	// Output:
	// a stone falls from 1.1 m
}

// A body is visible in one call, and follows the picture.
func ExampleLiquid_Show() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 2, Z: 2}}, CellSize: 0.1}) // m
	if err != nil {
		panic(err)
	}
	defer liq.Close()
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	liq.Couple(world.Coupling())
	water := scene.NewLiquid(liq, scene.LiquidOptions{}) // under the root that is drawn
	crate, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1, Y: 1.5, Z: 1}})
	if err == nil {
		_, err = crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(0.4, 0.4, 0.4)), Density: 400})
	}
	if err != nil {
		panic(err)
	}
	shown := water.Show(crate, scene.NewWood(math32.Color{R: 0.8, G: 0.58, B: 0.36}))
	for range 3 {
		water.Update(time.Second / 60)
	}
	fmt.Printf("the crate is drawn below %.1f m: %v\n", 1.5, shown.Node().GetNode().Position().Y < 1.5)
	// Output:
	// the crate is drawn below 1.5 m: true
}

// A split screen: both players' views are fine.
func ExampleLiquid_Follow() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 2, Z: 2}}, CellSize: 0.1}) // m
	if err != nil {
		panic(err)
	}
	defer liq.Close()
	water := scene.NewLiquid(liq, scene.LiquidOptions{})
	left, right := camera.New(8.0/9), camera.New(8.0/9)
	right.SetPosition(2, 1, 3)
	water.Follow(left, right)
	f := water.Update(time.Second / 60)
	fmt.Println(len(f.Report.Views), "views")
	// Output:
	// 2 views
}

// A ball of water follows a node of the game's, and is let go.
func ExampleNewControl() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 2, Z: 2}}, CellSize: 0.1}) // m
	if err != nil {
		panic(err)
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(0.4)); err != nil {
		panic(err)
	}
	water := scene.NewLiquid(liq, scene.LiquidOptions{}) // under the root that is drawn
	defer water.Dispose()

	ball, err := scene.NewModelSurface(graphic.NewMesh(geometry.NewSphere(0.4, 24, 12), nil))
	if err != nil {
		panic(err)
	}
	hand := core.NewNode()
	hand.SetPosition(0.8, 1.2, 1)
	hold, err := scene.NewControl(water, fluid.ControlDef{
		Clip:     ball,
		Strength: 1,
		Arrival:  control.Appear, // it is filled at once
	}, hand)
	if err != nil {
		panic(err)
	}
	for range 20 { // frames
		hand.TranslateX(0.01)
		water.Update(time.Second / 60)
	}
	r := hold.Report()
	fmt.Println("it is held:", r.HeldL > 0.9*r.WantedL)
	hold.Release()
	f := water.Update(time.Second / 60)
	fmt.Println(len(f.Report.Controls), "controls")
	// Output:
	// it is held: true
	// 0 controls
}

// A downloaded model is checked before anything is made of it.
func ExampleCheckModel() {
	if err := scene.CheckModel("no such model.glb"); err != nil {
		fmt.Println("left out")
	}
	// Output:
	// left out
}
