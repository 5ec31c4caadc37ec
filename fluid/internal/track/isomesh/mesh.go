// Package isomesh extracts the triangle mesh of the zero of a distance on the blocks of a layout, closed across levels and along the domain's sides.
package isomesh

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// meshGrain is how many active blocks share one part's buffers: enough to hide the cost of
// handing out a chunk, few enough to spread over the workers.
const meshGrain = 4

// Mesh is the liquid's skin, dual to the minimal edges of the block grid: every cell that
// such an edge crosses the surface of holds one vertex, every such edge one quad (or a
// triangle, where two of its cells are the same coarse one). Since nodes, edges and cells
// are each one thing to all the blocks that meet there, the mesh is closed across levels.
//
// At the domain's walls a layer of ghost cells of no thickness, its far nodes in the air,
// closes it: a ghost cell's vertex lies on the wall, at the mean of the crossings of the
// wall's own grid lines where the waterline passes, so that the waterline is sharp. A wall is flat:
// blocks under water close it as if they were a single cell.
//
// Free triangles come first in Indices. The vertices on a wall are doubled for each wall
// whose triangles use them; the copy used by free triangles has the surface's normal.
//
// Source: Ju, Losasso, Schaefer, Warren 2002 §3 (minimal edges); Gibson 1998 (the vertex is
// the mean of the crossings).
type Mesh struct {
	Positions  []float32 // m, xyz
	Normals    []float32 // unit, xyz, into the air
	Velocities []float32 // m/s, xyz, half a cell into the liquid
	Foam       []float32 // one per vertex; 0 where Extract got no foam
	Indices    []uint32  // three per triangle, counter-clockwise seen from the air
	Free       int       // length of the free surface's part of Indices

	g    *layout.Grid
	pool *par.Pool
	box  meshBox
	phi  *layout.Scalar
	vel  *layout.Velocity
	foam *layout.Scalar

	state   []uint8   // per base cell
	margin  []float32 // per base cell, m: what its nodes' values may differ by from its tile's: rounding, and what goes on to walls
	forced  []bool    // per base cell: its nodes are on both sides, as finer neighbours decide
	level   []uint8   // per base cell: of the mesh there
	ordinal []int32   // per base cell: place in active, or None
	active  []meshBlock
	slots   []int32 // per cell, ghosts and a rim counted: 1 + its place in its part's cells, or 0; later its first vertex
	kinds   []uint8 // per vertex: its cell's flags
	parts   []meshPart
	tracers []meshTracer
	placers []meshPlacer
}

// meshBlock is a block that is visited.
type meshBlock struct {
	base   int32
	slot0  int32 // its first slot
	coord  [3]int
	span   [3]*meshSpan
	level  uint8 // of the mesh: lower than the grid's where it is deep
	walled bool  // a wall closes it
	full   bool  // all its nodes are in the liquid
	n      int   // cells along it
}

// meshPart is what one chunk of active blocks found.
type meshPart struct {
	cells   []meshCell
	panes   []meshPane
	records []meshRecord
	edges   [2][]meshEdge // free, wall
	tris    [2]int
	index   [2]int // first index of the free and the wall triangles
	verts   int
	vertex  int // first vertex
}

// meshCell is a cell that holds a vertex. Its flags have bit 0 for the free surface and bit
// 1+a for the wall across axis a.
type meshCell struct {
	sum   [3]float32 // of the crossings, H from the block's corner
	n     int32
	slot  int32
	ord   int32
	at    [3]int8
	flags uint8
}

// meshRecord is a crossing for a cell of a coarser block.
type meshRecord struct {
	pos  [3]float32 // H from that block's corner
	slot int32
	ord  int32
	at   [3]int8
	kind uint8
}

// meshEdge is a minimal edge with its four cells, counter-clockwise about its axis.
type meshEdge struct {
	slot [4]int32
	kind uint8
	flip bool // the liquid is at the high end
}

