package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ThinWalls is which blocks and places thin walls are near to. The walls themselves are in Blocks.Walls.
type ThinWalls struct {
	m      *Cells
	survey *layout.Survey

	list    []int32     // the walls that may be near to each block that ClipBlocks marks, those of a block in order
	first   []int32     // per base cell, and one more: where its walls begin in list
	last    []int32     // per base cell: where they end
	reach   []wallReach // of each wall
	sides   r3.Box      // of the domain, base cells
	scratch []wallScratch
}

// wallReach is where a wall may change anything in this step, base cells.
type wallReach struct {
	traces r3.Box                      // trace segments that may meet it come there
	cells  [layout.MaxLevel + 1]r3.Box // by level: it may hide one of the cells around a place there
}

// wallScratch is what one worker works with.
type wallScratch struct {
	of        []int32  // which of the trace segments at hand may meet a wall,
	from, to  []r3.Vec // and their ends, m
	ambiguous []ambiguousSample
	weight    [walls.MaxSamples][8]float64 // of the cells around each place at hand
}

// cornerReach, in cells, is the farthest that one of the eight cells around a place is from it.
var cornerReach = math.Sqrt(3)

// marksReach, in finest cells, is how far from a wall the blocks reach at least that ThinBlocks marks, less what is looked at around a
// trace segment.
const marksReach = layout.Edge - 3

// init has the level set ask the thin walls.
func (wb *ThinWalls) init(m *Cells, survey *layout.Survey) {
	wb.m, wb.survey = m, survey
	const most = layout.Edge * layout.Edge * layout.Edge // cells of a block
	m.Walls = walls.NewSet(m.Domain, m.CellSize, m.Pool.Workers(), most)
	wb.sides = m.Grid.InBases(m.Domain)
	wb.scratch = make([]wallScratch, m.Pool.Workers())
	for w := range wb.scratch {
		s := &wb.scratch[w]
		s.of, s.from, s.to = make([]int32, 0, most), make([]r3.Vec, 0, most), make([]r3.Vec, 0, most)
		s.ambiguous = make([]ambiguousSample, 0, most)
	}
	m.Set.Clip, m.Set.ClipAhead, m.Set.ClipLines, m.Set.OneSided = wb.ClipBack, wb.clipAhead, wb.clipLines, wb.oneSided
}

// Mark marks the blocks whose trace segments are to be checked against m.Walls, which have been set for the step; Solids has been
// called with the same solids.
func (wb *ThinWalls) Mark() {
	m := wb.m
	wb.reach = arrays.Resize(wb.reach, len(m.Walls.Walls))
	for i := range wb.reach {
		r, w := &wb.reach[i], &m.Walls.Walls[i]
		r.traces = wb.around(w, 2*walls.Gap*m.CellSize)
		for level := range r.cells {
			r.cells[level] = wb.around(w, cornerReach*m.Grid.CellSize(uint8(level)))
		}
	}
	m.Set.ClipBlocks = m.Solids.ThinBlocks(m.Set.ClipBlocks)
	for i := range m.Walls.Walls { // those are the blocks at walls and beside them
		if w := &m.Walls.Walls[i]; w.Travel+float64(m.Dt*wb.survey.MaxSpeed) > marksReach*m.CellSize {
			m.Grid.EachBase(boxes.Grown(w.Bounds, w.Travel), func(b int32) { m.Set.ClipBlocks[b] = true })
		}
	}
	wb.listWalls()
	par.Each(m.Pool, len(wb.last), 4, wb, (*ThinWalls).findNearWalls)
}

// nearWalls are the walls that may be near to a block that ClipBlocks marks.
func (wb *ThinWalls) nearWalls(b int32) []int32 { return wb.list[wb.first[b]:wb.last[b]] }

// listWalls lists for each block that is marked the walls whose bounds are near to it.
func (wb *ThinWalls) listWalls() {
	m := wb.m
	n := len(m.Set.ClipBlocks)
	wb.first, wb.last = arrays.Resize(wb.first, n+1), arrays.Resize(wb.last, n)
	clear(wb.last)
	wb.eachReached(func(b int32, _ int) { wb.last[b]++ })
	wb.first[0] = 0
	for b := range n {
		wb.first[b+1] = wb.first[b] + wb.last[b]
		wb.last[b] = wb.first[b]
	}
	wb.list = arrays.Resize(wb.list, int(wb.first[n]))
	wb.eachReached(func(b int32, wall int) {
		wb.list[wb.last[b]] = int32(wall)
		wb.last[b]++
	})
}

