package cutting_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// pool is a graded lattice, finest at the surface, with a ball that moves.
func pool(b *testing.B) (r *rig, bodies []rigid.Solid) {
	dim := [3]int{4, 4, 4}
	levels := uniform(dim, 2)
	for i := range levels {
		if y := i / 4 % 4; y == 2 {
			levels[i] = 3
		}
	}
	r = newRig(b, 1, dim, .05, [3]float64{}, levels, [3]float64{}, [3]float64{})
	r.d.SetStatic(distance(plane(r3.Vec{Y: .07}, r3.Vec{Y: 1})), nil)
	r.surface(plane(r3.Vec{X: .8, Y: 1, Z: .8}, r3.Vec{Y: 1}))
	r.d.Up = [3]float64{0, 1, 0}
	bodies = []rigid.Solid{ballSolid(r3.Vec{X: .8, Y: .95, Z: .8}, .2)}
	r.fill(bodies)
	r.d.Walls = false
	return r, bodies
}

func BenchmarkSolids(b *testing.B) {
	r, bodies := pool(b)
	b.Run("moving", func(b *testing.B) {
		for b.Loop() {
			r.d.Solids(r.l, bodies)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.l.Edges()), "ns/edge")
	})
	b.Run("anew", func(b *testing.B) {
		for b.Loop() {
			r.d.Forget()
			r.d.Solids(r.l, bodies)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.l.Edges()), "ns/edge")
	})
}

func BenchmarkFill(b *testing.B) {
	r, bodies := pool(b)
	for b.Loop() {
		r.d.Fill(r.g, r.phi, nil, len(bodies))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.g.Faces()), "ns/face")
	b.ReportMetric(float64(r.g.Rows), "rows")
	b.ReportMetric(float64(r.l.Edges()), "edges")
}
