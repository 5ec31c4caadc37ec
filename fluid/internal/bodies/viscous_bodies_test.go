package bodies_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// inShell is a ball in the middle of a round tank that is full, without weight, some way off the grid, in cells.
type inShell struct {
	cells, off, viscosity float64
	kind                  physics.BodyKind
	ratio                 float64 // of the ball's density to the liquid's
	v, w                  r3.Vec
	tracker               fluid.Tracker
}

const shellBall, shellTank = .3, .75 // radii, m

func (c inShell) build(t *testing.T) (*fluid.Liquid, physics.Body) {
	h := shellBall / c.cells
	d := testrig.Box(2*shellTank+4*h, 2*shellTank+4*h, 2*shellTank+4*h)
	centre := r3.Add(r3.Scale(.5, d.Max), r3.Vec{X: c.off * h, Y: .6 * c.off * h, Z: .3 * c.off * h})
	l := testrig.New(t, fluid.Def{Domain: d, CellSize: h, Physics: fluid.Physics{Weightless: true, Viscosity: c.viscosity}, Tracker: c.tracker})
	testrig.Must(t, l.Fill(fluid.Box(d)))
	if _, err := l.AddObstacle(fluid.Difference(fluid.Box(d), fluid.Sphere(centre, shellTank))); err != nil {
		t.Fatal(err)
	}
	w := physics.NewWorld(physics.WorldDef{})
	b := testrig.AddBody(t, w, physics.BodyDef{Kind: c.kind, Position: centre, NoSleep: true, Velocity: c.v, AngularVelocity: c.w},
		physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, shellBall), Density: 1000 * c.ratio})
	l.Couple(w.Coupling())
	return l, b
}

// spinLeft is the part of a ball's spin that is left after a time, s: the liquid turns as f(r) sin θ, f' = ν(f″ + 2f′/r - 2f/r²), and brakes the ball with
// 8πμ/3·a³(f′ - f/a), which for steady flow in a wide tank is Kirchhoff's -8πμa³ω.
func (c inShell) spinLeft(time float64) float64 {
	const n, a = 200, shellBall
	dr := (shellTank - a) / n
	steps := math.Ceil(time * c.viscosity / (.2 * dr * dr))
	dt := time / steps
	var f, next [n + 1]float64
	spin := 1.
	for range int(steps) {
		f[0] = spin * a
		spin += dt * c.viscosity * ((-3*f[0]+4*f[1]-f[2])/(2*dr) - f[0]/a) * 5 / (c.ratio * a * a)
		for i := 1; i < n; i++ {
			r := a + float64(i)*dr
			next[i] = f[i] + dt*c.viscosity*((f[i+1]-2*f[i]+f[i-1])/(dr*dr)+(f[i+1]-f[i-1])/(dr*r)-2*f[i]/(r*r))
		}
		copy(f[1:n], next[1:n])
	}
	return spin
}

// A ball that is spun in viscous liquid slows down as it drags that round.
func TestSpunBallSlows(t *testing.T) {
	for _, c := range []struct {
		inShell
		rate      float64
		tolerance float64 // of the logarithm of what is left, in parts: a backward Euler step leaves too much of what decays fast
	}{
		{inShell{cells: 4, off: .37, ratio: 3}, 60, .06},
		{inShell{cells: 4, off: 0, ratio: 3}, 30, .1},
		{inShell{cells: 4, off: .37, ratio: .1}, 60, .15},
		{inShell{cells: 4, off: .71, ratio: 3, tracker: fluid.Contouring}, 120, .06},
		{inShell{cells: 4, off: .2, ratio: 3, tracker: fluid.ExplicitMesh}, 60, .06},
		{inShell{cells: 4, off: .37, ratio: 3}, 240, .06},
		{inShell{cells: 6, off: .37, ratio: 8}, 60, .06},
	}[:testrig.InShort(1, 7)] {
		const time = .25
		c.viscosity, c.kind, c.w = .1, physics.Dynamic, r3.Vec{Z: 5}
		l, b := c.build(t)
		for range int(time * c.rate) {
			l.Step(1 / c.rate)
		}
		got, want := b.AngularVelocity().Z/5, c.spinLeft(time)
		t.Logf("%g cells a radius, %g off, density ratio %g, %s, %g steps/s: %.4f of the spin left, want %.4f: %.3f of the decay", c.cells, c.off, c.ratio, c.tracker, c.rate, got, want, math.Log(got)/math.Log(want))
		if !(math.Abs(math.Log(got)/math.Log(want)-1) < c.tolerance) {
			t.Errorf("%.4f of the spin left, want %.4f", got, want)
		}
		l.Close()
	}
}

