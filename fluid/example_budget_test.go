package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// A budget in work, thousands of unknowns, gives the same bits on every machine. Cells get coarser until a step fits it.
func ExampleBudget() {
	run := func(work float64) (unknowns int, hash uint64) {
		liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 1}}, CellSize: .05, Budget: fluid.Budget{Work: work}})
		if err == nil {
			defer liq.Close()
			err = liq.Fill(fluid.Below(.6))
		}
		if err != nil {
			panic(err)
		}
		var r fluid.Report
		for range 20 {
			r = *liq.Step(1. / 60)
		}
		return r.UnknownCount(), liq.Hash()
	}
	all, _ := run(0) // no limit
	some, hash := run(2)
	_, again := run(2)
	fmt.Println("fewer unknowns:", some <= 2000 && some < all, "the same bits:", hash == again)
	// Output:
	// fewer unknowns: true the same bits: true
}

// Where the time of a step goes. Profile has workers tell what they did, for a trace with a track of each.
func ExampleLiquid_Profile() {
	liq, _ := tank()
	defer liq.Close()
	if err := liq.Profile(fluid.Profiling{WorkerSpans: 1024}); err != nil {
		fmt.Println(err)
		return
	}
	r := *liq.Step(1. / 60)
	slowest := fluid.Stage(0)
	for s, stage := range r.Stages {
		if stage.Duration > r.Stages[slowest].Duration {
			slowest = fluid.Stage(s)
		}
	}
	fmt.Println("a stage takes time:", r.Stages[slowest].Duration > 0 && r.Stages[slowest].Duration <= r.Duration)
	fmt.Println("in traces the solve is", fluid.StageSolve.Marker())
	fmt.Println("work is told:", len(r.WorkerSpans) > 0)
	// Output:
	// a stage takes time: true
	// in traces the solve is Liquid.Solve
	// work is told: true
}

// Queries about a region: how much liquid there is in a bucket.
func ExampleLiquid_VolumeIn() {
	liq, _ := tank()
	defer liq.Close()
	bucket := fluid.Cylinder(r3.Vec{X: .5, Y: .3, Z: .5}, r3.Vec{X: .5, Y: .7, Z: .5}, .25)
	litres, err := liq.VolumeIn(bucket)
	if err != nil {
		fmt.Println(err)
		return
	}
	density, err := liq.DensityIn(bucket)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f litres, half full: %v\n", litres, density > 450 && density < 550)
	// Output:
	// 39 litres, half full: true
}
