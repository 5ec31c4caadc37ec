package tracktest

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tension is the surface tension that an explicit mesh computes on a sphere.
type Tension struct {
	Faces     int
	Area      float64 // m²
	Force     float64 // sum over the vertices, inwards, m: times the tension, N/m, it is in N
	Curvature float64 // at the vertex with the largest error, 1/m
}

// SphereTension returns the tension on a sphere of a radius, m, with 320 faces: an icosahedron whose faces are divided into four twice.
func SphereTension(radius float64) Tension {
	var m trimesh.Mesh
	icosphere(&m, radius, 2)
	var f trimesh.Tension
	f.Pull(nil, &m, m.Position, nil)
	var s trimesh.Measures
	s.Measure(nil, &m, m.Position)
	out := Tension{Faces: m.Triangles(), Area: s.SurfaceArea(), Curvature: 2 / radius}
	for v, x := range m.Position {
		out.Force -= reproducible.Dot(f.Force[v], reproducible.Unit(x))
		if k := f.Curvature[v]; math.Abs(k-2/radius) > math.Abs(out.Curvature-2/radius) {
			out.Curvature = k
		}
	}
	return out
}

// icosphere adds an icosahedron about the origin, of a radius, m, whose faces are divided into four a number of times.
func icosphere(m *trimesh.Mesh, radius float64, divisions int) {
	const golden = (1 + 2.2360679774997896964) / 2
	positions, triangles := []r3.Vec{}, [][3]int32{}
	for _, u := range []float64{-1, 1} {
		for _, v := range []float64{-golden, golden} {
			positions = append(positions, r3.Vec{X: u, Y: v}, r3.Vec{Y: u, Z: v}, r3.Vec{X: v, Z: u})
		}
	}
	// The edges have length 2: three corners with that distance from each other are a face.
	near := func(i, j int) bool { return reproducible.Norm(r3.Sub(positions[i], positions[j])) < 2.1 }
	for i := range positions {
		for j := range i {
			for k := range j {
				if !near(i, j) || !near(j, k) || !near(k, i) {
					continue
				}
				a, b, c := positions[i], positions[j], positions[k]
				if reproducible.Dot(a, reproducible.Cross(b, c)) > 0 {
					triangles = append(triangles, [3]int32{int32(i), int32(j), int32(k)})
				} else {
					triangles = append(triangles, [3]int32{int32(i), int32(k), int32(j)})
				}
			}
		}
	}
	for range divisions {
		positions, triangles = divided(positions, triangles)
	}
	for _, x := range positions {
		m.AddVertex(reproducible.Scale(radius, reproducible.Unit(x)), 0)
	}
	for _, t := range triangles {
		m.AddTriangle(t[0], t[1], t[2], 0)
	}
}

// divided returns four triangles for each, with the middles of edges as far from the origin as their ends.
func divided(positions []r3.Vec, triangles [][3]int32) ([]r3.Vec, [][3]int32) {
	middles, finer := map[[2]int32]int32{}, [][3]int32{}
	middle := func(a, b int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		if _, ok := middles[key]; !ok {
			middles[key] = int32(len(positions))
			positions = append(positions, reproducible.Scale(reproducible.Norm(positions[a]), reproducible.Unit(r3.Add(positions[a], positions[b]))))
		}
		return middles[key]
	}
	for _, t := range triangles {
		ab, bc, ca := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
		finer = append(finer, [3]int32{t[0], ab, ca}, [3]int32{ab, t[1], bc}, [3]int32{ca, bc, t[2]}, [3]int32{ab, bc, ca})
	}
	return positions, finer
}
