package cutting_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/physics"
)

// vessel is a closed solid with thin walls in a liquid of cells of .1 m.
type vessel struct {
	l      *fluid.Liquid
	shape  fluid.SDF // all that is within its outer surface, about its origin
	hollow fluid.SDF // and within its inner one
	size   float64   // of its hollow
	wall   float64
	pose   func() (r3.Vec, quat.Number)
	kept   func() (r3.Vec, quat.Number)     // the pose that the surface was moved with last
	move   func(v, spin r3.Vec, dt float64) // before each step; nil if forces move it
}

const vesselCell = .1

// litres is how much liquid is further than by, m, outside of the vessel, or if that is negative, inside of its outer surface.
func (v *vessel) litres(by float64) (sum float64) {
	at, q := v.kept()
	shape := fluid.Transform(v.shape, q, at)
	there := func(x r3.Vec) bool {
		var d [1]float32
		shape.Eval(d[:], []r3.Vec{x})
		return by >= 0 && float64(d[0]) > by || by < 0 && float64(d[0]) < by
	}
	for b := range int32(testrig.Blocks(v.l).Grid.Bases()) {
		for i, x := range testrig.Blocks(v.l).Centres.Of(testrig.Blocks(v.l).Grid, b) {
			if held := testrig.Blocks(v.l).Survey.HeldIn(testrig.Blocks(v.l).Grid.Cur.First[b] + int32(i)); held > 0 && there(x) {
				sum += held / testrig.Litre
			}
		}
	}
	d := testrig.FV(v.l).Spray
	for i, r := range d.Radius {
		if x := d.Position[3*i:]; there(r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])}) {
			sum += 4. / 3 * math.Pi * float64(r) * float64(r) * float64(r) / testrig.Litre
		}
	}
	return sum
}

// asObstacle makes the vessel an obstacle of the liquid's own.
func (v *vessel) asObstacle(t *testing.T, at r3.Vec) {
	t.Helper()
	id, err := v.l.AddObstacle(fluid.Shell(v.shape, v.wall))
	if err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, v.l.MoveObstacle(id, fluid.Motion{Translation: at}))
	v.pose = func() (r3.Vec, quat.Number) {
		m := &testrig.Around(v.l).Obstacles.All[id].Motion
		return m.Translation, m.Rotation
	}
	v.kept = func() (r3.Vec, quat.Number) {
		if p := &testrig.Around(v.l).Obstacles.All[id].Seen; p.Known {
			return p.Centre, p.Turned
		}
		return v.pose()
	}
	v.move = func(u, spin r3.Vec, _ float64) {
		x, q := v.pose()
		testrig.Must(t, v.l.MoveObstacle(id, fluid.Motion{Translation: x, Rotation: q, Velocity: u, AngularVelocity: spin}))
	}
}

// asBody makes a box of the vessel, a body of a kind: a tub and its lid.
func (v *vessel) asBody(t *testing.T, kind physics.BodyKind, at r3.Vec) physics.Body {
	t.Helper()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := w.AddBody(physics.BodyDef{Kind: kind, Position: at, NoSleep: true})
	if err != nil {
		t.Fatal(err)
	}
	out := v.size + 2*v.wall
	for _, s := range []physics.ShapeDef{
		{Geometry: physics.OpenBox(physics.Centred(out, out, out), v.wall), Density: 2000},
		{Geometry: physics.Box(physics.Centred(out, v.wall, out)), Density: 2000, Offset: r3.Vec{Y: (v.size + v.wall) / 2}},
	} {
		if _, err := b.AddShape(s); err != nil {
			t.Fatal(err)
		}
	}
	d := v.l.Def().Domain
	for _, side := range []struct{ inward, at r3.Vec }{
		{r3.Vec{X: 1}, d.Min}, {r3.Vec{Y: 1}, d.Min}, {r3.Vec{Z: 1}, d.Min}, {r3.Vec{X: -1}, d.Max}, {r3.Vec{Y: -1}, d.Max}, {r3.Vec{Z: -1}, d.Max},
	} {
		testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Static, Position: side.at},
			physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, side.inward), Material: physics.Material{Restitution: .8}})
	}
	v.l.Couple(w.Coupling())
	v.pose = func() (r3.Vec, quat.Number) { return b.Position(), b.Rotation() }
	v.kept = func() (r3.Vec, quat.Number) {
		p := testrig.Around(v.l).Coupling.SeenPose(b.Index())
		if !p.Known {
			return v.pose()
		}
		turn := quat.Mul(p.Turned, quat.Conj(b.Rotation()))
		return r3.Add(p.Centre, r3.Rotation(turn).Rotate(r3.Sub(b.Position(), b.CentreOfMass()))), p.Turned
	}
	if kind != physics.Dynamic {
		v.move = func(u, spin r3.Vec, dt float64) {
			x, q := v.pose()
			turn := quat.Number{Real: 1}
			if angle := reproducible.Norm(spin) * dt; angle > 0 {
				axis := r3.Scale(math.Sin(angle/2)*dt/angle, spin)
				turn = quat.Number{Real: math.Cos(angle / 2), Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}
			}
			testrig.Must(t, b.SetTargetPose(r3.Add(x, r3.Scale(dt, u)), quat.Mul(turn, q), dt))
		}
	}
	return b
}

