package fluid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// sight is what is seen of the eight old cells around a place.
type sight struct {
	corner [8]r3.Vec // where they are, in the wall's frame
	weight [8]float64
	rays   []ray // to those that the wall may hide
	pts    []r3.Vec
	dist   [8]float32 // at pts

	allRays [8]ray // memory of rays and pts
	allPts  [8]r3.Vec
}

// ray leads to one of the eight cells.
type ray struct {
	cell int
	way  r3.Vec  // of length 1
	rest float64 // what of it must be looked along, m
}

// sightCells, in cells, is the farthest that one of the eight cells around a place is from it.
var sightCells = math.Sqrt(3)

// oneSided replaces values that were interpolated across a thin wall by the mean of the old cells that
// can be seen from the place, with their usual weights (Guendelman, Selle, Losasso, Fedkiw 2005).
func (l *Liquid) oneSided(worker int, _, to []grid.Point, phi []float32) {
	s := &l.clipper.scratch[worker]
	for i := range l.clipper.walls {
		w := &l.clipper.walls[i]
		l.findEyes(s, w, to)
		s.dist = resize(s.dist, cap(s.starts))[:len(s.starts)]
		w.distance(s.dist, s.starts)
		for k, c := range s.ways {
			l.seeSide(s, w, to[c], s.starts[k], float64(s.dist[k]), &phi[c])
		}
	}
}

// findEyes lists the places that the wall's bounds are near enough to for it to hide a cell that was used, and where
// the cells around don't all say the same.
func (l *Liquid) findEyes(s *clipScratch, w *wall, to []grid.Point) {
	s.ways, s.starts = resize(s.ways, len(to))[:0], resize(s.starts, len(to))[:0]
	for i, p := range to {
		eye := l.metres(p)
		eye = r3.Add(eye, w.moved(eye, l.step.dt))
		base, fx, fy, fz := l.grid.Locate(p)
		level := l.grid.Prev.Level[base]
		h := l.grid.CellSize(level)
		if !contains(grown(w.bounds, sightCells*h), eye) {
			continue
		}
		if tile, e := l.cube(base, fx, fy, fz); !agree(tile, e, float32(h)) {
			s.ways, s.starts = append(s.ways, i), append(s.starts, eye)
		}
	}
}

// cube is the old φ of the eight cells around a place in a base cell, and the edge of the tile that it is part of.
func (l *Liquid) cube(base int32, fx, fy, fz float64) (t []float32, e int) {
	n := int(1) << l.grid.Prev.Level[base]
	e = n + 2
	i, j, k := int(fx*float64(n)+.5), int(fy*float64(n)+.5), int(fz*float64(n)+.5)
	return l.set.Tiles.Tile(base)[i+e*(j+e*k):], e
}

// agree tells whether a cube of eight cells, the first of a tile of edge e, are all on one side of the surface and further from
// it than far: those that a wall hides then change nothing.
func agree(t []float32, e int, far float32) bool {
	c := [8]float32{t[0], t[1], t[e], t[e+1], t[e*e], t[e*e+1], t[e*e+e], t[e*e+e+1]}
	return slices.Min(c[:]) > far || slices.Max(c[:]) < -far
}

// seeSide corrects one value at a place for one wall. eye is the place in the wall's frame, d from it.
func (l *Liquid) seeSide(s *clipScratch, w *wall, p grid.Point, eye r3.Vec, d float64, phi *float32) {
	base, fx, fy, fz := l.grid.Locate(p)
	level := l.grid.Prev.Level[base]
	h := l.grid.CellSize(level)
	if d > sightCells*h {
		return
	}
	gap := .02 * h
	if d < 0 && d > -h {
		eye, d = s.outOf(eye, d, 2*gap, w.distance), 2*gap
	}
	v := &s.sight
	n := float64(int(1) << level)
	v.around(l.grid.Corner(base), [3]float64{fx*n - .5, fy*n - .5, fz*n - .5}, h, w.moved(l.metres(p), l.step.dt))
	if !s.hides(eye, d, h, gap, w.distance) { // nearly always
		return
	}
	tile, e := l.cube(base, fx, fy, fz)
	sum, seen := 0., 0.
	for c, weight := range v.weight {
		sum += weight * float64(tile[c&1+e*(c>>1&1+e*(c>>2))])
		seen += weight
	}
	if seen > 1e-6 {
		*phi = float32(sum / seen)
	}
}

