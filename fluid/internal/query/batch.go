package query

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// BatchSize is the number of points per evaluation of a solid.
const BatchSize = 64

// Batch evaluates solids at the points near them. It is scratch.
type Batch struct {
	pts  [BatchSize]r3.Vec
	of   [BatchSize]int // indices of pts among the caller's points
	dist [BatchSize]float32
}

// Mark sets inside for the points, at most BatchSize, that are in both boxes, m, and in a solid.
func (b *Batch) Mark(inside []bool, points []r3.Vec, bounds, domain r3.Box, solid shapes.Distance) {
	n := 0
	for i, x := range points {
		if boxes.Contains(bounds, x) && boxes.Contains(domain, x) {
			b.pts[n], b.of[n] = x, i
			n++
		}
	}
	if n == 0 {
		return
	}
	solid(b.dist[:n], b.pts[:n])
	for k, d := range b.dist[:n] {
		if d < 0 {
			inside[b.of[k]] = true
		}
	}
}

// Nearest lowers the distances, m, of points, at most BatchSize, to those from a solid. For points at least far, m, from the box
// that holds the solid it uses the distance from the box.
func (b *Batch) Nearest(distance []float32, points []r3.Vec, bounds r3.Box, far float64, solid shapes.Distance) {
	n := 0
	for i, x := range points {
		if d := boxes.DistanceOutside(&bounds, &x); d > far {
			distance[i] = min(distance[i], float32(d))
		} else {
			b.pts[n], b.of[n] = x, i
			n++
		}
	}
	if n == 0 {
		return
	}
	solid(b.dist[:n], b.pts[:n])
	for k, d := range b.dist[:n] {
		i := b.of[k]
		distance[i] = min(distance[i], d)
	}
}