// A ball that turns or moves in a round tank is held back as Stokes' equations say: by 8πμa³ω/(1 - λ³) and by 6πμaU(1 - λ⁵)/(1 - 9/4 λ + 5/2 λ³ - 9/4 λ⁵ + λ⁶), with λ
// the ratio of both radii.
//
// Source: Happel, Brenner 1983, 4-23.
func TestDragInRoundTank(t *testing.T) {
	for _, c := range []struct {
		inShell
		rate  float64
		steps int
	}{
		{inShell{cells: 4, off: .37, viscosity: .2}, 60, 30},
		{inShell{cells: 4, off: 0, viscosity: .2}, 30, 30},
		{inShell{cells: 4, off: .71, viscosity: .05}, 120, 240},
		{inShell{cells: 6, off: .37, viscosity: .2}, 60, 40},
	}[:testrig.InShort(1, 4)] {
		const spin, speed, λ = .01, .001, shellBall / shellTank
		c.kind, c.ratio, c.v, c.w = physics.Kinematic, 1, r3.Vec{X: speed}, r3.Vec{Z: spin}
		l, _ := c.build(t)
		for range c.steps {
			l.Step(1 / c.rate)
		}
		load := l.BodyLoad(0)
		μ := 1000 * c.viscosity
		torque := -load.Torque.Z / (8 * math.Pi * μ * math.Pow(shellBall, 3) * spin / (1 - λ*λ*λ))
		force := -load.Force.X / (6 * math.Pi * μ * shellBall * speed * (1 - math.Pow(λ, 5)) / (1 - 9./4*λ + 5./2*math.Pow(λ, 3) - 9./4*math.Pow(λ, 5) + math.Pow(λ, 6)))
		t.Logf("%g cells a radius, %g off, ν %g, %g steps/s: torque %.4f, force %.4f of the right ones", c.cells, c.off, c.viscosity, c.rate, torque, force)
		if math.Abs(torque-1) > .05 || math.Abs(force-1) > .08 {
			t.Errorf("%g cells a radius: torque %.4f, force %.4f of the right ones", c.cells, torque, force)
		}
		l.Close()
	}
}

// A heavy ball that lies on the floor of viscous liquid presses on it with all its weight less that of the liquid in its place: nothing moves that could hold it.
func TestViscousLiquidHoldsNothingAtRest(t *testing.T) {
	for _, c := range []struct{ viscosity, rate float64 }{{.1, 60}, {1, 30}, {1e-2, 240}}[:testrig.InShort(1, 3)] {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1, .8, 1), CellSize: .1, Physics: fluid.Physics{Viscosity: c.viscosity}, Resources: fluid.Resources{Workers: 1}})
		testrig.Must(t, l.Fill(fluid.Below(.6)))
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Static}, physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1})})
		b := testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .53, Y: .2, Z: .48}, NoSleep: true},
			physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .2), Density: 3000})
		l.Couple(w.Coupling())
		for range int(c.rate) {
			l.Step(1 / c.rate)
		}
		load := l.BodyLoad(1).Force.Y / (9.81 * 1000 * 4. / 3 * math.Pi * .008)
		t.Logf("ν %g, %g steps/s: load %.4f of the water's weight, speed %.2g m/s", c.viscosity, c.rate, load, r3.Norm(b.Velocity()))
		if math.Abs(load-1) > .02 || r3.Norm(b.Velocity()) > 1e-3 {
			t.Errorf("ν %g, %g steps/s: load %.4f of the water's weight, speed %g m/s", c.viscosity, c.rate, load, r3.Norm(b.Velocity()))
		}
		l.Close()
	}
}

// Bodies of any density in liquid of any viscosity, with steps of any length, on hinges or not, only slow down where nothing drives them.
func TestViscousBodiesOnlySlowDown(t *testing.T) {
	tried := 0
	for _, nu := range []float64{1e-6, 1e-3, .1, 10} {
		for _, rate := range []float64{30, 60, 240} {
			for _, ratio := range []float64{.01, 1, 20} {
				tried++
				if testing.Short() && (tried-5)%12 != 0 {
					continue
				}
				t.Run(fmt.Sprintf("ν=%g rate=%g ratio=%g", nu, rate, ratio), func(t *testing.T) { onlySlowsDown(t, nu, rate, ratio) })
			}
		}
	}
}

