package surface

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// passArgs are a redistancing pass's.
type passArgs struct {
	dir  int     // sweep direction, the low three bits for x, y, z
	dead float32 // cells that are this close to the wanted value stay, in cells
	gain float32 // largest factor by which a cell beside the surface changes
	all  bool    // sweep the rows out of the band too
}

// Redistance makes |∇φ| = 1 again within the band.
//
// Each pass solves the eikonal equation inside every block near the surface by two opposite
// sweeps, over halos of the pass before; four passes see all eight directions. Cells beside
// the surface stay, unless the slope there is far from 1, and so do cells that are
// within a twentieth of a cell of the solution: what was advected accurately is better than a first
// order solve, and a surface at rest keeps its bits.
//
// A pass takes the blocks that are due.
//
// Source: Zhao 2005, fast sweeping; blocks as in Zhao 2007's domain decomposition.
func (s *LevelSet) Redistance(passes int) { s.redistance(passes, false) }

func (s *LevelSet) redistance(passes int, full bool) {
	for i := range passes {
		s.findBusy(full)
		s.pass = passArgs{dir: int(s.Tick+s.Tick/patience)*s.Passes + i, dead: .05, gain: 1.1}
		if full {
			s.pass.dead, s.pass.gain, s.pass.all = .02, 10, true
		}
		s.pool.For(len(s.busy), 2, s.sweepChunk)
		s.pool.For(len(s.busy), 8, s.copyChunk)
	}
}

// findBusy lists the blocks with cells in the band, or with a neighbour whose side is; all of them, or
// those that are due.
func (s *LevelSet) findBusy(all bool) {
	s.busy = s.busy[:0]
	for b, l := range s.g.Cur.Level {
		if (all || s.due(int32(b))) && (s.low[b] < .999*s.limit(l) || s.bandBeside(int32(b))) {
			s.busy = append(s.busy, int32(b))
		}
	}
}

// A block is redistanced after patience steps at the latest, a power of two, and by the time its liquid may have moved
// by loosened cells: slower liquid strains φ less in a step than the sweeps leave alone.
const (
	patience = 4
	loosened = .5
)

// due tells whether a block's turn to be redistanced has come.
func (s *LevelSet) due(b int32) bool {
	if s.g.Cur.First[b] != s.g.Prev.First[b] || int(b) < len(s.Stirred) && s.Stirred[b] {
		return true
	}
	moved := s.moved[b]
	for _, nb := range s.g.Neighbour[b] { // what comes in from there does so at the side only
		if nb != grid.None {
			moved = max(moved, s.moved[nb]/2)
		}
	}
	period, cells := uint32(patience), moved/float32(s.g.CellSize(s.g.Cur.Level[b]))
	for period > 1 && float32(period)*cells > loosened {
		period /= 2
	}
	return (uint32(b)+s.Tick)%period == 0
}

// bandBeside tells whether the band can come into a block from a cell at a neighbour's side.
func (s *LevelSet) bandBeside(b int32) bool {
	l := s.g.Cur.Level[b]
	near := .999*s.limit(l) - float32(s.g.CellSize(l))
	for side, nb := range s.g.Neighbour[b] {
		if nb == grid.None {
			continue
		}
		if v := min(near, .999*s.limit(s.g.Cur.Level[nb])); s.low[nb] < v && s.sideWithin(nb, side^1, v) {
			return true
		}
	}
	return false
}

// sideWithin tells whether a cell along a side of a block, -x, +x, -y, ..., is nearer to the surface than that.
func (s *LevelSet) sideWithin(b int32, side int, near float32) bool {
	l := s.g.Cur.Level[b]
	n := 1 << l
	axis := side / 2
	cells := s.Phi[s.g.Cur.First[b]:][:n*n*n]
	start, p, q := side%2*(n-1)<<(int(l)*axis), 1<<(int(l)*((axis+1)%3)), 1<<(int(l)*((axis+2)%3))
	for i := range n * n {
		if abs32(cells[start+i&(n-1)*p+i>>l*q]) < near {
			return true
		}
	}
	return false
}

