package cubes

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"gonum.org/v1/gonum/spatial/r3"
)

// blockReach is the distance from a block's middle within which a surface counts as in or at the block, m.
func (e *Edits) blockReach() float32 {
	m := e.m
	return float32(m.Grid.H * layout.Edge * (math.Sqrt(3)/2 + .25))
}

// distanceTo is the distance of a block's middle, m.
func (e *Edits) distanceTo(b int32, eval func(dst []float32, pts []r3.Vec)) float32 {
	m := e.m
	var pts [1]r3.Vec
	var dist [1]float32
	pts[0] = m.Grid.Middle(b)
	eval(dist[:], pts[:])
	return dist[0]
}
