package flows

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MaxCurrent is more, m/s, than any that a mesh could follow.
const MaxCurrent = 100

// Current is what flows through a side. Level is how high the liquid stands beyond it, m, for what comes in.
type Current struct {
	Velocity float64 // m/s: into the domain, or if negative out of it
	Level    float64
}

// Sides are what flows through the domain's sides, in the order -x, +x, -y, +y, -z, +z.
type Sides struct {
	side [6]side
	Out  remedies.Out // by their number
	*shared
}

type side struct {
	Current
	debt   float64 // what is due and has not come yet, m³
	source float64 // what the pressure solve is to bring beside what fills cells, m³/s
	passed float64 // m³ that have come in this substep, or gone out
	sealed bool    // what it comes into had no air to give way in the last step
}

// Current is what flows through a side.
func (t *Sides) Current(side int) Current { return t.side[side].Current }

// SetCurrent changes what flows through a side, and tells whether it was another.
func (t *Sides) SetCurrent(side int, c Current) (changed bool) {
	to := &t.side[side]
	if to.Current == c {
		return false
	}
	if c.Velocity <= 0 {
		to.debt = 0
	}
	to.Current = c
	return true
}

// flow tells whether there is a current.
func (t *Sides) flow() bool {
	for i := range t.side {
		if t.side[i].Velocity != 0 {
			return true
		}
	}
	return false
}

// appendFlowing lists the sides through which a current flows, m.
func (t *Sides) appendFlowing(dst []r3.Box) []r3.Box {
	for side := range t.side {
		if t.side[side].Velocity != 0 {
			dst = append(dst, t.Through.JustWithin(side))
		}
	}
	return dst
}

// apply fills what comes in through the sides into the mesh.
func (t *Sides) apply() {
	t.Through.Begin()
	for side := range t.side {
		s := &t.side[side]
		s.source, s.sealed = 0, false
		if s.Velocity == 0 || t.Out.Has(int64(side)) {
			continue
		}
		if some := t.Through.Read(side, t.Up, s.Level); some && s.Velocity > 0 {
			t.applyInflow(side)
		}
	}
}

// applyInflow has what comes in through the wet part of a side be a source in the liquid there, and has what comes in above that, up to the
// level, fill the side little by little. What that takes on is measured as the ledger measures it, and so need not be what was due: the debt
// keeps the difference.
func (t *Sides) applyInflow(side int) {
	s, f := &t.side[side], t.Through
	wet, dry := f.Area(side)
	if wet > 0 && f.Sealed(side) {
		s.debt, s.sealed = 0, true
		f.Refill(side)
		return
	}
	s.source = s.Velocity * wet
	put := float64(s.source * t.Dt)
	if dry > 0 {
		s.debt += float64(s.Velocity * dry * t.Dt)
		took := f.Fill(side, s.debt)
		s.debt -= took
		put += took
	}
	if put > 0 {
		s.passed += put
		t.Ledger.EmittedL += put / litre
		f.Book(side, put/(wet+dry))
	}
}

// setInflowVelocity gives the liquid just within a side the velocity of what comes in.
func (t *Sides) setInflowVelocity() {
	for side := range t.side {
		if s := &t.side[side]; s.Velocity > 0 && !t.Out.Has(int64(side)) {
			t.Through.SetVelocity(side, Inward(side, s.Velocity))
		}
	}
}

// Inward is a velocity through a side into the domain, along the side's axis.
func Inward(side int, v float64) float64 {
	if side&1 == 1 {
		return -v
	}
	return v
}

// addSources adds what the currents bring in and take out to the rows' sources.
func (t *Sides) addSources(rows []float64) {
	t.balanceSealed()
	f := t.Through
	for side := range t.side {
		s := &t.side[side]
		switch {
		case s.sealed:
			came := f.AddToSealed(side, s.Velocity, rows)
			s.passed += float64(came * t.Dt)
			if t.Ledger.EmittedL += came * t.Dt / litre; came == 0 {
				t.Warn("SetCurrent", "a current comes into liquid that no air touches and that flows out nowhere, which takes nothing in")
			}
		case s.source > 0:
			f.Add(side, s.source, rows)
		case s.Velocity < 0 && !t.Out.Has(int64(side)): // no faster than a substep follows
			drawn := f.Draw(side, -s.Velocity, t.CFL/t.Dt, rows)
			t.Ledger.DrainedL += drawn * t.Dt / litre
			s.passed += float64(drawn * t.Dt)
		}
	}
}

// balanceSealed has as much go out of liquid that no air touches, such as a pipe that is full, as comes in.
func (t *Sides) balanceSealed() {
	if !t.flow() {
		return
	}
	var speed [6]float64
	for side := range t.side {
		if s := &t.side[side]; s.sealed || s.Velocity < 0 {
			speed[side] = s.Velocity
		}
	}
	t.Through.Balance(speed)
}

// SetVelocity gives the sides the velocity of the currents, where there is liquid.
func (t *Sides) SetVelocity() {
	for side := range t.side {
		if s := &t.side[side]; s.Velocity != 0 {
			t.Through.SetSideVelocity(side, Inward(side, s.Velocity), s.Velocity > 0)
		}
	}
}

// Speed is the velocity along an axis, m/s, of a place within reach, m, of a side that is Flow; it is not ok if there is none that near.
func (t *Sides) Speed(x [3]float64, axis uint8, reach float64) (u float64, ok bool) {
	lo, hi := reproducible.Array(t.Domain.Min), reproducible.Array(t.Domain.Max)
	for side, flow := range t.Flow {
		d := math.Abs(x[side/2] - lo[side/2])
		if side&1 == 1 {
			d = math.Abs(hi[side/2] - x[side/2])
		}
		if flow && d < reach {
			reach, ok, u = d, true, 0
			if int(axis) == side/2 {
				u = Inward(side, t.side[side].Velocity)
			}
		}
	}
	return u, ok
}

// sideSlack, in finest cells, is what rounding may shift a side by.
const sideSlack = 1e-6

// SpeedAt is the velocity along an axis, m/s, of the nearest side of a place, m, that a current comes in or goes out through; 0 if that is not the nearest of
// all, or more than a cell away.
func (t *Sides) SpeedAt(axis uint8, x [3]float64) float64 {
	u, _ := t.Speed(x, axis, min(t.CellSize, t.Distance(x))+float64(sideSlack*t.CellSize))
	return u
}

// Distance is how far within the nearest closed side a place is, m.
func (c *shared) Distance(x [3]float64) float64 {
	lo, hi := reproducible.Array(c.Domain.Min), reproducible.Array(c.Domain.Max)
	d := math.Inf(1)
	for a := range 3 {
		if !c.Open[2*a] {
			d = min(d, x[a]-lo[a])
		}
		if !c.Open[2*a+1] {
			d = min(d, hi[a]-x[a])
		}
	}
	return d
}
