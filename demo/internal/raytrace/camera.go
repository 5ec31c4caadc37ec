package raytrace

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Camera is where rays come from.
type Camera struct{ unproject [16]float64 }

// NewCamera is the camera of OpenGL's matrices, column-major, such as those of a fluid.View.
func NewCamera(view, projection [16]float32) (Camera, error) {
	var m [16]float64
	for c := range 4 {
		for r := range 4 {
			for k := range 4 {
				m[4*c+r] += float64(projection[4*k+r]) * float64(view[4*c+k])
			}
		}
	}
	inv, ok := inverse(m)
	if !ok {
		return Camera{}, errors.New("raytrace: NewCamera: view and projection must be invertible")
	}
	return Camera{inv}, nil
}

// ray goes through a place of the picture, from -1 to 1 from left to right and from bottom to top.
func (c *Camera) ray(x, y float64) ray {
	a, b := c.point(x, y, -1), c.point(x, y, 1)
	return newRay(a, r3.Unit(r3.Sub(b, a)))
}

func (c *Camera) point(x, y, z float64) r3.Vec {
	m := &c.unproject
	w := m[3]*x + m[7]*y + m[11]*z + m[15]
	return r3.Vec{X: (m[0]*x + m[4]*y + m[8]*z + m[12]) / w, Y: (m[1]*x + m[5]*y + m[9]*z + m[13]) / w, Z: (m[2]*x + m[6]*y + m[10]*z + m[14]) / w}
}

// inverse is that of a 4×4 matrix, by elimination with pivots; false if there is none.
func inverse(m [16]float64) (inv [16]float64, ok bool) {
	for i := range 4 {
		inv[5*i] = 1
	}
	for c := range 4 {
		pivot := c
		for r := c + 1; r < 4; r++ {
			if math.Abs(m[4*c+r]) > math.Abs(m[4*c+pivot]) {
				pivot = r
			}
		}
		p := m[4*c+pivot]
		if !(math.Abs(p) > 1e-300) || math.IsInf(p, 0) {
			return inv, false
		}
		for k := range 4 {
			m[4*k+c], m[4*k+pivot] = m[4*k+pivot], m[4*k+c]
			inv[4*k+c], inv[4*k+pivot] = inv[4*k+pivot], inv[4*k+c]
			m[4*k+c] /= p
			inv[4*k+c] /= p
		}
		for r := range 4 {
			if r == c {
				continue
			}
			f := m[4*c+r]
			for k := range 4 {
				m[4*k+r] -= f * m[4*k+c]
				inv[4*k+r] -= f * inv[4*k+c]
			}
		}
	}
	return inv, true
}
