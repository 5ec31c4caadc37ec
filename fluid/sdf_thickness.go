package fluid

import "math"

// Thick is what an SDF made elsewhere may be besides: one that knows its thinnest wall. Liquid is kept from passing walls thinner
// than a cell, which costs time and, at edges, exactness; an SDF that isn't Thick may have such walls anywhere. Solids of
// this package know theirs, but for intersections, differences and meshes.
type Thick interface {
	// Thickness is the solid's smallest wall thickness, m.
	Thickness() float64
}

// thicknessOf is how thick the thinnest wall of a shape is, m; 0 if that isn't known.
func thicknessOf(s SDF) float64 {
	switch s := s.(type) {
	case *boxSDF:
		return 2 * (s.round + min(s.half.X, s.half.Y, s.half.Z))
	case *sphereSDF:
		return 2 * s.radius
	case *capsuleSDF:
		return 2 * s.radius
	case *cylinderSDF:
		return min(2*s.radius, s.length)
	case *torusSDF:
		return 2 * s.minor
	case *halfSpaceSDF:
		return math.Inf(1)
	case *shellSDF:
		return s.thickness
	case *transformSDF:
		return thicknessOf(s.inner)
	case *groupSDF:
		if s.meet {
			return 0
		}
		least := math.Inf(1)
		for _, part := range s.shapes {
			least = min(least, thicknessOf(part))
		}
		return least
	case Thick:
		if t := s.Thickness(); t > 0 {
			return t
		}
	}
	return 0
}
