package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// placed is a ball, box or open box where it stands, as the kernels take it. They exist in plain Go, here,
// and in assembly for processors with AVX2; both give the same bits.
type placed struct {
	rot  mat3
	pos  r3.Vec
	half r3.Vec  // of a box and an open box, m
	size float64 // radius of a ball, wall of an open box, m
	wall float64 // half of an open box's, m
}

// extents is a geometry placed nowhere yet.
func (g *Geometry) extents() placed {
	if g.kind == sphereGeometry {
		return placed{size: g.radius}
	}
	return placed{half: g.half, size: g.wall, wall: g.wall / 2}
}

// lowerGo lowers each of dst to the signed distance of a point, m, to a solid of some kind.
func (s *placed) lowerGo(kind geometryKind, dst []float32, pts []r3.Vec) {
	switch kind {
	case sphereGeometry:
		for k, p := range pts {
			dst[k] = min(dst[k], float32(math.Sqrt(r3.Norm2(r3.Sub(p, s.pos)))-s.size))
		}
	case boxGeometry:
		for k, p := range pts {
			dst[k] = min(dst[k], float32(boxDistance(mulVecT(&s.rot, r3.Sub(p, s.pos)), s.half)))
		}
	case openBoxGeometry:
		for k, p := range pts {
			dst[k] = min(dst[k], float32(openBoxDistance(mulVecT(&s.rot, r3.Sub(p, s.pos)), s.half, s.size)))
		}
	}
}
