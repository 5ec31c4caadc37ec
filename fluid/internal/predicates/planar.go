package predicates

import "gonum.org/v1/gonum/spatial/r3"

// point2 is a point of which one coordinate has been left out.
type point2 [2]float64

// along is a point without the coordinate that an axis, 0 to 2, stands for.
func along(axis int, x *r3.Vec) point2 {
	switch axis {
	case 0:
		return point2{x.Y, x.Z}
	case 1:
		return point2{x.Z, x.X}
	default:
		return point2{x.X, x.Y}
	}
}

// planarSegmentTriangle tells whether a segment meets a triangle, if the triangle has no area or the segment is in its plane.
func planarSegmentTriangle(p, q, a, b, c r3.Vec) bool {
	for axis := range 3 {
		// Along an axis that is not in their plane, no two of its points look the same.
		a2, b2, c2 := along(axis, &a), along(axis, &b), along(axis, &c)
		turn := orient2(a2, b2, c2)
		if turn == 0 {
			continue
		}
		p2, q2 := along(axis, &p), along(axis, &q)
		if turn*orient2(a2, b2, p2) >= 0 && turn*orient2(b2, c2, p2) >= 0 && turn*orient2(c2, a2, p2) >= 0 {
			return true
		}
		return segments2(p2, q2, a2, b2) || segments2(p2, q2, b2, c2) || segments2(p2, q2, c2, a2)
	}
	// A triangle without area is the union of its sides.
	return SegmentSegment(p, q, a, b) || SegmentSegment(p, q, b, c) || SegmentSegment(p, q, c, a)
}

// planarSegments tells whether the segments of two points each meet, that are in one plane.
func planarSegments(x [4]r3.Vec) bool {
	for axis := range 3 {
		var y [4]point2
		for i := range x {
			y[i] = along(axis, &x[i])
		}
		if orient2(y[0], y[1], y[2]) != 0 || orient2(y[0], y[1], y[3]) != 0 || orient2(y[0], y[2], y[3]) != 0 || orient2(y[1], y[2], y[3]) != 0 {
			return segments2(y[0], y[1], y[2], y[3])
		}
	}
	// On one line, segments meet where their boxes do.
	return !apart(&x[0], &x[1], &x[2], &x[3], &x[3])
}

// segments2 tells whether two segments of a plane have a point in common.
func segments2(p, q, a, b point2) bool {
	pa, qa := orient2(a, b, p), orient2(a, b, q)
	ap, bp := orient2(p, q, a), orient2(p, q, b)
	if pa*qa < 0 && ap*bp < 0 {
		return true
	}
	return pa == 0 && between(p, a, b) || qa == 0 && between(q, a, b) || ap == 0 && between(a, p, q) || bp == 0 && between(b, p, q)
}

// between tells whether a point of the line through a and b, or any point if they are the same, is between them.
func between(x, a, b point2) bool {
	return min(a[0], b[0]) <= x[0] && x[0] <= max(a[0], b[0]) && min(a[1], b[1]) <= x[1] && x[1] <= max(a[1], b[1])
}
