package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// RayX returns the box of the ray from x along X.
func RayX(x r3.Vec) r3.Box {
	return r3.Box{Min: x, Max: r3.Vec{X: math.Inf(1), Y: x.Y, Z: x.Z}}
}

// CrossX reports whether the line through x along X meets a triangle, and at which X: turn is +1 if the line leaves what the triangle encloses, -1 if it enters,
// 0 if they do not meet.
//
// The result is exact except for the rounding of the corners' positions relative to x. A line through an edge or a vertex is treated as moved by an infinitesimal
// e along Y and by e² along Z, so it leaves a closed surface as often as it enters it.
// Source: Edelsbrunner and Mücke 1990.
func CrossX(x, a, b, c *r3.Vec) (turn int, at float64) {
	ay, az := a.Y-x.Y, a.Z-x.Z
	by, bz := b.Y-x.Y, b.Z-x.Z
	cy, cz := c.Y-x.Y, c.Z-x.Z
	turn = turnAround(ay, az, by, bz)
	if turn == 0 || turnAround(by, bz, cy, cz) != turn || turnAround(cy, cz, ay, az) != turn {
		return 0, 0
	}
	wa, wb, wc := cross2(by, bz, cy, cz), cross2(cy, cz, ay, az), cross2(ay, az, by, bz)
	sum := wa + wb + wc
	if sum == 0 {
		return 0, 0
	}
	return turn, x.X + (float64((wa/sum)*(a.X-x.X)) + float64((wb/sum)*(b.X-x.X)) + float64((wc/sum)*(c.X-x.X)))
}

// turnAround returns the sign of the turn from (py, pz) to (qy, qz) around the origin, moved as in CrossX.
func turnAround(py, pz, qy, qz float64) int {
	f, g := float64(py*qz), float64(pz*qy)
	// Rounding keeps the order of products that differ. If they round to the same number, their rounding errors decide.
	if f == g {
		f, g = math.FMA(py, qz, -f), math.FMA(pz, qy, -g)
	}
	switch {
	case f > g:
		return 1
	case f < g:
		return -1
	case pz > qz:
		return 1
	case pz < qz:
		return -1
	case qy > py:
		return 1
	case qy < py:
		return -1
	}
	return 0
}

func cross2(py, pz, qy, qz float64) float64 { return float64(py*qz) - float64(pz*qy) }

// Crossed reports whether o + s·dir is on the triangle for an s in (0, until].
//
// Source: Möller and Trumbore 1997, Fast, minimum storage ray/triangle intersection.
func (f *Triangle) Crossed(o, dir r3.Vec, until float64) bool {
	h := reproducible.Cross(dir, f.AC)
	det := reproducible.Dot(f.AB, h)
	if det == 0 {
		return false
	}
	d := r3.Sub(o, f.A)
	u := reproducible.Dot(d, h) / det
	q := reproducible.Cross(d, f.AB)
	v := reproducible.Dot(dir, q) / det
	s := reproducible.Dot(f.AC, q) / det
	return u >= 0 && v >= 0 && u+v <= 1 && s > 0 && s <= until
}

// Pierced reports whether a side of g passes through f.
func (f *Triangle) Pierced(g *Triangle) bool {
	return f.Crossed(g.A, g.AB, 1) || f.Crossed(g.A, g.AC, 1) ||
		f.Crossed(r3.Add(g.A, g.AB), r3.Sub(g.AC, g.AB), 1)
}

// Turn returns 1 if the ray from o leaves through the triangle's front, -1 if it enters, and 0 otherwise. sure is false where the crossing is within rounding of
// an edge or of o. dir: of length 1.
//
// Source: Möller and Trumbore 1997.
func (f *Triangle) Turn(o, dir r3.Vec) (turn int, sure bool) {
	h := reproducible.Cross(dir, f.AC)
	det := reproducible.Dot(f.AB, h)
	d := r3.Sub(o, f.A)
	u := reproducible.Dot(d, h)
	q := reproducible.Cross(d, f.AB)
	v, s := reproducible.Dot(dir, q), reproducible.Dot(f.AC, q)
	turn = -1
	if det < 0 {
		turn, det, u, v, s = 1, -det, -u, -v, -s
	}
	// Each of u, v, det and s is a sum of products of three lengths, the longest of which bound its rounding.
	reach := math.Sqrt(reproducible.Dot(d, d))
	ab, ac := math.Sqrt(f.ABAB), math.Sqrt(f.ACAC)
	slack := float64(1e-13 * max(reach, ab, ac) * (ab + ac))
	if u < -slack || v < -slack || u+v > det+slack || s < -float64(slack*max(ab, ac)) {
		return 0, true
	}
	sure = u > slack && v > slack && u+v < det-slack && s > float64(slack*max(ab, ac))
	return turn, sure
}
