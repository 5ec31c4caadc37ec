// Profile steps a scene without drawing it and says where the time goes: a table, plots, a trace and
// JSON; or it compares two such runs. It needs neither a screen nor a C compiler.
//
//	go run ./demo/profile -scene pool -budget 8ms -frames 600 -out out/before
//	go run ./demo/profile -compare out/before/profile.json out/after/profile.json
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/fluid"
)

// settings are the flags.
type settings struct {
	scene         string
	cell          float64 // m; 0: the scene's own
	budget        time.Duration
	work          float64 // thousand unknowns; 0: the budget plans
	frames        int
	repeat        int
	fps           float64 // 0: no frames to wait for
	workers       int
	seed          int
	tracker       fluid.Tracker
	watch         time.Duration
	out           string
	cpu, regions  bool
	box           bool
	compare, with string  // files of two runs: before and after
	allow         float64 // %
}

// Exit codes.
const (
	slower = 1 // a comparison says so
	failed = 1
)

func readSettings(args []string) (settings, *option.Set, error) {
	s := settings{scene: sceneKinds[0].name, budget: 8 * time.Millisecond, frames: 600, repeat: 1, seed: 1, watch: time.Second, out: "out/profile", allow: 5}
	set := option.New("profile")
	set.Choice(&s.scene, sceneNames(), "scene", "what to step")
	set.Number(&s.cell, 0, 0.2, "cell", "edge of the finest cells, m; 0 means the scene's own")
	set.Duration(&s.budget, 0, time.Second, "budget", "time a step may take; 0 means no limit")
	set.Number(&s.work, 0, 1e6, "work", "thousands of unknowns a step may take: the plan, and so the work, is then the same in every run, and the budget only judges it")
	set.Int(&s.frames, 2*block, 100_000, "frames", "steps of 1/60 s")
	set.Int(&s.repeat, 1, 100, "repeat", "how often to run the scene; with several, a comparison knows the noise between runs too")
	set.Number(&s.fps, 0, 1000, "fps", "frames a second that steps wait for, as in a game; 0: they follow on each other")
	set.Int(&s.workers, 0, 256, "workers", "goroutines that share a step; 0 means one per processor")
	set.Int(&s.seed, 0, 1_000_000_000, "seed", "how the pool's bodies lie when they are dropped")
	set.Tracker(&s.tracker, "tracker", "how the liquid's surface is followed")
	set.Duration(&s.watch, 0, time.Minute, "watch", "how long to watch, before and after each run, what the machine takes from threads that do nothing; 0: not")
	set.Text(&s.out, "out", "folder for the plots, profile.json and trace.json")
	set.Bool(&s.cpu, "cpu", "write cpu.pprof, for go tool pprof, whose samples carry their stage as a label")
	set.Bool(&s.regions, "regions", "write regions.trace, for go tool trace, in which stages are regions")
	set.Bool(&s.box, "box", "keep a black box that dumps into the folder box of -out when a step misses its budget; demo/replay takes the pool's steps again")
	set.Text(&s.compare, "compare", "compare the profile.json of a run before with that of a run after, which follows")
	set.Operand(&s.with, "AFTER.json")
	set.Number(&s.allow, 0, 1000, "allow", "by how many % a comparison lets the median step get slower, beyond the noise, before the exit code is 1")
	err := set.Parse(args)
	if err == nil && (s.compare == "") != (s.with == "") {
		err = errors.New("profile: -compare needs two files: -compare BEFORE.json AFTER.json")
	}
	return s, set, err
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit code.
func run(args []string, out, errs io.Writer) int {
	s, set, err := readSettings(args)
	if code, ends := set.Ends(err, out, errs); ends {
		return code
	}
	code := 0
	if s.compare != "" {
		code, err = runCompare(s, out)
	} else {
		err = runProfile(s, out, errs)
	}
	if err != nil {
		fmt.Fprintln(errs, "profile:", err)
		return failed
	}
	return code
}

// runProfile runs the scene and writes what there is to know.
func runProfile(s settings, out, errs io.Writer) error {
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	stop, err := watch(s)
	if err != nil {
		return err
	}
	p, err := measure(s, errs)
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	if err := p.write(s.out); err != nil {
		return err
	}
	if err := p.plot(s.out); err != nil {
		return err
	}
	fmt.Fprint(out, p.table())
	fmt.Fprintf(out, "\nplots, profile.json and trace.json (for ui.perfetto.dev) in %s\n", s.out)
	return nil
}

// runCompare compares two runs.
func runCompare(s settings, out io.Writer) (code int, err error) {
	before, err := readProfile(s.compare)
	if err != nil {
		return 0, err
	}
	after, err := readProfile(s.with)
	if err != nil {
		return 0, err
	}
	c, err := compare(before, after)
	if err != nil {
		return 0, err
	}
	fmt.Fprint(out, c.table())
	if c.slower(s.allow) {
		fmt.Fprintf(out, "\nthe median step is slower by more than %g %%, beyond the noise\n", s.allow)
		return slower, nil
	}
	return 0, nil
}
