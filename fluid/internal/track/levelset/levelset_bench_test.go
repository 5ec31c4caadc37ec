package levelset

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// benchTrial is a ball of 16 cells in a turning box of 64³, one worker.
func benchTrial(b *testing.B) *trial {
	q := newTrial(b, [3]int{8, 8, 8}, 1./64, 3, 1)
	q.s.Markers.PerCell = 0
	q.s.Set(ball(r3.Vec{X: .5, Y: .55, Z: .5}, .25))
	q.flow(func(x r3.Vec) r3.Vec { return r3.Vec{X: .5 - x.Y, Y: x.X - .5, Z: .1 * math.Sin(6*x.X)} })
	q.s.Publish()
	return q
}

// inBand counts the cells within the band.
func (t *trial) inBand() (n int) {
	t.eachCell(func(b int32, c int, _ r3.Vec, _ float64) {
		if abs32(t.s.Phi[c]) < .999*t.s.limit(t.g.Cur.Level[b]) {
			n++
		}
	})
	return n
}

func per(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/"+unit)
}

func BenchmarkAdvance(b *testing.B) {
	q := benchTrial(b)
	q.s.Passes = 0
	for b.Loop() {
		q.s.Advance(q.v, .01)
	}
	per(b, q.inBand(), "cell")
}

func BenchmarkRedistance(b *testing.B) {
	q := benchTrial(b)
	q.s.Passes = 0
	q.s.Advance(q.v, .01)
	moved := append([]float32(nil), q.s.Phi...)
	for b.Loop() {
		copy(q.s.Phi, moved) // .1 ns per cell
		q.s.Redistance(1)
	}
	per(b, q.inBand(), "cell")
}

func BenchmarkPublish(b *testing.B) {
	q := benchTrial(b)
	for b.Loop() {
		q.s.Publish()
	}
	per(b, q.g.Cells(), "cell")
}

func BenchmarkMarkers(b *testing.B) {
	q := benchTrial(b)
	q.s.Markers.PerCell = 4
	q.s.Publish()
	n := q.s.Markers.Len()
	b.Run("advance", func(b *testing.B) {
		for b.Loop() {
			q.s.Markers.advance(q.v, 1e-9)
		}
		per(b, n, "marker")
	})
	b.Run("reseed", func(b *testing.B) {
		for b.Loop() {
			q.s.Tick++
			q.s.Markers.reseed()
		}
		per(b, n, "marker")
	})
}

func BenchmarkFraction(b *testing.B) {
	q := benchTrial(b)
	dst := make([]float32, q.g.Cells())
	for b.Loop() {
		q.fractions(dst)
	}
	per(b, q.inBand(), "cell")
}
