package fluid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// visibilitySample is a place from which the eight old cells around it are looked at.
type visibilitySample struct {
	of     int    // among those asked about
	at     r3.Vec // in the wall's frame
	d      float64
	gap    float64
	h      float64 // edge of the cells, m
	weight [8]float64
	hidden bool // some cells
}

// ray leads from an eye to one of its cells.
type ray struct {
	sample, cell int
	to           r3.Vec  // the cell's centre or, if that's in the wall, beside it
	far          float64 // the distance there, m
}

// samplesAtOnce is how many places are looked from together.
const samplesAtOnce = 64

// sightCells, in cells, is the farthest that one of the eight cells around a place is from it.
var sightCells = math.Sqrt(3)

// ambiguousSample is a place around which the old cells don't all say the same: a wall that hides some of them changes what is seen there.
type ambiguousSample struct {
	of    int // among those asked about
	level uint8
	at    r3.Vec // m
}

// oneSided replaces values that were interpolated across a thin wall by the mean of the old cells that
// can be seen from the place, with their usual weights (Guendelman, Selle, Losasso, Fedkiw 2005).
func (l *Liquid) oneSided(worker int, b int32, to []grid.Point, phi []float32) {
	s := &l.clipper.scratch[worker]
	l.findAmbiguousSamples(s, b, to)
	for i := range l.clipper.walls {
		if !l.clipper.isNear(b, i) {
			continue
		}
		w := &l.clipper.walls[i]
		s.solid = w.distance
		for next := 0; next < len(s.ambiguous); {
			next = l.findVisibilitySamples(s, w, to, next)
			if l.prepareVisibilitySamples(s, w, to); len(s.samples) == 0 {
				continue
			}
			s.classifyRays()
			s.hideOccluded()
			l.blendVisible(s, to, phi)
		}
	}
}

// findAmbiguousSamples lists the places where the cells around don't all say the same, and some wall near to the block may hide one.
func (l *Liquid) findAmbiguousSamples(s *clipScratch, b int32, to []grid.Point) {
	s.ambiguous = s.ambiguous[:0]
	for i := range to {
		base, fx, fy, fz := l.m.Grid.Locate(to[i])
		level := l.m.Grid.Prev.Level[base]
		if !l.clipper.mayHide(b, level, &to[i]) {
			continue
		}
		if tile, edge := l.cornerValues(base, fx, fy, fz); !agree(tile, edge, float32(l.m.Grid.CellSize(level))) || tile[0] < 0 && l.besideSide(&to[i], level) {
			s.ambiguous = append(s.ambiguous, ambiguousSample{i, level, l.m.Metres(to[i])})
		}
	}
}

// besideSide tells whether a place is less than a cell, of a level, from a closed side of the domain: between that and a wall there may
// have been no room for a cell.
func (l *Liquid) besideSide(p *grid.Point, level uint8) bool {
	k, cell := &l.clipper, 1/float64(int(1)<<level)
	x, lo, hi := [3]float64{p.X, p.Y, p.Z}, reproducible.Array(k.sides.Min), reproducible.Array(k.sides.Max)
	for a := range 3 {
		if !k.open[2*a] && x[a] < lo[a]+cell || !k.open[2*a+1] && x[a] > hi[a]-cell {
			return true
		}
	}
	return false
}

// mayHide tells whether a wall near to a block may hide one of the cells, of a level, around a place.
func (k *clipper) mayHide(b int32, level uint8, p *grid.Point) bool {
	for i := range k.walls {
		if k.isNear(b, i) && adaptive.Within(&k.walls[i].hides[level], p) {
			return true
		}
	}
	return false
}

// findVisibilitySamples lists places in doubt, from the one next on, that the wall's bounds are near enough to for it to hide a cell that was
// used. It returns where to go on.
func (l *Liquid) findVisibilitySamples(s *clipScratch, w *wall, to []grid.Point, next int) int {
	n, gap := 0, wallGap*l.def.CellSize
	s.pts = s.pts[:0]
	for ; next < len(s.ambiguous) && n < samplesAtOnce; next++ {
		place := &s.ambiguous[next]
		if !adaptive.Within(&w.hides[place.level], &to[place.of]) {
			continue
		}
		h := l.m.Grid.CellSize(place.level)
		e := &s.samples[:samplesAtOnce][n]
		e.of, e.h, e.gap, e.hidden = place.of, h, gap, false
		e.at = w.carried(place.at, true)
		s.pts = append(s.pts, e.at)
		n++
	}
	s.samples = s.samples[:n]
	s.ask()
	return next
}

