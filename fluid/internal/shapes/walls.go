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
			if _, _, near := w.foot(x, a); near && float64(dst[i]) < w.slack {
				at[count] = i
				count++
			}
		}
		for _, depth := range [2]float64{0, alongDepth * w.slack} { // along the wall, not through it
			count = w.keep(s, pts, at[:count], a, depth)
		}
		for _, i := range at[:count] {
			ends[i] |= 1 << a
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

// alongDepth is how far from the wall, in slacks, the shape's surface along it is told from one that passes through it.
const alongDepth = 10

// keep keeps those of the points under whose feet on a wall, so deep in the domain, m, the shape's distance is minus that depth, and returns how many.
func (w *throughWalls) keep(s *scratch, pts []r3.Vec, at []int, axis int, depth float64) (kept int) {
	for k, i := range at {
		wall, inward, _ := w.foot(pts[i], axis)
		p := reproducible.Array(pts[i])
		p[axis] = wall + float64(inward*depth)
		s.pts[k] = reproducible.Vector(p)
	}
	w.SDF.Eval(s.val[:len(at)], s.pts[:len(at)])
	for k, i := range at {
		if math.Abs(float64(s.val[k])+depth) < w.slack {
			at[kept] = i
			kept++
		}
	}
	return kept
}

// foot returns where the nearest closed side along an axis is, and which way is inward from it. near is false if the side is beyond the band, or the point outside.
func (w *throughWalls) foot(x r3.Vec, axis int) (wall, inward float64, near bool) {
	at := reproducible.Array(x)[axis]
	low, high := at-w.lo[axis], w.hi[axis]-at
	least := min(low, high)
	near = least >= 0 && least < w.band
	if low < high {
		return w.lo[axis], 1, near
	}
	return w.hi[axis], -1, near
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
