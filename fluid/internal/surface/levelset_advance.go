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
	s.trace(w, b, move)
	if s.clips(b) {
		n := 1 << (3 * g.Cur.Level[b])
		s.Clip(worker, w.from[:n], w.to[:n])
	}
	if box := s.localise(w, b); box.lo[0] < box.hi[0] {
		s.gatherOld(b, w.old[:], box)
	}
	s.sample(w, b)
	if s.clips(b) && s.OneSided != nil {
		n := int32(1) << (3 * g.Cur.Level[b])
		first := g.Cur.First[b]
		for i, near := range w.near[:n] {
			if near == keep {
				w.to[i] = w.from[i]
			}
		}
		s.OneSided(worker, w.from[:n], w.to[:n], s.Phi[first:first+n])
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
	room, m := float32(0), 2
	if l := g.Prev.Level[b]; s.halo[b] >= .999*s.limit(l) {
		room = float32(g.CellSize(l))
		if s.alone(b) {
			room, m = float32(g.H*grid.Edge), 1
		}
	}
	if s.v != nil {
		tile := s.v.Tile(b)
		f := float32(int(1)<<g.Prev.Level[b]) / float32(2*m)
		for c := range m * m * m { // m is 1 or 2
			x, y, z := tile.At(f*float32(1+2*(c&(m-1))), f*float32(1+2*(c>>1&(m-1))), f*float32(1+2*(c>>2)))
			if q := x*x + y*y + z*z; q <= math.MaxFloat32 {
				move = max(move, q)
			}
		}
		// The samples may miss the fastest place: twice the largest.
		move = 2 * sqrt32(move) * float32(math.Abs(s.dt))
	}
	return move, room > 0 && move < room
}

// alone tells whether none of the blocks around had a surface in its band.
func (s *LevelSet) alone(b int32) bool {
	at := s.g.BaseCoords(b)
	for z := at[2] - 1; z <= at[2]+1; z++ {
		for y := at[1] - 1; y <= at[1]+1; y++ {
			for x := at[0] - 1; x <= at[0]+1; x++ {
				if nb := s.g.BaseAt(x, y, z); nb != grid.None && s.halo[nb] < .999*s.limit(s.g.Prev.Level[nb]) {
					return false
				}
			}
		}
	}
	return true
}

// How a cell's new φ is found.
const (
	keep   uint8 = iota // it stays: the band can't reach it
	coarse              // linear, after an Euler step: redistancing will say the same
	fine                // cubic, after a midpoint step
	away                // from the tiles: it comes from further off than gatherOld has
)

// stencil is how far, in cells, around the surface values matter for the zero level: the
// cell's own half diagonal and half of the cubic stencil.
const stencil = 1.5

// trace finds where each cell of a block comes from.
func (s *LevelSet) trace(w *workspace, b int32, move float32) {
	g := s.g
	pl, l := g.Prev.Level[b], g.Cur.Level[b]
	n, at := 1<<l, g.BaseCoords(b)
	f := 1 / float64(n)
	q := tracer{
		v:     s.v,
		step:  -s.dt / (g.H * grid.Edge),
		limit: float64(g.Dim[0] + g.Dim[1] + g.Dim[2]),
		base:  float32(g.H * grid.Edge),
		near:  stencil * float32(g.CellSize(l)),
	}
	if s.v != nil {
		q.tile, q.frame = s.v.Tile(b), s.frame(b, pl)
	}
	tile := s.Tiles.Tile(b)
	still := .999 * s.limit(l)
	// The rows that the band can come to in this step, one row a cell of motion.
	layers := move / float32(g.CellSize(l))
	all := pl != l || s.clips(b) || layers > 4
	if pl == l {
		findRows(w.rows[:], w.more[:], tile, n, still, all)
		for ; layers > 1 && !all; layers-- {
			widenRows(w.rows[:], w.more[:], n+2)
		}
	}
	one := move <= float32(g.CellSize(l)) && !all
	e := n + 2
	for z := range n {
		for y := range n {
			i := n * (y + n*z)
			row := y + 1 + e*(z+1)
			if pl == l && !w.rows[row] {
				clear(w.near[i : i+n]) // keep
				continue
			}
			p := grid.Point{Y: float64(at[1]) + (float64(y)+.5)*f, Z: float64(at[2]) + (float64(z)+.5)*f}
			for x := range n {
				p.X = float64(at[0]) + (float64(x)+.5)*f
				phi := float32(0)
				if pl == l {
					phi = abs32(tile[e*row+x+1])
					if one && phi >= still && outside(tile, e*row+x+1, e, still) {
						w.near[i] = keep
						i++
						continue
					}
				}
				w.from[i] = p
				w.to[i], w.near[i] = q.back(p, phi)
				i++
			}
		}
	}
}

// tracer goes back along the velocity from points that are phi from the surface, m.
type tracer struct {
	v           *grid.Velocity
	tile        grid.Tile // of a block
	frame       frame     // of that block
	step, limit float64   // base cells per m/s; longest way
	base, near  float32   // base cell, m; where the midpoint rule is worth it, m
}

