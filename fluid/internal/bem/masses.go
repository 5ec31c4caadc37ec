package bem

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Masses sets dst to the harmonic mass of each face: the integral over the inside of the harmonic function that is 1 on the face and 0 on the others. They add up to the volume.
//
// With v the function whose Laplacian is 1 inside and that is 0 on the boundary, the mass is ∫ ∂v/∂n over the face, by Green's second identity: one solve for all, since the single layer of ∂v/∂n is the potential
// of the volume. So is |x|²/6 less the harmonic function with the same boundary values; but those are not linear on faces.
//
// Source: Brochu 2006, section 5.2, with a solve for each face.
func (s *Solver) Masses(dst []float64) error {
	if len(dst) != len(s.panels) {
		panic(fmt.Sprintf("bem: %d masses for %d faces", len(dst), len(s.panels)))
	}
	s.applyVolume(s.b)
	clear(s.q)
	if err := s.density(s.volume); err != nil {
		return err
	}
	for i, f := range s.face {
		dst[f] = float64(s.panels[i].area * s.q[i])
	}
	return nil
}

// MassRates sets dst to the rates of change, per vertex, of the integral over the inside of the harmonic function that is 1 at the vertex, 0 at the others and linear on each face, if the faces move
// with velocities u and boundary values with them. masses are those of Masses. The rates add up to that of the volume. That they are 0 does not follow from a motion without divergence: they
// are a diagnostic.
//
// For boundary values φ the rate is ∮ φ u·n minus the integral of the harmonic function with the boundary values u·∇φ, which is their sum with the masses as weights. The part of the normal derivatives is
// taken for all vertices at once, by a solve with the transposed equations.
//
// Source: Brochu 2006, section 5.4, which conjectures that the rates state that the motion has no divergence; with u = (x, -y, 0) in a ball φ = x² - y² has -32π/45.
func (s *Solver) MassRates(dst, masses []float64, u []r3.Vec) error {
	if len(dst) != s.vertices || len(masses) != len(s.panels) || len(u) != len(s.panels) {
		panic(fmt.Sprintf("bem: %d rates for %d vertices, %d masses and %d velocities for %d faces", len(dst), s.vertices, len(masses), len(u), len(s.panels)))
	}
	for i, f := range s.face {
		s.b[i] = float64(masses[f] * reproducible.Dot(u[f], s.panels[i].normal))
	}
	clear(s.q)
	if err := s.density(0); err != nil {
		return err
	}
	s.applyDoubleTransposed(dst, s.q)
	for v := range dst {
		dst[v] = -dst[v]
	}
	for i, f := range s.face {
		p := &s.panels[i]
		flux := float64(p.area*reproducible.Dot(u[f], p.normal)) / 3
		for k, v := range s.corners[i] {
			dst[v] += flux - float64(masses[f]*reproducible.Dot(u[f], p.slope[k]))
		}
	}
	return nil
}
