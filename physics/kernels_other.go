//go:build !amd64

package physics

import "gonum.org/v1/gonum/spatial/r3"

func (s *placed) lower(kind geometryKind, dst []float32, pts []r3.Vec) { s.lowerGo(kind, dst, pts) }