func (s *LevelSet) copyBlocks(_, lo, hi int) {
	for _, b := range s.busy[lo:hi] {
		if s.swept[b] {
			first, l := s.g.Cur.First[b], s.g.Cur.Level[b]
			copy(s.Phi[first:first+1<<(3*l)], s.next[first:])
			s.measure(b)
		}
	}
}

func (s *LevelSet) sweepBlocks(worker, lo, hi int) {
	for _, b := range s.busy[lo:hi] {
		s.swept[b] = s.sweepBlock(&s.work[worker], b)
	}
}

// sweepBlock writes a block's new φ into next and tells whether it is another one.
func (s *LevelSet) sweepBlock(w *workspace, b int32) bool {
	l, first := s.g.Cur.Level[b], int(s.g.Cur.First[b])
	n, e, h, tile := 1<<l, 1<<l+2, float32(s.g.CellSize(l)), w.tile[:]
	s.gatherNew(b, tile, true)
	q := sweep{h: h, band: s.limit(l), dead: s.pass.dead * h, gain: s.pass.gain, rim: s.onRim(b)}
	findRows(w.rows[:], w.more[:], tile, n, .999*q.band, s.pass.all)
	q.repairs = w.repairs[:0]
	if !q.run(tile, w.rows[:], n, s.pass.dir) {
		return false
	}
	for _, r := range q.repairs {
		tile[r.at] = r.phi
	}
	q.gain = 0
	q.run(tile, w.rows[:], n, ^s.pass.dir)
	for k := range n {
		for j := range n {
			copyRow(s.next[first+n*(j+n*k):], tile[1+e*(j+1+e*(k+1)):], n)
		}
	}
	return true
}

// sweep is the eikonal update of a block's cells, one after the other.
type sweep struct {
	h, band, dead, gain float32
	rim                 bool // some halo is wall

	// repairs wait for the end of the first sweep: the slope of a cell beside the surface is
	// measured against neighbours that are all still the old ones.
	repairs []repair
}

// repair is a new value of a cell beside the surface.
type repair struct {
	at  int32
	phi float32
}

// onRim tells whether a block touches the end of the grid.
func (s *LevelSet) onRim(b int32) bool {
	for _, nb := range s.g.Neighbour[b] {
		if nb == grid.None {
			return true
		}
	}
	return false
}

// findRows marks the rows of a tile with something in the band, or beside such a row.
func findRows(rows, more []bool, t []float32, n int, near float32, all bool) {
	e := n + 2
	if all {
		for r := range rows[:e*e] {
			rows[r] = true
		}
		return
	}
	for r := range rows[:e*e] {
		rows[r] = inBand(t[e*r:e*r+e], near)
	}
	widenRows(rows, more, e)
}

// inBand tells whether any value is nearer to 0 than that.
func inBand(cells []float32, near float32) bool {
	for _, v := range cells {
		if abs32(v) < near {
			return true
		}
	}
	return false
}

// widenRows marks the rows beside marked ones too.
func widenRows(rows, more []bool, e int) {
	copy(more, rows[:e*e])
	for r, set := range more[:e*e] {
		if !set {
			continue
		}
		for _, step := range [2]int{1, e} {
			if r >= step {
				rows[r-step] = true
			}
			if r+step < e*e {
				rows[r+step] = true
			}
		}
	}
}

