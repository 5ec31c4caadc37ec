package forces

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

const gammaWater = .072

// jumps are the least, mean and greatest curvature at the surface, and how many faces have one.
func jumps(t *testing.T, s *scene) (least, mean, most float64, count int) {
	NewTension(s.g, s.pool).Apply(&s.gr, s.phi, nil, gammaWater, 1)
	least, most = math.Inf(1), math.Inf(-1)
	sum := 0.
	for f, j := range s.gr.Jump {
		if s.gr.A[f] >= 0 && s.gr.B[f] >= 0 {
			if j != 0 {
				t.Fatalf("face %d inside has a jump of %g Pa", f, j)
			}
			continue
		}
		if s.gr.A[f] != graph.Air && s.gr.B[f] != graph.Air {
			continue // where levels meet, under the surface
		}
		k := j / gammaWater
		least, most, sum = min(least, k), max(most, k), sum+k
		count++
	}
	return least, sum / float64(count), most, count
}

func TestSphereHasItsCurvature(t *testing.T) {
	for _, sign := range []float64{1, -1} { // drop, bubble
		for _, c := range [][3]float64{{1.2, 1.2, 1.2}, {1.23, 1.17, 1.21}} {
			s := newScene(t, 2, .1, [3]int{3, 3, 3}, nil, func(x [3]float64) float64 { return sign * (distance(x, c) - .6) })
			least, mean, most, n := jumps(t, s)
			want := sign * 2 / .6
			t.Logf("κR/2: %.4f mean, %.4f to %.4f over %d faces", mean/want, least/want, most/want, n)
			if math.Abs(mean/want-1) > .05 || math.Abs(least/want-1) > .15 || math.Abs(most/want-1) > .15 {
				t.Errorf("curvature %g, %g to %g, want %g", mean, least, most, want)
			}
		}
	}
}

func TestSphereAcrossLevels(t *testing.T) {
	c := [3]float64{1.63, 1.58, 1.61}
	s := newScene(t, 2, .1, [3]int{4, 4, 4}, func(at [3]int) uint8 {
		if at[0] >= 2 {
			return 2
		}
		return 3
	}, func(x [3]float64) float64 { return distance(x, c) - 1.2 })
	least, mean, most, n := jumps(t, s)
	want := 2 / 1.2
	t.Logf("κR/2: %.4f mean, %.4f to %.4f over %d faces", mean/want, least/want, most/want, n)
	if math.Abs(mean/want-1) > .05 || least < .5*want || most > 1.5*want {
		t.Errorf("curvature %g, %g to %g, want %g", mean, least, most, want)
	}
}

func TestPlaneHasNone(t *testing.T) {
	s := newScene(t, 2, .1, [3]int{3, 3, 3}, nil, func(x [3]float64) float64 {
		return (x[0]*2 + x[1]*3 + x[2] - 7.2) / math.Sqrt(14)
	})
	least, _, most, n := jumps(t, s)
	if n == 0 || max(most, -least) > 1e-3 {
		t.Fatalf("curvature of a plane: %g to %g over %d faces", least, most, n)
	}
}

func TestTensionZeroClears(t *testing.T) {
	s := newScene(t, 1, .1, [3]int{2, 2, 2}, nil, func(x [3]float64) float64 { return distance(x, [3]float64{.8, .8, .8}) - .4 })
	ten := NewTension(s.g, s.pool)
	ten.Apply(&s.gr, s.phi, nil, 1, 1)
	ten.Apply(&s.gr, s.phi, nil, 0, 1)
	for _, j := range s.gr.Jump {
		if j != 0 {
			t.Fatal("a jump without tension")
		}
	}
	if n := testing.AllocsPerRun(20, func() { ten.Apply(&s.gr, s.phi, nil, 1, 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTension(b *testing.B) {
	s := newScene(b, 1, .1, [3]int{6, 6, 6}, nil, func(x [3]float64) float64 { return distance(x, [3]float64{2.4, 2.4, 2.4}) - 2 })
	ten := NewTension(s.g, s.pool)
	faces := 0
	for f := range s.gr.A {
		if s.gr.A[f] == graph.Air || s.gr.B[f] == graph.Air {
			faces++
		}
	}
	for b.Loop() {
		ten.Apply(&s.gr, s.phi, nil, 1, 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*faces), "ns/surface-face")
}
