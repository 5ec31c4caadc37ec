package tets

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// What the blocks ask of the rows: see cubes.Mesh.

// AirBeside calls visit for every cell of the layout whose middle is in air, beside a row, once an edge.
func (m *Lattice) AirBeside(gr *graph.Graph, visit func(row, cell int32)) {
	l := m.now
	for f, e := range gr.Slot {
		for side, r := range [2]int32{gr.A[f], gr.B[f]} {
			if c := l.Cell[l.Ends[e][side]]; r == graph.Air && c >= 0 {
				visit(max(gr.A[f], gr.B[f]), c)
			}
		}
	}
}

// FindSurfaceCells lists a block's cells that hold liquid though their middles are no rows, each with a row beside: of those at its vertex's
// edges that are open the one that is deepest in the liquid.
func (m *Lattice) FindSurfaceCells(s *cubes.SurfaceCells, b int32, fraction []float32) {
	s.List = s.List[:0]
	if m.Solids.Asleep[b] {
		return
	}
	l, first := m.now, m.Grid.Cur.First[b]
	v := l.VertexRuns[b]
	for i, part := range fraction {
		if at := v + int32(i); part > 0 && m.cuts.Row[at] < 0 && m.Solids.Volume[first+int32(i)] > 0 {
			if r := m.rowBeside(at); r >= 0 {
				s.Add(first+int32(i), r)
			}
		}
	}
}

// rowBeside is the row at the other end of one of a vertex's open edges, of several the one deepest in the liquid; -1: there is none.
func (m *Lattice) rowBeside(v int32) int32 {
	l, best, deepest := m.now, int32(-1), 0.
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		other := l.Ends[e][0] + l.Ends[e][1] - v
		if r := m.cuts.Row[other]; r >= 0 && m.cuts.Open[e] > 0 && (best < 0 || m.phi[other] < deepest) {
			best, deepest = r, m.phi[other]
		}
	}
	return best
}

// Pressed tells whether liquid that is awake presses on the liquid of a block that sleeps by more than still liquid does, by more than most for each
// metre of some open edge, Pa/m. weight is density times gravity, N/m³.
func (m *Lattice) Pressed(b int32, _ []float64, weight [3]float64, most float64) bool {
	l := m.now
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		own := l.pressure[v]
		if own == 0 {
			continue
		}
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			other := l.Ends[e][0] + l.Ends[e][1] - v
			if m.cuts.Row[other] < 0 || m.cuts.Open[e] == 0 {
				continue
			}
			more := l.pressure[other] - own
			for a, w := range weight {
				more -= float64(w * (l.Position[other][a] - l.Position[v][a]))
			}
			if more*more > float64(most*most*l.Dist[e]*l.Dist[e]) {
				return true
			}
		}
	}
	return false
}

// RowCells are, per row, the layout's cell that its vertex is in the middle of, or -1.
func (m *Lattice) RowCells() []int32 { return m.cells }

// WriteHeld writes how much liquid each row of a block stands for, m³: what of its cell the distance at the vertex says.
func (m *Lattice) WriteHeld(dst []float64, b int32, _ func(cell int32) float64) {
	l, gr := m.now, m.Graph
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if r := m.cuts.Row[v]; r >= 0 {
			part := min(1, .5-m.phi[v]/m.Grid.CellSize(l.Level[v]))
			dst[r-gr.Parts[b].Row] = float64(gr.Volume[r]) * part
		}
	}
}

// Tetrahedra is how many tetrahedra have liquid in them: a corner that is a row.
func (m *Lattice) Tetrahedra() (n int) {
	m.wet = arrays.Resize(m.wet, m.Grid.Bases())
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, m, (*Lattice).countTetrahedra)
	for _, count := range m.wet {
		n += int(count)
	}
	return n
}

// countTetrahedra counts a base cell's.
func (m *Lattice) countTetrahedra(_ int, b int32) {
	l, row, n := m.now, m.cuts.Row, int32(0)
	lo, hi := l.TetRuns.Of(b)
	for _, c := range l.Corners[lo:hi] {
		if row[c[0]]&row[c[1]]&row[c[2]]&row[c[3]] >= 0 { // of numbers that are -1 or not less than 0 the conjunction is -1 if all are
			n++
		}
	}
	m.wet[b] = n
}
