package fluid

import "github.com/meniscus3d/meniscus/fluid/sounds"

// hear lists what one would hear of a step of dt seconds.
func (o *output) hear(dt float64) {
	l := o.sim
	if !l.hearing.On() {
		return
	}
	o.ev.Sounds = l.hearing.EndStep(sounds.Step{
		Dt: dt, CellSize: l.def.CellSize, Density: l.def.Density, Tension: l.def.SurfaceTension, Up: l.up(), Asleep: l.step.asleep,
	}, l.coupling.Bodies)
}
