package physics

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Len is the number of live bodies, static ones included.
func (w *World) Len() int { return len(w.order) }

// at is the body with index i.
func (w *World) at(i int) *body { return &w.bodies[w.order[i]] }

// ID identifies body i for as long as the world lives.
func (w *World) ID(i int) uint64 { return w.at(i).id(w.order[i]) }

// Kind of body i as a number: 0 static, 1 kinematic, 2 dynamic.
func (w *World) Kind(i int) int { return int(w.at(i).kind) }

// Revision of body i is another number whenever something other than Step has changed where it is, its kind, its mass or its
// shapes: SetPose, AddShape, Shape.Destroy and their like, and Restore and CopyTo for all bodies.
func (w *World) Revision(i int) uint64 { return w.at(i).revision }

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

// LiquidCategory is the set of bits that body i is to liquids; 0: none takes it.
func (w *World) LiquidCategory(i int) uint64 { return w.at(i).liquid }

// LiquidDrag is the coefficients of body i: of friction on its wetted surface, and of drag on a quarter of it.
func (w *World) LiquidDrag(i int) (skin, form float64) {
	d := &w.at(i).drag
	return d.Skin, d.Form
}

// BodyName is what body i is called, see BodyDef.Name; empty means nothing.
func (w *World) BodyName(i int) string { return w.at(i).name }

// Awake reports whether body i is dynamic and simulated, or kinematic and moving.
func (w *World) Awake(i int) bool { return w.at(i).moving() }

// Wake wakes body i if it is dynamic.
func (w *World) Wake(i int) { w.wake(w.order[i]) }

// Pose is the world centre of mass of body i, m, and its orientation. The centre of a body
// that is not dynamic is its origin.
func (w *World) Pose(i int) (centre r3.Vec, rotation quat.Number) {
	b := w.at(i)
	return b.x, b.q
}

// Velocity of the centre of mass of body i, m/s, and its spin in world axes, rad/s, now.
func (w *World) Velocity(i int) (v, spin r3.Vec) {
	b := w.at(i)
	return b.v, b.w
}

// PredictedVelocity is Velocity(i) at the end of a step of dt seconds with gravity, damping,
// the caller's forces and the gyroscopic torque, but without contacts and AddWrench: exactly
// what Step gives a body that nothing touches, its joints included. A kinematic body's is
// prescribed, a sleeping one's is zero.
func (w *World) PredictedVelocity(i int, dt float64) (v, spin r3.Vec) {
	b := *w.at(i)
	if b.kind != Dynamic {
		f := b.targetShare(dt)
		return reproducible.Scale(f, b.v), reproducible.Scale(f, b.w)
	}
	if !b.awake {
		return r3.Vec{}, r3.Vec{}
	}
	if len(b.joints) > 0 && b.invMass > 0 && dt > 0 {
		w.predictJointed(dt)
		return w.prediction.v[w.order[i]], w.prediction.w[w.order[i]]
	}
	h := dt / float64(w.def.Substeps)
	for range w.def.Substeps {
		b.integrateVelocity(w.def.Gravity, b.force, b.torque, h)
		b.integrateRotation(h)
	}
	return b.v, b.w
}

// InverseMass of body i, 1/kg, and its inverse inertia about the centre of mass in world
// axes, 1/(kg·m²); zero unless dynamic.
func (w *World) InverseMass(i int) (float64, [3][3]float64) {
	b := w.at(i)
	return b.invMass, b.invI
}

// Bounds is the world's axis-aligned box about the solid of body i, m. Half-spaces reach to
// ±1e9 m; a body without shapes has an empty box at its centre.
func (w *World) Bounds(i int) r3.Box {
	b := w.at(i)
	box, found := r3.Box{Min: b.x, Max: b.x}, false
	for _, s := range b.shapes {
		switch sh := &w.shapes[s]; {
		case sh.def.Sensor:
		case found:
			box = union(box, sh.bounds)
		default:
			box, found = sh.bounds, true
		}
	}
	return box
}

// Thickness is the smallest wall thickness of the solid of body i, m: of a box its smallest
// edge, of a sphere or capsule its diameter, of a cylinder the smaller of diameter and height,
// of a hull the least width between one of its faces and the opposite corner, of an open box
// its wall, of an SDF the smallest edge of its bounds, of a closed mesh the least way straight in
// from the middle of a triangle to one that faces the other way, of a half-space, open mesh or
// nothing 1e9.
func (w *World) Thickness(i int) float64 {
	t := float64(unbounded)
	for _, s := range w.at(i).shapes {
		if d := &w.shapes[s].def; !d.Sensor {
			t = min(t, d.Geometry.thickness())
		}
	}
	return t
}

