package fluid

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
)

// What a control can't be is refused by name, and leaves liquid and controls as they are.
func TestBadControlsAreRefused(t *testing.T) {
	l := tub(t)
	clip := ballClip(t, .15, r3.Vec{X: .05})
	good := ControlDef{Clip: clip, Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .4, Y: .3, Z: .4}}}
	id, err := l.Control(good)
	must(t, err)
	goesOn(t, l, 2)
	was, held := l.Hash(), l.Ledger()
	type change func(d *ControlDef, v float64)
	for name, c := range map[string]struct {
		set    change
		values []float64
	}{
		"Strength":    {func(d *ControlDef, v float64) { d.Strength = v }, []float64{nan, inf, -.1, 1.1}},
		"Smoothing":   {func(d *ControlDef, v float64) { d.Smoothing = int(v) }, []float64{-1, 1 << 30}},
		"Refill.Rate": {func(d *ControlDef, v float64) { d.Refill.Rate = v }, []float64{nan, inf, -1, 1e9}},
		"Start":       {func(d *ControlDef, v float64) { d.Start = v }, []float64{nan, inf, -inf}},
		"Speed":       {func(d *ControlDef, v float64) { d.Speed = v }, []float64{nan, inf, 1e3, -1e3}},
		"Fade":        {func(d *ControlDef, v float64) { d.Fade = v }, []float64{nan, inf, -1, 1e6}},
		"Arrival":     {func(d *ControlDef, v float64) { d.Arrival = control.Arrival(v) }, []float64{3, 200}},
		"Weights[1]": {func(d *ControlDef, v float64) {
			d.Weights = make([]float32, clip.Vertices())
			d.Weights[1] = float32(v)
		}, []float64{nan, inf, -1, 2}},
		"Weights":                                {func(d *ControlDef, v float64) { d.Weights = make([]float32, int(v)) }, []float64{1, 1000}},
		"Pose.Position":                          {func(d *ControlDef, v float64) { d.Pose.Position.Y = v }, []float64{nan, inf, 1e300}},
		"Pose.Velocity":                          {func(d *ControlDef, v float64) { d.Pose.Velocity.Y = v }, []float64{nan, inf, 1e300}},
		"Pose.Angular":                           {func(d *ControlDef, v float64) { d.Pose.AngularVelocity.Y = v }, []float64{nan, inf, 1e300}},
		"Pose.Rotation":                          {func(d *ControlDef, v float64) { d.Pose.Rotation = quat.Number{Real: v} }, []float64{nan, inf}},
		"Clip":                                   {func(d *ControlDef, _ float64) { d.Clip = nil }, []float64{0}},
		"Clip: the *control.Clip":                {func(d *ControlDef, _ float64) { d.Clip = new(control.Clip) }, []float64{0}},
		"Clip: 0 triangles; must be at least 4":  {func(d *ControlDef, _ float64) { d.Clip = &actor{at: func(float64, []r3.Vec) {}} }, []float64{0}},
		"Clip: velocities of 0 vertices; there ": {func(d *ControlDef, _ float64) { d.Clip = badBall(func(m *control.Mesh) { m.Velocities = nil }) }, []float64{0}},
		"Clip: triangle 3 is of the vertices": {func(d *ControlDef, _ float64) {
			d.Clip = badBall(func(m *control.Mesh) { m.Triangles = wrongVertex(m.Triangles) })
		}, []float64{0}},
		"Clip: vertex 5 is at":    {func(d *ControlDef, v float64) { d.Clip = badBall(func(m *control.Mesh) { m.Positions[5].Z = v }) }, []float64{nan, inf, 1e300}},
		"Clip: vertex 5 moves at": {func(d *ControlDef, v float64) { d.Clip = badBall(func(m *control.Mesh) { m.Velocities[5].Z = v }) }, []float64{nan, inf, 1e300}},
	} {
		for _, v := range c.values {
			d := good
			c.set(&d, v)
			_, err := l.Control(d)
			refused(t, err, "Control: ", name)
			refused(t, l.SetControl(id, d), "SetControl: ", name)
		}
	}
	for _, id := range []int64{-1, 1, 99, math.MaxInt64} {
		refused(t, l.SetControl(ControlID(id), good), "SetControl", "no control")
		refused(t, l.ReleaseControl(ControlID(id)), "ReleaseControl", "no control")
	}
	if l.Hash() != was || l.Ledger() != held {
		t.Error("a refused control changed the liquid")
	}
	goesOn(t, l, 2)
	must(t, l.ReleaseControl(id))
	refused(t, l.ReleaseControl(id), "ReleaseControl", "no control")
	goesOn(t, l, 2)
}

