package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// stick is a porous body of samples along a line.
func stick(from, to r3.Vec, volume float64) rigid.Solid {
	s := rigid.Solid{Distance: distance(ball(from, 0)), Centre: r3.Vec{X: .3, Y: -.2, Z: .1}, Porous: 1, Sampled: true}
	const n = 40
	for i := range n {
		s.Samples = append(s.Samples, rigid.Sample{X: r3.Add(from, r3.Scale((float64(i)+.5)/n, r3.Sub(to, from))), Volume: volume / n})
	}
	s.Bounds = boxes.Around([]r3.Vec{from, to})
	return s
}

// Still liquid presses on each sample of a porous body as on its volume at its place: exactly where all cells are alike, and nearly where levels meet. Still is
// what it presses with.
func TestPorousBodiesWeighLess(t *testing.T) {
	dim := [3]int{2, 2, 2}
	const volume = 1e-4
	for seed := range uint64(5) {
		levels := uniform(dim, 3)
		if seed > 0 {
			levels = randomLevels(dim, seed)
		}
		r := newRig(t, 1, dim, .1, [3]float64{}, levels, [3]float64{}, [3]float64{})
		body := stick(r3.Vec{X: .31, Y: .4, Z: .33}, r3.Vec{X: 1.21, Y: .9, Z: 1.03}, volume)
		r.surface(nil)
		r.fill([]rigid.Solid{body})
		w := &r.g.Bodies[0]
		var still [6]float64
		for e, row := range w.Row {
			x := r.g.Centre[row]
			for a, k := range w.K[e] {
				still[a] -= k * (up.X*x[0] + up.Y*x[1] + up.Z*x[2])
			}
		}
		turn := r3.Cross(r3.Sub(r3.Vec{X: .76, Y: .65, Z: .68}, body.Centre), up)
		within := .05
		if seed == 0 {
			within = 1e-12
		}
		for a, want := range [6]float64{up.X, up.Y, up.Z, turn.X, turn.Y, turn.Z} {
			if math.Abs(still[a]-want*volume) > within*volume {
				t.Errorf("layout %d: it is pressed on with %g, want %g", seed, still[a]/volume, want)
			}
			if math.Abs(still[a]-w.Still[a]) > 1e-12*volume {
				t.Errorf("layout %d: Still is %g, and rows press with %g", seed, w.Still[a], still[a])
			}
		}
		sum := 0.
		for v, x := range r.d.Volume {
			sum += r.l.Volume[v] - x
		}
		if math.Abs(sum-volume) > .01*volume {
			t.Errorf("layout %d: it takes %g m³ of the cells, want %g", seed, sum, volume)
		}
	}
}

// At a surface, half porous and half not, beside others: cells are closed, still liquid stays still, and Still is what rows and gaps press with.
func TestPorousBodiesAtTheSurface(t *testing.T) {
	dim := [3]int{2, 2, 2}
	for seed := range uint64(4) {
		r := newRig(t, 1, dim, .1, [3]float64{}, randomLevels(dim, seed), [3]float64{.1, .1, .1}, [3]float64{1.5, 1.5, 1.5})
		r.d.SetStatic(distance(ball(r3.Vec{X: .4, Y: .4, Z: .4}, .3)), nil)
		level := plane(r3.Vec{X: .8, Y: .73, Z: .8}, up)
		r.surface(level)
		from, to := r3.Vec{X: .2, Y: .4, Z: .33}, r3.Vec{X: 1.21, Y: .9, Z: 1.03}
		body := stick(from, to, .02)
		half := ballSolid(r3.Vec{X: .9, Y: .8, Z: .7}, .2)
		half.Samples, half.Porous, half.Sampled, half.Bounds = body.Samples, .4, true, boxes.Union(half.Bounds, body.Bounds)
		r.fill([]rigid.Solid{body, half})
		r.fall()
		r.solve(make([]rigid.Body, 2), strict)
		r.stands()
		for i := range r.g.Bodies {
			w := &r.g.Bodies[i]
			var still [6]float64
			size := 0.
			for e, row := range w.Row {
				x := r.g.Centre[row]
				depth := -level(r3.Vec{X: x[0], Y: x[1], Z: x[2]})
				for a, k := range w.K[e] {
					still[a] += k * depth
					size += math.Abs(k)
				}
			}
			for a := range still {
				for b, g := range [3]float64{up.X, up.Y, up.Z} {
					still[a] -= (w.More[a][b] + w.Less[a][b]) * g
				}
				if math.Abs(still[a]-w.Still[a]) > 1e-12*size {
					t.Errorf("layout %d: Still of body %d is %g, and rows press with %g", seed, i, w.Still[a], still[a])
				}
			}
		}
	}
}
