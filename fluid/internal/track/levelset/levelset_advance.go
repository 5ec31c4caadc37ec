package levelset

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

func (s *Field) advanceBlocks(worker, lo, hi int) {
	for b := lo; b < hi; b++ {
		s.advanceBlock(worker, int32(b))
	}
}

func (s *Field) advanceBlock(worker int, b int32) {
	g, w := s.g, &s.work[worker]
	if s.far(b) {
		if g.Cur.First[b] != g.Prev.First[b] {
			v := s.limit(g.Cur.Level[b])
			if s.Tiles.Tile(b)[centre(g.Prev.Level[b])] < 0 {
				v = -v
			}
			s.fill(b, v)
		}
		return
	}
	walls, same := s.clips(b), s.v != nil && g.Cur.Level[b] == g.Prev.Level[b]
	var list []arrival
	if same {
		list = s.advanceSameLevel(w, b, walls)
	} else {
		s.moved[b] = s.motion(b)
		list = s.listAll(w, b)
	}
	if walls {
		s.clip(worker, b, list)
	}
	if anyFar(list) {
		s.sample(w, b, list)
	}
	if walls && s.OneSided != nil {
		s.applyOneSided(worker, b, list)
	}
	if same && !walls {
		s.closeGaps(w, b)
	}
	s.measure(b)
}

// centre is the place of cell (0, 0, 0) in a scalar tile.
func centre(level uint8) int {
	e := 1<<level + 2
	return 1 + e + e*e
}

// far tells whether nothing of the band can get into a block in this step: where the first layer of halo is out of the
// band too, in less than a cell; among blocks that are all out of it, in less than a block. Of those that are out of the band
// it sets moved.
func (s *Field) far(b int32) bool {
	l := s.g.Prev.Level[b]
	still := .999 * s.limit(l)
	if s.old[b] < still || leastMagnitude(s.Tiles.Tile(b)) < still {
		return false
	}
	room := float32(s.g.CellSize(l))
	if isolated := s.isIsolated(b); s.g.Cur.Level[b] < l && !isolated { // its new band is wider
		return false
	} else if isolated {
		room = float32(s.g.H * layout.Edge)
	}
	s.moved[b] = s.motion(b)
	return s.moved[b] < room
}

// motion estimates how far the liquid of a block moves in this step, m, from a few samples of the velocity.
func (s *Field) motion(b int32) float32 {
	if s.v == nil {
		return 0
	}
	tile, n, top := s.v.Tile(b), 1<<s.g.Prev.Level[b], float32(0)
	for c := range min(8, n*n*n) {
		x, y, z := tile.Centre((1+2*(c&1))*n/4, (1+2*(c>>1&1))*n/4, (1+2*(c>>2))*n/4)
		if q := float32(x*x) + float32(y*y) + float32(z*z); q <= math.MaxFloat32 {
			top = max(top, q)
		}
	}
	// The samples may miss the fastest place: twice the largest.
	return 2 * sqrt32(top) * float32(math.Abs(s.dt))
}

// isIsolated tells whether none of the blocks around had a surface in its band.
func (s *Field) isIsolated(b int32) bool {
	for _, o := range directions {
		if nb := s.g.Around(b, o[0], o[1], o[2]); nb != layout.None && s.old[nb] < .999*s.limit(s.g.Prev.Level[nb]) {
			return false
		}
	}
	return true
}

// arrival says where a cell's liquid was before the step, in cells of the old block from its low corner.
type arrival struct {
	cell    int32
	far     bool // its value is looked up there; else it has one already
	x, y, z float32
}

// unmoved is the way, in cells, under which a block stays as it is: it would take a surface hours to cross a cell so, but
// where one lies in the middle of a cell rounding would tell on which side.
const unmoved = 2e-6

// stencil is how far, in cells, around the surface values are interpolated cubically: about a cell's own half diagonal and a half. From
// further out the five cells reach beyond the band, where φ has a kink.
const stencil = 1.4

