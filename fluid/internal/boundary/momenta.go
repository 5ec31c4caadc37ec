package boundary

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// inertia is what of a region resists a rigid motion.
type inertia struct {
	density float64
	volume  float64 // m³
	mass    float64 // kg
	centre  r3.Vec
	tensor  [3]r3.Vec // of inertia about the centre, its rows, kg m²
}

// momenta are those of a region: linear and, about its centre, angular.
type momenta struct{ linear, angular r3.Vec }

// measure finds volume, centre and inertia of what a surface encloses.
//
// The integral of x⊗x over a tetrahedron with one corner at 0 and the others a, b, c is V/20 (a⊗a + b⊗b + c⊗c + s⊗s), s = a+b+c.
func (b *inertia) measure(at []r3.Vec, triangles [][3]int32, density float64) {
	*b = inertia{density: density}
	origin := at[triangles[0][0]]
	var first r3.Vec
	var second [6]float64 // XX, YY, ZZ, YZ, ZX, XY
	for _, t := range triangles {
		p, q, r := r3.Sub(at[t[0]], origin), r3.Sub(at[t[1]], origin), r3.Sub(at[t[2]], origin)
		v := reproducible.Dot(p, reproducible.Cross(q, r)) / 6
		s := r3.Add(p, r3.Add(q, r))
		b.volume += v
		first = r3.Add(first, reproducible.Scale(v/4, s))
		for _, x := range [4]r3.Vec{p, q, r, s} {
			addSquare(&second, v/20, x)
		}
	}
	middle := reproducible.Scale(1/b.volume, first)
	addSquare(&second, -b.volume, middle)
	b.centre, b.mass = r3.Add(origin, middle), float64(density*b.volume)
	xx, yy, zz := float64(density*second[0]), float64(density*second[1]), float64(density*second[2])
	yz, zx, xy := float64(density*second[3]), float64(density*second[4]), float64(density*second[5])
	b.tensor = [3]r3.Vec{{X: yy + zz, Y: -xy, Z: -zx}, {X: -xy, Y: zz + xx, Z: -yz}, {X: -zx, Y: -yz, Z: xx + yy}}
}

// addSquare adds a multiple of x⊗x.
func addSquare(s *[6]float64, by float64, x r3.Vec) {
	for k, v := range [6]float64{x.X * x.X, x.Y * x.Y, x.Z * x.Z, x.Y * x.Z, x.Z * x.X, x.X * x.Y} {
		s[k] += float64(by * v)
	}
}

// solve3 returns x with m x = b, m symmetric with the rows given, and 0 where m is singular. Cramer's rule.
func solve3(m *[3]r3.Vec, b r3.Vec) r3.Vec {
	yz, zx, xy := reproducible.Cross(m[1], m[2]), reproducible.Cross(m[2], m[0]), reproducible.Cross(m[0], m[1])
	det := reproducible.Dot(m[0], yz)
	if !(det > 0) {
		return r3.Vec{}
	}
	return reproducible.Scale(1/det, r3.Vec{X: reproducible.Dot(yz, b), Y: reproducible.Dot(zx, b), Z: reproducible.Dot(xy, b)})
}

func times3(m *[3]r3.Vec, x r3.Vec) r3.Vec {
	return r3.Vec{X: reproducible.Dot(m[0], x), Y: reproducible.Dot(m[1], x), Z: reproducible.Dot(m[2], x)}
}

// momentaOf returns those of a field without divergence, and without curl but for that of the rigid motion that it is nearest to, whose values on the faces are u.
//
// ∫ u = ∮ x n·u since u has no divergence. With w what u has beside a rigid motion, ∫ x×w = ½∮ |x|² n×w since w has no curl.
func (r *region) momentaOf(u []r3.Vec) (m momenta) {
	b := &r.body
	rigid := fitRigid(r.at, r.triangles, u)
	m.angular = times3(&b.tensor, rigid.spin)
	for i, t := range r.triangles {
		n := reproducible.Scale(float64(.5*b.density), r.normal(i))
		middle := r.centroid(i)
		x := r3.Sub(middle, b.centre)
		m.linear = r3.Add(m.linear, reproducible.Scale(reproducible.Dot(n, u[i]), x))
		square := float64(9 * reproducible.Norm2(x))
		for _, v := range t {
			square += reproducible.Norm2(r3.Sub(r.at[v], b.centre))
		}
		w := r3.Sub(u[i], rigid.at(middle))
		m.angular = r3.Add(m.angular, reproducible.Scale(square/24, reproducible.Cross(n, w)))
	}
	return m
}

// setMomenta adds the rigid motion to the velocities that gives them the momenta wanted.
func (r *region) setMomenta(want momenta) {
	has := r.momentaOf(r.velocity)
	spin := solve3(&r.body.tensor, r3.Sub(want.angular, has.angular))
	r.addRigid(&rigidMotion{centre: r.body.centre, spin: spin})
	has = r.momentaOf(r.velocity)
	r.addRigid(&rigidMotion{centre: r.body.centre, velocity: reproducible.Scale(1/r.body.mass, r3.Sub(want.linear, has.linear))})
}

func (r *region) addRigid(m *rigidMotion) {
	for i := range r.velocity {
		r.velocity[i] = r3.Add(r.velocity[i], m.at(r.centroid(i)))
	}
}

// rigid is the rigid motion with the region's mass, centre and momenta.
func (r *region) rigid(m *momenta) rigidMotion {
	return rigidMotion{r.body.centre, reproducible.Scale(1/r.body.mass, m.linear), solve3(&r.body.tensor, m.angular)}
}

// about returns the angular momentum about another place.
func (r *region) about(m *momenta, x r3.Vec) r3.Vec {
	return r3.Add(m.angular, reproducible.Cross(r3.Sub(r.body.centre, x), m.linear))
}

// area is that of a face.
func (r *region) area(i int) float64 { return .5 * reproducible.Norm(r.normal(i)) }

// volumeOf is what the region encloses with its vertices elsewhere.
func (r *region) volumeOf(at []r3.Vec) float64 { return geom.Volume(at, r.triangles) }
