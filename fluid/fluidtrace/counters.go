package fluidtrace

import (
	"strconv"
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
	if r.RolledBack {
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
	b := []byte{'{'}
	put := func(name string, v int64) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = appendString(b, name)
		b = append(b, ':')
		b = strconv.AppendInt(b, v, 10)
	}
	put("steps", c.steps.Load())
	put("substeps", c.substeps.Load())
	put("missed", c.missed.Load())
	put("rolled_back", c.rolledBack.Load())
	put("asleep", c.asleep.Load())
	put("warnings", c.warnings.Load())
	put("iterations", c.iterations.Load())
	put("surface_repairs", c.repairs.Load())
	put("surface_flown", c.flown.Load())
	put("unknowns", c.unknowns.Load())
	put("target_unknowns", c.target.Load())
	put("Liquid.Step", c.time.Load())
	for s := range c.stages {
		put(fluid.Stage(s).Marker(), c.stages[s].Load())
	}
	return string(append(b, '}'))
}
