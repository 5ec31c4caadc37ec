package bodies_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// drop is a body that falls into a tank of 1.6 by 1.2 by 1.6 m, filled below .8.
type drop struct {
	parts   []physics.ShapeDef
	density float64
	at      r3.Vec
	turn    quat.Number
	spin    r3.Vec
	dt      float64 // 0: 1/60
	cell    float64 // 0: .1
	seconds float64
	high    bool
	untold  bool // the bodies don't tell how large they are
}

// untold is bodies without what they may have besides.
type untold struct{ fluid.Bodies }

// dropped is what became of it: the greatest speed, spin and load in weights, and speed, fraction and height at the end.
type dropped struct {
	speed, spin, load, end, fraction, y float64
	turning                             r3.Vec
}

func turnedBy(angle float64, axis r3.Vec) quat.Number {
	n := r3.Unit(axis)
	s, c := math.Sincos(angle / 2)
	return quat.Number{Real: c, Imag: s * n.X, Jmag: s * n.Y, Kmag: s * n.Z}
}

func part(g physics.Geometry) []physics.ShapeDef { return []physics.ShapeDef{{Geometry: g}} }

func (d drop) step() float64 {
	if d.dt == 0 {
		return 1. / 60
	}
	return d.dt
}

// run lets it fall, and checks in each step that no energy comes from nowhere: the liquid was at rest, so that the body never has more
// than what it fell from gives it.
func (d drop) run(t *testing.T) (r dropped) {
	t.Helper()
	d.dt = d.step()
	if d.cell == 0 {
		d.cell = .1
	}
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: d.cell})
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(l.Fill(fluid.Below(.8)))
	for _, side := range [][2]r3.Vec{
		{{}, {Y: 1}}, {{}, {X: 1}}, {{}, {Z: 1}}, {{X: 1.6}, {X: -1}}, {{Z: 1.6}, {Z: -1}},
	} {
		b, err := w.AddBody(physics.BodyDef{Position: side[0]})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, side[1])})
		must(err)
	}
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: d.at, Rotation: d.turn, AngularVelocity: d.spin})
	must(err)
	for _, s := range d.parts {
		s.Density = d.density
		_, err = b.AddShape(s)
		must(err)
	}
	l.Couple(w.Coupling())
	if d.untold {
		l.Couple(untold{w.Coupling()})
	}
	index := w.Coupling().Len() - 1
	energy := func() float64 {
		inverseMass, inverse := w.Coupling().InverseMass(index)
		v, spin := b.Velocity(), b.AngularVelocity()
		turn := rigid.AngularMomentum(&inverse, spin)
		return (r3.Dot(v, v)/inverseMass+r3.Dot(spin, turn))/2 + 9.81*b.Position().Y/inverseMass
	}
	most := energy()
	for n := range int(d.seconds/d.dt + .5) {
		testrig.Sound(t, l, *l.Step(d.dt))
		if e := energy(); e > most+1e-3*9.81*b.Mass() {
			t.Fatalf("step %d: the body has %g J, it came with %g", n, e, most)
		}
		r.speed, r.spin = max(r.speed, r3.Norm(b.Velocity())), max(r.spin, r3.Norm(b.AngularVelocity()))
		r.load = max(r.load, r3.Norm(l.BodyLoad(index).Force)/(9.81*b.Mass()))
	}
	r.end, r.turning, r.fraction, r.y = r3.Norm(b.Velocity()), b.AngularVelocity(), l.BodyLoad(index).Fraction, b.Position().Y
	return r
}

// askew is how the stick of which this was first seen lay.
var askew = turnedBy(1.5, r3.Vec{X: .3, Y: .1, Z: 1})

