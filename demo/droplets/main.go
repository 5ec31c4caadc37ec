// Droplets are drops without weight: two fly into each other, merge and wobble, and what their swing takes is told beside what Lamb says; a drop that was
// stretched swings; a cube becomes a ball. Liquid that is nothing but its surface is stirred with a spoon, falls on the floor, and rolls off a ball.
//
//	go run ./demo/droplets
//	.ci/with-display go run ./demo/droplets -headless
//	.ci/with-display go run ./demo/droplets -headless -show cube
//	.ci/with-display go run ./demo/droplets -headless -show galley
package main

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

// asked is what the flags say.
var asked = struct{ show, method string }{collide, methods[0]}

// methods are the values of -method, in the order of fluid's.
var methods = []string{"cells", "surface"}

// demo looks at the drops from aside.
var demo = play.Demo[*drops]{
	Name: "droplets", Frames: 420, Budget: 16 * time.Millisecond, Cell: .03, Finest: .015, Coarsest: .06, Chased: "the liquid's middle", Tracked: true,
	Views: play.Views{
		Orbit: view.Orbit{Radius: 2.7, Height: .35, Period: 60, Start: -.2},
		Chase: view.Chase{Offset: r3.Vec{X: .5, Y: .6, Z: 2.6}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: .4, Y: .6, Z: 2.7}},
	},
	Flags: func(set *option.Set) {
		set.Choice(&asked.show, shows, "show", strings.Join([]string{
			"collide (two drops fly into each other)", "swing (a drop that was stretched)", "cube (it becomes a ball)",
			"bounce (two drops that must not merge; needs -tracker mesh)", "galley (a spoon pushes a blob into another)",
			"balloon (water whose balloon has burst falls on the floor)", "train (drops fall on a ball)",
		}, ", "))
		set.Choice(&asked.method, methods, "method", "what the liquid is known by: cells, or surface (its surface alone, with edges three times as long as -cell; so are galley, balloon and train in any case, and bounce can't be)")
	},
	New: func(s play.Settings) (*drops, error) {
		return newDrops(s.Liquid(), asked.show, fluid.Method(slices.Index(methods, asked.method)))
	},
	Dress: dress,
	Keys:  []play.Key[*drops]{{Key: window.KeySpace, Name: "Space", What: "poke", Do: (*drops).pokeIt}},
}
