package adapter

import "gonum.org/v1/gonum/spatial/r3"

// CursorRay is where a camera sees the pixel x, y of a viewport, counted from its upper left:
// a point on the near plane and a unit direction. view and projection are 4×4, column-major, as
// OpenGL and fluid.View have them; the near plane is at -1 in depth. If they have no inverse, or
// the viewport has no area, the ray starts at the origin and goes along -z.
func CursorRay(view, projection [16]float32, x, y, width, height float64) (from, dir r3.Vec) {
	back, ok := inverse(product(&projection, &view))
	if !ok || !(width > 0) || !(height > 0) {
		return r3.Vec{}, r3.Vec{Z: -1}
	}
	right, up := 2*x/width-1, 1-2*y/height
	from = project(&back, right, up, -1)
	return from, r3.Unit(r3.Sub(project(&back, right, up, 0), from))
}

// product is a·b of column-major matrices.
func product(a, b *[16]float32) (c [16]float64) {
	for col := range 4 {
		for row := range 4 {
			for k := range 4 {
				c[4*col+row] += float64(a[4*k+row]) * float64(b[4*col+k])
			}
		}
	}
	return c
}

// project applies a matrix to a point and divides by w.
func project(m *[16]float64, x, y, z float64) r3.Vec {
	row := func(i int) float64 { return m[i]*x + m[i+4]*y + m[i+8]*z + m[i+12] }
	return r3.Scale(1/row(3), r3.Vec{X: row(0), Y: row(1), Z: row(2)})
}

// inverse is Gauss and Jordan's, with the largest pivot of each column.
func inverse(m [16]float64) (inv [16]float64, ok bool) {
	for i := range 4 {
		inv[5*i] = 1
	}
	for k := range 4 {
		pivot := k
		for col := k + 1; col < 4; col++ {
			if abs(m[4*col+k]) > abs(m[4*pivot+k]) {
				pivot = col
			}
		}
		if !(abs(m[4*pivot+k]) > 0) {
			return inv, false
		}
		for row := range 4 {
			m[4*k+row], m[4*pivot+row] = m[4*pivot+row], m[4*k+row]
			inv[4*k+row], inv[4*pivot+row] = inv[4*pivot+row], inv[4*k+row]
		}
		scale := 1 / m[5*k]
		for row := range 4 {
			m[4*k+row] *= scale
			inv[4*k+row] *= scale
		}
		for col := range 4 {
			if f := m[4*col+k]; col != k {
				for row := range 4 {
					m[4*col+row] -= f * m[4*k+row]
					inv[4*col+row] -= f * inv[4*k+row]
				}
			}
		}
	}
	return inv, true
}

func abs(x float64) float64 { return max(x, -x) }
