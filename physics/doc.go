// Package physics moves rigid bodies.
//
// A World owns everything. World.AddBody and World.AddJoint add to it, Body.AddShape gives a body a solid, and Remove takes away.
//
//	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
//	crate, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: 2}})
//	_, err = crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.5, .5, .5)), Density: 400})
//	door, err := world.AddJoint(physics.JointDef{Kind: physics.HingeJoint, B: crate, Axis: r3.Vec{Y: 1}})
//	world.Step(1.0 / 60)
//
// Body, Shape and Joint are handles: a world and an ID that never names anything else. Getters of a handle whose body, shape or joint
// was removed return zero values, setters ErrStale. World.Body, World.Shape and World.Joint return the handle of an ID, also in a copy of the
// world or one that was saved.
//
// Solids are spheres, capsules, cylinders, boxes, convex hulls and open boxes; static and kinematic bodies can also be triangle meshes, height
// fields, half-spaces and any solid given by its signed distance. Joints are fixed, hinges, sliders, balls, distances and wheels, with
// limits, motors, springs and a load at which they break.
//
// World.Events lists what the last step did: impacts, contacts and sensors that began and ended, joints that broke. World.RayCast, ShapeCast,
// Overlap and ClosestPoint answer between steps. World.CopyTo keeps a state for rollback, Save and Restore a saved game.
//
// All quantities are SI: m, kg, s, N, rad. The zero value of every field of a Def is a useful default. Wrong input is an error that names the
// field and its limit. A body whose state is not finite goes back to its last good pose, at rest, and Events lists it.
//
// World.Coupling is the world as a liquid sees it: fluid.Liquid.Couple takes it. Package fluid has two internal packages about bodies: bodies
// exchanges loads with a Coupling or another engine, and rigid holds the equations of bodies that the liquid's stages share; this one is the
// engine itself, and knows nothing of liquids.
//
// # Scheme
//
// Contacts are solved by substeps with soft constraints, a relaxation pass and a restitution
// pass ("soft step", after Catto's Solver2D and Box2D v3). Groups of bodies that bear many times
// their own weight, such as towers, take shorter substeps, in which contacts are stiffer.
// The integration of orientation keeps the angular momentum of a free body exactly. Forces
// act evenly through all substeps of one Step, so a load equal to the weight
// holds a body still.
//
// The broad phase is a dynamic tree of bounding boxes. Polyhedra are tested by separating axes,
// round solids by the gap between their cores (GJK), triangles as thin prisms with only the
// normals that the surface has there. Contacts look as far ahead as a body moves within the
// step. Continuous collision detection stops what passes them at the first touch. Points between
// flat surfaces that have moved by less than a twentieth of a millimetre against each other are
// kept.
//
// Where bodies that each overlap or touch more than 32 movable others do so with each other, as after all were added in one
// place, a step tests and solves about 32 pairs of each, the same ones in each step, and skips the others until these have
// separated. All neighbours are still listed; the rest of the work grows with the number of bodies.
//
// Joints come before contacts. Those that share bodies are one system of equations, solved
// directly (block Cholesky in an order without fill-in for trees), with limits and motors as an
// active set: chains are as stiff as single joints, whatever their masses. Its two passes a
// substep are those of RATTLE, which keeps energy.
//
// # Determinism
//
// The same calls give the same bits on amd64 of any level, arm64 and WebAssembly: compare
// World.Hash. A copy, and what Restore makes of a file, goes on with the same bits.
//
// A World is not safe for concurrent use, except that Body.Distance may run concurrently
// with itself. A call that changes a world, steps it or casts into it while another one is under way panics, and so does one from the
// function of an SDF.
package physics
