package shapes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// leastPart, in depths, is the half diagonal of the smallest parts that Deep divides a box into.
const leastPart = .25

// Deep reports whether some place in a box is deeper in a shape than a depth, m. It divides the box while its middle is near enough to
// such a place, and relies on a slope of the distance of at most 1.
func Deep(s SDF, box r3.Box, depth float64) bool {
	box = boxes.Intersection(box, s.Bounds())
	return boxes.Valid(box) && deepIn(s, box, depth)
}

// deepIn is Deep for a box that is not empty.
func deepIn(s SDF, box r3.Box, depth float64) bool {
	half := reproducible.Scale(.5, r3.Sub(box.Max, box.Min))
	var pts [8]r3.Vec
	var dist [8]float32
	middle := r3.Add(box.Min, half)
	for c := range pts {
		corner := boxes.Corner(&box, c)
		pts[c] = reproducible.Scale(.5, r3.Add(middle, corner))
	}
	s.Eval(dist[:], pts[:])
	reach := float64(reproducible.Norm(half) / 2)
	for c, x := range pts {
		d := float64(dist[c])
		switch {
		case d < -depth:
			return true
		case d-reach >= -depth || reach < leastPart*depth:
		case deepIn(s, r3.Box{Min: r3.Sub(x, reproducible.Scale(.5, half)), Max: r3.Add(x, reproducible.Scale(.5, half))}, depth):
			return true
		}
	}
	return false
}
