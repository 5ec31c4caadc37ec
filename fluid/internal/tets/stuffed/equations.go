package stuffed

import "github.com/meniscus3d/meniscus/fluid/internal/geom"

// equations are the normal equations of a velocity u whose parts along unit vectors n are known: Σ w n nᵀ u = Σ w n z.
type equations struct {
	xx, yy, zz, xy, xz, yz float64
	rhs                    [3]float64
}

// add adds a part.
func (m *equations) add(n *[3]float64, weight, z float64) {
	x, y, w := float64(weight*n[0]), float64(weight*n[1]), float64(weight*n[2])
	m.xx += float64(x * n[0])
	m.xy += float64(x * n[1])
	m.xz += float64(x * n[2])
	m.yy += float64(y * n[1])
	m.yz += float64(y * n[2])
	m.zz += float64(w * n[2])
	m.rhs[0] += float64(x * z)
	m.rhs[1] += float64(y * z)
	m.rhs[2] += float64(w * z)
}

// solve is the velocity that fits best. The normals of a tetrahedron's faces, whose angles are bounded, always tell it.
func (m *equations) solve() [3]float64 {
	x := [3]float64{float64(m.yy*m.zz) - float64(m.yz*m.yz), float64(m.xz*m.yz) - float64(m.xy*m.zz), float64(m.xy*m.yz) - float64(m.xz*m.yy)}
	y := [3]float64{x[1], float64(m.xx*m.zz) - float64(m.xz*m.xz), float64(m.xy*m.xz) - float64(m.xx*m.yz)}
	z := [3]float64{x[2], y[2], float64(m.xx*m.yy) - float64(m.xy*m.xy)}
	det := float64(m.xx*x[0]) + float64(m.xy*x[1]) + float64(m.xz*x[2])
	if !(det > 0) {
		return [3]float64{}
	}
	return [3]float64{geom.Dot(&x, &m.rhs) / det, geom.Dot(&y, &m.rhs) / det, geom.Dot(&z, &m.rhs) / det}
}
