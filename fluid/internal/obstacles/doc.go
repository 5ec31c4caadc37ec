// Package obstacles has the solids that a game adds to the liquid itself, beside rigid bodies: where they are, how they move, and how a step
// uses them. The static ones form one solid; each moving one is a solid of its own, behind the bodies in a step's list of solids. The package also
// computes how all solids of that list have moved since the surface last did, and which of them is nearest to a place.
//
// It works on signed distances alone, in batches, and does not depend on a grid. Lengths are in m, times in s, velocities in m/s and rad/s.
package obstacles
