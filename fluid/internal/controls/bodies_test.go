package controls_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

const standardGravity = 9.81 // m/s²

// addBody adds a dynamic body of one shape to a world.
func addBody(t testing.TB, w *physics.World, g physics.Geometry, density float64, at r3.Vec) physics.Body {
	t.Helper()
	return testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: at, NoSleep: true}, physics.ShapeDef{Geometry: g, Density: density})
}

// handOver is a liquid that follows a block of water, with bodies that may be in it.
type handOver struct {
	*fluid.Liquid
	world *physics.World
}

func newHand(t testing.TB, of fluid.Discretisation, clip control.Source, strength float64, add func(*physics.World)) handOver {
	t.Helper()
	liq, err := fluid.New(controlDef(of))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(liq.Close)
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -standardGravity}})
	add(world)
	liq.Couple(world.Coupling())
	liq.TrackMomentum(true)
	if _, err := liq.AddControl(fluid.ControlDef{Clip: clip, Strength: strength, Arrival: control.Appear}); err != nil {
		t.Fatal(err)
	}
	return handOver{liq, world}
}

// Nothing is lost of momentum, and a control tells the force it acts with: with controls, bodies and walls, across cells of two sizes. A shape that
// crosses the pool and takes a ball along, one in the air and one at a wall.
func TestControlMomentumIsHandedOver(t *testing.T) {
	const of = fluid.Cubes
	liq, err := fluid.New(controlDef(of))
	if err != nil {
		t.Fatal(err)
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(.5)); err != nil {
		t.Fatal(err)
	}
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -standardGravity}})
	addBody(t, world, physics.Sphere(r3.Vec{}, .15), 500, r3.Vec{X: .1, Y: .55})
	addBody(t, world, physics.Box(physics.Centred(.2, .2, .2)), 800, r3.Vec{X: .2, Y: 1.5, Z: .1})
	liq.Couple(world.Coupling())
	liq.TrackMomentum(true)
	riser, block := sphereMesh(4, .35), boxMesh(8, r3.Vec{X: .25, Y: .15, Z: .25})
	riser.at = func(x r3.Vec, t float64) r3.Vec {
		return r3.Add(x, r3.Vec{X: .3 * math.Sin(2*t), Y: .4 + .7*lift(t, .2, 1.2)})
	}
	block.at = func(x r3.Vec, t float64) r3.Vec {
		return r3.Add(x, r3.Vec{X: .75, Y: 1.4 + .2*math.Sin(3*t), Z: .2 * math.Sin(2*t)}) // in a wall by less than a cell, or at it
	}
	for i, def := range []fluid.ControlDef{
		{Clip: riser, Strength: 1, Refill: control.Refill{Rate: 100, From: fluid.Below(.3)}}, {Clip: block, Strength: .6, Arrival: control.Appear},
	} {
		if _, err := liq.AddControl(def); err != nil {
			t.Fatalf("control %d: %v", i, err)
		}
	}
	steps := 180
	if testing.Short() {
		steps = 60
	}
	worst, apart, most := 0., 0., 0.
	for i := range steps {
		r := stepped(t, liq, 1./60)
		weight := r.Ledger.HeldL * standardGravity / 60
		worst = max(worst, r3.Norm(r.Momentum.Lost())/weight)
		told := r3.Vec{}
		for _, c := range r.Controls {
			told = r3.Add(told, c.Force)
			most = max(most, r3.Norm(c.Force))
		}
		apart = max(apart, r3.Norm(r3.Sub(r3.Scale(1./60, told), r.Momentum.Control))/weight)
		if !geom.FiniteVec(told) || !geom.FiniteVec(r.Momentum.Liquid) {
			t.Fatalf("step %d: force %v, momentum %+v", i, told, r.Momentum)
		}
	}
	t.Logf("lost at most %.2g of the weight × dt; the controls' forces differ from their momentum by %.2g; to %.0f N", worst, apart, most)
	if !(worst <= 1e-9) {
		t.Errorf("momentum of %.3g of the weight × dt comes from nowhere or goes there", worst)
	}
	if !(apart <= 1e-12) {
		t.Errorf("the controls' forces and what they gave differ by %.3g of the weight", apart)
	}
}

// A shape that rests in the air is borne by its control: that tells the weight of its water.
func TestControlBearsWeight(t *testing.T) { testrig.EachDiscretisation(t, controlBearsWeight) }

