package tracktest

import (
	"math"
	"testing"
)

// V22: the tension of a sphere of 320 faces pulls inwards with 2γA/R, and its curvature is 2/R, each within 2 %.
func TestSphereTension(t *testing.T) {
	for _, radius := range []float64{.4, 3} {
		got := SphereTension(radius)
		t.Logf("%+v", got)
		// The faces' area is 1.6 % less than the sphere's.
		if sphere := 4 * math.Pi * radius * radius; got.Faces != 320 || got.Area > sphere || got.Area < .97*sphere {
			t.Errorf("%+v is no sphere", got)
		}
		if want := 2 * got.Area / radius; math.Abs(got.Force/want-1) > .02 {
			t.Errorf("force %v, want %v", got.Force, want)
		}
		if want := 2 / radius; math.Abs(got.Curvature/want-1) > .02 {
			t.Errorf("curvature %v, want %v", got.Curvature, want)
		}
	}
}
