package raytrace

import (
	"errors"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Camera is where rays come from.
type Camera struct{ unproject [16]float64 }

// NewCamera is the camera of OpenGL's matrices, column-major, such as those of a fluid.View.
func NewCamera(view, projection [16]float32) (Camera, error) {
	// What is by columns here is the transpose by rows: (P V)ᵀ = Vᵀ Pᵀ.
	var both mat.Dense
	both.Mul(byRows(view), byRows(projection))
	if err := both.Inverse(&both); err != nil {
		return Camera{}, errors.New("raytrace: NewCamera: view and projection must be invertible")
	}
	return Camera{[16]float64(both.RawMatrix().Data)}, nil
}

// byRows is the 4×4 matrix whose rows follow each other.
func byRows(m [16]float32) *mat.Dense {
	d := mat.NewDense(4, 4, nil)
	for i, v := range m {
		d.Set(i/4, i%4, float64(v))
	}
	return d
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
