package query

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestUpIsAgainstTheAcceleration(t *testing.T) {
	for _, c := range [][2]r3.Vec{{{Y: -9.81}, {Y: 1}}, {{X: 2}, {X: -1}}, {{X: 3, Z: -4}, {X: -.6, Z: .8}}, {{}, {Y: 1}}} {
		if up := Up(c[0]); r3.Norm(r3.Sub(up, c[1])) > 1e-15 {
			t.Errorf("%v: %v; want %v", c[0], up, c[1])
		}
	}
}

// Nearest uses the distance of a solid's box where that is far, and the solid's elsewhere.
func TestNearestOfBatch(t *testing.T) {
	var b Batch
	ball := r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	asked := 0
	distance := func(dst []float32, pts []r3.Vec) {
		asked += len(pts)
		for i, x := range pts {
			dst[i] = float32(r3.Norm(x) - 1)
		}
	}
	got := []float32{9, 9, 9, .25, 9}
	b.Nearest(got, []r3.Vec{{X: .5}, {X: 1.25, Y: 1.25}, {X: 4}, {X: 3}, {Y: -1.5}}, ball, .5, distance)
	for i, want := range []float64{-.5, math.Sqrt2*1.25 - 1, 3, .25, .5} {
		if math.Abs(float64(got[i])-want) > 1e-6 {
			t.Errorf("point %d: %g, want %g", i, got[i], want)
		}
	}
	if asked != 3 {
		t.Errorf("%d points asked for", asked)
	}
}

func TestUnitOfAnyLength(t *testing.T) {
	for _, size := range []float64{1e-300, 1, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		for _, along := range []r3.Vec{{X: 1}, {X: -1, Y: 1}, {X: 1, Y: .5, Z: -.25}} {
			v := r3.Vec{X: size * along.X, Y: size * along.Y, Z: size * along.Z}
			u := Unit(v)
			if math.Abs(r3.Norm(u)-1) > 1e-15 || math.Signbit(u.X) != math.Signbit(v.X) || v.Y == 0 && u.Y != 0 {
				t.Errorf("%v: %v", v, u)
			}
		}
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	x := r3.Vec{X: 1}
	for want, r := range map[string]Ray{
		"From: {0 +Inf 0} m; must be finite":     {From: r3.Vec{Y: math.Inf(1)}, Dir: x},
		"Dir: {NaN 0 0}; must be finite":         {Dir: r3.Vec{X: math.NaN()}},
		"Dir: {0 0 0}; must be finite and not 0": {From: x},
		"Max: -1 m; must be ≥ 0":                 {Dir: x, Max: -1},
		"Max: NaN m":                             {Dir: x, Max: math.NaN()},
	} {
		if err := r.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", r, err, want)
		}
	}
	if err := (&Ray{From: x, Dir: x, Max: math.Inf(1)}).Check(); err != nil {
		t.Error(err)
	}
}
