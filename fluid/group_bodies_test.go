package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// lever is a beam on a hinge at x, m, with a ball below each end, of a mass, kg: one body, or three that joints hold together.
type lever struct {
	x, mass float64
	jointed bool
	free    bool // no hinge
	tracker fluid.Tracker
	dt      float64
	seconds float64
}

// make adds the lever to a world, aslant by some of its balls' height, and returns the beam.
func (c *lever) make(t testing.TB, w *physics.World) physics.Body {
	t.Helper()
	const arm, radius, below, tilt = .7, .2, .3, .1
	const volume = 2*4./3*math.Pi*radius*radius*radius + 2*arm*.06*.1
	at := r3.Vec{X: c.x, Y: .75, Z: .4}
	density := c.mass / volume
	body := func(at r3.Vec) physics.Body {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: at})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	joint := func(d physics.JointDef) {
		if _, err := w.AddJoint(d); err != nil {
			t.Fatal(err)
		}
	}
	beam := body(at)
	add := func(b physics.Body, s physics.ShapeDef) {
		s.Density = density
		if _, err := b.AddShape(s); err != nil {
			t.Fatal(err)
		}
	}
	add(beam, physics.ShapeDef{Geometry: physics.Box(physics.Centred(2*arm, .06, .1))})
	for side := -1.; side <= 1; side += 2 {
		ball := r3.Vec{X: side * arm, Y: -below - side*tilt}
		if !c.jointed {
			add(beam, physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, radius), Offset: ball})
			continue
		}
		b := body(r3.Add(at, ball))
		add(b, physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, radius)})
		joint(physics.JointDef{Kind: physics.FixedJoint, A: beam, B: b, Anchor: r3.Add(at, ball)})
	}
	if !c.free {
		joint(physics.JointDef{Kind: physics.HingeJoint, B: beam, Anchor: at, Axis: r3.Vec{Z: 1}})
	}
	return beam
}

// swinging is how a lever moves.
type swinging struct {
	angle, height []float64 // step by step, rad and m
	force         float64   // the greatest of one liquid on one body, N
}

// swing has the lever move with its balls in two basins of one liquid, or of two.
func (c *lever) swing(t testing.TB, liquids int) (s swinging) {
	t.Helper()
	const wide, apart, high, deep, depth = 1, .4, 1.2, .8, .45
	w := testrig.Earth()
	beam := c.make(t, w)
	basin := func(side float64) r3.Box {
		lo := side * apart / 2
		if side < 0 {
			lo -= wide
		}
		return r3.Box{Min: r3.Vec{X: lo}, Max: r3.Vec{X: lo + wide, Y: high, Z: deep}}
	}
	left, right := basin(-1), basin(1)
	domains := []r3.Box{left, right}
	if liquids == 1 {
		domains = []r3.Box{{Min: left.Min, Max: right.Max}}
	}
	var all []*fluid.Liquid
	for _, d := range domains {
		l := testrig.New(t, fluid.Def{Domain: d, CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: c.tracker})
		if liquids == 1 {
			if _, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: left.Max.X, Y: -1, Z: -1}, Max: r3.Vec{X: right.Min.X, Y: .65, Z: 2}})); err != nil {
				t.Fatal(err)
			}
		}
		l.Couple(w.Coupling())
		testrig.Must(t, l.Fill(fluid.Below(depth)))
		all = append(all, l)
	}
	for range int(c.seconds / c.dt) {
		for _, l := range all {
			if r := *l.Step(c.dt); r.Err != nil {
				t.Fatal(r.Err)
			}
			for i := range w.Coupling().Len() {
				s.force = max(s.force, r3.Norm(l.BodyLoad(i).Force))
			}
		}
		axis := r3.Rotation(beam.Rotation()).Rotate(r3.Vec{X: 1})
		s.angle, s.height = append(s.angle, math.Atan2(axis.Y, axis.X)), append(s.height, beam.Position().Y)
	}
	return s
}

