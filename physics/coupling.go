package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Coupling is a World as a liquid, or another solver that pushes bodies, sees it: fluid.Liquid.Couple takes it. World.Coupling returns it.
//
// Its methods take a body's index, from 0 to Len()-1 in order of creation. Body.Index is that of a body. Adding bodies keeps it, and removing
// an older one changes it. An index out of range panics.
type Coupling World

// Coupling is the world as a liquid sees it, the same value at each call.
func (w *World) Coupling() *Coupling { return (*Coupling)(w) }

// World is the world of c.
func (c *Coupling) World() *World { return (*World)(c) }

// at is the body with index i.
func (c *Coupling) at(i int) *body { return &c.bodies[c.order[i]] }

// Len is the number of bodies, static ones included.
func (c *Coupling) Len() int { return len(c.order) }

// Body is the handle of body i.
func (c *Coupling) Body(i int) Body { return (*World)(c).body(c.order[i]) }

// ID is Body.ID of body i as a number.
func (c *Coupling) ID(i int) uint64 { return c.at(i).id(c.order[i]) }

// Kind of body i as a number: 0 static, 1 kinematic, 2 dynamic.
func (c *Coupling) Kind(i int) int { return int(c.at(i).kind) }

// Revision of body i changes whenever something other than Step changes its pose, kind, mass or shapes: Body.SetPose, Body.AddShape,
// Shape.Remove and their like, and World.Restore and World.CopyTo for all bodies.
func (c *Coupling) Revision(i int) uint64 { return c.at(i).revision }

// LiquidCategory is the set of bits that body i is to liquids; 0: all ignore it.
func (c *Coupling) LiquidCategory(i int) uint64 { return c.at(i).liquid }

// LiquidDrag is BodyDef.LiquidDrag of body i.
func (c *Coupling) LiquidDrag(i int) (skin, form float64) {
	d := &c.at(i).drag
	return d.Skin, d.Form
}

// BodyName is BodyDef.Name of body i.
func (c *Coupling) BodyName(i int) string { return c.at(i).name }

// Awake is Body.Awake of body i.
func (c *Coupling) Awake(i int) bool { return c.at(i).moving() }

// Wake wakes body i if it is dynamic.
func (c *Coupling) Wake(i int) { (*World)(c).wake(c.order[i]) }

// Pose is the world centre of mass of body i, m, and its orientation. The centre of a body
// that is not dynamic is its origin.
func (c *Coupling) Pose(i int) (centre r3.Vec, rotation quat.Number) {
	b := c.at(i)
	return b.x, b.q
}

// LocalCentre is the centre of mass of body i in its own axes, m.
func (c *Coupling) LocalCentre(i int) r3.Vec { return c.at(i).mass.Centre }

// Velocity is that of the centre of mass of body i, m/s, and its angular velocity in world axes, rad/s, now.
func (c *Coupling) Velocity(i int) (v, w r3.Vec) {
	b := c.at(i)
	return b.v, b.w
}

// PredictedVelocity is Velocity(i) at the end of a step of dt seconds with gravity, damping,
// the caller's forces and the gyroscopic torque, but without contacts and AddWrench: exactly
// what Step gives a body that nothing touches, its joints included. A kinematic body's is
// prescribed, a sleeping one's is zero.
func (c *Coupling) PredictedVelocity(i int, dt float64) (v, w r3.Vec) {
	b := *c.at(i)
	if b.kind != Dynamic {
		f := b.targetShare(dt)
		return reproducible.Scale(f, b.v), reproducible.Scale(f, b.w)
	}
	if !b.awake {
		return r3.Vec{}, r3.Vec{}
	}
	if len(b.joints) > 0 && b.invMass > 0 && dt > 0 {
		(*World)(c).predictJointed(dt)
		return c.prediction.v[c.order[i]], c.prediction.w[c.order[i]]
	}
	h := dt / float64(c.def.Substeps)
	for range c.def.Substeps {
		b.integrateVelocity(c.def.Gravity, b.force, b.torque, h)
		b.integrateRotation(h)
	}
	return b.v, b.w
}

// InverseMass of body i, 1/kg, and its inverse inertia about the centre of mass in world
// axes, 1/(kg·m²); zero unless dynamic.
func (c *Coupling) InverseMass(i int) (float64, [3][3]float64) {
	b := c.at(i)
	return b.invMass, b.invI
}

// Touching reports whether body i, or one that joints join it to, touched another in the last
// step.
func (c *Coupling) Touching(i int) bool { return c.at(i).touching }

// SetGravity is World.SetGravity: a liquid whose gravity changes passes it on.
func (c *Coupling) SetGravity(g r3.Vec) error { return (*World)(c).SetGravity(g) }

// Gravity is the world's, m/s².
func (c *Coupling) Gravity() r3.Vec { return (*World)(c).Gravity() }

// Step is World.Step.
func (c *Coupling) Step(dt float64) { (*World)(c).Step(dt) }

// Attached is what Attach was given last, nil at first. It is not copied, and World.Restore leaves it as it is.
func (c *Coupling) Attached() any { return c.attached }

// Attach keeps a value for the liquids that couple the world, which find each other by it.
func (c *Coupling) Attach(value any) { c.attached = value }

// revise gives the body a new revision.
func (w *World) revise(b *body) {
	w.revisions++
	b.revision = w.revisions
}

// reviseAll gives all bodies new revisions.
func (w *World) reviseAll() {
	for _, s := range w.order {
		w.revise(&w.bodies[s])
	}
}

// moving reports whether the body is dynamic and awake, or kinematic with a velocity.
func (b *body) moving() bool {
	switch b.kind {
	case Dynamic:
		return b.awake
	case Kinematic:
		return b.targetTime > 0 && (b.v != r3.Vec{} || b.w != r3.Vec{})
	}
	return false
}

// targetShare is the part of the next dt seconds through which a kinematic body moves.
func (b *body) targetShare(dt float64) float64 {
	if b.targetTime >= dt || math.IsInf(b.targetTime, 1) {
		return 1
	}
	return b.targetTime / dt
}
