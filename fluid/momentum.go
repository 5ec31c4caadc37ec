package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Momentum is what passed between the liquid and what is around it while a step's pressure acted, N·s: from where the old velocity
// has been carried to the new faces, and slow motion damped, to where the velocity is free of divergence. Carrying the velocity keeps no
// momentum exactly; what comes after does: Liquid is Gravity + Air - Walls - Bodies.
//
// The liquid's momentum is the sum, over the faces of the cells, of density · open area · distance between the two pressures ·
// velocity, and that of the liquid between bodies and the nearest of these pressures, which moves with the bodies.
type Momentum struct {
	Liquid  r3.Vec // what the liquid gained
	Gravity r3.Vec // what gravity, the fields and the wind gave it
	Air     r3.Vec // what pressure in the air gave it: surface tension, and bubbles
	Walls   r3.Vec // what it gave obstacles and the domain's closed sides
	Bodies  r3.Vec // and the bodies: the sum of Load's forces, times the step
}

// Lost is what went or came from nowhere.
func (m Momentum) Lost() r3.Vec {
	return r3.Sub(r3.Add(m.Gravity, m.Air), r3.Add(r3.Add(m.Walls, m.Bodies), m.Liquid))
}

// TrackMomentum has the steps from now on report Momentum, or not. That takes a few passes over the faces.
func (l *Liquid) TrackMomentum(on bool) {
	defer l.enter(&inTrackMomentum).leave()
	l.exchange.on = on
}

// exchange is what Momentum is measured with.
type exchange struct {
	on   bool
	base []float64 // per face: the velocity before the forces, m/s; emitters' own is part of it
	fall []float64 // per face: what gravity and the fields add
}

// startExchange notes the velocity that the balance starts with.
func (l *Liquid) startExchange() {
	if l.exchange.on {
		l.exchange.base = append(l.exchange.base[:0], l.graph.U...)
	}
}

// beforeFall and afterFall stand around gravity and the fields, beforeJets and afterJets around what emitters set.
func (l *Liquid) beforeFall() {
	if l.exchange.on {
		l.exchange.fall = append(l.exchange.fall[:0], l.graph.U...)
	}
}

func (l *Liquid) afterFall() {
	if l.exchange.on {
		subtract(l.exchange.fall, l.graph.U, l.exchange.fall)
	}
}

func (l *Liquid) beforeJets() {
	if l.exchange.on {
		subtract(l.exchange.base, l.exchange.base, l.graph.U)
	}
}

func (l *Liquid) afterJets() {
	if l.exchange.on {
		for f, u := range l.graph.U {
			l.exchange.base[f] += u
		}
	}
}

// subtract sets dst to a - b, of which it may be one.
func subtract(dst, a, b []float64) {
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

// endExchange adds a substep to the report, when the pressure has acted.
func (l *Liquid) endExchange() {
	if !l.exchange.on {
		return
	}
	gr, x := &l.graph, &l.exchange
	var gained, fell, air [3]float64
	for f, u := range gr.U {
		a, mass := gr.Axis[f], l.def.Density*gr.Area[f]*gr.Open[f]*gr.Dist[f]
		gained[a] += float64(mass * (u - x.base[f]))
		fell[a] += float64(mass * x.fall[f])
		if gr.A[f]|gr.B[f] < 0 {
			part := gr.AirShare(gr.A[f]) - gr.AirShare(gr.B[f])
			air[a] += float64(part * gr.Area[f] * gr.Open[f] * gr.Jump[f] * l.m.Dt)
		}
	}
	walls := l.pressOnWalls()
	var bodies [3]float64
	for i := range l.coupling.rigid {
		l.exchangeBody(i, &gained, &fell, &walls, &bodies)
	}
	m := &l.step.report.Momentum
	for i, to := range [...]*r3.Vec{&m.Liquid, &m.Gravity, &m.Air, &m.Walls, &m.Bodies} {
		*to = r3.Add(*to, reproducible.Vector([...][3]float64{gained, fell, air, walls, bodies}[i]))
	}
}

// exchangeBody adds a body's part, and that of the liquid that moves with it. What can't be told from an obstacle is one.
func (l *Liquid) exchangeBody(i int, gained, fell, walls, bodies *[3]float64) {
	c, dt := &l.coupling, l.m.Dt
	r := &c.rigid[i]
	before, free, after, rests := r.Carries(&c.moved[i]), r.Carries(&r.Liquid), r.Carries(&r.V), r.Resting
	to := walls
	if i < len(c.state) {
		to = bodies
	}
	for d := range 3 {
		gained[d] += after[d] - before[d]
		fell[d] += free[d] - before[d] + rests[d]
		to[d] += r.Impulse[d]
		if i < len(c.state) {
			to[d] += float64(dt * (c.state[i].beside[d] + c.state[i].damping[d]))
		}
	}
}

// pressOnWalls is what the pressure gives walls, N·s. Of a cell's six faces a wall bears what is neither open nor a body's.
func (l *Liquid) pressOnWalls() (walls [3]float64) {
	gr, pi := &l.graph, l.m.Impulse
	for r, sides := range gr.Sides[:gr.Rows] {
		whole := float64(float64(gr.Size[r]) * float64(gr.Size[r]))
		for side, f := range sides {
			shut, out := whole, float64(side&1*2-1)
			if f >= 0 {
				open := float64(gr.Area[f] * gr.Open[f])
				if mine := [2]int32{gr.B[f], gr.A[f]}[side&1]; mine < 0 { // one of the four on a composite face
					open = float64(open / 4)
				}
				shut -= open
			}
			walls[side/2] += float64(out * shut * pi[r])
		}
	}
	for i := range gr.Bodies {
		w := &gr.Bodies[i]
		for e, r := range w.Row {
			for a := range walls {
				walls[a] -= float64(w.K[e][a] * pi[r])
			}
		}
	}
	return walls
}
