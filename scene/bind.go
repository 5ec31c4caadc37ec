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
	// Offset is from the point that the node is bound to, to the node's origin, m, in the body's
	// frame. The point is the body's own origin after BindBody; after Bind it is what the centre of
	// mass was then. It stays in its place in the body wherever the centre of mass goes.
	Offset r3.Vec

	bodies Bodies
	anchor r3.Vec // the point that the node is bound to, from the body's origin, in its frame, m
	node   core.INode
	made   bool // the node is Show's
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
	local    r3.Vec // the centre, from the body's origin, in its frame, m
}

// Bind makes node follow body i of bodies from now on, through the body's identity: adding
// or removing other bodies does no harm. When the body itself goes, the node stays where it was.
// The node keeps its place in the body when mass, shapes or kind move the centre of mass, if bodies
// is a *physics.World or has LocalCentres. Nodes above it must be untransformed; its own scale stays.
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
	k.anchor = k.taken.is.local
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
	k.anchor = r3.Vec{}
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
		t.is.local = localCentre(k.bodies, t.index)
	}
}

// localCentre is the centre of mass of body i from the body's origin, in its frame, m; zero where
// bodies don't tell, since then it stays in its place.
func localCentre(bodies Bodies, i int) r3.Vec {
	switch b := bodies.(type) {
	case *physics.World:
		return b.Body(i).MassProperties().Centre
	case LocalCentres:
		return b.LocalCentre(i)
	}
	return r3.Vec{}
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

// show places the node. What goes straight from pose to pose is the point of the body that is the
// centre of mass now, also before a change that made it so.
func (k *Binding) show(alpha float64) {
	was, is := &k.shown.was, &k.shown.is
	if k.made && k.shown.gone {
		k.node.SetVisible(false)
	}
	q := nlerp(was.rotation, is.rotation, alpha)
	from := was.centre
	if was.local != is.local {
		from = r3.Add(from, r3.Rotation(was.rotation).Rotate(r3.Sub(is.local, was.local)))
	}
	p := r3.Add(from, r3.Scale(alpha, r3.Sub(is.centre, from)))
	p = r3.Add(p, r3.Rotation(q).Rotate(r3.Add(r3.Sub(k.anchor, is.local), k.Offset)))
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
