// Package fluid simulates a liquid with a free surface that pushes rigid bodies and is pushed by them, on an adaptive grid, within a time budget.
//
// A [Def] describes the liquid, [New] makes it, [Liquid.Step] advances it. Everything else (filling, draining, obstacles, emitters, bodies, the
// camera) may change between any two steps. The package draws nothing and needs neither cgo nor a screen.
//
// Units are SI throughout: metres, seconds, kilograms, newtons, pascals; litres only where a name says so. Vectors are gonum's r3.Vec.
//
// # A first liquid
//
//	liq, err := fluid.New(fluid.Def{
//		Domain:   r3.Box{Max: r3.Vec{X: 4, Y: 2, Z: 3}}, // m
//		CellSize: .05,                                   // m, of the finest cells
//		Budget:   fluid.Budget{Step: 6 * time.Millisecond},
//	})
//	err = liq.Fill(fluid.Below(1.2)) // up to y = 1.2 m
//	for running {
//		report := liq.Step(1. / 60) // s
//		draw(liq.Surface())         // triangles, valid until the next step
//	}
//	liq.Close()
//
// Def.With names a material ([Water], [Honey] and so on) and Def.At a [Quality], in place of numbers. [Liquid.Prewarm] before the
// first frame does what the first steps would else need time for.
//
// # Solids and shapes
//
// Regions and solids are signed distances ([SDF]): primitives such as [Box] and [Sphere], their combinations ([Union], [Difference]
// and so on), triangle meshes ([NewMesh]), and any type of the game's with Eval and Bounds. [Liquid.AddObstacle] puts a solid into the
// liquid, [Liquid.MoveObstacle] moves it, [Liquid.Fill] and [Liquid.Drain] take a region.
//
// # What comes and goes
//
// Emitters ([Liquid.AddEmitter]) and sinks ([Liquid.AddSink]) run at a rate in litres per second. A side of the domain is a wall,
// open, or has a current ([Liquid.SetCurrent]). [Liquid.Ledger] accounts for every litre.
//
// # What pushes
//
// Gravity ([Liquid.SetGravity]), force fields ([Liquid.AddField]), wind ([Liquid.SetWind]), blows ([Liquid.Impulse], [Liquid.Explode]), and bodies.
//
// # Bodies
//
// [Liquid.Couple] joins the liquid to rigid bodies: a physics.World by its Coupling, or any engine that implements [Bodies]. From then on Step
// advances both, in one pressure solve. [Liquid.BodyLoad] tells what the liquid does to a body, [Liquid.Events] which bodies have entered,
// left or splashed. Optional interfaces ([Contacting], [Dragging], [Filtering], [Naming] and so on) let an engine tell more. Package fluidtest
// checks an engine. Several liquids may couple the same bodies: see Couple.
//
// # The surface
//
// [Def].Tracker says how the surface is followed. A [LevelSet] is the fastest, and as fine as the cells. [ExplicitMesh] is triangles that move
// with the liquid: it keeps sheets, threads and drops that are thinner than a cell, and joins and parts without ever intersecting itself.
// [Contouring] samples the surface finer than the cells and makes its triangles anew in each step. Def.SurfaceDetail is how much finer both
// are. Whatever works with one works with all. [Def].WhiteWater adds spray, foam and bubbles.
//
// # Questions
//
// [Liquid.Sample] looks points up: inside or not, height of the surface, velocity, pressure. [Liquid.RayCast] finds the surface on rays.
// [Liquid.VolumeIn] and [Liquid.DensityIn] measure a shape. None of them allocates, and all may be asked between any two steps.
// With [Def].Sounds each step lists in [Events] what one would hear: splashes by the energy that they lose, what flows, drops, bubbles. See package sounds.
//
// # Time
//
// A [Budget] bounds a step by wall time or by work. [Liquid.SetView] tells where the camera looks: detail is kept there and at bodies, and
// gives way elsewhere. [Report] says what a step took, stage by stage, and what its [Plan] gave up. Package fluidtrace makes traces,
// percentiles and a black box of reports.
//
// # State
//
// [Liquid.CopyTo] keeps a state for rollback, [Liquid.Save] and [Liquid.Restore] a saved game, which [Liquid.Snapshot] leaves to another
// goroutine to write. All go on bit for bit: the same calls give the same bits on amd64, arm64 and WebAssembly and with any number of workers, and
// [Liquid.Hash] tells if two runs differ. Within a budget in work that holds as it is. Within one in wall time it holds with recorded
// plans, which [Liquid.Replay] follows.
//
// # Rules
//
// A Liquid is for one goroutine at a time: a call while another is under way panics. Wrong input is an error that names the field and its
// limit. A step that goes wrong numerically is rolled back, and its report says why.
//
// ARCHITECTURE.md in this folder shows how a step works, GLOSSARY.md what its words mean, DIVERGENCES.md where it differs from the papers.
package fluid
