// Package hearing collects the sources of sound in a step: where the liquid loses kinetic energy as it meets liquid, walls and bodies, what flows, which
// drops hit it, and where it encloses air. It reads the graph before the forces act and after the solve, and changes nothing.
//
// The pressure changes the velocity u of a mass m by Δu, and its energy by m u·Δu. Where that is a loss, greater than what gravity can give in the same
// time, the liquid hits something. The sum of these losses is the energy of the impact. It does not depend on the substep, as long as substeps resolve the
// impact; the energy that the projection dissipates does.
package hearing
