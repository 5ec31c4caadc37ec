package fluid

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// drifting is a tank with a crate, a cork too small for the grid, and a tap whose drops fall into it.
type drifting struct {
	l     *Liquid
	w     *physics.World
	crate physics.Body
	cork  physics.Body
}

func newDrifting(t *testing.T, d Def, gravity r3.Vec) *drifting {
	t.Helper()
	d.Domain, d.CellSize = box(1.6, 1.6, 1.6), .1
	a := &drifting{l: mustNew(t, d), w: physics.NewWorld(physics.WorldDef{Gravity: gravity, NoSleep: true})}
	a.crate = a.body(t, .4, 500, r3.Vec{X: .53, Y: .7, Z: .8})
	for _, inward := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}} {
		wall, err := a.w.AddBody(physics.BodyDef{Kind: physics.Static, Position: r3.Add(r3.Vec{X: .8, Y: .8, Z: .8}, r3.Scale(-.8, inward))})
		if err == nil {
			_, err = wall.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, inward)})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a.cork = a.body(t, .05, 200, r3.Vec{X: 1.1, Y: .5, Z: .8})
	a.l.Couple(a.w.Coupling())
	return a
}

func (a *drifting) body(t *testing.T, edge, density float64, at r3.Vec) physics.Body {
	t.Helper()
	b, err := a.w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: at})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(edge, edge, edge)), Density: density})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (a *drifting) run(t *testing.T, steps int) (drops int) {
	t.Helper()
	for range steps {
		if r := a.l.Step(1. / 60); r.RolledBack {
			t.Fatal(r.Reason)
		}
		drops = max(drops, fvOf(a.l).Spray.Len())
	}
	return drops
}

