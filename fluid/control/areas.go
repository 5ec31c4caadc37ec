package control

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The area vector of a vertex is a third of the sum of its triangles': the gradient of the volume with respect to the vertex's position, m². Rows
// hold the vectors of all vertices, three numbers each.

// vec returns vector v of a row.
func vec(row []float64, v int32) r3.Vec {
	p := row[3*v : 3*v+3 : 3*v+3]
	return r3.Vec{X: p[0], Y: p[1], Z: p[2]}
}

func addVec(row []float64, v int32, a r3.Vec) {
	p := row[3*v : 3*v+3 : 3*v+3]
	p[0] += a.X
	p[1] += a.Y
	p[2] += a.Z
}

func setVec(row []float64, v int32, a r3.Vec) {
	p := row[3*v : 3*v+3 : 3*v+3]
	p[0], p[1], p[2] = a.X, a.Y, a.Z
}

// areaVectors sets w to the vertices' area vectors at positions x, and returns the volume, m³.
func areaVectors(w, x []float64, triangles [][3]int32) (volume float64) {
	clear(w)
	origin := vec(x, triangles[0][0])
	for _, t := range triangles {
		a, b, c := vec(x, t[0]), vec(x, t[1]), vec(x, t[2])
		n := geom.TwiceArea(a, b, c)
		volume += reproducible.Dot(r3.Sub(a, origin), n)
		n = reproducible.Scale(1./6, n)
		addVec(w, t[0], n)
		addVec(w, t[1], n)
		addVec(w, t[2], n)
	}
	return volume / 6
}

// turning is a triangle's area vector between two keys: the normal turns at a constant rate in a plane, the area grows linearly.
// Source: Raveendran et al. 2012, section 4.
type turning struct {
	from, side       r3.Vec  // orthonormal basis of the plane of the turn
	cos, sin         float64 // of the current angle
	stepCos, stepSin float64 // of the angle per interval
	area, growth     float64 // m²; per interval
}

// newTurning returns the turning between two normals with n intervals, in the middle of the first.
func newTurning(n0, n1 r3.Vec, n int) turning {
	a0, a1 := reproducible.Norm(n0), reproducible.Norm(n1)
	t := turning{cos: 1, stepCos: 1, growth: 0.5 * (a1 - a0) / float64(n)}
	t.area = float64(0.5*a0) + float64(0.5*t.growth)
	switch {
	case a0 == 0 && a1 == 0:
		return t
	case a0 == 0:
		t.from = reproducible.Scale(1/a1, n1)
		return t
	}
	t.from = reproducible.Scale(1/a0, n0)
	if a1 == 0 {
		return t
	}
	to := reproducible.Scale(1/a1, n1)
	axis := reproducible.Cross(t.from, to)
	sin, cos := reproducible.Norm(axis), reproducible.Dot(t.from, to)
	if sin > 1e-9 {
		t.side = reproducible.Scale(1/sin, reproducible.Cross(axis, t.from))
	} else if cos > 0 {
		return t
	} else {
		t.side, _ = reproducible.Basis(t.from)
	}
	angle := reproducible.PreciseAtan2(sin, cos) / float64(n)
	t.stepSin, t.stepCos = reproducible.PreciseSincos(angle)
	t.sin, t.cos = reproducible.PreciseSincos(0.5 * angle)
	return t
}

// next returns the area vector, m², and moves to the next interval.
func (t *turning) next() r3.Vec {
	n := reproducible.Scale(t.area, r3.Add(reproducible.Scale(t.cos, t.from), reproducible.Scale(t.sin, t.side)))
	t.area += t.growth
	t.cos, t.sin = float64(t.cos*t.stepCos)-float64(t.sin*t.stepSin), float64(t.sin*t.stepCos)+float64(t.cos*t.stepSin)
	return n
}

// turnedAreas sets the rows w of the intervals between two keys to the vertices' area vectors in the middle of each, with triangles that turn
// from the first key to the second.
func turnedAreas(w [][]float64, x0, x1 []float64, triangles [][3]int32, turns []turning) {
	for i, t := range triangles {
		turns[i] = newTurning(normal(x0, t), normal(x1, t), len(w))
	}
	for _, row := range w {
		clear(row)
		for i, t := range triangles {
			n := reproducible.Scale(1./3, turns[i].next())
			addVec(row, t[0], n)
			addVec(row, t[1], n)
			addVec(row, t[2], n)
		}
	}
}

// normal returns a triangle's normal, of twice its area, m².
func normal(x []float64, t [3]int32) r3.Vec {
	return geom.TwiceArea(vec(x, t[0]), vec(x, t[1]), vec(x, t[2]))
}
