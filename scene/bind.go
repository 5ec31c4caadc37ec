package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Binder makes nodes follow bodies, interpolated between the last two steps. Liquid has one
// of its own; a game that steps its bodies itself uses Capture and Show.
// The zero value is ready to use.
type Binder struct{ bindings []*Binding }

// Binding ties a node to a body.
type Binding struct {
	// Offset is from the body's centre of mass to the node's origin, m, in the body's frame.
	Offset r3.Vec

	bodies   Bodies
	node     core.INode
	id       uint64
	index    int
	gone     bool
	captures int
	was, is  pose
}

type pose struct {
	centre   r3.Vec
	rotation quat.Number
}

// Bind makes node follow body i of bodies from now on, through the body's identity: adding
// or removing other bodies does no harm. When the body itself goes, the node stays where it was.
func (b *Binder) Bind(bodies Bodies, i int, node core.INode) *Binding {
	if bodies == nil || node == nil {
		panic("scene: Bind: nil bodies or node")
	}
	if i < 0 || i >= bodies.Len() {
		panic("scene: Bind: no such body")
	}
	k := &Binding{bodies: bodies, node: node, id: bodies.ID(i), index: i}
	k.capture()
	k.show(1)
	b.bindings = append(b.bindings, k)
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
	}
}

// Show places the nodes between the last two captured poses: at 0 the one before last, at 1
// the last.
func (b *Binder) Show(alpha float64) {
	for _, k := range b.bindings {
		k.show(alpha)
	}
}

// Gone reports whether the body no longer exists.
func (k *Binding) Gone() bool { return k.gone }

func (k *Binding) capture() {
	if !k.find() {
		k.was = k.is
		return
	}
	k.was = k.is
	k.is.centre, k.is.rotation = k.bodies.Pose(k.index)
	if k.captures == 0 {
		k.was = k.is
	}
	k.captures++
}

// find looks the body up again if another has taken its index.
func (k *Binding) find() bool {
	if k.gone {
		return false
	}
	n := k.bodies.Len()
	if k.index < n && k.bodies.ID(k.index) == k.id {
		return true
	}
	for i := 0; i < n; i++ {
		if k.bodies.ID(i) == k.id {
			k.index = i
			return true
		}
	}
	k.gone = true
	return false
}

func (k *Binding) show(alpha float64) {
	q := nlerp(k.was.rotation, k.is.rotation, alpha)
	p := r3.Add(k.was.centre, r3.Scale(alpha, r3.Sub(k.is.centre, k.was.centre)))
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
