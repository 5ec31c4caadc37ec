package geom

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Sixfold returns six times the volume of the tetrahedron of a point o and a triangle: positive if o is behind the triangle.
func Sixfold(o, a, b, c r3.Vec) float64 {
	return reproducible.Dot(r3.Sub(a, o), reproducible.Cross(r3.Sub(b, o), r3.Sub(c, o)))
}

// TwiceArea returns a vector along a triangle's normal whose length is twice the area.
func TwiceArea(a, b, c r3.Vec) r3.Vec { return reproducible.Cross(r3.Sub(b, a), r3.Sub(c, a)) }

// Volume returns the volume that triangles enclose, by the divergence theorem. A region that they enclose twice counts twice, a cavity is subtracted, and the volume
// is negative if they are clockwise seen from outside. Positions are relative to the first vertex in use, so that the accuracy does not depend on the distance from
// the origin.
func Volume(positions []r3.Vec, triangles [][3]int32) float64 {
	if len(triangles) == 0 {
		return 0
	}
	o, sum := positions[triangles[0][0]], 0.
	for _, t := range triangles {
		sum += Sixfold(o, positions[t[0]], positions[t[1]], positions[t[2]])
	}
	return sum / 6
}

// VolumeRate returns the rate of change of Volume per unit of time: the flux of the vertices' velocities, exact for triangles whose vertices move with them.
func VolumeRate(positions, velocities []r3.Vec, triangles [][3]int32) float64 {
	// d/dt of a·(b×c) over all triangles. With e = b - a, f = c - a about a common origin the sum is that of the mean
	// velocity through the area vector.
	sum := 0.
	for _, t := range triangles {
		v := r3.Add(velocities[t[0]], r3.Add(velocities[t[1]], velocities[t[2]]))
		sum += reproducible.Dot(v, TwiceArea(positions[t[0]], positions[t[1]], positions[t[2]]))
	}
	return sum / 6
}
