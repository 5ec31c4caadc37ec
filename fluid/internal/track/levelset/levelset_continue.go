package levelset

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Cells that become larger have a wider band than those that they come from: what their distance is further out than these know it goes on linearly. So a plane stays as
// exact as it was.

// diagonal is half of a cell's, in cells: how much further from the surface the values may be that are interpolated between.
const diagonal = 1.7320508075688772 / 2

// continued is the distance, m, at a place out of the band of an old block of a level, whose distance v has the right sign: on from the two nearest places in the
// old band along the axis that leads least far out, as where φ is linear, but no further than they are away. Its magnitude is at most limit.
func (s *Field) continued(p layout.Point, level uint8, v, limit float32) float32 {
	h, step := float32(s.g.CellSize(level)), 1/float64(int(1)<<level)
	most, best := int(limit/h*1.25)+1, limit
	for a := range 3 {
		for _, way := range [2]float64{-step, step} {
			best = lesser(best, s.continuedAlong(p, a, way, most, v < 0, h))
		}
	}
	best = greater(best, abs32(v))
	if v < 0 {
		return -best
	}
	return best
}

// continuedAlong is continued along an axis by steps, m: a magnitude, or infinite where nothing is known in so many steps.
func (s *Field) continuedAlong(p layout.Point, axis int, step float64, most int, liquid bool, h float32) float32 {
	x := [3]float64{p.X, p.Y, p.Z}
	from, first, found := x[axis], float32(0), 0
	for k := 1; k <= most; k++ {
		x[axis] = from + float64(float64(k)*step)
		if edge := float64(math.Abs(step) / 2); x[axis] < edge || x[axis] > float64(s.g.Dim[axis])-edge {
			break
		}
		v, known := s.known(layout.Point{X: x[0], Y: x[1], Z: x[2]})
		if liquid {
			v = -v
		}
		switch {
		case !known && found > 0:
			return float32(math.Inf(1))
		case !known:
		case found == 0:
			first, found = v, k
		default:
			if slope := lesser(first-v, h); slope > 0 {
				return first + float32(float32(found)*slope)
			}
			return float32(math.Inf(1))
		}
	}
	return float32(math.Inf(1))
}

// known is the published φ at a place, if it is a distance there: all that it is interpolated between is in the band, of finer blocks around, too.
func (s *Field) known(p layout.Point) (v float32, known bool) {
	b, x, y, z := s.g.Locate(p)
	level := s.g.Prev.Level[b]
	near := .999 * s.limit(level)
	if s.old[b] >= near {
		return 0, false
	}
	if finest := s.finestAround(b); finest > level {
		near = s.limit(finest) - float32(diagonal*s.g.CellSize(finest)) // what the tile has of them are means
	}
	n, t, e := float64(int(1)<<level), s.Tiles.Tile(b), 1<<level+2
	at := [3]float32{float32(float64(x*n) + .5), float32(float64(y*n) + .5), float32(float64(z*n) + .5)}
	i, j, k := int(at[0]), int(at[1]), int(at[2])
	known = true
	for c := range 8 {
		known = known && abs32(t[i+c&1+e*(j+c>>1&1+e*(k+c>>2))]) < near
	}
	return linearAt(t, e, at[0], at[1], at[2]), known
}

// finestAround is the finest level of the published blocks around one, and its own.
func (s *Field) finestAround(b int32) uint8 {
	finest := s.g.Prev.Level[b]
	if finest == layout.MaxLevel {
		return finest
	}
	for _, nb := range s.g.Nearby(b) {
		if nb != layout.None {
			finest = max(finest, s.g.Prev.Level[nb])
		}
	}
	return finest
}

// continueHalo continues what sampledHalo has sampled, of blocks up to a level, where these don't know it to the band of block b.
func (s *Field) continueHalo(dst []float32, b int32, finest uint8, lo, hi [3]int) {
	l := s.g.Prev.Level[b]
	n, limit, f := 1<<l, s.limit(l), newFrame(s.g, b, l)
	w := n / 2
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			row := dst[2*n*(j+w+2*n*(k+w)):]
			for i := lo[0]; i < hi[0]; i++ {
				p := f.point(float32(i)+.5, float32(j)+.5, float32(k)+.5)
				if _, known := s.known(p); !known {
					row[i+w] = s.continued(p, finest, row[i+w], limit)
				}
			}
		}
	}
}