// advanceSameLevel moves a block that keeps its level. It lists the cells that come from too far, or where there are walls
// all in the band.
func (s *Field) advanceSameLevel(w *workspace, b int32, walls bool) []arrival {
	l := s.g.Cur.Level[b]
	n, limit := 1<<l, s.limit(l)
	phi, tile, q := s.Phi[s.g.Cur.First[b]:][:n*n*n], s.Tiles.Tile(b), s.tracer(b)
	far := q.trail(w, l)
	s.moved[b] = far * float32(s.g.CellSize(l))
	if far < unmoved && !walls {
		return nil
	}
	sharp := float32(0)
	if l >= 2 {
		sharp = (stencil + far) * float32(s.g.CellSize(l))
	}
	carryNear(phi, tile, &w.way, limit, sharp, n)
	if far <= near && !walls {
		return nil
	}
	if far > 1 {
		keepFar(phi, tile, &w.way, limit, n)
	}
	return s.listFar(w, tile, l, far, walls)
}

// keepFar leaves their old φ to the cells that come from further than a cell: their own parabolas mean nothing that far off, where a
// coarser block beside this one has a wider band. It lists the cells that the band can come to.
func keepFar(phi, tile []float32, by *ways, limit float32, n int) {
	e := n + 2
	for i := range phi {
		if max(abs32(by[0][i]), abs32(by[1][i]), abs32(by[2][i])) > 1 {
			x, y, z := i%n, i/n%n, i/(n*n)
			phi[i] = clamp32(tile[x+1+e*(y+1+e*(z+1))], -limit, limit)
		}
	}
}

// listFar lists the cells that the band can come to in this step, by ways of up to far cells; without walls, only those
// with ways along an axis longer than near.
func (s *Field) listFar(w *workspace, tile []float32, l uint8, far float32, walls bool) []arrival {
	n, e, band := 1<<l, 1<<l+2, .999*s.limit(l)
	findRows(w.rows[:], w.more[:], tile, n, band, far > 4)
	one := far <= 1
	for layers := far; layers > 1 && layers <= 4; layers-- { // one row a cell of motion
		widenRows(w.rows[:], w.more[:], e)
	}
	count, mid := 0, &middles[l]
	for r := range n * n {
		row := r&(n-1) + 1 + e*(r>>l+1)
		if !w.rows[row] {
			continue
		}
		for x := range n {
			i, at := x+n*r, e*row+x+1
			dx, dy, dz := w.way[0][i], w.way[1][i], w.way[2][i]
			long := max(abs32(dx), abs32(dy), abs32(dz)) > near
			if !walls && !long {
				continue
			}
			if one && abs32(tile[at]) >= band && outside(tile, at, e, band) {
				continue
			}
			a := &w.list[count&511]
			a.cell, a.far = int32(i), long
			a.x, a.y, a.z = mid[0][i]+dx, mid[1][i]+dy, mid[2][i]+dz
			count++
		}
	}
	return w.list[:count]
}

// listAll lists all cells of a block that changes its level, or that nothing moves.
func (s *Field) listAll(w *workspace, b int32) []arrival {
	l := s.g.Cur.Level[b]
	n, q := 1<<l, s.tracer(b)
	f := float32(q.frame.cells) / float32(n)
	for i := range n * n * n {
		x, y, z := float32((float32(i&(n-1))+.5)*f), float32((float32(i>>l&(n-1))+.5)*f), float32((float32(i>>(2*l))+.5)*f)
		a := arrival{int32(i), true, x, y, z}
		if s.v != nil {
			dx, dy, dz := q.trace(x, y, z)
			a.x, a.y, a.z = x+dx, y+dy, z+dz
		}
		w.list[i] = a
	}
	return w.list[:n*n*n]
}

// clips tells whether walls may stand in the way of a block's traces.
func (s *Field) clips(b int32) bool { return s.v != nil && s.Clipped(b) }

// clip passes a block's arrivals through Clip. Where they come from then is left in w.to.
func (s *Field) clip(worker int, b int32, list []arrival) {
	w, l := &s.work[worker], s.g.Cur.Level[b]
	n := 1 << l
	old, now := newFrame(s.g, b, s.g.Prev.Level[b]), newFrame(s.g, b, l)
	for i := range list {
		a := &list[i]
		c := int(a.cell)
		w.from[i] = now.point(float32(c&(n-1))+.5, float32(c>>l&(n-1))+.5, float32(c>>(2*l))+.5)
		w.to[i] = old.point(a.x, a.y, a.z)
	}
	s.Clip(worker, b, w.from[:len(list)], w.to[:len(list)])
	for i, p := range w.to[:len(list)] {
		a := &list[i]
		if x, y, z := old.local(p, 0); x != a.x || y != a.y || z != a.z {
			a.x, a.y, a.z, a.far = x, y, z, true
		}
	}
}

