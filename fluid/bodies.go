package fluid

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Kinds of body, as Bodies.Kind returns them.
const (
	StaticBody    = 0 // never moves
	KinematicBody = 1 // moves as prescribed, whatever pushes
	DynamicBody   = 2 // moves under forces
)

// Bodies is what the liquid needs of a rigid-body engine. physics.Coupling is one; a game may bring its own. Indices run from 0 to Len-1 in an
// order that only adding or removing a body changes. All quantities are in world space and SI units. No call may keep the slices it is handed.
//
// A body whose numbers no step can take is set aside until they are good, and named once in Report.Warnings: if its pose, bounds or distance
// is bad it is left out, from the next step on for a distance; if its velocity or mass is, it stands still for the liquid.
type Bodies interface {
	Len() int
	// ID identifies a body for as long as it lives, and no other body ever.
	ID(i int) uint64
	// Kind is StaticBody, KinematicBody or DynamicBody.
	Kind(i int) int
	Awake(i int) bool
	Wake(i int)
	// Pose is the centre of mass and the orientation.
	Pose(i int) (centre r3.Vec, rotation quat.Number)
	// Velocity is that of the centre of mass, m/s, and the angular one, rad/s.
	Velocity(i int) (v, w r3.Vec)
	// PredictedVelocity is the velocity after dt seconds of everything but liquid and contacts.
	PredictedVelocity(i int, dt float64) (v, w r3.Vec)
	// InverseMass is 1/kg and the inverse inertia about the centre of mass; zero unless dynamic. A body lighter than a ten-millionth of
	// the liquid that it can displace stands still for the liquid, and is named in Report.Warnings.
	InverseMass(i int) (float64, [3][3]float64)
	// Bounds encloses the solid.
	Bounds(i int) r3.Box
	// Thickness is the solid's smallest wall thickness, m.
	Thickness(i int) float64
	// Distance writes the signed distance to the solid, m, negative inside, for each point. It must not change while the body is static or asleep and
	// neither pose, bounds nor Revision change. NaN, an infinity or 1e37 m and more is no distance.
	Distance(i int, dst []float32, pts []r3.Vec)
	// Joints is the number of joints; JointRows writes joint j's Jacobian, up to six rows of
	// (linear a, angular a, linear b, angular b) with J·velocity = 0, and says between which bodies.
	Joints() int
	JointRows(j int, rows *[6][12]float64) (a, b, n int)
	// AddWrench adds a force, N, and a torque about the centre of mass, N·m, that act evenly
	// through the next Step. It wakes no body, and acts on one that sleeps only if it wakes in that Step.
	AddWrench(i int, force, torque r3.Vec)
	// Step advances the bodies by dt seconds. A Step of the liquid calls it once in each substep: see Holding for what the game applies.
	Step(dt float64)
}

// Holding is what Bodies may have besides: the loads of a step that is taken in parts. A liquid calls both in each of its Steps, but one that is
// refused, and Step in between any number of times: none if it is rolled back as a whole. Forces, torques and wrenches that the game has applied
// before act through all of them, count in PredictedVelocity, and end with ReleaseLoads. What AddWrench adds in between acts in the next Step only.
// Without Holding, what the game applies must act on until the game itself ends it: what a Step clears would act in the first substep
// alone. fluidtest.Loads checks either.
type Holding interface {
	HoldLoads()
	ReleaseLoads()
}

// Touching is what Bodies may have besides: whether body i, or one that joints join it to, touched another in the last Step. What a Step makes of
// joined bodies otherwise than the solve is then put down to contacts only where there are some; without Touching it always is.
type Touching interface{ Touching(i int) bool }

// Contacting is what Bodies may have besides: where they press on each other. The solve then has bodies that pressed in the last Step go on doing
// so, as far as they push; without, it learns what contacts do from what they did, which for a light body that the liquid presses on something takes long.
type Contacting interface {
	// EachContact visits the points at which bodies a and b pressed on each other in the last Step and do not part: where
	// that is, m, the unit normal from a to b, the force along it, N, and the coefficient of friction if that held them there,
	// 0 if they slid. Points of one pair follow on each other.
	EachContact(visit func(a, b int, at, normal r3.Vec, force, friction float64))
}

// Measured is what Bodies may have besides: how large solids are. Without it a frame or a ring of sticks that are thinner than a cell
// counts as a plate, and volumes are sampled.
type Measured interface {
	// Dimensions is the volume of body i, m³, and the mean by volume of the widths of its parts: of a part's three extents the one that is
	// neither the smallest nor the largest, m. 0 is not known. It also tells whether the solid is convex.
	Dimensions(i int) (volume, width float64, convex bool)
}

// Regular is what Bodies may have besides: whether the distance to body i is negative next to every place where it is 0. The distance to a
// solid which something is cut from, a maximum of others, need not be: where the cut is flush with a face it leaves a membrane, a sheet of 0
// with no inside on either side. Membranes are open; without Regular they are looked for, which takes up to a tenth of a step longer.
type Regular interface{ Regular(i int) bool }

// Revising is what Bodies may have besides: whether a body is another than it was without having moved there. Liquid that sleeps, and what is
// remembered of bodies at rest, see shapes that come, go or change only by it; poses and bounds are compared in any case. Without it a game
// calls Couple again, with the same bodies, when it has changed the shapes of one that is at rest.
//
// Revisions are not saved. What Restore and CopyTo bring goes on with the bodies as they are then: copy or restore these first, as they were, and
// change them afterwards.
type Revising interface {
	// Revision of body i is another number whenever something other than Step has changed its pose, kind, mass or shapes, or all
	// bodies were restored or copied from elsewhere.
	Revision(i int) uint64
}

// Filtering is what Bodies may have besides: which bodies a liquid takes. Without it, it takes all.
type Filtering interface {
	// LiquidCategory is the set of bits that body i is to liquids: one takes it if some bit is in its Def.BodyMask. A change is a Revision.
	LiquidCategory(i int) uint64
}

// Dragging is what Bodies may have besides: how liquid resists dynamic bodies beside its pressure, as friction on skin and drag on what is finer
// than cells do. Without it there is no such resistance.
type Dragging interface {
	// LiquidDrag is the coefficients of body i, each 0 to 1e3. The force against the speed u of the body in the liquid around, m/s, is
	// ½·Def.Density·u²·(skin·A + form·A/4), A being the wetted area, m²: a quarter of it is what convex bodies show on average.
	// The spin is resisted by as much, at the radius of a ball with the area.
	LiquidDrag(i int) (skin, form float64)
}

// Naming is what Bodies may have besides: what bodies are called, for people. Warnings and reasons then name a body by it beside its index and ID.
type Naming interface {
	// BodyName is the name of body i; empty means none.
	BodyName(i int) string
}

// View is the camera that decides where the grid is fine. The zero View means none.
type View struct {
	// View and Projection are 4×4, column-major, as OpenGL has them.
	View, Projection [16]float32
	// Height is the viewport's, in pixels.
	Height int
}
