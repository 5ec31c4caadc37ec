package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// The face at the bottom of a hole has the mass of what is liquid between the middles of the row below it and of the air, wherever blocks end.
func TestFaceAtAHolesBottomHasItsWalls(t *testing.T) {
	const radius, level = .3, 12 // in cells
	for _, at := range []float64{9.5, 8.5, 7.5} {
		q := newTrial(t, uniform(3))
		bottom := at - .99
		q.fill(func(x r3.Vec) float64 {
			hole := max(math.Hypot(x.X/h-at, x.Z/h-at)-radius, bottom-x.Y/h)
			return h * max(x.Y/h-level, -hole)
		})
		found := 0
		for f := range q.gr.Faces() {
			x := q.gr.FaceCentre(f)
			if q.gr.Cubes.Axis[f] != 1 || math.Abs(x[0]/h-at) > .1 || math.Abs(x[2]/h-at) > .1 || math.Abs(x[1]/h-at+.5) > .1 {
				continue
			}
			if q.gr.B[f] != graph.Air {
				continue
			}
			found++
			want := 1 - 4*radius*radius // the widths of the hole along x and z
			if got := q.gr.Dist[f] / h; math.Abs(got-want) > .1 {
				t.Errorf("at %g: the face has the mass of %g cells, want %g", at, got, want)
			}
		}
		if found != 1 {
			t.Errorf("at %g: %d faces at the bottom", at, found)
		}
	}
}

// Along a plane surface, whichever way it slants, faces have what is liquid on the line between the middles of their cells, which keeps it still.
func TestPlaneSurfaceHasNoHoles(t *testing.T) {
	for _, n := range []r3.Vec{{Y: 1}, {X: .3, Y: .9, Z: .1}, {X: 1, Y: 1.1, Z: .9}} {
		q := newTrial(t, uniform(3))
		n = r3.Unit(n)
		phi := func(x r3.Vec) float64 { return r3.Dot(n, x) - .61 }
		q.fill(phi)
		for f := range q.gr.Faces() {
			row, side := q.gr.A[f], 1.
			if row == graph.Air {
				row, side = q.gr.B[f], -1
			} else if q.gr.B[f] != graph.Air {
				continue
			}
			c, a := q.gr.Centre[row], q.gr.Cubes.Axis[f]
			along := side * [3]float64{n.X, n.Y, n.Z}[a]
			want := -phi(r3.Vec{X: c[0], Y: c[1], Z: c[2]}) / along
			if got := q.gr.Dist[f]; math.Abs(got-want) > 1e-4*h+1e-3*want {
				t.Fatalf("normal %.2g: the surface is %g m beyond a row's middle, want %g", n, got, want)
			}
		}
	}
}
