package predicates

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// What is nearest leads from the one to the other, and nothing that is tried is nearer; degenerate triangles and edges included.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for i := range 3000 {
		x := points(rng, i%5)
		for _, edges := range []bool{false, true} {
			c := NearVertexTriangle(x[0], x[1], x[2], x[3])
			if edges {
				c = NearEdgeEdge(x[0], x[1], x[2], x[3])
			}
			m := [4]Motion{{x[0]}, {x[1]}, {x[2]}, {x[3]}}
			d := weighted(&m, c.Weights, 0)
			if r3.Norm(r3.Sub(d, r3.Scale(c.Distance, c.Normal))) > 1e-14 || math.Abs(r3.Norm(c.Normal)-1) > 1e-14 {
				t.Fatalf("edges %v: %+v of %v leads to %v", edges, c, x, d)
			}
			for range 50 {
				u, v := rng.Float64(), rng.Float64()
				if rng.IntN(2) == 0 {
					u = float64(rng.IntN(2))
				}
				w := [4]float64{1 - u, u, v - 1, -v}
				if !edges {
					v *= 1 - u
					w = [4]float64{1, u + v - 1, -u, -v}
				}
				if other := r3.Norm(weighted(&m, w, 0)); other < c.Distance-1e-14 {
					t.Fatalf("edges %v: %+v of %v, but %g is nearer, at %v", edges, c, x, other, w)
				}
			}
		}
	}
}
