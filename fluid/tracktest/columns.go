package tracktest

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// columns is the number of columns along x, per edge of the unit cube, that measure the volume between two surfaces. They are shifted by aside, a part of their
// distance, so that none meets the vertices of a regular mesh.
const (
	columns = 400
	aside   = .4871
)

// crossing is an intersection of a column with a surface.
type crossing struct {
	x      float64 // m
	of     uint8   // index of the surface
	inward int8    // 1 into the liquid, -1 out of it
}

// between returns the volume, m³, within the unit cube, of the symmetric difference of two closed surfaces' insides.
func between(positions [2][]r3.Vec, triangles [2][][3]int32) (volume float64) {
	across := make([][]crossing, columns*columns)
	for s := range positions {
		for _, t := range triangles[s] {
			cross(across, uint8(s), positions[s], t)
		}
	}
	for _, column := range across {
		slices.SortFunc(column, func(a, b crossing) int { return cmp.Compare(a.x, b.x) })
		var depth [2]int
		for i, c := range column {
			if i > 0 && (depth[0] > 0) != (depth[1] > 0) {
				volume += c.x - column[i-1].x
			}
			depth[c.of] += int(c.inward)
		}
	}
	return volume / (columns * columns)
}

// cross adds the intersections of the columns with a triangle.
func cross(across [][]crossing, of uint8, positions []r3.Vec, t [3]int32) {
	a, b, c := positions[t[0]], positions[t[1]], positions[t[2]]
	place := func(x float64) int { return max(0, min(columns, int(math.Ceil(x*columns-aside)))) }
	y0, y1 := place(min(a.Y, b.Y, c.Y)), place(max(a.Y, b.Y, c.Y))
	z0, z1 := place(min(a.Z, b.Z, c.Z)), place(max(a.Z, b.Z, c.Z))
	for j := y0; j < y1; j++ {
		for k := z0; k < z1; k++ {
			y, z := (float64(j)+aside)/columns, (float64(k)+aside)/columns
			u, v, w := side(positions, t[1], t[2], y, z), side(positions, t[2], t[0], y, z), side(positions, t[0], t[1], y, z)
			area := u + v + w
			if in := u >= 0 && v >= 0 && w >= 0 || u < 0 && v < 0 && w < 0; !in || area == 0 {
				continue
			}
			inward := int8(1)
			if area > 0 { // the triangle faces +x: the column leaves the liquid
				inward = -1
			}
			at := &across[j*columns+k]
			*at = append(*at, crossing{(u*a.X + v*b.X + w*c.X) / area, of, inward})
		}
	}
}

// side returns twice the signed area, projected along x, of the triangle of a column and the edge from p to q. It is exactly antisymmetric in p and
// q, so that of two triangles at an edge one has each column.
func side(positions []r3.Vec, p, q int32, y, z float64) float64 {
	if p > q {
		return -side(positions, q, p, y, z)
	}
	a, b := positions[p], positions[q]
	return (a.Y-y)*(b.Z-z) - (a.Z-z)*(b.Y-y)
}

// surfaceMesh is a closed surface mesh.
type surfaceMesh struct {
	positions []r3.Vec   // m
	triangles [][3]int32 // counter-clockwise seen from outside
}

// compare returns the volume of another surface, and the volume between the two, both relative to this one's volume.
func (s *surfaceMesh) compare(positions []r3.Vec, triangles [][3]int32) (kept, l1 float64) {
	before := geom.Volume(s.positions, s.triangles)
	apart := between([2][]r3.Vec{s.positions, positions}, [2][][3]int32{s.triangles, triangles})
	return geom.Volume(positions, triangles) / before, apart / before
}

// area returns the surface's area, m².
func (s *surfaceMesh) area() (sum float64) {
	for _, t := range s.triangles {
		sum += r3.Norm(geom.TwiceArea(s.positions[t[0]], s.positions[t[1]], s.positions[t[2]])) / 2
	}
	return sum
}
