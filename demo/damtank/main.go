// Damtank breaks the dam of Kim, Ihm, Cha 2006 in a long tank, in a window or into files. With -table it prints what a step costs there with a uniform
// grid, an adaptive one, and one that also follows a camera, as the paper's Table 1 does; that needs no screen.
//
//	go run ./demo/damtank
//	.ci/with-display go run ./demo/damtank -headless
//	go run ./demo/damtank -table -cell 0.02 -frames 120
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene"
)

func main() { os.Exit(run(os.Args[1:])) }

// settings are the flags of the table.
type settings struct {
	table  bool
	cell   float64 // m
	frames int
	modes  []string
	band   int // finest cells, of adaptive and view
	unseen int // levels
	cells  fluid.Discretisation
	work   float64 // thousand unknowns for adaptive and view; 0: no limit
}

// asked is what the flags say.
var asked = settings{modes: modes, band: 1, unseen: 2}

// The modes, in the order of the paper's table.
const (
	uniform  = "uniform"
	adaptive = "adaptive"
	viewed   = "view"
)

var modes = []string{uniform, adaptive, viewed}

// demo looks at the tank from its side.
var demo = play.Demo[*flood]{
	Name: "damtank", Frames: 240, Budget: 12 * time.Millisecond, Cell: .025, Finest: .01, Coarsest: .1, Chased: "the flood's front", White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{X: .8, Y: .75, Z: 1.6}, Radius: 4.4, Height: 1.1, Period: 60, Start: .9},
		Chase: view.Chase{Offset: r3.Vec{X: 1.6, Y: 1, Z: 1.5}, Lag: .3},
		Fixed: view.Pose{Eye: r3.Vec{X: 4.6, Y: 1.6, Z: 4}, Target: r3.Vec{X: .8, Y: .75, Z: 1.6}},
	},
	Flags: func(set *option.Set) {
		set.Bool(&asked.table, "table", "print what a step costs with each grid in place of a window: then -frames is 60 and -work 0 by default")
		set.Choices(&asked.modes, modes, "modes", "with -table, which of uniform, adaptive and view to run, in that order of the list; a -cell of 0.01 has the paper's 160 × 200 × 320 cells")
		set.Int(&asked.band, 1, 64, "band", "with -table, how many cells deep adaptive and view are finest at the surface; the paper has about one")
		set.Int(&asked.unseen, 1, 3, "unseen", "with -table, by how many levels the surface is coarser where view's camera does not look")
	},
	New: func(s play.Settings) (*flood, error) { return newFlood(s.Liquid()) },
	Dress: func(f *flood, o scene.LiquidOptions) *stage.Stage {
		s := stage.NewBasin(f.Liquid(), o, stage.Bright, dam.Tank, dam.Tank.Max.Y)
		s.Ground()
		return s
	},
	Keys: []play.Key[*flood]{{Key: window.KeySpace, Name: "Space", What: "one more", Do: (*flood).another}},
}

// readSettings reads the flags of the table, if they ask for one.
func readSettings(args []string) (settings, *option.Set, error) {
	s, set, err := demo.ReadSettings(args)
	t := asked
	t.cell, t.cells, t.frames = s.Cell, s.Cells, 60
	if set.Given("frames") {
		t.frames = s.Frames
	}
	if set.Given("work") {
		t.work = s.Work
	}
	for _, name := range []string{"modes", "band", "unseen"} {
		if err == nil && set.Given(name) && !t.table {
			err = fmt.Errorf("damtank: -%s is for -table", name)
		}
	}
	return t, set, err
}

// run plays the demo, or prints the table, and returns the exit code.
func run(args []string) int {
	s, set, err := readSettings(args)
	if err == nil && !s.table {
		return demo.Run(args)
	}
	if code, ends := set.Ends(err, os.Stdout, os.Stderr); ends {
		return code
	}
	var rows []row
	for _, mode := range s.modes {
		line := progress.New(os.Stderr, mode, s.frames)
		r, err := measure(mode, s, func(n, unknowns int) { line.Done(n, fmt.Sprintf("%d unknowns", unknowns)) })
		if err != nil {
			fmt.Fprintln(os.Stderr, "damtank:", err)
			return play.Failed
		}
		rows = append(rows, r)
	}
	fmt.Print(table(rows, s))
	return 0
}
