// Pool is a pool with steps and a column, a spout that pours, and crates, a ball and a
// dinghy that drop in: liquid and rigid bodies together, in a window or into files.
//
//	go run ./demo/pool
//	xvfb-run -a -s "-screen 0 1280x720x24" go run ./demo/pool -headless -frames 240
package main

import (
	"os"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/demo/internal/view"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

// demo is the pool as it is played.
var demo = play.Demo[*pool.Pool]{
	Name: "pool", Frames: 600, Cell: pool.Cell, Finest: pool.Finest, Coarsest: pool.Coarsest,
	Chased: "the dinghy", Seeded: "how the bodies lie when they are dropped", Tracked: true, Liquids: true, White: true,
	Views: play.Views{
		Orbit: pool.Orbit,
		Chase: pool.Chase,
		Fixed: view.Pose{Eye: r3.Vec{X: 1.2, Y: 2.0, Z: 6.5}, Target: r3.Vec{X: 0.1, Y: 0.85, Z: 0}},
	},
	New: func(s play.Settings) (*pool.Pool, error) {
		return pool.New(s.Liquid(), s.Seed)
	},
	Dress: dress,
	Traced: play.Traced[*pool.Pool]{
		View:   view.Pose{Eye: r3.Vec{X: 2.0, Y: 2.72, Z: 3.55}, Target: r3.Vec{X: -.12, Y: 1.14, Z: -.35}},
		Frames: 182, Dress: trace,
	},
	Keys: []play.Key[*pool.Pool]{
		{Key: window.KeySpace, Name: "Space", What: "drop one more", Do: (*pool.Pool).DropRandom},
		{Key: window.KeyE, Name: "E", What: "spout", Do: (*pool.Pool).TogglePouring},
	},
}
