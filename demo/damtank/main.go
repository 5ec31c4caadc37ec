// Damtank breaks a dam in a long tank (Kim, Ihm, Cha 2006, Table 1 and Figure 4) with a
// uniform grid, an adaptive one, and one that also follows a camera, and prints what each
// costs per step. It draws nothing and needs neither a screen nor a C compiler.
//
//	go run ./demo/damtank -cell 0.02 -frames 120
package main

import (
	"fmt"
	"os"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
)

// settings are the flags.
type settings struct {
	cell   float64 // m
	frames int
	modes  []string
	band   int     // finest cells, of adaptive and view
	unseen int     // levels
	work   float64 // thousand unknowns for adaptive and view; 0: no limit
}

// The modes, in the order of the paper's table.
const (
	uniform  = "uniform"
	adaptive = "adaptive"
	viewed   = "view"
)

var modes = []string{uniform, adaptive, viewed}

func readSettings(args []string) (settings, *option.Set, error) {
	s := settings{cell: 0.025, frames: 60, modes: modes, band: 1, unseen: 2}
	set := option.New("damtank")
	set.Number(&s.cell, 0.01, 0.1, "cell", "edge of the finest cells, m; the tank is 1.6 × 2 × 3.2 m, so that 0.01 is the paper's 160 × 200 × 320")
	set.Int(&s.frames, 1, 100_000, "frames", "steps of 1/60 s")
	set.Choices(&s.modes, modes, "modes", "which of uniform, adaptive and view to run, in that order of the list")
	set.Int(&s.band, 1, 64, "band", "how many cells deep adaptive and view are finest at the surface; the paper has about one")
	set.Int(&s.unseen, 1, 3, "unseen", "by how many levels the surface is coarser where view's camera does not look")
	set.Number(&s.work, 0, 1e6, "work", "thousands of unknowns that adaptive and view may use; 0 means no limit")
	err := set.Parse(args)
	return s, set, err
}

func main() { os.Exit(run(os.Args[1:])) }

// run returns the exit code.
func run(args []string) int {
	s, set, err := readSettings(args)
	if code, ends := set.Ends(err, os.Stdout, os.Stderr); ends {
		return code
	}
	var rows []row
	for _, mode := range s.modes {
		line := progress.New(os.Stderr, mode, s.frames)
		r, err := measure(mode, s, func(n, unknowns int) { line.Done(n, fmt.Sprintf("%d unknowns", unknowns)) })
		if err != nil {
			fmt.Fprintln(os.Stderr, "damtank:", err)
			return 1
		}
		rows = append(rows, r)
	}
	fmt.Print(table(rows, s))
	return 0
}
