package testrig

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// SpeedIn is the mean velocity of the liquid within radius of a place.
func SpeedIn(l *fluid.Liquid, at r3.Vec, radius float64) (mean r3.Vec) {
	var pts []r3.Vec
	for i := range 125 {
		arm := r3.Scale(radius/2, r3.Vec{X: float64(i%5 - 2), Y: float64(i/5%5 - 2), Z: float64(i/25 - 2)})
		if r3.Norm(arm) < radius {
			pts = append(pts, r3.Add(at, arm))
		}
	}
	n := 0.
	got := make([]fluid.Sample, len(pts))
	l.Sample(got, pts)
	for _, s := range got {
		if s.Inside {
			mean, n = r3.Add(mean, s.Velocity), n+1
		}
	}
	return r3.Scale(1/max(1, n), mean)
}

// New makes a liquid that is closed after the test.
func New(t testing.TB, d fluid.Def) *fluid.Liquid {
	t.Helper()
	l, err := fluid.New(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// Discretisations are the ways to divide space that there are: what holds for all is tested with each.
var Discretisations = []fluid.Discretisation{fluid.Cubes, fluid.Tetrahedra}

// InShort is some in a short run, and else all.
func InShort[T any](some, all T) T {
	if testing.Short() {
		return some
	}
	return all
}

// FallsShort fails the test if what is measured is beyond what it was when it was last looked into, and skips the rest of it if that is more than
// what is wanted.
func FallsShort(t *testing.T, what string, measured, wanted, known float64) {
	t.Helper()
	switch {
	case !(measured <= known):
		t.Errorf("%s: %.3g, want at most %.3g; it was %.3g", what, measured, wanted, known)
	case measured > wanted:
		t.Skipf("%s: %.3g, want at most %.3g: not reached", what, measured, wanted)
	}
}

// Box is a box from the origin.
func Box(x, y, z float64) r3.Box { return r3.Box{Max: r3.Vec{X: x, Y: y, Z: z}} }

// Fastest is the greatest face velocity of the last solve, m/s.
func Fastest(l *fluid.Liquid) float64 {
	top := 0.
	for _, u := range FV(l).Graph.U {
		top = max(top, math.Abs(u))
	}
	return top
}

// MixedLevels fails the test unless cells of different size hold liquid.
func MixedLevels(t *testing.T, r fluid.Report) {
	t.Helper()
	levels := 0
	for _, n := range r.Unknowns {
		if n > 0 {
			levels++
		}
	}
	if levels < 2 {
		t.Fatalf("unknowns per level %v: the test needs cells of different size", r.Unknowns)
	}
}

// LookFrom is a camera at a place, m, that looks along -z through a right angle.
func LookFrom(x, y, z float32) fluid.View {
	return fluid.View{
		View:       [16]float32{0: 1, 5: 1, 10: 1, 12: -x, 13: -y, 14: -z, 15: 1},
		Projection: [16]float32{0: 1, 5: 1, 10: -1, 11: -1, 14: -.2}, Height: 720,
	}
}

// NaN and Inf are numbers that no call may take.
var (
	NaN = math.NaN()
	Inf = math.Inf(1)
)

// Frame is the time between two frames, s.
const Frame = 1. / 60

// Tub is a small half-full tank: 1.6 × 0.8 × 0.8 m, 0.1 m cells, 512 litres.
func Tub(t testing.TB) *fluid.Liquid {
	t.Helper()
	l := New(t, fluid.Def{Domain: Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	if err := l.Fill(fluid.Below(.4)); err != nil {
		t.Fatal(err)
	}
	return l
}

// CloseUp is a camera at z = 2 m that sees half a metre about a place of the basin's surface.
func CloseUp(x float32) fluid.View {
	v := LookFrom(x, .5, 2)
	v.Projection[0], v.Projection[5] = 6, 6
	return v
}
