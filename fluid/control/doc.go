// Package control makes control surfaces: moving closed meshes, with positions and velocities at any
// time, that steer a liquid. It needs no liquid, so that a tool may run it alone. Making a liquid follow such a surface is the task of package fluid:
// see Liquid.AddControl there.
//
// # Where a surface comes from
//
//   - [Morph]: a few shapes with the same triangles, and their times. Solve computes the frames between and returns a
//     [Clip]: of all motions that keep the volume the one with the least accelerations.
//   - [NewClip]: given frames with the same triangles.
//   - [NewSequence]: frames whose triangles differ from one to the next, with velocities.
//   - [NewLive]: positions that the game sets in each step, as of a skinned character.
//
// All of them are a [Source]. A [Player] plays one at any speed, backwards, in a loop, paused or cross-faded into another, and places it in the
// world. Its [Mesh] is what a liquid follows. A clip is saved and loaded with [Clip.Save] and [Load], so that a
// tool may compute morphs beforehand; clips computed on different machines have the same [Clip.Hash].
//
// # The morph
//
// Source: Raveendran, Thuerey, Wojtan, Turk 2012, Controlling Liquids Using Meshes, section 4. A morph minimises the sum of squared accelerations of
// all vertices (eq. 1), subject to the volume of every frame (eq. 2). K, the matrix of one coordinate's accelerations, has five diagonals; one
// factorisation serves all coordinates. Constraints of single vertices, then those of the volume, are eliminated by Schur complements (eqs. 6
// to 8), whose size is the number of frames. Differences from the paper:
//
//   - Only the first pass constrains the flux of each interval through triangles whose normals turn from key to key (eq. 3). Where the shape doesn't change
//     one of these constraints depends on the others. The solver therefore uses differences of neighbours, so that neither
//     direction of time is preferred.
//   - Later passes linearise the volume of each frame about the previous pass, with the frame's own area vectors, which are the volume's gradient. The volume is then
//     exact, and the limit has the least accelerations. Fixed area vectors of intervals, as in eq. 3, lack a term: they converge
//     later, to another limit, with 0.5 % more acceleration at a twist of 170°.
//   - Accelerations are measured in axes that turn with the shape, so that a rigid motion stays rigid. [Morph].FixedAxes is the paper's
//     objective, whose least accelerations for a turn are no rotation.
//   - Frames may be unevenly spaced. More than two keys are computed at once, with continuous velocity at those between.
//   - Keys may have unequal volumes, which are interpolated in between; [Report].VolumeRates is the source that the projection must have.
//
// # Volume
//
// A morph's frames have their volume to 1e-8. Between frames a clip's cubics have an error that grows with the fourth power of the time between frames.
// [Mesh.VolumeRate] is the flux of the velocities through any surface at any time, and so the source that a projection
// to these velocities must have.
//
// # Errors
//
// Data of a game or a file is checked; errors name the field, the value and the limit. Programming errors, such as a wrong
// number of positions for a [Live], panic. No function returns values that are not finite.
package control
