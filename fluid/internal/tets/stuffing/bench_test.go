package stuffing

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// bytes is what a mesh takes, and what it would take if no tetrahedron shared its geometry.
func (m *Mesh) bytes() (shared, unshared uintptr) {
	shared = size(m.Position) + size(m.Flags) + size(m.Origin) + size(m.Corners) + size(m.Source) +
		size(m.Geometry) + size(m.Own) + size(m.Neighbours) + size(m.Boundary)
	return shared, shared - size(m.Own) - size(m.Geometry) + uintptr(m.Tets())*unsafe.Sizeof(Shape{})
}

func size[T any](s []T) uintptr {
	var x T
	return uintptr(len(s)) * unsafe.Sizeof(x)
}

// BenchmarkPool stuffs a pool with waves on a graded lattice from given distances, finest at the surface.
func BenchmarkPool(b *testing.B) {
	d := waves(r3.Vec{X: .5, Y: .5, Z: .55}, .1, .5)
	l := graded([3]int{6, 6, 6}, 1./48, func(_ int, p r3.Vec) uint8 {
		if math.Abs(p.Z-.65) < .2 {
			return 3
		}
		return 1
	})
	f := &Field{Inside: d.at(l)}
	for _, workers := range []int{1, 2} {
		pool := par.New(workers)
		defer pool.Close()
		m := &Mesher{}
		mesh := m.Stuff(pool, l, f)
		perTet := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*mesh.Tets()), "ns/tet")
		}
		b.Run(fmt.Sprintf("Stuff/workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Stuff(pool, l, f)
			}
			perTet(b)
			b.ReportMetric(float64(l.Tets())/float64(mesh.Tets()), "lattice/tet")
		})
		b.Run(fmt.Sprintf("Connect/workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Connect(pool)
			}
			perTet(b)
			shared, unshared := mesh.bytes()
			b.ReportMetric(float64(shared)/float64(mesh.Tets()), "B/tet")
			b.ReportMetric(float64(unshared)/float64(mesh.Tets()), "unshared-B/tet")
		})
	}
}
