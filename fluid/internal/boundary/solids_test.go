package boundary

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// solid is a plate, or a ball, that is fixed or the only body.
type solid struct {
	normal r3.Vec  // of a plate through at
	at     r3.Vec  // or the centre of a ball
	radius float64 // 0: a plate
	body   int32
	bodies []Body
}

func (s *solid) Bodies() []Body { return s.bodies }

func (s *solid) Near(dst []Contact, at []r3.Vec) {
	for i, x := range at {
		d := r3.Sub(x, s.at)
		c := Contact{Body: s.body, Normal: s.normal, Distance: r3.Dot(d, s.normal)}
		if s.radius > 0 {
			c.Normal, c.Distance = r3.Unit(d), r3.Norm(d)-s.radius
		}
		if s.body >= 0 {
			b := &s.bodies[s.body]
			c.Velocity = r3.Add(b.Velocity, r3.Cross(b.Spin, r3.Sub(x, b.Centre)))
		}
		dst[i] = c
	}
}

// addCap adds a half of a ball that lies on z = 0, or hangs from there if the radius is negative.
func addCap(t testing.TB, l *Liquid, n int, radius float64) {
	const rim = math.Pi * math.Pi / (math.Pi + 2) // arcs from the top and the floor's radius are in proportion
	at, triangles := geom.Icosphere(n)
	for i, x := range at {
		polar := math.Acos(max(-1, min(1, x.Z)))
		out := math.Hypot(x.X, x.Y)
		to, z := 0., 0.
		if polar < rim {
			to, z = math.Sincos(polar / rim * math.Pi / 2)
		} else {
			to = (math.Pi - polar) / (math.Pi - rim)
		}
		if out < 1e-9 {
			at[i] = r3.Vec{Z: z}
			continue
		}
		at[i] = r3.Vec{X: x.X / out * to, Y: x.Y / out * to, Z: z}
	}
	for i := range at {
		at[i] = r3.Scale(math.Abs(radius), at[i])
		if radius < 0 {
			at[i].X, at[i].Z = -at[i].X, -at[i].Z
		}
	}
	if err := l.Add(at, triangles, 0, still); err != nil {
		t.Fatal(err)
	}
}

// fastest is the greatest speed of a face.
func (l *Liquid) fastest() (most float64) {
	for _, u := range l.velocity {
		most = max(most, r3.Norm(u))
	}
	return most
}

// angle is the contact angle of a cap of a sphere with the height and the wet area of the first piece on a plate with the normal Z, in degrees.
func (l *Liquid) angle() float64 {
	r := &l.regions[0]
	high := 0.
	for _, x := range r.at {
		high = max(high, x.Z)
	}
	return 2 * math.Atan(high/math.Sqrt(r.wetting.area/math.Pi)) * 180 / math.Pi
}

// A drop at rest on a plate sits at its contact angle and hardly moves: 5 s of a drop of some mm of an oil, of little weight so that it is a cap of a sphere.
func TestDropSits(t *testing.T) {
	type drop struct {
		angle    float64
		n, steps int
	}
	drops := []drop{{90, 1, 60}}
	if !testing.Short() {
		drops = []drop{{90, 1, 300}, {60, 2, 30}, {120, 2, 30}}
	}
	for _, d := range drops {
		theta := d.angle
		const radius = 5e-3
		l := newLiquid(t, edgeOf(d.n)*radius)
		l.Material = Material{Density: 1200, Viscosity: .2, Tension: .065, ContactAngle: theta * math.Pi / 180}
		addCap(t, l, d.n, radius)
		volume := l.Pieces()[0].Volume
		plate := &solid{normal: r3.Vec{Z: 1}, body: -1}
		for range d.steps {
			r, err := l.Step(1./60, constant(r3.Vec{Z: -.1}), plate)
			if err != nil {
				t.Fatal(err)
			}
			if r.Unsolved > 0 {
				t.Fatal(r.Unsolvable)
			}
		}
		p := l.Pieces()
		t.Logf("%g°: %d faces, %.2f°, %.3g m/s, %v m/s", theta, p[0].Faces, l.angle(), l.fastest(), p[0].Velocity)
		if got := l.angle(); math.Abs(got-theta) > 5 {
			t.Errorf("%g°: it sits at %.2f°", theta, got)
		}
		if got := l.fastest(); got > 1e-3 {
			t.Errorf("%g°: it moves with %g m/s", theta, got)
		}
		if got := p[0].Volume; len(p) != 1 || math.Abs(got/volume-1) > 1e-9 {
			t.Errorf("%g°: %d pieces, %g of %g m³", theta, len(p), got, volume)
		}
	}
}

