package levelset

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// passArgs are a redistancing pass's.
type passArgs struct {
	dir   int     // sweep direction, the low two bits for y and z
	dead  float32 // cells that are this close to the wanted value stay, in cells
	loose float32 // likewise those next to the ones beside the surface, at most
	gain  float32 // largest factor by which a cell beside the surface changes
}

// Redistance makes |∇φ| = 1 again within the band.
//
// Each pass solves the eikonal equation inside every block near the surface by two opposite
// sweeps, over halos of the pass before; two passes see all directions. Cells beside
// the surface stay, unless the slope there is far from 1, and so do cells that are
// within .045 of a cell of the solution: what was advected accurately is better than a first
// order solve, and a surface at rest keeps its bits.
//
// Flow strains φ: between the cells beside a surface that rises its slope falls below 1, and above 1 where it sinks. Were the cells next to
// these put right at once, the slope there would be half way between, and the surface rise faster than the liquid
// and sink more slowly: volume would come of every wave, and energy with it. Where liquid moves they have more room.
//
// A pass takes the blocks that are due.
//
// Source: Zhao 2005, fast sweeping; blocks as in Zhao 2007's domain decomposition.
func (s *Field) Redistance(passes int) { s.redistance(passes, false) }

func (s *Field) redistance(passes int, full bool) {
	for i := range passes {
		s.findActive(full)
		s.sweepBusy(i, full)
	}
}

// sweepBusy makes a pass over the blocks that are listed.
func (s *Field) sweepBusy(pass int, full bool) {
	s.pass = passArgs{dir: int(s.Tick+s.Tick/longestPeriod)*s.Passes + pass, dead: .045, loose: .3, gain: 1.1}
	if full {
		s.pass.dead, s.pass.loose, s.pass.gain = .02, .02, 10
	}
	par.For(s.pool, len(s.busy), 2, s, (*Field).sweepBlocks)
	par.For(s.pool, len(s.busy), 8, s, (*Field).copyBlocks)
}

// strains, in ways that a block's liquid moves in a step, is how far cells next to those beside the surface may be from the wanted value.
const strains = 8

// findActive lists the blocks with cells in the band, or with a neighbour whose side is; all of them, or
// those that are due.
func (s *Field) findActive(all bool) {
	s.busy = s.busy[:0]
	for b, l := range s.g.Cur.Level {
		if (all || s.due(int32(b))) && (s.low[b] < .999*s.limit(l) || s.bandBeside(int32(b))) {
			s.busy = append(s.busy, int32(b))
		}
	}
}

// keepIn leaves of the blocks that are listed those that a box, m, overlaps.
func (s *Field) keepIn(box r3.Box) {
	lo, hi := s.g.BaseRange(box)
	kept := s.busy[:0]
	for _, b := range s.busy {
		at := s.g.BaseCoords(b)
		if at[0] >= lo[0] && at[0] <= hi[0] && at[1] >= lo[1] && at[1] <= hi[1] && at[2] >= lo[2] && at[2] <= hi[2] {
			kept = append(kept, b)
		}
	}
	s.busy = kept
}

// A block is redistanced after patience steps at the latest, a power of two, and by the time its liquid may have moved
// by longestMotion cells: slower liquid strains φ less in a step than the sweeps ignore.
const (
	longestPeriod = 4
	longestMotion = .5
)

// due tells whether a block's turn to be redistanced has come.
func (s *Field) due(b int32) bool {
	if s.g.Cur.First[b] != s.g.Prev.First[b] || int(b) < len(s.Moving) && s.Moving[b] {
		return true
	}
	moved := s.moved[b]
	for _, nb := range s.g.Neighbour[b] { // what comes in from there does so at the side only
		if nb != layout.None {
			moved = max(moved, s.moved[nb]/2)
		}
	}
	period, cells := uint32(longestPeriod), moved/float32(s.g.CellSize(s.g.Cur.Level[b]))
	for period > 1 && float32(period)*cells > longestMotion {
		period /= 2
	}
	return (uint32(b)+s.Tick)%period == 0
}

// bandBeside tells whether the band can come into a block from a cell at a neighbour's side.
func (s *Field) bandBeside(b int32) bool {
	l := s.g.Cur.Level[b]
	near := float32(.999*s.limit(l)) - float32(s.g.CellSize(l))
	for side, nb := range s.g.Neighbour[b] {
		if nb == layout.None {
			continue
		}
		if v := min(near, .999*s.limit(s.g.Cur.Level[nb])); s.low[nb] < v && s.sideWithin(nb, side^1, v) {
			return true
		}
	}
	return false
}

// sideWithin tells whether a cell along a side of a block, -x, +x, -y, ..., is nearer to the surface than that.
func (s *Field) sideWithin(b int32, side int, near float32) bool {
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

func (s *Field) copyBlocks(_, lo, hi int) {
	for _, b := range s.busy[lo:hi] {
		if s.swept[b] {
			first, l := s.g.Cur.First[b], s.g.Cur.Level[b]
			copy(s.Phi[first:first+1<<(3*l)], s.next[first:])
			s.measure(b)
		}
	}
}

func (s *Field) sweepBlocks(worker, lo, hi int) {
	for _, b := range s.busy[lo:hi] {
		s.swept[b] = s.sweepBlock(&s.work[worker], b)
	}
}

// sweepBlock writes a block's new φ into next and tells whether it is another one.
func (s *Field) sweepBlock(w *workspace, b int32) bool {
	l, first := s.g.Cur.Level[b], int(s.g.Cur.First[b])
	n, e, tile := 1<<l, 1<<l+2, w.tile[:]
	s.gatherSides(w, b)
	q := sweep{h: float32(s.g.CellSize(l)), band: s.limit(l), rim: s.atGridEnd(b)}
	q.dead = s.pass.dead * q.h
	q.loose = greater(q.dead, lesser(s.pass.loose*q.h, strains*s.moved[b]))
	ahead, back := &wavefronts[l][s.pass.dir&3], &wavefronts[l][^s.pass.dir&3]
	changed := q.run(tile, ahead, &w.steep, n)
	if !q.repair(w, tile, ahead, n, s.pass.gain) && !changed {
		return false
	}
	q.run(tile, back, &w.steep, n)
	for k := range n {
		for j := range n {
			copyRow(s.next[first+n*(j+n*k):], tile[1+e*(j+1+e*(k+1)):], n)
		}
	}
	return true
}

// atGridEnd tells whether a block touches the end of the grid.
func (s *Field) atGridEnd(b int32) bool {
	for _, nb := range s.g.Neighbour[b] {
		if nb == layout.None {
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
