package tets

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffed"
)

// What the blocks ask of the rows: see cubes.Mesh.

// AirBeside calls visit for every cell of the layout whose middle no tetrahedron of its base cell touches but that is beside one, with a row there.
func (m *Stuffed) AirBeside(_ *graph.Graph, visit func(row, cell int32)) {
	l := m.now
	for v, c := range l.Cell {
		if c >= 0 && m.Solids.Row[c] < 0 {
			if r := m.rowBeside(int32(v)); r >= 0 {
				visit(r, c)
			}
		}
	}
}

// FindSurfaceCells lists a block's cells that hold liquid though no row is theirs, each with a row beside.
func (m *Stuffed) FindSurfaceCells(s *cubes.SurfaceCells, b int32, fraction []float32) {
	s.List = s.List[:0]
	if m.Solids.Asleep[b] {
		return
	}
	first, v := m.Grid.Cur.First[b], m.now.VertexRuns[b]
	for i, part := range fraction {
		if c := first + int32(i); part > 0 && m.Solids.Row[c] < 0 && m.Solids.Volume[c] > 0 {
			if r := m.rowBeside(v + int32(i)); r >= 0 {
				s.Add(c, r)
			}
		}
	}
}

// rowBeside is a row at a vertex of the lattice, or else at the other end of one of its edges, of several the one that is deepest in the liquid; -1: there is none.
func (m *Stuffed) rowBeside(v int32) int32 {
	if r := m.mesh.VertexRow[v]; r >= 0 {
		return r
	}
	l, best, deepest := m.now, int32(-1), 0.
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		other := l.Ends[e][0] + l.Ends[e][1] - v
		if r := m.mesh.VertexRow[other]; r >= 0 && m.cuts.Open[e] > 0 && (best < 0 || m.phi[other] < deepest) {
			best, deepest = r, m.phi[other]
		}
	}
	return best
}

// WriteHeld writes how much liquid each row of a block stands for, m³: a tetrahedron is full.
func (m *Stuffed) WriteHeld(dst []float64, b int32, _ func(cell int32) float64) {
	gr := m.Graph
	for i, v := range gr.Volume[gr.Parts[b].Row:gr.Parts[b+1].Row] {
		dst[i] = float64(v)
	}
}

// StartPressure is the last pressure as an impulse per row, Pa·s, linear between the lattice's vertices: the solve's first guess, and its place.
func (m *Stuffed) StartPressure() []float64 {
	m.impulse = arrays.Resize(m.impulse, m.Graph.Rows)
	par.For(m.Pool, m.Graph.Rows, edgeGrain, m, (*Stuffed).startRows)
	return m.impulse
}

func (m *Stuffed) startRows(_, lo, hi int) {
	l := m.now
	for r := lo; r < hi; r++ {
		sum := 0.
		t, w := l.Locate(m.Graph.Centre[r])
		for k, v := range l.Corners[t] {
			sum += float64(w[k] * l.pressure[v])
		}
		m.impulse[r] = sum * m.Dt
	}
}

// KeepPressure remembers the pressure per vertex of the lattice: the mean of the tetrahedra there. Vertices without any have none, those asleep keep theirs.
func (m *Stuffed) KeepPressure() {
	l, mesh := m.now, m.mesh.Mesh
	m.count = arrays.Resize(m.count, l.Vertices())
	clear(m.count)
	for v := range l.pressure {
		if m.mesh.VertexRow[v] >= 0 {
			l.pressure[v] = 0
		}
	}
	for r, t := range m.Graph.Cell {
		for k := range 4 {
			if v := stuffed.VertexOf(mesh, t, k); v >= 0 && !l.Beyond[v] {
				l.pressure[v] += m.impulse[r]
				m.count[v]++
			}
		}
	}
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, m, (*Stuffed).keepBase)
}

func (m *Stuffed) keepBase(_ int, b int32) {
	l := m.now
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		switch n := m.count[v]; {
		case n > 0:
			l.pressure[v] /= float64(n) * m.Dt
		case m.Solids.Asleep[b]:
			continue
		default:
			l.pressure[v] = 0
		}
		if c := l.Cell[v]; c >= 0 {
			m.Press[c] = l.pressure[v]
		}
	}
}

// Tetrahedra is how many tetrahedra have liquid in them: each is a row.
func (m *Stuffed) Tetrahedra() int { return m.Graph.Rows }
