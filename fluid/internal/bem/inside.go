package bem

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Potential returns the harmonic function with values phi at the vertices and normal derivatives q on the faces at a point inside, and its gradient there. Outside of the surface both are 0, up to the error.
// The gradient of the double layer is that of a sheet of vorticity n×∇φ: what the sides of faces add cancels since φ is continuous.
func (l *Layers) Potential(x r3.Vec, q, phi []float64) (value float64, gradient r3.Vec) {
	for i := range l.panels {
		p, c := &l.panels[i], l.corners[i]
		s, own := p.from(x), q[l.face[i]]
		value += float64(own * s.single)
		var slope r3.Vec
		for k, v := range c {
			value += float64(phi[v] * s.double[k])
			slope = r3.Add(slope, reproducible.Scale(phi[v], p.slope[k]))
		}
		field := r3.Add(s.along, reproducible.Scale(s.angle, p.normal))
		gradient = r3.Add(gradient, reproducible.Scale(own, field))
		gradient = r3.Sub(gradient, reproducible.Cross(field, reproducible.Cross(p.normal, slope)))
	}
	return value / (4 * math.Pi), reproducible.Scale(1/(4*math.Pi), gradient)
}

// VolumePotential returns ∫ 1/(4π|x-y|) dy over what the surface encloses, exactly, for any point x. With F(r) = r/(8π|r|), whose divergence is G, it is ∮ F·n, and
// n·(y-x) is constant on each face.
//
// Source: Brochu 2006, section 5.2.
func (l *Layers) VolumePotential(x r3.Vec) float64 {
	sum := 0.
	for i := range l.panels {
		p := &l.panels[i]
		sum += float64(p.from(x).single * reproducible.Dot(p.normal, r3.Sub(p.centre, x)))
	}
	return sum / (8 * math.Pi)
}
