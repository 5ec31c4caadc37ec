package boundary

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// centroid returns a triangle's.
func centroid(at []r3.Vec, t [3]int32) r3.Vec {
	a := at[t[0]]
	return r3.Add(a, reproducible.Scale(1./3, r3.Add(r3.Sub(at[t[1]], a), r3.Sub(at[t[2]], a))))
}

// rigidMotion is a velocity at a centre and an angular velocity.
type rigidMotion struct{ centre, velocity, spin r3.Vec }

func (m *rigidMotion) at(x r3.Vec) r3.Vec {
	return r3.Add(m.velocity, reproducible.Cross(m.spin, r3.Sub(x, m.centre)))
}

// fitRigid returns the rigid motion with the least sum of squares to velocities of faces, weighted with areas.
func fitRigid(at []r3.Vec, triangles [][3]int32, u []r3.Vec) (m rigidMotion) {
	area := 0.
	for i, t := range triangles {
		a := reproducible.Norm(geom.TwiceArea(at[t[0]], at[t[1]], at[t[2]]))
		m.centre = r3.Add(m.centre, reproducible.Scale(a, centroid(at, t)))
		m.velocity = r3.Add(m.velocity, reproducible.Scale(a, u[i]))
		area += a
	}
	m.centre, m.velocity = reproducible.Scale(1/area, m.centre), reproducible.Scale(1/area, m.velocity)
	var turn r3.Vec
	var tensor [3]r3.Vec
	for i, t := range triangles {
		a := reproducible.Norm(geom.TwiceArea(at[t[0]], at[t[1]], at[t[2]]))
		r := r3.Sub(centroid(at, t), m.centre)
		turn = r3.Add(turn, reproducible.Scale(a, reproducible.Cross(r, r3.Sub(u[i], m.velocity))))
		r2 := float64(a * reproducible.Norm2(r))
		tensor[0] = r3.Add(tensor[0], r3.Sub(r3.Vec{X: r2}, reproducible.Scale(float64(a*r.X), r)))
		tensor[1] = r3.Add(tensor[1], r3.Sub(r3.Vec{Y: r2}, reproducible.Scale(float64(a*r.Y), r)))
		tensor[2] = r3.Add(tensor[2], r3.Sub(r3.Vec{Z: r2}, reproducible.Scale(float64(a*r.Z), r)))
	}
	m.spin = solve3(&tensor, turn)
	return m
}

// nearestShare is the area of what of a triangle a, b, c is nearest to a; in an obtuse one it is a half or a quarter of its area.
//
// Source: Meyer, Desbrun, Schröder and Barr 2003, section 3.3.
func nearestShare(ab, ac, bc r3.Vec, twice float64) float64 {
	atA, atB, atC := reproducible.Dot(ab, ac), -reproducible.Dot(ab, bc), reproducible.Dot(ac, bc)
	switch {
	case atA < 0:
		return twice / 4
	case atB < 0 || atC < 0:
		return twice / 8
	}
	return (float64(reproducible.Norm2(ab)*atC) + float64(reproducible.Norm2(ac)*atB)) / (8 * twice)
}
