package shapes

import "math"

// Thick is an SDF of another package that returns the thickness of its thinnest wall.
type Thick interface {
	// Thickness returns the solid's smallest wall thickness, m.
	Thickness() float64
}

// ThicknessOf returns the thickness of a shape's thinnest wall, m; 0 if it is not known.
func ThicknessOf(s SDF) float64 {
	switch s := s.(type) {
	case *boxSDF:
		return 2 * (s.round + min(s.half.X, s.half.Y, s.half.Z))
	case *Ball:
		return 2 * s.Radius
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
	case *Transformed:
		return ThicknessOf(s.inner)
	case *Group:
		if s.intersect {
			return 0
		}
		least := math.Inf(1)
		for _, part := range s.shapes {
			least = min(least, ThicknessOf(part))
		}
		return least
	case Thick:
		if t := s.Thickness(); t > 0 {
			return t
		}
	}
	return 0
}
