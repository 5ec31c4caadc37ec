package main

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/physics"
)

// What is shown.
const (
	smile = "smile" // a weightless head smiles and frowns
	shake = "shake" // a head shakes over a basin that refills it
	hit   = "hit"   // a fast ball goes through a head that is held loosely
)

// usual is how each act is shown where no flag says another.
// Source: Raveendran et al. 2012, section 7.
var usual = map[string]dials{
	smile: {alpha: 1, attract: .8, waves: .012},
	shake: {alpha: .25, attract: .6, waves: .008},
	hit:   {alpha: .2, attract: .5},
}

// dials are what flags set: strengths, and the amplitude of waves, m.
type dials struct{ alpha, attract, waves float64 }

const (
	tall   = 1.1  // of the head, m
	centre = 1.35 // of the head over the floor, m
	level  = .4   // of the basin, m
	refill = 400  // litres/s

	moodPeriod  = 2.5 // s, from a smile to a frown and back
	shakePeriod = 1.2 // s
	shakeAngle  = .55 // rad
	ease        = .8  // s, in which motion begins

	ballRadius  = .12  // m
	ballDensity = 3000 // kg/m³
	ballSpeed   = 8.   // m/s
	ballFrom    = 1.1  // m from the head's middle
	hitAt       = .6   // s
)

var domain = r3.Box{Min: r3.Vec{X: -1.2, Z: -1.2}, Max: r3.Vec{X: 1.2, Y: 2.4, Z: 1.2}}

// head is the liquid and the face that it follows, without any picture.
type head struct {
	play.Base
	act    string
	def    fluid.ControlDef
	id     fluid.ControlID
	held   bool
	told   fluid.ControlReport
	ball   physics.Body
	thrown bool
	onBall func(physics.Body)
}

// newHead makes a liquid that follows a face.
func newHead(def fluid.Def, act string, d dials) (*head, error) {
	def.Domain = domain
	def.Physics.Weightless = act == smile
	def.SurfaceWaves.Amplitude = min(d.waves, def.CellSize)
	h := &head{act: act}
	h.def = fluid.ControlDef{
		Clip: newFace(act), Strength: d.alpha, Arrival: control.Appear, Refill: control.Refill{Rate: refill},
		Attraction: control.Attraction{Strength: d.attract}, Pose: control.Pose{Position: r3.Vec{Y: centre}},
	}
	if act != smile {
		h.def.Refill.From = fluid.Below(level / 2)
	}
	return h, h.Begin(def, h.build)
}

// build fills the basin and the head.
func (h *head) build() error {
	if _, err := h.World().AddRoom(physics.RoomDef{Inside: domain}); err != nil {
		return err
	}
	h.Liquid().Couple(h.World().Coupling())
	if h.act != smile {
		if err := h.Liquid().Fill(fluid.Below(level)); err != nil {
			return err
		}
	}
	return h.hold()
}

// hold has the liquid follow the face.
func (h *head) hold() (err error) {
	h.id, err = h.Liquid().AddControl(h.def)
	h.held = err == nil
	return err
}

// letGoOrHold leaves the liquid to itself, or has it follow again.
func (h *head) letGoOrHold() error {
	if !h.held {
		return h.hold()
	}
	h.held = false
	return h.Liquid().RemoveControl(h.id)
}

// Cue throws the ball when it is time.
func (h *head) Cue() error {
	if h.act != hit || h.thrown || h.Time < hitAt {
		return nil
	}
	return h.throw()
}

// throw throws a ball at the head from its side, once.
func (h *head) throw() (err error) {
	if h.thrown {
		return nil
	}
	h.thrown = true
	at := r3.Vec{X: ballFrom, Y: centre + .1, Z: .1}
	if h.ball, err = h.World().AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: "ball", Position: at, Velocity: r3.Vec{X: -ballSpeed, Y: 1}}); err != nil {
		return err
	}
	_, err = h.ball.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, ballRadius), Density: ballDensity})
	if err == nil && h.onBall != nil {
		h.onBall(h.ball)
	}
	return err
}

// Stepped keeps what the control has done.
func (h *head) Stepped(r *fluid.Report) {
	for _, c := range r.Controls {
		if h.held && c.ID == int64(h.id) {
			h.told = c
		}
	}
}

// face is a head whose mood and turn follow a programme.
type face struct {
	act  string
	mesh *shapes.Face
	past []r3.Vec
}

func newFace(act string) *face {
	f := &face{act: act, mesh: shapes.NewFace(tall)}
	f.past = make([]r3.Vec, len(f.mesh.Rest.Positions))
	return f
}

// Duration is 0: there is no end.
func (f *face) Duration() float64 { return 0 }

// At sets m to the face at a time, s. Velocities are those of the last tenth of a millisecond.
func (f *face) At(t float64, m *control.Mesh) {
	const dt = 1e-4
	m.Triangles, m.Revision = f.mesh.Rest.Triangles, 1
	m.Positions, m.Velocities = m.Positions[:0], m.Velocities[:0]
	f.place(t-dt, f.past)
	m.Positions = append(m.Positions, f.past...)
	f.place(t, m.Positions)
	for v, x := range m.Positions {
		m.Velocities = append(m.Velocities, r3.Scale(1/dt, r3.Sub(x, f.past[v])))
	}
}

// place writes where the vertices are at a time, s.
func (f *face) place(t float64, positions []r3.Vec) {
	begun := max(0, min(1, t/ease))
	begun *= begun * (3 - 2*begun)
	mood, angle := 0., 0.
	switch f.act {
	case smile:
		mood = begun * math.Sin(2*math.Pi*t/moodPeriod)
	case shake:
		angle = begun * shakeAngle * math.Sin(2*math.Pi*t/shakePeriod)
	}
	f.mesh.At(mood, positions)
	if angle == 0 {
		return
	}
	turn := r3.Rotation(quat.Number{Real: math.Cos(angle / 2), Jmag: math.Sin(angle / 2)})
	for v, x := range positions {
		positions[v] = turn.Rotate(x)
	}
}

// Subject is the head's middle.
func (h *head) Subject() r3.Vec { return r3.Vec{Y: centre} }

// Bodies reports the ball as it is.
func (h *head) Bodies() []report.Body {
	if !h.thrown {
		return nil
	}
	return []report.Body{h.Describe(h.ball, ballDensity/h.Liquid().Def().Physics.Density)}
}

// Readings are the control's.
func (h *head) Readings() []report.Reading {
	if !h.held {
		return []report.Reading{{Name: "α, let go", Value: 0, Unit: "%"}}
	}
	return []report.Reading{
		{Name: "α", Value: 100 * h.def.Strength, Unit: "%"},
		{Name: "wanted", Value: h.told.WantedL, Unit: "l"},
		{Name: "held", Value: h.told.HeldL, Unit: "l"},
		{Name: "error", Value: 1000 * h.told.Error, Unit: "mm"},
	}
}
