// Package predicates answers questions about points, segments and triangles, still or moving, without a mistake by rounding.
//
// Orient, SegmentTriangle and PointTetrahedron are exact for all finite coordinates. Sets are closed: what touches meets. Segments, triangles and
// tetrahedra may be degenerate. Each sign is first computed in float64 with a bound of its error, then, where the bound does not decide, with exact sums
// of float64. Coordinates of sizes outside 2⁻³⁰⁰ to 2³⁰⁰ that the bound does not decide go to package math/big, which allocates; nothing else does.
//
// A motion is where a point is at the beginning and at the end; in between it moves along a straight line at constant velocity. VertexTriangle and
// EdgeEdge say no only with a proof that holds for the float64 as they stand, so that they miss no collision: an even number of crossings counts as
// well as an odd one. They may say yes to what passes without contact: see VertexTriangle.
//
// Sources: Shewchuk 1997, Adaptive precision floating-point arithmetic and fast robust geometric predicates.
package predicates

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Motion is where a point is before and after.
type Motion [2]r3.Vec

// half is the largest relative error of one rounding.
const half = 0x1p-53

// Errors of the determinants of Orient and of orient2, in parts of the sum of their terms' sizes. Source: Shewchuk 1997, sections 4.3 and 4.4. The first
// has nearly a half more than (7 + 56 half) half: as the sum is above leastSum and the last factors below largestFactor, that is more than what products lose below 2⁻¹⁰²².
const (
	orientError  = 8 * half
	orient2Error = (3 + 16*half) * half
)

// Below leastSum and above largestSum, a product may have lost digits to the range of exponents; the bounds do not hold.
const (
	leastSum      = 0x1p-900
	largestSum    = 0x1p1000
	largestFactor = 0x1p100
)

// Orient is the sign of (b-a)×(c-a)·(d-a): +1 if d is on the side of the triangle a, b, c from which it is counter-clockwise, 0 if the four are in one plane.
func Orient(a, b, c, d r3.Vec) int {
	ax, ay, az := a.X-d.X, a.Y-d.Y, a.Z-d.Z
	bx, by, bz := b.X-d.X, b.Y-d.Y, b.Z-d.Z
	cx, cy, cz := c.X-d.X, c.Y-d.Y, c.Z-d.Z
	bxcy, cxby := float64(bx*cy), float64(cx*by)
	cxay, axcy := float64(cx*ay), float64(ax*cy)
	axby, bxay := float64(ax*by), float64(bx*ay)
	det := float64(az*(bxcy-cxby)) + float64(bz*(cxay-axcy)) + float64(cz*(axby-bxay))
	sum := float64((math.Abs(bxcy)+math.Abs(cxby))*math.Abs(az)) + float64((math.Abs(cxay)+math.Abs(axcy))*math.Abs(bz)) + float64((math.Abs(axby)+math.Abs(bxay))*math.Abs(cz))
	if sum > leastSum && sum < largestSum && math.Abs(az)+math.Abs(bz)+math.Abs(cz) < largestFactor {
		// det is that of a-d, b-d and c-d, which has the opposite sign.
		if bound := orientError * sum; det > bound {
			return -1
		} else if det < -bound {
			return 1
		}
	} else if ax == 0 && bx == 0 && cx == 0 || ay == 0 && by == 0 && cy == 0 || az == 0 && bz == 0 && cz == 0 {
		return 0
	}
	return orientExact(&a, &b, &c, &d)
}

// orient2 is the sign of (b-a)×(c-a) in a plane: +1 if a, b, c are counter-clockwise.
func orient2(a, b, c point2) int {
	ax, ay, bx, by := a[0]-c[0], a[1]-c[1], b[0]-c[0], b[1]-c[1]
	p, q := float64(ax*by), float64(ay*bx)
	if sum := math.Abs(p) + math.Abs(q); sum > leastSum && sum < largestSum {
		if bound := orient2Error * sum; p-q > bound {
			return 1
		} else if p-q < -bound {
			return -1
		}
	} else if ax == 0 && bx == 0 || ay == 0 && by == 0 {
		return 0
	}
	return orient2Exact(&a, &b, &c)
}

// SegmentTriangle tells whether a segment and a triangle have a point in common. They are closed: it is enough that they touch, and either may be degenerate.
func SegmentTriangle(p, q, a, b, c r3.Vec) bool {
	if apart(&p, &q, &a, &b, &c) {
		return false
	}
	above, below := Orient(a, b, c, p), Orient(a, b, c, q)
	if above*below > 0 {
		return false
	}
	if above == 0 && below == 0 {
		return planarSegmentTriangle(p, q, a, b, c)
	}
	u, v, w := Orient(p, q, a, b), Orient(p, q, b, c), Orient(p, q, c, a)
	return u >= 0 && v >= 0 && w >= 0 || u <= 0 && v <= 0 && w <= 0
}

// PointTetrahedron tells whether a point is in a tetrahedron or on its sides, however it is turned. One without volume is the hull of its corners.
func PointTetrahedron(x, a, b, c, d r3.Vec) bool {
	s := [4]int{Orient(a, b, c, x), Orient(a, d, b, x), Orient(b, d, c, x), Orient(a, c, d, x)}
	least, most := min(s[0], s[1], s[2], s[3]), max(s[0], s[1], s[2], s[3])
	if least < 0 && most > 0 {
		return false
	}
	if Orient(a, b, c, d) != 0 {
		return true
	}
	// Four points in a plane: each point of their hull is in one of the four triangles.
	return SegmentTriangle(x, x, a, b, c) || SegmentTriangle(x, x, a, b, d) || SegmentTriangle(x, x, a, c, d) || SegmentTriangle(x, x, b, c, d)
}

// SegmentSegment tells whether two segments have a point in common. They are closed and may be degenerate.
func SegmentSegment(p, q, a, b r3.Vec) bool {
	if apart(&p, &q, &a, &b, &b) || Orient(p, q, a, b) != 0 {
		return false
	}
	return planarSegments([4]r3.Vec{p, q, a, b})
}

// apart tells whether the boxes of a segment and a triangle have no point in common.
func apart(p, q, a, b, c *r3.Vec) bool {
	return max(p.X, q.X) < min(a.X, b.X, c.X) || min(p.X, q.X) > max(a.X, b.X, c.X) ||
		max(p.Y, q.Y) < min(a.Y, b.Y, c.Y) || min(p.Y, q.Y) > max(a.Y, b.Y, c.Y) ||
		max(p.Z, q.Z) < min(a.Z, b.Z, c.Z) || min(p.Z, q.Z) > max(a.Z, b.Z, c.Z)
}
