package geom

import "math"

// The functions in this file are those of vectors that are stored as arrays, as lattices and graphs have them. They take pointers, since the compiler copies
// arrays that it passes by value through memory.

// Sub returns a - b.
func Sub(a, b *[3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Dot returns a·b.
func Dot(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// Cross returns a×b.
func Cross(a, b *[3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// Norm returns |a|.
func Norm(a *[3]float64) float64 { return math.Sqrt(Dot(a, a)) }

// Distance2 returns |a - b|².
func Distance2(a, b *[3]float64) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return float64(x*x) + float64(y*y) + float64(z*z)
}

// Distance returns |a - b|.
func Distance(a, b *[3]float64) float64 { return math.Sqrt(Distance2(a, b)) }

// Scale multiplies a by a number.
func Scale(a *[3]float64, by float64) {
	a[0] *= by
	a[1] *= by
	a[2] *= by
}

// AddScaled adds by·b to a.
func AddScaled(a *[3]float64, by float64, b *[3]float64) {
	a[0] += float64(by * b[0])
	a[1] += float64(by * b[1])
	a[2] += float64(by * b[2])
}