// badBall is a ball of which something is wrong.
func badBall(by func(m *control.Mesh)) control.Source {
	a := ballActor(.2)
	a.spoil = by
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
		"NaN":     func(m *control.Mesh) { m.Positions[0].X = nan },
		"far":     func(m *control.Mesh) { m.Positions[0].X = 1e300 },
		"fast":    func(m *control.Mesh) { m.Velocities[0].X = inf },
		"hole":    func(m *control.Mesh) { m.Triangles, m.Revision = m.Triangles[1:], 9 },
		"none":    func(m *control.Mesh) { m.Triangles = nil },
		"inside":  func(m *control.Mesh) { mirrored(m) },
		"shorter": func(m *control.Mesh) { m.Velocities = m.Velocities[:3] },
	} {
		t.Run(name, func(t *testing.T) {
			l := tub(t)
			ball := ballActor(.2)
			_, err := l.Control(ControlDef{Clip: ball, Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .4, Y: .3, Z: .4}}})
			must(t, err)
			goesOn(t, l, 3)
			ball.spoil = spoil
			named := 0
			for range 6 {
				r := l.Step(frame)
				sound(t, l, r)
				for _, w := range r.Warnings {
					if w.Knob == "ControlDef.Clip" {
						named++
					}
				}
			}
			if named != 1 {
				t.Errorf("it is named %d times", named)
			}
			ball.spoil = nil
			r := l.Step(frame)
			sound(t, l, r)
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

// FuzzControl: whatever liquid is to follow, and however that is changed, nothing panics, nothing that a game reads is not finite, and no litre is lost.
func FuzzControl(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 90, 60, 60, 60, 90, 0, 50, 150, 0, 60, 2, 50, 150, 0, 1, 50, 50, 50, 50, 50, 50, 50, 150, 50, 1, 1})
	for i := range byte(24) {
		f.Add([]byte{i, 60 + 5*i, 40 + 3*i, 60, 55, 100 + 4*i, 11 * i, 50, 60 + 7*i, i, 50 + 6*i, i, 50, 150 - 5*i, i, i, 50, 50, 60, 50, 50, 50 + i, 50, 150, 50, i, i / 2, 50 + i, 1, 60, 70, 40, 90, 50, 250 - i})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &decoder{data: data}
		l := fuzzLiquid(t, &decoder{data: []byte{d.byte() &^ (1 | 16)}}) // closed: what leaves through sides has a tolerance of its own
		defer l.Close()
		must(t, l.Fill(Below(float64(d.byte())/512)))
		size := l.sim.def.Domain.Size()
		capacity := size.X * size.Y * size.Z / litre
		var ids []ControlID
		for range 3 {
			if id, err := l.Control(d.controlDef()); err == nil {
				ids = append(ids, id)
			}
		}
		for n := range 12 {
			if len(ids) > 0 && n%4 == 3 {
				if d.byte()%3 == 0 {
					must(t, l.ReleaseControl(ids[0]))
					ids = ids[1:]
				} else {
					_ = l.SetControl(ids[0], d.controlDef())
				}
			}
			r := l.Step(frame)
			if err := unsound(l, r); err != nil {
				t.Fatal(err)
			}
			// A tank filled to within half a cell of its top gains what is missing there.
			if g := r.Ledger; !(math.Abs(g.DriftL) <= .05*(g.FilledL+capacity)) {
				t.Fatalf("step %d: ledger %+v", n, g)
			}
		}
	})
}

// A shape that is too large to be looked at cell by cell is set aside, and the others are followed.
func TestTooLargeAShapeIsSetAside(t *testing.T) {
	l := mustNew(t, Def{Domain: box(20, 20, 20), CellSize: .05, MaxMemory: 1 << 40})
	for _, radius := range []float64{9.5, .2} {
		_, err := l.Control(ControlDef{Clip: ballClip(t, radius, r3.Vec{}), Strength: 1, Pose: control.Pose{Position: r3.Vec{X: 10, Y: 10, Z: 10}}})
		must(t, err)
	}
	r := l.Step(frame)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0].Text, "finest cells; must be at most") {
		t.Errorf("warnings: %v", r.Warnings)
	}
	if r.Controls[0].WantedL != 0 || r.Controls[1].WantedL < 20 {
		t.Errorf("%+v", r.Controls)
	}
}
