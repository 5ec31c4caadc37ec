package fields_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A field that is the same everywhere does all that gravity does: to the liquid, its drops, what floats, what is too small for the grid, and queries.
func TestUniformFieldIsGravity(t *testing.T) {
	down := r3.Vec{Y: -9.81}
	a, b, c := testrig.NewDrifting(t, fluid.Def{}, down), testrig.NewDrifting(t, fluid.Def{Physics: fluid.Physics{Weightless: true}}, down), testrig.NewDrifting(t, fluid.Def{Physics: fluid.Physics{Gravity: r3.Vec{X: 2, Y: -4}}}, down)
	for _, f := range []struct {
		l     *fluid.Liquid
		field fluid.Field
	}{{b.L, fluid.Field{Axis: r3.Vec{Y: -1}, Strength: 9.81}}, {c.L, fluid.Field{Axis: r3.Vec{X: -1}, Strength: 2}}, {c.L, fluid.Field{Axis: r3.Vec{Y: 1}, Strength: down.Y + 4}}} {
		if _, err := f.l.AddField(f.field); err != nil {
			t.Fatal(err)
		}
	}
	drops := [3]int{}
	for i, x := range []*testrig.Drifting{a, b, c} {
		testrig.Must(t, x.L.Fill(fluid.Union(fluid.Below(.6), fluid.Sphere(r3.Vec{X: 1.2, Y: 1.3, Z: .4}, .08))))
		testrig.FV(x.L).Spray.Add([3]float32{1.3, 1.3, 1.3}, [3]float32{.2, .5, 0}, .01)
		drops[i] = x.Run(t, 40)
	}
	if drops[0] == 0 {
		t.Error("there were no drops")
	}
	want := [2]fluid.Sample{}
	at := []r3.Vec{{X: .2, Y: .3, Z: .3}, {X: 1.3, Y: 1.1, Z: 1.3}}
	a.L.Sample(want[:], at)
	for i, x := range []*testrig.Drifting{b, c} {
		got := [2]fluid.Sample{}
		x.L.Sample(got[:], at)
		crate, cork := r3.Sub(x.Crate.Position(), a.Crate.Position()), r3.Sub(x.Cork.Position(), a.Cork.Position())
		if r3.Norm(crate) > 1e-9 || r3.Norm(cork) > 1e-9 || drops[i+1] != drops[0] {
			t.Errorf("crate %v, cork %v, %d drops; want %v, %v, %d", x.Crate.Position(), x.Cork.Position(), drops[i+1], a.Crate.Position(), a.Cork.Position(), drops[0])
		}
		for k := range got {
			if p := &got[k].Pressure; math.Abs(*p-want[k].Pressure) < 1e-7*math.Abs(*p) {
				*p = want[k].Pressure // of sums of accelerations the last digit may differ
			}
			if r3.Norm(r3.Sub(got[k].Velocity, want[k].Velocity)) < 1e-5 {
				got[k].Velocity = want[k].Velocity
			}
			if got[k] != want[k] {
				t.Errorf("%+v, want %+v", got[k], want[k])
			}
		}
	}
}