// A stick floats at its draft, however thin it is, from a tenth of a cell to one and a half; what it does on the way there changes with
// its radius gradually.
func TestSticksFloat(t *testing.T) {
	var was dropped
	for n, radius := range []float64{.01, .014, .02, .028, .04} {
		d := drop{parts: part(physics.Capsule(r3.Vec{Y: radius - .3}, r3.Vec{Y: .3 - radius}, radius)), density: 300, at: r3.Vec{X: .8, Y: .9, Z: .8}, turn: askew, seconds: 3.5}
		r := d.run(t)
		t.Logf("radius %g: at most %.3g m/s, %.3g rad/s, %.3g weights; then %.3g m/s, %.3f under water, at %.4f m", radius, r.speed, r.spin, r.load, r.end, r.fraction, r.y)
		if r.end > .06 {
			t.Errorf("radius %g: at %g m/s, want at rest", radius, r.end)
		}
		t.Run(fmt.Sprint(radius), func(t *testing.T) {
			testrig.FallsShort(t, "fraction under water off by", math.Abs(r.fraction-.3), .01, .025)
		})
		if r.speed > 1.4 || r.spin > 3 || r.load > 4.5 {
			t.Errorf("radius %g: %g m/s, %g rad/s, %g weights", radius, r.speed, r.spin, r.load)
		}
		if n > 0 && (math.Abs(r.speed-was.speed) > .15*was.speed || math.Abs(r.load-was.load) > .35*was.load || math.Abs(r.spin-was.spin) > .35*was.spin) {
			t.Errorf("radius %g: %g m/s, %g rad/s, %g weights; somewhat thinner %g, %g, %g", radius, r.speed, r.spin, r.load, was.speed, was.spin, was.load)
		}
		was = r
	}
}

// square is a frame of four sticks, ring one of many.
func square() (parts []physics.ShapeDef) {
	for n := range 4 {
		along := r3.Vec{X: 1}
		if n%2 == 1 {
			along = r3.Vec{Z: 1}
		}
		at := r3.Scale(.2*float64(1-n/2*2), r3.Vec{X: along.Z, Z: along.X})
		parts = append(parts, physics.ShapeDef{Geometry: physics.Box(physics.Centred(.02+.36*along.X, .02, .02+.36*along.Z)), Offset: at})
	}
	return parts
}

