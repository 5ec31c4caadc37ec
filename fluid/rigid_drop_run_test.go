package fluid_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// falling is a liquid that is a rigid drop of a radius, m, at a place.
func falling(t *testing.T, at r3.Vec, radius float64) *fluid.Liquid {
	t.Helper()
	l := newSolved(t, fluid.Def{Domain: testrig.Box(2, 20, 2), CellSize: .1}, makeRigidDrop)
	testrig.Must(t, l.Fill(fluid.Sphere(at, radius)))
	return l
}

// A liquid that has a boundary and no grid goes through every call that its kind has a meaning for: it is filled, falls by ½gt², is drawn, asked, booked and
// drained.
func TestLiquidWithoutGrid(t *testing.T) {
	const radius, seconds = .3, 1.
	at := r3.Vec{X: 1, Y: 18, Z: 1}
	l := falling(t, at, radius)
	ball := 4. / 3 * math.Pi * radius * radius * radius
	if g := l.Ledger(); math.Abs(g.HeldL*testrig.Litre-ball) > .03*ball || g.DriftL != 0 {
		t.Fatalf("%+v, want %g l", g, ball/testrig.Litre)
	}
	l.TrackMomentum(true)
	for range 60 {
		r := *l.Step(seconds / 60)
		if r.Err != nil || len(r.Warnings) > 0 || r.UnknownCount() == 0 || math.Abs(r3.Norm(r.Momentum.Lost())) > 1e-9 {
			t.Fatalf("%s, %v, %+v", r.Err, r.Warnings, r.Momentum)
		}
	}
	g := 9.81
	at.Y -= g * seconds * seconds / 2
	s, low, high := l.Surface(), math.Inf(1), math.Inf(-1)
	for i := 1; i < len(s.Positions); i += 3 {
		low, high = min(low, float64(s.Positions[i])), max(high, float64(s.Positions[i]))
	}
	if len(s.Indices) != 3*1280 || math.Abs((low+high)/2-at.Y) > 1e-5 || math.Abs(high-low-2*radius) > 1e-5 {
		t.Errorf("it is drawn with %d indices from %g to %g m, want around %g", len(s.Indices), low, high, at.Y)
	}
	if euler := len(s.Positions)/3 - len(s.Indices)/2 + len(s.Indices)/3; euler != 2 {
		t.Errorf("the mesh is not closed: %d", euler)
	}
	samples := make([]fluid.Sample, 2)
	l.Sample(samples, []r3.Vec{at, r3.Add(at, r3.Vec{Y: 1})})
	if in := samples[0]; !in.Inside || math.Abs(in.Velocity.Y+g*seconds) > 1e-9 || math.Abs(in.Height-radius) > .01 {
		t.Errorf("in the drop: %+v", in)
	}
	if out := samples[1]; out.Inside || math.Abs(out.Height+1-radius) > .01 {
		t.Errorf("above it: %+v", out)
	}
	hits := make([]fluid.RayHit, 2)
	testrig.Must(t, l.RayCast(hits, []fluid.Ray{{From: r3.Vec{X: .01, Y: at.Y + .02, Z: 1.01}, Dir: r3.Vec{X: 1}}, {From: r3.Vec{X: .01, Y: 1, Z: 1}, Dir: r3.Vec{X: 1}}}))
	if !hits[0].Hit || math.Abs(hits[0].Point.X-.7) > .01 || hits[0].Normal.X > -.95 || hits[1].Hit {
		t.Errorf("rays: %+v", hits)
	}
	v, err := l.VolumeIn(fluid.Box(r3.Box{Min: r3.Vec{Y: at.Y - 1}, Max: r3.Vec{X: 2, Y: at.Y, Z: 2}}))
	if half := ball / testrig.Litre / 2; err != nil || math.Abs(v-half) > .05*half {
		t.Errorf("%g l are in the lower half of %g, %v", v, half, err)
	}
	testrig.Must(t, l.SetVelocity(fluid.Sphere(at, .1), func(r3.Vec) r3.Vec { return r3.Vec{X: 1} }))
	testrig.Must(t, l.Impulse(at, .5, r3.Vec{X: 1000 * l.Ledger().HeldL * testrig.Litre}))
	if r := *l.Step(testrig.Frame); math.Abs(r.MaxSpeed-math.Hypot(2, g*testrig.Frame)) > 1e-9 {
		t.Errorf("pushed to %g m/s", r.MaxSpeed)
	}
	testrig.Must(t, l.Drain(fluid.Box(l.Def().Domain)))
	if g := l.Ledger(); g.HeldL != 0 || g.DriftL != 0 || len(l.Surface().Indices) != 0 {
		t.Errorf("drained: %+v", g)
	}
}

// It stops at the floor and falls asleep there.
func TestLiquidWithoutGridSleeps(t *testing.T) {
	l := falling(t, r3.Vec{X: 1, Y: .5, Z: 1}, .3)
	for range 120 {
		l.Step(testrig.Frame)
	}
	if r := *l.Step(testrig.Frame); !r.Asleep() || r.MaxSpeed != 0 {
		t.Errorf("%g m/s, %d parts asleep", r.MaxSpeed, r.AsleepBlocks)
	}
}