func (q *tracer) back(p grid.Point, phi float32) (to grid.Point, how uint8) {
	if q.v == nil {
		return p, fine
	}
	d, ok := q.displacement(p)
	if !ok {
		return p, fine
	}
	if phi > q.near {
		if way := float32(math.Sqrt(d.X*d.X + d.Y*d.Y + d.Z*d.Z)); phi-way*q.base > q.near {
			return plus(p, d, 1), coarse
		}
	}
	if d2, ok := q.displacement(plus(p, d, .5)); ok {
		d = d2
	}
	return plus(p, d, 1), fine
}

// displacement is the way along the velocity at p, in base cells; false where that isn't finite
// or crosses the whole grid.
func (q *tracer) displacement(p grid.Point) (grid.Point, bool) {
	x, y, z := q.frame.local(p, 0)
	if q.tile.Holds(x, y, z) {
		x, y, z = q.tile.At(x, y, z)
	} else {
		x, y, z = q.v.At(p)
	}
	d := grid.Point{X: q.step * float64(x), Y: q.step * float64(y), Z: q.step * float64(z)}
	return d, math.Abs(d.X)+math.Abs(d.Y)+math.Abs(d.Z) < q.limit
}

// frame is a block's place in the grid, in base cells, and its cells along a base cell.
type frame struct{ x, y, z, cells float64 }

func (s *LevelSet) frame(b int32, level uint8) frame {
	at := s.g.BaseCoords(b)
	return frame{float64(at[0]), float64(at[1]), float64(at[2]), float64(int(1) << level)}
}

// local is a point in cells from the block's low corner, plus a shift.
func (f *frame) local(p grid.Point, shift float64) (x, y, z float32) {
	return float32((p.X-f.x)*f.cells + shift), float32((p.Y-f.y)*f.cells + shift), float32((p.Z-f.z)*f.cells + shift)
}

// clips tells whether the block's traces go through Clip.
func (s *LevelSet) clips(b int32) bool {
	return s.v != nil && s.Clip != nil && int(b) < len(s.ClipBlocks) && s.ClipBlocks[b]
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

func plus(p, d grid.Point, t float64) grid.Point {
	return grid.Point{X: p.X + t*d.X, Y: p.Y + t*d.Y, Z: p.Z + t*d.Z}
}

// localise gives, for each cell of a block that does not keep its φ, the place in the cube of gatherOld
// that it comes from, and the part of that cube which is read for them, empty if none is.
func (s *LevelSet) localise(w *workspace, b int32) (box oldBox) {
	pl := s.g.Prev.Level[b]
	pn, at := 1<<pl, s.frame(b, pl)
	half := float64(pn/2) - .5
	last := float32(2*pn - 1)
	lo, hi := [3]float32{last, last, last}, [3]float32{}
	for i, near := range w.near[:1<<(3*s.g.Cur.Level[b])] {
		if near == keep {
			continue
		}
		x, y, z := at.local(w.to[i], half)
		w.local[i] = [3]float32{x, y, z}
		if pn < 4 || !(x >= 0 && y >= 0 && z >= 0 && x < last && y < last && z < last) {
			w.near[i] = away
			continue
		}
		lo[0], lo[1], lo[2] = min(lo[0], x), min(lo[1], y), min(lo[2], z)
		hi[0], hi[1], hi[2] = max(hi[0], x), max(hi[1], y), max(hi[2], z)
	}
	for a := range 3 {
		if lo[a] <= hi[a] { // the cubic stencil reaches one further down and two up
			box.lo[a], box.hi[a] = max(int(lo[a])-1, 0), min(int(hi[a])+3, 2*pn)
		}
	}
	return box
}

// sample writes the block's new φ.
func (s *LevelSet) sample(w *workspace, b int32) {
	g := s.g
	pl, l := g.Prev.Level[b], g.Cur.Level[b]
	n, e := 1<<l, 2<<pl
	band := s.limit(l)
	far := band // out of the old band
	if pl > l {
		far = .999 * s.limit(pl)
	}
	phi := s.Phi[g.Cur.First[b]:][:n*n*n]
	last := float32(e - 2)
	for i := range phi {
		near := w.near[i]
		if near == keep {
			continue
		}
		x, y, z := w.local[i][0], w.local[i][1], w.local[i][2]
		var v float32
		switch {
		case near == away:
			v = s.Tiles.At(w.to[i])
		case near == fine && !s.Linear && x >= 1 && y >= 1 && z >= 1 && x < last && y < last && z < last:
			v = cubicAt(w.old[:], e, x, y, z)
		default:
			v = linearAt(w.old[:], e, x, y, z)
		}
		switch {
		case v >= far:
			v = band
		case v <= -far:
			v = -band
		case v != v:
			v = band
		}
		phi[i] = v
	}
}
