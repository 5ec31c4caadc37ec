package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// mat3 is a row-major 3×3 matrix.
type mat3 = [3][3]float64

var identity = quat.Number{Real: 1}

// rotationMatrix is the matrix of the unit quaternion q.
func rotationMatrix(q quat.Number) mat3 {
	x, y, z, w := q.Imag, q.Jmag, q.Kmag, q.Real
	xx, yy, zz := float64(x*x), float64(y*y), float64(z*z)
	xy, yz, zx := float64(x*y), float64(y*z), float64(z*x)
	xw, yw, zw := float64(x*w), float64(y*w), float64(z*w)
	return mat3{
		{1 - float64(2*(yy+zz)), 2 * (xy - zw), 2 * (zx + yw)},
		{2 * (xy + zw), 1 - float64(2*(xx+zz)), 2 * (yz - xw)},
		{2 * (zx - yw), 2 * (yz + xw), 1 - float64(2*(xx+yy))},
	}
}

func mulVec(m *mat3, v r3.Vec) r3.Vec {
	return r3.Vec{
		X: dot3(m[0][0], v.X, m[0][1], v.Y, m[0][2], v.Z),
		Y: dot3(m[1][0], v.X, m[1][1], v.Y, m[1][2], v.Z),
		Z: dot3(m[2][0], v.X, m[2][1], v.Y, m[2][2], v.Z),
	}
}

// mulVecT is mᵀv: the inverse rotation when m is a rotation.
func mulVecT(m *mat3, v r3.Vec) r3.Vec {
	return r3.Vec{
		X: dot3(m[0][0], v.X, m[1][0], v.Y, m[2][0], v.Z),
		Y: dot3(m[0][1], v.X, m[1][1], v.Y, m[2][1], v.Z),
		Z: dot3(m[0][2], v.X, m[1][2], v.Y, m[2][2], v.Z),
	}
}

func column(m *mat3, j int) r3.Vec { return r3.Vec{X: m[0][j], Y: m[1][j], Z: m[2][j]} }

func mulMat(a, b *mat3) (c mat3) {
	for i := range 3 {
		for j := range 3 {
			c[i][j] = dot3(a[i][0], b[0][j], a[i][1], b[1][j], a[i][2], b[2][j])
		}
	}
	return c
}

