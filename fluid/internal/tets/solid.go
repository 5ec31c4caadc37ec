package tets

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// A cell of the layout that is mostly solid has no distance of the surface of its own. Its vertex, and corners beside it, may have open edges all the same. So it gets what follows from
// the cells at its open edges that are not mostly solid, or else from those that got theirs so: each goes on as a level surface does. The nearer to the surface a cell is the more it
// counts, since its distance is off by a part of itself. Did a cell deep below count as much as one at the surface, the level along a wall that begins below it would be another than
// beside it, and drive a flow down the wall. What is below an air cell may be liquid, and what is above a liquid one air; but where some cells tell for sure which of the two there is,
// and none that there is the other, so it is.
//
// At a thin wall with liquid on one side and air on the other the distance may be that to the surface behind the wall. So it is at least what follows in that way, too.

// nearest, in cells, is how far from the surface a cell is that counts half as much as one at the surface.
const nearest = .1

// distances are those of the surface per cell of the layout, as the lattice has them.
type distances struct {
	phi          []float32 // m
	solid, found []bool    // the cell is mostly solid; likewise, and its distance follows from cells that are not
}

// findDistances makes the distances of the layout's cells.
func (m *Lattice) findDistances() {
	d, n := &m.distances, len(m.Set.Phi)
	d.phi, d.solid, d.found = arrays.Resize(d.phi, n), arrays.Resize(d.solid, n), arrays.Resize(d.found, n)
	for _, pass := range [...]func(*Lattice, int, int32){
		(*Lattice).copyDistances, (*Lattice).leaveSolids, (*Lattice).leaveDeepSolids, (*Lattice).leaveWalls, (*Lattice).keepWalled,
	} {
		par.Each(m.Pool, m.Grid.Bases(), vertexGrain, m, pass)
	}
}

// cellsOf is the first cell of a block, the first after them, and the vertex in the middle of the first.
func (m *Lattice) cellsOf(b int32) (first, end, vertex int32) {
	first = m.Grid.Cur.First[b]
	return first, first + 1<<(3*m.Grid.Cur.Level[b]), m.now.VertexRuns[b]
}

// copyDistances takes over a block's distances, and tells which of its cells are mostly solid.
func (m *Lattice) copyDistances(_ int, b int32) {
	d := &m.distances
	first, end, _ := m.cellsOf(b)
	copy(d.phi[first:end], m.Set.Phi[first:end])
	clear(d.solid[first:end])
	clear(d.found[first:end])
	if !m.cuts.CutsInto(b) {
		return
	}
	h := m.Grid.CellSize(m.Grid.Cur.Level[b])
	for c := first; c < end; c++ {
		d.solid[c] = float64(m.Solids.Volume[c]) < .5*h*h*h
	}
}

// leaveSolids finds the distances of a block's cells that are mostly solid, beside others that are not, leaveDeepSolids those of others beside them.
func (m *Lattice) leaveSolids(_ int, b int32) {
	if !m.cuts.CutsInto(b) {
		return
	}
	d := &m.distances
	first, end, v := m.cellsOf(b)
	for c := first; c < end; c++ {
		if d.solid[c] {
			if phi, ok := m.follow(v+c-first, true, false); ok {
				d.phi[c], d.found[c] = phi, true
			}
		}
	}
}

func (m *Lattice) leaveDeepSolids(_ int, b int32) {
	if !m.cuts.CutsInto(b) {
		return
	}
	d := &m.distances
	first, end, v := m.cellsOf(b)
	for c := first; c < end; c++ {
		if d.solid[c] && !d.found[c] {
			if phi, ok := m.follow(v+c-first, false, true); ok {
				d.phi[c] = phi
			}
		}
	}
}

// leaveWalls finds the distances of a block's cells beside thin walls, and leaves them in phi of their vertices for keepWalled.
func (m *Lattice) leaveWalls(_ int, b int32) {
	if !m.cuts.HasThinWalls(b) {
		return
	}
	first, end, v := m.cellsOf(b)
	for c := first; c < end; c++ {
		at, phi := v+c-first, m.distances.phi[c]
		if m.isApart(at) {
			if far, ok := m.follow(at, true, true); ok && (far < 0) == (phi < 0) && far*far > phi*phi {
				phi = far
			}
		}
		m.phi[at] = float64(phi)
	}
}

func (m *Lattice) keepWalled(_ int, b int32) {
	if !m.cuts.HasThinWalls(b) {
		return
	}
	first, end, v := m.cellsOf(b)
	for c := first; c < end; c++ {
		m.distances.phi[c] = float32(m.phi[v+c-first])
	}
}

// isApart tells whether an edge from the middle of a cell to that of another is shut, and no open one leads through the surface.
func (m *Lattice) isApart(v int32) (apart bool) {
	l, d := m.now, &m.distances
	wet := d.phi[l.Cell[v]] < 0
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		c := l.Cell[l.Ends[e][0]+l.Ends[e][1]-v]
		switch {
		case c < 0:
		case m.cuts.Open[e] == 0:
			apart = true
		case (d.phi[c] < 0) != wet:
			return false
		}
	}
	return apart
}

// follow is what follows at a vertex from the distances of the cells at its open edges, m: of those that are not mostly solid, if own, and of those that were found. It is false if there
// are none.
func (m *Lattice) follow(v int32, own, found bool) (phi float32, ok bool) {
	l, d := m.now, &m.distances
	sum, count := 0., 0.
	air, liquid := math.Inf(1), math.Inf(-1) // the nearest to the surface of what is surely one or the other
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		w := l.Ends[e][0] + l.Ends[e][1] - v
		c := l.Cell[w]
		if c < 0 || m.cuts.Open[e] == 0 || !(own && !d.solid[c] || found && d.found[c]) {
			continue
		}
		phi := float64(d.phi[c])
		on := phi + m.above(v, w)
		if phi >= 0 && on >= 0 {
			air = min(air, on)
		} else if phi < 0 && on < 0 {
			liquid = max(liquid, on)
		}
		weight := m.cuts.Open[e] * l.Area[e] * m.trust(v, phi)
		sum += float64(weight * on)
		count += float64(weight)
	}
	if count == 0 {
		return 0, false
	}
	mean := sum / count
	switch {
	case mean < 0 && math.IsInf(liquid, -1) && !math.IsInf(air, 1):
		mean = air
	case mean >= 0 && math.IsInf(air, 1) && !math.IsInf(liquid, -1):
		mean = liquid
	}
	return float32(mean), true
}

// trust is how much a distance of the surface, m, counts for that at a vertex beside it; 1 if it is 0.
func (m *Lattice) trust(v int32, phi float64) float64 {
	phi /= float64(nearest * m.Grid.CellSize(m.now.Level[v]))
	return 1 / (1 + float64(phi*phi))
}
