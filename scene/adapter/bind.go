package adapter

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Bodies is what a Binder needs of a rigid-body engine; every fluid.Bodies satisfies it.
type Bodies interface {
	Len() int
	ID(i int) uint64
	// Pose is the centre of mass, m, and the orientation.
	Pose(i int) (centre r3.Vec, rotation quat.Number)
}

var _ Bodies = fluid.Bodies(nil)

// LocalCentres is implemented by Bodies whose centres of mass move within the
// bodies, so that what is bound keeps its place. A *physics.Coupling is one.
type LocalCentres interface {
	// LocalCentre is the centre of mass of body i from the body's own origin, m, in its frame.
	LocalCentre(i int) r3.Vec
}

// Binder makes what an engine draws follow bodies, interpolated between the last two steps. Stepper has one
// of its own; a game that steps its bodies itself uses Capture and Interpolate.
// The zero value is ready to use.
type Binder struct{ bindings []*Binding }

// Binding ties something drawn to a body.
type Binding struct {
	// Offset is from the bound point of the body to the origin of what is drawn, m, in the body's
	// frame. The bound point is the body's own origin after BindBody; after Bind it is what the centre of
	// mass was then. It stays in its place in the body wherever the centre of mass goes.
	Offset r3.Vec

	bodies   Bodies
	body     physics.Body // if bodies is a *physics.Coupling
	anchor   r3.Vec       // the bound point, from the body's origin, in its frame, m
	place    func(position r3.Vec, rotation quat.Number)
	id       uint64
	captured poses // by the last capture
	shown    poses // between which Interpolate interpolates
	wet      bodyWetness
}

// poses are a body's after the step before last and after the last.
type poses struct {
	index             int
	gone              bool
	previous, current pose
}

type pose struct {
	centre   r3.Vec
	rotation quat.Number
	local    r3.Vec // the centre, from the body's origin, in its frame, m
}

// Bind has place called with the pose to draw body i of bodies in: now, and at every Interpolate. It follows
// the body's identity: adding or removing other bodies does no harm. When the body itself goes, the
// pose stays as it was, until a rollback brings back a body of a *physics.Coupling. What is drawn keeps its place in the body when mass, shapes or kind move the
// centre of mass, if bodies is LocalCentres, as a *physics.Coupling is. place is called on the goroutine of
// Interpolate and must not bind or unbind.
func (b *Binder) Bind(bodies Bodies, i int, place func(position r3.Vec, rotation quat.Number)) *Binding {
	if bodies == nil || place == nil {
		panic("adapter: Bind: nil bodies or place")
	}
	if i < 0 || i >= bodies.Len() {
		panic("adapter: Bind: no such body")
	}
	k := b.bind(bodies, i, place)
	k.anchor = k.captured.current.local
	k.interpolate(1)
	return k
}

// BindBody is Bind with the pose of the body's own origin: that of BodyTriangles, and of NewModelBody with
// the model that it was made of.
func (b *Binder) BindBody(body physics.Body, place func(position r3.Vec, rotation quat.Number)) *Binding {
	if !body.Valid() || place == nil {
		panic("adapter: BindBody: no such body, or nil place")
	}
	k := b.bind(body.World().Coupling(), body.Index(), place)
	k.interpolate(1)
	return k
}

// bind binds the body's origin.
func (b *Binder) bind(bodies Bodies, i int, place func(position r3.Vec, rotation quat.Number)) *Binding {
	k := &Binding{bodies: bodies, place: place, id: bodies.ID(i)}
	if c, ok := bodies.(*physics.Coupling); ok {
		k.body = c.Body(i)
	}
	k.captured.index = i
	k.capture()
	k.captured.previous = k.captured.current
	k.publish()
	b.bindings = append(b.bindings, k)
	return k
}

// Unbind ends a binding: place is not called again.
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
	b.capture()
	b.publish()
}

func (b *Binder) capture() {
	for _, k := range b.bindings {
		k.capture()
	}
}

// publish makes the last captured poses the shown ones.
func (b *Binder) publish() {
	for _, k := range b.bindings {
		k.publish()
	}
}

// Interpolate calls place with poses between the last two captured poses: at 0 the one before last, at 1
// the last, beyond 1 as far ahead of it.
func (b *Binder) Interpolate(alpha float64) {
	for _, k := range b.bindings {
		k.interpolate(alpha)
	}
}

// Gone reports whether the body no longer exists.
func (k *Binding) Gone() bool { return k.shown.gone }

// capture reads the pose of the body. A step's goroutine may call it while another one calls interpolate.
func (k *Binding) capture() {
	t := &k.captured
	t.previous = t.current
	back := t.gone
	if k.find() {
		t.current.centre, t.current.rotation = k.bodies.Pose(t.index)
		t.current.local = localCentre(k.bodies, t.index)
		if back {
			t.previous = t.current
		}
	}
}

// localCentre is the centre of mass of body i from the body's origin, in its frame, m; zero where bodies do not report
// it.
func localCentre(bodies Bodies, i int) r3.Vec {
	if b, ok := bodies.(LocalCentres); ok {
		return b.LocalCentre(i)
	}
	return r3.Vec{}
}

func (k *Binding) publish() {
	k.shown = k.captured
	k.wet.publish()
}

// find updates the body's index, and reports whether the body exists.
func (k *Binding) find() bool {
	t := &k.captured
	if t.gone {
		if !k.body.Valid() {
			return false
		}
		t.gone, t.index = false, k.body.Index()
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

// interpolate calls place. The point that moves in a straight line is the present centre of mass, also across a change
// of it.
func (k *Binding) interpolate(alpha float64) {
	was, is := &k.shown.previous, &k.shown.current
	q := nlerp(was.rotation, is.rotation, alpha)
	from := was.centre
	if was.local != is.local {
		from = r3.Add(from, r3.Rotation(was.rotation).Rotate(r3.Sub(is.local, was.local)))
	}
	p := r3.Add(from, r3.Scale(alpha, r3.Sub(is.centre, from)))
	p = r3.Add(p, r3.Rotation(q).Rotate(r3.Add(r3.Sub(k.anchor, is.local), k.Offset)))
	k.place(p, q)
}

// nlerp is the normalised linear interpolation from a to b the short way. It equals slerp to third order in the angle.
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

// Matrix is the transform from a body's frame to the world, 4×4, column-major, as OpenGL has it.
func Matrix(position r3.Vec, rotation quat.Number) [16]float32 {
	turn := r3.Rotation(rotation)
	x, y, z := turn.Rotate(r3.Vec{X: 1}), turn.Rotate(r3.Vec{Y: 1}), turn.Rotate(r3.Vec{Z: 1})
	return [16]float32{
		float32(x.X), float32(x.Y), float32(x.Z), 0,
		float32(y.X), float32(y.Y), float32(y.Z), 0,
		float32(z.X), float32(z.Y), float32(z.Z), 0,
		float32(position.X), float32(position.Y), float32(position.Z), 1,
	}
}