func transpose(a *mat3) mat3 {
	return mat3{{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}
}

// conjugate is r·m·rᵀ: the tensor m seen after the rotation r.
func conjugate(r, m *mat3) mat3 {
	rt, t := transpose(r), mulMat(r, m)
	return mulMat(&t, &rt)
}

// inverse inverts a; the caller knows that it is regular.
func inverse(a *mat3) mat3 {
	r0, r1, r2 := row(a, 0), row(a, 1), row(a, 2)
	c0, c1, c2 := reproducible.Cross(r1, r2), reproducible.Cross(r2, r0), reproducible.Cross(r0, r1)
	d := 1 / reproducible.Dot(r0, c0)
	return mat3{
		{float64(c0.X * d), float64(c1.X * d), float64(c2.X * d)},
		{float64(c0.Y * d), float64(c1.Y * d), float64(c2.Y * d)},
		{float64(c0.Z * d), float64(c1.Z * d), float64(c2.Z * d)},
	}
}

func row(a *mat3, i int) r3.Vec { return r3.Vec{X: a[i][0], Y: a[i][1], Z: a[i][2]} }

// rotate turns v by the unit quaternion q.
func rotate(q quat.Number, v r3.Vec) r3.Vec {
	u := r3.Vec{X: q.Imag, Y: q.Jmag, Z: q.Kmag}
	t := reproducible.Scale(2, reproducible.Cross(u, v))
	return r3.Add(r3.Add(v, reproducible.Scale(q.Real, t)), reproducible.Cross(u, t))
}

// exponential is the rotation by the vector θ: axis times angle, rad.
func exponential(theta r3.Vec) quat.Number {
	a2 := reproducible.Norm2(theta)
	// sin(a/2)/a and cos(a/2) by their series: what is left out is below the rounding error.
	k := 0.5 - float64(a2*(1./48-float64(a2*(1./3840-a2/645120))))
	c := 1 - float64(a2*(1./8-float64(a2*(1./384-a2/46080))))
	if a2 > 2e-3 {
		var s float64
		a := math.Sqrt(a2)
		s, c = reproducible.PreciseSincos(a / 2)
		k = s / a
	}
	return quat.Number{Real: c, Imag: float64(k * theta.X), Jmag: float64(k * theta.Y), Kmag: float64(k * theta.Z)}
}

// logarithm is the shortest rotation vector of the unit quaternion q.
func logarithm(q quat.Number) r3.Vec {
	if q.Real < 0 {
		q = reproducible.QuatScale(-1, q)
	}
	u := r3.Vec{X: q.Imag, Y: q.Jmag, Z: q.Kmag}
	s := reproducible.Norm(u)
	if s < 1e-12 {
		return reproducible.Scale(2, u)
	}
	return reproducible.Scale(2*reproducible.PreciseAtan2(s, q.Real)/s, u)
}

// normalized is q, which is nearly a unit, as one: by the first terms of 1/√(1+x), which leave an
// error of the square of the one that q has.
func normalized(q quat.Number) quat.Number {
	return reproducible.QuatScale(1.5-float64(0.5*reproducible.QuatNorm2(q)), q)
}

func component(v r3.Vec, i int) float64 {
	switch i {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

func array(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func absVec(v r3.Vec) r3.Vec {
	return r3.Vec{X: math.Abs(v.X), Y: math.Abs(v.Y), Z: math.Abs(v.Z)}
}

func minVec(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

func maxVec(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}

func mulElem(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: float64(a.X * b.X), Y: float64(a.Y * b.Y), Z: float64(a.Z * b.Z)}
}

func smallest(v r3.Vec) float64 { return min(v.X, v.Y, v.Z) }

// finite reports whether x is neither NaN nor infinite. It does not test x - x, which a fused product may make nonzero.
func finite(x float64) bool { return 0*x == 0 }

func finiteVec(v r3.Vec) bool { return finite(v.X) && finite(v.Y) && finite(v.Z) }

func finiteQuat(q quat.Number) bool {
	return finite(q.Real) && finite(q.Imag) && finite(q.Jmag) && finite(q.Kmag)
}

// overlap reports whether two boxes share a point.
func overlap(a, b *r3.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// encloses reports whether b lies in a.
func encloses(a, b *r3.Box) bool {
	return a.Min.X <= b.Min.X && b.Max.X <= a.Max.X &&
		a.Min.Y <= b.Min.Y && b.Max.Y <= a.Max.Y &&
		a.Min.Z <= b.Min.Z && b.Max.Z <= a.Max.Z
}

func grow(b r3.Box, d float64) r3.Box {
	e := r3.Vec{X: d, Y: d, Z: d}
	return r3.Box{Min: r3.Sub(b.Min, e), Max: r3.Add(b.Max, e)}
}

// boxOf is the box about some points.
func boxOf(points []r3.Vec) r3.Box {
	b := r3.Box{Min: points[0], Max: points[0]}
	for _, p := range points[1:] {
		b = r3.Box{Min: minVec(b.Min, p), Max: maxVec(b.Max, p)}
	}
	return b
}

// union is the hull of two boxes, neither of them empty.
func union(a, b r3.Box) r3.Box {
	return r3.Box{Min: minVec(a.Min, b.Min), Max: maxVec(a.Max, b.Max)}
}

// turnedBox is the axis-aligned hull of a box of half extents h at c, turned by r.
func turnedBox(c r3.Vec, r *mat3, h r3.Vec) r3.Box {
	e := r3.Vec{
		X: dot3(math.Abs(r[0][0]), h.X, math.Abs(r[0][1]), h.Y, math.Abs(r[0][2]), h.Z),
		Y: dot3(math.Abs(r[1][0]), h.X, math.Abs(r[1][1]), h.Y, math.Abs(r[1][2]), h.Z),
		Z: dot3(math.Abs(r[2][0]), h.X, math.Abs(r[2][1]), h.Y, math.Abs(r[2][2]), h.Z),
	}
	return r3.Box{Min: r3.Sub(c, e), Max: r3.Add(c, e)}
}
