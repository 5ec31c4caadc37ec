package boundary

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// newLiquid returns liquid of density and tension 1 with edges of some length.
func newLiquid(t testing.TB, edge float64) *Liquid {
	pool := par.New(1)
	t.Cleanup(pool.Close)
	l := New(pool)
	l.Material, l.Edge = Material{Density: 1, Tension: 1}, edge
	return l
}

// edgeOf is about the length of the edges of a ball of radius 1 and 20·4ⁿ faces.
func edgeOf(n int) float64 { return 1.15 / float64(int(1)<<n) }

// addBall adds a ball of 20·4ⁿ faces.
func addBall(t testing.TB, l *Liquid, n int, radius float64, centre r3.Vec, label int32, velocity func(x r3.Vec) r3.Vec) {
	t.Helper()
	at, triangles := ballAt(n, radius, centre)
	if err := l.Add(at, triangles, label, velocity); err != nil {
		t.Fatal(err)
	}
}

// ballAt is a ball of 20·4ⁿ faces.
func ballAt(n int, radius float64, centre r3.Vec) (at []r3.Vec, triangles [][3]int32) {
	at, triangles = geom.Icosphere(n)
	for i, p := range at {
		at[i] = r3.Add(centre, r3.Scale(radius, p))
	}
	return at, triangles
}

func constant(u r3.Vec) func(r3.Vec) r3.Vec { return func(r3.Vec) r3.Vec { return u } }

var still = constant(r3.Vec{})

// newDrop returns a drop of 20·4ⁿ faces and radius 1, stretched along z by a spherical harmonic of degree 2.
func newDrop(t testing.TB, n int, stretch float64) *Liquid {
	l := newLiquid(t, edgeOf(n))
	at, triangles := geom.Icosphere(n)
	for i, p := range at {
		at[i] = r3.Scale(1+stretch*(1.5*p.Z*p.Z-.5), p)
	}
	if err := l.Add(at, triangles, 0, still); err != nil {
		t.Fatal(err)
	}
	return l
}

