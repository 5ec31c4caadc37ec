package fluid_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// flawed is a shape made elsewhere whose distance is no number at one in so many points, or whose bounds are none.
type flawed struct {
	fluid.SDF
	value float32 // that it tells there
	one   uint64  // in how many; 0: it is sane
	box   *r3.Box // in place of its own
}

func (f *flawed) Eval(dst []float32, pts []r3.Vec) {
	f.SDF.Eval(dst, pts)
	spoiltDistance(dst, pts, f.value, f.one)
}

func (f *flawed) Bounds() r3.Box {
	if f.box != nil {
		return *f.box
	}
	return f.SDF.Bounds()
}

// spoiltDistance puts a value in place of one in so many distances: which ones depends on the point alone.
func spoiltDistance(dst []float32, pts []r3.Vec, value float32, one uint64) {
	if one == 0 {
		return
	}
	for i, p := range pts {
		h := math.Float64bits(p.X)*0x9e3779b97f4a7c15 ^ math.Float64bits(p.Y)*0xc2b2ae3d27d4eb4f ^ math.Float64bits(p.Z)*0x165667b19e3779f9
		if h>>32%one == 0 {
			dst[i] = value
		}
	}
}

// flawedPuppet is a rigid-body engine whose distances are.
type flawedPuppet struct {
	*testrig.Puppet
	value float32
	one   uint64
}

func (p *flawedPuppet) Distance(i int, dst []float32, pts []r3.Vec) {
	p.Puppet.Distance(i, dst, pts)
	spoiltDistance(dst, pts, p.value, p.one)
}

// insanities are distances that are none.
var insanities = []float32{float32(testrig.NaN), float32(testrig.Inf), float32(-testrig.Inf), 1e37, -3e38}

// A shape or a body whose distance is no number at a few points is named and left out until it is sane. The liquid goes on.
func TestInsaneDistances(t *testing.T) {
	for role, name := range map[string]string{"obstacle": "obstacle 0: ", "moving": "obstacle 0: ", "emitter": "emitter 0: ", "sink": "sink 0: ", "body": "body 0 (ID 1000): "} {
		for _, value := range insanities {
			for _, one := range []uint64{1, 7, 200} {
				l := testrig.Tub(t)
				f := &flawed{SDF: fluid.Sphere(r3.Vec{X: .8, Y: .4, Z: .4}, .25), value: value}
				p := &flawedPuppet{testrig.NewPuppet(testrig.Ball{Kind: engine.Static, X: r3.Vec{X: .8, Y: .4, Z: .4}, Radius: .25}), value, 0}
				var err error
				switch role {
				case "obstacle":
					_, err = l.AddObstacle(f)
				case "moving":
					var id fluid.ObstacleID
					if id, err = l.AddObstacle(f); err == nil {
						err = l.MoveObstacle(id, fluid.Motion{Velocity: r3.Vec{X: .1}})
					}
				case "emitter":
					_, err = l.AddEmitter(fluid.EmitterDef{Shape: f, Rate: 5})
				case "sink":
					_, err = l.AddSink(f, 5)
				case "body":
					l.Couple(p)
				}
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("%s, %v at one in %d points", role, value, one)
				if r := testrig.GoesOn(t, l, 2); len(r.Warnings) > 0 {
					t.Fatalf("%s: it is sane yet: %v", what, r.Warnings)
				}
				f.one, p.one = one, one
				switch role { // static ones are asked again when something changes
				case "obstacle":
					fluid.UpdateStaticObstacles(l)
				case "body":
					p.Balls[0].X.X += .01
				}
				warnings := 0
				for range 4 {
					r := *l.Step(testrig.Frame)
					if testrig.Sound(t, l, r); r.Err != nil {
						t.Fatalf("%s: %s", what, r.Err)
					}
					if testrig.Named(r, name) {
						warnings++
					}
				}
				if once := role != "emitter" && role != "sink"; once && warnings != 1 || warnings == 0 {
					t.Errorf("%s: it is named in %d steps of 4", what, warnings)
				}
				f.one, p.one = 0, 0
				r := testrig.GoesOn(t, l, 1)
				if testrig.Named(r, name) {
					t.Errorf("%s: it is sane again: %v", what, r.Warnings)
				}
				if role != "emitter" && role != "sink" {
					var d [1]fluid.Sample
					if l.Sample(d[:], []r3.Vec{{X: .8, Y: .4, Z: .4}}); d[0].Medium != fluid.MediumSolid {
						t.Errorf("%s: it has not come back", what)
					}
				}
			}
		}
	}
}

