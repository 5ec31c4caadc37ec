package main

import (
	"math"
	"testing"
)

// The front is where a part of the liquid is ahead, and two courses are off by what differs.
func TestCourses(t *testing.T) {
	if x := frontOf([]float64{.4, .1, .02, 0}, .01); math.Abs(x-.25) > 1e-12 {
		t.Errorf("the front is at %g m, want half into the third column", x)
	}
	if x := frontOf([]float64{0, 0}, 0); x != 0 {
		t.Errorf("nothing has its front at %g m", x)
	}
	a := course{heights: [][]float64{{.1, .2}, {.1, .1}}, front: []float64{.2, .4}}
	b := course{heights: [][]float64{{.1, .2}, {.1, .12}}, front: []float64{.2, .43}}
	if height, front := a.off(&b); math.Abs(height-10) > 1e-9 || math.Abs(front-30/math.Sqrt2) > 1e-9 {
		t.Errorf("heights are off by %g mm, the front by %g mm", height, front)
	}
}
