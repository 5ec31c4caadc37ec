package rigid

// NoSlip is the solids that viscous liquid sticks to: the bodies among them as they move without its stresses, and what these do to them.
type NoSlip struct {
	// Near writes how far places, m, are from the nearest solid, m, negative inside, and which of Solids that is; -1: one that never moves, or a side
	// of the domain. Solids farther away than reach, m, need not count. Several workers call it.
	Near func(worker int, reach float64, at [][3]float64, distance []float64, solid []int32)
	// Within is how far a place is within the nearest closed side of the domain, m. nil: the grid ends where the liquid does.
	Within func(at [3]float64) float64
	// Side is the velocity along an axis, m/s, of the side of the domain that is nearest. nil: all sides rest.
	Side    func(axis uint8, at [3]float64) float64
	Density float64 // of the liquid, kg/m³
	Solids  []Solid
	Bodies  []Body // per solid, of use are V and InverseMass
	Inertia Inertia
	// Impulse is, out, what each of Solids receives, N·s and N·m·s about its centre, and Walls what all else does, N·s.
	Impulse [][6]float64
	Walls   [3]float64
}

// Inertia is what bodies resist impulses with, together with the liquid in their gaps and what joins them.
type Inertia interface {
	// Increase has every body's inertia be more by so much: kg, kg·m and kg·m².
	Increase(by [][6][6]float64)
	// Respond writes the velocities that impulses give, six numbers a body each.
	Respond(velocity, impulse []float64)
}
