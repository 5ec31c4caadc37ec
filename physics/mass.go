package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MassProperties are how a body resists being moved.
type MassProperties struct {
	Mass   float64 // kg
	Centre r3.Vec  // centre of mass in the body's axes, m
	// Inertia about the centre of mass in the body's axes, kg·m².
	Inertia [3][3]float64
}

// Validate reports the first field outside its limits as a *FieldError. Inertia must be
// symmetric, positive definite, and such as some distribution of mass has.
func (m MassProperties) Validate() error {
	switch {
	case !within(m.Mass, 1e-9, 1e15):
		return &FieldError{"MassProperties.Mass", m.Mass, "1e-9 to 1e15 kg"}
	case !near(m.Centre):
		return &FieldError{"MassProperties.Centre", m.Centre, limitPosition}
	case !goodInertia(&m.Inertia):
		return &FieldError{"MassProperties.Inertia", m.Inertia, "symmetric positive definite, no principal moment above the sum of the others"}
	}
	return nil
}

// goodInertia checks that i and C = tr(i)/2·1 - i, the second moments of mass, are both
// symmetric, i positive definite and C positive semidefinite up to rounding.
func goodInertia(i *mat3) bool {
	t := i[0][0] + i[1][1] + i[2][2]
	if !finite(t) || t <= 0 {
		return false
	}
	c := *i
	for a := range 3 {
		for b := range 3 {
			if !(math.Abs(i[a][b]-i[b][a]) <= 1e-9*t) {
				return false
			}
			c[a][b] = -i[a][b]
		}
		c[a][a] += float64(t * (0.5 + 1e-9))
	}
	return positiveDefinite(i) && positiveDefinite(&c)
}

// positiveDefinite applies Sylvester's criterion to the symmetric matrix m.
func positiveDefinite(m *mat3) bool {
	d1, d2 := m[0][0], det(m[0][0], m[0][1], m[1][0], m[1][1])
	return d1 > 0 && d2 > 0 && reproducible.Dot(row(m, 0), reproducible.Cross(row(m, 1), row(m, 2))) > 0
}

// boxMass is that of a box of half extents h and density rho with its centre at c.
func boxMass(h, c r3.Vec, rho float64) MassProperties {
	m := 8 * h.X * h.Y * h.Z * rho
	x, y, z := m*h.X*h.X/3, m*h.Y*h.Y/3, m*h.Z*h.Z/3
	return MassProperties{m, c, mat3{{y + z, 0, 0}, {0, x + z, 0}, {0, 0, x + y}}}
}

// cylinderMass is that of a cylinder about y of half height h and density rho.
func cylinderMass(r, h, rho float64) MassProperties {
	m := 2 * math.Pi * rho * r * r * h
	side := float64(m * (float64(r*r/4) + h*h/3))
	return MassProperties{m, r3.Vec{}, mat3{{side, 0, 0}, {0, m * r * r / 2, 0}, {0, 0, side}}}
}

// capsuleMass is that of a capsule about a segment on y of half length c. Each cap's centre
// of mass is 3/8 r from its base, and its inertia about it across y is 83/320 mr².
func capsuleMass(r, c, rho float64) MassProperties {
	sum := cylinderMass(r, c, rho)
	m := rho * 2 / 3 * math.Pi * r * r * r
	side, along := float64(83.0/320*m*r*r), float64(0.4*m*r*r)
	cap := MassProperties{m, r3.Vec{Y: c + float64(3.0/8*r)}, mat3{{side, 0, 0}, {0, along, 0}, {0, 0, side}}}
	sum = combine(sum, cap)
	cap.Centre.Y = -cap.Centre.Y
	return combine(sum, cap)
}

// mass of the geometry filled with density rho, in its own axes. A half-space and an
// SDF have none.
func (g *Geometry) mass(rho float64) MassProperties {
	switch g.kind {
	case sphereGeometry:
		m := rho * 4 / 3 * math.Pi * g.radius * g.radius * g.radius
		i := float64(0.4 * m * g.radius * g.radius)
		return MassProperties{m, r3.Vec{}, mat3{{i, 0, 0}, {0, i, 0}, {0, 0, i}}}
	case capsuleGeometry:
		return capsuleMass(g.radius, g.half.Y, rho)
	case cylinderGeometry:
		return cylinderMass(g.radius, g.half.Y, rho)
	case hullGeometry:
		m := g.hull.solid
		m.Mass *= rho
		for i := range 9 {
			m.Inertia[i/3][i%3] *= rho
		}
		return m
	case boxGeometry:
		return boxMass(g.half, r3.Vec{}, rho)
	case openBoxGeometry:
		hollow := r3.Vec{X: g.half.X - g.wall, Y: g.half.Y - float64(g.wall/2), Z: g.half.Z - g.wall}
		return combine(boxMass(g.half, r3.Vec{}, rho), boxMass(hollow, r3.Vec{Y: g.wall / 2}, -rho))
	}
	return MassProperties{}
}

// placed is m after the rotation r and the shift by offset.
func (m MassProperties) placed(offset r3.Vec, r *mat3) MassProperties {
	return MassProperties{m.Mass, r3.Add(offset, mulVec(r, m.Centre)), conjugate(r, &m.Inertia)}
}

// combine is the mass of two solids together (parallel axis theorem).
func combine(a, b MassProperties) MassProperties {
	m := a.Mass + b.Mass
	if m == 0 {
		return MassProperties{}
	}
	c := r3.Add(reproducible.Scale(a.Mass/m, a.Centre), reproducible.Scale(b.Mass/m, b.Centre))
	out := MassProperties{Mass: m, Centre: c}
	for _, p := range [2]*MassProperties{&a, &b} {
		d := r3.Sub(p.Centre, c)
		dd, v := reproducible.Dot(d, d), array(d)
		for i := range 3 {
			for j := range 3 {
				out.Inertia[i][j] += p.Inertia[i][j] - float64(p.Mass*v[i]*v[j])
			}
			out.Inertia[i][i] += float64(p.Mass * dd)
		}
	}
	return out
}
