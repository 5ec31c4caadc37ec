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

// The pressure is found for the middle of a step, where the surface has come by half of its way (see shown.go): dynamic bodies are taken
// to be where their velocity leads them by then. What presses on a body that bobs is then what does so in the middle of its way, too.
//
// Kinematic bodies and obstacles are taken to be where they are at the step's start: what they push on moves with their velocity of one
// step in the next, as far as they have come in the one.

// midwayPoses are where bodies are in the middle of the step, and their distances there.
type midwayPoses struct {
	c     *Coupling
	body  []midway
	evals []shapes.Distance // one per index, made once
	raw   []shapes.Distance // likewise, as the engine tells it
}

// midway is where a body is in the middle of the step.
type midway struct {
	centre  r3.Vec
	turned  quat.Number
	regular bool // the engine tells that its distance has no membranes
}

// grow makes the distances of n bodies.
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

// move puts body i where it is ahead seconds on, or was if that is negative, with its bounds there.
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

// moving is scratch for places in a body's own frame; the pool keeps distance free of allocation and safe to run on several workers.
type moving struct{ pts [64]r3.Vec }

var movingPool = sync.Pool{New: func() any { return new(moving) }}

// solidDistance is distance without membranes.
func (mp *midwayPoses) solidDistance(i int, dst []float32, pts []r3.Vec) {
	mp.raw[i](dst, pts)
	if !mp.body[i].regular {
		mp.c.Regular.Regularize(mp.raw[i], dst, pts)
	}
}

// distance is that to body i in the middle of the step, wherever the engine has it by now.
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
