package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ambiguousSample is a place around which the old cells don't all say the same: a wall that hides some of them changes what is seen there.
type ambiguousSample struct {
	of    int // among those asked about
	level uint8
	at    r3.Vec // m
}

// leastWeight is that of a cell which may be used though a wall hides it: it changes a value within the band by less
// than redistancing does.
const leastWeight = 1e-3

// oneSided replaces values that were interpolated across a thin wall by the mean of the old cells that
// can be seen from the place, with their usual weights (Guendelman, Selle, Losasso, Fedkiw 2005).
func (wb *ThinWalls) oneSided(worker int, b int32, to []layout.Point, phi []float32) {
	m := wb.m
	s := &wb.scratch[worker]
	wb.findAmbiguousSamples(s, b, to)
	for _, i := range wb.nearWalls(b) {
		for next := 0; next < len(s.ambiguous); {
			v := m.Walls.View(worker, int(i))
			next = wb.addSamples(v, s.ambiguous, &wb.reach[i], to, next)
			if v.Approach(cornerReach); len(v.Samples) == 0 {
				continue
			}
			for n := range v.Samples {
				wb.addCells(v, n, to[v.Samples[n].Of], &s.weight[n])
			}
			v.Trace()
			wb.blendVisible(v, &s.weight, to, phi)
		}
	}
}

// findAmbiguousSamples lists the places where the cells around don't all say the same, and some wall near to the block may hide one.
func (wb *ThinWalls) findAmbiguousSamples(s *wallScratch, b int32, to []layout.Point) {
	m := wb.m
	s.ambiguous = s.ambiguous[:0]
	for i := range to {
		base, fx, fy, fz := m.Grid.Locate(to[i])
		level := m.Grid.Prev.Level[base]
		if !wb.mayHide(b, level, &to[i]) {
			continue
		}
		if tile, edge := wb.cornerValues(base, fx, fy, fz); !agree(tile, edge, float32(m.Grid.CellSize(level))) || tile[0] < 0 && wb.besideSide(&to[i], level) {
			s.ambiguous = append(s.ambiguous, ambiguousSample{i, level, m.Grid.Metres(to[i])})
		}
	}
}

// besideSide tells whether a place is less than a cell, of a level, from a closed side of the domain: between that and a wall there may
// have been no room for a cell.
func (wb *ThinWalls) besideSide(p *layout.Point, level uint8) bool {
	m := wb.m
	cell := 1 / float64(int(1)<<level)
	x, lo, hi := [3]float64{p.X, p.Y, p.Z}, reproducible.Array(wb.sides.Min), reproducible.Array(wb.sides.Max)
	for a := range 3 {
		if !m.Open[2*a] && x[a] < lo[a]+cell || !m.Open[2*a+1] && x[a] > hi[a]-cell {
			return true
		}
	}
	return false
}

// mayHide tells whether a wall near to a block may hide one of the cells, of a level, around a place.
func (wb *ThinWalls) mayHide(b int32, level uint8, p *layout.Point) bool {
	for _, i := range wb.nearWalls(b) {
		if Within(&wb.reach[i].cells[level], p) {
			return true
		}
	}
	return false
}

// addSamples adds ambiguous samples to a view, from the one next on, that the wall's bounds are near enough to for it to hide a cell that was
// used. It returns where to go on.
func (wb *ThinWalls) addSamples(v *walls.View, ambiguous []ambiguousSample, reach *wallReach, to []layout.Point, next int) int {
	m := wb.m
	for ; next < len(ambiguous) && len(v.Samples) < walls.MaxSamples; next++ {
		if p := &ambiguous[next]; Within(&reach.cells[p.level], &to[p.of]) {
			v.Add(p.of, p.at, m.Grid.CellSize(p.level))
		}
	}
	return next
}

// addCells weighs the eight old cells around a view's n-th sample, which is at p, and adds their centres as its targets. A cell beyond a
// closed side of the domain says what the one before it does.
func (wb *ThinWalls) addCells(v *walls.View, n int, p layout.Point, weights *[8]float64) {
	m := wb.m
	base, fx, fy, fz := m.Grid.Locate(p)
	h := v.Samples[n].Size
	cells := m.Grid.CellSize(0) / h
	at := [3]float64{float64(fx*cells) - .5, float64(fy*cells) - .5, float64(fz*cells) - .5} // from the block's first centre, cells
	lo, from, to := m.Grid.Corner(base), reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	var x, weight [3][2]float64
	for a := range 3 {
		cell := math.Floor(at[a])
		part := at[a] - cell
		x[a] = [2]float64{lo[a] + float64((cell+.5)*h), lo[a] + float64((cell+1.5)*h)}
		for i := range x[a] {
			if !m.Open[2*a] {
				x[a][i] = max(x[a][i], from[a]+float64(h/2))
			}
			if !m.Open[2*a+1] {
				x[a][i] = min(x[a][i], to[a]-float64(h/2))
			}
		}
		weight[a] = [2]float64{1 - part, part}
	}
	for c := range weights {
		i, j, k := c&1, c>>1&1, c>>2
		weights[c] = weight[0][i] * weight[1][j] * weight[2][k]
		if weights[c] > leastWeight {
			v.Target(n, c, r3.Vec{X: x[0][i], Y: x[1][j], Z: x[2][k]})
		}
	}
}

// blendVisible replaces the values at samples from which not all cells are seen.
func (wb *ThinWalls) blendVisible(v *walls.View, weights *[walls.MaxSamples][8]float64, to []layout.Point, phi []float32) {
	m := wb.m
	for i := range v.Samples {
		p := &v.Samples[i]
		if p.Hidden == 0 { // nearly always
			continue
		}
		tile, edge := wb.cornerValues(m.Grid.Locate(to[p.Of]))
		sum, seen := 0., 0.
		for c, weight := range weights[i] {
			if p.Hidden>>c&1 == 0 {
				sum += float64(weight * float64(tile[c&1+edge*(c>>1&1+edge*(c>>2))]))
				seen += weight
			}
		}
		if seen > 8*leastWeight {
			phi[p.Of] = float32(sum / seen)
		} else { // nothing that is told of was on this side of the wall: there was no room
			phi[p.Of] = max(phi[p.Of], float32(p.Size/2))
		}
	}
}

// cornerValues is the old φ of the eight cells around a place in a base cell, and the edge of the tile that it is part of.
func (wb *ThinWalls) cornerValues(base int32, fx, fy, fz float64) (t []float32, e int) {
	m := wb.m
	n := int(1) << m.Grid.Prev.Level[base]
	e = n + 2
	i, j, k := int(float64(fx*float64(n))+.5), int(float64(fy*float64(n))+.5), int(float64(fz*float64(n))+.5)
	return m.Set.Tiles.Tile(base)[i+e*(j+e*k):], e
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
