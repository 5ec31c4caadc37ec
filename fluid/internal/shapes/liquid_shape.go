package shapes

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// LiquidShape is a shape with the label and the velocity of the liquid in it.
type LiquidShape struct {
	SDF
	Label    int
	Velocity r3.Vec // m/s
}

// LiquidShapeOf returns s if it is a Told, and otherwise s with label 0, at rest.
func LiquidShapeOf(s SDF) LiquidShape {
	t, is := s.(LiquidShape)
	if !is {
		t.SDF = s
	}
	return t
}

// Check returns an error if the label or the velocity is out of its limits.
//
// most:    the greatest label.
// known:   the greatest label that the tracker supports.
// fastest: the greatest speed, m/s.
func (t LiquidShape) Check(most, known int, fastest float64) error {
	switch {
	case t.Label < 0 || t.Label > most:
		return fmt.Errorf("Labelled: label %d; must be 0 to %d", t.Label, most)
	case t.Label > known:
		return fmt.Errorf("Labelled: label %d; must be 0 but for Def.Tracker ExplicitMesh with cells: with others all surfaces merge", t.Label)
	case !(reproducible.Norm(t.Velocity) <= fastest):
		return fmt.Errorf("Moving: velocity %v m/s; must be finite and at most %g long", t.Velocity, fastest)
	}
	return nil
}
