package controls_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// ballActor is a ball that stands at the origin.
func ballActor(radius float64) *testrig.Actor {
	at, triangles := testrig.BallMesh(2, radius)
	return &testrig.Actor{Move: func(_ float64, dst []r3.Vec) { copy(dst, at) }, Triangles: triangles, N: len(at)}
}

// steered is a scene whose liquid is controlled, with what the game holds of it.
type steered struct {
	testrig.PairOf
	live *control.Live
	rest []r3.Vec // of live
	ids  []fluid.ControlID
	hear func(s *steered, n int) // what the game does before step n
}

// steerings are ways to control a liquid: what a scene adds, and does before each step.
var steerings = map[string]func(t testing.TB, s *steered){
	"strict": func(t testing.TB, s *steered) {
		s.add(t, fluid.ControlDef{Clip: testrig.BallClip(t, .2, r3.Vec{X: .2}), Strength: 1, Loop: true, Pose: control.Pose{Position: r3.Vec{X: .8, Y: .4, Z: .4}},
			Refill: control.Refill{Rate: 60, From: fluid.Below(.12)}})
	},
	"loose": func(t testing.TB, s *steered) {
		clip := testrig.BallClip(t, .2, r3.Vec{X: .15})
		weights := make([]float32, clip.Vertices())
		for i := range weights {
			weights[i] = float32(i%3) / 2
		}
		s.add(t, fluid.ControlDef{Clip: clip, Strength: .5, Speed: -1.5, Loop: true, Weights: weights, Smoothing: 2, Arrival: control.Appear,
			Pose: control.Pose{Position: r3.Vec{X: .6, Y: .5, Z: .4}, Velocity: r3.Vec{X: .1}, AngularVelocity: r3.Vec{Y: 1, Z: .3}}, Refill: control.Refill{Rate: 5}})
	},
	"drawn": func(t testing.TB, s *steered) {
		s.add(t, fluid.ControlDef{Clip: testrig.BallClip(t, .16, r3.Vec{Z: .03}), Strength: 1, Loop: true, Arrival: control.Draw, Pose: control.Pose{Position: r3.Vec{X: .9, Y: .5, Z: .4}}})
	},
	"fading": func(t testing.TB, s *steered) {
		d := fluid.ControlDef{Clip: testrig.BallClip(t, .18, r3.Vec{X: .1}), Strength: .8, Loop: true, Arrival: control.Appear, Pose: control.Pose{Position: r3.Vec{X: .8, Y: .4, Z: .4}}}
		s.add(t, d)
		d.Clip, d.Fade, d.Start = testrig.BallClip(t, .15, r3.Vec{Z: .1}), .4, .2
		s.hear = func(s *steered, n int) {
			if n == 3 {
				testrig.Must(t, s.L.SetControl(s.ids[0], d))
			}
		}
	},
	"live": func(t testing.TB, s *steered) {
		at, triangles := testrig.BallMesh(2, .2)
		for i := range at {
			at[i] = r3.Add(at[i], r3.Vec{X: .8, Y: .4, Z: .4})
		}
		live, err := control.NewLive(triangles, at)
		testrig.Must(t, err)
		s.add(t, fluid.ControlDef{Clip: live, Strength: 1})
		s.add(t, fluid.ControlDef{Clip: testrig.BallClip(t, .1, r3.Vec{X: .1}), Strength: .3, Pose: control.Pose{Position: r3.Vec{X: .3, Y: .3, Z: .4}}})
		s.live, s.rest = live, at
		moved := make([]r3.Vec, len(at))
		s.hear = func(s *steered, n int) {
			for i, x := range s.rest {
				moved[i] = r3.Add(x, r3.Vec{X: .2 * math.Sin(.1*float64(n))})
			}
			velocities := make([]r3.Vec, len(at))
			for i := range velocities {
				velocities[i] = r3.Vec{X: 1.2 * math.Cos(.1*float64(n))}
			}
			testrig.Must(t, s.live.Set(moved, velocities, testrig.Frame))
			switch n {
			case 14:
				testrig.Must(t, s.L.SetControl(s.ids[1], fluid.ControlDef{Clip: testrig.BallClip(t, .1, r3.Vec{X: -.1}), Strength: 0, Pose: control.Pose{Position: r3.Vec{X: .3, Y: .3, Z: .4}}}))
			case 22:
				testrig.Must(t, s.L.RemoveControl(s.ids[0]))
			}
		}
	},
}

func (s *steered) add(t testing.TB, d fluid.ControlDef) {
	t.Helper()
	id, err := s.L.AddControl(d)
	testrig.Must(t, err)
	s.ids = append(s.ids, id)
}

// conducted is a tank of 1.6 m with 20 cm of water and two crates, whose liquid is to be controlled.
func conducted(t testing.TB, of fluid.Discretisation, name string, workers int) *steered {
	t.Helper()
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .05, Discretisation: of, Budget: fluid.Budget{Work: 3}, Resources: fluid.Resources{Workers: workers}})
	testrig.Must(t, l.Fill(fluid.Below(.2)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, density := range []float64{300, 700} {
		testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .7 + .4*float64(i), Y: .35, Z: .4}, AngularVelocity: r3.Vec{X: 1, Z: 2}},
			physics.ShapeDef{Geometry: physics.Box(physics.Centred(.15, .1, .15)), Density: density})
	}
	l.Couple(w.Coupling())
	s := &steered{PairOf: testrig.PairOf{L: l, W: w}}
	steerings[name](t, s)
	return s
}

// on takes a copy of the scene's liquid, which another liquid has become, for the scene.
func (s *steered) on(p testrig.PairOf) *steered {
	c := *s
	c.PairOf = p
	return &c
}

// step is step n. It returns a digest of all that a game reads then.
func (s *steered) step(t testing.TB, n int) string {
	t.Helper()
	if s.hear != nil {
		s.hear(s, n)
	}
	r := *s.L.Step(testrig.Frame)
	if r.Err != nil {
		t.Fatalf("step %d: %s", n, r.Err)
	}
	return fmt.Sprintf("%x %v", testrig.Digest(s.L, r, s.W.Coupling()), r.Controls)
}

// Where a shape's surface lies in coarse cells, beside an obstacle, among finer ones, no part of the liquid hangs on the rest by a composite face alone:
// its pressure would have no level, and the flow through that face no limit.
func TestControlInCoarseCells(t *testing.T) {
	const of = fluid.Cubes
	for _, strengths := range [][2]float64{{.5, .5}, {0, .5}}[:testrig.InShort(1, 2)] {
		l, _ := testrig.RockingWith(t, fluid.Def{Discretisation: of, Resources: fluid.Resources{Workers: 1}})
		testrig.Steer(t, l, strengths)
		top := 0.
		for range 110 {
			r := *l.Step(testrig.Frame)
			if r.Err != nil || r.Residual > 1e-3 {
				t.Fatalf("α %g: step %d: %.1f m/s, residual %.2g, %s", strengths, r.Step, r.MaxSpeed, r.Residual, r.Err)
			}
			top = max(top, r.MaxSpeed)
		}
		t.Run(fmt.Sprint(strengths), func(t *testing.T) { testrig.FallsShort(t, "the fastest, m/s", top, 15, 28) })
	}
}
