package layout

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tiles are the base cells.
func (g *Grid) Tiles() boxes.Tiles {
	return boxes.Tiles{Origin: g.Origin, Edge: g.H * Edge, Dim: g.Dim}
}

// Whole is the box of all base cells, m.
func (g *Grid) Whole() r3.Box {
	t := g.Tiles()
	return t.Whole()
}

// BaseRange is the base cells that a box, m, overlaps: lo to hi, both included.
func (g *Grid) BaseRange(box r3.Box) (lo, hi [3]int) {
	t := g.Tiles()
	return t.Range(box)
}

// EachBase calls visit for the base cells that a box, m, overlaps, x fastest.
func (g *Grid) EachBase(box r3.Box, visit func(b int32)) {
	t := g.Tiles()
	t.Each(box, visit)
}

// EdgeAt is the edge of the cells at a point, m.
func (g *Grid) EdgeAt(x r3.Vec) float64 {
	return g.CellSize(g.Cur.Level[g.BaseOf(x)])
}

// Edges writes EdgeAt of some places.
func (g *Grid) Edges(dst []float64, at []r3.Vec) {
	for i, x := range at {
		dst[i] = g.EdgeAt(x)
	}
}

// Middle is the middle of a base cell, m.
func (g *Grid) Middle(b int32) r3.Vec {
	half := float64(g.H * Edge / 2)
	return r3.Add(reproducible.Vector(g.Corner(b)), r3.Vec{X: half, Y: half, Z: half})
}

// Grade refines blocks until those that Balanced names differ by one level at most.
func (g *Grid) Grade() {
	for again := true; again; {
		again = false
		for b := range int32(g.Bases()) {
			for _, nb := range g.Balanced(b) {
				if nb != None && g.Cur.Level[nb] > g.Cur.Level[b]+1 {
					g.Set(b, g.Cur.Level[nb]-1)
					again = true
				}
			}
		}
	}
}

// AppendFresh appends the base cells whose block in Cur is not that of Prev.
func (g *Grid) AppendFresh(dst []int32) []int32 {
	for b := range int32(g.Bases()) {
		if g.Cur.First[b] != g.Prev.First[b] {
			dst = append(dst, b)
		}
	}
	return dst
}

// CarryCells gives the cells of a block of Cur what the cells of Prev at their middles have of a field.
func CarryCells[T any](g *Grid, b int32, field []T) {
	now, was := g.Cur.Level[b], g.Prev.Level[b]
	to, old := g.Cur.First[b], g.Prev.First[b]
	at := func(i int32) int32 { return (2*i + 1) << was >> (now + 1) }
	n := int32(1) << now
	for z := range n {
		for y := range n {
			row := old + (at(y)+at(z)<<was)<<was
			for x := range n {
				field[to] = field[row+at(x)]
				to++
			}
		}
	}
}

// AppendParts appends the blocks. wet tells which hold liquid.
func (g *Grid) AppendParts(dst []query.Part, wet func(b int32) bool) []query.Part {
	edge := float64(g.H * Edge)
	for b := range int32(g.Bases()) {
		lo := reproducible.Vector(g.Corner(b))
		box := r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: edge, Y: edge, Z: edge})}
		dst = append(dst, query.Part{Box: box, Level: MaxLevel - int(g.Cur.Level[b]), Wet: wet(b)})
	}
	return dst
}

// Centres are those of a block's cells. What they were last filled with is overwritten.
type Centres struct {
	Pts   []r3.Vec  // m
	Dist  []float32 // per place: room for a distance
	Cells []int32   // per place, of In: the cell
}

// Of is the centres of all cells of a block of Cur, in their order.
func (p *Centres) Of(g *Grid, b int32) []r3.Vec {
	level := g.Cur.Level[b]
	n, h, lo := 1<<level, g.CellSize(level), g.Corner(b)
	p.Pts = p.Pts[:0]
	for z := range n {
		for y := range n {
			for x := range n {
				p.Pts = append(p.Pts, centre(&lo, h, x, y, z))
			}
		}
	}
	p.lengthen()
	return p.Pts
}

// In is the centres of a block's cells that are in a box, m.
func (p *Centres) In(g *Grid, b int32, box r3.Box) []r3.Vec {
	level := g.Cur.Level[b]
	n, h, lo := 1<<level, g.CellSize(level), g.Corner(b)
	var from, to [3]int
	least, most := reproducible.Array(box.Min), reproducible.Array(box.Max)
	for a := range 3 {
		from[a] = int(max(0, min(float64(n), math.Ceil((least[a]-lo[a])/h-.5))))
		to[a] = int(max(-1, min(float64(n-1), math.Floor((most[a]-lo[a])/h-.5))))
	}
	p.Pts, p.Cells = p.Pts[:0], p.Cells[:0]
	for z := from[2]; z <= to[2]; z++ {
		for y := from[1]; y <= to[1]; y++ {
			for x := from[0]; x <= to[0]; x++ {
				p.Pts = append(p.Pts, centre(&lo, h, x, y, z))
				p.Cells = append(p.Cells, g.Cur.First[b]+int32(x+n*(y+n*z)))
			}
		}
	}
	p.lengthen()
	return p.Pts
}

func (p *Centres) lengthen() { p.Dist = arrays.Resize(p.Dist, len(p.Pts)) }

// centre is that of a cell of a block with a low corner, m.
func centre(lo *[3]float64, h float64, x, y, z int) r3.Vec {
	return r3.Vec{X: lo[0] + float64((float64(x)+.5)*h), Y: lo[1] + float64((float64(y)+.5)*h), Z: lo[2] + float64((float64(z)+.5)*h)}
}