// Equal runs have equal hashes; a saved state, a copy and a snapshot go on alike.
func TestLiquidWithoutGridIsSaved(t *testing.T) {
	at := r3.Vec{X: 1, Y: 18, Z: 1}
	a, b := falling(t, at, .3), falling(t, at, .3)
	for range 10 {
		a.Step(testrig.Frame)
		b.Step(testrig.Frame)
	}
	if a.Hash() != b.Hash() {
		t.Error("equal runs have other hashes")
	}
	var file bytes.Buffer
	testrig.Must(t, a.Save(&file))
	c := newSolved(t, a.Def(), makeRigidDrop)
	testrig.Must(t, c.Restore(&file))
	d := falling(t, at, .2)
	testrig.Must(t, a.CopyTo(d))
	for range 10 {
		for _, l := range []*fluid.Liquid{a, b, c, d} {
			l.Step(testrig.Frame)
		}
	}
	b.Step(testrig.Frame)
	if h := a.Hash(); c.Hash() != h || d.Hash() != h || b.Hash() == h {
		t.Errorf("hashes %x of the run, %x restored, %x copied, %x a step on", h, c.Hash(), d.Hash(), b.Hash())
	}
	if x, y := a.Surface().Positions, c.Surface().Positions; len(x) != len(y) || x[1] != y[1] {
		t.Error("the restored drop is elsewhere")
	}
}

// What the solver can't do is an error that says so, by the definition's field or the call.
func TestAbilitiesThatAreAbsentAreNamed(t *testing.T) {
	d := fluid.Def{Domain: testrig.Box(2, 2, 2), CellSize: .1, Physics: fluid.Physics{Viscosity: 1, SurfaceTension: 1}, WhiteWater: 10, Sounds: true, Sides: fluid.Sides{MinX: fluid.Open}}
	_, err := fluid.MakeLiquid(d.WithDefaults(), makeRigidDrop)
	for _, field := range []string{"Physics.Viscosity", "Physics.SurfaceTension", "WhiteWater", "Sounds", "Sides"} {
		if err == nil || !strings.Contains(err.Error(), "Def."+field) {
			t.Errorf("%s is not named: %v", field, err)
		}
	}
	l := falling(t, r3.Vec{X: 1, Y: 18, Z: 1}, .3)
	_, emitter := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{}, 1), Rate: 1})
	_, sink := l.AddSink(fluid.Sphere(r3.Vec{}, 1), 1)
	for _, err := range []error{emitter, sink, l.SetView(fluid.View{Height: 1}), l.SetViscosity(1)} {
		if err == nil {
			t.Error("a call for what the solver can't do has no error")
		}
	}
}

// Calls that have nothing to do with a grid go well, whatever the solver.
func TestCallsWithoutGrid(t *testing.T) {
	l := falling(t, r3.Vec{X: 1, Y: 18, Z: 1}, .3)
	obstacle, err := l.AddObstacle(fluid.Box(testrig.Box(1, 1, 1)))
	testrig.Must(t, err)
	testrig.Must(t, l.MoveObstacle(obstacle, fluid.Motion{Translation: r3.Vec{X: .5}, Velocity: r3.Vec{Y: 1}}))
	l.Step(testrig.Frame)
	testrig.Must(t, l.RemoveObstacle(obstacle))
	testrig.Refused(t, l.SetWind(fluid.Wind{Velocity: r3.Vec{X: 5}}), "SetWind")
	testrig.Must(t, l.SetDensity(900))
	testrig.Must(t, l.SetGravity(r3.Vec{Y: -1}))
	field, err := l.AddField(fluid.Field{Axis: r3.Vec{X: 1}, Strength: 2})
	testrig.Must(t, err)
	was := l.Hash()
	l.Prewarm()
	if l.Hash() != was {
		t.Error("Prewarm has changed the state")
	}
	w := testrig.Earth().Coupling()
	l.Couple(w)
	r := *l.Step(testrig.Frame)
	if r.Err != nil || len(r.Warnings) != 1 || r.Warnings[0].Knob != "Couple" || l.Coupled() != nil {
		t.Errorf("%s, %v, coupled to %v", r.Err, r.Warnings, l.Coupled())
	}
	testrig.Must(t, l.RemoveField(field))
	if v := l.Surface().Velocities[0]; math.Abs(float64(v)-2*testrig.Frame) > 1e-6 {
		t.Errorf("the field gives %g m/s", v)
	}
	if d, err := l.DensityIn(fluid.Sphere(r3.Vec{X: 1, Y: 17.9, Z: 1}, .05)); err != nil || math.Abs(d-900) > 1e-9 {
		t.Errorf("density %g, %v", d, err)
	}
	if n := len(l.Levels(nil)); n != 0 || l.BodyLoad(0) != (fluid.BodyLoad{}) || len(l.Events().Entered) > 0 {
		t.Errorf("%d levels, %+v", n, l.Events())
	}
	faces, err := l.CutAway(nil, r3.Vec{Y: 1}, r3.Vec{Y: 1})
	testrig.Refused(t, err, "CutAway", "can't")
	if len(faces) > 0 {
		t.Errorf("%d faces", len(faces))
	}
}
