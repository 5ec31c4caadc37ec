package trimesh

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// BenchmarkUnion joins a ball that touches about 1,000 cells to a sphere with edges of half a cell.
func BenchmarkUnion(b *testing.B) {
	const h, radius = 0.1, 0.7
	at := r3.Vec{X: 0.9}
	box := r3.Box{Min: r3.Vec{X: at.X - radius, Y: -radius, Z: -radius}, Max: r3.Vec{X: at.X + radius, Y: radius, Z: radius}}
	var r Rebuilder
	var report RebuildReport
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		m := cubeSphere(r3.Vec{}, 1, 35)
		b.StartTimer()
		var err error
		if report, err = r.Union(m, Lattice{H: h}, box, batches(ballDistance(at, radius)), 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(report.Cells), "cells")
	b.ReportMetric(float64(report.Removed), "removed")
	b.ReportMetric(float64(report.Added), "added")
}
