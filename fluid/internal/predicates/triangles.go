package predicates

import "gonum.org/v1/gonum/spatial/r3"

// TrianglesMeet tells whether two triangles have a point in common. They are closed and may be degenerate.
func TrianglesMeet(a, b *[3]r3.Vec) bool {
	if oneSide(a, b) || oneSide(b, a) {
		return false
	}
	for i := range 3 {
		j := (i + 1) % 3
		if SegmentTriangle(a[i], a[j], b[0], b[1], b[2]) || SegmentTriangle(b[i], b[j], a[0], a[1], a[2]) {
			return true
		}
	}
	return false
}

// oneSide tells whether a triangle is on one side of another one's plane.
func oneSide(a, b *[3]r3.Vec) bool {
	side := Orient(a[0], a[1], a[2], b[0])
	return side != 0 && side == Orient(a[0], a[1], a[2], b[1]) && side == Orient(a[0], a[1], a[2], b[2])
}

// Folded tells whether the triangles a, b, c and a, b, d are in one plane, with areas on the same side of a-b.
func Folded(a, b, c, d r3.Vec) bool {
	if Orient(a, b, c, d) != 0 {
		return false
	}
	for axis := range 3 {
		a2, b2 := along(axis, &a), along(axis, &b)
		if turn := orient2(a2, b2, along(axis, &c)); turn != 0 {
			return turn*orient2(a2, b2, along(axis, &d)) > 0
		}
	}
	return false
}

// Fan tells whether the segment s-e meets the triangle s, b, c somewhere else than in s.
func Fan(s, e, b, c r3.Vec) bool {
	return SegmentSegment(s, e, b, c) || SegmentTriangle(e, e, s, b, c)
}
