package cutting

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// What of a cube is under a level surface, however that lies to the grid, is what of many points in it is.
func TestPartUnderTiltedSurface(t *testing.T) {
	const n, edge = 60, .3
	for _, up := range []r3.Vec{{}, {Y: 1}, {Z: -1}, {X: 1, Y: 1}, {X: 1, Y: -3}, {X: 1, Y: 1, Z: 1}, {X: .2, Y: 1, Z: -.3}, {X: 3, Y: 4, Z: 12}, {X: 1e-9, Y: 1, Z: 1e-4}} {
		along := r3.Vec{Z: 1}
		if up != (r3.Vec{}) {
			up = r3.Unit(up)
			along = up
		}
		level := tiltOf([3]float64{up.X, up.Y, up.Z})
		for _, distance := range []float64{-.6, -.26, -.2, -.13, -.07, 0, .001, .04, .1, .15, .22, .25, .6} {
			want := 0.
			for i := range n * n * n {
				p := r3.Vec{X: float64(i%n) + .5 - n/2, Y: float64(i/n%n) + .5 - n/2, Z: float64(i/n/n) + .5 - n/2}
				d := distance + r3.Dot(p, along)*edge/n // a point stands for a slab about it
				want += max(0, min(1, .5-d*n/edge))
			}
			want /= n * n * n
			got := level.part(distance, edge)
			if !(math.Abs(got-want) <= 2e-3) {
				t.Errorf("up %.2v, %g above: %g is under it, want %g", up, distance, got, want)
			}
		}
	}
}