// applyOneSided passes the cells' new φ through OneSided, after clip.
func (s *Field) applyOneSided(worker int, b int32, list []arrival) {
	w, phi := &s.work[worker], s.Phi[s.g.Cur.First[b]:]
	for i := range list {
		w.value[i] = phi[list[i].cell]
	}
	s.OneSided(worker, b, w.to[:len(list)], w.value[:len(list)])
	for i := range list {
		phi[list[i].cell] = w.value[i]
	}
}

// outside tells whether the six cells around one are all out of the band.
func outside(t []float32, at, e int, band float32) bool {
	for _, step := range [3]int{1, e, e * e} {
		if abs32(t[at-step]) < band || abs32(t[at+step]) < band {
			return false
		}
	}
	return true
}

// sample writes the new φ of the far cells of a list. Old blocks of 4³ and more are looked up, with half a
// block around them, in a cube; smaller ones in their tiles, which is enough for no more than linear interpolation.
func (s *Field) sample(w *workspace, b int32, list []arrival) {
	g := s.g
	pl, l := g.Prev.Level[b], g.Cur.Level[b]
	cube, e, shift, cubic := s.Tiles.Tile(b), 1<<pl+2, float32(.5), pl >= 2
	if cubic {
		cube, e, shift = w.old[:], 2<<pl, float32(int(1)<<(pl-1))-.5
		s.gatherOld(b, cube, boxOf(list, shift, e))
	}
	band := s.limit(l)
	out, seen := band, float32(math.Inf(1)) // of the old band, and up to where it holds all that a value is of
	if pl > l {
		limit := s.limit(pl)
		out, seen = .999*limit, s.limit(pl)-float32(diagonal*g.CellSize(pl))
		if cubic { // a curve through what coarser blocks beside this one know beyond its band would swing into it
			for i, v := range cube[:e*e*e] {
				cube[i] = clamp32(v, -limit, limit)
			}
		}
	}
	phi, last := s.Phi[g.Cur.First[b]:][:1<<(3*l)], float32(e-1)
	old := newFrame(g, b, pl)
	for i := range list {
		a := &list[i]
		if !a.far {
			continue
		}
		x, y, z := a.x+shift, a.y+shift, a.z+shift
		var v float32
		switch {
		case !(x >= 0 && y >= 0 && z >= 0 && x < last && y < last && z < last):
			v = s.Tiles.At(old.point(a.x, a.y, a.z))
		case cubic && x >= 1 && y >= 1 && z >= 1 && x < last-1 && y < last-1 && z < last-1:
			if pl == l || inBandAround(cube, e, x, y, z, .999*s.limit(pl)) {
				v = cubicAt(cube, e, x, y, z)
			} else {
				v = cubicWithinAt(cube, e, x, y, z, .999*s.limit(pl))
			}
		default:
			v = linearAt(cube, e, x, y, z)
		}
		if abs32(v) >= seen {
			phi[a.cell] = s.continued(old.point(a.x, a.y, a.z), pl, v, band)
			continue
		}
		phi[a.cell] = keepIn(v, out, band)
	}
}

// keepIn is a sampled value, limited to a band if it is as far as out; what is not a number is air.
func keepIn(v, out, band float32) float32 {
	switch {
	case v <= -out:
		return -band
	case v < out:
		return v
	}
	return band
}

// anyFar tells whether a list has far cells.
func anyFar(list []arrival) bool {
	for i := range list {
		if list[i].far {
			return true
		}
	}
	return false
}

// boxOf is the part of a cube of edge e that is read for the far arrivals within it.
func boxOf(list []arrival, shift float32, e int) (box oldBox) {
	last := float32(e - 1)
	lo, hi := [3]float32{last, last, last}, [3]float32{}
	for i := range list {
		a := &list[i]
		x, y, z := a.x+shift, a.y+shift, a.z+shift
		if a.far && x >= 0 && y >= 0 && z >= 0 && x < last && y < last && z < last {
			lo[0], lo[1], lo[2] = min(lo[0], x), min(lo[1], y), min(lo[2], z)
			hi[0], hi[1], hi[2] = max(hi[0], x), max(hi[1], y), max(hi[2], z)
		}
	}
	for a := range 3 {
		if lo[a] <= hi[a] { // the cubic stencil reaches one further down and two up
			box.lo[a], box.hi[a] = max(int(lo[a])-1, 0), min(int(hi[a])+3, e)
		}
	}
	return box
}