func controlBearsWeight(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for _, strength := range []float64{1, .7}[:testrig.InShort(1, 2)] {
		liq, _ := following(t, controlDef(of), nil, fluid.ControlDef{Clip: &movingMesh{sphereMesh(4, .4).rest, sphereMesh(4, .4).triangles, standing(r3.Vec{Y: 1})}, Strength: strength, Arrival: control.Appear})
		liq.TrackMomentum(true)
		force, n := r3.Vec{}, 0.
		var r fluid.Report
		for i := range 75 {
			if r = stepped(t, liq, 1./60); i >= 45 {
				force, n = r3.Add(force, r.Controls[0].Force), n+1
			}
		}
		force = r3.Scale(1/n, force)
		weight := r.Ledger.HeldL * standardGravity
		t.Logf("α %g: %.2f N for %.2f N", strength, force, weight)
		if off := r3.Norm(r3.Sub(force, r3.Vec{Y: weight})); !(off <= .01*weight) {
			t.Errorf("α %g: the control bears %.2f N, the water weighs %.2f N", strength, force, weight)
		}
	}
}

// A ball in a block of water that is held in the air floats there as in a pool: where the block was filled around it, and where it falls in and what
// it displaces is drained. Tightly held water that is not drained has nowhere to go but up the ball.
func TestBallFloatsInHand(t *testing.T) {
	const of = fluid.Cubes
	const radius, half = .2, .3
	for _, c := range []struct{ strength, density, above, drained float64 }{{1, 500, 0, 0}, {.7, 500, 0, 0}, {1, 250, 0, 0}, {1, 500, .1, 100}} {
		steps := 300
		if c.drained > 0 {
			steps = 480
		} else if testing.Short() {
			steps = 100
		}
		if testing.Short() && (c.drained > 0 || c.strength < 1 || c.density < 500) {
			continue
		}
		m := boxMesh(12, r3.Vec{X: .5, Y: half, Z: .5})
		m.at = standing(r3.Vec{Y: 1})
		// The centre's height above the surface: with x = height/radius a part (2-3x+x³)/4 of a ball is below it.
		x := 0.
		for range 60 {
			x -= ((2-3*x+x*x*x)/4 - c.density/1000) / (3 * (x*x - 1) / 4)
		}
		want := 1 + half + x*radius
		liq, err := fluid.New(controlDef(of))
		if err != nil {
			t.Fatal(err)
		}
		defer liq.Close()
		world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -standardGravity}})
		ball := addBody(t, world, physics.Sphere(r3.Vec{}, radius), c.density, r3.Vec{X: .03, Y: want + c.above, Z: -.02})
		liq.Couple(world.Coupling())
		def := fluid.ControlDef{Clip: m, Strength: c.strength, Arrival: control.Appear, Refill: control.Refill{Rate: c.drained}}
		if _, err := liq.AddControl(def); err != nil {
			t.Fatal(err)
		}
		height, force, n := 0., 0., 0.
		lowest, highest := math.Inf(1), math.Inf(-1)
		var r fluid.Report
		for i := range steps {
			r = stepped(t, liq, 1./60)
			at := ball.Position()
			if !geom.FiniteVec(at) {
				t.Fatalf("step %d: the ball is at %v", i, at)
			}
			if i >= steps-60 {
				height, n = height+at.Y, n+1
				force += liq.BodyLoadByID(uint64(ball.ID())).Force.Y
				lowest, highest = min(lowest, at.Y), max(highest, at.Y)
			}
		}
		height, force = height/n, force/n
		t.Logf("α %g, %g kg/m³, from %g m above, refill %g l/s: at %.4f m (%.4f to %.4f) for %.4f; %.2f N for %.2f N; held %.1f of %.1f l, %+v", c.strength, c.density, c.above, c.drained, height, lowest,
			highest, want, force, ball.Mass()*standardGravity, r.Controls[0].HeldL, r.Controls[0].WantedL, r.Ledger)
		if !(math.Abs(height-want) <= .05*radius) {
			t.Errorf("α %g, %g kg/m³, from %g m above: the ball floats at %.4f m, not %.4f", c.strength, c.density, c.above, height, want)
		}
		if weight := ball.Mass() * standardGravity; !(math.Abs(force-weight) <= .03*weight) {
			t.Errorf("α %g, %g kg/m³, from %g m above: the ball is borne with %.2f N; it weighs %.2f", c.strength, c.density, c.above, force, weight)
		}
	}
}

// newRisingHand is a hand of water that rises by so many metres, with a crate on it that drag acts on.
func newRisingHand(t *testing.T, of fluid.Discretisation, strength, rise float64, drag physics.Drag) (hand handOver, crate physics.Body) {
	t.Helper()
	m := boxMesh(12, r3.Vec{X: .4, Y: .2, Z: .4})
	m.at = func(x r3.Vec, t float64) r3.Vec { return r3.Add(x, r3.Vec{Y: .4 + rise*lift(t, .8, 2.3)}) }
	hand = newHand(t, of, m, strength, func(w *physics.World) {
		crate = addBody(t, w, physics.Box(physics.Centred(.2, .2, .2)), 400, r3.Vec{Y: .63})
		if err := crate.SetLiquidDrag(drag); err != nil {
			t.Fatal(err)
		}
	})
	return hand, crate
}

