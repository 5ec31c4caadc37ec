package shapes

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A solid is the closure of its inside (Requicha 1980, regularized sets): a place where its distance is 0 belongs to it only if
// inside places are next to it. A cut that ends flush with a face leaves a membrane: a sheet where the distance falls to
// 0 and rises again, with no inside on either side. It counts as open. Two boxes that touch have a distance of 0 in their joint with an inside
// on both sides. It counts as solid.
//
// Whatever cuts cells by a solid, or traces past it, evaluates distances through a Regularizer, whether the shape is of this package,
// a game's or a body's.

// Regularizer raises the distances at membranes, so that nothing meets them.
type Regularizer struct {
	lift float32 // distance at a membrane after the correction, m
	deep float64 // depth at which an inside is searched, m; a wall of less than twice as much is a membrane
}

// NewRegularizer derives the tolerances from the finest cells' edge and the domain, both m.
//
// lift: distance at a membrane after the correction, m: more than the gap at which a trace meets a wall.
//
// An SDF that computes in float32 is off by half a unit in the last place of its coordinates, and so are its faces. A quarter of deep
// must exceed that: deep is at least eight units, 2⁻²¹ of the coordinate. Near the origin deep is the tolerance for touching
// when faces are cut.
func NewRegularizer(cell float64, lift float32, domain r3.Box) Regularizer {
	const touch, rounding = 1e-4, 0x1p-21
	far := max(math.Abs(domain.Min.X), math.Abs(domain.Min.Y), math.Abs(domain.Min.Z),
		math.Abs(domain.Max.X), math.Abs(domain.Max.Y), math.Abs(domain.Max.Z))
	return Regularizer{lift: lift, deep: max(touch*cell, rounding*far)}
}

// regularBatch is the number of places near a surface that are tested together.
const regularBatch = 32

// regularScratch is the memory of Regularize. It is pooled, so that concurrent calls don't allocate.
type regularScratch struct {
	of   [regularBatch]int // indices of the places in Regularize's pts
	pts  [7 * regularBatch]r3.Vec
	dist [7 * regularBatch]float32
}

var regularPool = sync.Pool{New: func() any { return new(regularScratch) }}

// Regularize corrects distances dst, which f has returned for pts.
func (r *Regularizer) Regularize(f Distance, dst []float32, pts []r3.Vec) {
	var s *regularScratch
	n, least := 0, -float32(r.deep/4)
	for i, d := range dst {
		if d >= r.lift || d <= least {
			continue
		}
		if s == nil {
			s = regularPool.Get().(*regularScratch)
		}
		s.of[n] = i
		if n++; n == regularBatch {
			r.liftMembranes(s, n, f, dst, pts)
			n = 0
		}
	}
	if n > 0 {
		r.liftMembranes(s, n, f, dst, pts)
	}
	if s != nil {
		regularPool.Put(s)
	}
}

// liftMembranes raises the distances of those of the n places that have no inside next to them.
func (r *Regularizer) liftMembranes(s *regularScratch, n int, f Distance, dst []float32, pts []r3.Vec) {
	n = r.lookAround(s, n, f, dst, pts)
	if n == 0 {
		return
	}
	n = r.lookInward(s, n, f, dst, pts)
	for _, i := range s.of[:n] {
		dst[i] = r.lift
	}
}

// lookAround keeps the places without an inside on the axes around them: behind a plane at a distance d, a point on an axis is deep enough
// √3 (d + deep) away, for any orientation of the plane.
func (r *Regularizer) lookAround(s *regularScratch, n int, f Distance, dst []float32, pts []r3.Vec) (left int) {
	for k, i := range s.of[:n] {
		s.stencil(6*k, pts[i], float64(math.Sqrt(3)*(math.Abs(float64(dst[i]))+r.deep)))
	}
	f(s.dist[:6*n], s.pts[:6*n])
	return r.keepOutside(s, n, 6)
}

// lookInward keeps the places without an inside where the distance's gradient leads: in a wall so thin that lookAround misses it.
func (r *Regularizer) lookInward(s *regularScratch, n int, f Distance, dst []float32, pts []r3.Vec) (left int) {
	for k, i := range s.of[:n] {
		s.stencil(6*k, pts[i], r.deep)
	}
	f(s.dist[:6*n], s.pts[:6*n])
	for k, i := range s.of[:n] {
		d := s.dist[6*k : 6*k+6]
		g := r3.Vec{X: float64(d[1]) - float64(d[0]), Y: float64(d[3]) - float64(d[2]), Z: float64(d[5]) - float64(d[4])}
		y := pts[i]
		if size := reproducible.Norm(g); size > float64(1e-3*r.deep) {
			y = r3.Sub(y, reproducible.Scale((float64(dst[i])+r.deep)/size, g))
		}
		s.pts[7*k] = y
		s.stencil(7*k+1, y, r.deep)
	}
	f(s.dist[:7*n], s.pts[:7*n])
	return r.keepOutside(s, n, 7)
}

// keepOutside keeps the places without a sample inside, and returns their number. samples is the number of samples per place.
func (r *Regularizer) keepOutside(s *regularScratch, n, samples int) (left int) {
	for k, i := range s.of[:n] {
		if !r.inside(s.dist[samples*k : samples*(k+1)]) {
			s.of[left] = i
			left++
		}
	}
	return left
}

// stencil sets six points at a distance, m, from x along the axes.
func (s *regularScratch) stencil(at int, x r3.Vec, by float64) {
	p := s.pts[at : at+6]
	for i := range p {
		p[i] = x
	}
	p[0].X, p[1].X, p[2].Y, p[3].Y, p[4].Z, p[5].Z = x.X-by, x.X+by, x.Y-by, x.Y+by, x.Z-by, x.Z+by
}

// inside reports whether some distance is negative by more than rounding.
func (r *Regularizer) inside(dist []float32) bool {
	for _, d := range dist {
		if d <= -float32(r.deep/4) {
			return true
		}
	}
	return false
}

// HasMembranes reports whether a shape may have membranes, where two of its parts share an edge or a face. A union of shapes without membranes has none.
func HasMembranes(s SDF) bool {
	switch s := s.(type) {
	case *Guarded:
		return HasMembranes(s.SDF)
	case *differenceSDF:
		return true
	case *Group:
		if s.intersect {
			return true
		}
	}
	return !allParts(s, func(part SDF) bool { return !HasMembranes(part) })
}
