package surface

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// Advance moves the surface by dt seconds through the velocity v of the old layout: it
// writes Phi on Cur from the published tiles, moves and applies the markers, and restores
// the distance. A nil v only carries φ over to the new layout.
//
// Values that are not finite, in v, stand still.
func (s *LevelSet) Advance(v *grid.Velocity, dt float64) {
	s.v, s.dt = v, dt
	s.pool.For(s.g.Bases(), 2, s.advanceChunk)
	s.Markers.Droplets.begin()
	if v != nil {
		s.Markers.advance(v, dt)
	}
	s.v = nil
	s.redistance(s.Passes, false)
	s.Tick++
}

func (s *LevelSet) advanceBlocks(worker, lo, hi int) {
	for b := lo; b < hi; b++ {
		s.advanceBlock(worker, int32(b))
	}
}

func (s *LevelSet) advanceBlock(worker int, b int32) {
	g, w := s.g, &s.work[worker]
	move, far := s.reach(b)
	s.moved[b] = move
	if far {
		if g.Cur.First[b] != g.Prev.First[b] {
			v := s.limit(g.Cur.Level[b])
			if s.Tiles.Tile(b)[centre(g.Prev.Level[b])] < 0 {
				v = -v
			}
			s.fill(b, v)
		}
		return
	}
	walls := s.clips(b)
	var list []arrival
	if s.v != nil && g.Cur.Level[b] == g.Prev.Level[b] {
		list = s.drift(w, b, move, walls)
	} else {
		list = s.relay(w, b)
	}
	if walls {
		s.clip(worker, b, list)
	}
	s.sample(w, b, list)
	if walls && s.OneSided != nil {
		s.seeOneSide(worker, b, list)
	}
	s.measure(b)
}

// centre is the place of cell (0, 0, 0) in a scalar tile.
func centre(level uint8) int {
	e := 1<<level + 2
	return 1 + e + e*e
}

// reach estimates how far the liquid of a block moves in this step, m, from a few samples
// of the velocity, and whether nothing of the band can get into it: where the first layer
// of halo is out of the band too, in less than a cell; among blocks that are all out of it,
// in less than a block.
func (s *LevelSet) reach(b int32) (move float32, far bool) {
	g := s.g
	l := g.Prev.Level[b]
	room, still := float32(0), .999*s.limit(l)
	if s.old[b] >= still && !inBand(s.Tiles.Tile(b), still) {
		room = float32(g.CellSize(l))
		if s.alone(b) {
			room = float32(g.H * grid.Edge)
		}
	}
	if s.v == nil {
		return 0, room > 0
	}
	tile, n := s.v.Tile(b), 1<<l
	for c := range min(8, n*n*n) {
		x, y, z := tile.Centre((1+2*(c&1))*n/4, (1+2*(c>>1&1))*n/4, (1+2*(c>>2))*n/4)
		if q := x*x + y*y + z*z; q <= math.MaxFloat32 {
			move = max(move, q)
		}
	}
	// The samples may miss the fastest place: twice the largest.
	move = 2 * sqrt32(move) * float32(math.Abs(s.dt))
	return move, move < room
}

// alone tells whether none of the blocks around had a surface in its band.
func (s *LevelSet) alone(b int32) bool {
	for _, o := range directions {
		if nb := s.g.Around(b, o[0], o[1], o[2]); nb != grid.None && s.old[nb] < .999*s.limit(s.g.Prev.Level[nb]) {
			return false
		}
	}
	return true
}

// stencil is how far, in cells, around the surface values matter for the zero level: the
// cell's own half diagonal and half of the cubic stencil.
const stencil = 1.5

// arrival says where a cell's liquid was before the step, in cells of the old block from its low corner.
type arrival struct {
	cell    int32
	fine    bool // cubic, after a midpoint step; else redistancing will say the same
	x, y, z float32
}

