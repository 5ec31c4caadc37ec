package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"gonum.org/v1/gonum/spatial/r3"
)

// Momentum is what passed between the liquid and what is around it while a step's pressure acted, N·s: from where the old velocity
// has been carried to the new faces, and slow motion damped, to where the velocity is free of divergence. Carrying the velocity keeps
// that of liquid that nothing but air touches, and no other exactly; what comes after does: Liquid is Gravity + Air + Control - Walls - Bodies.
//
// The liquid's momentum is the sum, over the faces of the cells, of density · open area · distance between the two pressures ·
// velocity, and that of the liquid between bodies and the nearest of these pressures, which moves with the bodies.
type Momentum struct {
	Liquid  r3.Vec // what the liquid gained
	Gravity r3.Vec // what gravity, the fields and the wind gave it
	Air     r3.Vec // what pressure in the air gave it: surface tension, and bubbles
	Control r3.Vec // what controls gave it
	Walls   r3.Vec // what it gave obstacles and the domain's closed sides
	Bodies  r3.Vec // and the bodies: the sum of BodyLoad's forces, times the step
}

// Lost is what went or came from nowhere.
func (m Momentum) Lost() r3.Vec {
	return r3.Sub(r3.Add(r3.Add(m.Gravity, m.Air), m.Control), r3.Add(r3.Add(m.Walls, m.Bodies), m.Liquid))
}

// TrackMomentum has the steps from now on report Momentum, or not. That takes a few passes over the faces.
func (l *Liquid) TrackMomentum(on bool) {
	defer l.enter(&callguard.TrackMomentum).leave()
	if on && !l.sim.can.Momentum {
		l.sim.record.warnLater("TrackMomentum", "the solver of this liquid keeps no balance of momentum; Report.Momentum stays zero")
		return
	}
	l.sim.around.TracksMomentum = on
}
