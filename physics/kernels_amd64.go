package physics

import (
	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/spatial/r3"
)

//go:generate go run -C ../fluid/internal/gen . -out ../../../physics/kernels_amd64.s physics

// lanes is how many points the kernels in assembly measure at once.
const lanes = 4

// lower is lowerGo. The last points, fewer than four, are evaluated together with some before them: to lower a distance
// twice changes nothing.
func (s *placed) lower(kind geometryKind, dst []float32, pts []r3.Vec) {
	n := len(dst)
	switch {
	case !cpu.X86.HasAVX2:
		s.lowerGo(kind, dst, pts)
		return
	case n < lanes:
		var few [lanes]float32
		var at [lanes]r3.Vec
		copy(few[:], dst)
		copy(at[:], pts)
		s.lowerFours(kind, few[:], at[:])
		copy(dst, few[:])
		return
	}
	s.lowerFours(kind, dst[:n&^(lanes-1)], pts)
	if n&(lanes-1) != 0 {
		s.lowerFours(kind, dst[n-lanes:], pts[n-lanes:])
	}
}

func (s *placed) lowerFours(kind geometryKind, dst []float32, pts []r3.Vec) {
	switch kind {
	case sphereGeometry:
		sphereAVX2(dst, pts, s)
	case boxGeometry:
		boxAVX2(dst, pts, s)
	case openBoxGeometry:
		openBoxAVX2(dst, pts, s)
	}
}

// The kernels in assembly; dst is a multiple of four long, pts at least as long.

//go:noescape
func sphereAVX2(dst []float32, pts []r3.Vec, s *placed)

//go:noescape
func boxAVX2(dst []float32, pts []r3.Vec, s *placed)

//go:noescape
func openBoxAVX2(dst []float32, pts []r3.Vec, s *placed)
