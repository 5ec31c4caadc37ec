package scene

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/graphic"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// Controllable is a Source that can be controlled; *fluid.Liquid is one.
type Controllable interface {
	Source
	AddControl(d fluid.ControlDef) (fluid.ControlID, error)
	SetControl(id fluid.ControlID, d fluid.ControlDef) error
	RemoveControl(id fluid.ControlID) error
}

var _ Controllable = (*fluid.Liquid)(nil)

// Control holds a control of a liquid: a moving surface that the liquid follows as tightly as its strength says. The surface is where a node is that it
// follows, or stays where it is put. Control is also an overlay, hidden until Toggle: the edges of the surface where the liquid is to have it,
// blue where it holds loosely, yellow, and red where the liquid keeps to it.
//
// Liquid.Update moves it before each step, after BeforeStep; a game that steps the liquid itself calls Update before each step, and Record after it.
// It is part of the Liquid node and is disposed of with that, which releases the liquid.
type Control struct {
	graphic.Graphic
	wire wire

	water  *Liquid
	liquid Controllable
	id     fluid.ControlID
	def    fluid.ControlDef
	report fluid.ControlReport
	err    error

	node     core.INode // that it follows, or nil
	rest     place      // where it is put, without one
	at       place      // where it is when the steps end that have been started
	moves    bool       // the liquid has been told of velocities
	changed  bool       // the liquid is to be told of def
	released bool
}

// NewControl has a liquid follow a moving surface from the next step on. The surface is where node is, moved and turned as that is in the world, but not scaled;
// with nil it stays where d.Pose puts it. It waits for steps under way. An error says which field of d is wrong, or that
// the liquid's Source is not Controllable.
func NewControl(water *Liquid, d fluid.ControlDef, node core.INode) (*Control, error) {
	if water == nil {
		panic("scene: NewControl: nil Liquid")
	}
	liquid, ok := water.source.(Controllable)
	if !ok {
		return nil, errors.New("scene: NewControl: the Source of the Liquid is not Controllable")
	}
	c := &Control{water: water, liquid: liquid, def: d, node: node, rest: placeOfPose(&d.Pose)}
	c.at = c.target()
	c.def.Pose = poseOf(&c.at, r3.Vec{}, r3.Vec{})
	water.Wait()
	id, err := liquid.AddControl(c.def)
	if err != nil {
		return nil, fmt.Errorf("scene: NewControl: %w", err)
	}
	c.id = id
	c.report = fluid.ControlReport{ID: int64(id), Time: d.Start, Strength: d.Strength}
	c.initWire()
	water.controls = append(water.controls, c)
	water.Add(c)
	return c, nil
}

// ID is the liquid's name for the control.
func (c *Control) ID() fluid.ControlID { return c.id }

// Def is what the control is by now.
func (c *Control) Def() fluid.ControlDef { return c.def }

// Report is what the control did in the last step.
func (c *Control) Report() fluid.ControlReport { return c.report }

// Err is what the liquid has refused last, or the surface of a model: the control then is what it was, and a model's surface stands still. Nil if all is well.
func (c *Control) Err() error { return c.err }

// Released tells whether the liquid is free of the control.
func (c *Control) Released() bool { return c.released }

// SetStrength changes the strength, 0 to 1, from the next step on.
func (c *Control) SetStrength(strength float64) error {
	if !(strength >= 0 && strength <= 1) {
		return fmt.Errorf("scene: Control: Strength %v; must be 0 to 1", strength)
	}
	c.changed = c.changed || strength != c.def.Strength
	c.def.Strength = strength
	return nil
}

// Set changes all but Start, Arrival and Pose, as fluid.Liquid.SetControl does: another Clip is gone over to in d.Fade seconds. It waits for steps under
// way. After an error the control is what it was.
func (c *Control) Set(d fluid.ControlDef) error {
	d.Start, d.Arrival, d.Pose = c.def.Start, c.def.Arrival, c.def.Pose
	if !c.released {
		c.water.Wait()
		if err := c.liquid.SetControl(c.id, d); err != nil {
			return fmt.Errorf("scene: Control: %w", err)
		}
	}
	if s, ok := c.def.Clip.(*ModelSurface); ok && d.Clip != c.def.Clip {
		s.surface.Stop() // it is no longer moved
	}
	c.def = d
	return nil
}

// Follow has the control follow another node from the next step on. It is there at once: what lies between is not swept over. With nil
// it stays where it is.
func (c *Control) Follow(node core.INode) {
	c.node, c.rest = node, c.at
	c.jump()
}

// Place puts the control somewhere at once, to stay; rotation zero means none. What lies between is not swept over.
func (c *Control) Place(position r3.Vec, rotation quat.Number) {
	c.MoveTo(position, rotation)
	c.jump()
}

// MoveTo moves the control somewhere within the next frame, to stay.
func (c *Control) MoveTo(position r3.Vec, rotation quat.Number) {
	c.node, c.rest = nil, placeOfPose(&control.Pose{Position: position, Rotation: rotation})
}

// jump puts the control where it goes, without a velocity.
func (c *Control) jump() {
	c.at, c.changed = c.target(), true
}

// target is where the control is to go.
func (c *Control) target() place {
	if c.node != nil {
		return placeOf(c.node)
	}
	return c.rest
}

