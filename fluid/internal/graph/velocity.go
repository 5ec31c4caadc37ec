package graph

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Accelerate adds to the velocities of faces lo ≤ f < hi what a change of velocity, m/s, is along their normals.
func (g *Graph) Accelerate(lo, hi int, by [3]float64) {
	u := g.U[lo:hi]
	if !g.cubic() {
		for f, n := range g.Normals[lo:hi] {
			u[f] += float64(n[0]*by[0]) + float64(n[1]*by[1]) + float64(n[2]*by[2])
		}
		return
	}
	for f, a := range g.Cubes.Axis[lo:hi] {
		u[f] += by[a]
	}
}

// BoundVelocity bounds the velocities to a limit, m/s, and returns the greatest speed of those faces that count; bad is the first face whose velocity is
// not finite, of none -1. Runs that are no faster than the greatest speed before them are passed over.
//
// fastest: the greatest speed of each run of so many faces, m/s; NaN or infinite if a velocity is not finite.
func (g *Graph) BoundVelocity(fastest []float64, run int, limit float64, counts func(f int) bool) (top float64, bad int) {
	for i, most := range fastest {
		lo := i * run
		if most-most != 0 {
			return top, g.firstNotFinite(lo)
		}
		if most > top {
			top = g.boundFaces(lo, min(lo+run, g.Faces()), limit, top, counts)
		}
	}
	return top, -1
}

// firstNotFinite is the first face from one on whose velocity is not finite.
func (g *Graph) firstNotFinite(from int) int {
	for f := from; f < g.Faces(); f++ {
		if u := g.U[f]; u-u != 0 {
			return f
		}
	}
	return from
}

// boundFaces bounds the velocity of faces lo ≤ f < hi and returns the greatest speed of those that count, or top.
func (g *Graph) boundFaces(lo, hi int, limit, top float64, counts func(f int) bool) float64 {
	for f, u := range g.U[lo:hi] {
		if a := math.Abs(u); a > top {
			f += lo
			if a > limit {
				g.U[f] = math.Copysign(limit, u)
				a = limit
			}
			if counts(f) {
				top = a
			}
		}
	}
	return top
}

// Along is the part of a vector along a face's normal.
func (g *Graph) Along(f int, v *[3]float64) float64 {
	if g.cubic() {
		return v[g.Cubes.Axis[f]]
	}
	return geom.Dot(&g.Normals[f], v)
}

// AddAlong adds to a vector so much along a face's normal.
func (g *Graph) AddAlong(f int, v *[3]float64, by float64) {
	if g.cubic() {
		v[g.Cubes.Axis[f]] += by
		return
	}
	for a, n := range g.Normals[f] {
		v[a] += float64(by * n)
	}
}

// MeanVelocity is that of a row's faces along each axis, of velocities u per face, m/s.
func (g *Graph) MeanVelocity(r int32, u []float64) (mean [3]float64) {
	var count [3]float64
	if g.cubic() {
		for side, f := range g.Cubes.Sides[r] {
			if f >= 0 {
				mean[side/2] += u[f]
				count[side/2]++
			}
		}
	} else {
		for _, f := range g.FacesOf(r) {
			for a, n := range g.Normals[f] {
				mean[a] += float64(n * u[f])
				count[a] += float64(n * n)
			}
		}
	}
	for a, n := range count {
		if n > 0 {
			mean[a] /= n
		}
	}
	return mean
}
