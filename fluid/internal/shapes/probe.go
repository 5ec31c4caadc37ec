package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Probe evaluates distance functions at single places, without allocating.
type Probe struct {
	pts  [1]r3.Vec
	dist [1]float32
}

// Distance returns a distance function's value at a place, m; +Inf if that is not finite.
func (p *Probe) Distance(of func(dst []float32, pts []r3.Vec), x r3.Vec) float64 {
	p.pts[0] = x
	of(p.dist[:], p.pts[:])
	if d := float64(p.dist[0]); d-d == 0 {
		return d
	}
	return math.Inf(1)
}
