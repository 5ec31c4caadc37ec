package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// crossingOf is where the surface crosses the line from a row to the air beyond one of its faces, m.
func crossingOf(gr *graph.Graph, f, row int32) (x [3]float64) {
	x, way := gr.Centre[row], gr.Dist[f]
	if gr.B[f] == row {
		way = -way
	}
	gr.AddAlong(int(f), &x, way)
	return x
}

// curvatureAt is the curvature of the surface at a place on it, 1/m: linear between the middles of the cells around, of which those count that have one.
func (t *Tension) curvatureAt(x [3]float64) float64 {
	b, fx, fy, fz := t.g.Locate(t.g.ToPoint(x[0], x[1], x[2]))
	h, within, n := t.g.CellSize(t.g.Cur.Level[b]), [3]float64{fx, fy, fz}, float64(int(1)<<t.g.Cur.Level[b])
	var part [3]float64
	for a, y := range within {
		part[a] = float64(y*n) - .5
		part[a] -= math.Floor(part[a])
	}
	sum, total := 0., 0.
	for i := range 8 {
		at, weight := x, 1.
		for a := range at {
			if i>>a&1 == 1 {
				at[a] += float64((1 - part[a]) * h)
				weight *= part[a]
			} else {
				at[a] -= float64(part[a] * h)
				weight *= 1 - part[a]
			}
		}
		cell := t.g.CellAt(at)
		if away := math.Abs(float64(t.phi[cell])); away < curvatureReach*h {
			sum += float64(weight * float64(t.kappa[cell]))
			total += weight
		}
	}
	return sum / max(total, math.SmallestNonzeroFloat64)
}