// emptyDistances is the distance to no solid, repeated: a copy is faster than a loop.
var emptyDistances = func() (d [256]float32) {
	for k := range d {
		d[k] = unbounded
	}
	return d
}()

// Distance writes the signed distance to the solid of body i at its present pose, m,
// negative inside, of each of the world points pts to dst; without shapes it is 1e9.
// It does not allocate and may run concurrently with itself. It panics if the lengths differ.
func (w *World) Distance(i int, dst []float32, pts []r3.Vec) {
	if len(dst) != len(pts) {
		panic("physics: Distance: dst and pts differ in length")
	}
	for rest := dst; len(rest) > 0; {
		rest = rest[copy(rest, emptyDistances[:]):]
	}
	for _, s := range w.at(i).shapes {
		if sh := &w.shapes[s]; !sh.def.Sensor {
			sh.distance(dst, pts)
		}
	}
}

// distance lowers each of dst to the signed distance to the shape.
func (s *shape) distance(dst []float32, pts []r3.Vec) {
	g := &s.def.Geometry
	switch g.kind {
	case sphereGeometry, boxGeometry, openBoxGeometry:
		s.lower(g.kind, dst, pts)
	case capsuleGeometry:
		for k, p := range pts {
			dst[k] = min(dst[k], float32(capsuleDistance(mulVecT(&s.rot, r3.Sub(p, s.pos)), s.half.Y, s.size)))
		}
	case cylinderGeometry:
		for k, p := range pts {
			dst[k] = min(dst[k], float32(cylinderDistance(mulVecT(&s.rot, r3.Sub(p, s.pos)), s.half.Y, s.size)))
		}
	case hullGeometry:
		for k, p := range pts {
			dst[k] = min(dst[k], float32(g.hull.distance(mulVecT(&s.rot, r3.Sub(p, s.pos)))))
		}
	case meshGeometry:
		for k, p := range pts {
			dst[k] = min(dst[k], float32(g.surface.distance(mulVecT(&s.rot, r3.Sub(p, s.pos)))))
		}
	case halfSpaceGeometry:
		n := mulVec(&s.rot, g.normal)
		for k, p := range pts {
			dst[k] = min(dst[k], float32(reproducible.Dot(n, r3.Sub(p, s.pos))))
		}
	case sdfGeometry:
		s.sdfDistance(dst, pts)
	}
}

// batch is the buffer for one call of an SDF; the pool keeps Distance free of allocation and safe to run concurrently.
type batch struct {
	pts [256]r3.Vec
	out [256]float32
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func (s *shape) sdfDistance(dst []float32, pts []r3.Vec) {
	b := batches.Get().(*batch)
	for len(pts) > 0 {
		n := min(len(pts), len(b.pts))
		for k, p := range pts[:n] {
			b.pts[k] = mulVecT(&s.rot, r3.Sub(p, s.pos))
		}
		s.def.Geometry.dist(b.out[:n], b.pts[:n])
		for k, d := range b.out[:n] {
			dst[k] = min(dst[k], d)
		}
		dst, pts = dst[n:], pts[n:]
	}
	batches.Put(b)
}

// Attached is what Attach was given last, nil at first. It is not copied, and Restore leaves it as it is.
func (w *World) Attached() any { return w.attached }

// Attach keeps a value for those that step the world together: liquids that couple it find each other by it. It is theirs.
func (w *World) Attach(value any) { w.attached = value }

// Touching reports whether body i, or one that joints join it to, touched another in the last
// step.
func (w *World) Touching(i int) bool { return w.at(i).touching }

// AddWrench adds a force, N, and a torque, N·m, about the centre of mass of body i, in world
// axes. They act steadily through all substeps of the next Step and do not wake the body; a
// sleeping body ignores them. What is added before HoldLoads acts until ReleaseLoads. A wrench
// that is not finite is dropped and reported by Events.
func (w *World) AddWrench(i int, force, torque r3.Vec) {
	b := w.at(i)
	b.load = r3.Add(b.load, force)
	b.loadTorque = r3.Add(b.loadTorque, torque)
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
