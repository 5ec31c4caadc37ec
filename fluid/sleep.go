package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// sleepState is the liquid's sleep: where nothing moves, a step costs next to nothing. Whatever acts on the
// liquid ends it: an edit, a tap, a sink, a field, a moving obstacle, an awake body in the wet.
type sleepState struct {
	slow   float64 // for how long nothing was faster than adaptive.SlowSpeedBody, s
	time   float64 // for how long it was calm, s
	asleep bool
}

// code goes along the sleep. Before version 7 it counted steps, at an assumed 60 a second.
func (s *sleepState) code(c *codec.Codec) {
	const most = math.MaxFloat64
	c.Float64(&s.slow, 0, most)
	if c.Version() >= 7 {
		c.Float64(&s.time, 0, most)
	} else {
		steps := 0
		c.Int(&steps, 0, math.MaxInt)
		if c.Reading() {
			s.time = float64(steps) / 60
		}
	}
	c.Bool(&s.asleep)
}

// dampSlowMotion takes from the liquid's slowest motion what ripples and boundary layers finer than a cell take from real water; without it a pool
// with a box afloat swings by millimetres for ever. What drifts where nothing has weight drifts on.
func (l *Liquid) dampSlowMotion() {
	par.Each(l.pool, l.m.Grid.Bases(), 8, l, (*Liquid).dampBlock)
}

// dampsBodies counts for how long the liquid has been slow, and tells whether it is for bodies to be soothed too.
func (l *Liquid) dampsBodies() bool {
	c := &l.sleep
	if c.slow += l.m.Dt; l.m.Survey.MaxSpeed > adaptive.SlowSpeedBody {
		c.slow = 0
	}
	return c.slow >= adaptive.SlowTime && !l.def.Solver.Undamped && l.m.Gravity != (r3.Vec{})
}

// damped is what is left of a speed, m/s, that dies at a rate, 1/s, after a step.
func (l *Liquid) damped(speed, rate float64) float64 {
	u := speed / adaptive.DampedSpeed
	q := 1 + float64(u*u)
	return q / (q + float64(rate*l.m.Dt))
}

// dampedBody is damped for a body.
func (l *Liquid) dampedBody(speed float64) float64 { return l.damped(speed, adaptive.BodyDampingRate) }

func (l *Liquid) dampBlock(_ int, b int32) {
	if !l.m.SlowAround(b) {
		return
	}
	faces := l.graph.U[l.graph.Parts[b].Face:l.graph.Parts[b+1].Face]
	for f, u := range faces {
		faces[f] = u * l.damped(u, adaptive.DampingRate)
	}
}

// wakeAll wakes the liquid, wherever it is.
func (l *Liquid) wakeAll() {
	l.sleep = sleepState{}
	clear(l.m.Sleep.Calm)
}

// staysAsleep tells whether the liquid may skip this step, and wakes it if something has come up.
func (l *Liquid) staysAsleep() bool {
	if l.sleep.asleep && (l.active() || l.coupling.Disturb(adaptive.CalmSpeed)) {
		l.sleep = sleepState{}
	}
	return l.sleep.asleep
}

// fallAsleep puts the liquid to sleep, at rest, when it was calm for long enough.
func (l *Liquid) fallAsleep() {
	c := &l.sleep
	l.measureBlockSleep()
	if l.step.report.RolledBack || l.m.Survey.MaxSpeed > adaptive.CalmSpeed || l.active() || l.coupling.Disturb(adaptive.CalmSpeed) || l.m.Set.Markers.Droplets.Len() > 0 {
		c.time = 0
		return
	}
	if c.time += l.step.whole; c.time < adaptive.CalmTime {
		return
	}
	c.asleep = true
	for a := range l.m.Faces {
		clear(l.m.Faces[a])
	}
	clear(l.graph.U)
	l.m.Vel.Gather(l.pool, &l.m.Faces)
	l.m.Survey.MaxSpeed = 0
}

// active tells whether something acts on the liquid all the time. Drains and fields that reach none don't.
func (l *Liquid) active() bool {
	w := &l.world
	for _, e := range w.emitters {
		if e.running {
			return true
		}
	}
	for _, s := range w.sinks {
		if l.drainsSome(s) {
			return true
		}
	}
	if l.fieldsReachLiquid() {
		return true
	}
	for _, o := range w.obstacles {
		if o.moves && (o.motion.Velocity != r3.Vec{} || o.motion.Spin != r3.Vec{}) {
			return true
		}
	}
	return w.drops.moving() || l.currents.flows() || w.wind != (Wind{}) && l.m.Survey.Wet.Count() > 0
}
