package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// placed is a solid at a pose, the argument of the kernels. Those of balls, boxes and open boxes exist in plain Go, here,
// and in assembly for processors with AVX2; both give the same bits.
type placed struct {
	rot  mat3
	pos  r3.Vec
	half r3.Vec  // of a box and an open box, Y of a capsule and a cylinder, m
	size float64 // radius of a round solid, wall of an open box, m
	wall float64 // half of an open box's, m
}

// extents is the geometry without a pose.
func (g *Geometry) extents() placed {
	switch g.kind {
	case boxGeometry, openBoxGeometry:
		return placed{half: g.half, size: g.wall, wall: g.wall / 2}
	}
	return placed{half: g.half, size: g.radius}
}

// lowerGo lowers each of dst to the signed distance of a point, m, to a solid of some kind.
func (s *placed) lowerGo(kind geometryKind, dst []float32, pts []r3.Vec) {
	switch kind {
	case sphereGeometry:
		for k, p := range pts {
			dst[k] = min(dst[k], float32(math.Sqrt(reproducible.Norm2(r3.Sub(p, s.pos)))-s.size))
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
