package cubes

import "github.com/meniscus3d/meniscus/fluid/internal/components"

// surfaceShift is scratch of shiftSurface.
type surfaceShift struct {
	done  []bool                // per cell of air: it is shifted
	cells []int32               // those that are
	by    []float64             // per component: by how much, m
	visit func(row, cell int32) // shiftBeside
}

// shiftSurface moves the surface of each component whose volume is off by more than the source shall
// make good, the slack, along its normal, by what is missing over its area.
func (v *Volumes) shiftSurface(a *components.Account, slack float64) {
	m := v.m
	gr, label, s := m.Graph, m.Components.Label, &v.shift
	by := v.Targets.PlanShifts(gr, m.Components, slack)
	if by == nil {
		return
	}
	for r, c := range m.Mesh.RowCells() {
		if c < 0 {
			continue
		}
		if phi := &m.Set.Phi[c]; *phi > -2*gr.Size[r] {
			*phi -= float32(by[label[r]])
		}
	}
	if s.visit == nil {
		s.visit = v.shiftBeside
	}
	s.by = by
	m.Mesh.AirBeside(gr, s.visit)
	s.by = nil
	for _, c := range s.cells {
		s.done[c] = false
	}
	s.cells = s.cells[:0]
	v.weigh(a, false)
}

// shiftBeside has a cell of air go along with the row beside it.
func (v *Volumes) shiftBeside(row, cell int32) {
	s := &v.shift
	if !s.done[cell] {
		s.done[cell] = true
		s.cells = append(s.cells, cell)
		v.m.Set.Phi[cell] -= float32(s.by[v.m.Components.Label[row]])
	}
}
