package cubes

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Centres is the cell centres of a block of Cur, m, in scratch.
func (m *Blocks) Centres(b int32) []r3.Vec {
	g, w := m.Grid, m
	level := g.Cur.Level[b]
	n, h, lo := 1<<level, g.CellSize(level), g.Corner(b)
	w.Pts = w.Pts[:0]
	for z := range n {
		for y := range n {
			for x := range n {
				w.Pts = append(w.Pts, r3.Vec{X: lo[0] + float64((float64(x)+.5)*h), Y: lo[1] + float64((float64(y)+.5)*h), Z: lo[2] + float64((float64(z)+.5)*h)})
			}
		}
	}
	w.Dist = arrays.Resize(w.Dist, len(w.Pts))
	return w.Pts
}

// CentresIn is the centres, m, of a block's cells that are in a box, m, in scratch; world.cells is which cells they are.
func (m *Blocks) CentresIn(b int32, box r3.Box) []r3.Vec {
	g, w := m.Grid, m
	level := g.Cur.Level[b]
	n, h, lo := 1<<level, g.CellSize(level), g.Corner(b)
	var from, to [3]int
	least, most := reproducible.Array(box.Min), reproducible.Array(box.Max)
	for a := range 3 {
		from[a] = int(max(0, min(float64(n), math.Ceil((least[a]-lo[a])/h-.5))))
		to[a] = int(max(-1, min(float64(n-1), math.Floor((most[a]-lo[a])/h-.5))))
	}
	w.Pts, w.Cells = w.Pts[:0], w.Cells[:0]
	for z := from[2]; z <= to[2]; z++ {
		for y := from[1]; y <= to[1]; y++ {
			for x := from[0]; x <= to[0]; x++ {
				w.Pts = append(w.Pts, r3.Vec{X: lo[0] + float64((float64(x)+.5)*h), Y: lo[1] + float64((float64(y)+.5)*h), Z: lo[2] + float64((float64(z)+.5)*h)})
				w.Cells = append(w.Cells, g.Cur.First[b]+int32(x+n*(y+n*z)))
			}
		}
	}
	w.Dist = arrays.Resize(w.Dist, len(w.Pts))
	return w.Pts
}

// Tiles are the base cells.
func (m *Blocks) Tiles() boxes.Tiles {
	return boxes.Tiles{Origin: m.Grid.Origin, Edge: m.Grid.H * layout.Edge, Dim: m.Grid.Dim}
}

// BaseRange is the base cells that a box, m, overlaps: lo to hi, both included.
func (m *Blocks) BaseRange(box r3.Box) (lo, hi [3]int) {
	t := m.Tiles()
	return t.Range(box)
}

// EachBase calls visit for the base cells that a box, m, overlaps, x fastest.
func (m *Blocks) EachBase(box r3.Box, visit func(b int32)) {
	t := m.Tiles()
	t.Each(box, visit)
}

// EdgeAt is the edge of the cells at a point, m.
func (m *Blocks) EdgeAt(x r3.Vec) float64 {
	b, _, _, _ := m.Grid.Locate(m.Grid.ToPoint(x.X, x.Y, x.Z))
	return m.Grid.CellSize(m.Grid.Cur.Level[b])
}

// Whole is the box of all base cells, m.
func (m *Blocks) Whole() r3.Box {
	t := m.Tiles()
	return t.Whole()
}

// HasRoom tells whether solids leave anything of the cell at a place.
func (m *Blocks) HasRoom(p layout.Point) bool {
	b, fx, fy, fz := m.Grid.Locate(p)
	return m.Solids.Volume[m.Grid.Cur.CellIn(b, fx, fy, fz)] > 0
}

// Within tells whether a box in base cells holds a place.
func Within(b *r3.Box, p *layout.Point) bool { return boxes.Holds(b, (*r3.Vec)(p)) }
