package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/physics"
)

// sceneDef is one thing that rigid bodies must do well.
type sceneDef struct {
	name   string
	shows  string // what the value is
	unit   string
	steps  int // of a headless run
	finer  int // steps of the world per step of 1/60 s; 0: 1
	world  physics.WorldDef
	camera view.Pose
	// build fills the world and returns what to measure after each step; its last value counts.
	build func(b *builder) (value func() float64)
}

var down = r3.Vec{Y: -9.81}

// scenes, in the order in which they run.
var scenes = []sceneDef{
	{"stack", "ten crates: the furthest that one is off to the side", "mm", 600, 0, physics.WorldDef{Gravity: down},
		view.Pose{Eye: r3.Vec{X: 2.2, Y: 2.6, Z: 6.4}, Target: r3.Vec{Y: 2.3}}, buildStack},
	{"pile", "200 crates in a bin: share that is asleep at the end", "%", 720, 0, physics.WorldDef{Gravity: down},
		view.Pose{Eye: r3.Vec{X: 2.6, Y: 4.4, Z: 5.4}, Target: r3.Vec{Y: 0.7}}, buildPile},
	{"chain", "20 links with a weight of 50 links swing: the longest stretch", "%", 600, 0, physics.WorldDef{Gravity: down},
		view.Pose{Eye: r3.Vec{Y: 2.2, Z: 7.6}, Target: r3.Vec{Y: 2.7}}, buildChain},
	{"ratio", "100 kg on 1 kg: how far they sink into each other", "mm", 480, 0, physics.WorldDef{Gravity: down},
		view.Pose{Eye: r3.Vec{X: 0.9, Y: 0.9, Z: 2.0}, Target: r3.Vec{Y: 0.4}}, buildRatio},
	{"cards", "a house of 16 cards: height that is kept", "%", 600, 0, physics.WorldDef{Gravity: down},
		view.Pose{Eye: r3.Vec{X: 0.4, Y: 0.42, Z: 0.95}, Target: r3.Vec{Y: 0.22}}, buildCards},
	{"cradle", "Newton's cradle: speed that the last ball takes over from the first", "%", 360, 16, physics.WorldDef{Gravity: down, BounceSpeed: 0.01},
		view.Pose{Eye: r3.Vec{X: 0.7, Y: 1.35, Z: 2.6}, Target: r3.Vec{Y: 0.85}}, buildCradle},
	{"domino", "48 dominoes on a curve: how many fall", "", 720, 0, physics.WorldDef{Gravity: down},
		view.Pose{Eye: r3.Vec{X: 0.3, Y: 1.7, Z: 2.3}, Target: r3.Vec{Y: 0.05, Z: 0.05}}, buildDomino},
}

// sceneNames lists the scenes.
func sceneNames() (names []string) {
	for _, s := range scenes {
		names = append(names, s.name)
	}
	return names
}

func buildStack(b *builder) func() float64 {
	const edge = 0.45
	b.floor()
	var crates []physics.Body
	for i := range 10 {
		crates = append(crates, b.box(wood, r3.Vec{Y: edge * (float64(i) + 0.5)}, cube(edge), 400, quat.Number{}))
	}
	return func() (off float64) {
		for _, c := range crates {
			p := c.Position()
			off = max(off, 1000*math.Hypot(p.X, p.Z))
		}
		return off
	}
}

// buildPile drops crates, turned by chance, into a bin without a lid.
func buildPile(b *builder) func() float64 {
	const edge, half, wall, height = 0.3, 1.3, 0.1, 1.4
	b.floor()
	for _, side := range []r3.Vec{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		size := r3.Vec{X: 2 * half, Y: height, Z: 2 * half}
		if side.X != 0 {
			size.X, size.Z = wall, size.Z+2*wall
		} else {
			size.Z = wall
		}
		at := r3.Add(r3.Scale(half+wall/2, side), r3.Vec{Y: height / 2})
		b.add(paint{stone, 0.5}, physics.BodyDef{Position: at, Name: "bin"}, physics.ShapeDef{Geometry: physics.Box(physics.Centred(size.X, size.Y, size.Z))})
	}
	chance := rand.New(rand.NewPCG(7, 0x70696c65))
	var crates []physics.Body
	for i := range 200 {
		at := r3.Vec{X: -0.9 + 0.45*float64(i%5), Y: 0.5 + 0.45*float64(i/25), Z: -0.9 + 0.45*float64(i/5%5)}
		axis := r3.Vec{X: chance.Float64() - 0.5, Y: 1, Z: chance.Float64() - 0.5}
		l := wood
		if i%3 == 0 {
			l = dark
		}
		crates = append(crates, b.box(l, at, cube(edge), 300, turn(axis, 3*chance.Float64())))
	}
	return func() (asleep float64) {
		for _, c := range crates {
			if !c.Awake() {
				asleep += 100. / float64(len(crates))
			}
		}
		return asleep
	}
}

// buildChain hangs links by balls, 60° to the side, with a weight at the end.
func buildChain(b *builder) func() float64 {
	const links, length, thick, angle, radius = 20, 0.18, 0.06, math.Pi / 3, 0.24
	sin, cos := math.Sincos(angle)
	dir, turned := r3.Vec{X: sin, Y: -cos}, turn(r3.Vec{Z: 1}, angle)
	at := func(along float64) r3.Vec { return r3.Add(r3.Vec{Y: 4.8}, r3.Scale(along, dir)) }
	b.floor()
	var last physics.Body
	var joints []physics.Joint
	hang := func(along float64, next physics.Body) {
		joints = append(joints, b.join(physics.JointDef{Kind: physics.BallJoint, A: last, B: next, Anchor: at(along)}))
		last = next
	}
	for i := range links {
		l := steel
		if i%2 == 1 {
			l = dark
		}
		hang(length*float64(i), b.box(l, at(length*(float64(i)+0.5)), r3.Vec{X: thick, Y: length - 0.02, Z: thick}, 2000, turned))
	}
	const end = links * length
	hang(end, b.add(paint{steel, 1}, physics.BodyDef{Kind: physics.Dynamic, Position: at(end + radius)},
		physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, radius), Density: 1000}))
	worst := 0.0
	return func() float64 {
		_, low := joints[links].Anchors()
		stretch := r3.Norm(r3.Sub(low, at(0)))/end - 1
		worst = max(worst, 100*stretch)
		return worst
	}
}

