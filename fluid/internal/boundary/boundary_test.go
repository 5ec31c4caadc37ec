package boundary

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/testrig"

	"github.com/meniscus3d/meniscus/fluid/internal/bem"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// newDrop returns a drop of 20·4ⁿ faces and radius 1 of density and tension 1, stretched along z by a spherical harmonic of degree 2.
func newDrop(n int, stretch float64) *Drop {
	at, triangles := testrig.Icosphere(n)
	for i, p := range at {
		at[i] = r3.Scale(1+stretch*(1.5*p.Z*p.Z-.5), p)
	}
	return &Drop{At: at, Triangles: triangles, Velocity: make([]r3.Vec, len(triangles)), Density: 1, Tension: 1}
}

// elongation is the ratio of the surface's second moments along z and x, less 1.
func (d *Drop) elongation() float64 {
	var x, z float64
	m := fitRigid(d.At, d.Triangles, d.Velocity)
	for _, t := range d.Triangles {
		r := r3.Sub(centroid(d.At, t), m.centre)
		a := r3.Norm(geom.TwiceArea(d.At[t[0]], d.At[t[1]], d.At[t[2]]))
		x += a * r.X * r.X
		z += a * r.Z * r.Z
	}
	return z/x - 1
}

// period returns that of a drop's swing, as a ratio to Lamb's, and what is left of its amplitude after one.
func period(t *testing.T, n, steps int) (ratio, left float64) {
	t.Helper()
	lamb := 2 * math.Pi / math.Sqrt(8)
	d := newDrop(n, .03)
	dt := lamb / float64(steps)
	first := d.elongation()
	last, crossings := first, []float64{}
	volume := geom.Volume(d.At, d.Triangles)
	for k := 1; k <= steps*3/2; k++ {
		if err := d.Step(dt); err != nil {
			t.Fatal(err)
		}
		e := d.elongation()
		if e*last < 0 {
			crossings = append(crossings, (float64(k)-e/(e-last))*dt)
		}
		if last = e; float64(k)*dt > .7*lamb {
			left = max(left, e/first)
		}
	}
	if v := geom.Volume(d.At, d.Triangles); math.Abs(v/volume-1) > 1e-4 {
		t.Errorf("the volume has changed from %g to %g", volume, v)
	}
	if len(crossings) < 3 {
		t.Fatalf("%d crossings", len(crossings))
	}
	return (crossings[2] - crossings[0]) / lamb, left
}

// A drop swings with the period of Lamb 1932, section 275, the nearer the more faces it has, and goes on.
func TestDropSwings(t *testing.T) {
	for n, want := range map[int][2]float64{1: {.09, .05}, 2: {.02, .03}} {
		ratio, left := period(t, n, 60)
		t.Logf("%d faces: period %.4f of Lamb's, amplitude %.4f after one", 20<<(2*n), ratio, left)
		if math.Abs(ratio-1) > want[0] {
			t.Errorf("%d faces: period %.4f of Lamb's, want 1 ± %g", 20<<(2*n), ratio, want[0])
		}
		if math.Abs(left-1) > want[1] {
			t.Errorf("%d faces: amplitude %.4f after a period, want 1 ± %g", 20<<(2*n), left, want[1])
		}
	}
}

// A drop that falls and moves on stays a ball, and its place is that of a point.
func TestDropFalls(t *testing.T) {
	d := newDrop(1, 0)
	start := fitRigid(d.At, d.Triangles, d.Velocity).centre
	u := r3.Vec{X: 3, Y: 1, Z: -2}
	for i := range d.Velocity {
		d.Velocity[i] = u
	}
	d.Tension, d.Gravity = 0, r3.Vec{Y: -9.81}
	shape := d.elongation()
	const dt, steps = .01, 50
	for range steps {
		if err := d.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
	m := fitRigid(d.At, d.Triangles, d.Velocity)
	want := r3.Add(start, r3.Add(r3.Scale(steps*dt, u), r3.Scale(.5*dt*dt*steps*(steps+1), d.Gravity)))
	if off := r3.Norm(r3.Sub(m.centre, want)); off > 1e-6 {
		t.Errorf("at %v, want %v", m.centre, want)
	}
	if s := d.elongation(); math.Abs(s-shape) > 1e-9 {
		t.Errorf("elongation %g, it was %g", s, shape)
	}
}

// A drop that turns slowly keeps its angular velocity and nearly its shape.
func TestDropTurns(t *testing.T) {
	d := newDrop(1, 0)
	spin := r3.Vec{Z: .2}
	for i, f := range d.Triangles {
		d.Velocity[i] = r3.Cross(spin, centroid(d.At, f))
	}
	for range 100 {
		if err := d.Step(.05); err != nil {
			t.Fatal(err)
		}
	}
	m := fitRigid(d.At, d.Triangles, d.Velocity)
	if off := r3.Norm(r3.Sub(m.spin, spin)) / r3.Norm(spin); off > .03 {
		t.Errorf("spin %v, want %v", m.spin, spin)
	}
	if e := d.elongation(); math.Abs(e) > .05 {
		t.Errorf("elongation %g", e)
	}
	if off := r3.Norm(m.velocity); off > 1e-3 {
		t.Errorf("it drifts with %v", m.velocity)
	}
}

// What can't be stepped is refused, and left as it was.
func TestDropIsRefused(t *testing.T) {
	d := newDrop(1, 0)
	d.Triangles, d.Velocity = d.Triangles[1:], d.Velocity[1:]
	if err := d.Step(.01); !errors.Is(err, bem.ErrOpen) {
		t.Errorf("an open surface: %v", err)
	}
	d = newDrop(1, 0)
	d.Velocity[3].X = math.NaN()
	before := append([]r3.Vec{}, d.At...)
	if err := d.Step(.01); !errors.Is(err, ErrNotFinite) {
		t.Errorf("a velocity that is not a number: %v", err)
	}
	for v := range before {
		if d.At[v] != before[v] {
			t.Fatalf("vertex %d has moved", v)
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	d := newDrop(1, .05)
	step := func() {
		if err := d.Step(.01); err != nil {
			t.Fatal(err)
		}
	}
	step()
	if n := testing.AllocsPerRun(2, step); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