// A drop hangs from a ceiling, and falls when gravity is ten times as large.
func TestDropHangs(t *testing.T) {
	for _, g := range []float64{.5, 10} {
		steps := 100
		if testing.Short() {
			steps = 40
		}
		l := newLiquid(t, edgeOf(1))
		l.ContactAngle, l.Viscosity = math.Pi/2, .1
		addCap(t, l, 1, -1)
		ceiling := &solid{normal: r3.Vec{Z: -1}, body: -1}
		low := 0.
		for range steps {
			if _, err := l.Step(.06, constant(r3.Vec{Z: -g}), ceiling); err != nil {
				t.Fatal(err)
			}
			low = 0
			for _, p := range l.Pieces() {
				low = min(low, p.Box.Min.Z)
			}
		}
		t.Logf("g %g: down to %.2f, %d pieces", g, low, len(l.Pieces()))
		if falls := low < -5; falls != (g == 10) {
			t.Errorf("g %g: it is down to %g", g, low)
		}
	}
}

// A drop that is put on a ball beside its top rolls off.
func TestDropRollsOff(t *testing.T) {
	l := newLiquid(t, edgeOf(1))
	l.ContactAngle, l.Viscosity = 2*math.Pi/3, .02
	addBall(t, l, 1, 1, r3.Vec{X: .6, Z: 2.97}, 0, still)
	ball := &solid{radius: 2, body: -1}
	for range 150 {
		if _, err := l.Step(.06, constant(r3.Vec{Z: -1}), ball); err != nil {
			t.Fatal(err)
		}
	}
	p := l.Pieces()
	t.Logf("%d pieces, at %v with %v", len(p), p[0].Centre, p[0].Velocity)
	if p[0].Centre.Z > -1 || p[0].Centre.X < 1 {
		t.Errorf("it is at %v", p[0].Centre)
	}
	for _, x := range l.Tracker.Mesh.Position {
		if r3.Norm(x) < 2-.02 {
			t.Fatalf("a vertex is in the ball at %v", x)
		}
	}
}

// Liquid and a body that it falls on have their momenta together.
func TestBodyIsPushed(t *testing.T) {
	l := newLiquid(t, edgeOf(1))
	l.ContactAngle, l.Viscosity = math.Pi/2, .05
	addBall(t, l, 1, 1, r3.Vec{Z: 1.01}, 0, constant(r3.Vec{Z: -1}))
	const mass = 3.
	plate := &solid{normal: r3.Vec{Z: 1}, bodies: []Body{{InverseMass: 1 / mass}}}
	body := &plate.bodies[0]
	liquid := func() (sum r3.Vec) {
		for _, p := range l.Pieces() {
			sum = r3.Add(sum, r3.Scale(p.Volume, p.Velocity))
		}
		return sum
	}
	start := liquid()
	wetted := 0
	for range 40 {
		r, err := l.Step(.04, still, plate)
		if err != nil {
			t.Fatal(err)
		}
		wetted = max(wetted, r.Wetted)
		j := l.Impulses()[0]
		body.Velocity = r3.Add(body.Velocity, r3.Scale(1/mass, j.Linear))
		plate.at = r3.Add(plate.at, r3.Scale(.04, body.Velocity))
		body.Centre = plate.at
	}
	end := r3.Add(liquid(), r3.Scale(mass, body.Velocity))
	t.Logf("momentum %v, then %v, the body %v, %d wet faces", start, end, body.Velocity, wetted)
	if wetted == 0 || body.Velocity.Z > -.1 {
		t.Errorf("the body has %v, %d faces were wet", body.Velocity, wetted)
	}
	if u := body.Velocity; math.Abs(u.X)+math.Abs(u.Y) > .1*math.Abs(u.Z) {
		t.Errorf("a plate without friction is pushed aside: %v", u)
	}
	if off := r3.Norm(r3.Sub(end, start)) / r3.Norm(start); off > 1e-9 {
		t.Errorf("the momenta were %v and are %v", start, end)
	}
}
