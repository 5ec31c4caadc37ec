package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Flow is what comes and goes through the sides of the domain. Beyond such a side the cells are solid, as beyond a wall. What comes in fills the
// cells beside the side up to a level and enters the pressure solve as a source in them, of as much as would pass the side; what goes out is a draw.
// The side's faces, which no row has, get the velocity for all that is interpolated from them. Sides are counted -x, +x, -y, …
type Flow struct {
	m       *Cells
	survey  *Survey
	sources *Sources
	volumes *Volumes
	side    [6]flowSide
	cells   []sideCell   // of this substep, side by side
	sealed  []sealedFlow // per component; means nothing of those that air touches
}

// flowSide is which cells are beside a side, and the box of their middles, m.
type flowSide struct {
	from, to int
	box      r3.Box
}

// sideCell is a cell beside a side.
type sideCell struct {
	base, cell int32
	outer      int32   // slot of its face on the side; -1 if that isn't one of its faces
	edge       float32 // m
	above      float32 // how far its middle is above the level, m
	before     float32 // φ before raise, m
	area       float64 // through which liquid passes the side, m²
}

// wet is the area below the level, m².
func (c *sideCell) wet() float64 {
	return float64(c.area * float64(WetFraction(c.above, c.edge)))
}

// under is the area that is wet on both sides, m².
func (c *sideCell) under(phi []float32) float64 {
	return float64(c.area * float64(min(WetFraction(c.above, c.edge), WetFraction(phi[c.cell], c.edge))))
}

// standing is the area that is wet within, m².
func (c *sideCell) standing(phi []float32) float64 {
	return float64(c.area * float64(WetFraction(phi[c.cell], c.edge)))
}

// of is a side's cells.
func (f *Flow) of(side int) []sideCell { return f.cells[f.side[side].from:f.side[side].to] }

// Begin begins a substep, in which nothing flows yet.
func (f *Flow) Begin() {
	f.cells = f.cells[:0]
	for side := range f.side {
		f.side[side].from, f.side[side].to = 0, 0
	}
}

// JustWithin is a plane of the domain as near to a side as makes no difference, m.
func (f *Flow) JustWithin(side int) r3.Box {
	m := f.m
	lo, hi, in := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max), m.CellSize/1e3
	for a := range lo {
		lo[a], hi[a] = lo[a]+in, hi[a]-in
	}
	if a := side / 2; side&1 == 0 {
		hi[a] = lo[a]
	} else {
		lo[a] = hi[a]
	}
	return r3.Box{Min: reproducible.Vector(lo), Max: reproducible.Vector(hi)}
}

// sideSlack, in finest cells, is what rounding may shift a side by.
const sideSlack = 1e-6

// Read finds what is beside a side. Liquid stands beyond it up to a level, m along up, a unit vector. It tells whether solids leave anything
// open there.
//
// It lists the cells whose middles are half a cell from the side or more: of a cell of which the side leaves less there is the next.
func (f *Flow) Read(side int, up r3.Vec, level float64) (some bool) {
	m, s := f.m, &f.side[side]
	g := m.Grid
	s.from, s.to = len(f.cells), len(f.cells)
	axis, high := side/2, side&1
	wall := reproducible.Array(m.Domain.Min)[axis]
	if high == 1 {
		wall = reproducible.Array(m.Domain.Max)[axis]
	}
	if _, highest := boxes.Along(m.Domain, up); level >= highest-float64(sideSlack*m.CellSize) {
		level = highest + float64(m.CellSize*layout.Edge) // cells that the domain's lid cuts are wet as far as there is of them
	}
	m.Grid.EachBase(f.JustWithin(side), func(b int32) {
		h, edge := g.CellSize(g.Cur.Level[b]), float64(g.H*layout.Edge)
		depth := g.Corner(b)[axis] + edge - wall // of what the base cell has within the domain
		if high == 1 {
			depth = edge - depth
		}
		atSide := true
		if depth < float64(h*(.5-sideSlack)) {
			if b = g.Neighbour[b][2*axis+1-high]; b < 0 {
				return
			}
			h, depth, atSide = g.CellSize(g.Cur.Level[b]), edge, false
		}
		layer := max(0, int(math.Floor(depth/h-.5+sideSlack))) // counted from the other end
		thick := min(h, depth-float64(float64(layer)*h))
		atSide = atSide && depth-float64(float64(layer+1)*h) < sideSlack*h
		n := 1 << g.Cur.Level[b]
		layer = min(layer, n-1)
		if high == 0 {
			layer = n - 1 - layer
		}
		for k := range n * n {
			var at [3]int
			at[axis], at[(axis+1)%3], at[(axis+2)%3] = layer, k%n, k/n
			f.add(s, b, axis, high, at, thick, h, up, level, atSide)
		}
	})
	s.to = len(f.cells)
	return s.to > s.from
}

