package transport

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// normal is the normal equations of a velocity u of which parts are known: Σ w n nᵀ u = Σ w n z, with unit vectors n, the velocity z along each and its weight w.
type normal struct {
	xx, yy, zz, xy, xz, yz float64
	rhs                    [3]float64
}

// add adds a part: the velocity z along n.
func (m *normal) add(n *[3]float64, weight, z float64) {
	x, y := float64(weight*n[0]), float64(weight*n[1])
	m.xx += float64(x * n[0])
	m.xy += float64(x * n[1])
	m.xz += float64(x * n[2])
	m.yy += float64(y * n[1])
	m.yz += float64(y * n[2])
	m.zz += float64(float64(weight*n[2]) * n[2])
	geom.AddScaled(&m.rhs, float64(weight*z), n)
}

// leastRank is the determinant, of that of equal parts in all directions, below which the parts don't tell a direction well enough: along the worst one a velocity would
// be as many times less certain than the parts are.
const leastRank = .05

// solve is the velocity that fits best; it isn't known if the parts tell too little.
func (m *normal) solve() (u [3]float64, known bool) {
	trace := m.xx + m.yy + m.zz
	x := [3]float64{float64(m.yy*m.zz) - float64(m.yz*m.yz), float64(m.xz*m.yz) - float64(m.xy*m.zz), float64(m.xy*m.yz) - float64(m.xz*m.yy)}
	det := float64(m.xx*x[0]) + float64(m.xy*x[1]) + float64(m.xz*x[2])
	if !(det > leastRank*trace*trace*trace/27) {
		return u, false
	}
	y := [3]float64{x[1], float64(m.xx*m.zz) - float64(m.xz*m.xz), float64(m.xy*m.xz) - float64(m.xx*m.yz)}
	z := [3]float64{x[2], y[2], float64(m.xx*m.yy) - float64(m.xy*m.xy)}
	return [3]float64{geom.Dot(&x, &m.rhs) / det, geom.Dot(&y, &m.rhs) / det, geom.Dot(&z, &m.rhs) / det}, true
}

// leastShare is the least part of the trace, of a third of it, that a direction needs to count as known.
const leastShare = .1

// near is the velocity that fits best along the directions that the parts tell, and is another one across them.
func (m *normal) near(other *[3]float64) [3]float64 {
	u := *other
	left := m.rhs
	left[0] -= float64(m.xx*u[0]) + float64(m.xy*u[1]) + float64(m.xz*u[2])
	left[1] -= float64(m.xy*u[0]) + float64(m.yy*u[1]) + float64(m.yz*u[2])
	left[2] -= float64(m.xz*u[0]) + float64(m.yz*u[1]) + float64(m.zz*u[2])
	value, axis := m.eigen()
	least := leastShare * (m.xx + m.yy + m.zz) / 3
	for i := range axis {
		if value[i] > least {
			geom.AddScaled(&u, geom.Dot(&axis[i], &left)/value[i], &axis[i])
		}
	}
	return u
}

// eigen is the eigenvalues and eigenvectors of the matrix, by Jacobi's rotations. Source: Golub, Van Loan 2013 §8.5.
func (m *normal) eigen() (value [3]float64, axis [3][3]float64) {
	s := [3][3]float64{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}
	axis = [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for range 12 {
		for i := range 3 {
			rotate(&s, &axis, i, (i+1)%3)
		}
	}
	return [3]float64{s[0][0], s[1][1], s[2][2]}, axis
}

// rotate turns two axes so that the entry between them is 0.
func rotate(s, axis *[3][3]float64, p, q int) {
	if s[p][q] == 0 {
		return
	}
	tau := (s[q][q] - s[p][p]) / (2 * s[p][q])
	t := math.Copysign(1/(math.Abs(tau)+math.Sqrt(1+float64(tau*tau))), tau)
	cos := 1 / math.Sqrt(1+float64(t*t))
	sin := t * cos
	for i := range 3 {
		a, b := s[i][p], s[i][q]
		s[i][p], s[i][q] = float64(cos*a)-float64(sin*b), float64(sin*a)+float64(cos*b)
	}
	for i := range 3 {
		a, b := s[p][i], s[q][i]
		s[p][i], s[q][i] = float64(cos*a)-float64(sin*b), float64(sin*a)+float64(cos*b)
		a, b = axis[p][i], axis[q][i]
		axis[p][i], axis[q][i] = float64(cos*a)-float64(sin*b), float64(sin*a)+float64(cos*b)
	}
}
