package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/material"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Bodies is what a Binder needs of a rigid-body engine; every fluid.Bodies satisfies it.
type Bodies = adapter.Bodies

// LocalCentres is implemented by Bodies whose centres of mass move within the
// bodies, so that bound nodes keep their place. A *physics.Coupling is one.
type LocalCentres = adapter.LocalCentres

// Binder makes nodes follow bodies, interpolated between the last two steps. Liquid has one
// of its own; a game that steps its bodies itself uses Capture and Show.
// The zero value is ready to use.
type Binder struct {
	own     adapter.Binder
	stepper *adapter.Stepper // a Liquid's, which binds in the place of own
}

// Binding ties a node to a body. Its Offset is from the point that the node is bound to, to the node's
// origin, m, in the body's frame; Gone reports whether the body no longer exists.
type Binding struct {
	*adapter.Binding
	node core.INode
	wet  wetBody
	made bool // the node is Show's
	// If made:
	body     physics.Body
	material material.IMaterial
	shapes   []shown // that the node has meshes of
	revision uint64  // of the body, which has these shapes
	hidden   bool    // since the body is gone
}

// bindings is what binds.
type bindings interface {
	Bind(bodies Bodies, i int, place func(r3.Vec, quat.Number)) *adapter.Binding
	BindBody(body physics.Body, place func(r3.Vec, quat.Number)) *adapter.Binding
	Unbind(k *adapter.Binding)
}

func (b *Binder) bindings() bindings {
	if b.stepper != nil {
		return b.stepper
	}
	return &b.own
}

// Bind makes node follow body i of bodies from now on, through the body's identity: adding
// or removing other bodies does no harm. When the body itself goes, the node stays where it was.
// The node keeps its place in the body when mass, shapes or kind move the centre of mass, if bodies
// is LocalCentres, as a *physics.Coupling is. Nodes above it must be untransformed; its own scale stays.
func (b *Binder) Bind(bodies Bodies, i int, node core.INode) *Binding {
	if bodies == nil || node == nil {
		panic("scene: Bind: nil bodies or node")
	}
	if i < 0 || i >= bodies.Len() {
		panic("scene: Bind: no such body")
	}
	k := &Binding{node: node}
	k.Binding = b.bindings().Bind(bodies, i, k.place)
	return k
}

// BindBody makes node follow a body, its origin at the body's own: that of NewModelBody with the
// model that it was made of.
func (b *Binder) BindBody(body physics.Body, node core.INode) *Binding {
	if !body.Valid() || node == nil {
		panic("scene: BindBody: no such body, or nil node")
	}
	k := &Binding{node: node}
	k.Binding = b.bindings().BindBody(body, k.place)
	return k
}

// Unbind lets the node go; it stays where it is.
func (b *Binder) Unbind(k *Binding) { b.bindings().Unbind(k.Binding) }

// Capture takes the bodies' poses; call it after each step of the bodies.
func (b *Binder) Capture() { b.own.Capture() }

// Interpolate places the nodes between the last two captured poses: at 0 the one before last, at 1
// the last, beyond 1 as far ahead of it.
func (b *Binder) Interpolate(alpha float64) { b.own.Interpolate(alpha) }

func (k *Binding) place(p r3.Vec, q quat.Number) {
	if k.made && k.Gone() != k.hidden {
		k.hidden = k.Gone()
		k.node.SetVisible(!k.hidden) // a rollback brings a body back
	}
	n := k.node.GetNode()
	n.SetPosition(float32(p.X), float32(p.Y), float32(p.Z))
	n.SetQuaternion(float32(q.Imag), float32(q.Jmag), float32(q.Kmag), float32(q.Real))
}