// Update moves the control to where its node is, within dt seconds: before a step of the liquid of that length, if the game steps it
// itself. It moves the surface of a model, too.
func (c *Control) Update(dt float64) {
	if !(dt > 0) || math.IsInf(dt, 1) {
		panic(fmt.Sprintf("scene: Control.Update: dt %v s; must be positive", dt))
	}
	c.deform(dt, 1)
	c.move(dt, 1)
}

// deform moves the surface of a model, if it is of one.
func (c *Control) deform(dt, part float64) {
	s, ok := c.def.Clip.(*ModelSurface)
	if !ok || c.released {
		return
	}
	moved := s.surface.Moving()
	if err := s.move(dt, part); err != nil {
		c.err = err
	}
	c.changed = c.changed || moved || s.surface.Moving() // the liquid must not sleep
}

// move moves the control within dt seconds a part of the way to where it goes.
func (c *Control) move(dt, part float64) {
	if c.released {
		return
	}
	from, to := c.at, c.target()
	velocity, spin := from.velocities(&to, part/dt)
	moves := velocity != r3.Vec{} || spin != r3.Vec{}
	if part < 1 {
		to = from.moved(velocity, spin, dt)
	}
	c.at = to
	if !moves && !c.moves && !c.changed {
		return // told before: what lies still may sleep
	}
	c.moves, c.changed = moves, false
	c.def.Pose = poseOf(&from, velocity, spin)
	if err := c.liquid.SetControl(c.id, c.def); err != nil {
		c.err = fmt.Errorf("scene: Control: %w", err)
	}
}

// Record takes what a step's report says of the control.
func (c *Control) Record(r *fluid.Report) {
	for i := range r.Controls {
		if r.Controls[i].ID == c.report.ID {
			c.report = r.Controls[i]
		}
	}
}

// Release lets the liquid go, with the velocity that it has, before the next step.
func (c *Control) Release() { c.water.BetweenSteps(c.end) }

// Dispose releases the liquid, which must not be closed yet, and returns what is shown to OpenGL. It waits for steps under way.
func (c *Control) Dispose() {
	c.water.Wait()
	c.end()
	c.Graphic.Dispose()
}

// end releases the liquid. No step is under way.
func (c *Control) end() {
	if c.released {
		return
	}
	c.released = true
	c.SetRenderable(false)
	c.water.controls = slices.DeleteFunc(c.water.controls, func(k *Control) bool { return k == c })
	if err := c.liquid.RemoveControl(c.id); err != nil {
		c.err = fmt.Errorf("scene: Control: %w", err)
	}
}

// moveControls moves the controls before steps, and once each the surfaces of models that they are of.
func (l *Liquid) moveControls() {
	dt, part := l.stepper.Stride()
	l.started = dt
	for i, c := range l.controls {
		if !slices.ContainsFunc(l.controls[:i], func(k *Control) bool { return k.def.Clip == c.def.Clip }) {
			c.deform(dt, part)
		}
		c.move(dt, part)
	}
}

// poseOf is a place as the liquid takes it: where the surface is as the next step begins, and how it goes on from there.
func poseOf(p *place, velocity, spin r3.Vec) control.Pose {
	return control.Pose{Position: p.origin, Rotation: p.rotation, Velocity: velocity, AngularVelocity: spin}
}

// placeOfPose is where a pose is.
func placeOfPose(p *control.Pose) place {
	turn := p.Rotation
	if turn == (quat.Number{}) {
		turn.Real = 1
	}
	return place{p.Position, turn}
}

// atRest, m and rad, is a distance so small that what comes so near has come.
const atRest = 1e-7

// velocities are those that lead to another place, on the shorter way, in 1/rate seconds: m/s and rad/s, zero if it is there.
func (p *place) velocities(to *place, rate float64) (velocity, spin r3.Vec) {
	way, turn := r3.Sub(to.origin, p.origin), turnBetween(p.rotation, to.rotation)
	if r3.Norm(way) < atRest && r3.Norm(turn) < atRest {
		return r3.Vec{}, r3.Vec{}
	}
	return r3.Scale(rate, way), r3.Scale(rate, turn)
}

// moved is where a place is after dt seconds of velocities.
func (p *place) moved(velocity, spin r3.Vec, dt float64) place {
	return place{r3.Add(p.origin, r3.Scale(dt, velocity)), turned(p.rotation, r3.Scale(dt, spin))}
}

// turnBetween is the rotation vector, rad, that leads from one rotation to another on the shorter way.
func turnBetween(from, to quat.Number) r3.Vec {
	d := quat.Mul(to, quat.Conj(from))
	if d.Real < 0 {
		d = quat.Scale(-1, d)
	}
	axis := r3.Vec{X: d.Imag, Y: d.Jmag, Z: d.Kmag}
	sin := r3.Norm(axis)
	if sin == 0 {
		return r3.Vec{}
	}
	return r3.Scale(2*math.Atan2(sin, d.Real)/sin, axis)
}

// turned is a rotation after another by a rotation vector, rad.
func turned(q quat.Number, by r3.Vec) quat.Number {
	angle := r3.Norm(by)
	if angle == 0 {
		return q
	}
	sin, cos := math.Sincos(angle / 2)
	axis := r3.Scale(sin/angle, by)
	q = quat.Mul(quat.Number{Real: cos, Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}, q)
	return quat.Scale(1/quat.Abs(q), q)
}
