package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
)

// deferDisplaced has the step in which solids appear in the liquid, or go, leave what they displace to those after it: a game that puts a body
// into the liquid sees no jolt.
func (l *simulation) deferDisplaced() {
	if l.ledger.HeldL > 0 {
		l.volumes.Defer()
	}
}

// correctVolume measures the components, has the surface keep their volumes, and chooses the sources of the step's rows that make up for the rest.
func (l *simulation) correctVolume() {
	l.record.begin(StageVolume)
	n := l.solver.Prepare(&l.graph)
	a := &l.step.account
	*a = components.Account{Ledger: (*components.Ledger)(&l.ledger), Before: (*components.Ledger)(&l.step.ledger), Loose: l.flows.Drops.Volume}
	if lost := l.volumes.MeasureComponents(n, a); lost {
		l.flows.Drops.LeaveFilm()
		a.Loose = l.flows.Drops.Volume
	}
	if l.step.rows = l.volumes.Correct(a); l.attempts.Of(remedies.Volume).All() {
		clear(l.step.rows)
	}
	l.flows.AddSources(l.step.rows)
	l.record.lap(n)
}

// resurvey measures the liquid and surveys the mesh after a change that no step made.
func (l *simulation) resurvey() {
	l.volumes.Measure()
	l.ledger.HeldL = (l.volumes.Held() + l.flows.Drops.Volume) / litre
}

// Ledger is the account of the liquid so far.
func (l *Liquid) Ledger() Ledger {
	defer l.enter(&callguard.Ledger).leave()
	return l.sim.account()
}

// account is Ledger within a call.
func (l *simulation) account() Ledger {
	g := l.ledger
	g.DriftL = g.HeldL - (g.FilledL + g.EmittedL - g.DrainedL)
	return g
}
