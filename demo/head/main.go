// Head is a head of water with features narrower than two cells: weightless it smiles and frowns, with waves on its skin; over a basin it shakes and
// drips; a fast ball goes through it.
//
//	go run ./demo/head
//	.ci/with-display go run ./demo/head -headless
//	.ci/with-display go run ./demo/head -headless -show shake -series
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

func main() { os.Exit(demo.Run(os.Args[1:])) }

// asked is what the flags say; dials less than 0 mean the act's own.
var asked = struct {
	show string
	dials
	series bool
}{show: smile, dials: dials{-1, -1, -1}}

// series is what -series shows: held tightly, dripping, and dripping with waves. Source: Raveendran et al. 2012, section 7.
var series = []dials{{alpha: 1, attract: .8}, {alpha: .25, attract: .6}, {alpha: .25, attract: .6, waves: .012}}

// variants names them.
func variants() (names []string) {
	if !asked.series {
		return nil
	}
	for _, d := range series {
		names = append(names, fmt.Sprintf("α = %g, waves %g mm", d.alpha, 1e3*d.waves))
	}
	return names
}

// demo looks at the face.
var demo = play.Demo[*head]{
	Name: "head", Frames: 300, Budget: 16 * time.Millisecond, Cell: .05, Finest: .02, Coarsest: .1, Chased: "the head", Tracked: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{Y: centre}, Radius: 1.9, Height: .3, Period: 90, Start: .3},
		Chase: view.Chase{Offset: r3.Vec{X: .3, Y: .2, Z: 2}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: .5, Y: 1.5, Z: 2.3}, Target: r3.Vec{Y: centre}},
	},
	Flags: func(set *option.Set) {
		set.Choice(&asked.show, []string{smile, shake, hit}, "show", "smile (weightless, from a smile to a frown and back), shake (over a basin), or hit (a fast ball goes through)")
		set.Number(&asked.alpha, -1, 1, "alpha", "how tightly the liquid follows the head: 1 wholly, 0 not at all; less than 0 means the act's own: 1, 0.25 or 0.2")
		set.Number(&asked.attract, -1, 1, "attract", "how far the picture is drawn to the head's surface; less than 0 means the act's own")
		set.Number(&asked.waves, -1, .05, "waves", "how high small waves on the surface may be, m; less than 0 means the act's own")
		set.Bool(&asked.series, "series", "a headless run each for a head that is held tightly, one that drips, and one that drips with waves: a row each of the contact sheet")
	},
	Variants: variants,
	New: func(s play.Settings) (*head, error) {
		d := usual[asked.show]
		if asked.series {
			d = series[s.Variant]
		}
		for _, f := range []struct{ dial, said *float64 }{{&d.alpha, &asked.alpha}, {&d.attract, &asked.attract}, {&d.waves, &asked.waves}} {
			if *f.said >= 0 {
				*f.dial = *f.said
			}
		}
		return newHead(s.Liquid(), asked.show, d)
	},
	Dress: dress,
	Keys: []play.Key[*head]{
		{Key: window.KeySpace, Name: "Space", What: "let go, or hold again", Do: (*head).letGoOrHold},
		{Key: window.KeyT, Name: "T", What: "throw the ball", Do: (*head).throw},
	},
}
