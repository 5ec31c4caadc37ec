package fluid

import "github.com/meniscus3d/meniscus/fluid/internal/callguard"

// Ledger is the account of the liquid so far.
func (l *Liquid) Ledger() Ledger {
	defer l.enter(&callguard.Ledger).leave()
	return l.sim.account()
}

// account is Ledger within a call.
func (l *simulation) account() Ledger {
	g := Ledger(l.around.Ledger)
	g.DriftL = l.around.Ledger.Drift()
	return g
}
