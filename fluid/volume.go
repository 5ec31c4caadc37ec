package fluid

import "github.com/meniscus3d/meniscus/fluid/internal/components"

// adoptTargets has the step in which solids appear in the liquid, or go, leave what they displace to those after it: a game that puts a body
// into the liquid sees no jolt.
func (l *Liquid) adoptTargets() {
	if l.ledger.HeldL > 0 {
		l.m.Volumes.Targets.Adopt()
	}
}

// correctVolume measures the components, has the surface keep their volumes, and chooses the sources of the step's rows that make up for the
// rest.
func (l *Liquid) correctVolume() {
	l.begin(StageVolume)
	n := l.solver.Prepare(&l.graph)
	a := components.Account{Ledger: (*components.Ledger)(&l.ledger), Before: (*components.Ledger)(&l.step.ledger), Loose: l.world.drops.Volume}
	if lost := l.m.MeasureComponents(n, &a); lost {
		l.leaveFilm()
		a.Loose = l.world.drops.Volume
	}
	l.step.rows = l.m.CorrectVolume(&a)
	l.addSources(l.step.rows)
	l.lap(n)
}

// resurvey measures the liquid and surveys the mesh after a change that no step made.
func (l *Liquid) resurvey() {
	l.m.Resurvey()
	l.ledger.HeldL = (l.m.HeldVolume() + l.world.drops.Volume) / litre
}

// Ledger is the account of the liquid so far.
func (l *Liquid) Ledger() Ledger {
	defer l.enter(&inLedger).leave()
	return l.account()
}

// account is Ledger within a call.
func (l *Liquid) account() Ledger {
	g := l.ledger
	g.DriftL = g.HeldL - (g.FilledL + g.EmittedL - g.DrainedL)
	return g
}
