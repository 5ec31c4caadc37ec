package rigid

// NoSlip is the solids that viscous liquid sticks to, with their twists before viscous stresses act, and the impulses of these.
type NoSlip struct {
	// Near sets the distances, m, of places, m, from the nearest solid, negative inside, and its index in Solids; -1 for a static one, or a side
	// of the domain. Solids beyond reach, m, may be left out. Several workers may call it at once.
	Near func(worker int, reach float64, at [][3]float64, distance []float64, solid []int32)
	// Within returns the distance, m, of a place in the domain from the nearest closed side. nil: the grid ends where the liquid does.
	Within func(at [3]float64) float64
	// Side returns the velocity component along an axis, m/s, of the nearest side of the domain. nil: all sides rest.
	Side    func(axis uint8, at [3]float64) float64
	Density float64 // of the liquid, kg/m³
	Solids  []Solid
	Bodies  []Body // per solid: V and InverseMass
	Inertia Inertia
	// Impulse is, out, the impulse on each of Solids, N·s and N·m·s about its centre, and Walls that on everything else, N·s.
	Impulse [][6]float64
	Walls   [3]float64
}

// Inertia is the inertia of bodies with the liquid in their gaps and their joints.
type Inertia interface {
	// Increase adds to the inertia of every body, kg, kg·m and kg·m².
	Increase(by [][6][6]float64)
	// Respond sets velocity to the change of velocity by impulse, six numbers per body.
	Respond(velocity, impulse []float64)
}