// A weightless ball of liquid that a field draws to its middle carries a cork out to its surface, and takes drops in. Height is away from the middle.
func TestFieldsThatDrawToAMiddle(t *testing.T) {
	middle := r3.Vec{X: .8, Y: .8, Z: .8}
	a := testrig.NewDrifting(t, fluid.Def{Physics: fluid.Physics{Weightless: true}}, r3.Vec{})
	testrig.Must(t, a.Crate.Remove())
	if _, err := a.L.AddField(fluid.Field{Kind: fluid.RadialField, Centre: middle, Strength: -9}); err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, a.L.Fill(fluid.Sphere(middle, .5)))
	testrig.Must(t, a.Cork.SetPose(r3.Add(middle, r3.Vec{X: -.2, Y: .1}), quat.Number{Real: 1}))
	drop := [3]float32{.8, 1.5, .8}
	testrig.FV(a.L).Spray.Add(drop, [3]float32{}, .005)
	a.Run(t, 12)
	d := testrig.FV(a.L).Spray
	if shown := a.L.Surface().Droplets; len(shown) < 4 || math.Abs(float64(drop[1]-shown[1])-.5*9*.2*.2) > .02 {
		t.Errorf("the drop is at %v after .2 s", shown)
	}
	var s [1]fluid.Sample
	a.L.Sample(s[:], []r3.Vec{r3.Add(middle, r3.Vec{Z: .3})})
	if math.Abs(s[0].Height-.2) > .05 {
		t.Errorf(".2 m below the surface the liquid is said to be %g m deep", s[0].Height)
	}
	if way := r3.Sub(a.Cork.Position(), middle); way.X > -.3 || way.Y < .15 || math.Abs(way.Z) > .02 {
		t.Errorf("the cork, which the field itself leaves alone, is pressed out to %v from the middle; want twice the way from (-.2, .1, 0) at least", way)
	}
	a.Run(t, 30)
	if d.Len() != 0 {
		t.Error("the drop never came to the ball")
	}
}

// Gravity that changes while the game runs changes for liquid and bodies alike, and is state.
func TestSetGravity(t *testing.T) {
	a := testrig.NewDrifting(t, fluid.Def{}, r3.Vec{Y: -9.81})
	testrig.Must(t, a.L.Fill(fluid.Below(.6)))
	a.Run(t, 60)
	for _, bad := range []r3.Vec{{X: math.NaN()}, {Y: math.Inf(1)}, {Z: 2e4}} {
		was := a.L.Hash()
		if err := a.L.SetGravity(bad); err == nil || a.L.Hash() != was || a.W.Gravity().Y != -9.81 {
			t.Errorf("SetGravity(%v): %v", bad, err)
		}
	}
	other := testrig.NewDrifting(t, fluid.Def{}, r3.Vec{Y: -9.81})
	side := r3.Vec{X: 9.81}
	testrig.Must(t, a.L.SetGravity(side))
	if a.W.Gravity() != side {
		t.Errorf("the bodies' gravity is %v", a.W.Gravity())
	}
	var file bytes.Buffer
	testrig.Must(t, a.L.Save(&file))
	a.W.CopyTo(other.W)
	testrig.Must(t, other.L.Restore(&file))
	for range 60 {
		a.Run(t, 1)
		other.Run(t, 1)
	}
	if a.L.Hash() != other.L.Hash() {
		t.Error("what was restored fell another way")
	}
	if err := other.L.SetGravity(r3.Vec{}); err != nil || !other.L.Def().Physics.Weightless {
		t.Errorf("no gravity: %v, %+v", err, other.L.Def())
	}
	if err := a.L.CopyTo(other.L); err != nil || other.L.Def().Physics.Gravity != side || other.L.Hash() != a.L.Hash() {
		t.Errorf("copied: %v, gravity %v", err, other.L.Def().Physics.Gravity)
	}
}

// What gravity was before makes no difference to a liquid that is filled after it was changed.
func TestGravityIsWhatItWasSetTo(t *testing.T) {
	down, side := r3.Vec{Y: -9.81}, r3.Vec{X: 9.81}
	a, b := testrig.NewDrifting(t, fluid.Def{}, down), testrig.NewDrifting(t, fluid.Def{Physics: fluid.Physics{Gravity: side}}, side)
	a.Run(t, 1)
	b.Run(t, 1)
	testrig.Must(t, a.L.SetGravity(side))
	for _, x := range []*testrig.Drifting{a, b} {
		for _, body := range []physics.Body{x.Crate, x.Cork} {
			testrig.Must(t, body.SetVelocity(r3.Vec{}))
			testrig.Must(t, body.SetPose(r3.Vec{X: .9, Y: 20 * body.Mass() / 1000, Z: .8}, quat.Number{Real: 1}))
		}
		testrig.Must(t, x.L.Fill(fluid.Box(testrig.Between(1, 0, 0, 1.6, 1.6, 1.6))))
		x.Run(t, 120)
	}
	if a.Crate.Position() != b.Crate.Position() || a.Cork.Position() != b.Cork.Position() {
		t.Errorf("crate %v, cork %v; want %v, %v", a.Crate.Position(), a.Cork.Position(), b.Crate.Position(), b.Cork.Position())
	}
	if x := a.Crate.Position().X; math.Abs(x-1) > .1 {
		t.Errorf("the crate floats at x = %g m, the surface is near 1", x)
	}
	if x := a.Cork.Position().X; math.Abs(x-1) > .1 {
		t.Errorf("the cork floats at x = %g m, the surface is near 1", x)
	}
}

