package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// pressureGrain is how many blocks workers take at a time in StartPressure and KeepPressure.
const pressureGrain = 16

// StartPressure is the last pressure as an impulse per row, Pa·s: the solve's first guess, and its place.
func (m *Cells) StartPressure() []float64 {
	m.Impulse = arrays.Resize(m.Impulse, m.Graph.Rows)
	par.Each(m.Pool, m.Grid.Bases(), pressureGrain, m, (*Cells).startBlock)
	return m.Impulse
}

func (m *Cells) startBlock(_ int, b int32) {
	pi, cells := m.blockRows(b)
	for r, c := range cells {
		pi[r] = m.Press[c] * m.Dt
	}
}

// ScalePressure multiplies the last step's pressure, from which the next solve starts.
func (m *Blocks) ScalePressure(by float64) {
	for c := range m.Press {
		m.Press[c] *= by
	}
}

// KeepPressure remembers the pressure per cell; cells in the air have none.
func (m *Blocks) KeepPressure() {
	par.Each(m.Pool, m.Grid.Bases(), pressureGrain, m, (*Blocks).keepBlock)
}

func (m *Blocks) keepBlock(_ int, b int32) {
	if m.Sleep.Asleep[b] {
		return
	}
	pi, cells := m.blockRows(b)
	if n := 1 << (3 * m.Grid.Cur.Level[b]); len(cells) < n {
		clear(m.Press[m.Grid.Cur.First[b]:][:n])
	}
	inv := 1 / m.Dt
	for r, c := range cells {
		m.Press[c] = pi[r] * inv
	}
}

// blockRows are the pressure impulses and the cells of a block's rows.
func (m *Cells) blockRows(b int32) (pi []float64, cells []int32) {
	gr := m.Graph
	lo, hi := gr.Parts[b].Row, gr.Parts[b+1].Row
	return m.Impulse[lo:hi], gr.Cell[lo:hi]
}