// newVessel makes a vessel of a form: box, sphere or cylinder. Its hollow is .7 m wide.
func newVessel(t *testing.T, form string, wall float64, domain r3.Box) *vessel {
	v := &vessel{l: testrig.New(t, fluid.Def{Domain: domain, CellSize: vesselCell}), size: .7, wall: wall}
	v.shape, v.hollow = vesselShape(form, v.size/2+wall), vesselShape(form, v.size/2)
	return v
}

func vesselShape(form string, r float64) fluid.SDF {
	switch form {
	case "sphere":
		return fluid.Sphere(r3.Vec{}, r)
	case "cylinder":
		return fluid.Cylinder(r3.Vec{Y: -r}, r3.Vec{Y: r}, r)
	}
	return fluid.Box(r3.Box{Min: r3.Vec{X: -r, Y: -r, Z: -r}, Max: r3.Vec{X: r, Y: r, Z: r}})
}

// sealedCase is how a vessel is moved: to and fro along x, turning, or thrown.
type sealedCase struct {
	form, kind        string
	wall, speed, spin float64
	hz                float64
	fill              float64 // of the hollow's height
	off               float64 // m, off the grid
}

// run moves a vessel for some seconds and returns the greatest part of its liquid that is outside, or if dry, of its volume that is
// Wet inside.
func (c *sealedCase) run(t *testing.T, seconds float64, dry bool) (worst float64) {
	t.Helper()
	domain := testrig.Box(2, 2, 2)
	if c.speed > 0 && c.kind != "thrown" {
		domain = testrig.Box(3, 1.6, 1.6)
	}
	v := newVessel(t, c.form, c.wall, domain)
	at := r3.Add(r3.Scale(.5, domain.Max), r3.Vec{X: c.off, Y: .7 * c.off, Z: .3 * c.off})
	axis := r3.Unit(r3.Vec{X: 1, Y: 2, Z: .5})
	switch c.kind {
	case "obstacle":
		v.asObstacle(t, at)
	case "kinematic":
		v.asBody(t, physics.Kinematic, at)
	default:
		b := v.asBody(t, physics.Dynamic, at)
		testrig.Must(t, b.SetVelocity(r3.Vec{X: .8 * c.speed, Y: .3 * c.speed, Z: .5 * c.speed}))
		testrig.Must(t, b.SetAngularVelocity(r3.Scale(c.spin, axis)))
	}
	inner, hollow := fluid.Transform(v.shape, quat.Number{Real: 1}, at), fluid.Transform(v.hollow, quat.Number{Real: 1}, at)
	half := v.size / 2
	level := at.Y - half + c.fill*v.size
	if dry {
		testrig.Must(t, v.l.Fill(fluid.Difference(fluid.Below(level), inner)))
	} else if err := v.l.Fill(fluid.Intersection(hollow, fluid.Below(level))); err != nil {
		t.Fatal(err)
	}
	dt, dir := 1/c.hz, 1.
	whole := v.l.Ledger().FilledL
	by := vesselCell // the vessel may be a part of a step ahead of the surface
	if dry {
		whole, by = v.size*v.size*v.size/testrig.Litre, -c.wall-vesselCell
	}
	for range int(math.Round(seconds * c.hz)) {
		if v.move != nil {
			x, _ := v.pose()
			if reach := x.X + dir*c.speed*dt; c.speed > 0 && (reach > domain.Max.X-half-.3 || reach < half+.3) {
				dir = -dir
			}
			v.move(r3.Vec{X: dir * c.speed}, r3.Scale(c.spin, axis), dt)
		}
		if r := *v.l.Step(dt); r.Err != nil {
			t.Fatal(r.Err)
		}
		worst = max(worst, v.litres(by)/whole)
	}
	return worst
}

// tightAre moves vessels for half a second, only the first of them in short tests, and wants nothing to pass their walls.
func tightAre(t *testing.T, cases []sealedCase, short int, dry bool) {
	t.Helper()
	if testing.Short() {
		cases = cases[:short]
	}
	for _, c := range cases {
		leak := c.run(t, .5, dry)
		t.Logf("%+v: %.4f %%", c, 100*leak)
		if leak > 1e-3 {
			t.Errorf("%+v: %.3g %% passed the walls", c, 100*leak)
		}
	}
}

