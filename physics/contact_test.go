package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// ground is a wide static box whose top is y = 0.
func ground(w *World) Body {
	return add(w, BodyDef{Position: r3.Vec{Y: -0.5}}, ShapeDef{Geometry: Box(Centred(40, 1, 40))})
}

// slab is ground as a signed distance.
func slab(w *World) Body {
	d := func(dst []float32, pts []r3.Vec) {
		for k, p := range pts {
			dst[k] = float32(boxDistance(p, r3.Vec{X: 20, Y: 0.5, Z: 20}))
		}
	}
	g := SDF(d, r3.Box{Min: r3.Vec{X: -20, Y: -0.5, Z: -20}, Max: r3.Vec{X: 20, Y: 0.5, Z: 20}})
	return add(w, BodyDef{Position: r3.Vec{Y: -0.5}}, ShapeDef{Geometry: g})
}

var grounds = map[string]func(*World) Body{"half-space": floor, "box": ground, "sdf": slab}

func TestBoxAtRestStaysStill(t *testing.T) {
	for name, make := range grounds {
		t.Run(name, func(t *testing.T) {
			w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
			make(w)
			b := dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 0, 0.25, 0)
			steps(w, 30)
			x, q := b.Position(), b.Rotation()
			near1(t, "height", x.Y, 0.25, 1e-3)
			steps(w, 1200)
			nearVec(t, "drift in 20 s", b.Position(), x, 5e-4)
			near1(t, "turn", r3.Norm(logarithm(relative(b.Rotation(), q))), 0, 1e-3)
		})
	}
}

func TestStackStands(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	ground(w)
	var stack []Body
	for i := range 5 {
		stack = append(stack, dynamic(w, Box(Centred(1, 1, 1)), 0.02*float64(i%2), 0.5+1.001*float64(i), 0))
	}
	steps(w, 900)
	for i, b := range stack {
		nearVec(t, "box", b.Position(), r3.Vec{X: 0.02 * float64(i%2), Y: 0.5 + float64(i)}, 6e-3)
	}
}

func TestFrictionAngle(t *testing.T) {
	for name, make := range grounds {
		for _, slides := range []bool{false, true} {
			angle := math.Atan(0.5) - 0.03
			if slides {
				angle += 0.06
			}
			w := NewWorld(WorldDef{NoSleep: true})
			check(t, w.SetGravity(r3.Vec{X: 9.81 * math.Sin(angle), Y: -9.81 * math.Cos(angle)}))
			g := make(w)
			check(t, Shape{w, w.bodies[g.slot].shapes[0], 1}.SetMaterial(Material{Friction: 0.5}))
			b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 0.1}}, ShapeDef{Geometry: Box(Centred(0.4, 0.2, 0.4)), Material: Material{Friction: 0.5}})
			steps(w, 120)
			want, tol := 0.0, 1e-3
			if slides {
				want = 9.81 * (math.Sin(angle) - 0.5*math.Cos(angle)) * 2
				tol = 0.05 * want
			}
			near1(t, name+" speed", b.Velocity().X, want, tol)
			if !slides {
				near1(t, name+" creep in 2 s", b.Position().X, 0, 2e-3)
			}
		}
	}
}

func TestSphereRolls(t *testing.T) {
	for name, make := range grounds {
		w := NewWorld(WorldDef{NoSleep: true})
		angle := 0.2
		check(t, w.SetGravity(r3.Vec{X: 9.81 * math.Sin(angle), Y: -9.81 * math.Cos(angle)}))
		make(w)
		b := dynamic(w, Sphere(r3.Vec{}, 0.25), -5, 0.25, 0)
		steps(w, 120)
		v := 5.0 / 7 * 9.81 * math.Sin(angle) * 2
		near1(t, name+" speed", b.Velocity().X, v, 0.01*v)
		near1(t, name+" spin", b.AngularVelocity().Z*0.25, -v, 0.01*v)
		near1(t, name+" height", b.Position().Y, 0.25, 1e-3)
	}
}

