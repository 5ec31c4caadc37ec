package solver

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Edit is a change of the settled state: one of the types below.
type Edit interface{ edit() }

// Fill puts liquid of a label into a shape, with a velocity.
type Fill struct {
	Shape    shapes.SDF
	Label    int32
	Velocity func(x r3.Vec) r3.Vec
}

// Drain takes the liquid out of a shape.
type Drain struct{ Shape shapes.SDF }

// Vacate leaves air where an obstacle was, Gone, as far as there is more liquid than the ledger says. Shape goes on beyond the domain's closed sides.
type Vacate struct{ Shape, Gone shapes.SDF }

// SetVelocity gives the liquid in a shape a velocity. Nothing changes after an error of Velocity, which Edit returns.
type SetVelocity struct {
	Shape    shapes.SDF
	Velocity func(x r3.Vec) (r3.Vec, error)
}

// Blow gives the liquid within Radius of Centre an impulse of a Size, N·s: that which Along gives for a place, of that size, in proportion to 1 -
// distance/Radius. The radius is at least a cell. Edit returns the speed that it gives, or would give if it is more than Most: then, and if there is no
// liquid, nothing changes.
type Blow struct {
	Centre       r3.Vec
	Radius, Size float64
	Along        func(x r3.Vec) r3.Vec
	Most         float64 // m/s
}

func (Fill) edit()        {}
func (Drain) edit()       {}
func (Vacate) edit()      {}
func (SetVelocity) edit() {}
func (Blow) edit()        {}
