// Morph bends water: a shape is pulled out of a pool, twisted, stretched, squashed and thrown back, by a few keys and a morph between them
// that keeps their volume.
//
//	go run ./demo/morph
//	.ci/with-display go run ./demo/morph -headless
//	.ci/with-display go run ./demo/morph -headless -compare
//	.ci/with-display go run ./demo/morph -headless -show hit
//	go run ./demo/morph -show bars
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/view"
)

func main() { os.Exit(run(os.Args[1:])) }

// run returns the exit code. The bars need no screen.
func run(args []string) int {
	s, _, err := demo.ReadSettings(args)
	if err != nil || asked.show != bars {
		return demo.Run(args)
	}
	if err := showBars(s.Out); err != nil {
		fmt.Fprintln(os.Stderr, "morph:", err)
		return play.Failed
	}
	return 0
}

// asked is what the flags say.
var asked = struct {
	show    string
	alpha   float64 // less than 0: usual
	compare bool
	mesh    string // "": the rabbit
}{show: bend, alpha: -1}

// usual are the strengths with which each act is shown where no flag says another. Source: Raveendran et al. 2012, §6.
var usual = map[string]float64{bend: .5, hit: .2}

// compared are the strengths that -compare shows.
var compared = []float64{1, .5, .25}

// variants names them.
func variants() (names []string) {
	if !asked.compare {
		return nil
	}
	for _, strength := range compared {
		names = append(names, fmt.Sprintf("α = %g", strength))
	}
	return names
}

// demo looks at the shape from its front.
var demo = play.Demo[*bending]{
	Name: "morph", Frames: 480, Budget: 16 * time.Millisecond, Cell: .04, Finest: .02, Coarsest: .1, Chased: "the shape",
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{X: .3, Y: 1.75}, Radius: 3.8, Height: .75, Period: 90, Start: .25},
		Chase: view.Chase{Offset: r3.Vec{X: .6, Y: .5, Z: 3.2}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: 1.2, Y: 2.1, Z: 4.1}, Target: r3.Vec{X: .2, Y: 1.6}},
	},
	Flags: func(set *option.Set) {
		set.Choice(&asked.show, []string{bend, hit, bars}, "show", "bend (a shape is pulled out of the pool, bent and thrown back), hit (a ball hits a shape that is held), or bars (how morphs keep their volume: a picture and numbers, without liquid)")
		set.Number(&asked.alpha, -1, 1, "alpha", "how tightly the liquid follows the shape: 1 wholly, 0 not at all; less than 0 means 0.5, or 0.2 with -show hit")
		set.Bool(&asked.compare, "compare", "a headless run for each α of 1, 0.5 and 0.25: a row each of the contact sheet")
		set.Text(&asked.mesh, "mesh", "an OBJ file with a closed mesh, to be bent in place of the rabbit")
	},
	Variants: variants,
	New: func(s play.Settings) (*bending, error) {
		strength := asked.alpha
		switch {
		case asked.compare:
			strength = compared[s.Variant]
		case strength < 0:
			strength = usual[asked.show]
		}
		return newShow(s.Liquid(), strength)
	},
	Dress: dress,
	Keys: []play.Key[*bending]{
		{Key: window.KeySpace, Name: "Space", What: "break, or rise again", Do: (*bending).breakOrRise},
		{Key: window.KeyA, Name: "A", What: "α", Do: (*bending).nextStrength},
		{Key: window.KeyT, Name: "T", What: "throw a ball", Do: (*bending).throwBall},
	},
}
