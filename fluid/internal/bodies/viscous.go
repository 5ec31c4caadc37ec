package bodies

import "github.com/meniscus3d/meniscus/fluid/internal/rigid"

// Drag gives bodies what viscous stresses do to them: an impulse per solid, N·s and N·m·s about its centre, from liquid that has lost it.
func (c *Coupling) Drag(impulse [][6]float64) {
	for i := range c.state {
		s, r, dt := &c.state[i], &c.Rigid[i], c.now.Dt
		for a, x := range impulse[i] {
			s.unsolvedWrench[a] += x / dt
		}
		for a := range 3 {
			r.V[a] += float64(r.InverseMass * impulse[i][a])
			for b := range 3 {
				r.V[3+a] += float64(r.InverseInertia[a][b] * impulse[i][3+b])
			}
		}
	}
}

// OnObstacles is what viscous stresses give obstacles and the domain's sides, N·s.
func (c *Coupling) OnObstacles(s *rigid.NoSlip) [3]float64 {
	to := s.Walls
	for _, impulse := range s.Impulse[len(c.state):] {
		for d := range to {
			to[d] += impulse[d]
		}
	}
	return to
}
