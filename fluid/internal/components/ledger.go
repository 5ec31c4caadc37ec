package components

// Litre is a litre in m³.
const Litre = 1e-3

// Ledger is the account of the liquid, in litres: what was filled and emitted, what was drained, and what is held.
type Ledger struct {
	FilledL, EmittedL, DrainedL, HeldL, DriftL float64
}

// Drift returns how much more is held than the account says, litres. DriftL is not used.
func (g *Ledger) Drift() float64 { return g.HeldL - (g.FilledL + g.EmittedL - g.DrainedL) }

// Account is the ledger of a step, with the volumes that the control of volume needs besides.
type Account struct {
	*Ledger         // so far
	Before  *Ledger // at the begin of the substep
	Loose   float64 // held volume that is in no cell, m³
}
