// Pump lifts liquid from one tank into another: a piston draws it through a flap on a hinge and
// drives it out through a second one. Only the liquid opens and shuts the flaps.
//
//	go run ./demo/pump
//	xvfb-run -a -s "-screen 0 1280x720x24" go run ./demo/pump -headless
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

// demo looks through the glass at the front: everything moves in one plane. Its budget is for 10,000
// unknowns: on cells much coarser than 0.05 m the flaps leak and hang.
var demo = play.Demo[*pump]{
	Name: "pump", Frames: 600, Budget: 14 * time.Millisecond, Cell: 0.05, Finest: 0.02, Coarsest: 0.1, Chased: "the piston", White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{X: -0.2, Y: 0.95}, Radius: 3.3, Height: 0.55, Period: 120, Start: -0.3},
		Chase: view.Chase{Offset: r3.Vec{X: 0.4, Y: 0.35, Z: 2.4}, Lag: 0.4},
		Fixed: view.Pose{Eye: r3.Vec{X: -0.2, Y: 1.15, Z: 3.9}, Target: r3.Vec{X: -0.2, Y: 0.85}},
	},
	New:   func(s play.Settings) (*pump, error) { return newPump(s.Liquid()) },
	Dress: dress,
	Keys: []play.Key[*pump]{
		{Key: window.KeySpace, Name: "Space", What: "piston", Do: (*pump).toggleRest},
		{Key: window.KeyE, Name: "E", What: "pipe back", Do: (*pump).togglePipe},
	},
}
