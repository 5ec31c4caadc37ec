package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// unsolved computes the liquid's forces on bodies outside of the solve.
type unsolved struct {
	c     *Coupling
	probe flowProbe
}

// PrepareSolve prepares the bodies and their coupling terms for the solve, once the graph has been filled.
func (c *Coupling) PrepareSolve() {
	c.sampleAtBodies()
	c.slippages.find()
	for i := range c.state {
		if c.state[i].subgrid { // porousBodies.applyLoad does it all
			c.Graph.Bodies[i].Steps = [6][6]float64{}
		}
		c.unsolved.replaceUnresolvedTorque(i)
		c.unsolved.prepare(i)
		c.porous.applyLoad(i)
	}
}

// ApplyUnsolved applies the liquid's forces outside of the solve, once the solver has the liquid in the bodies' gaps. If damp is set it also damps
// slow motion.
func (c *Coupling) ApplyUnsolved(damp bool) {
	for i := range c.state {
		c.unsolved.apply(i, damp)
	}
}

// prepare computes the wrench on a body beside the rows' pressure. For a sleeping body it is that when it fell asleep.
func (u *unsolved) prepare(i int) {
	c := u.c
	s, w := &c.state[i], &c.Graph.Bodies[i]
	weight := c.now.Density * reproducible.Norm(c.accelerations[i])
	s.unsolvedWrench = s.extraWrench
	switch {
	case !s.ok || s.kind != engine.Dynamic:
		s.extraWrench, s.unsolvedWrench = [6]float64{}, [6]float64{}
	case s.subgrid:
	case !s.awake:
		s.unsolvedWrench = [6]float64{}
		if wrench := s.extraWrench; weight > 0 {
			for a := range wrench {
				wrench[a] /= weight
			}
			var up [3]float64 // zero without gravity
			if c.now.Gravity != (r3.Vec{}) {
				up = reproducible.Array(c.now.up())
			}
			w.Steps, w.Rests = graph.StepInertia(&up, &wrench), [6][6]float64{}
		}
	default:
		for a := range s.extraWrench {
			for d, up := range reproducible.Array(c.now.up()) {
				s.extraWrench[a] -= float64(weight * (w.Steps[a][d] + w.Rests[a][d]) * up)
			}
		}
	}
}

// apply applies the drag on body i, and damps its slow motion if damp is set.
func (u *unsolved) apply(i int, damp bool) {
	c := u.c
	s := &c.state[i]
	drag := u.drag(i)
	for a, x := range c.Transfer(i, &drag) {
		s.extraWrench[a] += x
		s.unsolvedWrench[a] += x
	}
	if s.damping = [6]float64{}; !damp {
		return
	}
	s.damping = u.damping(i)
	for a, x := range c.Transfer(i, &s.damping) {
		s.extraWrench[a] += x - s.damping[a]
		s.unsolvedWrench[a] += x - s.damping[a]
	}
}

// damping returns the wrench that damps the slow motion of a floating body.
func (u *unsolved) damping(i int) [6]float64 {
	c := u.c
	s, r := &c.state[i], &c.Rigid[i]
	if !s.wet || r.InverseMass == 0 {
		return [6]float64{}
	}
	v, w := r3.Vec{X: s.before[0], Y: s.before[1], Z: s.before[2]}, r3.Vec{X: s.before[3], Y: s.before[4], Z: s.before[5]}
	size := reproducible.Norm(r3.Sub(s.bounds.Max, s.bounds.Min)) / 2
	v = reproducible.Scale(sleep.Damped(reproducible.Norm(v), sleep.BodyDampingRate, c.now.Dt)-1, v)
	w = reproducible.Scale(sleep.Damped(size*reproducible.Norm(w), sleep.BodyDampingRate, c.now.Dt)-1, w)
	m := 1 / c.now.Dt
	return rigid.Twist(reproducible.Scale(m/r.InverseMass, v), reproducible.Scale(m, rigid.AngularMomentum(&r.InverseInertia, w)))
}
