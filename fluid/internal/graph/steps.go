package graph

// StepInertia is the inertia of liquid of unit density whose weight is a wrench, m³ and m⁴, per weight of liquid: what BodyCoupling.Steps is made of. up
// is against gravity; 0 where there is none.
func StepInertia(up *[3]float64, wrench *[6]float64) (m [6][6]float64) {
	n := [6]float64{up[0], up[1], up[2]}
	along := 0.
	for i, x := range n {
		along += float64(wrench[i] * x)
	}
	for i := range m {
		for j := range m {
			m[i][j] = float64(float64(along*n[i])*n[j]) - float64(wrench[i]*n[j]) - float64(n[i]*wrench[j])
		}
	}
	return m
}