// What is filled or drained with such a shape is what it is sane about; the next report says so, and the ledger is right.
func TestInsaneDistancesInCalls(t *testing.T) {
	for _, value := range insanities {
		l := testrig.Tub(t)
		f := &flawed{SDF: fluid.Sphere(r3.Vec{X: .8, Y: .5, Z: .4}, .25)}
		testrig.GoesOn(t, l, 1)
		for call, do := range map[string]func(fluid.SDF) error{"Fill": l.Fill, "Drain": l.Drain, "SetVelocity": func(s fluid.SDF) error {
			return l.SetVelocity(s, func(r3.Vec) r3.Vec { return r3.Vec{X: .1} })
		}} {
			guardedShape := &turning{flawed: f, after: 1, value: value}
			testrig.Must(t, do(guardedShape))
			if r := testrig.GoesOn(t, l, 1); !testrig.Named(r, "the shape given to "+call+": ") {
				t.Errorf("%s, %v: no warning names it: %v", call, value, r.Warnings)
			}
			if r := testrig.GoesOn(t, l, 1); testrig.Named(r, "the shape") {
				t.Errorf("%s, %v: a later report names it: %v", call, value, r.Warnings)
			}
		}
		if _, err := l.VolumeIn(&turning{flawed: f, after: 1, value: value}); err != nil {
			t.Error(err)
		}
	}
}

// turning is a shape that is sane when it is asked so many times.
type turning struct {
	*flawed
	after int
	value float32
}

func (s *turning) Eval(dst []float32, pts []r3.Vec) {
	s.SDF.Eval(dst, pts)
	if s.after--; s.after < 0 {
		spoiltDistance(dst, pts, s.value, 5)
	}
}

