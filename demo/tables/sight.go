package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/fluid"
)

const (
	// sightEvery is after how many steps a picture is looked at, sightSquare how many pixels wide the squares are that a ray goes through the middle of.
	sightEvery, sightSquare = 10, 16
	// furthest, in pixels, is as far as a surface counts as off, also one that is not there.
	furthest = 16
)

// sight is the surface as the camera of a flight sees it, in every sightEvery-th step.
type sight struct {
	rays     []fluid.Ray // scratch
	pictures [][]fluid.RayHit
}

// add looks at a liquid before step n of so many.
func (s *sight) add(scene *dam.Scene, l *fluid.Liquid, n, steps int) error {
	if n%sightEvery != 0 {
		return nil
	}
	s.rays = scene.AppendRays(s.rays[:0], float64(n), float64(steps), sightSquare)
	hits := make([]fluid.RayHit, len(s.rays))
	s.pictures = append(s.pictures, hits)
	return l.RayCast(hits, s.rays)
}

// off is how far, in pixels, the surface of another sight is from that of s, as the root of the mean square; NaN where nothing is seen.
func (s *sight) off(o *sight) float64 {
	sum, n := 0., 0
	for i := range min(len(s.pictures), len(o.pictures)) {
		for k := range s.pictures[i] {
			if d, ok := apart(&s.pictures[i][k], &o.pictures[i][k]); ok {
				sum += d * d
				n++
			}
		}
	}
	return math.Sqrt(sum / float64(n))
}

// apart is how far the surfaces that a ray meets are from one another, across the first of them, in pixels. It is not ok where there is none.
func apart(a, b *fluid.RayHit) (pixels float64, ok bool) {
	switch {
	case !a.Hit && !b.Hit:
		return 0, false
	case a.Hit != b.Hit:
		return furthest, true
	}
	across := math.Abs(r3.Dot(r3.Sub(a.Point, b.Point), a.Normal))
	return min(across*dam.Pixels(a.Distance), furthest), true
}
