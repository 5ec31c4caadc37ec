package boundary

import "gonum.org/v1/gonum/spatial/r3"

// Solids is what is around the liquid.
type Solids interface {
	// Near writes, for each point, what the nearest solid is like from there. dst is as long as at.
	Near(dst []Contact, at []r3.Vec)
	// Bodies are the bodies that the liquid moves.
	Bodies() []Body
}

// Contact is the nearest solid to a point.
type Contact struct {
	Distance float64 // m, negative within
	Normal   r3.Vec  // unit, out of the solid
	Velocity r3.Vec  // of its material there, m/s
	Body     int32   // an index of Bodies, or -1 for what is fixed or driven
}

// Body is a rigid body that the liquid moves.
type Body struct {
	InverseMass    float64       // 1/kg
	InverseInertia [3][3]float64 // about Centre, in the axes of the world, 1/(kg·m²)
	Centre         r3.Vec        // of mass
	Velocity       r3.Vec        // of Centre, m/s
	Spin           r3.Vec        // rad/s
}

// Impulse is what the liquid did to a body in a step.
type Impulse struct {
	Linear  r3.Vec // N·s
	Angular r3.Vec // N·m·s, about the body's Centre
}

// Impulses are what the last Step did to each of the bodies, in their order, until the next Step.
func (l *Liquid) Impulses() []Impulse { return l.impulses }
