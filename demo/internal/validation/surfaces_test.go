package validation

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
)

// A place is as far from a mesh as from the nearest of its triangles, and what is far counts as a limit.
func TestDistanceFromSurface(t *testing.T) {
	m := shapes.Sphere(.4, 3)
	const cell = .05
	b := newBins(m.Positions, m.Triangles, cell)
	for i := range 200 {
		f := float64(i)
		x := r3.Vec{X: .8 * math.Sin(1.3*f), Y: .8 * math.Sin(2.1*f+1), Z: .8 * math.Sin(.7*f+2)}
		got, want := b.distance(x), reach*b.cell
		for _, k := range m.Triangles {
			want = min(want, fromTriangle(x, m.Positions[k[0]], m.Positions[k[1]], m.Positions[k[2]]))
		}
		round := min(reach*b.cell, math.Abs(r3.Norm(x)-.4))
		if got != want || math.Abs(got-round) > 4e-3 {
			t.Errorf("%v is %g m from the mesh; one by one %g, from the sphere %g", x, got, want, round)
		}
	}
}

// Distances count from either surface: what one has alone, or what it lacks.
func TestSurfacesApart(t *testing.T) {
	const cell = .05
	big, small := shapes.Sphere(.4, 3), shapes.Sphere(.1, 2)
	far := small.Deformed(shapes.Translate(r3.Vec{X: .7}))
	both := shapes.Mesh{Positions: append(append([]r3.Vec(nil), big.Positions...), far.Positions...), Triangles: append([][3]int32(nil), big.Triangles...)}
	for _, k := range far.Triangles {
		n := int32(len(big.Positions))
		both.Triangles = append(both.Triangles, [3]int32{n + k[0], n + k[1], n + k[2]})
	}
	surface := func(m shapes.Mesh) *fluid.Surface {
		s := &fluid.Surface{}
		for _, p := range m.Positions {
			s.Positions = append(s.Positions, float32(p.X), float32(p.Y), float32(p.Z))
		}
		for _, k := range m.Triangles {
			s.Indices = append(s.Indices, uint32(k[0]), uint32(k[1]), uint32(k[2]))
		}
		return s
	}
	for _, c := range []struct {
		name         string
		liquid, mesh shapes.Mesh
		want         float64
	}{{"itself", big, big, 0}, {"with a drop", both, big, .4}, {"without a part", big, both, .4}, {"none", shapes.Mesh{}, big, reach * cell}} {
		worst, mean := surfacesApart(surface(c.liquid), c.mesh.Positions, c.mesh.Triangles, cell)
		if math.Abs(worst-c.want) > 4e-3 || mean > worst {
			t.Errorf("%s: %.4f m apart, on the mean %.4f; want %.4f", c.name, worst, mean, c.want)
		}
	}
}
