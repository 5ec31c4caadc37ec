package testrig

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// BallMesh is an octahedron refined n times, on a sphere around the origin.
func BallMesh(n int, radius float64) (at []r3.Vec, triangles [][3]int32) {
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

// Bulged is a ball's vertices, stretched upwards by a factor, its volume kept.
func Bulged(at []r3.Vec, by float64) []r3.Vec {
	out := make([]r3.Vec, len(at))
	for i, x := range at {
		out[i] = r3.Vec{X: x.X / math.Sqrt(by), Y: x.Y * by, Z: x.Z / math.Sqrt(by)}
	}
	return out
}

// BallClip is a ball that goes to and fro along an axis by reach, m, and bulges, in a second that can be looped.
func BallClip(t testing.TB, radius float64, reach r3.Vec) *control.Clip {
	t.Helper()
	at, triangles := BallMesh(2, radius)
	var frames []control.Frame
	for n := range 13 {
		s := math.Sin(2 * math.Pi * float64(n) / 12)
		f := control.Frame{Time: float64(n) / 12, Positions: Bulged(at, 1+.2*s)}
		for i := range f.Positions {
			f.Positions[i] = r3.Add(f.Positions[i], r3.Scale(s, reach))
		}
		frames = append(frames, f)
	}
	c, err := control.NewClip(triangles, frames)
	Must(t, err)
	return c
}

// Actor is a source by a function of time, as a game's own may be.
type Actor struct {
	Move      func(t float64, dst []r3.Vec)
	Triangles [][3]int32
	N         int
	Spoil     func(m *control.Mesh)
	Length    float64
}

func (a *Actor) Duration() float64 { return a.Length }

func (a *Actor) At(t float64, m *control.Mesh) {
	for len(m.Positions) < a.N {
		m.Positions = append(m.Positions, r3.Vec{})
	}
	for len(m.Velocities) < a.N {
		m.Velocities = append(m.Velocities, r3.Vec{})
	}
	m.Positions, m.Velocities, m.Triangles, m.Revision = m.Positions[:a.N], m.Velocities[:a.N], a.Triangles, 7
	a.Move(t, m.Positions)
	clear(m.Velocities)
	if a.Spoil != nil {
		a.Spoil(m)
	}
}

// Steer has a liquid follow two balls in the tank of rocking, as tightly as strengths say, both refilled from the tank.
func Steer(t testing.TB, l *fluid.Liquid, strengths [2]float64) {
	t.Helper()
	for i, strength := range strengths {
		_, err := l.AddControl(fluid.ControlDef{
			Clip: BallClip(t, .15, r3.Vec{Z: .1}), Strength: strength, Loop: true, Refill: control.Refill{Rate: 20, From: fluid.Below(.1)},
			Pose: control.Pose{Position: r3.Vec{X: .4 + .7*float64(i), Y: .55, Z: .4}},
		})
		Must(t, err)
	}
}