// cornerValues is the old φ of the eight cells around a place in a base cell, and the edge of the tile that it is part of.
func (l *Liquid) cornerValues(base int32, fx, fy, fz float64) (t []float32, e int) {
	n := int(1) << l.m.Grid.Prev.Level[base]
	e = n + 2
	i, j, k := int(float64(fx*float64(n))+.5), int(float64(fy*float64(n))+.5), int(float64(fz*float64(n))+.5)
	return l.m.Set.Tiles.Tile(base)[i+e*(j+e*k):], e
}

// agree tells whether a cube of eight cells, the first of a tile of edge e, are all on one side of the surface and further from
// it than far: those that a wall hides then change nothing.
func agree(t []float32, e int, far float32) bool {
	low, high := t[:e+2], t[e*e:][:e+2]
	switch {
	case low[0] > far:
		return low[1] > far && low[e] > far && low[e+1] > far && high[0] > far && high[1] > far && high[e] > far && high[e+1] > far
	case low[0] < -far:
		return low[1] < -far && low[e] < -far && low[e+1] < -far && high[0] < -far && high[1] < -far && high[e] < -far && high[e+1] < -far
	}
	return false
}

// prepareVisibilitySamples keeps the eyes that the wall is near enough to, takes them out of it, and lists their rays to the cells that it
// may hide, and the cells in s.pts.
func (l *Liquid) prepareVisibilitySamples(s *clipScratch, w *wall, to []grid.Point) {
	s.outs = s.outs[:0]
	n := 0
	for i := range s.samples {
		e := &s.samples[i]
		if e.d = float64(s.dist[i]); e.d > sightCells*e.h {
			continue
		}
		if e.d < 0 && e.d > -e.h {
			s.outs = append(s.outs, out{of: n, x: e.at, d: e.d, gap: 2 * e.gap})
		}
		if n < i {
			s.samples[n] = *e
		}
		n++
	}
	s.samples = s.samples[:n]
	s.moveOutside()
	for _, o := range s.outs {
		s.samples[o.of].at, s.samples[o.of].d = o.x, o.gap
	}
	s.rays, s.pts = s.rays[:0], s.pts[:0]
	for i := range s.samples {
		e := &s.samples[i]
		base, fx, fy, fz := l.m.Grid.Locate(to[e.of])
		cells := l.m.Grid.CellSize(0) / e.h
		at := [3]float64{float64(fx*cells) - .5, float64(fy*cells) - .5, float64(fz*cells) - .5}
		l.listRays(s, w, i, l.m.Grid.Corner(base), at)
	}
}

// leastWeight is that of a cell which may be used though a wall hides it: it changes a value within the band by less
// than redistancing does.
const leastWeight = 1e-3

// listRays weighs the eight cells around the n-th eye and lists the rays to them: it is at, cells, from the first cell's
// centre of a block that begins at lo. A cell beyond a side of the domain says what the one before it does.
func (l *Liquid) listRays(s *clipScratch, w *wall, n int, lo, at [3]float64) {
	var x, weight [3][2]float64
	e := &s.samples[n]
	from, to := reproducible.Array(l.def.Domain.Min), reproducible.Array(l.def.Domain.Max)
	for a := range 3 {
		cell := math.Floor(at[a])
		part := at[a] - cell
		x[a] = [2]float64{lo[a] + float64((cell+.5)*e.h), lo[a] + float64((cell+1.5)*e.h)}
		for i := range x[a] {
			if !l.clipper.open[2*a] {
				x[a][i] = max(x[a][i], from[a]+float64(e.h/2))
			}
			if !l.clipper.open[2*a+1] {
				x[a][i] = min(x[a][i], to[a]-float64(e.h/2))
			}
		}
		weight[a] = [2]float64{1 - part, part}
	}
	for c := range e.weight {
		i, j, k := c&1, c>>1&1, c>>2
		e.weight[c] = weight[0][i] * weight[1][j] * weight[2][k]
		cell := w.carried(r3.Vec{X: x[0][i], Y: x[1][j], Z: x[2][k]}, true)
		if e.weight[c] > leastWeight && (e.d < 0 || reproducible.Norm2(r3.Sub(cell, e.at)) > e.d*e.d) {
			s.rays = append(s.rays, ray{})
			r := &s.rays[len(s.rays)-1]
			r.sample, r.cell, r.to = n, c, cell
			s.pts = append(s.pts, cell)
		}
	}
}