// drift moves a block that keeps its level. It lists the cells near the surface, or where there are
// walls all in the band; the others it samples at once, linearly and after an Euler step.
func (s *LevelSet) drift(w *workspace, b int32, move float32, walls bool) []arrival {
	l := s.g.Cur.Level[b]
	n, e, h, limit := 1<<l, 1<<l+2, float32(s.g.CellSize(l)), s.limit(l)
	still, near := .999*limit, stencil*h
	phi, tile, q := s.Phi[s.g.Cur.First[b]:][:n*n*n], s.Tiles.Tile(b), s.tracer(b)
	// The rows that the band can come to in this step, one row a cell of motion.
	layers := move / h
	findRows(w.rows[:], w.more[:], tile, n, still, layers > 4)
	one := layers <= 1
	for ; layers > 1 && layers <= 4; layers-- {
		widenRows(w.rows[:], w.more[:], e)
	}
	count := 0
	for r := range n * n {
		y, z := r&(n-1), r>>l
		row := y + 1 + e*(z+1)
		if !w.rows[row] {
			continue
		}
		for x := range n {
			at := e*row + x + 1
			c := abs32(tile[at])
			if one && c >= still && outside(tile, at, e, still) {
				continue
			}
			i := x + n*r
			ux, uy, uz := q.tile.Centre(x, y, z)
			dx, dy, dz := q.step*ux, q.step*uy, q.step*uz
			way := abs32(dx) + abs32(dy) + abs32(dz)
			coarse := c-way*h > near && way < .999 // within the tile
			if coarse && !walls {
				phi[i] = keepIn(linearAt(tile, e, float32(x+1)+dx, float32(y+1)+dy, float32(z+1)+dz), limit, limit)
				continue
			}
			px, py, pz := float32(x)+.5, float32(y)+.5, float32(z)+.5
			if !coarse {
				dx, dy, dz = q.midpoint(px, py, pz, dx, dy, dz)
			}
			w.list[count&511] = arrival{int32(i), !coarse, px + dx, py + dy, pz + dz}
			count++
		}
	}
	return w.list[:count]
}

// relay lists all cells of a block that changes its level, or that nothing moves.
func (s *LevelSet) relay(w *workspace, b int32) []arrival {
	l := s.g.Cur.Level[b]
	n, q := 1<<l, s.tracer(b)
	f := float32(q.frame.cells) / float32(n)
	for i := range n * n * n {
		x, y, z := (float32(i&(n-1))+.5)*f, (float32(i>>l&(n-1))+.5)*f, (float32(i>>(2*l))+.5)*f
		a := arrival{int32(i), true, x, y, z}
		if s.v != nil {
			dx, dy, dz := q.trace(x, y, z)
			a.x, a.y, a.z = x+dx, y+dy, z+dz
		}
		w.list[i] = a
	}
	return w.list[:n*n*n]
}

// tracer follows the frozen velocity from places in a block of the old layout. Places and ways are in that
// block's cells, from its low corner.
type tracer struct {
	v           *grid.Velocity
	tile        grid.Tile
	frame       frame
	step, limit float32 // cells per m/s; longest way
}

// tracer leads back in time.
func (s *LevelSet) tracer(b int32) tracer {
	q := tracer{v: s.v}
	q.enter(s.g, b, -s.dt)
	return q
}

// enter moves the tracer to a block, to go on for dt seconds from there.
func (q *tracer) enter(g *grid.Grid, b int32, dt float64) {
	q.frame = newFrame(g, b, g.Prev.Level[b])
	q.step = float32(dt * q.frame.cells / (g.H * grid.Edge))
	q.limit = float32(float64(g.Dim[0]+g.Dim[1]+g.Dim[2]) * q.frame.cells)
	if q.v != nil {
		q.tile = q.v.Tile(b)
	}
}

// way is the way along the velocity at a place; false where that isn't finite or crosses the whole grid.
func (q *tracer) way(x, y, z float32) (dx, dy, dz float32, ok bool) {
	if q.tile.Holds(x, y, z) {
		dx, dy, dz = q.tile.At(x, y, z)
	} else {
		dx, dy, dz = q.v.At(q.frame.point(x, y, z))
	}
	dx, dy, dz = q.step*dx, q.step*dy, q.step*dz
	return dx, dy, dz, abs32(dx)+abs32(dy)+abs32(dz) < q.limit
}

// straight is the way, in cells, up to which the midpoint rule has nothing to add: on a curve of radius R
// cells a straight step is off by way²/2R, .005 cells on the smallest that the grid holds.
const straight = .1

// trace is the way from a place by the midpoint rule.
func (q *tracer) trace(x, y, z float32) (dx, dy, dz float32) {
	dx, dy, dz, _ = q.way(x, y, z)
	return q.midpoint(x, y, z, dx, dy, dz)
}

// midpoint is trace where the way along the velocity at the place is known.
func (q *tracer) midpoint(x, y, z, dx, dy, dz float32) (mx, my, mz float32) {
	switch long := abs32(dx) + abs32(dy) + abs32(dz); {
	case long < straight:
		return dx, dy, dz
	case !(long < q.limit):
		return 0, 0, 0
	}
	if mx, my, mz, ok := q.way(x+.5*dx, y+.5*dy, z+.5*dz); ok {
		return mx, my, mz
	}
	return dx, dy, dz
}

// frame is a block's place in the grid, in base cells, and its cells along a base cell.
type frame struct{ x, y, z, cells float64 }

func newFrame(g *grid.Grid, b int32, level uint8) frame {
	at := g.BaseCoords(b)
	return frame{float64(at[0]), float64(at[1]), float64(at[2]), float64(int(1) << level)}
}

