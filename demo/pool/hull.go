package main

import (
	"math"

	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
)

// ring is one turn around a dinghy: a rounded rectangle with half edges x and z at height y,
// m, and its place on the skin.
type ring struct{ x, z, y, v float64 }

// hullRings go from the keel up the outside, over the rim and down to the floor within, on
// the same outer and inner walls as physics.OpenBox with edges w, h, d.
func hullRings(w, h, d, wall float64) []ring {
	x, z, y, bulge := w/2, d/2, h/2, wall/2
	rings := []ring{{0, 0, -y, 0}, {x - bulge, z - bulge, -y, picture.HullKeel}}
	add := func(in, at, v float64) { rings = append(rings, ring{x - in, z - in, at, v}) }
	const side, rim = 24, 12
	for i := range side + 1 { // two tubes, one on the other, with a crease between
		share := float64(i) / side
		at := -y + (2*y-bulge)*share
		v := picture.HullKeel + (picture.HullSide-picture.HullKeel)*share
		add(round(min(1, (at+y)/bulge), bulge)+.3*bulge*math.Exp(-sq(at/(.12*h))), at, v)
	}
	for i := 1; i <= rim; i++ {
		share := float64(i) / rim
		sin, cos := math.Sincos(math.Pi * share)
		add(bulge-bulge*cos, y-bulge+bulge*sin, picture.HullSide+(picture.HullRim-picture.HullSide)*share)
	}
	floor := -y + wall
	add(wall, floor+.03, picture.HullFloor-.02)
	add(wall+.03, floor, picture.HullFloor)
	return append(rings, ring{0, 0, floor, 1})
}

// round is how far a quarter circle of radius r has still to go outwards when it has risen
// by a share of r.
func round(share, r float64) float64 { return r - r*math.Sqrt(max(0, 1-sq(1-share))) }

func sq(x float64) float64 { return x * x }

// corner is the power of the superellipse that rounds the hull's outline: 2 is an ellipse,
// large is a rectangle.
const corner = 7

// outline is the direction at a share of the way around, as factors of the half edges.
func outline(share float64) (x, z float64) {
	sin, cos := math.Sincos(2 * math.Pi * share)
	n := math.Pow(math.Pow(math.Abs(cos), corner)+math.Pow(math.Abs(sin), corner), -1./corner)
	return n * cos, n * sin
}

// newHull lofts the rings into a mesh with smooth normals; u runs around, v along.
func newHull(w, h, d, wall float64) *geometry.Geometry {
	const around = 96
	rings := hullRings(w, h, d, wall)
	positions, uvs := math32.NewArrayF32(0, 0), math32.NewArrayF32(0, 0)
	for _, r := range rings {
		for k := range around + 1 {
			share := float64(k) / around
			x, z := outline(share)
			positions.Append(float32(r.x*x), float32(r.y), float32(r.z*z))
			uvs.Append(float32(share), float32(1-r.v)) // g3n's v runs upwards
		}
	}
	indices := math32.NewArrayU32(0, 0)
	for i := range len(rings) - 1 {
		for k := range around {
			a := uint32(i*(around+1) + k)
			b := a + around + 1
			indices.Append(a, b, a+1, a+1, b, b+1)
		}
	}
	geom := geometry.NewGeometry()
	geom.SetIndices(indices)
	geom.AddVBO(gls.NewVBO(positions).AddAttrib(gls.VertexPosition))
	geom.AddVBO(gls.NewVBO(smoothNormals(positions, indices, len(rings), around+1)).AddAttrib(gls.VertexNormal))
	geom.AddVBO(gls.NewVBO(uvs).AddAttrib(gls.VertexTexcoord))
	return geom
}

// smoothNormals averages the triangles' normals by area, across the seam and the poles too.
func smoothNormals(p math32.ArrayF32, index math32.ArrayU32, rows, cols int) math32.ArrayF32 {
	sum := make([]math32.Vector3, rows*cols)
	at := func(i uint32) math32.Vector3 { return math32.Vector3{X: p[3*i], Y: p[3*i+1], Z: p[3*i+2]} }
	for t := 0; t < len(index); t += 3 {
		a, b, c := at(index[t]), at(index[t+1]), at(index[t+2])
		n := b.Sub(&a)
		n.Cross(c.Sub(&a))
		for _, i := range index[t : t+3] {
			sum[i].Add(n)
		}
	}
	for r := range rows {
		first, last := &sum[r*cols], &sum[r*cols+cols-1]
		first.Add(last)
		*last = *first
	}
	for _, r := range []int{0, rows - 1} { // a pole is one point
		var all math32.Vector3
		for k := range cols {
			all.Add(&sum[r*cols+k])
		}
		for k := range cols {
			sum[r*cols+k] = all
		}
	}
	normals := math32.NewArrayF32(0, 3*len(sum))
	for i := range sum {
		sum[i].Normalize()
		normals.Append(sum[i].X, sum[i].Y, sum[i].Z)
	}
	return normals
}
