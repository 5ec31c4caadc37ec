package bem

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// station is a point of a quadrature on a triangle: its weights of the corners, and its share of the area.
type station struct {
	corner [3]float64
	weight float64
}

// second and fifth are the quadratures of these degrees with three and seven points.
//
// Source: Radon 1948; Cowper 1973, Gaussian quadrature formulas for triangles.
var (
	second = [3]station{
		{[3]float64{2. / 3, 1. / 6, 1. / 6}, 1. / 3}, {[3]float64{1. / 6, 2. / 3, 1. / 6}, 1. / 3}, {[3]float64{1. / 6, 1. / 6, 2. / 3}, 1. / 3},
	}
	fifth = func() (rule [7]station) {
		const (
			root = 3.87298334620741688517926539978239961 // √15
			a, b = (6 - root) / 21, (6 + root) / 21
		)
		rule[0] = station{[3]float64{1. / 3, 1. / 3, 1. / 3}, 9. / 40}
		for k := range 3 {
			near, far := station{[3]float64{a, a, a}, (155 - root) / 1200}, station{[3]float64{b, b, b}, (155 + root) / 1200}
			near.corner[k], far.corner[k] = 1-2*a, 1-2*b
			rule[1+k], rule[4+k] = near, far
		}
		return rule
	}()
)

// point returns a point of a quadrature.
func (p *panel) point(at *station) r3.Vec {
	return r3.Add(reproducible.Scale(at.corner[0], p.corner[0]), r3.Add(reproducible.Scale(at.corner[1], p.corner[1]), reproducible.Scale(at.corner[2], p.corner[2])))
}
