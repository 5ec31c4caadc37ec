// Tables measures the tables of three papers here and prints them beside the papers' figures: Klingner et al. 2006, what remeshing takes; Chentanez et al. 2007, what
// simulation, mesh and surface take; Kim, Ihm, Cha 2006, what grids that follow surface and camera save. Two tables
// without a paper compare a dam break on cubes with one on tetrahedra that takes as much time, and with each surface tracker. It needs no screen.
//
//	go run ./demo/tables
//	go run ./demo/tables -size full -tables chentanez
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/fluid"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// failed is the exit code for what went wrong on the way.
const failed = 1

// settings are the flags.
type settings struct {
	tables []string
	cells  fluid.Discretisation
	size   size
	steps  int // 0: as many as the size has
	across int // finest cells along the shortest edge of Kim's tanks; 0: as many as the size has
	// workers share a step; the papers' ran on one.
	workers int
}

// size is how large the scenes are.
type size int

// The sizes.
const (
	quick size = iota
	full
	paper
)

// sizes are the words for the sizes, in their order.
var sizes = []string{"quick", "full", "paper"}

// readSettings reads the flags.
func readSettings(args []string) (settings, *option.Set, error) {
	s := settings{tables: names(), workers: runtime.GOMAXPROCS(0)}
	word := sizes[s.size]
	set := option.New("tables")
	set.Choices(&s.tables, names(), "tables", "which of klingner (Table 1), chentanez (Table 1), kim1 and kim2 (Tables 1 and 2), dambreak, on cubes and tetrahedra beside each other, and trackers, the same with each surface tracker")
	set.Discretisation(&s.cells, "cells", "what space is divided into")
	set.Choice(&word, sizes, "size", "quick: a minute for all; full: about a million tetrahedra, and half of Kim's cells along an edge; paper: as many steps of as many cells as Kim has, which takes hours and up to 16 GB")
	set.Int(&s.steps, 0, 10_000, "frames", "steps of each row; 0: as many as -size has")
	set.Int(&s.across, 0, 1000, "across", "finest cells along the shortest edge of Kim's tanks; 0: as many as -size has")
	set.Int(&s.workers, 1, 256, "workers", "goroutines that share a step; the papers' programs ran on one core")
	err := set.Parse(args)
	s.size = size(slices.Index(sizes, word))
	return s, set, err
}

// run prints the tables that the arguments, without the program's name, ask for. It returns the exit code.
func run(args []string, out, errs io.Writer) int {
	s, set, err := readSettings(args)
	if code, ends := set.Ends(err, out, errs); ends {
		return code
	}
	fmt.Fprintf(out, "%s, size %s, %d workers; a step is 1/60 s; here, and in brackets the paper's figures\n", option.Discretisations[s.cells], sizes[s.size], s.workers)
	for _, t := range tables() {
		if !slices.Contains(s.tables, t.name) {
			continue
		}
		if err := t.measure(s, errs); err != nil {
			fmt.Fprintf(errs, "tables: %s: %v\n", t.name, err)
			return failed
		}
		fmt.Fprint(out, t)
	}
	return 0
}

// resources are a liquid's.
func (s *settings) resources() fluid.Resources {
	return fluid.Resources{Workers: s.workers, MaxMemory: 64 << 30}
}

// measure fills in the rows that run here, with a line of progress for each.
func (t *table) measure(s settings, errs io.Writer) error {
	for i := range t.rows {
		r := &t.rows[i]
		if r.scene == nil {
			continue
		}
		run := r.scene(s)
		if s.steps > 0 {
			run.Lead, run.Steps = run.Lead*s.steps/run.Steps, s.steps
		}
		line := progress.New(errs, t.name+" "+r.name, run.Steps)
		run.Done = func(n int, rep *fluid.Report) { line.Done(n, fmt.Sprintf("%d unknowns", rep.UnknownCount())) }
		m, err := run.Measure()
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		r.here = t.values(&m)
		if m.RolledBack > 0 {
			r.note = fmt.Sprintf("%d of %d steps were rolled back", m.RolledBack, run.Steps)
		}
	}
	return nil
}
