package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// throughWalls is a shape extended beyond the domain's closed sides where it ends at them. Draining liquid up to a
// wall then leaves no surface there, and so not half a cell of liquid.
type throughWalls struct {
	SDF
	lo, hi [3]float64 // the closed sides, m; infinite for open ones
	band   float64    // m; within this distance of a wall Eval changes distances
	slack  float64    // m; a shape this close to a wall ends at it
}

// wallBand, in finest cells, is the half width of the level set's band.
const wallBand = 3

// wallSlack, in finest cells, is more than the rounding of distances and less than any film that the
// grid resolves.
const wallSlack = 1e-3

// ThroughWalls returns s, extended beyond the closed sides of a domain, m, where s ends at them.
//
// open: which sides are open: min and max along X, Y, Z.
// cell: edge of the finest cells, m.
func ThroughWalls(s SDF, domain r3.Box, open [6]bool, cell float64) SDF {
	w := &throughWalls{SDF: s, lo: reproducible.Array(domain.Min), hi: reproducible.Array(domain.Max)}
	w.band, w.slack = wallBand*cell, wallSlack*cell
	for side, open := range open {
		if open && side%2 == 0 {
			w.lo[side/2] = math.Inf(-1)
		} else if open {
			w.hi[side/2] = math.Inf(1)
		}
	}
	return w
}

// Eval sets dst to the distances. Near a wall that the shape ends at it evaluates the shape further inside, where the wall is not the nearest surface.
func (w *throughWalls) Eval(dst []float32, pts []r3.Vec) {
	w.SDF.Eval(dst, pts)
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	for len(pts) > 0 {
		n := min(len(pts), chunk)
		w.evalChunk(s, dst[:n], pts[:n])
		dst, pts = dst[n:], pts[n:]
	}
}

// evalChunk is Eval for at most a chunk of points.
func (w *throughWalls) evalChunk(s *scratch, dst []float32, pts []r3.Vec) {
	var ends [chunk]uint8 // per point, a bit for each axis along which the shape ends at the wall beside it
	var at [chunk]int
	for a := range 3 {
		count := 0
		for i, x := range pts {
			if foot, ok := w.foot(x, a); ok && float64(dst[i]) < w.slack {
				s.pts[count], at[count] = foot, i
				count++
			}
		}
		w.SDF.Eval(s.val[:count], s.pts[:count])
		for k, i := range at[:count] {
			if math.Abs(float64(s.val[k])) < w.slack {
				ends[i] |= 1 << a
			}
		}
	}
	count := 0
	for i, x := range pts {
		if ends[i] != 0 {
			s.pts[count], at[count] = w.inside(x, ends[i]), i
			count++
		}
	}
	w.SDF.Eval(s.val[:count], s.pts[:count])
	for k, i := range at[:count] {
		dst[i] = min(dst[i], s.val[k])
	}
}

// foot returns the projection of a point on the nearest closed side along an axis. ok is false if the side is beyond the band, or the point outside.
func (w *throughWalls) foot(x r3.Vec, a int) (r3.Vec, bool) {
	p := reproducible.Array(x)
	low, high := p[a]-w.lo[a], w.hi[a]-p[a]
	near := min(low, high)
	if low < high {
		p[a] = w.lo[a]
	} else {
		p[a] = w.hi[a]
	}
	return reproducible.Vector(p), near >= 0 && near < w.band
}

// inside returns a point moved away from the closed sides by the band, or to the middle between two, along the axes whose bits are set.
func (w *throughWalls) inside(x r3.Vec, axes uint8) r3.Vec {
	p := reproducible.Array(x)
	for a := range p {
		if axes>>a&1 == 0 {
			continue
		}
		lo, hi := w.lo[a]+w.band, w.hi[a]-w.band
		if lo > hi {
			lo, hi = (lo+hi)/2, (lo+hi)/2
		}
		p[a] = max(lo, min(p[a], hi))
	}
	return reproducible.Vector(p)
}
