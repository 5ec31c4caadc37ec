package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What the stages of a substep do for the currents through the domain's sides.

// applyCurrents fills what comes in through the sides into the grid.
func (l *simulation) applyCurrents() {
	c, f := &l.currents, l.sides
	f.Begin()
	for side := range c.side {
		s := &c.side[side]
		s.source, s.sealed = 0, false
		if s.Velocity == 0 {
			continue
		}
		if some := f.Read(side, l.up(), s.Level); some && s.Velocity > 0 {
			l.applyInflow(side)
		}
	}
}

// applyInflow has what comes in through the wet part of a side be a source in the liquid there, and has what comes in above that, up to the
// level, fill the side little by little. What that takes on is measured as the ledger measures it, and so need not be what was due: the debt
// keeps the difference.
func (l *simulation) applyInflow(side int) {
	s, f := &l.currents.side[side], l.sides
	wet, dry := f.Area(side)
	if wet > 0 && f.Sealed(side) {
		s.debt, s.sealed = 0, true
		f.Refill(side)
		return
	}
	s.source = s.Velocity * wet
	put := float64(s.source * l.step.dt)
	if dry > 0 {
		s.debt += float64(s.Velocity * dry * l.step.dt)
		took := f.Fill(side, s.debt)
		s.debt -= took
		put += took
	}
	if put > 0 {
		l.ledger.EmittedL += put / litre
		f.Book(side, put/(wet+dry))
	}
}

// setInflowVelocity gives the liquid just within a side the velocity of what comes in.
func (l *simulation) setInflowVelocity() {
	for side := range l.currents.side {
		if s := &l.currents.side[side]; s.Velocity > 0 {
			l.sides.SetVelocity(side, inward(side, s.Velocity))
		}
	}
}

// inward is a velocity through a side into the domain, along the side's axis.
func inward(side int, v float64) float64 {
	if side&1 == 1 {
		return -v
	}
	return v
}

// addCurrents adds what the currents bring in and take out to the rows' sources.
func (l *simulation) addCurrents(rows []float64) {
	l.balanceSealed()
	f := l.sides
	for side := range l.currents.side {
		s := &l.currents.side[side]
		switch {
		case s.sealed:
			came := f.AddToSealed(side, s.Velocity, rows)
			if l.ledger.EmittedL += came * l.step.dt / litre; came == 0 {
				l.warn("SetCurrent", "a current comes into liquid that no air touches and that flows out nowhere, which takes nothing in")
			}
		case s.source > 0:
			f.Add(side, s.source, rows)
		case s.Velocity < 0: // no faster than a substep follows
			drawn := f.Draw(side, -s.Velocity, l.def.Solver.CFL/l.step.dt, rows)
			l.ledger.DrainedL += drawn * l.step.dt / litre
		}
	}
}

// balanceSealed has as much go out of liquid that no air touches, such as a pipe that is full, as comes in.
func (l *simulation) balanceSealed() {
	c := &l.currents
	if !c.flows() {
		return
	}
	var speed [6]float64
	for side := range c.side {
		if s := &c.side[side]; s.sealed || s.Velocity < 0 {
			speed[side] = s.Velocity
		}
	}
	l.sides.Balance(speed)
}

// setSideVelocity gives the sides the velocity of the currents, where there is liquid.
func (l *simulation) setSideVelocity() {
	for side := range l.currents.side {
		if s := &l.currents.side[side]; s.Velocity != 0 {
			l.sides.SetSideVelocity(side, inward(side, s.Velocity), s.Velocity > 0)
		}
	}
}

// sideSlack, in finest cells, is what rounding may shift a side by.
const sideSlack = 1e-6

// sideSpeed is the velocity along an axis, m/s, of a place within reach, m, of a side that is Flow; it is not ok if there is none that near.
func (l *simulation) sideSpeed(x [3]float64, axis uint8, reach float64) (u float64, ok bool) {
	lo, hi := reproducible.Array(l.def.Domain.Min), reproducible.Array(l.def.Domain.Max)
	for side, kind := range l.def.Sides.list() {
		d := math.Abs(x[side/2] - lo[side/2])
		if side&1 == 1 {
			d = math.Abs(hi[side/2] - x[side/2])
		}
		if kind == Flow && d < reach {
			reach, ok, u = d, true, 0
			if int(axis) == side/2 {
				u = inward(side, l.currents.side[side].Velocity)
			}
		}
	}
	return u, ok
}
