// Sound plays what package sounds tells of a liquid: a dam breaks and hits the far wall, a tap plunges into the pool, a ball falls in. It makes the sound itself,
// in plain Go, and plays it where there is a device; with -wav it writes it into a file, and needs neither a device nor a screen.
//
//	go run ./demo/sound
//	go run ./demo/sound -headless -wav dam.wav
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

// asked is what the flags say.
var asked struct {
	wav  string
	mute bool
}

// demo looks at the tank from in front, so that left is left.
var demo = play.Demo[*tank]{
	Name: "sound", Frames: 480, Budget: 12 * time.Millisecond, Cell: .05, Finest: .025, Coarsest: .1, Camera: "fixed", Chased: "the ball",
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{X: 1.2, Y: .4, Z: .5}, Radius: 3.2, Height: 1.2, Period: 60},
		Chase: view.Chase{Offset: r3.Vec{Y: .8, Z: 2.6}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: 1.2, Y: 1.4, Z: 3.6}, Target: r3.Vec{X: 1.2, Y: .4, Z: .5}},
	},
	Flags: func(set *option.Set) {
		set.Text(&asked.wav, "wav", "with -headless, write the sound into this file in place of pictures")
		set.Bool(&asked.mute, "mute", "play no sound")
	},
	New:   func(s play.Settings) (*tank, error) { return newTank(s.Liquid(), !s.Headless && !asked.mute) },
	Dress: dress,
	Keys: []play.Key[*tank]{
		{Key: window.KeySpace, Name: "Space", What: "open or shut the tap", Do: (*tank).toggle},
		{Key: window.KeyD, Name: "D", What: "drop the ball", Do: (*tank).drop},
	},
}

// run plays the demo, or records it if -wav asks for that, and returns the exit code.
func run(args []string) int {
	s, set, err := demo.ReadSettings(args)
	if err != nil || asked.wav == "" {
		return demo.Run(args)
	}
	if !s.Headless {
		set.Ends(nil, os.Stdout, os.Stderr)
		fmt.Fprintln(os.Stderr, "sound: -wav is for a -headless run")
		return option.BadUsage
	}
	seconds, err := record(s, asked.wav)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sound:", err)
		return play.Failed
	}
	fmt.Printf("%.1f s of sound in %s\n", seconds, asked.wav)
	return 0
}
