package fluid

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/physics"
)

// ballMesh is an octahedron refined n times, on a sphere around the origin.
func ballMesh(n int, radius float64) (at []r3.Vec, triangles [][3]int32) {
	at = []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}
	triangles = [][3]int32{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}
	for range n {
		mid := map[[2]int32]int32{}
		half := func(a, b int32) int32 {
			k := [2]int32{min(a, b), max(a, b)}
			i, ok := mid[k]
			if !ok {
				i = int32(len(at))
				mid[k], at = i, append(at, r3.Unit(r3.Add(at[a], at[b])))
			}
			return i
		}
		var next [][3]int32
		for _, t := range triangles {
			a, b, c := half(t[0], t[1]), half(t[1], t[2]), half(t[2], t[0])
			next = append(next, [3]int32{t[0], a, c}, [3]int32{a, t[1], b}, [3]int32{c, b, t[2]}, [3]int32{a, b, c})
		}
		triangles = next
	}
	for i := range at {
		at[i] = r3.Scale(radius, at[i])
	}
	return at, triangles
}

// bulged is a ball's vertices, stretched upwards by a factor, its volume kept.
func bulged(at []r3.Vec, by float64) []r3.Vec {
	out := make([]r3.Vec, len(at))
	for i, x := range at {
		out[i] = r3.Vec{X: x.X / math.Sqrt(by), Y: x.Y * by, Z: x.Z / math.Sqrt(by)}
	}
	return out
}

// ballClip is a ball that goes to and fro along an axis by reach, m, and bulges, in a second that can be looped.
func ballClip(t testing.TB, radius float64, reach r3.Vec) *control.Clip {
	t.Helper()
	at, triangles := ballMesh(2, radius)
	var frames []control.Frame
	for n := range 13 {
		s := math.Sin(2 * math.Pi * float64(n) / 12)
		f := control.Frame{Time: float64(n) / 12, Positions: bulged(at, 1+.2*s)}
		for i := range f.Positions {
			f.Positions[i] = r3.Add(f.Positions[i], r3.Scale(s, reach))
		}
		frames = append(frames, f)
	}
	c, err := control.NewClip(triangles, frames)
	must(t, err)
	return c
}

// actor is a source by a function of time, as a game's own may be.
type actor struct {
	at        func(t float64, dst []r3.Vec)
	triangles [][3]int32
	n         int
	spoil     func(m *control.Mesh)
	length    float64
}

func (a *actor) Duration() float64 { return a.length }

func (a *actor) At(t float64, m *control.Mesh) {
	for len(m.Positions) < a.n {
		m.Positions = append(m.Positions, r3.Vec{})
	}
	for len(m.Velocities) < a.n {
		m.Velocities = append(m.Velocities, r3.Vec{})
	}
	m.Positions, m.Velocities, m.Triangles, m.Revision = m.Positions[:a.n], m.Velocities[:a.n], a.triangles, 7
	a.at(t, m.Positions)
	clear(m.Velocities)
	if a.spoil != nil {
		a.spoil(m)
	}
}

// ballActor is a ball that stands at the origin.
func ballActor(radius float64) *actor {
	at, triangles := ballMesh(2, radius)
	return &actor{at: func(_ float64, dst []r3.Vec) { copy(dst, at) }, triangles: triangles, n: len(at)}
}

// steered is a scene whose liquid is controlled, with what the game holds of it.
type steered struct {
	pairOf
	live *control.Live
	rest []r3.Vec // of live
	ids  []ControlID
	hear func(s *steered, n int) // what the game does before step n
}

