package physics

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// plates are 2 cm thick, 8 m wide, at x = 0 and square to it.
var plates = map[string]Geometry{
	"box":  Box(Centred(0.02, 8, 8)),
	"hull": Hull([]r3.Vec{{X: -.01, Y: -4, Z: -4}, {X: .01, Y: -4, Z: -4}, {X: -.01, Y: 4, Z: -4}, {X: .01, Y: 4, Z: -4}, {X: -.01, Y: -4, Z: 4}, {X: .01, Y: -4, Z: 4}, {X: -.01, Y: 4, Z: 4}, {X: .01, Y: 4, Z: 4}}),
	"mesh": Mesh(boxMesh(r3.Vec{X: 0.01, Y: 4, Z: 4})),
}

// TestNothingPassesThroughAPlate shoots each solid at each plate from many angles, at many
// speeds and with many spins.
func TestNothingPassesThroughAPlate(t *testing.T) {
	for plate, g := range plates {
		for _, name := range solids {
			passed, shots := 0, 0
			for k := range 60 {
				angle := float64(k%6) * 0.25 // up to 72° from square
				speed := []float64{10, 30, 80, 200, 600}[k%5]
				w := NewWorld(WorldDef{})
				add(w, BodyDef{}, ShapeDef{Geometry: g})
				small := shrunk(name)
				u := r3.Vec{X: math.Cos(angle), Y: math.Sin(angle) * math.Cos(float64(k)), Z: math.Sin(angle) * math.Sin(float64(k))}
				// Towards a point near the middle, from where it arrives within a step or later.
				from := r3.Sub(r3.Vec{Y: 0.1, Z: 0.2}, r3.Scale(0.6+0.03*float64(k), u))
				b := add(w, BodyDef{Kind: Dynamic, Position: from, Velocity: r3.Scale(speed, u), AngularVelocity: r3.Vec{X: float64(k % 7), Y: float64(k%4) * 5, Z: -3}},
					ShapeDef{Geometry: small, Material: Material{Restitution: float64(k%3) / 2}})
				shots++
				for range 40 {
					w.Step(tick)
					if p := b.CentreOfMass(); p.X > 0.02 && math.Abs(p.Y) < 3.8 && math.Abs(p.Z) < 3.8 {
						passed++
						break
					}
					if math.Abs(b.CentreOfMass().Y) > 3.8 || math.Abs(b.CentreOfMass().Z) > 3.8 {
						break
					}
				}
			}
			if passed > 0 {
				t.Errorf("%d of %d %ss through the %s", passed, shots, name, plate)
			}
		}
	}
}

// shrunk is a solid of the kind, about 8 cm across.
func shrunk(name string) Geometry {
	switch name {
	case "sphere":
		return Sphere(r3.Vec{}, 0.04)
	case "capsule":
		return Capsule(r3.Vec{Y: -0.03}, r3.Vec{Y: 0.03}, 0.03)
	case "cylinder":
		return Cylinder(r3.Vec{Y: -0.04}, r3.Vec{Y: 0.04}, 0.04)
	case "box":
		return Box(Centred(0.08, 0.08, 0.08))
	}
	small := append([]r3.Vec(nil), convexShapes[name].hull.vertices...)
	for i := range small {
		small[i] = r3.Scale(0.16, small[i])
	}
	return Hull(small)
}

// TestBulletHitsACrate shoots a ball at a thin dynamic panel: a bullet pushes it, however
// fast.
func TestBulletHitsAPanel(t *testing.T) {
	for _, speed := range []float64{50, 200, 800} {
		w := NewWorld(WorldDef{})
		panel := dynamic(w, Box(Centred(0.02, 1, 1)), 0, 0, 0)
		b := add(w, BodyDef{Kind: Dynamic, Bullet: true, Position: r3.Vec{X: -2}, Velocity: r3.Vec{X: speed}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.05)})
		p := b.Mass() * speed
		for range 30 {
			w.Step(tick)
			if b.Position().X > panel.Position().X {
				t.Fatalf("%v m/s: through", speed)
			}
		}
		near1(t, fmt.Sprintf("%v m/s: momentum", speed), b.Mass()*b.Velocity().X+panel.Mass()*panel.Velocity().X, p, 1e-9*p)
		if panel.Velocity().X <= 0 {
			t.Errorf("%v m/s: the panel does not move", speed)
		}
	}
}

// TestFastSliderIsNotStopped slides a box at 100 m/s over ground that it touches.
func TestFastSliderIsNotStopped(t *testing.T) {
	for name, make := range grounds {
		w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
		g := make(w)
		check(t, Shape{w, w.bodies[g.slot].shapes[0], 1}.SetMaterial(Material{Friction: Frictionless}))
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: -18, Y: 0.25}, Velocity: r3.Vec{X: 100}}, ShapeDef{Geometry: Box(Centred(0.5, 0.5, 0.5))})
		steps(w, 18)
		near1(t, name+": way", b.Position().X, 12, 0.05)
		near1(t, name+": height", b.Position().Y, 0.25, 1e-3)
	}
}

// TestFastBodyPassesBeside flies each solid past the corner of each convex solid, 3 cm beside
// it at the nearest: none may be held up.
func TestFastBodyPassesBeside(t *testing.T) {
	for _, name := range solids {
		for _, other := range solids {
			for k := range 20 {
				w := NewWorld(WorldDef{})
				add(w, BodyDef{Rotation: about(r3.Vec{X: 1, Y: float64(k), Z: 2}, float64(k))}, ShapeDef{Geometry: convexShapes[other]})
				obstacle := w.shapes[0].solid(0)
				u := r3.Unit(r3.Vec{X: 1, Y: 0.3 * float64(k%3), Z: -0.2 * float64(k%5)})
				side := r3.Unit(r3.Cross(u, r3.Vec{X: 0.1, Y: 1, Z: float64(k % 4)}))
				// On that side of the obstacle all of it is below its farthest point, all of the
				// flier above its lowest.
				flier := placedAt(convexShapes[name], r3.Vec{}, rotationMatrix(identity))
				gap := r3.Dot(side, obstacle.surfaceSupport(side)) - r3.Dot(side, flier.surfaceSupport(r3.Scale(-1, side))) + 0.03
				v := r3.Scale(40+60*float64(k%4), u)
				b := add(w, BodyDef{Kind: Dynamic, Position: r3.Add(r3.Scale(gap, side), r3.Scale(-2.3, u)), Velocity: v}, ShapeDef{Geometry: convexShapes[name]})
				steps(w, 20)
				if r3.Norm(r3.Sub(b.Velocity(), v)) > 1e-9 {
					t.Fatalf("%s past %s: %v became %v", name, other, v, b.Velocity())
				}
			}
		}
	}
}
