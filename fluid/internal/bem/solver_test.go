package bem

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// harmonics are harmonic functions of degree 1, 2, 3 and 4, whose normal derivative on the unit sphere is the degree times themselves.
var harmonics = []func(p r3.Vec) float64{
	func(p r3.Vec) float64 { return p.X - .5*p.Z },
	func(p r3.Vec) float64 { return p.X*p.X - p.Y*p.Y + p.Y*p.Z },
	func(p r3.Vec) float64 { return p.X * p.Y * p.Z },
	func(p r3.Vec) float64 { x, y := p.X*p.X, p.Y*p.Y; return x*x - 6*x*y + y*y },
}

// normal returns the normal derivatives of the harmonic function with a function's values at the vertices.
func normal(t testing.TB, s *Solver, at []r3.Vec, f func(r3.Vec) float64) []float64 {
	t.Helper()
	q := make([]float64, len(s.panels))
	if err := s.Normal(q, values(at, f)); err != nil {
		t.Fatal(err)
	}
	return q
}

// dirichletToNeumann returns ∮ q f / ∮ f² over a ball, which is f's degree, less that degree, over it.
func dirichletToNeumann(t *testing.T, n, degree int) float64 {
	at, triangles := geom.Icosphere(n)
	s := newSolver(t, at, triangles)
	f := harmonics[degree-1]
	q := normal(t, s, at, f)
	var num, den float64
	for i, face := range s.face {
		p := &s.panels[i]
		v := f(r3.Unit(p.centre))
		num += p.area * q[face] * v
		den += p.area * v * v
	}
	return num/(den*float64(degree)) - 1
}

// The derivative of a spherical harmonic of degree l is l/R times itself. The error falls with the square of the faces' size; that of degree 1, which is linear, is the quadrature's and the form's.
func TestSphericalHarmonics(t *testing.T) {
	for degree, want := range map[int][3]float64{2: {.075, .017, .005}, 3: {.2, .042, .011}} {
		var err [3]float64
		for n := range err {
			err[n] = dirichletToNeumann(t, n+1, degree)
			about(t, "relative error", err[n], 0, want[n])
		}
		t.Logf("degree %d: %.4f with 80, 320, 1280 faces", degree, err)
		for n := range 2 {
			if order := math.Log2(err[n] / err[n+1]); order < 1.7 {
				t.Errorf("degree %d: %.4f with 80·4ⁿ faces: order %.2f, want 2", degree, err, order)
			}
		}
	}
}

// A linear function has its gradient's part along the normal, on any shape, up to the error of quadratures between faces that touch; a constant has exactly 0.
func TestLinearFunctions(t *testing.T) {
	g := r3.Vec{X: 1, Y: -2, Z: .5}
	for n := range 3 {
		at, triangles := lumpy(n+1, 7)
		s := newSolver(t, at, triangles)
		q := normal(t, s, at, func(p r3.Vec) float64 { return 3 + r3.Dot(g, p) })
		var sum, wanted float64
		for i, f := range s.face {
			p := &s.panels[i]
			e := q[f] - r3.Dot(g, p.normal)
			sum += p.area * e * e
			wanted += p.area * r3.Norm2(g) / 3
		}
		err := math.Sqrt(sum / wanted)
		t.Logf("%d faces: %.2g", len(triangles), err)
		about(t, "relative error", err, 0, .0035)
		for f, q := range normal(t, s, at, func(r3.Vec) float64 { return 1e5 }) {
			if math.Abs(q) > 1e-6 {
				t.Fatalf("the derivative of a constant 1e5 at face %d is %g", f, q)
			}
		}
	}
}

func TestFluxIsZero(t *testing.T) {
	at, triangles := lumpy(2, 3)
	s := newSolver(t, at, triangles)
	sum, size := 0., 0.
	q := normal(t, s, at, func(p r3.Vec) float64 { return math.Exp(p.X) + p.Y*p.Z })
	for i, f := range s.face {
		sum += s.panels[i].area * q[f]
		size += s.panels[i].area * math.Abs(q[f])
	}
	about(t, "∮ q", sum/size, 0, 1e-12)
}

// The capacities of a ball and of a cube, 4π times .66067815 (Hwang and Mascagni 2004), and of lumps moved, turned and scaled.
func TestCapacity(t *testing.T) {
	for n, want := range []float64{.045, .0115, .003} {
		at, triangles := geom.Icosphere(n + 1)
		about(t, "ball", newSolver(t, at, triangles).Capacity()/(4*math.Pi), 1, want)
	}
	for _, c := range []struct {
		n    int
		want float64
	}{{2, .011}, {4, .0045}, {8, .002}} {
		at, triangles := cube(c.n)
		got := newSolver(t, at, triangles).Capacity() / (4 * math.Pi * .66067815)
		t.Logf("cube of %d faces: %.5f", len(triangles), got-1)
		about(t, "cube", got, 1, c.want)
	}
	at, triangles := lumpy(2, 5)
	c := newSolver(t, at, triangles).Capacity()
	turn := turned(r3.Vec{X: 30, Y: -20, Z: 5})
	got := newSolver(t, moved(at, func(p r3.Vec) r3.Vec { return r3.Scale(1e-3, turn(p)) }), triangles).Capacity()
	about(t, "a lump of a thousandth of the size, elsewhere", got*1e3/c, 1, 1e-11)
}