// run updates n³ cells inside a halo, along the axes whose bit in dir is 0 and against the others.
// It tells whether anything changed.
func (q *sweep) run(t []float32, rows []bool, n, dir int) (changed bool) {
	e := n + 2
	band, dead, hh := q.band, q.dead, q.h*q.h
	x0, dx := start(dir, 0, n)
	y0, dy := start(dir, 1, n)
	z0, dz := start(dir, 2, n)
	for k := range n {
		for j := range n {
			row := y0 + j*dy + e*(z0+k*dz)
			if !rows[row] {
				continue
			}
			mid := t[e*row:][:e]
			yLow, yHigh := t[e*(row-1):][:e], t[e*(row+1):][:e]
			zLow, zHigh := t[e*(row-e):][:e], t[e*(row+e):][:e]
			for i, x := 0, x0; i < n; i, x = i+1, x+dx {
				c := mid[x]
				var a, b, d float32
				neg := c < 0
				if neg {
					c = -c
					a = -max(mid[x-1], mid[x+1])
					b = -max(yLow[x], yHigh[x])
					d = -max(zLow[x], zHigh[x])
				} else {
					a = min(mid[x-1], mid[x+1])
					b = min(yLow[x], yHigh[x])
					d = min(zLow[x], zHigh[x])
				}
				if a > 0 && b > 0 && d > 0 {
					if excess(c-dead, a, b, d, hh) <= 0 && (c == band || excess(c+dead, a, b, d, hh) >= 0) {
						continue // most cells, and without a root
					}
				} else if q.gain == 0 {
					continue // beside the surface; it has been repaired
				}
				if v := q.solve(t, e*row+x, e, c, a, b, d); v != c {
					if neg {
						v = -v
					}
					mid[x], changed = v, true
				}
			}
		}
	}
	return changed || len(q.repairs) > 0
}

func start(dir, bit, n int) (first, step int) {
	if dir>>bit&1 == 1 {
		return n, -1
	}
	return 1, 1
}

// solve is the new magnitude of a cell of magnitude c whose smaller neighbours along the axes
// are a, b and d, counted as positive on the cell's own side.
func (q *sweep) solve(t []float32, at, e int, c, a, b, d float32) float32 {
	switch {
	case a <= 0 || b <= 0 || d <= 0:
		q.repair(t, at, c, a, b, d)
		return c
	case a >= q.band && b >= q.band && d >= q.band:
		return q.band
	}
	if a > b {
		a, b = b, a
	}
	if b > d {
		b, d = d, b
		if a > b {
			a, b = b, a
		}
	}
	v := q.eikonal(a, b, d)
	switch {
	case v < c-q.dead:
		v += q.dead
	case v > c+q.dead:
		v -= q.dead
		if q.rim {
			v = q.beside(t, at, e, c, v)
		}
	default:
		return c
	}
	return min(v, q.band)
}

// excess is h²(|∇v|² - 1) for a cell of value v and edge² hh.
func excess(v, a, b, d, hh float32) float32 {
	a, b, d = max(v-a, 0), max(v-b, 0), max(v-d, 0)
	return -hh + a*a + b*b + d*d
}

// eikonal is the upwind solution of |∇v| = 1 for neighbours a ≤ b ≤ d.
func (q *sweep) eikonal(a, b, d float32) float32 {
	h := q.h
	v := a + h
	if v <= b {
		return v
	}
	b -= a
	v = a + .5*(b+sqrt32(2*h*h-b*b))
	if v <= d {
		return v
	}
	d -= a
	r := (b+d)*(b+d) - 3*(b*b+d*d-h*h)
	return a + (b+d+sqrt32(max(r, 0)))/3
}

// beside guards a cell at the end of the grid whose nearest surface may lie beyond it, so
// that the inside can't tell its distance: it does not grow, except to within h of
// its inner neighbour.
func (q *sweep) beside(t []float32, at, e int, c, v float32) float32 {
	for _, step := range [3]int{1, e, e * e} {
		lo, hi := abs32(t[at-step]), abs32(t[at+step])
		if lo < hi {
			lo, hi = hi, lo
		}
		if lo >= wall/2 && hi > c {
			return min(v, max(c, hi-q.h))
		}
	}
	return v
}

// repair scales a cell beside the surface whose slope is below .6 or, beyond the √3 of an
// exact corner, above 1.9. Scaling by steps keeps neighbours' factors alike, and with them
// the zero level between.
//
// Source: Russo, Smereka 2000, the subcell distance φ/|∇φ|.
func (q *sweep) repair(t []float32, at int, c, a, b, d float32) {
	a, b, d = max(c-a, 0), max(c-b, 0), max(c-d, 0)
	g := sqrt32(a*a+b*b+d*d) / q.h
	if g >= .6 && g <= 1.9 {
		return
	}
	v := min(c*clamp32(1/g, 1/q.gain, q.gain), q.band)
	if t[at] < 0 {
		v = -v
	}
	q.repairs = append(q.repairs, repair{int32(at), v})
}
