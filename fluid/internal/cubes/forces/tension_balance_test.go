package forces

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// wrench is what jumps and velocities give the rows of a scene in a step: momentum over density, and its moment about a place; size is what the jumps alone would add up to if all pushed one way.
func wrench(s *scene, about [3]float64, push float64) (w [6]float64, size float64) {
	p := freePiece{middle: about}
	for f, u := range s.gr.U {
		area := s.gr.Area[f] * s.gr.Open[f]
		by := u * area * s.gr.Dist[f]
		switch graph.Air {
		case s.gr.A[f]:
			by += push * area * s.gr.Jump[f]
		case s.gr.B[f]:
			by -= push * area * s.gr.Jump[f]
		}
		size += math.Abs(by)
		for i, x := range p.twist(s.gr.Normal(f), s.gr.FaceCentre(f)) {
			w[i] += by * x
		}
	}
	return w, size
}

// Tension neither pushes nor turns liquid that touches air alone, however uneven its surface is: jumps alone would. Liquid that touches a wall it leaves to its jumps.
func TestTensionPushesNothingFree(t *testing.T) {
	const radius, push = .6, 1e-3
	for _, free := range []bool{true, false} {
		centre := [3]float64{1.23, 1.17, 1.21}
		if !free {
			centre[1] = .3
		}
		s := newScene(t, 1, .1, [3]int{3, 3, 3}, nil, func(x [3]float64) float64 { return distance(x, centre) - radius })
		clear(s.gr.U)
		points := onBall(centre, radius, 1500, .01, 5)
		NewTension(s.g, s.pool).ApplyTo(&s.gr, s.phi, points, gammaWater, 1, push)
		var moved float64
		for _, u := range s.gr.U {
			moved = max(moved, math.Abs(u))
		}
		w, size := wrench(s, centre, push)
		clear(s.gr.U)
		alone, _ := wrench(s, centre, push)
		t.Logf("free %v: %.3g of %.3g, the jumps alone %.3g", free, w, size, alone)
		for i, x := range w {
			if free && !(math.Abs(x) < 1e-10*size) {
				t.Errorf("component %d: %g of %g", i, x, size)
			}
		}
		if least := min(math.Abs(alone[0]), math.Abs(alone[3])); free && least < 1e-6*size {
			t.Errorf("the jumps alone add up to no more than %g of %g: the ball is too even", least, size)
		}
		if free != (moved > 0) {
			t.Errorf("free %v: velocities up to %g", free, moved)
		}
	}
}
