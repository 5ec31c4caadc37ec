package reproducible

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Scale returns f p.
func Scale(f float64, p r3.Vec) r3.Vec {
	return r3.Vec{X: float64(f * p.X), Y: float64(f * p.Y), Z: float64(f * p.Z)}
}

// Dot returns p·q.
func Dot(p, q r3.Vec) float64 {
	return float64(p.X*q.X) + float64(p.Y*q.Y) + float64(p.Z*q.Z)
}

// Cross returns p×q.
func Cross(p, q r3.Vec) r3.Vec {
	return r3.Vec{
		X: float64(p.Y*q.Z) - float64(p.Z*q.Y),
		Y: float64(p.Z*q.X) - float64(p.X*q.Z),
		Z: float64(p.X*q.Y) - float64(p.Y*q.X),
	}
}

// Norm2 returns |p|².
func Norm2(p r3.Vec) float64 {
	return float64(p.X*p.X) + float64(p.Y*p.Y) + float64(p.Z*p.Z)
}

// Norm returns |p|: +Inf where the square overflows, from 1.3e154 on, and with reduced precision where it
// underflows, below 1e-154.
func Norm(p r3.Vec) float64 { return math.Sqrt(Norm2(p)) }

// Unit returns p / |p|, and NaN in every component for |p| = 0.
func Unit(p r3.Vec) r3.Vec {
	n := Norm(p)
	if n == 0 {
		return r3.Vec{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}
	}
	return Scale(1/n, p)
}

// Basis returns two unit vectors that form a right-handed frame with a unit vector n: u × v = n. Basis(-n) returns the same u. The result is
// discontinuous only where n.Z changes its sign.
//
// Source: Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin 2017, "Building an orthonormal basis, revisited".
func Basis(n r3.Vec) (u, v r3.Vec) {
	s := math.Copysign(1, n.Z)
	a := -1 / (s + n.Z)
	b := float64(n.X * n.Y * a)
	return r3.Vec{X: 1 + float64(s*n.X*n.X*a), Y: s * b, Z: -s * n.X}, r3.Vec{X: b, Y: s + float64(n.Y*n.Y*a), Z: -n.Y}
}

// QuatMul returns the Hamilton product x y.
func QuatMul(x, y quat.Number) quat.Number {
	return quat.Number{
		Real: float64(x.Real*y.Real) - float64(x.Imag*y.Imag) - float64(x.Jmag*y.Jmag) - float64(x.Kmag*y.Kmag),
		Imag: float64(x.Real*y.Imag) + float64(x.Imag*y.Real) + float64(x.Jmag*y.Kmag) - float64(x.Kmag*y.Jmag),
		Jmag: float64(x.Real*y.Jmag) - float64(x.Imag*y.Kmag) + float64(x.Jmag*y.Real) + float64(x.Kmag*y.Imag),
		Kmag: float64(x.Real*y.Kmag) + float64(x.Imag*y.Jmag) - float64(x.Jmag*y.Imag) + float64(x.Kmag*y.Real),
	}
}

// QuatScale returns f q.
func QuatScale(f float64, q quat.Number) quat.Number {
	return quat.Number{Real: float64(f * q.Real), Imag: float64(f * q.Imag), Jmag: float64(f * q.Jmag), Kmag: float64(f * q.Kmag)}
}

// QuatNorm2 returns |q|².
func QuatNorm2(q quat.Number) float64 {
	return float64(q.Real*q.Real) + float64(q.Imag*q.Imag) + float64(q.Jmag*q.Jmag) + float64(q.Kmag*q.Kmag)
}

// QuatNorm returns |q|, with the limits of Norm; QuatAbs has none.
func QuatNorm(q quat.Number) float64 { return math.Sqrt(QuatNorm2(q)) }

// QuatAbs returns |q| without overflow or underflow of the square.
func QuatAbs(q quat.Number) float64 {
	most := max(math.Abs(q.Real), math.Abs(q.Imag), math.Abs(q.Jmag), math.Abs(q.Kmag))
	if most == 0 || !(most <= math.MaxFloat64) {
		return most
	}
	_, e := math.Frexp(most)
	r, i, j, k := math.Ldexp(q.Real, -e), math.Ldexp(q.Imag, -e), math.Ldexp(q.Jmag, -e), math.Ldexp(q.Kmag, -e)
	return math.Ldexp(math.Sqrt(float64(r*r)+float64(i*i)+float64(j*j)+float64(k*k)), e)
}

// RotationRows returns the rows of the rotation matrix of a unit quaternion.
func RotationRows(q quat.Number) [3]r3.Vec {
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	return [3]r3.Vec{
		{X: 1 - 2*(float64(y*y)+float64(z*z)), Y: 2 * (float64(x*y) - float64(w*z)), Z: 2 * (float64(x*z) + float64(w*y))},
		{X: 2 * (float64(x*y) + float64(w*z)), Y: 1 - 2*(float64(x*x)+float64(z*z)), Z: 2 * (float64(y*z) - float64(w*x))},
		{X: 2 * (float64(x*z) - float64(w*y)), Y: 2 * (float64(y*z) + float64(w*x)), Z: 1 - 2*(float64(x*x)+float64(y*y))},
	}
}

// Array returns a vector's components in order.
func Array(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// Vector returns the vector of three components.
func Vector(a [3]float64) r3.Vec { return r3.Vec{X: a[0], Y: a[1], Z: a[2]} }
