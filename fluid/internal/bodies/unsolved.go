package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// PrepareSolve readies the bodies and where they meet the liquid for the solve, once the graph has been filled.
func (c *Coupling) PrepareSolve() {
	c.surveyAt()
	c.findSlippages()
	for i := range c.state {
		if c.state[i].subgrid { // applySubgridLoad does it all
			c.Graph.Bodies[i].Steps = [6][6]float64{}
		}
		c.replaceUnresolvedTorque(i)
		c.prepareUnsolved(i)
		c.applySubgridLoad(i)
	}
}

// ApplyUnsolved has the liquid do to the bodies what it does beside the solve and their own weight, once the solver knows what liquid moves
// with them. It damps their slow motion if damp is set.
func (c *Coupling) ApplyUnsolved(damp bool) {
	for i := range c.state {
		c.applyUnsolved(i, damp)
	}
}

// prepareUnsolved readies what presses on a body beside the rows' pressure. One that sleeps is pressed on as it was when it fell asleep.
func (c *Coupling) prepareUnsolved(i int) {
	s, w := &c.state[i], &c.Graph.Bodies[i]
	weight := c.now.Density * reproducible.Norm(c.accelerations[i])
	s.unsolvedWrench = s.extraWrench
	switch {
	case !s.ok || s.kind != Dynamic:
		s.extraWrench, s.unsolvedWrench = [6]float64{}, [6]float64{}
	case s.subgrid:
	case !s.awake:
		s.unsolvedWrench = [6]float64{}
		if wrench := s.extraWrench; weight > 0 {
			for a := range wrench {
				wrench[a] /= weight
			}
			var up [3]float64 // none without gravity
			if c.now.Gravity != (r3.Vec{}) {
				up = reproducible.Array(c.now.up())
			}
			w.Steps = graph.StepInertia(&up, &wrench)
		}
	default:
		for a := range s.extraWrench {
			for d, up := range reproducible.Array(c.now.up()) {
				s.extraWrench[a] -= float64(weight * w.Steps[a][d] * up)
			}
		}
	}
}

// applyUnsolved gives body i what the liquid does to it beside the solve and its own weight, and damps its slow motion if damp is set.
func (c *Coupling) applyUnsolved(i int, damp bool) {
	s := &c.state[i]
	drag := c.dragOnBody(i)
	for a, x := range c.Transfer(i, &drag) {
		s.extraWrench[a] += x
		s.unsolvedWrench[a] += x
	}
	if s.damping = [6]float64{}; !damp {
		return
	}
	s.damping = c.dampingWrench(i)
	for a, x := range c.Transfer(i, &s.damping) {
		s.extraWrench[a] += x - s.damping[a]
		s.unsolvedWrench[a] += x - s.damping[a]
	}
}