// steerings are ways to control a liquid: what a scene adds, and does before each step.
var steerings = map[string]func(t testing.TB, s *steered){
	"strict": func(t testing.TB, s *steered) {
		s.add(t, ControlDef{Clip: ballClip(t, .2, r3.Vec{X: .2}), Strength: 1, Loop: true, Pose: control.Pose{Position: r3.Vec{X: .8, Y: .4, Z: .4}},
			Refill: control.Refill{Rate: 60, From: Below(.12)}})
	},
	"loose": func(t testing.TB, s *steered) {
		clip := ballClip(t, .2, r3.Vec{X: .15})
		weights := make([]float32, clip.Vertices())
		for i := range weights {
			weights[i] = float32(i%3) / 2
		}
		s.add(t, ControlDef{Clip: clip, Strength: .5, Speed: -1.5, Loop: true, Weights: weights, Smoothing: 2, Arrival: control.Appear,
			Pose: control.Pose{Position: r3.Vec{X: .6, Y: .5, Z: .4}, Velocity: r3.Vec{X: .1}, AngularVelocity: r3.Vec{Y: 1, Z: .3}}, Refill: control.Refill{Rate: 5}})
	},
	"drawn": func(t testing.TB, s *steered) {
		s.add(t, ControlDef{Clip: ballClip(t, .16, r3.Vec{Z: .03}), Strength: 1, Loop: true, Arrival: control.Draw, Pose: control.Pose{Position: r3.Vec{X: .9, Y: .5, Z: .4}}})
	},
	"fading": func(t testing.TB, s *steered) {
		d := ControlDef{Clip: ballClip(t, .18, r3.Vec{X: .1}), Strength: .8, Loop: true, Arrival: control.Appear, Pose: control.Pose{Position: r3.Vec{X: .8, Y: .4, Z: .4}}}
		s.add(t, d)
		d.Clip, d.Fade, d.Start = ballClip(t, .15, r3.Vec{Z: .1}), .4, .2
		s.hear = func(s *steered, n int) {
			if n == 3 {
				must(t, s.l.SetControl(s.ids[0], d))
			}
		}
	},
	"live": func(t testing.TB, s *steered) {
		at, triangles := ballMesh(2, .2)
		for i := range at {
			at[i] = r3.Add(at[i], r3.Vec{X: .8, Y: .4, Z: .4})
		}
		live, err := control.NewLive(triangles, at)
		must(t, err)
		s.add(t, ControlDef{Clip: live, Strength: 1})
		s.add(t, ControlDef{Clip: ballClip(t, .1, r3.Vec{X: .1}), Strength: .3, Pose: control.Pose{Position: r3.Vec{X: .3, Y: .3, Z: .4}}})
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
			must(t, s.live.Set(moved, velocities, frame))
			switch n {
			case 14:
				must(t, s.l.SetControl(s.ids[1], ControlDef{Clip: ballClip(t, .1, r3.Vec{X: -.1}), Strength: 0, Pose: control.Pose{Position: r3.Vec{X: .3, Y: .3, Z: .4}}}))
			case 22:
				must(t, s.l.ReleaseControl(s.ids[0]))
			}
		}
	},
}

func (s *steered) add(t testing.TB, d ControlDef) {
	t.Helper()
	id, err := s.l.Control(d)
	must(t, err)
	s.ids = append(s.ids, id)
}

// pool8 is a tank of 1.6 m with 20 cm of water and two crates, whose liquid is to be controlled.
func conducted(t testing.TB, name string, workers int) *steered {
	t.Helper()
	l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .05, Budget: Budget{Work: 3}, Workers: workers})
	must(t, l.Fill(Below(.2)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, density := range []float64{300, 700} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .7 + .4*float64(i), Y: .35, Z: .4}, AngularVelocity: r3.Vec{X: 1, Z: 2}})
		must(t, err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.15, .1, .15)), Density: density})
		must(t, err)
	}
	l.Couple(w.Coupling())
	s := &steered{pairOf: pairOf{l, w}}
	steerings[name](t, s)
	return s
}

// on takes a copy of the scene's liquid, which another liquid has become, for the scene.
func (s *steered) on(p pairOf) *steered {
	c := *s
	c.pairOf = p
	return &c
}

// step is step n. It returns a digest of all that a game reads then.
func (s *steered) step(t testing.TB, n int) string {
	t.Helper()
	if s.hear != nil {
		s.hear(s, n)
	}
	r := s.l.Step(frame)
	if r.RolledBack {
		t.Fatalf("step %d: %s", n, r.Reason)
	}
	return fmt.Sprintf("%x %v", digest(s.l, r, s.w.Coupling()), r.Controls)
}

// Where a shape's surface lies in coarse cells, beside an obstacle, among finer ones, no part of the liquid hangs on the rest by a composite face alone:
// its pressure would have no level, and the flow through that face no limit.
func TestControlInCoarseCells(t *testing.T) {
	for _, strengths := range [][2]float64{{0, .5}, {.5, .5}} {
		l, _ := rocking(t, 1)
		steer(t, l, strengths)
		top := 0.
		for range 110 {
			r := l.Step(frame)
			if r.RolledBack || r.Residual > 1e-3 {
				t.Fatalf("α %g: step %d: %.1f m/s, residual %.2g, %s", strengths, r.Step, r.MaxSpeed, r.Residual, r.Reason)
			}
			top = max(top, r.MaxSpeed)
		}
		t.Run(fmt.Sprint(strengths), func(t *testing.T) { fallsShort(t, "the fastest, m/s", top, 15, 28) })
	}
}

// steer has a liquid follow two balls in the tank of rocking, as tightly as strengths say, both refilled from the tank.
func steer(t testing.TB, l *Liquid, strengths [2]float64) {
	t.Helper()
	for i, strength := range strengths {
		_, err := l.Control(ControlDef{
			Clip: ballClip(t, .15, r3.Vec{Z: .1}), Strength: strength, Loop: true, Refill: control.Refill{Rate: 20, From: Below(.1)},
			Pose: control.Pose{Position: r3.Vec{X: .4 + .7*float64(i), Y: .55, Z: .4}},
		})
		must(t, err)
	}
}