// buildRatio puts a crate of 100 kg on one of 1 kg, which stands on the floor.
func buildRatio(b *builder) func() float64 {
	const small, large = 0.3, 0.5
	b.floor()
	b.box(card, r3.Vec{Y: small / 2}, cube(small), 1/(small*small*small), quat.Number{})
	heavy := b.box(steel, r3.Vec{Y: small + large/2}, cube(large), 100/(large*large*large), quat.Number{})
	return func() float64 { return 1000 * (small + large/2 - heavy.Position().Y) }
}

// buildCards leans cards on each other, three storeys with cards laid across between.
func buildCards(b *builder) func() float64 {
	const height, width, thick, lean = 0.16, 0.11, 0.004, 0.32 // m, rad
	const density, storeys = 900, 3
	b.floor()
	sin, cos := math.Sincos(lean)
	foot := height * sin // from a pair's middle to the middle of a foot
	pitch := 2*foot + 3*thick
	storey := height*cos + thick*sin
	stand := func(x, y, way float64) {
		at := r3.Vec{X: x - way*(foot/2+thick/2*cos), Y: y + storey/2}
		b.box(card, at, r3.Vec{X: thick, Y: height, Z: width}, density, turn(r3.Vec{Z: 1}, -way*lean))
	}
	var top physics.Body
	y := 0.0
	for s := range storeys {
		pairs := storeys - s
		for p := range pairs {
			x := pitch * (float64(p) - float64(pairs-1)/2)
			stand(x, y, 1)
			stand(x, y, -1)
		}
		y += storey
		for p := range max(1, pairs-1) {
			x := pitch * (float64(p) - float64(max(1, pairs-1)-1)/2)
			top = b.box(ivory, r3.Vec{X: x, Y: y + thick/2}, r3.Vec{X: pitch - 0.002, Y: thick, Z: width}, density, quat.Number{})
		}
		y += thick
	}
	full := top.Position().Y
	return func() float64 { return 100 * top.Position().Y / full }
}

// buildCradle hangs five balls by two rods each, and lifts the first.
func buildCradle(b *builder) func() float64 {
	// They hang 2 mm apart, further than one moves in a step: of impacts at one time the solver would make one.
	const balls, radius, gap, length, apart, angle = 5, 0.12, 0.002, 0.9, 0.3, 0.6
	b.floor()
	for _, z := range []float64{-apart, apart} {
		b.add(paint{dark, 1}, physics.BodyDef{Position: r3.Vec{Y: 0.5 + length + 0.03, Z: z}, Name: "beam"},
			physics.ShapeDef{Geometry: physics.Box(physics.Centred(1.5, 0.06, 0.06))})
	}
	fastest := [balls]float64{}
	var hung []physics.Body
	for i := range balls {
		x := (2*radius + gap) * (float64(i) - (balls-1)/2.)
		at := r3.Vec{X: x, Y: 0.5}
		above := r3.Vec{X: x, Y: at.Y + length}
		if i == 0 {
			sin, cos := math.Sincos(angle)
			at = r3.Add(above, r3.Scale(length, r3.Vec{X: -sin, Y: -cos}))
		}
		ball := b.add(paint{steel, 1}, physics.BodyDef{Kind: physics.Dynamic, Position: at, NoSleep: true},
			physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, radius), Density: 7800, Material: physics.Material{Restitution: 1, Friction: physics.Frictionless}})
		for _, z := range []float64{-apart, apart} {
			b.join(physics.JointDef{Kind: physics.DistanceJoint, B: ball, Anchor: r3.Add(above, r3.Vec{Z: z}), AnchorB: at})
		}
		hung = append(hung, ball)
	}
	return func() float64 {
		for i, ball := range hung {
			fastest[i] = max(fastest[i], r3.Norm(ball.Velocity()))
		}
		return 100 * fastest[balls-1] / fastest[0]
	}
}

// buildDomino stands dominoes on a spiral and pushes the first.
func buildDomino(b *builder) func() float64 {
	const count, height, width, thick = 48, 0.24, 0.12, 0.035
	b.floor()
	var all []physics.Body
	angle := 0.0
	for i := range count {
		radius := 0.45 + 0.075*angle
		sin, cos := math.Sincos(angle)
		at := r3.Vec{X: radius * cos, Y: height / 2, Z: radius * sin}
		l := ivory
		if i%6 == 5 {
			l = dark
		}
		all = append(all, b.box(l, at, r3.Vec{X: width, Y: height, Z: thick}, 700, turn(r3.Vec{Y: 1}, -angle)))
		angle += 0.13 / radius
	}
	push := r3.Vec{Z: 0.25 * all[0].Mass()}
	if err := all[0].ApplyImpulse(push, r3.Add(all[0].Position(), r3.Vec{Y: height / 2})); b.err == nil {
		b.err = err
	}
	return func() (fallen float64) {
		for _, d := range all {
			if up := r3.Rotation(d.Rotation()).Rotate(r3.Vec{Y: 1}); up.Y < 0.8 {
				fallen++
			}
		}
		return fallen
	}
}
