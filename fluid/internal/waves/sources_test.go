package waves

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// rippled is a sheet with waves of a length, m, and an amplitude, m.
func rippled(length, high float64) *query.Triangles {
	m := sheet(64, 64, .02, 0)
	for v := range len(m.Positions) / 3 {
		m.Positions[3*v+1] = float32(high * math.Cos(2*math.Pi*float64(m.Positions[3*v])/length))
	}
	return m
}

// Ripples that are too short for the cells begin to swing in the heights as waves of their length do, long waves don't: the liquid moves them.
func TestBendActsOnShortRipples(t *testing.T) {
	const edge, high, dt = .02, 2e-4, 1. / 600
	for _, c := range []struct{ edges, least, most float64 }{{2.5, .35, .8}, {4, .1, .3}, {8, 0, .02}, {16, -.001, .001}} {
		length := c.edges * edge
		w := onSheet(t, rippled(length, high), 1)
		w.Bend(earth, edge, 1, dt)
		sum, square := 0., 0.
		for v, u := range w.Speed {
			x := at(w.now.positions, uint32(v))
			if min(x.X, x.Z) > .2 && max(x.X, x.Z) < 1.08 {
				shape := math.Cos(2 * math.Pi * x.X / length)
				sum, square = sum+u*shape, square+shape*shape
			}
		}
		// The curvature that the mesh has, by its second differences, with the speed of waves of four cells.
		bent := high * 2 * (1 - math.Cos(2*math.Pi/c.edges)) / (edge * edge)
		k := math.Pi / (2 * edge)
		speed2 := (9.81 + 7.2e-5*k*k) / k
		part := -sum / square / (speed2 * bent * dt)
		t.Logf("waves of %g cells: %.4f of them act", c.edges, part)
		if part < c.least || part > c.most {
			t.Errorf("waves of %g cells: %.4f of them act, want %g to %g", c.edges, part, c.least, c.most)
		}
	}
}

// A ball that rises pushes the surface up near it and nowhere else; one that goes along with the surface does nothing.
func TestSolidsPush(t *testing.T) {
	ball := Solid{Solid: query.Solid{
		Distance: func(dst []float32, at []r3.Vec) {
			for i, x := range at {
				dst[i] = float32(r3.Norm(r3.Sub(x, r3.Vec{X: .5, Z: .5})) - .1)
			}
		},
		Bounds: r3.Box{Min: r3.Vec{X: .4, Y: -.1, Z: .4}, Max: r3.Vec{X: .6, Y: .1, Z: .6}},
	}, Centre: r3.Vec{X: .5, Z: .5}, Twist: [6]float64{0, 1}}
	up := func(r3.Vec) r3.Vec { return r3.Vec{Y: 1} }
	for _, along := range []bool{false, true} {
		m := sheet(50, 50, .02, .2)
		if along {
			moving(m, up)
		}
		w := onSheet(t, m, 1)
		w.Push(&ball, earth, 1, 1./60)
		near, far := 0., 0.
		for v, u := range w.Speed {
			x := r3.Sub(at(w.now.positions, uint32(v)), ball.Centre)
			if d := math.Abs(r3.Norm(x) - .1); d > .041 {
				far = max(far, math.Abs(u))
			} else if d < .01 {
				near = max(near, u)
			}
		}
		t.Logf("along %v: %.3f m/s near the ball, %g beyond", along, near, far)
		if far != 0 || along && near != 0 || !along && (near < .1 || near > 1) {
			t.Errorf("along %v: %g m/s near the ball, %g beyond", along, near, far)
		}
	}
}

// A drop brings the liquid its momentum, as deep as it acts wide, and what leaves the liquid brings none.
func TestDropsBringMomentum(t *testing.T) {
	for _, radius := range []float64{.005, .06} {
		w := onSheet(t, sheet(50, 50, .02, .2), 1)
		volume := 4 * math.Pi / 3 * radius * radius * radius
		w.Strike(Strike{At: r3.Vec{X: .5, Z: .5}, Velocity: r3.Vec{X: 1, Y: 2}, Volume: volume}, 1)
		for _, u := range w.Speed {
			if u != 0 {
				t.Fatalf("a drop that leaves moves the surface by %g m/s", u)
			}
		}
		w.Strike(Strike{At: r3.Vec{X: .5, Z: .5}, Velocity: r3.Vec{X: 1, Y: -2}, Volume: volume}, 1)
		wide, moved := max(2*radius, 2*w.spacing()), 0.
		for v, m := range w.Mass() {
			moved += m * w.Speed[v] * wide
		}
		t.Logf("radius %g: momentum of %.3g, want %.3g", radius, moved, -2*volume)
		if r := moved / (-2 * volume); r < .8 || r > 1.2 {
			t.Errorf("radius %g: a momentum of %g over the density, want %g", radius, moved, -2*volume)
		}
	}
}