// add counts a crossing of a kind: 0 for the free surface, 1+a for a wall across axis a. Free
// crossings outrank the walls', which do not determine the place along the wall.
func (c *meshCell) add(pos *[3]float32, kind uint8) {
	first := c.flags&1 == 0
	c.flags |= 1 << kind
	if kind == 0 && first {
		c.sum, c.n = [3]float32{}, 0
	}
	if kind == 0 || first {
		for a := range pos {
			c.sum[a] += pos[a]
		}
		c.n++
	}
}

// NewMesh makes an extractor for a grid; it holds its buffers between calls of Extract.
func NewMesh(g *layout.Grid, pool *par.Pool) *Mesh {
	m := &Mesh{g: g, pool: pool}
	m.state = make([]uint8, g.Bases())
	m.margin = make([]float32, g.Bases())
	m.forced = make([]bool, g.Bases())
	m.level = make([]uint8, g.Bases())
	m.ordinal = make([]int32, g.Bases())
	m.tracers = make([]meshTracer, pool.Workers())
	m.placers = make([]meshPlacer, pool.Workers())
	return m
}

// Extract rebuilds the mesh of φ < 0 within the domain. It allocates nothing once its
// buffers have met a surface as large.
//
// phi:    signed distance, m, negative in the liquid; tiles gathered from the settled grid.
// vel:    face velocities, m/s.
// foam:   any scalar; may be nil.
// lo, hi: the domain's corners, m. They are cut to the grid, and may lie inside blocks and
// cells; φ outside of them is not used: cells whose centre is outside are not read, φ is
// carried on from the two cells within.
func (m *Mesh) Extract(phi *layout.Scalar, vel *layout.Velocity, foam *layout.Scalar, lo, hi [3]float64) {
	m.phi, m.vel, m.foam = phi, vel, foam
	m.box.set(m.g, lo, hi)
	par.For(m.pool, m.g.Bases(), 4, m, (*Mesh).classifyBlocks)
	par.For(m.pool, m.g.Bases(), 4, m, (*Mesh).forceBlocks)
	m.activate()
	par.For(m.pool, len(m.active), meshGrain, m, (*Mesh).traceBlocks)
	m.deliver()
	m.reserve()
	par.For(m.pool, len(m.parts), 1, m, (*Mesh).placeParts)
	par.For(m.pool, len(m.parts), 1, m, (*Mesh).emitParts)
	m.phi, m.vel, m.foam = nil, nil, nil
}

func (m *Mesh) traceBlocks(worker, lo, hi int) { m.tracers[worker].part(m, lo, hi) }

func (m *Mesh) placeParts(worker, lo, hi int) { m.placers[worker].parts(m, lo, hi) }

// deliver hands the crossings of fine edges to the coarse cells beside them, in the order of
// the parts. It is serial: only edges between levels make records.
func (m *Mesh) deliver() {
	for i := range m.parts {
		for r := range m.parts[i].records {
			rec := &m.parts[i].records[r]
			to := &m.parts[rec.ord/meshGrain]
			if m.slots[rec.slot] == 0 {
				to.cells = append(to.cells, meshCell{slot: rec.slot, ord: rec.ord, at: rec.at})
				m.slots[rec.slot] = int32(len(to.cells))
			}
			c := &to.cells[m.slots[rec.slot]-1]
			to.verts -= bits.OnesCount8(c.flags)
			c.add(&rec.pos, rec.kind)
			to.verts += bits.OnesCount8(c.flags)
		}
	}
}

// reserve gives each part its range of vertices and indices.
func (m *Mesh) reserve() {
	verts, index := 0, 0
	for i := range m.parts {
		p := &m.parts[i]
		p.vertex = verts
		verts += p.verts
		p.index[0] = index
		index += 3 * p.tris[0]
	}
	m.Free = index
	for i := range m.parts {
		m.parts[i].index[1] = index
		index += 3 * m.parts[i].tris[1]
	}
	m.Positions = arrays.Resize(m.Positions, 3*verts)
	m.Normals = arrays.Resize(m.Normals, 3*verts)
	m.Velocities = arrays.Resize(m.Velocities, 3*verts)
	m.Foam = arrays.Resize(m.Foam, verts)
	m.kinds = arrays.Resize(m.kinds, verts)
	m.Indices = arrays.Resize(m.Indices, index)
}