// TestElasticBounceKeepsEnergy bounds the loss, all of it that of symplectic Euler in free
// flight: g·h·v a bounce, with h the substep, 1.4 % here.
func TestElasticBounceKeepsEnergy(t *testing.T) {
	for substeps, tol := range map[int]float64{4: 0.15, 16: 0.04} {
		w := NewWorld(WorldDef{Gravity: down, Substeps: substeps})
		floor(w)
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 2}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.25), Material: Material{Restitution: 1}})
		e, bounces := energy(w)-b.Mass()*9.81*0.25, 0
		for range 600 {
			w.Step(tick)
			bounces += len(w.Events().Hits)
		}
		now := (energy(w) - b.Mass()*9.81*0.25) / e
		if now > 1 || now < 1-tol {
			t.Errorf("%d substeps: share of energy left after 10 s = %.3f", substeps, now)
		}
		if bounces < 7 || bounces > 9 {
			t.Errorf("%d bounces", bounces)
		}
	}
}

func TestHeadOnMomentum(t *testing.T) {
	for _, e := range []float64{0, 0.5, 1} {
		w := NewWorld(WorldDef{})
		a := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: -2}, Velocity: r3.Vec{X: 4}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.5), Material: Material{Restitution: e}})
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 2}, Velocity: r3.Vec{X: -2}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.5), Density: 3000})
		p := a.Mass()*4 - b.Mass()*2
		steps(w, 60)
		near1(t, "momentum", a.Mass()*a.Velocity().X+b.Mass()*b.Velocity().X, p, 1e-9*math.Abs(p))
		near1(t, "speed apart", b.Velocity().X-a.Velocity().X, e*6, 0.02)
	}
}

func TestCollisionKeepsMomenta(t *testing.T) {
	w := NewWorld(WorldDef{NoSleep: true})
	a, b := uneven(w), uneven(w)
	check(t, a.SetPose(r3.Vec{X: -1}, a.Rotation()))
	check(t, a.SetVelocity(r3.Vec{X: 3}))
	check(t, a.SetAngularVelocity(r3.Vec{X: 1, Y: 2, Z: 1}))
	momenta := func() (p, l r3.Vec) {
		for b := range w.Bodies() {
			q := r3.Scale(b.Mass(), b.Velocity())
			p = r3.Add(p, q)
			l = r3.Add(l, r3.Add(spinMomentum(b), r3.Cross(b.CentreOfMass(), q)))
		}
		return p, l
	}
	p, l := momenta()
	steps(w, 120)
	p2, l2 := momenta()
	if r3.Norm(b.Velocity()) < 0.1 {
		t.Fatal("they missed")
	}
	nearVec(t, "momentum", p2, p, 1e-9)
	nearVec(t, "angular momentum", l2, l, 0.05*r3.Norm(l))
}

func TestFastBodyDoesNotTunnel(t *testing.T) {
	for _, g := range []Geometry{Sphere(r3.Vec{}, 0.1), Box(Centred(0.2, 0.2, 0.2))} {
		w := NewWorld(WorldDef{})
		add(w, BodyDef{}, ShapeDef{Geometry: Box(Centred(0.05, 4, 4))})
		b := dynamic(w, g, -5, 0.3, 0.2)
		check(t, b.SetVelocity(r3.Vec{X: 200}))
		steps(w, 30)
		if b.Position().X > 0 {
			t.Errorf("through the wall, to %v", b.Position())
		}
	}
}

func TestKinematicPusher(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	floor(w)
	b := dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 1, 0.25, 0)
	steps(w, 90)
	if b.Awake() {
		t.Fatal("does not sleep")
	}
	p := add(w, BodyDef{Kind: Kinematic, Position: r3.Vec{Y: 0.6}}, ShapeDef{Geometry: Box(Centred(1, 1, 1))})
	for i := range 120 {
		check(t, p.SetTargetPose(r3.Vec{X: float64(i+1) * tick, Y: 0.6}, identity, tick))
		w.Step(tick)
	}
	near1(t, "pusher", p.Position().X, 2, 1e-12)
	near1(t, "pushed", b.Position().X, 2.75, 0.01)
	near1(t, "speed", b.Velocity().X, 1, 0.02)
}

