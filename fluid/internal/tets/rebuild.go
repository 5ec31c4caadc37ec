package tets

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// graded is a lattice, the layout that it is of, and the pressure on it.
type graded struct {
	bcc.Lattice
	level    []uint8
	first    []int32
	pressure []float64 // per vertex, Pa: the last solve's
	stencils []stencil // per vertex that is a corner
	builds   int       // of the lattice: what was made since has no stencils yet
}

// isOf tells whether the lattice is that of a layout.
func (l *graded) isOf(m *layout.Map) bool {
	return slices.Equal(l.level, m.Level) && slices.Equal(l.first, m.First)
}

// rebuild makes the lattice of the layout at hand, and carries the settled pressure over to it.
func (m *Lattice) rebuild() {
	if m.now.isOf(&m.Grid.Cur) {
		return
	}
	if m.now == m.settled && len(m.now.level) > 0 {
		m.now, m.spare = m.spare, nil
	}
	m.now.Build(m.Grid, &m.Grid.Cur, m.Pool)
	m.now.level, m.now.first = append(m.now.level[:0], m.Grid.Cur.Level...), append(m.now.first[:0], m.Grid.Cur.First...)
	m.phi = arrays.Resize(m.phi, m.now.Vertices())
	m.makeStencils()
	m.carryPressure()
}

// settle makes the lattice at hand the settled one.
func (m *Lattice) settle() {
	if m.now != m.settled {
		m.settled, m.spare = m.now, m.settled
	}
}

// revert makes the settled lattice the one at hand.
func (m *Lattice) revert() {
	if m.now != m.settled {
		m.now, m.spare = m.settled, m.now
		m.phi = arrays.Resize(m.phi, m.now.Vertices())
	}
}