// A field that is the same everywhere does all that gravity does: to the liquid, its drops, what floats, what is too small for the grid, and queries.
func TestUniformFieldIsGravity(t *testing.T) {
	down := r3.Vec{Y: -9.81}
	a, b, c := newDrifting(t, Def{}, down), newDrifting(t, Def{Weightless: true}, down), newDrifting(t, Def{Gravity: r3.Vec{X: 2, Y: -4}}, down)
	for _, f := range []struct {
		l     *Liquid
		field Field
	}{{b.l, Field{Axis: r3.Vec{Y: -1}, Strength: 9.81}}, {c.l, Field{Axis: r3.Vec{X: -1}, Strength: 2}}, {c.l, Field{Axis: r3.Vec{Y: 1}, Strength: down.Y + 4}}} {
		if _, err := f.l.AddField(f.field); err != nil {
			t.Fatal(err)
		}
	}
	drops := [3]int{}
	for i, x := range []*drifting{a, b, c} {
		if err := x.l.Fill(Union(Below(.6), Sphere(r3.Vec{X: 1.2, Y: 1.3, Z: .4}, .08))); err != nil {
			t.Fatal(err)
		}
		fvOf(x.l).Spray.Add([3]float32{1.3, 1.3, 1.3}, [3]float32{.2, .5, 0}, .01)
		drops[i] = x.run(t, 40)
	}
	if drops[0] == 0 {
		t.Error("there were no drops")
	}
	want := [2]Sample{}
	at := []r3.Vec{{X: .2, Y: .3, Z: .3}, {X: 1.3, Y: 1.1, Z: 1.3}}
	a.l.Sample(at, want[:])
	for i, x := range []*drifting{b, c} {
		got := [2]Sample{}
		x.l.Sample(at, got[:])
		crate, cork := r3.Sub(x.crate.Position(), a.crate.Position()), r3.Sub(x.cork.Position(), a.cork.Position())
		if r3.Norm(crate) > 1e-9 || r3.Norm(cork) > 1e-9 || drops[i+1] != drops[0] {
			t.Errorf("crate %v, cork %v, %d drops; want %v, %v, %d", x.crate.Position(), x.cork.Position(), drops[i+1], a.crate.Position(), a.cork.Position(), drops[0])
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
	a := newDrifting(t, Def{Weightless: true}, r3.Vec{})
	if err := a.crate.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.l.AddField(Field{Kind: RadialField, Centre: middle, Strength: -9}); err != nil {
		t.Fatal(err)
	}
	if err := a.l.Fill(Sphere(middle, .5)); err != nil {
		t.Fatal(err)
	}
	if err := a.cork.SetPose(r3.Add(middle, r3.Vec{X: -.2, Y: .1}), quat.Number{Real: 1}); err != nil {
		t.Fatal(err)
	}
	drop := [3]float32{.8, 1.5, .8}
	fvOf(a.l).Spray.Add(drop, [3]float32{}, .005)
	a.run(t, 12)
	d := fvOf(a.l).Spray
	if shown := a.l.Surface().Droplets; len(shown) < 4 || math.Abs(float64(drop[1]-shown[1])-.5*9*.2*.2) > .02 {
		t.Errorf("the drop is at %v after .2 s", shown)
	}
	var s [1]Sample
	a.l.Sample([]r3.Vec{r3.Add(middle, r3.Vec{Z: .3})}, s[:])
	if math.Abs(s[0].Height-.2) > .05 {
		t.Errorf(".2 m below the surface the liquid is said to be %g m deep", s[0].Height)
	}
	if way := r3.Sub(a.cork.Position(), middle); way.X > -.3 || way.Y < .15 || math.Abs(way.Z) > .02 {
		t.Errorf("the cork, which the field itself leaves alone, is pressed out to %v from the middle; want twice the way from (-.2, .1, 0) at least", way)
	}
	a.run(t, 30)
	if d.Len() != 0 {
		t.Error("the drop never came to the ball")
	}
}

// Gravity that changes while the game runs changes for liquid and bodies alike, and is state.
func TestSetGravity(t *testing.T) {
	a := newDrifting(t, Def{}, r3.Vec{Y: -9.81})
	if err := a.l.Fill(Below(.6)); err != nil {
		t.Fatal(err)
	}
	a.run(t, 60)
	for _, bad := range []r3.Vec{{X: math.NaN()}, {Y: math.Inf(1)}, {Z: 2e4}} {
		was := a.l.Hash()
		if err := a.l.SetGravity(bad); err == nil || a.l.Hash() != was || a.w.Gravity().Y != -9.81 {
			t.Errorf("SetGravity(%v): %v", bad, err)
		}
	}
	other := newDrifting(t, Def{}, r3.Vec{Y: -9.81})
	side := r3.Vec{X: 9.81}
	if err := a.l.SetGravity(side); err != nil {
		t.Fatal(err)
	}
	if a.w.Gravity() != side {
		t.Errorf("the bodies' gravity is %v", a.w.Gravity())
	}
	var file bytes.Buffer
	if err := a.l.Save(&file); err != nil {
		t.Fatal(err)
	}
	a.w.CopyTo(other.w)
	if err := other.l.Restore(&file); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		a.run(t, 1)
		other.run(t, 1)
	}
	if a.l.Hash() != other.l.Hash() {
		t.Error("what was restored fell another way")
	}
	if err := other.l.SetGravity(r3.Vec{}); err != nil || !other.l.Def().Weightless {
		t.Errorf("no gravity: %v, %+v", err, other.l.Def())
	}
	if err := a.l.CopyTo(other.l); err != nil || other.l.Def().Gravity != side || other.l.Hash() != a.l.Hash() {
		t.Errorf("copied: %v, gravity %v", err, other.l.Def().Gravity)
	}
}

// What gravity was before makes no difference to a liquid that is filled after it was changed.
func TestGravityIsWhatItWasSetTo(t *testing.T) {
	down, side := r3.Vec{Y: -9.81}, r3.Vec{X: 9.81}
	a, b := newDrifting(t, Def{}, down), newDrifting(t, Def{Gravity: side}, side)
	a.run(t, 1)
	b.run(t, 1)
	if err := a.l.SetGravity(side); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*drifting{a, b} {
		for _, body := range []physics.Body{x.crate, x.cork} {
			if err := body.SetVelocity(r3.Vec{}); err != nil {
				t.Fatal(err)
			}
			if err := body.SetPose(r3.Vec{X: .9, Y: 20 * body.Mass() / 1000, Z: .8}, quat.Number{Real: 1}); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.l.Fill(Box(between(1, 0, 0, 1.6, 1.6, 1.6))); err != nil {
			t.Fatal(err)
		}
		x.run(t, 120)
	}
	if a.crate.Position() != b.crate.Position() || a.cork.Position() != b.cork.Position() {
		t.Errorf("crate %v, cork %v; want %v, %v", a.crate.Position(), a.cork.Position(), b.crate.Position(), b.cork.Position())
	}
	if x := a.crate.Position().X; math.Abs(x-1) > .1 {
		t.Errorf("the crate floats at x = %g m, the surface is near 1", x)
	}
	if x := a.cork.Position().X; math.Abs(x-1) > .1 {
		t.Errorf("the cork floats at x = %g m, the surface is near 1", x)
	}
}

// Gravity is that of all liquids on the same bodies, whichever is told; one that has left keeps its own, and one that refuses changes none.
func TestGravityOfAGroup(t *testing.T) {
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	var l [3]*Liquid
	for i := range l {
		l[i] = mustNew(t, Def{Domain: box(.8, .8, .8), CellSize: .1})
		if err := l[i].Fill(Below(.4)); err != nil {
			t.Fatal(err)
		}
		l[i].Couple(w.Coupling())
	}
	for range 60 { // until they sleep
		l[0].Step(frame)
	}
	l[2].Couple(nil)
	tilted := r3.Vec{X: 5, Y: -5}
	if err := l[1].SetGravity(tilted); err != nil {
		t.Fatal(err)
	}
	if err := l[0].SetGravity(r3.Vec{Y: math.Inf(1)}); err == nil {
		t.Error("an infinite gravity is taken")
	}
	if w.Gravity() != tilted || l[0].Def().Gravity != tilted || l[1].Def().Gravity != tilted || l[2].Def().Gravity != (r3.Vec{Y: -9.81}) {
		t.Errorf("bodies %v, liquids %v, %v, and one alone %v", w.Gravity(), l[0].Def().Gravity, l[1].Def().Gravity, l[2].Def().Gravity)
	}
	for range 30 {
		l[0].Step(frame)
		l[2].Step(frame)
	}
	at := []r3.Vec{{X: .1, Y: .3, Z: .4}, {X: .7, Y: .3, Z: .4}}
	for i, want := range []bool{true, true, false} {
		var s [2]Sample
		l[i].Sample(at, s[:])
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
		def   Def
		world r3.Vec
		want  r3.Vec
		later r3.Vec // when the world's gravity is other
	}{
		"none of its own":    {Def{}, moon, moon, other},
		"its own":            {Def{Gravity: earth}, moon, earth, earth},
		"weightless":         {Def{Weightless: true}, moon, r3.Vec{}, r3.Vec{}},
		"weightless bodies":  {Def{}, r3.Vec{}, earth, earth},
		"as the bodies have": {Def{}, earth, earth, other},
	} {
		c.def.Domain, c.def.CellSize = box(.4, .4, .4), .1
		l, w := mustNew(t, c.def), physics.NewWorld(physics.WorldDef{Gravity: c.world})
		l.Couple(w.Coupling())
		l.Step(frame)
		if got := l.Def().Gravity; got != c.want {
			t.Errorf("%s: gravity %v, want %v", name, got, c.want)
		}
		if err := w.SetGravity(other); err != nil {
			t.Fatal(err)
		}
		l.Step(frame)
		if got := l.Def().Gravity; got != c.later {
			t.Errorf("%s: gravity %v after the bodies' was changed, want %v", name, got, c.later)
		}
	}
}
