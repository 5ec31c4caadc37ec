package bodies_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// fullBody is a box with a hollow of .6 m that is full of liquid, weightless, on a slider along x or free.
func fullBody(t *testing.T, d fluid.Def, wall float64, off r3.Vec, slider bool) (*fluid.Liquid, physics.Body) {
	t.Helper()
	d.Domain, d.CellSize, d.Physics.Weightless = testrig.Box(1.7, 1.5, 1.5), .1, true
	l, w := testrig.New(t, d), physics.NewWorld(physics.WorldDef{})
	at := r3.Add(r3.Vec{X: .7, Y: .7, Z: .75}, off)
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: at, NoSleep: true})
	testrig.Must(t, err)
	out := .6 + 2*wall
	for _, s := range []physics.ShapeDef{
		{Geometry: physics.OpenBox(physics.Centred(out, .6+wall, out), wall), Density: 2000},
		{Geometry: physics.Box(physics.Centred(out, wall, out)), Density: 2000, Offset: r3.Vec{Y: (.6 + 2*wall) / 2}},
	} {
		_, err := b.AddShape(s)
		testrig.Must(t, err)
	}
	if slider {
		_, err = w.AddJoint(physics.JointDef{Kind: physics.SliderJoint, B: b, Axis: r3.Vec{X: 1}, Anchor: at})
		testrig.Must(t, err)
	}
	l.Couple(w.Coupling())
	middle, half := r3.Add(at, r3.Vec{Y: wall / 2}), .3+wall/2
	reach := r3.Vec{X: half, Y: half, Z: half}
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Min: r3.Sub(middle, reach), Max: r3.Add(middle, reach)})))
	return l, b
}

// A sealed body full of liquid whose walls are half a cell to one and a half thick, on the grid and off it, on a slider or free: it is accelerated with
// the liquid's mass, and the liquid in it moves as it does. Let be from the start it stays at rest (V45).
func TestFullBody(t *testing.T) { testrig.EachDiscretisation(t, pushFullBody) }

func pushFullBody(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	type fullCase struct {
		tracker fluid.Tracker
		wall    float64
		off     r3.Vec
		dt      float64
		slider  bool
	}
	cases := []fullCase{
		{fluid.LevelSet, .1, r3.Vec{X: .05, Y: .05, Z: .05}, 1. / 60, true},
		{fluid.LevelSet, .1, r3.Vec{X: .05, Y: .05, Z: .05}, 1. / 30, false},
		{fluid.LevelSet, .101, r3.Vec{X: .03, Y: .04, Z: .02}, 1. / 60, true},
		{fluid.Contouring, .1, r3.Vec{X: .05, Y: .05, Z: .05}, 1. / 60, true},
	}
	if !testing.Short() {
		cases = append(cases, fullCase{fluid.LevelSet, .1, r3.Vec{X: .05, Y: .05, Z: .05}, 1. / 30, true},
			fullCase{fluid.LevelSet, .1, r3.Vec{X: .05, Y: .05, Z: .05}, 1. / 60, false}, fullCase{fluid.LevelSet, .15, r3.Vec{X: .03, Y: .03, Z: .03}, 1. / 60, true},
			fullCase{fluid.LevelSet, .05, r3.Vec{X: .03, Y: .03, Z: .03}, 1. / 60, true},
			fullCase{fluid.LevelSet, .075, r3.Vec{X: .017, Y: .044, Z: .031}, 1. / 120, true}, fullCase{fluid.LevelSet, .125, r3.Vec{X: .05, Y: .01, Z: .05}, 1. / 240, true},
			fullCase{fluid.ExplicitMesh, .1, r3.Vec{X: .05, Y: .05, Z: .05}, 1. / 60, true}, fullCase{fluid.LevelSet, .1, r3.Vec{}, 1. / 60, true})
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%d/%.3g/%.3g/%.3g/%v", c.tracker, c.wall, c.off.X, 1/c.dt, c.slider), func(t *testing.T) {
			const force, pushed, whole = 300., .5, 1.2
			l, b := fullBody(t, fluid.Def{Discretisation: of, Tracker: c.tracker}, c.wall, c.off, c.slider)
			within, still := 0., 0.
			want := force / (b.Mass() + 1e3*.6*.6*.6)
			for n := range int(whole/c.dt + .5) {
				at := float64(n) * c.dt
				if at < pushed-c.dt/2 {
					testrig.Must(t, b.ApplyForce(r3.Vec{X: force}, b.CentreOfMass()))
				}
				if r := *l.Step(c.dt); r.Err != nil {
					t.Fatal(r.Err)
				}
				u := b.Velocity().X
				over := testrig.Fastest(l) - u
				if within = max(within, over); at >= pushed {
					still = max(still, over)
				}
				if math.Abs(at+c.dt-pushed) < c.dt/2 {
					if a := u / pushed; !(math.Abs(a-want) <= .01*want) {
						t.Errorf("accelerated by %.4g m/s², want %.4g", a, want)
					}
				}
			}
			t.Logf("up to %.2g m/s faster than the body, %.2g m/s let be", within, still)
			if !c.slider { // as it turns by 1e-4 rad and its walls pass the cells' centres, litres go into corners of cells and come back
				testrig.FallsShort(t, "free: m/s within", still, 1e-3, .2)
			}
			if !(still <= 1e-3 && within <= 5e-3) {
				t.Errorf("liquid in it is %.3g m/s faster than the body, %.3g m/s let be", within, still)
			}
		})
	}
	for _, off := range []float64{.05, .03} {
		l, b := fullBody(t, fluid.Def{Discretisation: of}, .1, r3.Vec{X: off, Y: off, Z: off}, false)
		for range 60 {
			l.Step(1. / 60)
			if u, v := testrig.Fastest(l), r3.Norm(b.Velocity()); !(u <= 1e-3 && v <= 1e-3) {
				t.Fatalf("let be: %.3g m/s within, %.3g m/s outside", u, v)
			}
		}
	}
}
