package controls_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What a control can't be is refused by name, and leaves liquid and controls as they are.
func TestBadControlsAreRefused(t *testing.T) {
	l := testrig.Tub(t)
	clip := testrig.BallClip(t, .15, r3.Vec{X: .05})
	good := fluid.ControlDef{Clip: clip, Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .4, Y: .3, Z: .4}}}
	id, err := l.AddControl(good)
	testrig.Must(t, err)
	testrig.GoesOn(t, l, 2)
	was, held := l.Hash(), l.Ledger()
	type change func(d *fluid.ControlDef, v float64)
	for name, c := range map[string]struct {
		set    change
		values []float64
	}{
		"Attraction.Strength": {func(d *fluid.ControlDef, v float64) { d.Attraction.Strength = v }, []float64{testrig.NaN, -.1, 1.1}},
		"Attraction.Outer":    {func(d *fluid.ControlDef, v float64) { d.Attraction.Outer = v }, []float64{testrig.NaN, testrig.Inf, -1}},
		"Attraction.Inner":    {func(d *fluid.ControlDef, v float64) { d.Attraction.Inner = v }, []float64{testrig.NaN, testrig.Inf, -1}},
		"Strength":            {func(d *fluid.ControlDef, v float64) { d.Strength = v }, []float64{testrig.NaN, testrig.Inf, -.1, 1.1}},
		"Smoothing":           {func(d *fluid.ControlDef, v float64) { d.Smoothing = int(v) }, []float64{-1, 1 << 30}},
		"Refill.Rate":         {func(d *fluid.ControlDef, v float64) { d.Refill.Rate = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e9}},
		"Start":               {func(d *fluid.ControlDef, v float64) { d.Start = v }, []float64{testrig.NaN, testrig.Inf, -testrig.Inf}},
		"Speed":               {func(d *fluid.ControlDef, v float64) { d.Speed = v }, []float64{testrig.NaN, testrig.Inf, 1e3, -1e3}},
		"Fade":                {func(d *fluid.ControlDef, v float64) { d.Fade = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e6}},
		"Arrival":             {func(d *fluid.ControlDef, v float64) { d.Arrival = control.Arrival(v) }, []float64{3, 200}},
		"Weights[1]": {func(d *fluid.ControlDef, v float64) {
			d.Weights = make([]float32, clip.Vertices())
			d.Weights[1] = float32(v)
		}, []float64{testrig.NaN, testrig.Inf, -1, 2}},
		"Weights":                                {func(d *fluid.ControlDef, v float64) { d.Weights = make([]float32, int(v)) }, []float64{1, 1000}},
		"Pose.Position":                          {func(d *fluid.ControlDef, v float64) { d.Pose.Position.Y = v }, []float64{testrig.NaN, testrig.Inf, 1e300}},
		"Pose.Velocity":                          {func(d *fluid.ControlDef, v float64) { d.Pose.Velocity.Y = v }, []float64{testrig.NaN, testrig.Inf, 1e300}},
		"Pose.Angular":                           {func(d *fluid.ControlDef, v float64) { d.Pose.AngularVelocity.Y = v }, []float64{testrig.NaN, testrig.Inf, 1e300}},
		"Pose.Rotation":                          {func(d *fluid.ControlDef, v float64) { d.Pose.Rotation = quat.Number{Real: v} }, []float64{testrig.NaN, testrig.Inf}},
		"Clip":                                   {func(d *fluid.ControlDef, _ float64) { d.Clip = nil }, []float64{0}},
		"Clip: the *control.Clip":                {func(d *fluid.ControlDef, _ float64) { d.Clip = new(control.Clip) }, []float64{0}},
		"Clip: 0 triangles; must be at least 4":  {func(d *fluid.ControlDef, _ float64) { d.Clip = &testrig.Actor{Move: func(float64, []r3.Vec) {}} }, []float64{0}},
		"Clip: velocities of 0 vertices; there ": {func(d *fluid.ControlDef, _ float64) { d.Clip = badBall(func(m *control.Mesh) { m.Velocities = nil }) }, []float64{0}},
		"Clip: triangle 3 is of the vertices": {func(d *fluid.ControlDef, _ float64) {
			d.Clip = badBall(func(m *control.Mesh) { m.Triangles = wrongVertex(m.Triangles) })
		}, []float64{0}},
		"Clip: vertex 5 is at": {func(d *fluid.ControlDef, v float64) { d.Clip = badBall(func(m *control.Mesh) { m.Positions[5].Z = v }) }, []float64{testrig.NaN, testrig.Inf, 1e300}},
		"Clip: vertex 5 moves at": {func(d *fluid.ControlDef, v float64) {
			d.Clip = badBall(func(m *control.Mesh) { m.Velocities[5].Z = v })
		}, []float64{testrig.NaN, testrig.Inf, 1e300}},
	} {
		for _, v := range c.values {
			d := good
			c.set(&d, v)
			_, err := l.AddControl(d)
			testrig.Refused(t, err, "Control: ", name)
			testrig.Refused(t, l.SetControl(id, d), "SetControl: ", name)
		}
	}
	for _, id := range []int64{-1, 1, 99, math.MaxInt64} {
		testrig.Refused(t, l.SetControl(fluid.ControlID(id), good), "SetControl", "no control")
		testrig.Refused(t, l.RemoveControl(fluid.ControlID(id)), "RemoveControl", "no control")
	}
	if l.Hash() != was || l.Ledger() != held {
		t.Error("a refused control changed the liquid")
	}
	testrig.GoesOn(t, l, 2)
	testrig.Must(t, l.RemoveControl(id))
	testrig.Refused(t, l.RemoveControl(id), "RemoveControl", "no control")
	testrig.GoesOn(t, l, 2)
}

