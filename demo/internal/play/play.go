// Package play runs a demo's scenario in a window, or steps it and draws it into files.
package play

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/g3n/engine/window"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene"
)

// Timestep is the length of a step, s.
const Timestep = 1.0 / 60

// Demo is what there is to play.
type Demo[S Scenario] struct {
	Name             string
	Frames           int           // of a headless run, by default
	Budget           time.Duration // of a step, by default; 0: 8 ms
	Cell             float64       // m, by default
	Finest, Coarsest float64       // m, the limits of Cell
	Camera           string        // of -camera, by default; "": orbit
	Sky              string        // of -sky, by default; "": afternoon
	Chased           string        // what -camera chase follows
	Seeded           string        // what -seed changes; "": nothing, and there is no such flag
	Tracked          bool          // has -tracker, which Settings.Liquid follows, and -compare
	Thin             bool          // has -thickening, and with -compare contouring with it, too
	Liquids          bool          // has -liquid, which Settings.Liquid and the options of Dress follow
	White            bool          // has spray, foam and bubbles, which Settings.Liquid follows, and -whitewater to leave them out
	Views            Views
	Flags            func(set *option.Set) // adds those of the demo alone; nil: there are none
	// Variants, if not nil, names what a headless run plays one after another, each a row of the contact sheet; New is told which in
	// Settings.Variant. With none of them it plays the demo once.
	Variants func() []string
	New      func(s Settings) (S, error)
	// Dress builds what a scenario looks like, with a liquid's node of these options. It needs the
	// window's OpenGL context.
	Dress func(scenario S, o scene.LiquidOptions) *stage.Stage
	Keys  []Key[S]
	// Traced is the demo's picture by ray tracing, with the flag -traced.
	Traced Traced[S]
}

// Key is what a key of the window does to the scenario.
type Key[S Scenario] struct {
	Key  window.Key
	Name string
	What string
	Do   func(scenario S) error
}

// OpenGL belongs to the thread that makes the window: the main one.
func init() { runtime.LockOSThread() }

// Failed is the exit code for what went wrong on the way.
const Failed = 1

// Run plays the demo as the arguments, without the program's name, say. It returns the exit code.
func (d *Demo[S]) Run(args []string) int {
	s, set, err := d.ReadSettings(args)
	play := d.runWindow
	switch {
	case s.Tracing.On:
		play = d.runTraced
	case s.Headless:
		play = d.runHeadless
	}
	return run(d.Name, s, set, err, play)
}

// run plays a demo unless its flags or the display are not right, and returns the exit code.
func run(name string, s Settings, set *option.Set, err error, play func(Settings) error) int {
	if code, ends := set.Ends(err, os.Stdout, os.Stderr); ends {
		return code
	}
	if os.Getenv("DISPLAY") == "" && !s.Tracing.On {
		fmt.Fprintln(os.Stderr, needDisplay(name, s.Headless))
		return Failed
	}
	if err := play(s); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return Failed
	}
	return 0
}

// needDisplay says what to do without a screen: OpenGL needs one even to draw into files.
func needDisplay(name string, headless bool) string {
	flags := "-headless"
	if headless {
		flags += " ..."
	}
	return fmt.Sprintf(`%s: no DISPLAY: run it as .ci/with-display go run ./demo/%s %s, or xvfb-run -a -s "-screen 0 1280x720x24" in front`, name, name, flags)
}

// Step cues a scenario and takes one step.
func Step(s Scenario) (*fluid.Report, error) {
	if err := s.Cue(); err != nil {
		return &fluid.Report{}, err
	}
	r := s.Liquid().Step(Timestep)
	advance(s, r)
	return r, nil
}

// Turned is a dial's setting after the one at hand: the next lower, or the first again. The settings fall.
func Turned(settings []float64, now float64) float64 {
	for _, s := range settings {
		if s < now {
			return s
		}
	}
	return settings[0]
}
