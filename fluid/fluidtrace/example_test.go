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

// A black box beside a liquid that is stepped: it dumps when a step misses its budget, or when asked.
func ExampleBox() {
	dir, err := os.MkdirTemp("", "box")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	box, err := fluidtrace.NewBox(fluidtrace.BoxOptions{Dir: dir, Budget: time.Minute, About: "my game 1.2"})
	if err != nil {
		fmt.Println(err)
		return
	}
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(.5)); err != nil {
		fmt.Println(err)
		return
	}
	for n := range 3 {
		if n == 2 {
			box.Note("the player pressed F12")
			box.Dump("the player saw something odd")
		}
		r := liq.Step(1. / 60)
		box.Step(&r)
	}
	if err := box.Close(); err != nil {
		fmt.Println(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, f := range files {
		fmt.Println(filepath.Base(filepath.Dir(f)), filepath.Base(f))
	}
	// Output:
	// step0000003-asked steps.jsonl
	// step0000003-asked summary.txt
	// step0000003-asked trace.json
}