// A light body in two liquids moves as it does in two basins of one.
func TestLightBodyInTwoLiquids(t *testing.T) {
	for _, c := range []struct {
		lever
		long bool
	}{
		{lever{mass: 9, dt: 1. / 60, seconds: .5}, false},
		{lever{mass: 9, dt: 1. / 30, seconds: 1}, true},
		{lever{mass: 9, dt: 1. / 120, seconds: 1}, true},
		{lever{mass: 9, dt: 1. / 240, seconds: .5}, true},
		{lever{mass: 9, dt: 1. / 60, seconds: 1, x: .033}, true},
		{lever{mass: 9, dt: 1. / 60, seconds: 1, jointed: true}, false},
		{lever{mass: 9, dt: 1. / 60, seconds: 1, jointed: true, free: true}, true},
		{lever{mass: .5, dt: 1. / 60, seconds: 1}, true},
		{lever{mass: 9, dt: 1. / 60, seconds: 1, free: true}, true},
		{lever{mass: 100, dt: 1. / 60, seconds: 1}, true},
		{lever{mass: 9, dt: 1. / 60, seconds: .5, tracker: fluid.Contouring}, true},
		{lever{mass: 9, dt: 1. / 60, seconds: .5, tracker: fluid.ExplicitMesh}, true},
	} {
		if c.long && testing.Short() {
			continue
		}
		one, two := c.swing(t, 1), c.swing(t, 2)
		off, most, up := 0., 0., 0.
		for i, a := range one.angle {
			most, off, up = max(most, math.Abs(a)), max(off, math.Abs(a-two.angle[i])), max(up, math.Abs(one.height[i]-two.height[i]))
		}
		t.Logf("%+v: turns by %.3f rad, in two liquids %.4f off, %.2g m; forces %.0f and %.0f N", c.lever, most, off, up, one.force, two.force)
		if !(off <= .02*most) || !(up <= .002) {
			t.Errorf("%+v: turns by up to %.3f rad, in two liquids %.4f rad and %.3g m off", c.lever, most, off, up)
		}
	}
}

// The energy of a lever in two liquids does not grow: its swing dies down.
func TestLeverInTwoLiquidsCalmsDown(t *testing.T) {
	for _, dt := range []float64{1. / 60, 1. / 240} {
		c := lever{mass: 3, dt: dt, seconds: 4}
		if testing.Short() {
			if dt < 1./60 {
				continue
			}
			c.seconds = 2
		}
		angle := c.swing(t, 2).angle
		first, last := 0., 0.
		for i, a := range angle {
			if i < len(angle)/3 {
				first = max(first, math.Abs(a-angle[len(angle)-1]))
			} else if i >= 2*len(angle)/3 {
				last = max(last, math.Abs(a-angle[len(angle)-1]))
			}
		}
		if !(last < .8*first) {
			t.Errorf("dt %.4g s: the lever swings by %.3f rad at first and by %.3f at last", dt, first, last)
		}
	}
}

// A light raft across three ponds is carried by all.
func TestRaftOnThreePonds(t *testing.T) {
	w := testrig.Earth()
	all := []*fluid.Liquid{testrig.Pond(t, w.Coupling(), 0, .4), testrig.Pond(t, w.Coupling(), .8, .4), testrig.Pond(t, w.Coupling(), 1.6, .4)}
	raft := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 1.2, Y: .47, Z: .4}, physics.Box(physics.Centred(2, .2, .4)), 60)
	steps, up := 240, 0.
	if testing.Short() {
		steps = 60
	}
	for n := range steps {
		for _, l := range all {
			if r := *l.Step(testrig.Frame); r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		for _, l := range all {
			if n >= steps-60 {
				up += l.BodyLoad(0).Force.Y / (60 * raft.Mass() * 9.81)
			}
		}
		if v := r3.Norm(raft.Velocity()); v > 1.5 {
			t.Fatalf("step %d: the raft moves with %g m/s", n, v)
		}
	}
	if testing.Short() {
		return
	}
	if v := r3.Norm(raft.Velocity()); v > .02 || math.Abs(up-1) > .02 {
		t.Errorf("the ponds carry %.3f of the raft, which moves with %g m/s", up, v)
	}
}
