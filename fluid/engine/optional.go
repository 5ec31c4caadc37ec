package engine

import "gonum.org/v1/gonum/spatial/r3"

// Holding keeps the loads of a step that is taken in parts. The liquid calls HoldLoads at the beginning of its Step and ReleaseLoads at the end, but not in a
// Step that is refused, and Bodies.Step in between any number of times: none if its step is rolled back. Forces, torques and wrenches that the game has
// applied before HoldLoads act through all these steps, count in PredictedVelocity, and end with ReleaseLoads. What AddWrench adds in between acts in the next
// Bodies.Step alone. fluidtest.Loads checks it.
type Holding interface {
	HoldLoads()
	ReleaseLoads()
}

// Touching returns whether body i, or one that joints join it to, touched another in the last Step. Changes of velocity by joints that the solve did not
// foresee are put down to contacts only where bodies touch.
type Touching interface{ Touching(i int) bool }

// Contacting lists where bodies press on each other. The solve has bodies that pressed in the last Step go on doing so, as far as they push.
type Contacting interface {
	// EachContact visits the points at which bodies a and b pressed on each other in the last Step and do not part: the place, m, the unit normal from a to b,
	// the force along it, N, and the coefficient of friction if that held them there, 0 if they slid. Points of one pair follow on each other.
	EachContact(visit func(a, b int, at, normal r3.Vec, force, friction float64))
}

// Measured gives the size of solids.
type Measured interface {
	// Dimensions is the volume of body i, m³; the mean width of its parts by volume, m, where the width is a part's middle extent of three; and whether the
	// solid is convex. 0 means not known.
	Dimensions(i int) (volume, width float64, convex bool)
}

// Regular returns whether the distance to body i is negative next to every place where it is 0. The distance to a solid that is cut by another, a maximum of
// two, need not be: a cut flush with a face leaves a membrane, a sheet of 0 with no inside on either side. The liquid opens membranes.
type Regular interface{ Regular(i int) bool }

// Revising notices changes of bodies that have not moved. Liquid that sleeps, and what is remembered of bodies at rest, notice a shape that is added, removed
// or changed by its Revision alone; poses and bounds are compared in any case.
//
// Revisions are not saved. After fluid.Liquid.Restore and CopyTo the liquid goes on with the bodies as they are then: restore or copy the bodies first,
// unchanged, and change them afterwards.
type Revising interface {
	// Revision of body i changes whenever something other than Step has changed its pose, kind, mass or shapes, or all bodies were restored or copied.
	Revision(i int) uint64
}

// Filtering says which liquids take a body.
type Filtering interface {
	// LiquidCategory is the set of bits of body i: a liquid takes it if some bit is in its fluid.Def.BodyMask. A change counts as a revision.
	LiquidCategory(i int) uint64
}

// Dragging adds resistance that pressure and viscosity on the cells do not give: friction on skin, and the drag of forms finer than cells.
type Dragging interface {
	// LiquidDrag is the coefficients of body i, 0 to 1e3 each. The force against the speed u of the body in the liquid around, m/s, is
	// ½·density·u²·(skin·A + form·A/4), A being the wetted area, m², a quarter of which is what convex bodies show on average. The spin is resisted by as
	// much, at the radius of a ball with that area.
	LiquidDrag(i int) (skin, form float64)
}

// Naming gives bodies names for warnings and errors, beside index and ID.
type Naming interface {
	// BodyName is the name of body i; empty means none.
	BodyName(i int) string
}

// Sharing lets several liquids couple one set of bodies, which then step once for all of them. It is for liquids only: if a game attaches something
// else, a warning says so when a liquid couples the bodies.
type Sharing interface {
	// Attached is what Attach was given last, nil at first. A copy of the bodies is another set, to which nothing is attached.
	Attached() any
	Attach(value any)
}

// Gravitating has the gravity of the bodies, which a liquid that is given none of its own takes.
type Gravitating interface {
	// Gravity is the bodies' gravity, m/s².
	Gravity() r3.Vec
	// SetGravity changes it. An error leaves it as it was.
	SetGravity(g r3.Vec) error
}
