// Package engine declares what a liquid asks of a rigid-body engine. Bodies is required. The other interfaces are optional: the liquid looks for each when
// fluid.Liquid.Couple gets the bodies, and does without those that are missing. physics.Coupling has all of them. fluidtest.Bodies checks those that an engine has.
//
//	interface    what it tells                          without it
//	Holding      loads that last through several steps  a load that Step clears acts in the first substep alone
//	Touching     which bodies touch others              any change by joints may count as a contact's
//	Contacting   where bodies press on each other       contacts are learnt from their effect, which takes light bodies long
//	Measured     volumes and widths of solids           volumes are sampled; a thin frame counts as a plate
//	Regular      which distances have no membranes      membranes are looked for, up to a tenth of a step
//	Revising     changes of a body that doesn't move    the game couples again when it has changed a body at rest
//	Filtering    which liquids take a body              all take all
//	Dragging     skin friction and form drag            pressure and viscosity alone
//	Naming       names for people                       bodies are named by index and ID
//	Sharing      room for the liquids' own use          each liquid takes the bodies for its own
//	Gravitating  the bodies' gravity                    the game keeps both gravities alike
package engine

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Kinds of body, as Bodies.Kind returns them.
const (
	Static    = 0 // never moves
	Kinematic = 1 // moves as prescribed, whatever pushes
	Dynamic   = 2 // moves under forces
)

// Bodies is a set of rigid bodies. Indices run from 0 to Len-1 in an order that only adding or removing a body changes. All quantities are in world
// space and SI units. No method may keep a slice that it is given.
//
// The liquid sets a body aside whose numbers no step can take, until they are good, and names it once in fluid.Report.Warnings. If the pose, the bounds or a
// distance is bad the body is left out, for a distance from the next step on. If the velocity or the mass is bad the body stands still for the liquid.
type Bodies interface {
	Len() int
	// ID identifies a body for as long as it lives, and no other body ever.
	ID(i int) uint64
	// Kind is Static, Kinematic or Dynamic.
	Kind(i int) int
	Awake(i int) bool
	Wake(i int)
	// Pose is the centre of mass, m, and the orientation.
	Pose(i int) (centre r3.Vec, rotation quat.Number)
	// Velocity is that of the centre of mass, m/s, and the angular one, rad/s.
	Velocity(i int) (v, w r3.Vec)
	// PredictedVelocity is the velocity after dt seconds of everything but liquid and contacts.
	PredictedVelocity(i int, dt float64) (v, w r3.Vec)
	// InverseMass is 1/kg and the inverse inertia about the centre of mass; zero unless dynamic. A body lighter than a ten-millionth of
	// the liquid that it can displace stands still for the liquid, and is named in fluid.Report.Warnings.
	InverseMass(i int) (float64, [3][3]float64)
	// Bounds encloses the solid, m.
	Bounds(i int) r3.Box
	// Thickness is the solid's smallest wall thickness, m.
	Thickness(i int) float64
	// Distance writes the signed distance to the solid at each point, m, negative inside. It must not change while the body is static or asleep and
	// neither pose, bounds nor Revision change. NaN, an infinity and 1e37 m or more count as bad.
	Distance(i int, dst []float32, pts []r3.Vec)
	// Joints is the number of joints. JointRows writes joint j's Jacobian, n ≤ 6 rows of (linear a, angular a, linear b, angular b) with J·velocity = 0,
	// and returns the bodies a and b that it joins, -1 for the world.
	Joints() int
	JointRows(j int, rows *[6][12]float64) (a, b, n int)
	// AddWrench adds a force, N, and a torque about the centre of mass, N·m, that act evenly through the next Step. It wakes no body, and acts on one that
	// sleeps only if it wakes in that Step.
	AddWrench(i int, force, torque r3.Vec)
	// Step advances the bodies by dt seconds. The liquid calls it once in each substep.
	Step(dt float64)
}
