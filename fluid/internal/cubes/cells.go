package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"gonum.org/v1/gonum/spatial/r3"
)

// HasRoom tells whether solids leave anything of the cell at a place.
func (m *Cells) HasRoom(p layout.Point) bool {
	b, fx, fy, fz := m.Grid.Locate(p)
	return m.Solids.Volume[m.Grid.Cur.CellIn(b, fx, fy, fz)] > 0
}

// isWhole tells whether solids leave all of cell i of a block.
func (m *Cells) isWhole(b int32, i int) bool {
	return m.Solids.IsWhole(int(m.Grid.Cur.First[b])+i, m.Grid.CellSize(m.Grid.Cur.Level[b]))
}

// Within tells whether a box in base cells holds a place.
func Within(b *r3.Box, p *layout.Point) bool { return boxes.Holds(b, (*r3.Vec)(p)) }

// centreIn is that of a cell of a block, m.
func (m *Cells) centreIn(b, cell int32) [3]float64 {
	bits := int(m.Grid.Cur.Level[b])
	in, h, x := int(cell-m.Grid.Cur.First[b]), m.Grid.CellSize(m.Grid.Cur.Level[b]), m.Grid.Corner(b)
	for a := range x {
		x[a] += float64((float64(in>>(bits*a)&(1<<bits-1)) + .5) * h)
	}
	return x
}
