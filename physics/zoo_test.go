package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// zoo drops n bodies of all convex kinds and a compound onto a hilly field, a mesh, a
// conveyor and a sensor.
func zoo(def WorldDef, n int) *World {
	w := NewWorld(def)
	add(w, BodyDef{}, field(16, 0.5, func(x, z float64) float64 { return 0.3 * math.Sin(x) * math.Cos(z) }))
	add(w, BodyDef{Position: r3.Vec{X: 1, Y: 0.5}}, ShapeDef{Geometry: Mesh(boxMesh(r3.Vec{X: 0.6, Y: 0.5, Z: 0.6})), Material: Material{SurfaceVelocity: r3.Vec{X: 1}}})
	add(w, BodyDef{Position: r3.Vec{Y: 1}}, ShapeDef{Geometry: Box(Centred(8, 0.5, 8)), Sensor: true})
	for i := range n {
		x, y, z := float64(i%5)*0.7-1.4, 2+float64(i/25)*0.9, float64(i/5%5)*0.7-1.4
		body := BodyDef{Kind: Dynamic, Position: r3.Vec{X: x, Y: y, Z: z}, AngularVelocity: r3.Vec{X: float64(i%3) - 1, Z: float64(i%7) / 7}, Bullet: i%10 == 0}
		shape := ShapeDef{Geometry: convexShapes[solids[i%len(solids)]], Density: 400, Material: Material{RollingResistance: 0.02}}
		if i%9 == 8 {
			other := shape
			other.Geometry, other.Offset = standing(0.1, 0.6), r3.Vec{Y: 0.3}
			add(w, body, shape, other)
		} else {
			add(w, body, shape)
		}
	}
	return w
}

func TestZooIsDeterministic(t *testing.T) {
	a, b := zoo(WorldDef{Gravity: down}, 60), zoo(WorldDef{Gravity: down}, 60)
	for i := range 200 {
		a.Step(tick)
		b.Step(tick)
		if a.Hash() != b.Hash() {
			t.Fatalf("step %d differs", i)
		}
	}
}

func TestZooSettles(t *testing.T) {
	w := zoo(WorldDef{Gravity: down}, 60)
	steps(w, 900)
	for b := range w.Bodies() {
		if p := b.Position(); b.Kind() == Dynamic && math.Abs(p.X) < 3.5 && math.Abs(p.Z) < 3.5 && p.Y < 0.3*math.Sin(p.X)*math.Cos(p.Z)-0.1 {
			t.Errorf("body %d sank to %v", b.Index(), p)
		}
	}
	for _, p := range w.pairs {
		for _, q := range w.contacts[p.contact].points[:w.contacts[p.contact].n] {
			if q.sep < -0.02 {
				t.Errorf("overlap %.4f m", -q.sep)
			}
		}
	}
	if s := w.Stats(); s.Awake > 15 {
		t.Errorf("%d awake of %d after 15 s", s.Awake, s.Bodies)
	}
}

func TestZooStepAllocatesNothing(t *testing.T) {
	w := zoo(WorldDef{Gravity: down, NoSleep: true}, 60)
	steps(w, 300)
	pts, dst := make([]r3.Vec, 100), make([]float32, 100)
	if n := testing.AllocsPerRun(60, func() {
		for i := range w.Coupling().Len() {
			w.Coupling().Distance(i, dst, pts)
		}
		w.Step(tick)
	}); n != 0 {
		t.Errorf("%v allocations per step", n)
	}
}

// TestShiftedAndTurnedWorld runs the same fall elsewhere and, without friction, whose two
// directions are solved one after the other and depend on the axes, in another direction.
func TestShiftedAndTurnedWorld(t *testing.T) {
	run := func(g Geometry, turn quat.Number, shift r3.Vec, friction float64) r3.Vec {
		w := NewWorld(WorldDef{Gravity: down})
		add(w, BodyDef{Position: shift, Rotation: turn}, ShapeDef{Geometry: Box(Centred(20, 1, 20)), Offset: r3.Vec{Y: -0.5}, Material: Material{Friction: friction}})
		b := add(w, BodyDef{
			Kind:     Dynamic,
			Position: r3.Add(shift, rotate(turn, r3.Vec{X: 0.1, Y: 0.5, Z: 0.3})),
			Rotation: quat.Mul(turn, about(r3.Vec{X: 1, Z: 0.5}, 0.6)),
			Velocity: rotate(turn, r3.Vec{X: 1, Z: -0.5}),
		}, ShapeDef{Geometry: g})
		steps(w, 25)
		return rotate(quat.Conj(turn), r3.Sub(b.Position(), shift))
	}
	for _, name := range solids {
		g := convexShapes[name]
		nearVec(t, name+" shifted", run(g, identity, r3.Vec{X: 64, Y: 3, Z: -32}, 0), run(g, identity, r3.Vec{}, 0), 1e-6)
		nearVec(t, name+" turned", run(g, about(r3.Vec{Y: 1}, 1), r3.Vec{}, Frictionless), run(g, identity, r3.Vec{}, Frictionless), 1e-6)
	}
}
