package components

// Litre is a litre in m³.
const Litre = 1e-3

// Ledger is the account of the liquid, in litres: what was put in and let in, what left, and what is there.
type Ledger struct {
	FilledL, EmittedL, DrainedL, HeldL, DriftL float64
}

// Drift is how much more is there than the account says, litres. It is not kept in DriftL.
func (g *Ledger) Drift() float64 { return g.HeldL - (g.FilledL + g.EmittedL - g.DrainedL) }

// Account is the ledger of a step, and what the controller must know of it besides.
type Account struct {
	*Ledger         // so far
	Before  *Ledger // of when the substep began
	Loose   float64 // what is held of liquid that no cell has, m³
}
