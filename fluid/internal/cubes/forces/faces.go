package forces

import "github.com/meniscus3d/meniscus/fluid/internal/graph"

// SurfaceFaces appends the faces between a row and air to faces, in ascending order, and where the surface crosses the lines between the centres, m, to
// at: the places whose curvature SetJump asks for. Composite faces of cubes are not among them.
func SurfaceFaces(g *graph.Graph, faces []int32, at [][3]float64) ([]int32, [][3]float64) {
	for f, a := range g.A {
		b := g.B[f]
		if min(a, b) != graph.Air || max(a, b) < 0 {
			continue
		}
		faces, at = append(faces, int32(f)), append(at, crossingOf(g, int32(f), max(a, b)))
	}
	return faces, at
}

// SetJump makes the pressure in the air beyond the given faces what bends the surface there, p = γκ, Pa, and 0 beyond all others.
//
// gamma:     surface tension, N/m.
// curvature: per entry of faces, the sum of the principal curvatures, 1/m, positive for a drop.
// Source: Batty, Xenos, Houston 2010.
func SetJump(g *graph.Graph, gamma float64, faces []int32, curvature []float32) {
	clear(g.Jump)
	for i, f := range faces {
		g.Jump[f] = gamma * float64(curvature[i])
	}
}
