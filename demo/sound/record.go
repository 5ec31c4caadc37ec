package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/synth"
	"github.com/meniscus3d/meniscus/fluid"
)

// record plays the scenario undrawn and writes what is heard into a file. It returns how many seconds that is.
func record(s play.Settings, file string) (seconds float64, err error) {
	k, err := newTank(s.Liquid(), false)
	if err != nil {
		return 0, err
	}
	defer k.Close()
	if err := k.Liquid().SetBudget(fluid.Budget{Work: s.Work}); err != nil { // the same on every machine
		return 0, err
	}
	moves, line := play.NewMover(s.Camera, demo.Views), progress.New(os.Stderr, "step", s.Frames)
	var all []int16
	for n := 1; n <= s.Frames; n++ {
		k.SeenFrom(moves.Advance(play.Timestep, k.Subject()))
		if _, err := play.Step(k); err != nil {
			return 0, err
		}
		all = append(all, k.samples...)
		line.Done(n, fmt.Sprintf("%.3g W of splashes", k.power))
	}
	f, err := os.Create(file)
	if err != nil {
		return 0, err
	}
	err = synth.WriteWAV(f, all)
	return float64(len(all)) / (synth.Channels * synth.Rate), errors.Join(err, f.Close())
}
