package pressure

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// The momentum that Body.Resists takes from a body goes to the liquid: to the faces of the body's rows, after the
// solve. The next solve removes the divergence that this leaves.

// react gives the liquid what Resists has taken from a body.
func (s *Solver) react(b *rigid.Body, w *graph.BodyCoupling) {
	push := graph.Push{Density: s.rho, About: b.Centre}
	for i := range push.Impulse {
		push.Impulse[i] = rigid.Dot(&b.AddedInertia[i], &b.V) - b.AddedMomentum[i]
	}
	if push.Impulse == ([6]float64{}) || len(w.Row) == 0 {
		return
	}
	for a := range push.Least {
		push.Least[a] = b.AddedInertia[a][a] // a film is not driven faster than the body
	}
	s.gr.Push(w.Row, &push)
}
