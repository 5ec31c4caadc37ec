package contour

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// surfacePoints appends the contour's vertices.
func (t *Tracker) surfacePoints(dst []track.SurfacePoint, velocity func(dst, at []r3.Vec), later float64) []track.SurfacePoint {
	positions, triangles, _ := t.Contour.Mesh()
	first := len(dst)
	t.velocity = arrays.Resize(t.velocity, len(positions))
	velocity(t.velocity, positions)
	for v, x := range positions {
		dst = append(dst, track.SurfacePoint{At: r3.Add(x, reproducible.Scale(later, t.velocity[v]))})
	}
	points := dst[first:]
	for _, t := range triangles {
		a, b, c := points[t[0]].At, points[t[1]].At, points[t[2]].At
		third := reproducible.Scale(1./6, geom.TwiceArea(a, b, c))
		for _, v := range t {
			points[v].Normal = r3.Add(points[v].Normal, third)
		}
	}
	return dst
}
