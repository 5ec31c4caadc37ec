package fluid_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// What is given a place wholly outside of the domain is taken, as it may come in, and named in the next report, but in no later one.
func TestOutsideOfTheDomainIsNamed(t *testing.T) {
	away, astride := fluid.Box(testrig.Cuboid(2, 0, 0, 3, 1, 1)), fluid.Box(testrig.Cuboid(1.5, 0, 0, 3, 1, 1))
	var l *fluid.Liquid
	calls := map[string]func(s fluid.SDF, at float64) error{
		"the shape given to Fill":  func(s fluid.SDF, _ float64) error { return l.Fill(s) },
		"the shape given to Drain": func(s fluid.SDF, _ float64) error { return l.Drain(s) },
		"obstacle 0":               func(s fluid.SDF, _ float64) error { _, err := l.AddObstacle(s); return err },
		"emitter 0": func(s fluid.SDF, _ float64) error {
			_, err := l.AddEmitter(fluid.EmitterDef{Shape: s, Rate: 1})
			return err
		},
		"sink 0": func(s fluid.SDF, _ float64) error { _, err := l.AddSink(s, 1); return err },
		"field 0": func(_ fluid.SDF, at float64) error {
			_, err := l.AddField(fluid.Field{Kind: fluid.RadialField, Centre: r3.Vec{X: at}, Radius: .5, Strength: 1})
			return err
		},
	}
	for what, call := range calls {
		for _, outside := range []bool{true, false} {
			l = testrig.Tub(t)
			s, at := astride, 1.8
			if outside {
				s, at = away, 2.2
			}
			if err := call(s, at); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for n := range 2 {
				named := false
				for _, w := range l.Step(testrig.Frame).Warnings {
					named = named || strings.HasPrefix(w.Text, what+" is wholly outside of the domain") && w.Knob != ""
				}
				if named != (outside && n == 0) {
					t.Errorf("%s, outside %v: named in report %d: %v", what, outside, n+1, named)
				}
			}
		}
	}
	// A field without a radius is everywhere, an infinite shape reaches in, and of many calls the last are left out.
	l = testrig.Tub(t)
	if _, err := l.AddField(fluid.Field{Axis: r3.Vec{X: 1}, Strength: 1, Centre: r3.Vec{X: 9}}); err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.Fill(fluid.Below(-1)))
	for range 1000 {
		testrig.Must(t, l.Drain(away))
	}
	for range 2 * fluid.MostLater {
		testrig.Must(t, l.Drain(&flawed{SDF: fluid.Box(testrig.Cuboid(.3, .1, .2, .9, .3, .6)), value: float32(testrig.NaN), one: 200}))
	}
	if r := *l.Step(testrig.Frame); len(r.Warnings) > fluid.MostLater+1 || !strings.HasPrefix(r.Warnings[0].Text, "the shape given to Fill") {
		t.Errorf("%d warnings, the first %v", len(r.Warnings), r.Warnings[0])
	}
}

// The walls of a room at the domain's sides take nothing from the liquid, and it stays as calm.
func TestRoomAroundTheDomain(t *testing.T) {
	for _, domain := range []r3.Box{testrig.Box(.8, .6, .8), testrig.Cuboid(-.37, .11, 2.03, .41, .73, 2.8)} {
		l := testrig.New(t, fluid.Def{Domain: domain, CellSize: .1})
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		if _, err := w.AddRoom(physics.RoomDef{Inside: l.Def().Domain, Open: physics.RoomSides{MaxY: true}}); err != nil {
			t.Fatal(err)
		}
		level := domain.Min.Y + .3
		testrig.Must(t, l.Fill(fluid.Below(level)))
		bare := l.Ledger().FilledL
		l.Couple(w.Coupling())
		r := testrig.GoesOn(t, l, 10)
		size := domain.Size()
		if want := 1000 * size.X * size.Z * .3; bare < .99*want || r.Ledger.HeldL < .995*bare || r.MaxSpeed > .02 {
			t.Errorf("%v: %.4g of %.4g litres are held, %.3g m/s", domain, r.Ledger.HeldL, want, r.MaxSpeed)
		}
		b := testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Add(domain.Center(), r3.Vec{Y: .05}), Velocity: r3.Vec{X: 6, Z: 2}},
			physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, .2, .2)), Density: 500})
		testrig.GoesOn(t, l, 45)
		if at := b.Position(); !boxes.Contains(domain, at) {
			t.Errorf("%v: the crate is at %v", domain, at)
		}
	}
}

// A mouth that is moved out of the domain is named once: when it leaves, not while it is led about out there or inside, nor when it comes back.
func TestMouthMovedOutsideIsNamed(t *testing.T) {
	for what, add := range map[string]func(l *fluid.Liquid) (move func(r3.Vec) error, err error){
		"emitter 0": func(l *fluid.Liquid) (func(r3.Vec) error, error) {
			id, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: 1, Y: .5, Z: .5}, .2), Rate: 1})
			return func(v r3.Vec) error { return l.MoveEmitter(id, v, quat.Number{}) }, err
		},
		"sink 0": func(l *fluid.Liquid) (func(r3.Vec) error, error) {
			id, err := l.AddSink(fluid.Sphere(r3.Vec{X: 1, Y: .5, Z: .5}, .2), 1)
			return func(v r3.Vec) error { return l.MoveSink(id, v, quat.Number{}) }, err
		},
	} {
		l := testrig.Tub(t)
		move, err := add(l)
		if err != nil {
			t.Fatal(err)
		}
		for n, c := range []struct {
			x    float64
			want bool
		}{{0, false}, {.4, false}, {5, true}, {6, false}, {7, false}, {0, false}, {-5, true}} {
			testrig.Must(t, move(r3.Vec{X: c.x}))
			named := false
			for _, w := range l.Step(testrig.Frame).Warnings {
				named = named || strings.HasPrefix(w.Text, what+" is wholly outside of the domain")
			}
			if named != c.want {
				t.Errorf("%s, move %d, to %g m: named %v", what, n, c.x, named)
			}
		}
	}
}
