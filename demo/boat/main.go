// Boat is a lighter in a harbour basin with waves: it floats at its draft, carries crates, heels
// when it is loaded at the side, steers by rudder and motor, and sinks when it is holed.
//
//	go run ./demo/boat
//	.ci/with-display go run ./demo/boat -headless
package main

import (
	"os"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/view"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

var demo = play.Demo[*boat]{
	Name: "boat", Frames: 1200, Budget: 12 * time.Millisecond, Cell: 0.08, Finest: 0.04, Coarsest: 0.2,
	Camera: "chase", Chased: "the boat", White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{Y: 0.7}, Radius: 8, Height: 2.4, Period: 60, Start: 0.3},
		Chase: view.Chase{Offset: r3.Vec{X: -1.9, Y: .62, Z: 3.3}, Lag: 0.5, Within: &eyes},
		Fixed: view.Pose{Eye: r3.Vec{X: 1.6, Y: 2.6, Z: 7.4}, Target: r3.Vec{X: 0.2, Y: 0.8, Z: 0}},
	},
	New:   func(s play.Settings) (*boat, error) { return newBoat(basin, s.Liquid()) },
	Dress: dress,
	Traced: play.Traced[*boat]{
		View:   view.Pose{Eye: r3.Vec{X: 2.2, Y: 2.3, Z: 4.3}, Target: r3.Vec{X: .2, Y: .85, Z: .9}},
		Frames: 300, Dress: trace,
	},
	Keys: []play.Key[*boat]{
		{Key: window.KeyUp, Name: "↑", What: "ahead", Do: func(b *boat) error { return b.take(.5, 0) }},
		{Key: window.KeyDown, Name: "↓", What: "astern", Do: func(b *boat) error { return b.take(-.5, 0) }},
		{Key: window.KeyLeft, Name: "←", What: "port", Do: func(b *boat) error { return b.take(0, .34) }},
		{Key: window.KeyRight, Name: "→", What: "starboard", Do: func(b *boat) error { return b.take(0, -.34) }},
		{Key: window.KeyA, Name: "A", What: "pilot", Do: func(b *boat) error { b.manual = false; return nil }},
		{Key: window.KeySpace, Name: "Space", What: "load a crate", Do: (*boat).load},
		{Key: window.KeyX, Name: "X", What: "hole", Do: (*boat).hole},
		{Key: window.KeyW, Name: "W", What: "waves", Do: func(b *boat) error { b.paddle.on = !b.paddle.on; return nil }},
	},
}
