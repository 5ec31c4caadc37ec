// Package adapter is what a game on any engine needs beside its drawing: steps of one length beside
// frames of any, poses between steps, the surface to draw, the cursor's ray, a Grabber that drags bodies, models as
// solids. It knows no engine and needs no C compiler. Package scene is the adapter to g3n that is
// made of it; demo/raylib is a whole game on raylib. README.md tells which passes draw a liquid, and what each is given.
//
// # An adapter in an afternoon
//
// 1. Steps. NewStepper takes the liquid, and with it the bodies that it is coupled to. The game's loop
// calls Stepper.Update with the time since the last frame:
//
//	liquid.Couple(world.Coupling())
//	stepper := adapter.NewStepper(liquid, adapter.Options{Async: true})
//	for !window.ShouldClose() {
//		frame := stepper.Update(window.FrameTime(), func(r *fluid.Report) { /* after each step: sounds, scores */ })
//		draw()
//	}
//	stepper.Close()
//	liquid.Close()
//
// With Async the steps run on a goroutine of their own while the frame is drawn. Then liquid and bodies
// are the game's in Options.BeforeStep, in what Stepper.BetweenSteps is given, and after each step only.
//
// 2. The surface. Stepper.Surface is a copy that no step writes to: positions, normals, velocities, foam,
// indices, droplets, white water. Frame.SurfaceChanged says when to hand it to the engine. Moved by -Lag times its velocity, in the
// vertex shader or by SurfaceCopy.Triangles, a vertex is where it is at the frame's moment, so that water moves as
// evenly as bodies do. Three things differ between engines:
//
//   - The number of vertices changes every step: keep buffers that only grow, and write their beginning.
//   - There can be more than 65,535 vertices. Where indices have 16 bits, draw the TriangleList that
//     SurfaceCopy.Triangles fills, without any.
//   - The first SurfaceCopy.Free indices are the free surface. The rest close the mesh along the domain's sides: draw
//     them where one looks at the liquid from the side, or cull back faces where walls stand there.
//
// SurfaceCopy.Photons lists the sunlight that the surface bends and mirrors, for caustics: where each bundle of rays leaves the surface, its ways in the
// liquid and in the air, its flux and the area that it comes from.
//
// 3. Bodies. BodyTriangles is what a body looks like. Stepper.BindBody calls a function with the pose to
// draw it in, at every Update, between the last two steps:
//
//	mesh := upload(adapter.BodyTriangles(body))
//	stepper.BindBody(body, func(position r3.Vec, rotation quat.Number) {
//		mesh.transform = adapter.Matrix(position, rotation) // column-major, as OpenGL and raylib have it
//	})
//
// A game whose bodies another engine moves binds them with Stepper.Bind: all that is asked of them is Bodies.
//
// 4. The camera. Stepper.Follow makes the liquid finest where the camera looks. CursorRay is what the mouse
// points at; a Grabber drags bodies along it: Grab in BetweenSteps on a button's press, Move in BeforeStep, Release in BetweenSteps.
//
// 5. Models. Weld makes a mesh of an engine's buffers, ReadMesh of an OBJ file; NewModelBody makes a body of
// such meshes, and fluid.NewMesh a region to fill or an obstacle. A ModelSurface is what a liquid follows that takes the shape of a model which the
// engine deforms: Move it in BeforeStep, with Stepper.Stride.
//
// 6. Wetness. With Options.Drying a SurfaceCopy says how wet the liquid has left what stands still, and a Binding, after Soak, what it moves: grids of
// bytes, to be read in a shader as 3D textures a texel before a face. What is wet is darker, and glossy.
//
// Axes are those of fluid and physics: right-handed, metres, radians, seconds. y is up in SurfaceCopy.Level and
// SurfaceCopy.Contains, and nowhere else. Faces run counter-clockwise seen from outside. A left-handed engine mirrors one
// axis of positions, normals and velocities and turns the faces round.
package adapter