// advance steps and fails where a step does.
func advance(t testing.TB, l *Liquid, dt float64, acceleration func(r3.Vec) r3.Vec) StepReport {
	t.Helper()
	r, err := l.Step(dt, acceleration, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Unsolved > 0 {
		t.Fatal(r.Unsolvable)
	}
	return r
}

// elongation is the ratio of the surface's second moments along z and x of the first piece, less 1.
func (l *Liquid) elongation() float64 {
	var x, z float64
	r := &l.regions[0]
	m := fitRigid(r.at, r.triangles, r.velocity)
	for _, t := range r.triangles {
		d := r3.Sub(centroid(r.at, t), m.centre)
		a := r3.Norm(geom.TwiceArea(r.at[t[0]], r.at[t[1]], r.at[t[2]]))
		x += a * d.X * d.X
		z += a * d.Z * d.Z
	}
	return z/x - 1
}

// period returns that of a drop's swing, as a ratio to Lamb's, and what is left of its amplitude after one.
func period(t *testing.T, n, steps int) (ratio, left float64) {
	t.Helper()
	lamb := 2 * math.Pi / math.Sqrt(8)
	l := newDrop(t, n, .03)
	dt := lamb / float64(steps)
	first := l.elongation()
	last, crossings := first, []float64{}
	volume := l.Pieces()[0].Volume
	for k := 1; k <= steps*3/2; k++ {
		advance(t, l, dt, still)
		e := l.elongation()
		if e*last < 0 {
			crossings = append(crossings, (float64(k)-e/(e-last))*dt)
		}
		if last = e; float64(k)*dt > .7*lamb {
			left = max(left, e/first)
		}
	}
	if v := l.Pieces()[0].Volume; math.Abs(v/volume-1) > 1e-9 {
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
	l := newLiquid(t, edgeOf(1))
	u, g := r3.Vec{X: 3, Y: 1, Z: -2}, r3.Vec{Y: -9.81}
	addBall(t, l, 1, 1, r3.Vec{}, 0, constant(u))
	l.Tension = 0
	start := l.Pieces()[0].Centre
	shape := l.elongation()
	const dt, steps = .01, 50
	for range steps {
		advance(t, l, dt, constant(g))
	}
	want := r3.Add(start, r3.Add(r3.Scale(steps*dt, u), r3.Scale(.5*dt*dt*steps*(steps+1), g)))
	if off := r3.Norm(r3.Sub(l.Pieces()[0].Centre, want)); off > 1e-6 {
		t.Errorf("at %v, want %v", l.Pieces()[0].Centre, want)
	}
	if s := l.elongation(); math.Abs(s-shape) > 1e-9 {
		t.Errorf("elongation %g, it was %g", s, shape)
	}
}

// A drop that turns slowly keeps its angular momentum and nearly its shape.
func TestDropTurns(t *testing.T) {
	l := newLiquid(t, edgeOf(1))
	spin := r3.Vec{Z: .2}
	addBall(t, l, 1, 1, r3.Vec{}, 0, func(x r3.Vec) r3.Vec { return r3.Cross(spin, x) })
	start := l.Pieces()[0].Spin
	if off := r3.Norm(r3.Sub(start, spin)); off > 1e-12 {
		t.Errorf("spin %v", start)
	}
	for range 100 {
		advance(t, l, .05, still)
	}
	p := l.Pieces()[0]
	if off := r3.Norm(r3.Sub(p.Spin, spin)) / r3.Norm(spin); off > .01 {
		t.Errorf("spin %v, want %v", p.Spin, spin)
	}
	if e := l.elongation(); math.Abs(e) > .05 {
		t.Errorf("elongation %g", e)
	}
	if off := r3.Norm(p.Velocity); off > 1e-12 {
		t.Errorf("it drifts with %v", p.Velocity)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	l := newDrop(t, 1, .05)
	step := func() { advance(t, l, .01, still) }
	step()
	if n := testing.AllocsPerRun(2, step); n > 0 {
		t.Errorf("%g allocations", n)
	}
	l = newLiquid(t, edgeOf(1))
	l.ContactAngle, l.Viscosity = math.Pi/2, 1
	addCap(t, l, 1, 1)
	plate := &solid{normal: r3.Vec{Z: 1}, bodies: []Body{{InverseMass: .01}}}
	step = func() {
		if _, err := l.Step(.01, still, plate); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 { // until it has come to rest
		step()
	}
	if n := testing.AllocsPerRun(2, step); n > 0 {
		t.Errorf("on a plate: %g allocations", n)
	}
}

// A drop that spins and wobbles keeps its angular momentum, and its centre goes on evenly, over ten periods.
func TestSpinIsKept(t *testing.T) {
	l := newLiquid(t, edgeOf(1))
	at, triangles := geom.Icosphere(1)
	for i, p := range at {
		at[i] = r3.Vec{X: .95 * p.X, Y: p.Y, Z: 1.1 * p.Z}
	}
	spin, u := r3.Vec{X: .3, Y: .1, Z: .2}, r3.Vec{X: .5}
	if err := l.Add(at, triangles, 0, func(x r3.Vec) r3.Vec { return r3.Add(u, r3.Cross(spin, x)) }); err != nil {
		t.Fatal(err)
	}
	r := &l.regions[0]
	_, linear, angular := l.sums()
	start, mass := r.body.centre, r.body.mass
	periods := 10.
	if testing.Short() {
		periods = 1
	}
	const dt = .05
	steps := int(periods * 2.22 / dt)
	for range steps {
		advance(t, l, dt, still)
	}
	_, p, h := l.sums()
	if off := r3.Norm(r3.Sub(h, angular)) / r3.Norm(angular); off > 1e-6 {
		t.Errorf("angular momentum %v, was %v", h, angular)
	}
	want := r3.Add(start, r3.Scale(float64(steps)*dt/mass, linear))
	if off := r3.Norm(r3.Sub(l.Pieces()[0].Centre, want)); off > 1e-6 {
		t.Errorf("at %v, want %v", l.Pieces()[0].Centre, want)
	}
	if off := r3.Norm(r3.Sub(p, linear)) / r3.Norm(linear); off > 1e-9 {
		t.Errorf("momentum %v, was %v", p, linear)
	}
}