// local is a point in cells from the block's low corner, plus a shift.
func (f *frame) local(p grid.Point, shift float64) (x, y, z float32) {
	return float32((p.X-f.x)*f.cells + shift), float32((p.Y-f.y)*f.cells + shift), float32((p.Z-f.z)*f.cells + shift)
}

// point is local's inverse, without a shift.
func (f *frame) point(x, y, z float32) grid.Point {
	inv := 1 / f.cells
	return grid.Point{X: f.x + float64(x)*inv, Y: f.y + float64(y)*inv, Z: f.z + float64(z)*inv}
}

// clips tells whether walls may stand in the way of a block's traces.
func (s *LevelSet) clips(b int32) bool {
	return s.v != nil && s.Clip != nil && int(b) < len(s.ClipBlocks) && s.ClipBlocks[b]
}

// clip passes a block's arrivals through Clip.
func (s *LevelSet) clip(worker int, b int32, list []arrival) {
	from, to := s.ways(worker, b, list)
	s.Clip(worker, from, to)
	old := newFrame(s.g, b, s.g.Prev.Level[b])
	for i, p := range to {
		list[i].x, list[i].y, list[i].z = old.local(p, 0)
	}
}

// ways are the cells' centres and where their liquid was.
func (s *LevelSet) ways(worker int, b int32, list []arrival) (from, to []grid.Point) {
	w, l := &s.work[worker], s.g.Cur.Level[b]
	n := 1 << l
	old, now := newFrame(s.g, b, s.g.Prev.Level[b]), newFrame(s.g, b, l)
	for i := range list {
		a := &list[i]
		c := int(a.cell)
		w.from[i] = now.point(float32(c&(n-1))+.5, float32(c>>l&(n-1))+.5, float32(c>>(2*l))+.5)
		w.to[i] = old.point(a.x, a.y, a.z)
	}
	return w.from[:len(list)], w.to[:len(list)]
}

// seeOneSide passes the cells' new φ through OneSided.
func (s *LevelSet) seeOneSide(worker int, b int32, list []arrival) {
	w, phi := &s.work[worker], s.Phi[s.g.Cur.First[b]:]
	from, to := s.ways(worker, b, list)
	for i := range list {
		w.value[i] = phi[list[i].cell]
	}
	s.OneSided(worker, from, to, w.value[:len(list)])
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

// sample writes the new φ of the cells of a list. Old blocks of 4³ and more are looked up, with half a
// block around them, in a cube; smaller ones in their tiles, which is enough for no more than linear interpolation.
func (s *LevelSet) sample(w *workspace, b int32, list []arrival) {
	g := s.g
	pl, l := g.Prev.Level[b], g.Cur.Level[b]
	cube, e, shift := s.Tiles.Tile(b), 1<<pl+2, float32(.5)
	cubic := pl >= 2 && !s.Linear
	if pl >= 2 {
		cube, e, shift = w.old[:], 2<<pl, float32(int(1)<<(pl-1))-.5
		s.gatherOld(b, cube, boxOf(list, shift, e))
	}
	band := s.limit(l)
	far := band // out of the old band
	if pl > l {
		far = .999 * s.limit(pl)
	}
	phi, last := s.Phi[g.Cur.First[b]:][:1<<(3*l)], float32(e-1)
	old := newFrame(g, b, pl)
	for i := range list {
		a := &list[i]
		x, y, z := a.x+shift, a.y+shift, a.z+shift
		var v float32
		switch {
		case !(x >= 0 && y >= 0 && z >= 0 && x < last && y < last && z < last):
			v = s.Tiles.At(old.point(a.x, a.y, a.z))
		case cubic && a.fine && x >= 1 && y >= 1 && z >= 1 && x < last-1 && y < last-1 && z < last-1:
			v = cubicAt(cube, e, x, y, z)
		default:
			v = linearAt(cube, e, x, y, z)
		}
		phi[a.cell] = keepIn(v, far, band)
	}
}

// keepIn is a sampled value within a band that what is as far as far lies beyond; what isn't a number is air.
func keepIn(v, far, band float32) float32 {
	switch {
	case v <= -far:
		return -band
	case v < far:
		return v
	}
	return band
}

// boxOf is the part of a cube of edge e that is read for the arrivals within it.
func boxOf(list []arrival, shift float32, e int) (box oldBox) {
	last := float32(e - 1)
	lo, hi := [3]float32{last, last, last}, [3]float32{}
	for i := range list {
		a := &list[i]
		x, y, z := a.x+shift, a.y+shift, a.z+shift
		if x >= 0 && y >= 0 && z >= 0 && x < last && y < last && z < last {
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
