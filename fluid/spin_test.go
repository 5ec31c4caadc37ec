package fluid

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// laidDown is the turn that lays what stands along y level, at an angle from z, rad.
func laidDown(yaw float64) quat.Number {
	lie := quat.Number{Real: math.Sqrt(.5), Imag: math.Sqrt(.5)}
	return quat.Mul(quat.Number{Real: math.Cos(yaw / 2), Jmag: math.Sin(yaw / 2)}, lie)
}

// spun is a body that stands along y, laid down so that half of it is in a pool off the grid, where it turns at 5 rad/s about itself.
type spun struct {
	name   string
	kind   physics.Kind
	g      physics.Geometry
	yaw    float64
	hinged bool
}

func (s spun) start(t *testing.T) (*Liquid, physics.Body) {
	p := newPinned(t, Def{Domain: box(1.6, 1.1, 1.6), CellSize: .1}, Below(.623))
	b, err := p.world.CreateBody(physics.BodyDef{
		Kind: s.kind, Position: r3.Vec{X: .837, Y: .623, Z: .841}, Rotation: laidDown(s.yaw),
		AngularVelocity: r3.Vec{X: 5 * math.Sin(s.yaw), Z: 5 * math.Cos(s.yaw)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddShape(physics.ShapeDef{Geometry: s.g, Density: 500}); err != nil {
		t.Fatal(err)
	}
	if s.hinged {
		axis := r3.Vec{X: math.Sin(s.yaw), Z: math.Cos(s.yaw)}
		if _, err := p.world.CreateJoint(physics.JointDef{Kind: physics.HingeJoint, B: b, Anchor: b.Position(), Axis: axis}); err != nil {
			t.Fatal(err)
		}
	}
	return p.liquid, b
}

// Pressure has no arm about the axis of what is round: it goes on turning, however long the steps are, wherever it lies in the grid.
func TestRoundThingsAfloatGoOnTurning(t *testing.T) {
	log := spun{"log", physics.Dynamic, physics.Cylinder(.2, .8), 0, false}
	aslant := spun{"thin log aslant", physics.Dynamic, physics.Cylinder(.12, .8), .5, false}
	ball := spun{"ball", physics.Dynamic, physics.Sphere(.25), 0, false}
	small := spun{"ball of two cells", physics.Dynamic, physics.Sphere(.1), 0, false}
	wheel := spun{"wheel on a hinge", physics.Dynamic, physics.Cylinder(.3, .25), 0, true}
	disc := spun{"disc as thick as a cell", physics.Dynamic, physics.Cylinder(.3, .1), .4, true}
	for _, c := range []struct {
		spun
		rate float64 // steps/s
	}{
		{log, 30}, {log, 60}, {log, 240}, {aslant, 30}, {aslant, 60}, {ball, 30}, {ball, 60}, {small, 60}, {wheel, 30}, {wheel, 240}, {disc, 60},
	} {
		if testing.Short() && c.rate > 60 {
			continue
		}
		l, b := c.start(t)
		for range int(c.rate) {
			l.Step(1 / c.rate)
		}
		spin := r3.Dot(b.AngularVelocity(), r3.Rotation(b.Rotation()).Rotate(r3.Vec{Y: 1}))
		if t.Logf("%s, %g steps/s: %.4f rad/s", c.name, c.rate, spin); math.Abs(spin-5) > .05 {
			t.Errorf("%s, %g steps/s: %g rad/s after 1 s, want 5", c.name, c.rate, spin)
		}
	}
}

// A log that is turned feels no torque either, nor does what turns it.
func TestRoundThingsFeelNoTorque(t *testing.T) {
	for _, yaw := range []float64{0, .3} {
		for _, rate := range []float64{30, 240} {
			l, _ := spun{"", physics.Kinematic, physics.Cylinder(.2, .8), yaw, false}.start(t)
			for range 20 {
				l.Step(1 / rate)
				torque := l.BodyLoad(0).Torque
				if about := torque.X*math.Sin(yaw) + torque.Z*math.Cos(yaw); math.Abs(about) > .03 {
					t.Fatalf("%g steps/s, %g rad aslant: %g N·m about its axis", rate, yaw, about)
				}
			}
		}
	}
}

// What is not round is braked and turned: a log with corners, and a weight on one side of a round one turns that down.
func TestWhatIsNotRoundIsTurned(t *testing.T) {
	l, b := spun{"box", physics.Dynamic, physics.Box(.35, .8, .35), 0, false}.start(t)
	for range 60 {
		l.Step(1. / 60)
	}
	if spin := b.AngularVelocity().Z; spin > 4.5 {
		t.Errorf("a square log still turns at %g rad/s", spin)
	}
	l, b = spun{"weighted log", physics.Dynamic, physics.Cylinder(.2, .8), 0, false}.start(t)
	m := b.Mass()
	inertia := m * (3*.2*.2 + .8*.8) / 12
	along := m * .2 * .2 / 2
	if err := b.SetMass(physics.Mass{Mass: m, Centre: r3.Vec{X: .05}, Inertia: [3][3]float64{{inertia}, {1: along}, {2: inertia}}}); err != nil {
		t.Fatal(err)
	}
	if err := b.SetAngularVelocity(r3.Vec{}); err != nil {
		t.Fatal(err)
	}
	l.Step(1. / 60)
	// Buoyancy acts at the log's axis, weight .05 m beside it.
	if got, want := l.BodyLoad(0).Torque.Z, -.05*l.BodyLoad(0).Force.Y; math.Abs(got-want) > .02*math.Abs(want) {
		t.Errorf("weighted log: %g N·m, want %g", got, want)
	}
}

// swing is how far a ship still rolls in the fourth half-swing, rad, after it was let go at .2.
func (s ship) swing(t *testing.T, rate float64) (peak float64) {
	p := newPinned(t, Def{Domain: box(1.6, 1.1, 1.8), CellSize: .1}, Below(.61))
	b := p.add(t, physics.Dynamic, physics.Box(s.width, s.height, s.length), 1000*s.ratio, r3.Vec{X: .83, Y: s.at, Z: .91})
	if err := b.SetPose(b.Position(), quat.Number{Real: math.Cos(.1), Kmag: math.Sin(.1)}); err != nil {
		t.Fatal(err)
	}
	swings, last := 0, 1.
	for range int(4 * rate) {
		p.liquid.Step(1 / rate)
		heel := -r3.Rotation(b.Rotation()).Rotate(r3.Vec{Y: 1}).X
		if heel*last < 0 {
			if swings++; swings == 4 {
				return peak
			}
			peak = 0
		}
		peak, last = max(peak, math.Abs(heel)), heel
	}
	t.Fatal("the ship rolls too slowly")
	return 0
}

type ship struct{ width, height, length, ratio, at float64 }

// How a ship's roll dies depends on the liquid and not on the steps' length.
func TestRollDiesAlikeAtAnyStep(t *testing.T) {
	for _, s := range []ship{{.6, .3, 1, .5, .63}, {.7, .4, .9, .4, .65}} {
		long, short := s.swing(t, 30), s.swing(t, 120)
		t.Logf("%+v: %.4f rad at 30 steps/s, %.4f at 120", s, long, short)
		t.Run(fmt.Sprint(s), func(t *testing.T) { fallsShort(t, "swings differ by, in parts", math.Abs(long/short-1), .11, .14) })
	}
}
