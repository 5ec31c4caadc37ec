package bodies

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The pressure is solved for the middle of a step, when the surface has moved half of its way (see shown.go). Dynamic bodies are therefore moved
// by their velocity to the middle of the step. The load on a bobbing body is then that in the middle of its motion.
//
// Kinematic bodies and obstacles stay at their poses at the step's start: the velocity that they cause in one step moves the liquid in the
// next, by the distance that they move in the first.

// midwayPoses are the bodies' poses in the middle of the step, and the distances there.
type midwayPoses struct {
	c     *Coupling
	body  []midway
	evals []shapes.Distance // per index, made once
	raw   []shapes.Distance // likewise, with membranes
}

// midway is a body's pose in the middle of the step.
type midway struct {
	centre  r3.Vec
	turned  quat.Number
	regular bool // its distance has no membranes, by the engine
}

// grow makes the distance functions of n bodies.
func (mp *midwayPoses) grow(n int) {
	for len(mp.evals) < n {
		i := len(mp.evals)
		raw := func(dst []float32, pts []r3.Vec) {
			mp.distance(i, dst, pts)
			mp.c.Sanitizer.guards[i].fault.Check(dst, pts)
		}
		mp.raw, mp.evals = append(mp.raw, raw), append(mp.evals, func(dst []float32, pts []r3.Vec) { mp.solidDistance(i, dst, pts) })
	}
}

// move returns the pose and the bounds of body i ahead seconds later, or earlier if that is negative, and stores the pose.
func (mp *midwayPoses) move(i int, ahead float64) (centre r3.Vec, q quat.Number, box r3.Box) {
	b := mp.c.Bodies
	centre, q = b.Pose(i)
	box = b.Bounds(i)
	if ahead != 0 && b.Kind(i) == engine.Dynamic && b.Awake(i) && badPlace(centre, q, box) == "" {
		if v, w := b.Velocity(i); within(v, maxVelocity) && within(w, maxVelocity) {
			way := reproducible.Scale(ahead, v)
			far := r3.Vec{X: max(box.Max.X-centre.X, centre.X-box.Min.X), Y: max(box.Max.Y-centre.Y, centre.Y-box.Min.Y), Z: max(box.Max.Z-centre.Z, centre.Z-box.Min.Z)}
			box = boxes.Grown(r3.Box{Min: r3.Add(box.Min, way), Max: r3.Add(box.Max, way)}, min(2, math.Abs(ahead)*reproducible.Norm(w))*reproducible.Norm(far))
			centre, q = r3.Add(centre, way), rigid.Turned(q, w, ahead)
		}
	}
	m := &mp.body[i]
	m.centre, m.turned = centre, q
	from, can := b.(engine.Regular)
	m.regular = can && from.Regular(i)
	return centre, q, box
}

// moving is scratch: places in a body's own frame. It is pooled, so that concurrent calls don't allocate.
type moving struct{ pts [64]r3.Vec }

var movingPool = sync.Pool{New: func() any { return new(moving) }}

// solidDistance sets dst to the distances to body i without membranes.
func (mp *midwayPoses) solidDistance(i int, dst []float32, pts []r3.Vec) {
	mp.raw[i](dst, pts)
	if !mp.body[i].regular {
		mp.c.Regular.Regularize(mp.raw[i], dst, pts)
	}
}

// distance sets dst to the distances to body i in the middle of the step, whatever its current pose in the engine.
func (mp *midwayPoses) distance(i int, dst []float32, pts []r3.Vec) {
	c := mp.c
	m := &mp.body[i]
	if !c.stillThere(i) {
		for k := range dst {
			dst[k] = math.MaxFloat32
		}
		return
	}
	centre, q := c.Bodies.Pose(i)
	if centre == m.centre && q == m.turned {
		c.Bodies.Distance(i, dst, pts)
		return
	}
	still := q == m.turned
	rows := reproducible.RotationRows(reproducible.QuatMul(q, conjugate(m.turned)))
	w := movingPool.Get().(*moving)
	defer movingPool.Put(w)
	for lo := 0; lo < len(pts); lo += len(w.pts) {
		hi := min(lo+len(w.pts), len(pts))
		local := w.pts[:hi-lo]
		for k, x := range pts[lo:hi] {
			arm := r3.Sub(x, m.centre)
			if !still {
				arm = r3.Vec{X: reproducible.Dot(rows[0], arm), Y: reproducible.Dot(rows[1], arm), Z: reproducible.Dot(rows[2], arm)}
			}
			local[k] = r3.Add(centre, arm)
		}
		c.Bodies.Distance(i, dst[lo:hi], local)
	}
}

func conjugate(q quat.Number) quat.Number {
	return quat.Number{Real: q.Real, Imag: -q.Imag, Jmag: -q.Jmag, Kmag: -q.Kmag}
}