// The layers of a harmonic function are the function and its gradient inside, and 0 outside.
func TestGreensIdentity(t *testing.T) {
	f := harmonics[1]
	gradient := func(p r3.Vec) r3.Vec { return r3.Vec{X: 2 * p.X, Y: -2*p.Y + p.Z, Z: p.Y} }
	at, triangles := lumpy(2, 11)
	s := newSolver(t, at, triangles)
	q, phi := normal(t, s, at, f), values(at, f)
	for _, p := range []r3.Vec{{}, {X: .4, Y: -.1, Z: .2}, {Y: .5}, {X: -.3, Z: -.4}} {
		value, slope := s.Potential(p, q, phi)
		about(t, "value", value, f(p), .02)
		about(t, "gradient", r3.Norm(r3.Sub(slope, gradient(p))), 0, .04)
	}
	value, slope := s.Potential(r3.Vec{X: 2.5, Y: 1}, q, phi)
	about(t, "value outside", value, 0, .01)
	about(t, "gradient outside", r3.Norm(slope), 0, .01)
}

// ∫ 1/r over a cube of side 1 from its middle, and half of it from a corner; and over a ball from inside and outside.
func TestVolumePotential(t *testing.T) {
	at, triangles := cube(1)
	s := newSolver(t, at, triangles)
	want := (3*math.Log((math.Sqrt(3)+1)/(math.Sqrt(3)-1)) - math.Pi/2) / (4 * math.Pi)
	about(t, "middle of a cube", s.VolumePotential(r3.Vec{X: .5, Y: .5, Z: .5}), want, 1e-14)
	about(t, "corner of a cube", s.VolumePotential(r3.Vec{}), want/2, 1e-14)
	at, triangles = geom.Icosphere(3)
	s = newSolver(t, at, triangles)
	for _, p := range []r3.Vec{{}, {X: .6, Y: -.3}} {
		about(t, "inside of a ball", s.VolumePotential(p), .5-r3.Norm2(p)/6, .01)
	}
	about(t, "outside of a ball", s.VolumePotential(r3.Vec{X: 1, Y: 2, Z: 2}), 1./9, .002)
}

func TestBadSurfaces(t *testing.T) {
	at, triangles := geom.Icosphere(1)
	inside := make([][3]int32, len(triangles))
	for i, f := range triangles {
		inside[i] = [3]int32{f[0], f[2], f[1]}
	}
	turnedOne := append([][3]int32{inside[0]}, triangles[1:]...)
	bad := moved(at, func(p r3.Vec) r3.Vec { return p })
	bad[3].Y = math.NaN()
	var s Solver
	for _, c := range []struct {
		what      string
		at        []r3.Vec
		triangles [][3]int32
		want      error
	}{
		{"one triangle missing", at, triangles[1:], ErrOpen},
		{"one triangle turned over", at, turnedOne, ErrOpen},
		{"no triangle", at, nil, ErrVolume},
		{"all turned over", at, inside, ErrVolume},
		{"no such vertex", at[:20], triangles, ErrCorner},
		{"not a number", bad, triangles, ErrNotFinite},
	} {
		if err := s.Set(c.at, c.triangles); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		}
	}
	if err := s.Set(at, triangles); err != nil {
		t.Fatalf("after bad surfaces: %v", err)
	}
	phi := make([]float64, len(at))
	phi[2] = math.Inf(1)
	if err := s.Normal(make([]float64, len(triangles)), phi); !errors.Is(err, ErrNotFinite) {
		t.Errorf("an infinite value: %v", err)
	}
}

// Triangles without area, and slivers, leave the result as it is.
func TestTrianglesWithoutArea(t *testing.T) {
	at, triangles := geom.Icosphere(2)
	f := harmonics[1]
	want := normal(t, newSolver(t, at, triangles), at, f)
	// A vertex on a side, the same as one of its ends, or close to it: the triangle beyond the side has it as a corner, that on this side is without area.
	for _, along := range []float64{0, .5, 1, 1e-9} {
		first := triangles[0]
		a, b := first[0], first[1]
		more := append([]r3.Vec{}, at...)
		more = append(more, r3.Add(at[a], r3.Scale(along, r3.Sub(at[b], at[a]))))
		m := int32(len(at))
		split := append([][3]int32{}, triangles...)
		split[0] = [3]int32{a, m, first[2]}
		split = append(split, [3]int32{m, b, first[2]}, [3]int32{a, b, m})
		s := newSolver(t, more, split)
		got := normal(t, s, more, f)
		for i := range split {
			if !(math.Abs(got[i]) < 1e3) {
				t.Fatalf("vertex at %g of a side: the derivative at face %d is %g", along, i, got[i])
			}
			if i > 0 && i < len(triangles) {
				about(t, "a triangle elsewhere", got[i], want[i], .1)
			}
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, fewer := range []int{0, directFaces} { // with all pairs, and with expansions
		at, triangles := lumpy(2, 2)
		s := Solver{Layers: Layers{fewer: fewer}}
		var m Mixed
		phi, q, rates, u := values(at, harmonics[2]), make([]float64, len(triangles)), make([]float64, len(at)), make([]r3.Vec, len(triangles))
		fixed := make([]bool, len(triangles))
		for i := range fixed {
			fixed[i] = i%20 < 10
		}
		work := func() {
			err := errors.Join(s.Set(at, triangles), s.Normal(q, phi), s.Masses(q), s.MassRates(rates, q, u), m.Set(at, triangles, fixed), m.Solve(phi, q))
			if fewer == 0 {
				err = errors.Join(err, s.Harmonic(u, u))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		work()
		if count := testing.AllocsPerRun(1, work); count > 0 {
			t.Errorf("directFaces less %d: %g allocations", fewer, count)
		}
	}
}
