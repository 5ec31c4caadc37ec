// Package control makes the moving surfaces that liquid is steered by: a closed mesh that has positions and velocities at any
// time. It needs no liquid, so that a tool may run it alone.
//
// # What a surface comes from
//
//   - [Morph]: a few shapes with the same triangles, and when each is to be. Solve computes the frames between and returns a
//     [Clip]: of all motions that keep the volume the one with the least accelerations.
//   - [NewClip]: frames that the game or its tools have, with the same triangles.
//   - [NewSequence]: frames whose triangles differ from one to the next, with velocities.
//   - [NewLive]: positions that the game sets in each step, as of a skinned character.
//
// All of them are a [Source]. A [Player] plays one at any speed, backwards, in a loop, paused or cross-faded into another, and places it in the
// world. What it gives, a [Mesh], is what a liquid follows. A clip is saved and loaded with [Clip.Save] and [Load], so that a
// tool may compute morphs beforehand; clips computed on different machines have the same [Clip.Hash].
//
// # The morph
//
// Source: Raveendran, Thuerey, Wojtan, Turk 2012, Controlling Liquids Using Meshes, section 4. Minimised is the sum of squared accelerations of
// all vertices (eq. 1), subject to the volume of every frame (eq. 2). K, the matrix of one coordinate's accelerations, has five diagonals; one
// factor of it serves all coordinates. Constraints of single vertices, then those of the volume, are taken out of it by Schur complements (eqs. 6
// to 8), which are as large as there are frames. What differs from the paper:
//
//   - Only the first pass holds the flux of each interval through triangles whose normals turn from key to key (eq. 3). Of these constraints,
//     one of which depends on the others where the shape doesn't change, differences of neighbours are taken, so that neither
//     direction of time is preferred.
//   - Later passes linearise the volume of each frame about the pass before, with the frame's own area vectors: these are its gradient. The volume comes
//     out exactly, and where passes end is where accelerations are least. Area vectors of intervals that are
//     held fixed, as in eq. 3, lack a term, and end elsewhere and later: at a twist of 170° with 0.5 % more acceleration.
//   - Accelerations are taken in axes that turn with the shape, so that a rigid motion comes out rigid; [Morph].FixedAxes is the paper's
//     objective, whose least accelerations for a turn are no rotation.
//   - Frames may be unevenly spaced, and more than two keys are computed at once, with velocity continuous through those between.
//   - Keys of unequal volume: in between it is interpolated; [Report].VolumeRates says what source the projection must have.
//
// # Volume
//
// A morph's frames have their volume to 1e-8. Between them a clip's cubics miss it by what grows with the fourth power of the time between frames.
// [Mesh.VolumeRate] is the flux of the velocities through the surface at any time, whatever it comes from, and so the source that a projection
// to them must have.
//
// # Errors
//
// What a game or a file brings is checked, and an error names the field, the value and the limit. What can't come of data, such as a wrong
// number of positions for a [Live], panics. No function gives values that are not finite.
package control
