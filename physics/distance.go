package physics

import (
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// emptyDistances is the distance to no solid, repeated: a copy is faster than a loop.
var emptyDistances = func() (d [256]float32) {
	for k := range d {
		d[k] = unbounded
	}
	return d
}()

// Distance writes the signed distance to the solid of body i, as Body.Distance does.
func (c *Coupling) Distance(i int, dst []float32, pts []r3.Vec) {
	(*World)(c).distance(c.at(i).shapes, dst, pts)
}

// Distance writes to dst the signed distance of each of the world points pts to the body's solid, m, negative inside; without shapes, or of
// a stale handle, it is 1e9. It does not allocate and may run concurrently with itself. It panics if the lengths differ.
func (b Body) Distance(dst []float32, pts []r3.Vec) {
	var shapes []int32
	if s := b.state(); s != nil {
		shapes = s.shapes
	}
	b.world.distance(shapes, dst, pts)
}

// distance writes to dst the signed distance of pts to the solid of some shapes.
func (w *World) distance(shapes []int32, dst []float32, pts []r3.Vec) {
	if len(dst) != len(pts) {
		panic("physics: Distance: dst and pts differ in length")
	}
	for rest := dst; len(rest) > 0; {
		rest = rest[copy(rest, emptyDistances[:]):]
	}
	for _, s := range shapes {
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
