// Raylib is a game on another engine than g3n: raylib-go draws, package adapter does the rest. It is the
// model for an engine of one's own: main.go is what a game says to Meniscus, draw.go what it says to raylib, and each pass has a file.
//
//	go run -tags x11 .
//	../../.ci/with-display go run -tags x11 . -frames 90 -out picture.png
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"runtime"
	"time"

	rl "github.com/gen2brain/raylib-go/raylib"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

const tick = time.Second / 60

// The basin's hollow, which is the liquid's domain, and the depth of the water, m.
var hollow, depth = r3.Box{Min: r3.Vec{X: -2, Z: -1.25}, Max: r3.Vec{X: 2, Y: 2, Z: 1.25}}, .55

// game is a basin of water, crates, and the eye that sees them.
type game struct {
	liquid    *fluid.Liquid
	world     *physics.World
	stepper   *adapter.Stepper
	hand      adapter.Grabber
	from, dir r3.Vec // the cursor's ray
	picture   picture
}

func main() {
	frames := flag.Int("frames", 0, "end after so many frames of 1/60 s, of which every tenth and the last are drawn; 0 plays until the window is closed")
	out := flag.String("out", "", "write the last of the frames to this PNG file")
	flag.Parse()
	err := openWindow(1280, 720)
	if err == nil {
		err = play(*frames, *out)
		rl.CloseWindow()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// play plays the game in the window that is open.
func play(frames int, out string) error {
	g := &game{}
	if err := g.picture.open(); err != nil {
		return err
	}
	if err := g.fill(); err != nil {
		return err
	}
	defer g.liquid.Close()
	defer g.stepper.Close() // ends the steps before the liquid
	var last fluid.Report
	for n := 1; !rl.WindowShouldClose() && (frames == 0 || n <= frames); n++ {
		dt := tick
		switch {
		case frames == 0:
			dt = time.Duration(float64(rl.GetFrameTime()) * float64(time.Second))
			g.steer()
		case n%30 == 10: // a script in the mouse's place
			w, h := float32(rl.GetScreenWidth()), float32(rl.GetScreenHeight())
			g.point(rl.NewVector2(w*(.47+.003*float32(n%60)), .46*h))
			g.press()
		case n%30 == 25:
			g.stepper.BetweenSteps(g.hand.Release)
		}
		g.stepper.Update(dt, func(r *fluid.Report) { last = *r })
		if frames > 0 {
			g.stepper.Wait() // the same picture on any machine
			if n != frames && n%10 != 0 {
				continue
			}
		}
		rl.BeginDrawing()
		if err := g.picture.draw(g.stepper.Surface(), g.stepper.Lag()); err != nil {
			return err
		}
		rl.DrawText("left: drag a crate, or drop one   right: turn, with the wheel nearer", 20, 20, 20, rl.NewColor(25, 45, 60, 255))
		rl.DrawRenderBatchActive()
		if n == frames && out != "" && !rl.ExportImage(*rl.LoadImageFromScreen(), out) {
			return fmt.Errorf("can't write %s", out)
		}
		rl.EndDrawing()
	}
	fmt.Printf("%d steps, %.0f l of water, %d triangles\n", last.Step, last.Ledger.HeldL, g.picture.water.TriangleCount)
	return nil
}

// fill makes the liquid, the bodies and what steps them.
func (g *game) fill() (err error) {
	g.world = physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	g.liquid, err = fluid.New(fluid.Def{
		Domain: hollow, CellSize: .07, WhiteWater: 20_000,
		Budget:    fluid.Budget{Work: 40},
		Resources: fluid.Resources{Workers: max(1, runtime.GOMAXPROCS(0)-1)}, // leaves one processor to the frames
	})
	if err != nil {
		return err
	}
	g.liquid.Couple(g.world.Coupling())
	g.stepper = adapter.NewStepper(g.liquid, adapter.Options{Timestep: tick, Async: true, BeforeStep: func() {
		_ = g.hand.Move(g.from, g.dir, tick.Seconds()) // a hand that can't follow stays
	}})
	g.stepper.Follow(func(dst []fluid.View) []fluid.View { return append(dst, g.view()) }) // finest there
	block := fluid.Box(r3.Box{Min: r3.Vec{X: -1.1, Y: depth, Z: -.7}, Max: r3.Vec{X: .1, Y: 1.05, Z: .5}})
	size := r3.Sub(hollow.Max, hollow.Min)
	return errors.Join(
		g.liquid.Fill(fluid.Union(fluid.Below(depth), block)),
		g.add(physics.BodyDef{Position: r3.Vec{Y: -.3}}, physics.Box(physics.Centred(60, .3, 60)), g.picture.lawn),
		g.add(physics.BodyDef{Position: r3.Vec{Y: .375}}, physics.OpenBox(physics.Centred(size.X+.3, 1.05, size.Z+.3), .15), g.picture.stone),
		g.drop(r3.Vec{X: .4, Y: .9, Z: .5}), g.drop(r3.Vec{X: .95, Y: 1.2}), g.drop(r3.Vec{X: 1.5, Y: 1.5, Z: -.4}))
}

// add makes a body of one shape, and draws it from now on.
func (g *game) add(def physics.BodyDef, shape physics.Geometry, look rl.Material) error {
	body, err := g.world.AddBody(def)
	if err == nil {
		_, err = body.AddShape(physics.ShapeDef{Geometry: shape, Density: 450})
	}
	if err == nil {
		g.stepper.BindBody(body, g.picture.add(adapter.BodyTriangles(body), look))
	}
	return err
}

// drop lets a crate fall. It changes the world: call it while no step is under way.
func (g *game) drop(at r3.Vec) error {
	tilted := quat.Number(r3.NewRotation(.5, r3.Vec{X: 1, Y: 2, Z: .5}))
	return g.add(physics.BodyDef{Kind: physics.Dynamic, Position: at, Rotation: tilted}, physics.Box(physics.Centred(.36, .36, .36)), g.picture.wood)
}

// press takes the crate that the cursor's ray meets, or drops one over the place where it meets the water.
func (g *game) press() {
	g.stepper.BetweenSteps(func() {
		if g.hand.Grab(g.world, g.from, g.dir) || g.dir.Y >= 0 {
			return
		}
		at := r3.Add(g.from, r3.Scale((depth-g.from.Y)/g.dir.Y, g.dir))
		at.X, at.Y, at.Z = min(max(at.X, -1.6), 1.6), 1.5, min(max(at.Z, -.9), .9)
		if err := g.drop(at); err != nil {
			log.Print(err)
		}
	})
}

// steer reads the mouse.
func (g *game) steer() {
	g.point(rl.GetMousePosition())
	if rl.IsMouseButtonPressed(rl.MouseButtonLeft) {
		g.press()
	} else if rl.IsMouseButtonReleased(rl.MouseButtonLeft) {
		g.stepper.BetweenSteps(g.hand.Release)
	}
	if rl.IsMouseButtonDown(rl.MouseButtonRight) {
		rl.UpdateCamera(&g.picture.camera, rl.CameraThirdPerson) // turns about the basin, and the wheel goes nearer
	}
}

// point takes the ray under a pixel.
func (g *game) point(at rl.Vector2) {
	v := g.view()
	g.from, g.dir = adapter.CursorRay(v.View, v.Projection, float64(at.X), float64(at.Y), float64(rl.GetScreenWidth()), float64(v.Height))
}

// view is what the camera sees.
func (g *game) view() fluid.View {
	c, w, h := &g.picture.camera, rl.GetScreenWidth(), rl.GetScreenHeight()
	projection := rl.GetCameraProjectionMatrix(c, float32(w)/float32(h))
	return fluid.View{View: rl.MatrixToFloatV(rl.GetCameraMatrix(*c)), Projection: rl.MatrixToFloatV(projection), Height: h}
}
