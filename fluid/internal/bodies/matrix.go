package bodies

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// matrix6 is a matrix for twists and wrenches.
type matrix6 [6][6]float64

// add adds by·q qᵀ.
func (m *matrix6) add(by float64, q *[6]float64) {
	for i := range m {
		v := float64(by * q[i])
		for j := range m {
			m[i][j] += float64(v * q[j])
		}
	}
}

func (m *matrix6) times(v *[6]float64) (r [6]float64) {
	for i := range m {
		for j, x := range v {
			r[i] += float64(m[i][j] * x)
		}
	}
	return r
}

// solve replaces x by m⁻¹ x, by Cholesky's method. It returns false if m is not symmetric and positive definite.
func (m matrix6) solve(x *[6]float64) bool {
	for j := range 6 {
		for k := range j {
			for i := j; i < 6; i++ {
				m[i][j] -= float64(m[i][k] * m[j][k])
			}
		}
		if !(m[j][j] > 0) {
			return false
		}
		d := math.Sqrt(m[j][j])
		for i := j; i < 6; i++ {
			m[i][j] /= d
		}
	}
	for i := range 6 {
		for k := range i {
			x[i] -= float64(m[i][k] * x[k])
		}
		x[i] /= m[i][i]
	}
	for i := 5; i >= 0; i-- {
		for k := i + 1; k < 6; k++ {
			x[i] -= float64(m[k][i] * x[k])
		}
		x[i] /= m[i][i]
	}
	return true
}

func transpose(m *[6][6]float64) {
	for i := range m {
		for j := range i {
			m[i][j], m[j][i] = m[j][i], m[i][j]
		}
	}
}

// tensor is a symmetric 3×3 matrix.
type tensor [3]r3.Vec

func (t *tensor) times(v r3.Vec) r3.Vec {
	return r3.Vec{X: reproducible.Dot(t[0], v), Y: reproducible.Dot(t[1], v), Z: reproducible.Dot(t[2], v)}
}

// ellipsoid is the ellipsoid of inertia: a body's inverse principal moments, 1/(kg·m²), and their axes.
type ellipsoid struct {
	values [3]float64
	axes   tensor
}

func inverseInertia(r *rigid.Body) tensor {
	return tensor{reproducible.Vector(r.InverseInertia[0]), reproducible.Vector(r.InverseInertia[1]), reproducible.Vector(r.InverseInertia[2])}
}

// principal returns the eigenvalues of a symmetric matrix and its unit eigenvectors, by Jacobi rotations.
func principal(m tensor) ellipsoid {
	a := [3][3]float64{reproducible.Array(m[0]), reproducible.Array(m[1]), reproducible.Array(m[2])}
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} // rows are the axes
	for range 8 {                                       // they converge quadratically
		for _, pq := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
			p, q := pq[0], pq[1]
			if a[p][q] == 0 {
				continue
			}
			θ := (a[q][q] - a[p][p]) / (2 * a[p][q])
			t := math.Copysign(1, θ) / (math.Abs(θ) + math.Sqrt(float64(θ*θ)+1))
			c := 1 / math.Sqrt(float64(t*t)+1)
			s := t * c
			for k := range 3 {
				a[k][p], a[k][q] = float64(c*a[k][p])-float64(s*a[k][q]), float64(s*a[k][p])+float64(c*a[k][q])
			}
			for k := range 3 {
				a[p][k], a[q][k] = float64(c*a[p][k])-float64(s*a[q][k]), float64(s*a[p][k])+float64(c*a[q][k])
				v[p][k], v[q][k] = float64(c*v[p][k])-float64(s*v[q][k]), float64(s*v[p][k])+float64(c*v[q][k])
			}
		}
	}
	return ellipsoid{[3]float64{a[0][0], a[1][1], a[2][2]}, tensor{reproducible.Vector(v[0]), reproducible.Vector(v[1]), reproducible.Vector(v[2])}}
}

func column(t *tensor, c int) r3.Vec {
	return r3.Vec{X: reproducible.Array(t[0])[c], Y: reproducible.Array(t[1])[c], Z: reproducible.Array(t[2])[c]}
}
