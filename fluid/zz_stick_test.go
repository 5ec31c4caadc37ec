package fluid

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

type stickCase struct {
	name    string
	g       []physics.Geometry
	at      []r3.Vec
	density float64
	pos     r3.Vec
	turn    quat.Number
	dt      float64
	cell    float64
	seconds float64
}

type stickResult struct {
	speed, spin, load   float64 // max over run; load in weights
	lateSpeed, lateSpin float64
	fraction, y         float64
	tilt                float64
	rolled              int
	volume              float64
}

func runStick(t *testing.T, c stickCase, trace func(n int, l *Liquid, b physics.Body)) stickResult {
	t.Helper()
	if c.dt == 0 {
		c.dt = 1. / 60
	}
	if c.cell == 0 {
		c.cell = .1
	}
	l := mustNew(t, Def{Domain: box(1.6, 1.2, 1.6), CellSize: c.cell})
	if err := l.Fill(Below(.8)); err != nil {
		t.Fatal(err)
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
	floor, err := w.CreateBody(physics.BodyDef{})
	if err != nil {
		t.Fatal(err)
	}
	floor.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{Y: 1})})
	for _, wall := range []struct{ at, n r3.Vec }{
		{r3.Vec{}, r3.Vec{X: 1}}, {r3.Vec{}, r3.Vec{Z: 1}}, {r3.Vec{X: 1.6}, r3.Vec{X: -1}}, {r3.Vec{Z: 1.6}, r3.Vec{Z: -1}},
	} {
		b, _ := w.CreateBody(physics.BodyDef{Position: wall.at})
		b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(wall.n)})
	}
	if c.turn == (quat.Number{}) {
		c.turn = quat.Number{Real: 1}
	}
	b, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: c.pos, Rotation: c.turn})
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range c.g {
		s := physics.ShapeDef{Geometry: g, Density: c.density}
		if c.at != nil {
			s.Offset = c.at[i]
		}
		if _, err := b.AddShape(s); err != nil {
			t.Fatal(err)
		}
	}
	l.Couple(w)
	var r stickResult
	steps := int(c.seconds/c.dt + .5)
	for n := range steps {
		rep := l.Step(c.dt)
		if rep.RolledBack {
			r.rolled++
		}
		v, s := r3.Norm(b.Velocity()), r3.Norm(b.AngularVelocity())
		r.speed, r.spin = max(r.speed, v), max(r.spin, s)
		r.load = max(r.load, r3.Norm(l.Load(5).Force)/(9.81*b.Mass()))
		if float64(n)*c.dt >= c.seconds-1 {
			r.lateSpeed, r.lateSpin = max(r.lateSpeed, v), max(r.lateSpin, s)
		}
		if trace != nil {
			trace(n, l, b)
		}
	}
	r.fraction, r.y = l.Load(5).Fraction, b.Position().Y
	return r
}

func (r stickResult) String() string {
	return fmt.Sprintf("max %.4g m/s %.4g rad/s load %.3g W | late %.4f m/s %.4f rad/s | fraction %.3f y %.3f rolled %d", r.speed, r.spin, r.load, r.lateSpeed, r.lateSpin, r.fraction, r.y, r.rolled)
}

func TestZZSweep(t *testing.T) {
	for _, rad := range []float64{.04,.045,.05,.055,.06,.065,.07,.075,.08} {
		r := runStick(t, stickCase{g: []physics.Geometry{physics.Capsule(rad, .6)}, density: 300, pos: r3.Vec{X: .8, Y: .9, Z: .8}, turn: turned(1.5, r3.Vec{X: .3, Y: .1, Z: 1}), seconds: 6}, nil)
		t.Logf("capsule %.3f: %v", rad, r)
	}
}

func ringParts(R, r float64, n int) (g []physics.Geometry, at []r3.Vec) {
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		g, at = append(g, physics.Sphere(r)), append(at, r3.Vec{X: R * math.Cos(a), Z: R * math.Sin(a)})
	}
	return
}

func zzCases() (cs []stickCase) {
	tilt := turned(1.5, r3.Vec{X: .3, Y: .1, Z: 1})
	for _, s := range []struct {
		n string
		g physics.Geometry
	}{
		{"plank .6x.2x.03", physics.Box(.6, .03, .2)}, {"plank .6x.1x.03", physics.Box(.6, .03, .1)}, {"plank .6x.06x.02", physics.Box(.6, .02, .06)},
		{"plate .5x.02x.5", physics.Box(.5, .02, .5)}, {"plate .3x.03x.3", physics.Box(.3, .03, .3)}, {"plate .15x.02x.15", physics.Box(.15, .02, .15)},
		{"cyl r.02", physics.Cylinder(.02, .6)}, {"cyl r.05 l.6", physics.Cylinder(.05, .6)}, {"disc r.2 h.02", physics.Cylinder(.2, .02)},
	} {
		for _, d := range []float64{300, 700, 1500} {
			for k, q := range []quat.Number{turned(.3, r3.Vec{X: .3, Y: .1, Z: 1}), tilt} {
				cs = append(cs, stickCase{name: fmt.Sprintf("%s %g turn %d", s.n, d, k), g: []physics.Geometry{s.g}, density: d, pos: r3.Vec{X: .8, Y: .95, Z: .8}, turn: q, seconds: 6})
			}
		}
	}
	g, at := ringParts(.3, .03, 48)
	for _, d := range []float64{300, 1500} {
		cs = append(cs, stickCase{name: fmt.Sprintf("ring %g", d), g: g, at: at, density: d, pos: r3.Vec{X: .8, Y: .95, Z: .8}, turn: turned(.3, r3.Vec{X: .3, Y: .1, Z: 1}), seconds: 6})
	}
	return
}

func TestZZSiblings(t *testing.T) {
	only := os.Getenv("ONLY")
	for _, c := range zzCases() {
		if !strings.Contains(c.name, only) {
			continue
		}
		t.Logf("%-28s %v", c.name, runStick(t, c, nil))
	}
}
