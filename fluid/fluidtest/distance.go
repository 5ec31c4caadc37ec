package fluidtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// probes is the number of points at which a solid's distance is evaluated.
const probes = 512

// checkDistance checks that distances are 1-Lipschitz, equal from call to call, and not negative outside of the bounds.
func checkDistance(t testing.TB, b fluid.Bodies, i int) {
	t.Helper()
	box := b.Bounds(i)
	around := grown(box)
	size := r3.Sub(around.Max, around.Min)
	random := rand.New(rand.NewPCG(2, uint64(i)))
	pts := make([]r3.Vec, probes)
	for k := range pts {
		pts[k] = r3.Add(around.Min, r3.Vec{X: float64(size.X * random.Float64()), Y: float64(size.Y * random.Float64()), Z: float64(size.Z * random.Float64())})
	}
	dst := make([]float32, probes)
	b.Distance(i, dst, pts)
	for k, d := range dst {
		if d != d {
			t.Errorf("body %d: the distance at %v is NaN", i, pts[k])
			return
		}
		if d < 0 && !holds(box, pts[k]) {
			t.Errorf("body %d: %v is %g m inside, but outside of Bounds %v to %v", i, pts[k], -d, box.Min, box.Max)
			return
		}
		if k == 0 {
			continue
		}
		if way := reproducible.Norm(r3.Sub(pts[k], pts[k-1])); math.Abs(float64(d-dst[k-1])) > float64(way*(1+1e-4))+float64(1e-5*(1+math.Abs(float64(d)))) {
			t.Errorf("body %d: the distance changes by %g m from %v to %v, which are %g m apart", i, d-dst[k-1], pts[k-1], pts[k], way)
			return
		}
	}
	again := make([]float32, probes)
	for k := range pts {
		b.Distance(i, again[k:k+1], pts[k:k+1])
	}
	if !slices.Equal(dst, again) {
		t.Errorf("body %d: a point's distance depends on the points asked for with it", i)
	}
	checkConcurrent(t, b, i, dst, pts)
}

// checkConcurrent calls Distance from several goroutines at once, as the liquid does; run with -race.
func checkConcurrent(t testing.TB, b fluid.Bodies, i int, want []float32, pts []r3.Vec) {
	t.Helper()
	var group sync.WaitGroup
	var got [4][]float32
	for g := range got {
		got[g] = make([]float32, len(pts))
		group.Add(1)
		go func() {
			defer group.Done()
			b.Distance(i, got[g], pts)
		}()
	}
	group.Wait()
	for _, d := range got {
		if !slices.Equal(d, want) {
			t.Errorf("body %d: Distance differs when asked from several goroutines at once", i)
			return
		}
	}
}

// grown returns a box half as large again, cut to where single precision resolves centimetres.
func grown(b r3.Box) r3.Box {
	const far = 1e4
	cut := func(x float64) float64 { return max(-far, min(far, x)) }
	b.Min = r3.Vec{X: cut(b.Min.X), Y: cut(b.Min.Y), Z: cut(b.Min.Z)}
	b.Max = r3.Vec{X: cut(b.Max.X), Y: cut(b.Max.Y), Z: cut(b.Max.Z)}
	rim := r3.Add(reproducible.Scale(.25, r3.Sub(b.Max, b.Min)), r3.Vec{X: .1, Y: .1, Z: .1})
	return r3.Box{Min: r3.Sub(b.Min, rim), Max: r3.Add(b.Max, rim)}
}

func holds(b r3.Box, x r3.Vec) bool {
	const slack = 1e-5
	s := r3.Vec{X: slack, Y: slack, Z: slack}
	lo, hi := r3.Sub(x, r3.Sub(b.Min, s)), r3.Sub(r3.Add(b.Max, s), x)
	return lo.X >= 0 && lo.Y >= 0 && lo.Z >= 0 && hi.X >= 0 && hi.Y >= 0 && hi.Z >= 0
}
