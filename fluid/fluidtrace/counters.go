package fluidtrace

import (
	"encoding/json"
	"sync/atomic"

	"github.com/meniscus3d/meniscus/fluid"
)

// Counters are totals over steps. They may be read while steps are taken, and are an expvar.Var:
//
//	expvar.Publish("liquid", counters)
//
// The zero value is ready to use.
type Counters struct {
	steps, substeps, missed, rolledBack, asleep, warnings, iterations, time atomic.Int64
	stages                                                                  [fluid.StageCount]atomic.Int64
	repairs, flown                                                          atomic.Int64 // of an explicit mesh
	unknowns, target                                                        atomic.Int64 // of the last step
}

// Step adds a step.
func (c *Counters) Step(r *fluid.Report) {
	c.steps.Add(1)
	c.substeps.Add(int64(r.Substeps))
	c.iterations.Add(int64(r.Iterations))
	c.warnings.Add(int64(len(r.Warnings)))
	c.time.Add(int64(r.Duration))
	if r.Missed() {
		c.missed.Add(1)
	}
	if r.Err != nil {
		c.rolledBack.Add(1)
	}
	if r.Asleep() {
		c.asleep.Add(1)
	}
	c.repairs.Add(int64(r.Surface.Repairs))
	c.flown.Add(int64(r.Surface.Flown))
	for s := range r.Stages {
		c.stages[s].Add(int64(r.Stages[s].Duration))
	}
	c.unknowns.Store(int64(r.UnknownCount()))
	c.target.Store(int64(r.Plan.TargetUnknowns))
}

// String is the counters as a JSON object; times are ns.
func (c *Counters) String() string {
	all := map[string]int64{
		"steps": c.steps.Load(), "substeps": c.substeps.Load(), "missed": c.missed.Load(), "rolled_back": c.rolledBack.Load(), "asleep": c.asleep.Load(),
		"warnings": c.warnings.Load(), "iterations": c.iterations.Load(), "surface_repairs": c.repairs.Load(), "surface_flown": c.flown.Load(),
		"unknowns": c.unknowns.Load(), "target_unknowns": c.target.Load(), "Liquid.Step": c.time.Load(),
	}
	for s := range c.stages {
		all[fluid.Stage(s).Marker()] = c.stages[s].Load()
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // numbers by name always have an encoding
	}
	return string(text)
}