// badBall is a ball of which something is wrong.
func badBall(by func(m *control.Mesh)) control.Source {
	a := ballActor(.2)
	a.Spoil = by
	return a
}

// wrongVertex has a triangle of a vertex that there isn't.
func wrongVertex(t [][3]int32) [][3]int32 {
	out := append([][3]int32(nil), t...)
	out[3][1] = 1 << 20
	return out
}

// A surface that goes wrong in the middle of a game is set aside and named once, the liquid is free meanwhile, and followed again when it is good again.
func TestSurfaceThatGoesWrongIsSetAside(t *testing.T) {
	for name, spoil := range map[string]func(m *control.Mesh){
		"NaN":     func(m *control.Mesh) { m.Positions[0].X = testrig.NaN },
		"far":     func(m *control.Mesh) { m.Positions[0].X = 1e300 },
		"fast":    func(m *control.Mesh) { m.Velocities[0].X = testrig.Inf },
		"hole":    func(m *control.Mesh) { m.Triangles, m.Revision = m.Triangles[1:], 9 },
		"none":    func(m *control.Mesh) { m.Triangles = nil },
		"inside":  func(m *control.Mesh) { mirrored(m) },
		"shorter": func(m *control.Mesh) { m.Velocities = m.Velocities[:3] },
	} {
		t.Run(name, func(t *testing.T) {
			l := testrig.Tub(t)
			ball := ballActor(.2)
			_, err := l.AddControl(fluid.ControlDef{Clip: ball, Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .4, Y: .3, Z: .4}}})
			testrig.Must(t, err)
			testrig.GoesOn(t, l, 3)
			ball.Spoil = spoil
			named := 0
			for range 6 {
				r := *l.Step(testrig.Frame)
				testrig.Sound(t, l, r)
				for _, w := range r.Warnings {
					if w.Knob == "ControlDef.Clip" {
						named++
					}
				}
			}
			if named != 1 {
				t.Errorf("it is named %d times", named)
			}
			ball.Spoil = nil
			r := *l.Step(testrig.Frame)
			testrig.Sound(t, l, r)
			if r.Controls[0].WantedL < 20 {
				t.Errorf("good again it holds %.1f litres", r.Controls[0].WantedL)
			}
		})
	}
}

func mirrored(m *control.Mesh) {
	for i := range m.Positions {
		m.Positions[i].X = .8 - m.Positions[i].X
	}
}

// A shape that is too large to be looked at cell by cell is set aside, and the others are followed.
func TestTooLargeAShapeIsSetAside(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(20, 20, 20), CellSize: .05, Resources: fluid.Resources{MaxMemory: 1 << 40}})
	for _, radius := range []float64{9.5, .2} {
		_, err := l.AddControl(fluid.ControlDef{Clip: testrig.BallClip(t, radius, r3.Vec{}), Strength: 1, Pose: control.Pose{Position: r3.Vec{X: 10, Y: 10, Z: 10}}})
		testrig.Must(t, err)
	}
	r := *l.Step(testrig.Frame)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0].Text, "finest cells; must be at most") {
		t.Errorf("warnings: %v", r.Warnings)
	}
	if r.Controls[0].WantedL != 0 || r.Controls[1].WantedL < 20 {
		t.Errorf("%+v", r.Controls)
	}
}