// Gravity is that of all liquids on the same bodies, whichever is told; one that has left keeps its own, and one that refuses changes none.
func TestGravityOfAGroup(t *testing.T) {
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	var l [3]*fluid.Liquid
	for i := range l {
		l[i] = testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1})
		testrig.Must(t, l[i].Fill(fluid.Below(.4)))
		l[i].Couple(w.Coupling())
	}
	for range 60 { // until they sleep
		l[0].Step(testrig.Frame)
	}
	l[2].Couple(nil)
	tilted := r3.Vec{X: 5, Y: -5}
	testrig.Must(t, l[1].SetGravity(tilted))
	if err := l[0].SetGravity(r3.Vec{Y: math.Inf(1)}); err == nil {
		t.Error("an infinite gravity is taken")
	}
	if w.Gravity() != tilted || l[0].Def().Physics.Gravity != tilted || l[1].Def().Physics.Gravity != tilted || l[2].Def().Physics.Gravity != (r3.Vec{Y: -9.81}) {
		t.Errorf("bodies %v, liquids %v, %v, and one alone %v", w.Gravity(), l[0].Def().Physics.Gravity, l[1].Def().Physics.Gravity, l[2].Def().Physics.Gravity)
	}
	for range 30 {
		l[0].Step(testrig.Frame)
		l[2].Step(testrig.Frame)
	}
	at := []r3.Vec{{X: .1, Y: .3, Z: .4}, {X: .7, Y: .3, Z: .4}}
	for i, want := range []bool{true, true, false} {
		var s [2]fluid.Sample
		l[i].Sample(s[:], at)
		if s[1].Pressure-s[0].Pressure > 300 != want {
			t.Errorf("liquid %d: pressures %g and %g Pa", i, s[0].Pressure, s[1].Pressure)
		}
	}
}

// A liquid that is given no gravity has that of the bodies that it couples, also when the game changes that of the bodies. One with its own keeps it, and
// bodies without any leave the liquid as it is.
func TestGravityIsTheBodies(t *testing.T) {
	earth, moon, other := r3.Vec{Y: -9.81}, r3.Vec{Y: -1.62}, r3.Vec{Z: -3}
	for name, c := range map[string]struct {
		def   fluid.Def
		world r3.Vec
		want  r3.Vec
		later r3.Vec // when the world's gravity is other
	}{
		"none of its own":    {fluid.Def{}, moon, moon, other},
		"its own":            {fluid.Def{Physics: fluid.Physics{Gravity: earth}}, moon, earth, earth},
		"weightless":         {fluid.Def{Physics: fluid.Physics{Weightless: true}}, moon, r3.Vec{}, r3.Vec{}},
		"weightless bodies":  {fluid.Def{}, r3.Vec{}, earth, earth},
		"as the bodies have": {fluid.Def{}, earth, earth, other},
	} {
		c.def.Domain, c.def.CellSize = testrig.Box(.4, .4, .4), .1
		l, w := testrig.New(t, c.def), physics.NewWorld(physics.WorldDef{Gravity: c.world})
		l.Couple(w.Coupling())
		l.Step(testrig.Frame)
		if got := l.Def().Physics.Gravity; got != c.want {
			t.Errorf("%s: gravity %v, want %v", name, got, c.want)
		}
		testrig.Must(t, w.SetGravity(other))
		l.Step(testrig.Frame)
		if got := l.Def().Physics.Gravity; got != c.later {
			t.Errorf("%s: gravity %v after the bodies' was changed, want %v", name, got, c.later)
		}
	}
}
