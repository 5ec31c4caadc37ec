package flows

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MaxCurrent is the fastest current allowed, m/s.
const MaxCurrent = 100

// Current is the flow through a side. Level is the height of the liquid beyond the side, m, for inflow.
type Current struct {
	Velocity float64 // m/s into the domain; negative for outflow
	Level    float64
}

// Sides are the currents through the domain's sides, in the order -x, +x, -y, +y, -z, +z.
type Sides struct {
	side [6]side
	Out  remedies.Out // by side
	*shared
}

type side struct {
	Current
	debt   float64 // m³ that are due
	source float64 // m³/s that the pressure solve adds, besides what fills cells
	passed float64 // m³ that have entered or left in this substep
	sealed bool    // no air touched the liquid at the side in the last step
}

// Current returns the current through a side.
func (t *Sides) Current(side int) Current { return t.side[side].Current }

// SetCurrent sets the current through a side, and reports whether that is a change.
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

// Flowing reports whether there is a current.
func (t *Sides) Flowing() bool {
	for i := range t.side {
		if t.side[i].Velocity != 0 {
			return true
		}
	}
	return false
}

// appendFlowing appends the boxes along the sides with a current, m.
func (t *Sides) appendFlowing(dst []r3.Box) []r3.Box {
	for side := range t.side {
		if t.side[side].Velocity != 0 {
			dst = append(dst, t.Through.JustWithin(side))
		}
	}
	return dst
}

// apply fills the mesh with the inflow through the sides.
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

// applyInflow makes the inflow through the wet part of a side a source in the liquid there, and fills the dry part, up to the
// level, little by little. The filled volume is measured as the ledger measures it, and may differ from what was due; the debt
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

// setInflowVelocity sets the velocity of the liquid just within a side to that of the inflow.
func (t *Sides) setInflowVelocity() {
	for side := range t.side {
		if s := &t.side[side]; s.Velocity > 0 && !t.Out.Has(int64(side)) {
			t.Through.SetVelocity(side, Inward(side, s.Velocity))
		}
	}
}

// Inward returns the component along a side's axis of a velocity into the domain.
func Inward(side int, v float64) float64 {
	if side&1 == 1 {
		return -v
	}
	return v
}

// addSources adds the currents' sources to rows, m³/s.
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
		case s.Velocity < 0 && !t.Out.Has(int64(side)): // limited by the CFL number
			drawn := f.Draw(side, -s.Velocity, t.CFL/t.Dt, rows)
			t.Ledger.DrainedL += drawn * t.Dt / litre
			s.passed += float64(drawn * t.Dt)
		}
	}
}

// balanceSealed balances outflow and inflow of liquid that no air touches, such as in a full pipe.
func (t *Sides) balanceSealed() {
	if !t.Flowing() {
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

// SetVelocity sets the velocity of the currents on the sides' faces, where there is liquid.
func (t *Sides) SetVelocity() {
	for side := range t.side {
		if s := &t.side[side]; s.Velocity != 0 {
			t.Through.SetSideVelocity(side, Inward(side, s.Velocity), s.Velocity > 0)
		}
	}
}

// Speed returns the velocity component along an axis, m/s, of the nearest side that is Flow. ok is false if none is within reach, m.
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

// sideSlack, in finest cells, is the tolerance for rounding of a side's position.
const sideSlack = 1e-6

// SpeedAt returns the velocity component along an axis, m/s, at the Flow side next to a place, m. It is 0 if a closed side is nearer, or if the side
// is more than a cell away.
func (t *Sides) SpeedAt(axis uint8, x [3]float64) float64 {
	u, _ := t.Speed(x, axis, min(t.CellSize, t.Distance(x))+float64(sideSlack*t.CellSize))
	return u
}

// Distance returns the distance, m, from a place in the domain to the nearest closed side.
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
