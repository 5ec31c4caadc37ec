// Package hearing gathers what one would hear of a liquid in a step: where it loses kinetic energy as it meets liquid, walls and bodies, what flows, which
// drops meet it, and where air is enclosed. It reads the graph before the forces act and after the solve, and changes nothing.
//
// What the pressure gives liquid of mass m that moves with u is a velocity Δu, and so the energy m u·Δu. Where that is against u, by more than gravity gives
// in the meantime, the liquid is slowed down: it meets something. The sum over what is slowed down is the energy of the impact, and is the same for any
// substep, as long as substeps resolve it. What the projection alone dissipates is not: it goes with the substep.
package hearing
