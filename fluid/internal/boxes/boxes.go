// Package boxes is the geometry of axis-parallel boxes, which package r3 has only in part. Lengths are in any one unit.
package boxes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Everywhere is the box without sides.
func Everywhere() r3.Box {
	inf := math.Inf(1)
	return r3.Box{Min: r3.Vec{X: -inf, Y: -inf, Z: -inf}, Max: r3.Vec{X: inf, Y: inf, Z: inf}}
}

// Nowhere is a box that overlaps no domain, for what takes no part: a point as far away as single precision allows.
func Nowhere() r3.Box {
	far := r3.Vec{X: math.MaxFloat32, Y: math.MaxFloat32, Z: math.MaxFloat32}
	return r3.Box{Min: far, Max: far}
}

// Min is the lesser of two vectors in each component.
func Min(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

// Max is the greater of two vectors in each component.
func Max(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}

// Around is the box of some points, at least one.
func Around(pts []r3.Vec) r3.Box {
	b := r3.Box{Min: pts[0], Max: pts[0]}
	for _, p := range pts[1:] {
		b.Min, b.Max = Min(b.Min, p), Max(b.Max, p)
	}
	return b
}

// Grown is b with every side moved out by d; a side that would pass its opposite stops
// in the middle.
func Grown(b r3.Box, d float64) r3.Box {
	v := r3.Vec{X: d, Y: d, Z: d}
	return Ordered(r3.Box{Min: r3.Sub(b.Min, v), Max: r3.Add(b.Max, v)})
}

// Ordered is b, or the middle of its gap on an axis where min is past max: a box about
// nothing is a point, not inside out.
func Ordered(b r3.Box) r3.Box {
	fix := func(lo, hi *float64) {
		if *lo > *hi {
			m := float64(*lo/2) + float64(*hi/2)
			*lo, *hi = m, m
		}
	}
	fix(&b.Min.X, &b.Max.X)
	fix(&b.Min.Y, &b.Max.Y)
	fix(&b.Min.Z, &b.Max.Z)
	return b
}

// Valid tells whether min is no more than max on all axes. It is not where one of them is NaN.
func Valid(b r3.Box) bool { return b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z }

// Apart tells whether a box has no point in common with another; of one that is not valid, never.
func Apart(a, b r3.Box) bool { return Valid(a) && !Overlap(a, b) }

// Overlap tells whether two boxes have a point in common.
func Overlap(a, b r3.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y && a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// Contains tells whether a point is in a box or on its sides.
func Contains(b r3.Box, x r3.Vec) bool { return Holds(&b, &x) }

// Holds is Contains where neither is copied.
func Holds(b *r3.Box, x *r3.Vec) bool {
	return x.X >= b.Min.X && x.X <= b.Max.X && x.Y >= b.Min.Y && x.Y <= b.Max.Y && x.Z >= b.Min.Z && x.Z <= b.Max.Z
}

// DistanceOutside is how far a place is outside of a box, at least; 0 if it is in it.
func DistanceOutside(b *r3.Box, x *r3.Vec) float64 {
	return max(0, b.Min.X-x.X, x.X-b.Max.X, b.Min.Y-x.Y, x.Y-b.Max.Y, b.Min.Z-x.Z, x.Z-b.Max.Z)
}

// Corner is one of the eight corners of a box: bits 0, 1 and 2 of c choose the maximum of x, y and z.
func Corner(b *r3.Box, c int) r3.Vec {
	ends := [2]*r3.Vec{&b.Min, &b.Max}
	return r3.Vec{X: ends[c&1].X, Y: ends[c>>1&1].Y, Z: ends[c>>2].Z}
}

// Along is how far a box reaches along a unit vector, measured from the origin.
func Along(b r3.Box, u r3.Vec) (lowest, highest float64) {
	along := func(u, lo, hi float64) {
		lowest += float64(u * lo)
		highest += float64(u * hi)
		if u < 0 {
			d := float64(u * (hi - lo))
			lowest, highest = lowest+d, highest-d
		}
	}
	along(u.X, b.Min.X, b.Max.X)
	along(u.Y, b.Min.Y, b.Max.Y)
	along(u.Z, b.Min.Z, b.Max.Z)
	return lowest, highest
}

// LeastEdge is the length of a box's shortest edge.
func LeastEdge(b r3.Box) float64 {
	size := b.Size()
	return min(size.X, size.Y, size.Z)
}

// Enclose extends a box to a point.
func Enclose(b *r3.Box, x *r3.Vec) { b.Min, b.Max = Min(b.Min, *x), Max(b.Max, *x) }

// Union is the least box around two boxes.
func Union(a, b r3.Box) r3.Box { return r3.Box{Min: Min(a.Min, b.Min), Max: Max(a.Max, b.Max)} }

// Intersection is what two boxes have in common. It is not Valid where they have nothing.
func Intersection(a, b r3.Box) r3.Box { return r3.Box{Min: Max(a.Min, b.Min), Max: Min(a.Max, b.Max)} }