// add adds one cell to the list, of which so much, m, is within the domain across the side.
func (f *Flow) add(s *flowSide, b int32, axis, high int, at [3]int, thick, h float64, up r3.Vec, level float64, atSide bool) {
	m := f.m
	cell := int32(m.Grid.Cur.Cell(b, at[0], at[1], at[2]))
	volume := float64(m.Solids.Volume[cell])
	if volume <= 0 {
		return
	}
	corner := m.Grid.Corner(b)
	var x [3]float64
	for a := range x {
		x[a] = corner[a] + float64((float64(at[a])+.5)*h)
	}
	outer := int32(-1)
	if at[axis] += high; atSide {
		outer = int32(m.Grid.FaceCell(b, axis, at))
	}
	middle := reproducible.Vector(x)
	if len(f.cells) == s.from {
		s.box = r3.Box{Min: middle, Max: middle}
	}
	s.box = r3.Box{Min: boxes.Min(s.box.Min, middle), Max: boxes.Max(s.box.Max, middle)}
	f.volumes.exempt(b)
	f.cells = append(f.cells, sideCell{
		base: b, cell: cell, outer: outer, edge: float32(h), above: float32(reproducible.Dot(up, middle) - level), area: min(volume/thick, float64(h*h)),
	})
}

// SetVelocity gives the faces behind the cells beside a side, up to the level, a velocity along the side's axis, m/s, and so those behind rows on the side.
func (f *Flow) SetVelocity(side int, u float64) {
	cells := f.of(side)
	var v [3]float64
	v[side/2] = u
	for i := range cells {
		row := f.m.Solids.Row[cells[i].cell]
		if row < 0 || cells[i].above >= 0 {
			continue
		}
		f.setBehind(row, side, &v)
		f.eachOn(row, side, func(on int32) { f.setBehind(on, side, &v) })
	}
}

// setBehind gives the faces of a row that lead away from a side a velocity, m/s.
func (f *Flow) setBehind(row int32, side int, v *[3]float64) {
	gr := f.m.Graph
	for _, face := range gr.FacesOf(row) {
		if face >= 0 && f.leadsIn(row, face, side) {
			gr.U[face] = gr.Along(int(face), v)
		}
	}
}

// eachOn calls visit for the rows between a side and a row of a cell beside it that are no cell's.
func (f *Flow) eachOn(row int32, side int, visit func(on int32)) {
	gr, cellOf := f.m.Graph, f.m.Mesh.RowCells()
	for _, face := range gr.FacesOf(row) {
		if face < 0 {
			continue
		}
		if on, _ := gr.Across(row, face); on >= 0 && cellOf[on] < 0 && f.leadsIn(row, face, side^1) {
			visit(on)
		}
	}
}

// onSide is the part of a side of the domain across which rows that lie on it have liquid, of a lattice of cells' corners and middles: the Voronoi cells of
// middles meet the side in squares, of an eighth of the cells' sides.
const onSide = 7. / 8

// addRate adds what comes through the part of a side that is before a cell, or if negative goes, m³/s, to the sources of its row, and of those on the side.
func (f *Flow) addRate(rows []float64, row int32, side int, rate float64) {
	n := 0
	f.eachOn(row, side, func(int32) { n++ })
	if n == 0 {
		rows[row] += rate
		return
	}
	share := rate * onSide / float64(n)
	f.eachOn(row, side, func(on int32) { rows[on] += share })
	rows[row] += rate - float64(share*float64(n))
}

// leadsIn tells whether a face of a row leads away from a side of the domain.
func (f *Flow) leadsIn(row, face int32, side int) bool {
	_, out := f.m.Graph.Across(row, face)
	if side&1 == 1 {
		out = -out
	}
	n := f.m.Graph.Normal(int(face))
	return out*n[side/2] > .5
}

// SetSideVelocity gives the faces on a side a velocity along its axis, m/s, where there is liquid: beyond the side of what comes in, else
// within.
func (f *Flow) SetSideVelocity(side int, u float64, comesIn bool) {
	for _, c := range f.of(side) {
		at := f.m.Set.Phi[c.cell]
		if comesIn {
			at = c.above
		}
		if c.outer >= 0 && at < c.edge/2 {
			f.m.Faces[side/2][c.outer] = float32(u)
		}
	}
}