// A crate on a hand of water that rises goes up with it; at the top it weighs what it does, and the hand's control bears both. Drag keeps it where the water
// is: else it floats off the hand, slowly, as off any flat water.
func TestCrateRidesOnRisingHand(t *testing.T) {
	const of = fluid.Cubes
	const rise, steps = .7, 330
	for _, strength := range []float64{1, .7} {
		hand, crate := newRisingHand(t, of, strength, rise, physics.Drag{Skin: 300})
		load, force, before, n := r3.Vec{}, r3.Vec{}, 0., 0.
		var r fluid.Report
		for i := range steps {
			r = stepped(t, hand.Liquid, 1./60)
			if i == 47 {
				before = crate.Position().Y
			}
			if i >= steps-60 {
				load, force, n = r3.Add(load, hand.BodyLoadByID(uint64(crate.ID())).Force), r3.Add(force, r.Controls[0].Force), n+1
			}
		}
		load, force = r3.Scale(1/n, load), r3.Scale(1/n, force)
		weight, water := crate.Mass()*standardGravity, r.Ledger.HeldL*standardGravity
		up := crate.Position().Y - before
		t.Logf("α %g: up %.3f of %.2f m, at %.3f; load %.2f for %.2f N; control %.1f for %.1f N; held %.1f, drift %.2f l", strength, up, rise, crate.Position(), load, weight, force, weight+water,
			r.Controls[0].HeldL, r.Ledger.DriftL)
		if !(math.Abs(up-rise) <= .05) {
			t.Errorf("α %g: the crate went up %.3f m, the hand %.2f", strength, up, rise)
		}
		if !(r3.Norm(r3.Sub(load, r3.Vec{Y: weight})) <= .03*weight) {
			t.Errorf("α %g: the crate is borne with %.2f N; it weighs %.2f", strength, load, weight)
		}
		if !(r3.Norm(r3.Sub(force, r3.Vec{Y: weight + water})) <= .03*(weight+water)) {
			t.Errorf("α %g: the control bears %.1f N; water and crate weigh %.1f", strength, force, weight+water)
		}
		if testing.Short() {
			break
		}
	}
}

// What is heavy sinks into a shape held in the air, and through it or onto nothing: all stays finite, and the liquid is kept.
func TestHeavyBallFallsIntoShape(t *testing.T) {
	const of = fluid.Cubes
	for _, strength := range []float64{1, .3} {
		m := sphereMesh(4, .4)
		m.at = standing(r3.Vec{Y: 1.1})
		var ball physics.Body
		hand := newHand(t, of, m, strength, func(w *physics.World) {
			ball = addBody(t, w, physics.Sphere(r3.Vec{}, .12), 3000, r3.Vec{X: .02, Y: 1.8, Z: .01})
			floor, err := w.AddBody(physics.BodyDef{Kind: physics.Static})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := floor.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1})}); err != nil {
				t.Fatal(err)
			}
		})
		entered, slowest := false, 0.
		drift := 0.
		var r fluid.Report
		for i := range 150 {
			r = stepped(t, hand.Liquid, 1./60)
			at, v := ball.Position(), ball.Velocity()
			if !geom.FiniteVec(at) || !geom.FiniteVec(v) || !geom.FiniteVec(r.Controls[0].Force) || !geom.FiniteVec(hand.BodyLoadByID(uint64(ball.ID())).Force) {
				t.Fatalf("step %d: ball at %v, %v m/s, load %+v, control %+v", i, at, v, hand.BodyLoadByID(uint64(ball.ID())), r.Controls[0])
			}
			entered = entered || hand.BodyLoadByID(uint64(ball.ID())).Fraction > .9
			slowest = min(slowest, v.Y)
			drift = max(drift, math.Abs(r.Ledger.DriftL)/r.Ledger.HeldL)
		}
		t.Logf("α %g: ball at %.3f, fell at up to %.2f m/s; drift at most %.3f %%; lost %.2g", strength, ball.Position(), -slowest, 100*drift, r3.Norm(r.Momentum.Lost()))
		if !entered {
			t.Errorf("α %g: the ball never was in the liquid", strength)
		}
		if y := ball.Position().Y; y > 1.1+.4 || y < .1 {
			t.Errorf("α %g: the ball is at %.3f", strength, ball.Position())
		}
		if y := ball.Position().Y; strength < 1 && y > .2 {
			t.Errorf("α %g: the ball has not come through: %.3f", strength, ball.Position())
		}
		if !(drift <= .01) {
			t.Errorf("α %g: drift of %.3g %%", strength, 100*drift)
		}
		if testing.Short() {
			break
		}
	}
}
