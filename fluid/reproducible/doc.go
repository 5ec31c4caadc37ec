// Package reproducible has elementary functions and operations on vectors and quaternions whose results have the same bits on
// every processor. Packages fluid and physics use it; a game whose own Bodies, shapes or forces must give the same
// bits everywhere needs it too.
//
// The compiler rounds x*y + z once where the processor can (fused multiply-add), as on arm64 and for GOAMD64=v3, and twice elsewhere. It always
// rounds a product that is converted to its own type, as in float64(x*y) + z. Of the standard library only functions that are exact, or correctly
// rounded, give the same bits everywhere (Sqrt, Floor, Ldexp, ...); its sine, logarithm and hypotenuse and gonum's products of vectors depend on the
// processor.
//
// Errors are given in units in the last place of the result. Angles are in radians. No function panics or allocates: undefined
// results are NaN, and overflow is an infinity.
//
// Sincos and PreciseSincos are different functions with different bits, and so are Atan2 and PreciseAtan2. The precise ones are up
// to a unit more accurate. Both exist because the results of fluid depend on the first and those of physics on the second.
package reproducible