// So do other bodies with one, two or three extents below a cell, whatever turn, step and cell, and those that are denser sink.
func TestThinBodiesFloat(t *testing.T) {
	plank := physics.Box(physics.Centred(.6, .02, .06))
	for name, d := range map[string]drop{
		"cylinder":            {parts: part(physics.Cylinder(r3.Vec{Y: -.3}, r3.Vec{Y: .3}, .02)), density: 700, turn: turnedBy(1, r3.Vec{X: .3, Y: .1, Z: 1})},
		"plank":               {parts: part(plank), density: 300, turn: turnedBy(.5, r3.Vec{X: .3, Y: .1, Z: 1})},
		"plank, long steps":   {parts: part(plank), density: 500, turn: askew, dt: 1. / 30, high: true},
		"stick, short steps":  {parts: part(physics.Capsule(r3.Vec{Y: -.28}, r3.Vec{Y: .28}, .02)), density: 300, turn: askew, dt: 1. / 120, seconds: 2},
		"stick, small cells":  {parts: part(physics.Capsule(r3.Vec{Y: -.14}, r3.Vec{Y: .14}, .01)), density: 500, turn: askew, cell: .05, seconds: 2},
		"stick, large cells":  {parts: part(physics.Capsule(r3.Vec{Y: -.27}, r3.Vec{Y: .27}, .03)), density: 500, turn: turnedBy(.7, r3.Vec{X: 1}), cell: .2, high: true},
		"light stick":         {parts: part(physics.Capsule(r3.Vec{Y: -.235}, r3.Vec{Y: .235}, .015)), density: 100, turn: turnedBy(.2, r3.Vec{Z: 1}), high: true},
		"frame":               {parts: square(), density: 400, turn: turnedBy(.4, r3.Vec{X: 1, Z: .3})},
		"dense stick":         {parts: part(physics.Capsule(r3.Vec{Y: -.28}, r3.Vec{Y: .28}, .02)), density: 1500, turn: askew},
		"dense wire":          {parts: part(physics.Cylinder(r3.Vec{Y: -.25}, r3.Vec{Y: .25}, .004)), density: 2700, turn: turnedBy(.6, r3.Vec{X: 1}), high: true},
		"dense plank":         {parts: part(plank), density: 1200, turn: turnedBy(1, r3.Vec{X: .3, Y: .1, Z: 1}), high: true},
		"frame of iron rods":  {parts: square(), density: 2700, turn: turnedBy(.4, r3.Vec{X: 1, Z: .3})},
		"a stick that spins":  {parts: part(physics.Capsule(r3.Vec{Y: -.28}, r3.Vec{Y: .28}, .02)), density: 300, turn: askew, spin: r3.Vec{X: 3, Y: 5, Z: 2}, high: true},
		"splinter of a speck": {parts: part(physics.Box(physics.Centred(.06, .01, .01))), density: 600, turn: askew},
		"stick, size untold":  {parts: part(physics.Capsule(r3.Vec{Y: -.28}, r3.Vec{Y: .28}, .02)), density: 400, turn: askew, untold: true},
		"plate":               {parts: part(physics.Box(physics.Centred(.5, .02, .5))), density: 700, turn: turnedBy(.2, r3.Vec{X: .3, Y: .1, Z: 1})},
		"light plate, on end": {parts: part(physics.Box(physics.Centred(.5, .005, .5))), density: 100, turn: askew, high: true},
		"dense plate":         {parts: part(physics.Box(physics.Centred(.5, .02, .5))), density: 1500, turn: turnedBy(.2, r3.Vec{X: .3, Y: .1, Z: 1})},
		"disc":                {parts: part(physics.Cylinder(r3.Vec{Y: -.01}, r3.Vec{Y: .01}, .2)), density: 400, turn: turnedBy(.4, r3.Vec{X: 1})},
	} {
		if _, first := map[string]int{"plank": 0, "frame": 0, "dense stick": 0, "plate": 0}[name]; testing.Short() && !first {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d.at = r3.Vec{X: .77, Y: .95, Z: .83}
			if d.high {
				d.at.Y = 1.12
			}
			if d.seconds == 0 {
				d.seconds = 3
			}
			r := d.run(t)
			t.Logf("at most %.3g m/s, %.3g rad/s, %.3g weights; then %.3g m/s, %.3f under water, at %.4f m", r.speed, r.spin, r.load, r.end, r.fraction, r.y)
			if want := min(1, d.density/1000); math.Abs(r.fraction-want) > .04 {
				t.Errorf("%.3f of it is under water, want %.3f", r.fraction, want)
			}
			if d.density > 1000 && r.y > .2 {
				t.Errorf("it is at %g m, want it on the floor", r.y)
			}
			// Its share is what it floats by, and what stops it in a step.
			if share := 1000/d.density + 1 + r.speed/(9.81*d.step()); r.load > share {
				t.Errorf("it felt %g weights, of %g", r.load, share)
			}
		})
	}
}

// Pressure has no arm about the axis of a round stick: one afloat that spins goes on, whatever the step.
func TestSticksGoOnSpinning(t *testing.T) {
	for _, radius := range []float64{.02, .05} {
		for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
			d := drop{parts: part(physics.Cylinder(r3.Vec{Y: -.3}, r3.Vec{Y: .3}, radius)), density: 500, at: r3.Vec{X: .8, Y: .8, Z: .8}, turn: turnedBy(math.Pi/2, r3.Vec{Z: 1}), spin: r3.Vec{X: 5}, dt: dt, seconds: 1}
			if r := d.run(t); r.turning.X < 4.9 || r.turning.X > 5.01 {
				t.Errorf("radius %g, %g s: 5 rad/s became %g in a second", radius, dt, r.turning.X)
			}
		}
	}
}
