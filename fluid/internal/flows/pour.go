package flows

import (
	"gonum.org/v1/gonum/spatial/r3"
)

// Tap is an opening of an emitter for liquid that takes what is due in drops of its own.
type Tap struct {
	Bounds   r3.Box  // of the opening, m
	Velocity r3.Vec  // m/s
	Due      float64 // m³
}

// Pour runs the emitters for a substep, for liquid that takes what is due in drops of its own. most is the volume of the largest drop that a tap lets out, m³; put puts a drop of what is
// due, if that is enough, and returns its volume, m³. It tells whether the opening is open. What is due is never more than two of the largest drops.
func (f *Flows) Pour(most func(t *Tap) float64, put func(t *Tap) (took float64, open bool)) {
	e := &f.Emitters
	e.Blocked = e.Blocked[:0]
	for _, from := range e.All {
		if !e.active(from) {
			continue
		}
		t := Tap{Bounds: from.Opening().Bounds(), Velocity: from.rotated(from.Velocity)}
		from.Debt += float64(from.Rate * litre * f.Dt)
		if largest := 2 * most(&t); from.Debt > largest {
			from.Debt = largest
			f.Warn("EmitterDef.Shape", "an emitter's Shape is too small for its Rate, or liquid is in its way: it lets out one drop of its size after another")
		}
		t.Due = from.Debt
		took, open := put(&t)
		if !open {
			from.Debt = 0
			e.Blocked = append(e.Blocked, from.ID)
			continue
		}
		from.Debt -= took
		from.emitted += took
		f.Ledger.EmittedL += took / litre
	}
}
