package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SurfacePoints appends the contour's vertices.
func (c *contoured) SurfacePoints(dst []forces.SurfacePoint, later float64) []forces.SurfacePoint {
	positions, triangles, _ := c.Contour.Mesh()
	first := len(dst)
	c.velocity = arrays.Resize(c.velocity, len(positions))
	c.m.followed.velocity(c.velocity, positions)
	for v, x := range positions {
		dst = append(dst, forces.SurfacePoint{At: r3.Add(x, reproducible.Scale(later, c.velocity[v]))})
	}
	points := dst[first:]
	for _, t := range triangles {
		a, b, c := points[t[0]].At, points[t[1]].At, points[t[2]].At
		third := reproducible.Scale(1./6, reproducible.Cross(r3.Sub(b, a), r3.Sub(c, a)))
		for _, v := range t {
			points[v].Normal = r3.Add(points[v].Normal, third)
		}
	}
	return dst
}
