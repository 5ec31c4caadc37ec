package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// throughWalls is a shape that goes on beyond the domain's closed sides where it ends at them: what is
// drained up to a wall leaves no surface there, and so not half a cell of liquid.
type throughWalls struct {
	SDF
	lo, hi [3]float64 // the closed sides, m; open ones are infinitely far
	band   float64    // m; distances from the surface count this far
	slack  float64    // m; a shape this close to a wall ends at it
}

// wallBand, in finest cells, is as far as the level set tells distances.
const wallBand = 3

// wallSlack, in finest cells, is more than the rounding of distances and less than any film that the
// grid could hold.
const wallSlack = 1e-3

func (l *Liquid) throughWalls(s SDF) SDF {
	w := &throughWalls{SDF: s, lo: array(l.def.Domain.Min), hi: array(l.def.Domain.Max)}
	w.band, w.slack = wallBand*l.def.CellSize, wallSlack*l.def.CellSize
	for side, open := range l.openSides() {
		if open && side%2 == 0 {
			w.lo[side/2] = math.Inf(-1)
		} else if open {
			w.hi[side/2] = math.Inf(1)
		}
	}
	return w
}

// Eval takes the distance of a point whose nearest place on the shape's surface is on a wall from
// further inside, where the wall is no longer nearest.
func (w *throughWalls) Eval(dst []float32, pts []r3.Vec) {
	w.SDF.Eval(dst, pts)
	s := sdfPool.Get().(*sdfScratch)
	defer sdfPool.Put(s)
	for len(pts) > 0 {
		n := min(len(pts), sdfChunk)
		count := 0
		var at [sdfChunk]int
		for i, x := range pts[:n] {
			if near := w.nearest(x); near >= 0 && near < w.band && math.Abs(float64(dst[i])+near) < w.slack {
				s.pts[count], at[count] = w.inside(x), i
				count++
			}
		}
		w.SDF.Eval(s.val[:count], s.pts[:count])
		for k, i := range at[:count] {
			dst[i] = min(dst[i], s.val[k])
		}
		dst, pts = dst[n:], pts[n:]
	}
}

// nearest is how far the nearest closed side is, m; negative beyond it.
func (w *throughWalls) nearest(x r3.Vec) float64 {
	near := math.Inf(1)
	for a, v := range array(x) {
		near = min(near, v-w.lo[a], w.hi[a]-v)
	}
	return near
}

// inside moves a point off the closed sides by the band, or to the middle between two.
func (w *throughWalls) inside(x r3.Vec) r3.Vec {
	p := array(x)
	for a := range p {
		lo, hi := w.lo[a]+w.band, w.hi[a]-w.band
		if lo > hi {
			lo, hi = (lo+hi)/2, (lo+hi)/2
		}
		p[a] = max(lo, min(p[a], hi))
	}
	return toVec(p)
}
