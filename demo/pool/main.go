// Pool is a pool with steps and a column, a spout that pours, and crates, a ball and a
// dinghy that drop in: liquid and rigid bodies together, in a window or into files.
//
//	go run ./demo/pool
//	xvfb-run -a -s "-screen 0 1280x720x24" go run ./demo/pool -headless -frames 240
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/meniscus3d/meniscus/demo/internal/option"
)

// OpenGL belongs to the thread that makes the window: the main one.
func init() { runtime.LockOSThread() }

// Exit codes.
const (
	failed   = 1
	badUsage = 2
)

func main() { os.Exit(run(os.Args[1:])) }

// run returns the exit code.
func run(args []string) int {
	s, set, err := readSettings(args)
	switch {
	case errors.Is(err, option.ErrHelp):
		set.Usage(os.Stdout)
		return 0
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return badUsage
	}
	if os.Getenv("DISPLAY") == "" {
		fmt.Fprintln(os.Stderr, needDisplay(s.headless))
		return failed
	}
	play := runWindow
	if s.headless {
		play = runHeadless
	}
	if err := play(s); err != nil {
		fmt.Fprintln(os.Stderr, "pool:", err)
		return failed
	}
	return 0
}

// needDisplay says what to do without a screen: OpenGL needs one even to draw into files.
func needDisplay(headless bool) string {
	flags := "-headless"
	if headless {
		flags += " ..."
	}
	return `pool: no DISPLAY: run it as xvfb-run -a -s "-screen 0 1280x720x24" go run ./demo/pool ` + flags + `, or let make demo do so`
}
