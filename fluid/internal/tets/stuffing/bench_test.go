package stuffing

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// BenchmarkStuff reports ns per tetrahedron of a mesh from given distances, and of what Connect takes.
func BenchmarkStuff(b *testing.B) {
	l := uniform([3]int{48, 48, 48}, 1./48, [3]float64{})
	f := &Field{Inside: sphere(r3.Vec{X: .503, Y: .497, Z: .511}, .4).at(l)}
	for _, workers := range []int{1, 2} {
		pool := par.New(workers)
		defer pool.Close()
		m := &Mesher{}
		m.Stuff(pool, l, f)
		b.Run(fmt.Sprintf("stuff/%d", workers), func(b *testing.B) {
			for b.Loop() {
				m.Stuff(pool, l, f)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m.Mesh.Tets()), "ns/tet")
			b.ReportMetric(float64(l.Tets())/float64(m.Mesh.Tets()), "lattice/tet")
		})
		b.Run(fmt.Sprintf("connect/%d", workers), func(b *testing.B) {
			for b.Loop() {
				m.Connect(pool)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m.Mesh.Tets()), "ns/tet")
		})
	}
}
