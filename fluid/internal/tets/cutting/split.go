package cutting

import "github.com/meniscus3d/meniscus/fluid/internal/dense"

// split writes an inertia's positive part into more and its negative one into less. Rotations are compared with translations at a radius, m.
func (m *inertia) split(more, less *[6][6]float64, radius float64) {
	var a [6][6]float64
	scale := [6]float64{1, 1, 1, 1 / radius, 1 / radius, 1 / radius}
	for i := range a {
		for j := range a {
			a[i][j] = float64(m[max(i, j)][min(i, j)] * scale[i] * scale[j])
		}
	}
	lambda, v := dense.Eigen(&a)
	*more, *less = [6][6]float64{}, [6][6]float64{}
	for k := range 6 {
		to := more
		if lambda[k] < 0 {
			to = less
		}
		for i := range v {
			for j := range v {
				to[i][j] += float64(lambda[k] * v[i][k] * v[j][k] / scale[i] / scale[j])
			}
		}
	}
}
