package bem

import (
	"fmt"
	"testing"
)

// BenchmarkSolver makes the layers of a drop and solves once.
func BenchmarkSolver(b *testing.B) {
	for n := 1; n <= 4; n++ {
		at, triangles := lumpy(n, 1)
		b.Run(fmt.Sprintf("%dfaces", len(triangles)), func(b *testing.B) {
			s := newSolver(b, at, triangles)
			q, phi := make([]float64, len(triangles)), values(at, harmonics[2])
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Set(at, triangles); err != nil {
					b.Fatal(err)
				}
				if err := s.Normal(q, phi); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