func TestBoxesOfAllKindsPileUp(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	slab(w)
	tub := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 0.5}}, ShapeDef{Geometry: OpenBox(Centred(2, 1, 2), 0.1), Density: 700})
	in := []Body{dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 0.3, 0.5, 0.2), dynamic(w, Sphere(r3.Vec{}, 0.25), -0.4, 0.6, 0), dynamic(w, Box(Centred(0.3, 0.3, 0.3)), 0.2, 1.2, 0.1)}
	steps(w, 300)
	near1(t, "tub", tub.Position().Y, 0.5, 5e-3)
	for _, b := range in {
		p := b.Position()
		if p.Y < 0.1 || p.Y > 1 || math.Abs(p.X) > 0.9 || math.Abs(p.Z) > 0.9 {
			t.Errorf("%v left the tub", p)
		}
	}
	near1(t, "box on the tub's floor", in[0].Position().Y, 0.35, 5e-3)
	near1(t, "sphere on the tub's floor", in[1].Position().Y, 0.35, 5e-3)
}

func TestBoxOnSDFSphere(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	rock := SDF(func(dst []float32, pts []r3.Vec) {
		for k, p := range pts {
			dst[k] = float32(r3.Norm(p) - 0.3)
		}
	}, grow(r3.Box{}, 0.3))
	add(w, BodyDef{}, ShapeDef{Geometry: rock})
	// Off the samples of the box's underside: only the descent finds this contact.
	b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 0.5, Y: 0.5, Z: 0.4}, Lock: Locks{Angular: Axes{true, true, true}}}, ShapeDef{Geometry: Box(Centred(2, 0.2, 2))})
	steps(w, 120)
	near1(t, "height", b.Position().Y, 0.4, 2e-3)
}

func TestEdgeOnEdge(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	add(w, BodyDef{Rotation: about(r3.Vec{X: 1}, math.Pi/4)}, ShapeDef{Geometry: Box(Centred(4, 1, 1))})
	b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1.5}, Rotation: about(r3.Vec{Z: 1}, math.Pi/4), Lock: Locks{Angular: Axes{true, true, true}}},
		ShapeDef{Geometry: Box(Centred(1, 1, 4))})
	steps(w, 90)
	nearVec(t, "position", b.Position(), r3.Vec{Y: math.Sqrt2}, 2e-3)
}

func TestRestitutionOfBoxOnCorners(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	ground(w)
	b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1.25}}, ShapeDef{Geometry: Box(Centred(0.5, 0.5, 0.5)), Material: Material{Restitution: 0.5}})
	top := 0.0
	for i := range 100 {
		w.Step(tick)
		if i > 30 {
			top = max(top, b.Position().Y-0.25)
		}
	}
	near1(t, "second height", top, 0.25, 0.03)
	near1(t, "spin", r3.Norm(b.AngularVelocity()), 0, 1e-4)
}

func TestSeamsOfAFloorDoNotStopWhatSlides(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	for i := range 12 {
		add(w, BodyDef{Position: r3.Vec{X: 2 * float64(i), Y: -0.5}}, ShapeDef{Geometry: Box(Centred(2, 1, 4)), Material: Material{Friction: Frictionless}})
	}
	for _, g := range []Geometry{Box(Centred(0.5, 0.5, 0.5)), Sphere(r3.Vec{}, 0.25)} {
		b := dynamic(w, g, 0, 0.25, 0)
		check(t, b.SetVelocity(r3.Vec{X: 10}))
		steps(w, 100)
		nearVec(t, "velocity", b.Velocity(), r3.Vec{X: 10}, 1e-3)
		check(t, b.Remove())
	}
}
