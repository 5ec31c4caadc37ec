// Package physics moves rigid bodies: spheres, capsules, cylinders, boxes, convex hulls, open
// boxes, and, static or kinematic, triangle meshes, height fields, half-spaces and any solid given
// by its signed distance; with friction, rolling resistance, restitution, conveyors, sensors,
// filters, stacking and sleep. It answers where rays and moving shapes hit, what overlaps and
// what is closest.
//
// A World owns everything. Body, Shape and Joint are small handles into it; a handle whose body
// has been destroyed never names another one: its getters return zero values and its setters
// return ErrStale.
//
//	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
//	crate, err := world.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: 2}})
//	_, err = crate.AddShape(physics.ShapeDef{Geometry: physics.Box(.5, .5, .5), Density: 400})
//	world.Step(1.0 / 60)
//
// Joints hold bodies to each other or to the world: fixed, hinge, slider, ball, distance and
// wheel, with limits, motors, springs and a strength beyond which they break.
//
//	door, err := world.CreateJoint(physics.JointDef{Kind: physics.HingeJoint, B: crate, Axis: r3.Vec{Y: 1}})
//
// World.Events tells after each step which bodies hit each other, which shapes began and ceased to touch, what sensors see and
// which joints broke. RayCast, ShapeCast, Overlap and ClosestPoint answer between steps. CopyTo keeps a state for rollback, Save and
// Restore a saved game, as in package fluid. CreateRoom makes walls that keep bodies in a box, such as a liquid's domain.
//
// All quantities are SI: m, kg, s, N, rad. The zero value of every field of a Def is a
// useful default. Wrong input is an error that names the field and its limit, never a panic.
// A body whose state stops being finite goes back to its last good pose, at rest, and
// Events reports it.
//
// # Scheme
//
// Contacts are solved by substeps with soft constraints, a relaxation pass and a restitution
// pass ("soft step", after Catto's Solver2D and Box2D v3). Groups of bodies that bear many times
// their own weight, such as towers, take shorter substeps, in which contacts are stiffer.
// Orientation is integrated so that the angular momentum of a free body is kept exactly. Forces,
// AddWrench's among them, act through all substeps of one Step, so a load equal to the weight
// holds a body still. Who takes a step in several Steps, as a liquid does, has them act through
// all by HoldLoads and ReleaseLoads.
//
// The broad phase is a dynamic tree of bounding boxes. Polyhedra meet by separating axes,
// round solids by the gap between their cores (GJK), triangles as thin prisms with only the
// normals that the surface has there. Contacts look as far ahead as a body moves within the
// step; what passes them all the same is swept and stopped at the first touch. Points between
// flat surfaces that have moved by less than a twentieth of a millimetre against each other are
// not looked for anew.
//
// Where bodies that each touch more than 64 movable others touch each other, as after they were all created in one
// place, a step solves for some 64 contacts of each, the same ones in each step, and skips the others until these have
// separated. All pairs are still tested, so that the work grows with the square of the number of bodies in one place.
//
// Joints come before contacts. Those that share bodies are one system of equations, solved
// directly (block Cholesky in an order without fill-in for trees), with limits and motors as an
// active set: chains are as stiff as single joints, whatever their masses. Its two passes a
// substep are those of RATTLE, which keeps energy.
//
// # Coupling
//
// The methods of World that take an index i are what a liquid or another solver needs: i
// runs from 0 to Len()-1 over the live bodies in order of creation and stays the same until
// a body is created or destroyed. An index out of range panics, as with a slice.
//
// # Determinism
//
// The same calls give the same bits on amd64 of any level, arm64 and WebAssembly: compare
// World.Hash. A World is not safe for concurrent use, except that Distance may run concurrently
// with itself: a call that changes a world, steps it, or casts into it while another one is under way panics, and so does one from a
// function of SDFGeometry. World.CopyTo and World.Save keep all that decides what comes next: a copy, or what
// Restore makes of a file, goes on with the same bits.
package physics
