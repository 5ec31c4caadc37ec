package bodies

import "github.com/meniscus3d/meniscus/fluid/internal/rigid"

// Drag applies the impulses of viscous stresses to the bodies, and returns those on obstacles and the domain's sides, N·s. The liquid has lost them already.
func (c *Coupling) Drag(by *rigid.NoSlip) (walls [3]float64) {
	walls = by.Walls
	for i := range by.Impulse {
		impulse := &by.Impulse[i]
		if i >= len(c.state) {
			for d := range walls {
				walls[d] += impulse[d]
			}
			continue
		}
		s, r := &c.state[i], &c.Rigid[i]
		for a, x := range impulse {
			s.unsolvedWrench[a] += x / c.now.Dt
		}
		for a := range 3 {
			r.V[a] += float64(r.InverseMass * impulse[a])
			for b := range 3 {
				r.V[3+a] += float64(r.InverseInertia[a][b] * impulse[3+b])
			}
		}
	}
	return walls
}

// CountWet adds 1 for each body that was in the liquid in the last substep.
func CountWet(liquids []float64, c *Coupling) {
	for i := range c.state[:min(len(c.state), len(liquids))] {
		if c.state[i].wet {
			liquids[i]++
		}
	}
}
