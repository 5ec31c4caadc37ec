package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// VolumeIn is what a triangle, which is part of a closed surface, counts for the volume that is enclosed in a box, m³: that between it and the side of the box where x is least.
func VolumeIn(b *r3.Box, triangle *[3]r3.Vec) float64 {
	low, high := boxes.Min(boxes.Min(triangle[0], triangle[1]), triangle[2]), boxes.Max(boxes.Max(triangle[0], triangle[1]), triangle[2])
	if low.Y >= b.Max.Y || high.Y <= b.Min.Y || low.Z >= b.Max.Z || high.Z <= b.Min.Z || high.X <= b.Min.X {
		return 0
	}
	size := reproducible.Array(r3.Sub(b.Max, b.Min))
	p := convex{n: 3}
	for i, x := range triangle {
		p.corner[i] = reproducible.Array(r3.Sub(x, b.Min))
	}
	if low.X >= b.Min.X && high.X <= b.Max.X && low.Y >= b.Min.Y && high.Y <= b.Max.Y && low.Z >= b.Min.Z && high.Z <= b.Max.Z {
		return p.above(1, 0)
	}
	var rest, out convex
	for axis := 1; axis < 3; axis++ {
		p.split(axis, 0, &out, &rest)
		rest.split(axis, size[axis], &p, &out)
	}
	p.split(0, 0, &out, &rest)
	rest.split(0, size[0], &p, &out)
	return p.above(1, 0) + out.above(0, size[0])
}

// above is the volume below a polygon along x, whose x counts times a number, and more is added to it.
func (p *convex) above(times, more float64) (sum float64) {
	for i := 2; i < p.n; i++ {
		a, b, c := &p.corner[0], &p.corner[i-1], &p.corner[i]
		turn := float64((b[1]-a[1])*(c[2]-a[2])) - float64((b[2]-a[2])*(c[1]-a[1]))
		sum += float64(turn / 2 * (more + float64(times*(a[0]+b[0]+c[0])/3)))
	}
	return sum
}
