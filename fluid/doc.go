// Package fluid simulates a liquid with a free surface that pushes rigid bodies and is pushed by them, on an adaptive grid, within a time budget.
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
// Units are SI: m, s, kg, N, Pa; litres only where a name says so. Vectors are gonum's r3.Vec. Everything but [Liquid.Step] may happen between any two
// steps. A call while another is under way panics. Wrong input is an error that names the field and its limit. A step that goes wrong is rolled back,
// and [Report].Err says why. The package draws nothing and needs neither cgo nor a screen.
//
//   - Setting up: [Def.With] names a material and [Def.At] a [Quality], in place of numbers; [Liquid.Prewarm] does what the first steps would.
//   - Shapes: regions and solids are signed distances ([SDF]): [Box], [Sphere], [Union], triangle meshes ([NewMesh]), any type with Eval and Bounds.
//   - What is there: [Liquid.Fill], [Liquid.Drain], [Liquid.AddObstacle]. What comes and goes: [Liquid.AddEmitter], [Liquid.AddSink], [Liquid.SetCurrent];
//     [Liquid.Ledger] accounts for every litre.
//   - What pushes: [Liquid.SetGravity], [Liquid.AddField], [Liquid.SetWind], [Liquid.Impulse], [Liquid.Explode].
//   - Bodies: [Liquid.Couple] joins the liquid to rigid bodies, a physics.World by its Coupling or any engine that implements [Bodies]; Step advances both, in one
//     pressure solve. [Liquid.BodyLoad] and [Liquid.Events] tell what happens to them.
//   - The surface: [Def].Tracker chooses [LevelSet], the fastest; [ExplicitMesh], which keeps sheets, threads and drops thinner than a cell; or [Contouring],
//     which samples finer than the cells. [Def].Discretisation chooses the cells: [Cubes], the fastest, or [Tetrahedra], which have faces in fourteen
//     directions, so that waves and walls at any angle are alike. [Def].WhiteWater adds spray, foam and bubbles,
//     [Def].SurfaceWaves small waves to what is shown. With [BoundaryOnly] there are no cells: drops of a few hundred triangles each.
//   - Steering: [Liquid.AddControl] has the liquid follow a moving surface (package control), whose details an Attraction shows.
//   - Questions: [Liquid.Sample], [Liquid.RayCast], [Liquid.VolumeIn], [Liquid.DensityIn]. With [Def].Sounds events tell what one would hear (package sounds).
//   - Time: a [Budget] bounds a step by wall time or by work; [Liquid.SetView] keeps detail where the camera looks; [Report] says what a step took and what
//     its [Plan] gave up. Package fluidtrace makes traces, percentiles and a black box of reports.
//   - State: [Liquid.CopyTo], [Liquid.Save], [Liquid.Restore], [Liquid.Snapshot], [Liquid.Hash]. The same calls give the same bits on every machine and with any
//     number of workers; within a budget in wall time they do with recorded plans ([Liquid.Replay]).
//
// ARCHITECTURE.md in this folder shows how a step works, GLOSSARY.md what its words mean, DIVERGENCES.md where it differs from the papers.
package fluid