// classifyRays sorts out, by the distances at the cells, what is seen and what is hidden. The rays that are left become marches.
func (s *clipScratch) classifyRays() {
	s.ask()
	s.marches, s.outs = s.marches[:0], s.outs[:0]
	for i := range s.rays {
		r := &s.rays[i]
		r.far = float64(s.dist[i])
		if e := &s.samples[r.sample]; r.far < 0 && r.far > -e.h {
			s.outs = append(s.outs, out{of: i, x: r.to, d: r.far, gap: 2 * e.gap})
		}
	}
	s.moveOutside()
	for _, o := range s.outs {
		s.rays[o.of].to, s.rays[o.of].far = o.x, o.gap
	}
	for i := range s.rays {
		r := &s.rays[i]
		e := &s.samples[r.sample]
		way := r3.Sub(r.to, e.at)
		long := reproducible.Norm(way)
		switch {
		case long == 0 || e.d+r.far >= long:
		case e.d < 0 || r.far < 0:
			e.hide(r.cell)
		default:
			s.marches = append(s.marches, march{of: i, from: e.at, dir: reproducible.Scale(1/long, way), length: long, gap: e.gap, d: e.d, far: r.far})
		}
	}
}

// hideOccluded goes along the rays and hides the cells that are not come to.
func (s *clipScratch) hideOccluded() {
	s.marchRays()
	for i := range s.marches {
		r := s.rays[s.marches[i].of]
		s.samples[r.sample].hide(r.cell)
	}
}

// quarterSamples is at how many places along a march, the quarters, the distance is asked for before it is made.
const quarterSamples = 3

// marchRays keeps the marches that meet the solid. It makes those of which their quarters don't tell that nothing is in the
// way: few do not.
func (s *clipScratch) marchRays() {
	s.pts = s.pts[:0]
	for i := range s.marches {
		m := &s.marches[i]
		for k := range quarterSamples {
			s.pts = append(s.pts, r3.Add(m.from, reproducible.Scale(float64(k+1)/(quarterSamples+1)*m.length, m.dir)))
		}
	}
	s.ask()
	n := 0
	for i := range s.marches {
		m := &s.marches[i]
		if !clearsWall(m.d, [quarterSamples]float32(s.dist[quarterSamples*i:]), m.far) {
			m.length -= max(0, m.far-m.gap) // beyond it nothing is nearer than gap
			s.marches[n] = *m
			n++
		}
	}
	s.marches = s.marches[:n]
	s.run()
	s.marches = slices.DeleteFunc(s.marches, func(m march) bool { return !m.short() })
}

// clearsWall tells by the distances at the ends and at the quarters of a ray that it doesn't go through a wall. Along one
// that does they fall to nothing and rise again: half way from a place before the wall to one behind it, the distance is less
// than half of that at the end which is farther from it.
func clearsWall(near float64, quarter [quarterSamples]float32, far float64) bool {
	first, middle, last := float64(quarter[0]), float64(quarter[1]), float64(quarter[2])
	return middle >= max(near, far)/2 && first >= max(near, middle)/2 && last >= max(middle, far)/2
}

// clipLines moves the ends of lines, between two places at the present of the surface, that a wall is in the way of.
func (l *Liquid) clipLines(worker int, b int32, from, to []grid.Point) {
	s := &l.clipper.scratch[worker]
	gap := wallGap * l.def.CellSize
	for i := range l.clipper.walls {
		w := &l.clipper.walls[i]
		if !l.clipper.isNear(b, i) || l.findSegments(s, w, from, to, false, false) == 0 {
			continue
		}
		s.solid = w.distance
		s.startMarches(gap)
		s.pts = s.pts[:0]
		for i := range s.segments {
			s.pts = append(s.pts, s.segments[i].to)
		}
		s.ask()
		for i := range s.marches {
			m := &s.marches[i]
			if m.far = float64(s.dist[i]); m.far < gap { // at or in the wall
				of := s.segments[m.of].of
				to[of] = from[of]
			}
		}
		s.marchRays()
		for i := range s.marches {
			of := s.segments[s.marches[i].of].of
			to[of] = from[of]
		}
	}
}

// hide takes its weight from a cell.
func (e *visibilitySample) hide(cell int) { e.weight[cell], e.hidden = 0, true }

// blendVisible replaces the values at eyes which don't see all of their cells.
func (l *Liquid) blendVisible(s *clipScratch, to []grid.Point, phi []float32) {
	for i := range s.samples {
		e := &s.samples[i]
		if !e.hidden { // nearly always
			continue
		}
		tile, edge := l.cornerValues(l.m.Grid.Locate(to[e.of]))
		sum, seen := 0., 0.
		for c, weight := range e.weight {
			sum += float64(weight * float64(tile[c&1+edge*(c>>1&1+edge*(c>>2))]))
			seen += weight
		}
		if seen > 8*leastWeight {
			phi[e.of] = float32(sum / seen)
		} else { // nothing that is told of was on this side of the wall: there was no room
			phi[e.of] = max(phi[e.of], float32(e.h/2))
		}
	}
}