// onlySlowsDown runs a ball, a box on a hinge, a box at a wall and one that is driven, in a closed tank without weight.
func onlySlowsDown(t *testing.T, nu, rate, ratio float64) {
	d := testrig.Box(1.2, .8, .8)
	l := testrig.New(t, fluid.Def{Domain: d, CellSize: .1, Physics: fluid.Physics{Weightless: true, Viscosity: nu}, Resources: fluid.Resources{Workers: 1}})
	defer l.Close()
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(1.2, .6, .8))))
	w := physics.NewWorld(physics.WorldDef{})
	add := func(kind physics.BodyKind, g physics.Geometry, at, v, spin r3.Vec) physics.Body {
		b := testrig.AddBody(t, w, physics.BodyDef{Kind: kind, Position: at, NoSleep: true, Velocity: v, AngularVelocity: spin},
			physics.ShapeDef{Geometry: g, Density: 1000 * ratio})
		return b
	}
	ball := add(physics.Dynamic, physics.Sphere(r3.Vec{}, .13), r3.Vec{X: .25, Y: .3, Z: .4}, r3.Vec{}, r3.Vec{Z: 6})
	gate := add(physics.Dynamic, physics.Box(physics.Centred(.3, .12, .3)), r3.Vec{X: .75, Y: .3, Z: .4}, r3.Vec{X: .3}, r3.Vec{Z: 2})
	wall := add(physics.Dynamic, physics.Box(physics.Centred(.2, .2, .2)), r3.Vec{X: 1.1, Y: .3, Z: .1}, r3.Vec{Y: .5}, r3.Vec{})
	add(physics.Kinematic, physics.Box(physics.Centred(.2, .1, .2)), r3.Vec{X: .45, Y: .15, Z: .15}, r3.Vec{}, r3.Vec{Y: 1e-3})
	if _, err := w.AddJoint(physics.JointDef{Kind: physics.HingeJoint, B: gate, Anchor: r3.Vec{X: .75, Y: .15, Z: .4}, Axis: r3.Vec{Z: 1}}); err != nil {
		t.Fatal(err)
	}
	l.Couple(w.Coupling())
	energy := func(b physics.Body) float64 { return r3.Norm2(b.Velocity()) + .01*r3.Norm2(b.AngularVelocity()) }
	first := energy(ball) + energy(gate) + energy(wall)
	for n := range int(.25 * rate) {
		if r := *l.Step(1 / rate); r.Err != nil {
			t.Fatalf("step %d: %s", n, r.Err)
		}
		if e := energy(ball) + energy(gate) + energy(wall); !(e <= 1.3*first) {
			t.Fatalf("step %d: the bodies' energy goes from %.3g to %.3g", n, first, e)
		}
	}
	t.Logf("spin %.4g of 6 rad/s, gate %.3g of 2 rad/s, at the wall %.3g of .5 m/s", ball.AngularVelocity().Z, gate.AngularVelocity().Z, wall.Velocity().Y)
	if s := ball.AngularVelocity().Z; nu == .1 && ratio == 1 && !(s < 3 && s > 0) {
		t.Errorf("the ball's spin goes from 6 to %g rad/s", s)
	}
	if s := gate.AngularVelocity().Z; nu == 10 && ratio <= 1 && !(math.Abs(s) < .1) {
		t.Errorf("the gate's spin goes from 2 to %g rad/s", s)
	}
}

// A spun log that lies in two tanks slows down as both liquids drag it: neither turns it round.
func TestTwoViscousLiquidsSlowOneBody(t *testing.T) {
	for _, c := range []struct{ nu, rate, density float64 }{{.1, 60, 500}, {5, 30, 50}, {1e-3, 240, 2000}}[:testrig.InShort(1, 3)] {
		w := physics.NewWorld(physics.WorldDef{})
		b := testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1, Y: .45, Z: .4}, NoSleep: true, AngularVelocity: r3.Vec{X: 8}},
			physics.ShapeDef{Geometry: physics.Capsule(r3.Vec{Y: -.45}, r3.Vec{Y: .45}, .2), Density: c.density, Rotation: quat.Number{Real: math.Sqrt(.5), Kmag: math.Sqrt(.5)}})
		var both [2]*fluid.Liquid
		for i := range both {
			d := testrig.Box(.8, .8, .8)
			shift := r3.Vec{X: 1.2 * float64(i)}
			d = r3.Box{Min: r3.Add(d.Min, shift), Max: r3.Add(d.Max, shift)}
			both[i] = testrig.New(t, fluid.Def{Domain: d, CellSize: .1, Physics: fluid.Physics{Weightless: true, Viscosity: c.nu}, Resources: fluid.Resources{Workers: 1}})
			testrig.Must(t, both[i].Fill(fluid.Box(d)))
			both[i].Couple(w.Coupling())
		}
		last := r3.Norm(b.AngularVelocity())
		for n := range int(.3 * c.rate) {
			for _, l := range both {
				if r := *l.Step(1 / c.rate); r.Err != nil {
					t.Fatalf("step %d: %s", n, r.Err)
				}
			}
			spin := r3.Norm(b.AngularVelocity())
			if spin > 1.05*last+1e-3 {
				t.Errorf("step %d: spin goes from %g to %g rad/s", n, last, spin)
			}
			last = spin
		}
		t.Logf("ν %g, density %g, %g steps/s: 8 to %.4g rad/s", c.nu, c.density, c.rate, last)
		if c.nu >= .1 && last > 4 {
			t.Errorf("ν %g: 8 to %g rad/s only", c.nu, last)
		}
		both[0].Close()
		both[1].Close()
	}
}
