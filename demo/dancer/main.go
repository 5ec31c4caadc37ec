// Dancer is a figure of water that rises from a pool, turns, throws its arms and carries a crate on its hand. A key breaks it, and it falls
// back; another turns the dial between a figure that follows tightly and one that flows.
//
//	go run ./demo/dancer
//	.ci/with-display go run ./demo/dancer -headless -alpha .7
package main

import (
	"math"
	"os"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/demo/internal/view"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

// dial is what the flags say of the figure.
var dial = struct{ alpha, attract, refill, breaks float64 }{alpha: 1, refill: 60, breaks: shapes.End}

// fallTime, s, is how long a headless run goes on after the dance, for the figure to fall.
const fallTime = 1.5

// demo looks at the figure from its front, with the pool's surface below the middle.
var demo = play.Demo[*dancer]{
	Name: "dancer", Frames: int(math.Ceil((shapes.End + fallTime) / play.Timestep)), Budget: 16 * time.Millisecond, Cell: .04, Finest: .02, Coarsest: .1, Sky: "hall", Chased: "the crate",
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{Y: 1.84}, Radius: 2.5, Height: .62, Period: 90, Start: -.5},
		Chase: view.Chase{Offset: r3.Vec{X: -.6, Y: .5, Z: 2.2}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: -1.6, Y: 2.2, Z: 4.3}, Target: r3.Vec{Y: 1.6}},
	},
	Flags: func(set *option.Set) {
		set.Number(&dial.alpha, 0, 1, "alpha", "how tightly the liquid follows the figure: 1 wholly, 0 not at all")
		set.Number(&dial.attract, 0, 1, "attract", "how far the picture of the liquid is drawn to the figure's surface: 1 wholly, 0 not at all")
		set.Number(&dial.refill, 0, 1000, "refill", "litres/s that the figure may take from the bottom of the pool for what it lacks, or give back")
		set.Number(&dial.breaks, 0, 1e6, "break", "seconds after which a headless run breaks the figure; 0 means never")
	},
	New:   begin,
	Dress: dress,
	Keys: []play.Key[*dancer]{
		{Key: window.KeySpace, Name: "Space", What: "break, or rise again", Do: (*dancer).toggle},
		{Key: window.KeyA, Name: "A", What: "α", Do: (*dancer).loosen},
		{Key: window.KeyE, Name: "E", What: "crate", Do: (*dancer).give},
	},
}

// begin makes what the flags say.
func begin(s play.Settings) (*dancer, error) {
	d, err := newDancer(s.Liquid(), dial.alpha, dial.refill, dial.attract)
	if err == nil && s.Headless {
		d.breaks = dial.breaks
	}
	return d, err
}
