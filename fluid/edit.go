package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// Fill puts liquid into a shape. The part outside of the domain or within solids is ignored.
func (l *Liquid) Fill(s SDF) error {
	if err := validateSDF(s); err != nil {
		return fmt.Errorf("fluid: Fill: %w", err)
	}
	l.volumes.ledger.FilledL += l.edit(s, l.set.SetBox)
	return nil
}

// Drain takes the liquid out of a shape.
func (l *Liquid) Drain(s SDF) error {
	if err := validateSDF(s); err != nil {
		return fmt.Errorf("fluid: Drain: %w", err)
	}
	l.volumes.ledger.DrainedL -= l.edit(s, l.set.SubtractBox)
	return nil
}

// edit merges a shape into the level set, with fine cells along its surface, and returns by how
// many litres the liquid grew.
func (l *Liquid) edit(s SDF, merge func(f func(dst []float32, pts []r3.Vec), box r3.Box)) float64 {
	l.disturb()
	l.refineAt(s)
	before := l.volumes.ledger.HeldL
	merge(s.Eval, s.Bounds())
	l.clip()
	l.set.Publish()
	l.survey()
	l.volumes.adopt = true
	l.out.stale = true
	return l.volumes.ledger.HeldL - before
}

// clip takes away what an edit put beyond open sides, unbooked, and extends the surface into solids.
func (l *Liquid) clip() {
	drained := l.volumes.ledger.DrainedL
	l.spill()
	l.volumes.ledger.DrainedL = drained
	l.volumes.gained = l.volumes.gained[:0]
	l.solids.Extend(l.set.Phi)
}