// eachReached visits the marked blocks that the bounds of a wall are near to, wall by wall.
func (wb *ThinWalls) eachReached(visit func(b int32, wall int)) {
	m := wb.m
	near := wb.nearness(m.Grid.CellSize(0))
	for i := range m.Walls.Walls {
		w := &m.Walls.Walls[i]
		m.Grid.EachBase(boxes.Grown(w.Bounds, near+w.Travel), func(b int32) {
			if m.Set.ClipBlocks[b] {
				visit(b, i)
			}
		})
	}
}

// nearness is how near a wall must come, m, to stand in the way of something in a block with cells of some edge, m.
func (wb *ThinWalls) nearness(cell float64) float64 {
	m := wb.m
	return float64(cornerReach*cell) + float64(m.Dt*wb.survey.MaxSpeed) + float64(2*walls.Gap*m.CellSize)
}

// around is the box, base cells, of what comes as near to a wall in this step, m.
func (wb *ThinWalls) around(w *walls.Wall, near float64) r3.Box {
	m := wb.m
	return m.Grid.InBases(boxes.Grown(w.Bounds, near+w.Travel))
}

// findNearWalls finds which walls may be so near to a block that is marked that they stand in the way of what gets there in the step, or
// of a line from a place there to one of the cells around it. It takes the mark away if none is.
func (wb *ThinWalls) findNearWalls(worker int, b int32) {
	m := wb.m
	mark := &m.Set.ClipBlocks[b]
	if !*mark {
		return
	}
	g := m.Grid
	h := g.CellSize(min(g.Cur.Level[b], g.Prev.Level[b]))
	half := float64(g.H * layout.Edge / 2)
	near := wb.nearness(h)
	middle := r3.Add(reproducible.Vector(g.Corner(b)), r3.Vec{X: half, Y: half, Z: half})
	end := wb.first[b]
	for _, wall := range wb.nearWalls(b) {
		if m.Walls.IsNear(worker, int(wall), middle, half, near) {
			wb.list[end] = wall
			end++
		}
	}
	wb.last[b] = end
	*mark = end > wb.first[b]
}

// ClipBack ends each trace segment from → to of a block that ClipBlocks marks, which leads back in time, at the first thin wall.
func (wb *ThinWalls) ClipBack(worker int, b int32, from, to []layout.Point) {
	m := wb.m
	for _, i := range wb.nearWalls(b) {
		if s := &wb.scratch[worker]; wb.listSegments(s, int(i), from, to) {
			s.takeMoved(m.Grid, m.Walls.ClipBack(worker, int(i), s.from, s.to), to)
		}
	}
}

// clipAhead is ClipBack for trace segments that lead forward in time.
func (wb *ThinWalls) clipAhead(worker int, b int32, from, to []layout.Point) {
	m := wb.m
	for _, i := range wb.nearWalls(b) {
		if s := &wb.scratch[worker]; wb.listSegments(s, int(i), from, to) {
			s.takeMoved(m.Grid, m.Walls.ClipAhead(worker, int(i), s.from, s.to), to)
		}
	}
}

// clipLines moves the ends of lines, between two places at the present of the surface, that a wall is in the way of.
func (wb *ThinWalls) clipLines(worker int, b int32, from, to []layout.Point) {
	m := wb.m
	for _, i := range wb.nearWalls(b) {
		s := &wb.scratch[worker]
		if !wb.listSegments(s, int(i), from, to) {
			continue
		}
		for _, k := range m.Walls.ClipLines(worker, int(i), s.from, s.to) {
			of := s.of[k]
			to[of] = from[of]
		}
	}
}

// listSegments lists the segments that come to a wall's reach, in metres, and tells whether there are any. What a wall before has
// moved counts from where it is in base cells.
func (wb *ThinWalls) listSegments(s *wallScratch, wall int, from, to []layout.Point) bool {
	m := wb.m
	s.of, s.from, s.to = s.of[:0], s.from[:0], s.to[:0]
	box := &wb.reach[wall].traces
	for i := range from {
		p, q := &from[i], &to[i]
		if p.X < box.Min.X && q.X < box.Min.X || p.X > box.Max.X && q.X > box.Max.X || p.Y < box.Min.Y && q.Y < box.Min.Y ||
			p.Y > box.Max.Y && q.Y > box.Max.Y || p.Z < box.Min.Z && q.Z < box.Min.Z || p.Z > box.Max.Z && q.Z > box.Max.Z {
			continue
		}
		s.of, s.from, s.to = append(s.of, int32(i)), append(s.from, m.Grid.Metres(*p)), append(s.to, m.Grid.Metres(*q))
	}
	return len(s.of) > 0
}

// takeMoved takes over the ends of listed segments that a wall has moved. The others keep all their bits.
func (s *wallScratch) takeMoved(g *layout.Grid, moved []int32, to []layout.Point) {
	for _, k := range moved {
		x := &s.to[k]
		to[s.of[k]] = g.ToPoint(x.X, x.Y, x.Z)
	}
}
