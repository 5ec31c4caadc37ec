package tets

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// StartPressure is the last pressure as an impulse per row, Pa·s: the solve's first guess, and its place.
func (m *Lattice) StartPressure() []float64 {
	m.impulse = arrays.Resize(m.impulse, m.Graph.Rows)
	for v, r := range m.cuts.Row {
		if r >= 0 {
			m.impulse[r] = m.now.pressure[v] * m.Dt
		}
	}
	return m.impulse
}

// KeepPressure remembers the pressure per vertex; vertices in the air have none, those asleep keep theirs. Cells of the layout have that at their middles.
func (m *Lattice) KeepPressure() {
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, m, (*Lattice).keepBase)
}

func (m *Lattice) keepBase(_ int, b int32) {
	if m.Solids.Asleep[b] {
		return
	}
	l := m.now
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		l.pressure[v] = 0
		if r := m.cuts.Row[v]; r >= 0 {
			l.pressure[v] = m.impulse[r] / m.Dt
		}
		if c := l.Cell[v]; c >= 0 {
			m.Press[c] = l.pressure[v]
		}
	}
}

// ScalePressure multiplies the last step's pressure, from which the next solve starts.
func (m *Lattice) ScalePressure(by float64) {
	m.Blocks.ScalePressure(by)
	for v := range m.now.pressure {
		m.now.pressure[v] *= by
	}
}

// carryPressure gives the vertices of the lattice at hand the pressure of the settled one.
func (m *Lattice) carryPressure() {
	m.now.pressure = arrays.Resize(m.now.pressure, m.now.Vertices())
	if m.now == m.settled {
		clear(m.now.pressure)
		return
	}
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, m, (*Lattice).carryPressureOf)
}

// carryPressureOf gives it to those of a base cell.
func (m *Lattice) carryPressureOf(_ int, b int32) {
	old, l := m.settled, m.now
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		t, w := old.Locate(l.Position[v])
		sum := 0.
		for i, c := range old.Corners[t] {
			sum += float64(w[i] * old.pressure[c])
		}
		l.pressure[v] = sum
	}
}
