package bem

import (
	"errors"
	"math"
	"testing"
)

// square returns the unit square's vertices with n edges a side, moved and scaled.
func square(n int, shift, size float64) (at [][2]float64) {
	for side := range 4 {
		for i := range n {
			s := float64(i) / float64(n)
			p := [4][2]float64{{s, 0}, {1, s}, {1 - s, 1}, {0, 1 - s}}[side]
			at = append(at, [2]float64{shift + size*p[0], shift + size*p[1]})
		}
	}
	return at
}

// The masses of a square's edges, as in Brochu 2006, figure 5.1, with 20 edges: the flux of the function whose Laplacian is 1, a series.
func TestMassesOfASquare(t *testing.T) {
	const n = 5
	var want [n]float64
	for k := 1; k < 400; k += 2 {
		w := float64(k) * math.Pi
		for i := range want {
			want[i] += 4 / (w * w * w) * math.Tanh(w/2) * (math.Cos(w*float64(i)/n) - math.Cos(w*float64(i+1)/n))
		}
	}
	t.Logf("exact: %.4f", want)
	for _, c := range []struct {
		parts, shift, size, tolerance float64
	}{{1, 0, 1, .05}, {1, 50, 1, .05}, {1, -3, 20, .05}, {8, 0, 1, .003}} {
		parts := int(c.parts)
		var p Polygon
		if err := p.Set(square(n*parts, c.shift, c.size)); err != nil {
			t.Fatal(err)
		}
		m := make([]float64, 4*n*parts)
		p.Masses(m)
		var masses [4 * n]float64
		sum := 0.
		for i, v := range m {
			sum += v
			masses[i/parts] += v / (c.size * c.size)
		}
		for i, v := range masses {
			about(t, "edge's mass", v, want[i%n], c.tolerance*want[n/2])
		}
		t.Logf("side %g, %d edges: %.4f", c.size, len(m), masses[:n])
		about(t, "sum over area", sum/(c.size*c.size), 1, 1e-10)
	}
	var p Polygon
	if err := p.Set([][2]float64{{0, 0}, {0, 1}, {1, 0}}); !errors.Is(err, ErrVolume) {
		t.Errorf("clockwise: %v", err)
	}
}

// On a circle the derivative of cos kθ is k/R times itself, with an error that falls with the square of the edges' length.
func TestCircle(t *testing.T) {
	err := map[int]float64{}
	for _, n := range []int{24, 48} {
		at, phi, q := make([][2]float64, n), make([]float64, n), make([]float64, n)
		for i := range at {
			a := 2 * math.Pi * float64(i) / float64(n)
			at[i] = [2]float64{2 * math.Cos(a), 2 * math.Sin(a)}
			phi[i] = math.Cos(3 * a)
		}
		var p Polygon
		if err := p.Set(at); err != nil {
			t.Fatal(err)
		}
		p.Normal(q, phi)
		num, den := 0., 0.
		for i := range q {
			v := math.Cos(3 * 2 * math.Pi * (float64(i) + .5) / float64(n))
			num += q[i] * v
			den += v * v
		}
		err[n] = num/den/1.5 - 1
	}
	t.Logf("24 edges: %.4f, 48: %.4f", err[24], err[48])
	about(t, "24 edges", err[24], 0, .08)
	if order := math.Log2(err[24] / err[48]); order < 1.8 {
		t.Errorf("order %.2f, want 2", order)
	}
}