// Nothing leaks from a closed vessel with walls thinner than a cell, however far they move in a step: tossed to and fro, turned or
// thrown about.
func TestSealedVesselsLeakNothing(t *testing.T) {
	cases := []sealedCase{
		{form: "box", kind: "kinematic", wall: .025, speed: 6, hz: 60, fill: 1, off: .013},
		{form: "box", kind: "kinematic", wall: .025, spin: 12, hz: 60, fill: .6, off: .013},
		{form: "box", kind: "obstacle", wall: .025, speed: 3, hz: 60, fill: 1, off: .05},
		{form: "box", kind: "thrown", wall: .025, speed: 5, spin: 6, hz: 60, fill: 1, off: .013},
		{form: "box", kind: "thrown", wall: .1, speed: 6, spin: 15, hz: 30, fill: .5, off: .07},
		{form: "sphere", kind: "obstacle", wall: .025, spin: 15, hz: 30, fill: .5, off: .02},
		{form: "cylinder", kind: "obstacle", wall: .1, speed: 6, hz: 30, fill: .5, off: .04},
		{form: "box", kind: "kinematic", wall: .1, speed: 1, hz: 240, fill: 1, off: .03},
	}
	tightAre(t, cases, 4, false)
}

// A closed, empty vessel that is dragged or turned in a pool stays dry.
func TestSealedVesselsStayDry(t *testing.T) {
	cases := []sealedCase{
		{form: "box", kind: "kinematic", wall: .025, speed: 4, hz: 60, fill: .7, off: .06},
		{form: "box", kind: "kinematic", wall: .025, spin: 7, hz: 60, fill: .9, off: .08},
		{form: "cylinder", kind: "obstacle", wall: .1, spin: 4, hz: 60, fill: 1, off: .012},
		{form: "sphere", kind: "obstacle", wall: .025, speed: 5, hz: 30, fill: .9, off: .03},
	}
	tightAre(t, cases, 2, true)
}

// A vessel whose steps are of different lengths, so that it comes further in one than its velocity after it tells, leaks nothing.
func TestSealedVesselLeaksNothingInUnevenSteps(t *testing.T) {
	for _, kind := range []string{"kinematic", "obstacle"} {
		v := newVessel(t, "box", .025, testrig.Box(3, 1.6, 1.6))
		at := r3.Vec{X: .8, Y: .813, Z: .807}
		if kind == "obstacle" {
			v.asObstacle(t, at)
		} else {
			v.asBody(t, physics.Kinematic, at)
		}
		testrig.Must(t, v.l.Fill(fluid.Transform(v.shape, quat.Number{Real: 1}, at)))
		filled := v.l.Ledger().FilledL
		for n := range 30 {
			dt := []float64{1. / 30, 1. / 120, 1. / 50}[n%3]
			v.move(r3.Vec{X: []float64{6, -6, 2, 0, -3}[n%5]}, r3.Vec{}, dt)
			if r := *v.l.Step(dt); r.Err != nil {
				t.Fatal(r.Err)
			}
			if out := v.litres(vesselCell) / filled; out > 1e-3 {
				t.Fatalf("%s: step %d: %.3g %% of the liquid is outside", kind, n, 100*out)
			}
		}
	}
}

// Thin walls that move fast in liquid ask for substeps; a warning names the body where these end. Thick or slow ones, and those in the
// air, ask for none.
func TestSwiftThinWallsAskForSubsteps(t *testing.T) {
	for _, c := range []struct {
		kind        string
		wall, speed float64
		level       float64
		most        int
		want        int
		warns       string
	}{
		{"kinematic", .025, 5.9, .8, 0, 2, ""},
		{"kinematic", .1, 5.9, .8, 0, 1, ""},
		{"kinematic", .025, 2, .8, 0, 1, ""},
		{"kinematic", .025, 5.9, 0, 0, 1, ""},
		{"kinematic", .025, 11.9, .8, 2, 2, "body 0 (ID "},
		{"obstacle", .025, 5.9, .8, 0, 2, ""},
		{"obstacle", .025, 11.9, .8, 1, 1, "obstacle 0 "},
	} {
		v := newVessel(t, "box", c.wall, testrig.Box(3, 1.6, 1.6))
		if c.most > 0 {
			testrig.Definition(v.l).Numerics.MaxSubsteps, testrig.FV(v.l).Settings.MaxSubsteps = c.most, c.most
		}
		at := r3.Vec{X: 1.5, Y: .8, Z: .8}
		if c.kind == "obstacle" {
			v.asObstacle(t, at)
		} else {
			v.asBody(t, physics.Kinematic, at)
		}
		if c.level > 0 {
			testrig.Must(t, v.l.Fill(fluid.Below(c.level)))
		}
		const dt = 1. / 60
		v.move(r3.Vec{X: c.speed}, r3.Vec{}, dt)
		r := *v.l.Step(dt)
		if r.Substeps != c.want {
			t.Errorf("%+v: %d substeps, want %d", c, r.Substeps, c.want)
		}
		named := false
		for _, w := range r.Warnings {
			if strings.Contains(w.Text, "thin walls") {
				named = true
				if c.warns == "" || !strings.Contains(w.Text, c.warns) || w.Knob != "Numerics.MaxSubsteps" {
					t.Errorf("%+v: warned of %q: %s", c, w.Knob, w.Text)
				}
			}
		}
		if !named && c.warns != "" {
			t.Errorf("%+v: no warning names it: %v", c, r.Warnings)
		}
	}
}
