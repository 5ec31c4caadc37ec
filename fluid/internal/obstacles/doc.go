// Package obstacles is the solids that a game gives the liquid itself, beside rigid bodies: where they are, how they move, and what a step
// asks of them. Those that stand still are one solid, those that move are one each, behind the bodies in a step's list of solids. It also
// tells how all solids of that list have moved since the surface was, and which of them is nearest to a place.
//
// It works by signed distances alone, in batches, and knows no grid. Lengths are in m, times in s, velocities in m/s and rad/s.
package obstacles
