package trimesh_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
)

// crossings are how many pairs of the free triangles of a surface meet apart from the vertices and edges that they share, by exact arithmetic. Vertices at one place are one.
// Triangles that are no wider than what single precision rounds their corners by are left out: they may turn over by that.
func crossings(s *fluid.Surface) int {
	var at []r3.Vec
	number, first := make([]int32, len(s.Positions)/3), map[r3.Vec]int32{}
	for i := range number {
		x := r3.Vec{X: float64(s.Positions[3*i]), Y: float64(s.Positions[3*i+1]), Z: float64(s.Positions[3*i+2])}
		n, known := first[x]
		if !known {
			n = int32(len(at))
			first[x], at = n, append(at, x)
		}
		number[i] = n
	}
	var free [][3]int32
	for i := 0; i+2 < s.Free; i += 3 {
		if a, b, c := number[s.Indices[i]], number[s.Indices[i+1]], number[s.Indices[i+2]]; width(at[a], at[b], at[c]) > 1e-6 {
			free = append(free, [3]int32{a, b, c})
		}
	}
	var m trimesh.Mesh
	m.Set(at, free, 0)
	return len(m.Intersections(nil))
}

// width is the least height of a triangle, m.
func width(a, b, c r3.Vec) float64 {
	ab, ac, bc := r3.Sub(b, a), r3.Sub(c, a), r3.Sub(c, b)
	longest := math.Sqrt(max(r3.Norm2(ab), r3.Norm2(ac), r3.Norm2(bc)))
	return r3.Norm(r3.Cross(ab, ac)) / max(longest, 1e-30)
}

// What an explicit mesh publishes passes through itself nowhere, at any step: it is moved on to the output time as it moves through a step, without crossing.
func TestPublishedMeshCrossesNowhere(t *testing.T) {
	for _, c := range []struct {
		cell, rate float64
		detail     int
		long       bool
	}{
		{.05, 60, 1, false},
		{.05, 30, 2, true},
		{.05, 120, 1, true},
		{.01, 60, 1, true},
	} {
		if c.long && testing.Short() {
			continue
		}
		h := c.cell
		t.Run(fmt.Sprintf("cells of %g m, %d edges each, %g steps/s", h, c.detail, c.rate), func(t *testing.T) {
			l := testrig.New(t, fluid.Def{
				Domain: testrig.Box(16*h, 14*h, 16*h), CellSize: h, Numerics: fluid.Numerics{Levels: 1, SurfaceDetail: c.detail}, Tracker: fluid.ExplicitMesh, Resources: fluid.Resources{Workers: 1},
			})
			testrig.Must(t, l.Fill(fluid.Below(4.3*h)))
			testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: 7.7 * h, Y: 9.1 * h, Z: 8.2 * h}, 2.6*h)))
			testrig.Must(t, l.SetVelocity(fluid.Sphere(r3.Vec{X: 7.7 * h, Y: 9.1 * h, Z: 8.2 * h}, 3.4*h), func(r3.Vec) r3.Vec { return r3.Vec{X: 10 * h, Y: -40 * h} }))
			steps, bad, worst := 0, 0, 0
			for range int(c.rate * .7) {
				if r := *l.Step(1 / c.rate); r.Err != nil {
					t.Fatal(r.Err)
				}
				n := crossings(l.Surface())
				if steps++; n > 0 {
					bad++
				}
				worst = max(worst, n)
			}
			t.Logf("%d of %d meshes cross themselves, by up to %d pairs", bad, steps, worst)
			if bad > 0 {
				t.Errorf("%d of %d meshes cross themselves, by up to %d pairs", bad, steps, worst)
			}
		})
	}
}
