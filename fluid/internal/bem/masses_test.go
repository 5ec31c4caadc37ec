package bem

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// massesOf returns the harmonic masses of a surface's faces.
func massesOf(t testing.TB, s *Solver) []float64 {
	t.Helper()
	m := make([]float64, len(s.panels))
	if err := s.Masses(m); err != nil {
		t.Fatal(err)
	}
	return m
}

// Harmonic masses are positive, add up to the volume, and are the same where a turn of the icosahedron takes one face to another, however it lies.
func TestMasses(t *testing.T) {
	turn := turned(r3.Vec{X: 3, Y: -7, Z: 2})
	for n := range 3 {
		at, triangles := geom.Icosphere(n)
		s := newSolver(t, moved(at, turn), triangles)
		m := massesOf(t, s)
		sum := 0.
		for _, v := range m {
			sum += v
			if v <= 0 {
				t.Errorf("%d faces: a mass of %g", len(triangles), v)
			}
		}
		about(t, "sum over volume", sum/s.Volume(), 1, 1e-10)
		// Of each of the 20 triangles of the icosahedron 4ⁿ are in order.
		for i := range m {
			about(t, "faces of one orbit", m[i]/m[i%(len(m)/20)], 1, .01)
		}
	}
	at, triangles := lumpy(2, 9)
	s := newSolver(t, at, triangles)
	sum := 0.
	for _, v := range massesOf(t, s) {
		sum += v
	}
	about(t, "sum over volume of a lump", sum/s.Volume(), 1, 1e-10)
}

// What the masses are for: the integral over the inside of a harmonic function is the sum of its boundary values.
func TestMassesIntegrate(t *testing.T) {
	at, triangles := lumpy(2, 9)
	s := newSolver(t, at, triangles)
	m := massesOf(t, s)
	for degree, f := range harmonics[:3] {
		got, want := 0., 0.
		for i, face := range s.face {
			p := &s.panels[i]
			mean := 0.
			for _, v := range s.corners[i] {
				mean += f(at[v]) / 3
			}
			got += m[face] * mean
			// ∫ f = ∮ f x·n/(3 + degree), since ∇·(f x) = 3 f + x·∇f.
			x, w := finely(p.corner[0], p.corner[1], p.corner[2], 0)
			for k := range x {
				want += w[k] * f(x[k]) * r3.Dot(x[k], p.normal) / (3 + float64(degree+1))
			}
		}
		t.Logf("degree %d: %.5f, want %.5f", degree+1, got, want)
		about(t, "integral", got, want, .01)
	}
}

// velocities returns a field at the centroids of faces.
func velocities(at []r3.Vec, triangles [][3]int32, u func(r3.Vec) r3.Vec) []r3.Vec {
	out := make([]r3.Vec, len(triangles))
	for i, c := range triangles {
		out[i] = u(r3.Scale(1./3, r3.Add(at[c[0]], r3.Add(at[c[1]], at[c[2]]))))
	}
	return out
}

// rateOf returns the rate of the integral of the harmonic function whose boundary values are f and move with u.
func rateOf(t testing.TB, n int, f func(r3.Vec) float64, u func(r3.Vec) r3.Vec) (rate, sum, flux float64) {
	t.Helper()
	at, triangles := geom.Icosphere(n)
	s := newSolver(t, at, triangles)
	field := velocities(at, triangles, u)
	rates := make([]float64, len(at))
	if err := s.MassRates(rates, massesOf(t, s), field); err != nil {
		t.Fatal(err)
	}
	for v, r := range rates {
		rate += r * f(at[v])
		sum += r
	}
	for i, face := range s.face {
		flux += s.panels[i].area * r3.Dot(s.panels[i].normal, field[face])
	}
	return rate, sum, flux
}

// A motion without divergence, and harmonic, has mass rates. (Brochu 2006, section 5.3, conjectures the contrary.)
func TestMassRatesAreNotDivergence(t *testing.T) {
	f := func(p r3.Vec) float64 { return p.X*p.X - p.Y*p.Y }
	u := func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X, Y: -p.Y} }
	want := -32 * math.Pi / 45
	for n, tolerance := range map[int]float64{2: .1, 3: .03} {
		got, sum, flux := rateOf(t, n, f, u)
		t.Logf("%d faces: %.4f, want %.4f", 20<<(2*n), got, want)
		about(t, "rate", got/want, 1, tolerance)
		about(t, "sum of all rates", sum, flux, 1e-9)
	}
}

// A rigid motion changes no mass, and a uniform expansion all alike.
func TestMassRatesOfMotions(t *testing.T) {
	f := func(p r3.Vec) float64 { return 1 + p.X*p.X - p.Y*p.Y + p.Z }
	for what, u := range map[string]func(r3.Vec) r3.Vec{
		"translation": func(r3.Vec) r3.Vec { return r3.Vec{X: 1, Y: -2, Z: .5} },
		"rotation":    func(p r3.Vec) r3.Vec { return r3.Cross(r3.Vec{X: .3, Y: 1, Z: -.4}, p) },
	} {
		got, _, _ := rateOf(t, 2, f, u)
		about(t, what, got, 0, .06)
	}
	got, _, _ := rateOf(t, 2, f, func(p r3.Vec) r3.Vec { return p })
	about(t, "expansion", got/(4*math.Pi), 1, .05)
}
