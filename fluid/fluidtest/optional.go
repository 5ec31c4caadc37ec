package fluidtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
)

// checkOptional checks the optional interfaces of package engine that a step of the liquid only reads.
func checkOptional(t testing.TB, b fluid.Bodies) {
	t.Helper()
	checkTouching(t, b)
	checkDimensions(t, b)
	checkRegular(t, b)
	checkFixed(t, b)
	checkGravity(t, b)
}

// checkTouching checks that bodies apart from each other touch none.
func checkTouching(t testing.TB, b fluid.Bodies) {
	t.Helper()
	from, can := b.(engine.Touching)
	if !can {
		return
	}
	b.Step(step)
	for i := range b.Len() {
		if from.Touching(i) {
			t.Errorf("body %d: Touching, but it is apart from all others", i)
		}
	}
}

// samples, in all, of a solid's volume, and how far off a volume may be that they give, of the box that they lie in.
const (
	samples   = 4096
	sampledTo = .05
)

// checkDimensions compares volumes with samples of the distance, and widths with the bounds.
func checkDimensions(t testing.TB, b fluid.Bodies) {
	t.Helper()
	from, can := b.(engine.Measured)
	if !can {
		return
	}
	for i := range b.Len() {
		volume, width, _ := from.Dimensions(i)
		if !(volume >= 0 && width >= 0) {
			t.Errorf("body %d: Dimensions are %g m³ and %g m; must be ≥ 0", i, volume, width)
			continue
		}
		box := b.Bounds(i)
		size := r3.Sub(box.Max, box.Min)
		whole := float64(size.X * size.Y * size.Z)
		if volume == 0 || !(whole < math.Inf(1)) {
			continue
		}
		inside := 0
		for _, d := range distancesIn(b, i, box, samples) {
			if d < 0 {
				inside++
			}
		}
		if sampled := float64(whole * float64(inside) / samples); math.Abs(volume-sampled) > sampledTo*whole {
			t.Errorf("body %d: Dimensions says %g m³, but its Distance is negative in %.3g m³", i, volume, sampled)
		}
		if longest := max(size.X, size.Y, size.Z); width > longest {
			t.Errorf("body %d: Dimensions says a width of %g m, more than its Bounds, %g m", i, width, longest)
		}
	}
}

// distancesIn is the distances of body i at so many random places in a box.
func distancesIn(b fluid.Bodies, i int, box r3.Box, n int) []float32 {
	random := rand.New(rand.NewPCG(3, uint64(i)))
	size := r3.Sub(box.Max, box.Min)
	pts, dst := make([]r3.Vec, n), make([]float32, n)
	for k := range pts {
		pts[k] = r3.Add(box.Min, r3.Vec{X: float64(size.X * random.Float64()), Y: float64(size.Y * random.Float64()), Z: float64(size.Z * random.Float64())})
	}
	b.Distance(i, dst, pts)
	return dst
}

// checkRegular checks that a regular solid has an inside.
func checkRegular(t testing.TB, b fluid.Bodies) {
	t.Helper()
	from, can := b.(engine.Regular)
	if !can {
		return
	}
	for i := range b.Len() {
		if !from.Regular(i) {
			continue
		}
		touched, inside := false, false
		for _, d := range distancesIn(b, i, b.Bounds(i), samples) {
			touched, inside = touched || d == 0, inside || d < 0
		}
		if touched && !inside {
			t.Errorf("body %d: Regular, but its Distance is 0 and nowhere negative", i)
		}
	}
}

// checkFixed checks that steps change neither categories nor names.
func checkFixed(t testing.TB, b fluid.Bodies) {
	t.Helper()
	filter, filters := b.(engine.Filtering)
	namer, names := b.(engine.Naming)
	for i := range b.Len() {
		var category uint64
		var name string
		if filters {
			category = filter.LiquidCategory(i)
		}
		if names {
			name = namer.BodyName(i)
		}
		b.Step(step)
		if filters && filter.LiquidCategory(i) != category {
			t.Errorf("body %d: a step changes its LiquidCategory", i)
		}
		if names && namer.BodyName(i) != name {
			t.Errorf("body %d: a step changes its BodyName", i)
		}
	}
}

// checkGravity checks that gravity is what it was set to, that a bad one changes nothing, and restores it.
func checkGravity(t testing.TB, b fluid.Bodies) {
	t.Helper()
	from, can := b.(engine.Gravitating)
	if !can {
		return
	}
	was := from.Gravity()
	want := r3.Vec{X: 1, Y: -2, Z: 3}
	if err := from.SetGravity(want); err != nil || from.Gravity() != want {
		t.Errorf("SetGravity(%v) gives %v, and Gravity is %v", want, err, from.Gravity())
	}
	if err := from.SetGravity(r3.Vec{X: math.NaN()}); err == nil || from.Gravity() != want {
		t.Errorf("SetGravity takes NaN: the error is %v, and Gravity is %v", err, from.Gravity())
	}
	if err := from.SetGravity(was); err != nil {
		t.Errorf("SetGravity(%v) does not restore it: %v", was, err)
	}
}
