package layout

import "gonum.org/v1/gonum/spatial/r3"

// CellAt is the cell of Cur that holds a point, m.
func (g *Grid) CellAt(x [3]float64) int32 {
	b, fx, fy, fz := g.Locate(g.ToPoint(x[0], x[1], x[2]))
	return g.Cur.CellIn(b, fx, fy, fz)
}

// CellOf is the cell of Cur at integer coordinates, in cells of a level, within the grid; None if the block there has another level.
func (g *Grid) CellOf(level uint8, x, y, z int) int32 {
	b := x>>level + g.Dim[0]*(y>>level+g.Dim[1]*(z>>level))
	if g.Cur.Level[b] != level {
		return None
	}
	in := 1<<level - 1
	return g.Cur.First[b] + int32(x&in+(y&in)<<level+(z&in)<<(2*level))
}

// SettledEdgeAt is the edge of the cells at a point as they were when the last step ended, m.
func (g *Grid) SettledEdgeAt(x r3.Vec) float64 {
	b, _, _, _ := g.Locate(g.ToPoint(x.X, x.Y, x.Z))
	return g.CellSize(g.Prev.Level[b])
}

// BaseOf is the base cell that a place, m, is in.
func (g *Grid) BaseOf(x r3.Vec) int32 {
	b, _, _, _ := g.Locate(g.ToPoint(x.X, x.Y, x.Z))
	return b
}

// Metres is where a place in base cells is, m.
func (g *Grid) Metres(p Point) (v r3.Vec) {
	v.X, v.Y, v.Z = g.ToMetres(p)
	return v
}

// InBases is a box in base cells.
func (g *Grid) InBases(box r3.Box) r3.Box {
	return r3.Box{Min: r3.Vec(g.ToPoint(box.Min.X, box.Min.Y, box.Min.Z)), Max: r3.Vec(g.ToPoint(box.Max.X, box.Max.Y, box.Max.Z))}
}
