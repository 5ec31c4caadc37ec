package boxes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Through is where a ray enters a box, 0 from within, and leaves it, m, and the outward normal of the side by which it enters, or
// if from within leaves. It is not ok if the ray misses the box.
func Through(box *r3.Box, from, dir r3.Vec) (enters, leaves float64, through r3.Vec, ok bool) {
	x, d, lo, hi := reproducible.Array(from), reproducible.Array(dir), reproducible.Array(box.Min), reproducible.Array(box.Max)
	enters, leaves = 0, math.Inf(1)
	in, out := -1, -1
	for a := range x {
		if d[a] == 0 {
			if x[a] < lo[a] || x[a] > hi[a] {
				return 0, 0, r3.Vec{}, false
			}
			continue
		}
		near, far := (lo[a]-x[a])/d[a], (hi[a]-x[a])/d[a]
		if d[a] < 0 {
			near, far = far, near
		}
		if near > enters {
			enters, in = near, a
		}
		if far < leaves {
			leaves, out = far, a
		}
	}
	if !(enters <= leaves) || math.IsInf(enters, 1) || math.IsInf(leaves, 1) || out < 0 {
		return 0, 0, r3.Vec{}, false
	}
	var normal [3]float64
	if in >= 0 {
		normal[in] = -math.Copysign(1, d[in])
	} else {
		normal[out] = math.Copysign(1, d[out])
	}
	return enters, leaves, reproducible.Vector(normal), true
}