// Bounds that are none, or that the shape reaches beyond, end nothing.
func TestInsaneBounds(t *testing.T) {
	for name, b := range map[string]r3.Box{
		"NaN":           {Min: r3.Vec{X: testrig.NaN, Y: testrig.NaN, Z: testrig.NaN}, Max: r3.Vec{X: testrig.NaN, Y: testrig.NaN, Z: testrig.NaN}},
		"one NaN":       {Max: r3.Vec{X: 1, Y: testrig.NaN, Z: 1}},
		"the wrong way": {Min: r3.Vec{X: 1, Y: 1, Z: 1}},
		"infinite":      boxes.Everywhere(),
		"too small":     testrig.Cuboid(.75, .35, .35, .8, .4, .4),
		"elsewhere":     testrig.Cuboid(50, 50, 50, 51, 51, 51),
		"far":           testrig.Cuboid(-1e30, -1e30, -1e30, 1e30, 1e30, 1e30),
	} {
		for _, role := range []string{"obstacle", "moving", "emitter", "sink"} {
			l := testrig.Tub(t)
			f := &flawed{SDF: fluid.Sphere(r3.Vec{X: .8, Y: .4, Z: .4}, .25)}
			var err error
			switch role {
			case "emitter":
				_, err = l.AddEmitter(fluid.EmitterDef{Shape: f, Rate: 5})
			case "sink":
				_, err = l.AddSink(f, 5)
			default:
				var id fluid.ObstacleID
				if id, err = l.AddObstacle(f); err == nil && role == "moving" {
					err = l.MoveObstacle(id, fluid.Motion{Velocity: r3.Vec{X: .1}})
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			warned := false
			for n := range 6 {
				if f.box = nil; n > 0 {
					f.box = &b
				}
				r := *l.Step(testrig.Frame)
				if testrig.Sound(t, l, r); r.Err != nil {
					t.Fatalf("%s, %s: %s", role, name, r.Err)
				}
				warned = warned || testrig.Named(r, map[string]string{"moving": "obstacle 0", "emitter": "emitter 0", "sink": "sink 0"}[role])
			}
			if !boxes.Valid(b) && role != "obstacle" && !warned {
				t.Errorf("%s, %s: no warning names it", role, name)
			}
			if err := l.Fill(f); err != nil && boxes.Valid(b) {
				t.Errorf("Fill with bounds %s: %v", name, err)
			}
			if err := l.Drain(f); err != nil && boxes.Valid(b) {
				t.Errorf("Drain with bounds %s: %v", name, err)
			}
			f.box = nil
			testrig.GoesOn(t, l, 2)
		}
	}
}

// What a copy knows of a shape that is left out is its own: both go on alike.
func TestInsaneDistancesInACopy(t *testing.T) {
	l := testrig.Tub(t)
	f := &flawed{SDF: fluid.Sphere(r3.Vec{X: .8, Y: .4, Z: .4}, .25), value: float32(testrig.NaN)}
	id, err := l.AddObstacle(f)
	if err == nil {
		err = l.MoveObstacle(id, fluid.Motion{Velocity: r3.Vec{X: .1}})
	}
	if err != nil {
		t.Fatal(err)
	}
	testrig.GoesOn(t, l, 2)
	f.one = 5
	l.Step(testrig.Frame)
	c := testrig.New(t, l.Def())
	for range 4 {
		testrig.Must(t, l.CopyTo(c))
		for range 2 {
			if a, b := *l.Step(testrig.Frame), *c.Step(testrig.Frame); l.Hash() != c.Hash() || len(a.Warnings) != len(b.Warnings) {
				t.Fatalf("step %d: they differ: %v and %v", a.Step, a.Warnings, b.Warnings)
			}
		}
		f.one = 5 - f.one
	}
}

// FuzzInsaneDistances: whatever shapes and bodies tell, nothing panics and nothing that a game reads is not finite.
func FuzzInsaneDistances(f *testing.F) {
	f.Add(uint32(0x7fc00000), uint8(5), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	f.Add(uint32(0xff800000), uint8(1), []byte{2, 9, 9, 5, 7, 9, 10, 9, 9, 6, 8, 9})
	f.Add(uint32(0x7e967699), uint8(50), []byte{7, 11, 9, 1, 9, 4, 9, 3, 9})
	f.Add(uint32(0x7dffffff), uint8(3), []byte{1, 9, 0, 9, 2, 9, 12, 9})
	f.Fuzz(func(t *testing.T, bits uint32, one uint8, calls []byte) {
		l, err := fluid.New(fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		value := math.Float32frombits(bits)
		shape := &flawed{SDF: fluid.Box(testrig.Cuboid(.2, .15, .23, .63, .52, .6)), value: value}
		bodies := &flawedPuppet{testrig.NewPuppet(testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .4, Y: .5, Z: .4}, Radius: .2, Mass: 9}), value, 0}
		_ = l.Fill(fluid.Below(.4))
		for n, c := range calls[:min(len(calls), 24)] {
			switch c % 13 {
			case 0:
				_, _ = l.AddObstacle(shape)
			case 1:
				_ = l.MoveObstacle(fluid.ObstacleID(n%3), fluid.Motion{Velocity: r3.Vec{X: .5}, Rotation: quat.Number{Real: 1, Jmag: .2}})
			case 2:
				_, _ = l.AddEmitter(fluid.EmitterDef{Shape: shape, Rate: 20})
			case 3:
				_, _ = l.AddSink(shape, 20)
			case 4:
				_ = l.Fill(shape)
			case 5:
				_ = l.Drain(shape)
			case 6:
				_, _ = l.VolumeIn(shape)
			case 7:
				l.Couple(bodies)
			case 8:
				_ = l.RemoveObstacle(fluid.ObstacleID(n % 3))
			case 9:
				testrig.Must(t, testrig.Unsound(l, *l.Step(testrig.Frame)))
			case 10:
				shape.one, bodies.one = uint64(one), uint64(one)
			case 11:
				shape.one, bodies.one = 0, 0
			case 12:
				shape.box = &r3.Box{Min: r3.Vec{X: float64(value)}, Max: r3.Vec{X: .1, Y: float64(one), Z: .3}}
			}
		}
		for range 2 {
			testrig.Must(t, testrig.Unsound(l, *l.Step(testrig.Frame)))
		}
	})
}

// Between a Couple and the next step the grid holds the bodies that were coupled before: asking what is there needs none of them.
func TestAskingAfterACouple(t *testing.T) {
	for name, next := range map[string]fluid.Bodies{"none": nil, "the same": testrig.NewPuppet(cork(.8, .4, .4)), "others": testrig.NewPuppet(cork(.3, .4, .4), cork(1.2, .4, .4))} {
		l, shape := testrig.Tub(t), fluid.Box(testrig.Cuboid(.2, .15, .23, 1.4, .52, .6))
		l.Couple(testrig.NewPuppet(cork(.8, .4, .4)))
		testrig.GoesOn(t, l, 2)
		l.Couple(next)
		if _, err := l.VolumeIn(shape); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var at [1]fluid.Sample
		l.Sample(at[:], []r3.Vec{testrig.Vec(.8, .4, .4)})
		if err := l.Fill(shape); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := l.AddEmitter(fluid.EmitterDef{Shape: shape, Rate: 1}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		testrig.GoesOn(t, l, 2)
	}
}
