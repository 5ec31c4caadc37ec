package trimesh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// deform moves all vertices by a map of space.
func deform(m *Mesh, to func(x r3.Vec) r3.Vec) {
	for v := range m.Position {
		m.Position[v] = to(m.Position[v])
		m.Target[v] = m.Position[v]
	}
	m.Refit()
	m.Boxes.Rebuild()
}

// wave is a smooth deformation without folds: each coordinate is shifted by waves of the other two.
func wave(rng *rand.Rand, size float64) func(x r3.Vec) r3.Vec {
	var a [3][3]float64
	for i := range a {
		for j := range a[i] {
			a[i][j] = 2*rng.Float64() - 1
		}
	}
	return func(x r3.Vec) r3.Vec {
		p := reproducible.Array(x)
		for i := range p {
			p[i] += size * math.Sin(3*a[i][0]*p[(i+1)%3]+2*a[i][1]*p[(i+2)%3]+3*a[i][2])
		}
		return reproducible.Vector(p)
	}
}

// volumeOf is that inside.
func volumeOf(m *Mesh) (v float64) {
	for t := range m.Triangle {
		if m.Triangle[t][0] != Gone {
			var p [3]r3.Vec
			p[0], p[1], p[2] = m.Corners(int32(t))
			v += tetrahedron(&p, r3.Vec{})
		}
	}
	return v
}

// eulerOf is the Euler characteristic: 2 for each sphere, 0 for a torus.
func eulerOf(m *Mesh) int {
	vertices := 0
	for v := range m.VertexTriangles {
		if len(m.VertexTriangles[v]) > 0 {
			vertices++
		}
	}
	return vertices - m.Edges() + m.Triangles()
}

// poorCorners is the part of all corners below 10°, and the smallest angle in degrees.
func poorCorners(m *Mesh) (part, smallest float64) {
	poor, corners := 0, 0
	smallest = 180
	for t := range m.Triangle {
		if m.Triangle[t][0] == Gone {
			continue
		}
		var p [3]r3.Vec
		p[0], p[1], p[2] = m.Corners(int32(t))
		for i := range 3 {
			a, b := r3.Sub(p[(i+1)%3], p[i]), r3.Sub(p[(i+2)%3], p[i])
			angle := math.Atan2(r3.Norm(r3.Cross(a, b)), r3.Dot(a, b)) * 180 / math.Pi
			smallest = min(smallest, angle)
			corners++
			if angle < 10 {
				poor++
			}
		}
	}
	return float64(poor) / float64(corners), smallest
}

func uniform(length float64) func(dst []float64, at []r3.Vec) {
	return func(dst []float64, _ []r3.Vec) {
		for i := range dst {
			dst[i] = length
		}
	}
}

// legal fails a test where the tables, the orientation or the space are wrong.
func legal(t *testing.T, m *Mesh, when ...any) {
	t.Helper()
	if err := m.Check(); err != nil {
		t.Fatalf("%v: %v", when, err)
	}
}

// enright is the velocity of the Enright test, in the unit cube, with a period of 3 s.
func enright(dst, at []r3.Vec, time float64) {
	_, half := math.Sincos(math.Pi * time / 3)
	for i, x := range at {
		sx, cx := math.Sincos(math.Pi * x.X)
		sy, cy := math.Sincos(math.Pi * x.Y)
		sz, cz := math.Sincos(math.Pi * x.Z)
		dst[i] = reproducible.Scale(half, r3.Vec{X: 4 * sx * sx * sy * cy * 2 * sz * cz, Y: -2 * sx * cx * sy * sy * 2 * sz * cz, Z: -2 * sx * cx * 2 * sy * cy * sz * sz})
	}
}

// ballDistance and blockDistance are signed distances (of the block one that is right inside and near the faces).
func ballDistance(c r3.Vec, radius float64) func(x r3.Vec) float64 {
	return func(x r3.Vec) float64 { return reproducible.Norm(r3.Sub(x, c)) - radius }
}

func blockDistance(low, high r3.Vec) func(x r3.Vec) float64 {
	return func(x r3.Vec) float64 {
		return max(low.X-x.X, x.X-high.X, low.Y-x.Y, x.Y-high.Y, low.Z-x.Z, x.Z-high.Z)
	}
}

// batches makes batches of a distance.
func batches(f func(x r3.Vec) float64) func(dst []float32, at []r3.Vec) {
	return func(dst []float32, at []r3.Vec) {
		for i, x := range at {
			dst[i] = float32(f(x))
		}
	}
}

// manifold reports the first fault of a mesh that is to be a manifold.
func manifold(m *Mesh) error {
	if err := m.Check(); err != nil {
		return err
	}
	for e, list := range m.EdgeTriangles {
		if m.Edge[e][0] == Gone {
			continue
		}
		if len(list) != 2 {
			return fmt.Errorf("edge %d has %d triangles", e, len(list))
		}
	}
	return nil
}

// triangleSet lists the corners of all triangles, sorted, to compare meshes.
func triangleSet(m *Mesh) map[[3]r3.Vec]bool {
	set := map[[3]r3.Vec]bool{}
	for t := range m.Triangle {
		if m.Triangle[t][0] != Gone {
			a, b, c := m.Corners(int32(t))
			k := [3]r3.Vec{a, b, c}
			low := slices.IndexFunc(k[:], func(x r3.Vec) bool { return x == leastOf(k) })
			set[[3]r3.Vec{k[low], k[(low+1)%3], k[(low+2)%3]}] = true
		}
	}
	return set
}

func leastOf(k [3]r3.Vec) r3.Vec {
	least := k[0]
	for _, x := range k {
		if x.X < least.X || x.X == least.X && (x.Y < least.Y || x.Y == least.Y && x.Z < least.Z) {
			least = x
		}
	}
	return least
}
