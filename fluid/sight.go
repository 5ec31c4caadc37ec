package fluid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// eye is a place from which the eight old cells around it are looked at.
type eye struct {
	of     int    // among those asked about
	at     r3.Vec // in the wall's frame
	d      float64
	gap    float64
	h      float64 // edge of the cells, m
	weight [8]float64
	hidden bool // some cells
}

// ray leads from an eye to one of its cells.
type ray struct{ eye, cell int }

// eyesAtOnce is how many places are looked from together.
const eyesAtOnce = 64

// sightCells, in cells, is the farthest that one of the eight cells around a place is from it.
var sightCells = math.Sqrt(3)

// oneSided replaces values that were interpolated across a thin wall by the mean of the old cells that
// can be seen from the place, with their usual weights (Guendelman, Selle, Losasso, Fedkiw 2005).
func (l *Liquid) oneSided(worker int, _, to []grid.Point, phi []float32) {
	s := &l.clipper.scratch[worker]
	for i := range l.clipper.walls {
		w := &l.clipper.walls[i]
		s.solid = w.distance
		for next := 0; next < len(to); {
			next = l.findEyes(s, w, to, next)
			l.openEyes(s, w, to)
			s.castRays()
			s.lookAlong()
			l.mix(s, to, phi)
		}
	}
}

// findEyes lists places, from the one next on, that the wall's bounds are near enough to for it to hide a cell that was
// used, and where the cells around don't all say the same. It returns where to go on.
func (l *Liquid) findEyes(s *clipScratch, w *wall, to []grid.Point, next int) int {
	s.eyes, s.pts = s.eyes[:0], s.pts[:0]
	for ; next < len(to) && len(s.eyes) < eyesAtOnce; next++ {
		at := l.metres(to[next])
		at = r3.Add(at, w.moved(at, l.step.dt))
		base, fx, fy, fz := l.grid.Locate(to[next])
		level := l.grid.Prev.Level[base]
		if !contains(w.hides[level], at) {
			continue
		}
		h := l.grid.CellSize(level)
		if tile, e := l.cube(base, fx, fy, fz); !agree(tile, e, float32(h)) {
			s.eyes, s.pts = append(s.eyes, eye{of: next, at: at, gap: .02 * h, h: h}), append(s.pts, at)
		}
	}
	s.ask()
	return next
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

// openEyes keeps the eyes that the wall is near enough to, takes them out of it, and lists their rays to the cells that it
// may hide, and the cells in s.pts.
func (l *Liquid) openEyes(s *clipScratch, w *wall, to []grid.Point) {
	s.rays, s.pts = s.rays[:0], s.pts[:0]
	n := 0
	for i, e := range s.eyes {
		if e.d = float64(s.dist[i]); e.d > sightCells*e.h {
			continue
		}
		if e.d < 0 && e.d > -e.h {
			e.at, e.d = s.outOf(e.at, e.d, 2*e.gap), 2*e.gap
		}
		base, fx, fy, fz := l.grid.Locate(to[e.of])
		cells := l.grid.CellSize(0) / e.h
		s.lookAround(&e, n, l.grid.Corner(base), [3]float64{fx*cells - .5, fy*cells - .5, fz*cells - .5}, w.moved(l.metres(to[e.of]), l.step.dt))
		s.eyes[n] = e
		n++
	}
	s.eyes = s.eyes[:n]
}

// leastWeight is that of a cell which may be used though a wall hides it: it changes a value within the band by less
// than redistancing does.
const leastWeight = 1e-3

// lookAround weighs the eight cells around the n-th eye and lists the rays to them: it is at, cells, from the first cell's
// centre of a block that begins at lo and that the wall's frame moves.
func (s *clipScratch) lookAround(e *eye, n int, lo, at [3]float64, moved r3.Vec) {
	var x, weight [3][2]float64
	for a, m := range [3]float64{moved.X, moved.Y, moved.Z} {
		cell := math.Floor(at[a])
		part := at[a] - cell
		x[a] = [2]float64{lo[a] + (cell+.5)*e.h + m, lo[a] + (cell+1.5)*e.h + m}
		weight[a] = [2]float64{1 - part, part}
	}
	for c := range e.weight {
		i, j, k := c&1, c>>1&1, c>>2
		e.weight[c] = weight[0][i] * weight[1][j] * weight[2][k]
		cell := r3.Vec{X: x[0][i], Y: x[1][j], Z: x[2][k]}
		if e.weight[c] > leastWeight && (e.d < 0 || r3.Norm2(r3.Sub(cell, e.at)) > e.d*e.d) {
			s.rays, s.pts = append(s.rays, ray{n, c}), append(s.pts, cell)
		}
	}
}

// castRays sorts out, by the distances at the cells, what is seen and what is hidden. The rays that are left become marches
// and have the middle of what neither end tells of in s.pts: mostly that does.
func (s *clipScratch) castRays() {
	s.ask()
	s.marches = s.marches[:0]
	for i, r := range s.rays {
		e, x, far := &s.eyes[r.eye], s.pts[i], float64(s.dist[i])
		if far < 0 && far > -e.h {
			x, far = s.outOf(x, far, 2*e.gap), 2*e.gap
		}
		way := r3.Sub(x, e.at)
		long := length(way)
		switch {
		case long == 0 || e.d+far >= long:
		case e.d < 0 || far < 0:
			e.hide(r.cell)
		default:
			rest := long - max(0, far-e.gap) // beyond it nothing is nearer than gap
			m := march{of: i, from: e.at, dir: r3.Scale(1/long, way), length: rest, gap: e.gap, d: e.d}
			s.pts[len(s.marches)] = r3.Add(e.at, r3.Scale((e.d+rest)/2, m.dir))
			s.marches = append(s.marches, m)
		}
	}
	s.pts = s.pts[:len(s.marches)]
}

// lookAlong goes along the rays of which their middle doesn't tell that nothing is in the way.
func (s *clipScratch) lookAlong() {
	s.ask()
	n := 0
	for i, m := range s.marches {
		if float64(s.dist[i]) < (m.length-m.d)/2+m.gap {
			s.marches[n] = m
			n++
		}
	}
	s.marches = s.marches[:n]
	s.run()
	for i := range s.marches {
		if m := &s.marches[i]; m.short() {
			r := s.rays[m.of]
			s.eyes[r.eye].hide(r.cell)
		}
	}
}

// hide takes its weight from a cell.
func (e *eye) hide(cell int) { e.weight[cell], e.hidden = 0, true }

// mix replaces the values at eyes which don't see all of their cells.
func (l *Liquid) mix(s *clipScratch, to []grid.Point, phi []float32) {
	for i := range s.eyes {
		e := &s.eyes[i]
		if !e.hidden { // nearly always
			continue
		}
		tile, edge := l.cube(l.grid.Locate(to[e.of]))
		sum, seen := 0., 0.
		for c, weight := range e.weight {
			sum += weight * float64(tile[c&1+edge*(c>>1&1+edge*(c>>2))])
			seen += weight
		}
		if seen > 1e-6 {
			phi[e.of] = float32(sum / seen)
		}
	}
}
