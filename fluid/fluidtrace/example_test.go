package fluidtrace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// A black box beside a liquid that is stepped: it dumps when a step misses its budget, or when asked, and the steps of a
// dump are taken again.
func ExampleFlightRecorder() {
	dir, err := os.MkdirTemp("", "box")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	liq := halfFull()
	defer liq.Close()
	box, err := fluidtrace.NewFlightRecorder(fluidtrace.FlightRecorderOptions{Dir: dir, Liquid: liq, Budget: time.Minute, About: "my game 1.2"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for n := range 3 {
		if n == 2 {
			box.Note("splash") // a line that the game reads below
			splash(liq)
			box.Dump("the player pressed F12")
		}
		r := *liq.Step(1. / 60)
		box.Step(&r)
	}
	if err := box.Close(); err != nil {
		fmt.Println(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, f := range files {
		fmt.Println(filepath.Base(filepath.Dir(f)), filepath.Base(f))
	}

	again := halfFull() // in another process, days later
	defer again.Close()
	dump, err := fluidtrace.OpenDump(filepath.Join(dir, "step0000003-asked"))
	if err == nil {
		err = dump.Restore(again)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range dump.Steps {
		if len(step.Notes) == 1 && step.Notes[0] == "splash" {
			splash(again)
		}
		if _, err := step.Replay(again); err != nil {
			fmt.Println(err)
		}
		if step.Hash != 0 { // it is known of some steps, and of the last
			fmt.Println("step", step.Step, "again, with the same hash:", again.Hash() == step.Hash)
		}
	}
	// Output:
	// step0000003-asked liquid.state
	// step0000003-asked steps.jsonl
	// step0000003-asked summary.txt
	// step0000003-asked trace.json
	// step 3 again, with the same hash: true
}

// halfFull is the game's tank.
func halfFull() *fluid.Liquid {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1})
	if err == nil {
		err = liq.Fill(fluid.Below(.5))
	}
	if err != nil {
		panic(err)
	}
	return liq
}

// splash is what the game does.
func splash(liq *fluid.Liquid) {
	if err := liq.Fill(fluid.Sphere(r3.Vec{X: .5, Y: .8, Z: .5}, .1)); err != nil {
		panic(err)
	}
}
