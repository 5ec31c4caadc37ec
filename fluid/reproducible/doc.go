// Package reproducible has elementary functions and operations on vectors and quaternions whose results have the same bits on
// every processor. Packages fluid and physics are made with it; a game whose own Bodies, shapes or forces are to give the same
// bits everywhere needs it as much.
//
// The compiler rounds x*y + z once where the processor can, as on arm64 and for GOAMD64=v3, and twice elsewhere. A product
// that is converted to its own type, as in float64(x*y) + z, it always rounds first. Of the standard library only what is
// exact, or rounded right, gives the same bits everywhere (Sqrt, Floor, Ldexp, ...); its sine, logarithm or hypotenuse and
// gonum's products of vectors are compiled for the processor too.
//
// Errors are given in units in the last place of the result. Angles are in radians. No function panics or allocates: what has no
// number gives NaN, and what exceeds a float64 an infinity.
//
// Sincos and PreciseSincos are different functions with different bits, as are Atan2 and PreciseAtan2, of which the second is up
// to a unit nearer to the result. Both stand because what fluid computes rests on the first and what physics computes on the second.
package reproducible
