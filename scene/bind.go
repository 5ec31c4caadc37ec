package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// Binder makes nodes follow bodies, interpolated between the last two steps. Liquid has one
// of its own; a game that steps its bodies itself uses Capture and Show.
// The zero value is ready to use.
type Binder struct{ bindings []*Binding }

// Binding ties a node to a body.
type Binding struct {
	// Offset is from the body's centre of mass to the node's origin, m, in the body's frame.
	Offset r3.Vec

	bodies Bodies
	node   core.INode
	id     uint64
	taken  track // by the last capture
	shown  track // that Show goes by
}

// track is where a body was after the step before the last one, and where it is.
type track struct {
	index   int
	gone    bool
	was, is pose
}

type pose struct {
	centre   r3.Vec
	rotation quat.Number
}

// Bind makes node follow body i of bodies from now on, through the body's identity: adding
// or removing other bodies does no harm. When the body itself goes, the node stays where it was.
// Nodes above it must be untransformed; its own scale stays.
func (b *Binder) Bind(bodies Bodies, i int, node core.INode) *Binding {
	if bodies == nil || node == nil {
		panic("scene: Bind: nil bodies or node")
	}
	if i < 0 || i >= bodies.Len() {
		panic("scene: Bind: no such body")
	}
	k := &Binding{bodies: bodies, node: node, id: bodies.ID(i)}
	k.taken.index = i
	k.capture()
	k.taken.was = k.taken.is
	k.publish()
	k.show(1)
	b.bindings = append(b.bindings, k)
	return k
}

// BindBody makes node follow a body, its origin at the body's own: that of NewModelBody with the
// model that it was made of.
func (b *Binder) BindBody(body physics.Body, node core.INode) *Binding {
	if !body.Valid() {
		panic("scene: BindBody: no such body")
	}
	k := b.Bind(body.World(), body.Index(), node)
	k.Offset = r3.Scale(-1, body.MassProperties().Centre)
	k.show(1)
	return k
}

// Unbind lets the node go; it stays where it is.
func (b *Binder) Unbind(k *Binding) {
	for i, other := range b.bindings {
		if other == k {
			b.bindings = append(b.bindings[:i], b.bindings[i+1:]...)
			return
		}
	}
}

// Capture takes the bodies' poses; call it after each step of the bodies.
func (b *Binder) Capture() {
	for _, k := range b.bindings {
		k.capture()
		k.publish()
	}
}

// publish shows from now on what was captured last.
func (b *Binder) publish() {
	for _, k := range b.bindings {
		k.publish()
	}
}

// Show places the nodes between the last two captured poses: at 0 the one before last, at 1
// the last, beyond 1 as far ahead of it.
func (b *Binder) Show(alpha float64) {
	for _, k := range b.bindings {
		k.show(alpha)
	}
}

// Gone reports whether the body no longer exists.
func (k *Binding) Gone() bool { return k.shown.gone }

// capture reads the bodies. A step's goroutine may call it while another one shows.
func (k *Binding) capture() {
	t := &k.taken
	t.was = t.is
	if k.find() {
		t.is.centre, t.is.rotation = k.bodies.Pose(t.index)
	}
}

func (k *Binding) publish() { k.shown = k.taken }

// find looks the body up again if another has taken its index.
func (k *Binding) find() bool {
	t := &k.taken
	if t.gone {
		return false
	}
	n := k.bodies.Len()
	if t.index < n && k.bodies.ID(t.index) == k.id {
		return true
	}
	for i := 0; i < n; i++ {
		if k.bodies.ID(i) == k.id {
			t.index = i
			return true
		}
	}
	t.gone = true
	return false
}

func (k *Binding) show(alpha float64) {
	was, is := &k.shown.was, &k.shown.is
	q := nlerp(was.rotation, is.rotation, alpha)
	p := r3.Add(was.centre, r3.Scale(alpha, r3.Sub(is.centre, was.centre)))
	p = r3.Add(p, r3.Rotation(q).Rotate(k.Offset))
	n := k.node.GetNode()
	n.SetPosition(float32(p.X), float32(p.Y), float32(p.Z))
	n.SetQuaternion(float32(q.Imag), float32(q.Jmag), float32(q.Kmag), float32(q.Real))
}

// nlerp turns from a to b the short way. Between two steps the angle is small, where it
// equals slerp to third order.
func nlerp(a, b quat.Number, t float64) quat.Number {
	if a.Real*b.Real+a.Imag*b.Imag+a.Jmag*b.Jmag+a.Kmag*b.Kmag < 0 {
		b = quat.Scale(-1, b)
	}
	q := quat.Add(quat.Scale(1-t, a), quat.Scale(t, b))
	if l := quat.Abs(q); l > 0 && !math.IsInf(l, 0) {
		return quat.Scale(1/l, q)
	}
	return quat.Number{Real: 1}
}