// around sets the eight cells around a place and their weights: it is at, cells, from the first cell's centre of a block
// that begins at lo.
func (v *sight) around(lo, at [3]float64, h float64, moved r3.Vec) {
	var x, weight [3][2]float64
	for a, m := range [3]float64{moved.X, moved.Y, moved.Z} {
		cell := math.Floor(at[a])
		part := at[a] - cell
		x[a] = [2]float64{lo[a] + (cell+.5)*h + m, lo[a] + (cell+1.5)*h + m}
		weight[a] = [2]float64{1 - part, part}
	}
	for c := range v.corner {
		i, j, k := c&1, c>>1&1, c>>2
		v.corner[c] = r3.Vec{X: x[0][i], Y: x[1][j], Z: x[2][k]}
		v.weight[c] = weight[0][i] * weight[1][j] * weight[2][k]
	}
}

// leastWeight is that of a cell which may be used though a wall hides it: it changes a value within the band by less
// than redistancing does.
const leastWeight = 1e-3

// hides takes the weight from the cells that a solid hides from a place d from it, and tells whether there are such.
func (s *clipScratch) hides(eye r3.Vec, d, h, gap float64, solid blocks.Distance) (hidden bool) {
	v := &s.sight
	v.rays, v.pts = v.allRays[:0], v.allPts[:0]
	for c, x := range v.corner {
		if v.weight[c] > leastWeight && (d < 0 || r3.Norm2(r3.Sub(x, eye)) > d*d) {
			v.rays, v.pts = append(v.rays, ray{cell: c}), append(v.pts, x)
		}
	}
	if len(v.pts) == 0 {
		return false
	}
	solid(v.dist[:len(v.pts)], v.pts)
	hidden = s.castRays(eye, d, h, gap, solid)
	if len(v.pts) == 0 {
		return hidden
	}
	solid(v.dist[:len(v.pts)], v.pts)
	for i := range v.rays {
		r := &v.rays[i]
		if float64(v.dist[i]) < (r.rest-d)/2+gap && s.march(eye, r.way, r.rest, gap, d, solid) < r.rest {
			v.weight[r.cell], hidden = 0, true
		}
	}
	return hidden
}

// castRays sorts out, by the distances at the cells, what is seen and what is hidden. The rays that are left have the middle
// of what neither end tells of in pts: mostly that does.
func (s *clipScratch) castRays(eye r3.Vec, d, h, gap float64, solid blocks.Distance) (hidden bool) {
	v, left := &s.sight, 0
	for i, r := range v.rays {
		x, far := v.pts[i], float64(v.dist[i])
		if far < 0 && far > -h {
			x, far = s.outOf(x, far, 2*gap, solid), 2*gap
		}
		way := r3.Sub(x, eye)
		length := math.Sqrt(r3.Norm2(way)) // r3.Norm takes three times as long
		switch {
		case length == 0 || d+far >= length:
		case d < 0 || far < 0:
			v.weight[r.cell], hidden = 0, true
		default:
			r.way, r.rest = r3.Scale(1/length, way), length-max(0, far-gap) // beyond it nothing is nearer than gap
			v.rays[left], v.pts[left] = r, r3.Add(eye, r3.Scale((d+r.rest)/2, r.way))
			left++
		}
	}
	v.rays, v.pts = v.rays[:left], v.pts[:left]
	return hidden
}
