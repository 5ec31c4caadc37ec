package bcc

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// chunkBases is how many base cells a worker takes at a time.
const chunkBases = 2

// plan is what a Lattice knows of its layout, and what it keeps to be built again.
type plan struct {
	grid       *layout.Grid
	m          *layout.Map // while it is built
	h          float64     // edge of the finest cells, m
	quarter    float64     // of that
	perQuarter float64     // its inverse
	perBase    float64     // that of a base cell's edge
	blocks     []block
	cubes      [layout.MaxLevel + 1]float64 // of the cells' edges per level, in those of the finest
	levels     []uint8                      // per base cell
	first      []int32                      // per base cell: its block's first cell
	faces      []uint32                     // per base cell, face axis and cell the low face, then high faces at the layout's sides: code, and first tetrahedron counted from the base cell's
	chunks     []chunk
	changed    []bool // per base cell: other levels around, or what is the base cell's begins elsewhere
	afresh     bool   // all is built
	builds     int    // how often Build was called
	windows    []window
	cursors    [][]int32 // per part of the edges and vertex: where its next edge goes
}

// chunk is what a worker has made of some base cells.
type chunk struct {
	rings []int32
	base  int32 // where they begin in Lattice.Ring
	move  int32 // from where they began
	stale bool  // they are to be made
	made  int   // by which Build they were
}

// Build makes the lattice of a map of a grid's layout, which must be balanced across faces and edges. It does again only what is next to base cells whose levels
// have changed since this Lattice was last built on the grid, or whose parts of the lists have moved; the bits are the same as if all were built. It allocates
// nothing once the lists are long enough.
func (l *Lattice) Build(g *layout.Grid, m *layout.Map, pool *par.Pool) {
	l.prepare(g, m, pool)
	n := g.Bases()
	par.Each(pool, n, 16, l, (*Lattice).readBlock)
	l.number()
	chunks := par.Chunks(n, chunkBases)
	par.Each(pool, chunks, 1, l, (*Lattice).markChunk)
	if !slices.ContainsFunc(l.chunks, func(c chunk) bool { return c.stale }) {
		l.m = nil
		return
	}
	par.Each(pool, chunks, 1, l, (*Lattice).buildTets)
	par.Each(pool, chunks, 1, l, (*Lattice).buildEdges)
	l.numberRings()
	par.Each(pool, chunks, 1, l, (*Lattice).placeRings)
	l.listVertexEdges(pool)
	par.Each(pool, n, 4, l, (*Lattice).addVolumes)
	l.m, l.afresh = nil, false
}

// Builds is how often Build was called.
func (l *Lattice) Builds() int { return l.builds }

// IsSince tells whether what belongs to a base cell was made, or got other numbers, after so many calls of Build. If not, the same holds of what it refers to in the base cells
// around.
func (l *Lattice) IsSince(b int32, builds int) bool { return l.chunks[b/chunkBases].made > builds }

// nearby are the base cells around one.
func (l *Lattice) nearby(b int32) *[27]int32 { return l.grid.Nearby(b) }

// prepare makes room for a grid's layout.
func (l *Lattice) prepare(g *layout.Grid, m *layout.Map, pool *par.Pool) {
	n := g.Bases()
	l.m = m
	l.builds++
	if l.grid != g || len(l.blocks) != n {
		l.grid, l.h, l.quarter = g, g.H, g.H/4
		l.perQuarter, l.perBase, l.afresh = 1/l.quarter, 1/(8*g.H), true
		for level := range l.cubes {
			l.cubes[level] = float64(int(1) << (3 * (layout.MaxLevel - level)))
		}
		l.blocks, l.changed = make([]block, n), make([]bool, n)
		l.first, l.levels = make([]int32, n), make([]uint8, n)
		for b := range l.blocks {
			l.blocks[b].around[13] = -1 // none is read yet
		}
		l.chunks = make([]chunk, par.Chunks(n, chunkBases))
		l.VertexRuns, l.EdgeRuns, l.TetRuns = make(Runs, n+1), make(Runs, n+1), make(Runs, n+1)
	}
	for len(l.windows) < pool.Workers() {
		l.windows = append(l.windows, window{})
	}
}

// readBlock takes a base cell's levels and notes whether they have changed.
func (l *Lattice) readBlock(_ int, b int32) {
	l.changed[b] = l.blocks[b].read(l.grid, l.m, b)
	l.changed[b] = l.changed[b] || l.first[b] != l.m.First[b]
	l.first[b], l.levels[b] = l.m.First[b], l.m.Level[b]
}

// number tells where what belongs to each base cell begins, and gives the lists their lengths.
func (l *Lattice) number() {
	var sum counts
	for b := range l.blocks {
		k := &l.blocks[b]
		if l.VertexRuns[b] != sum.vertices || l.EdgeRuns[b] != sum.edges || l.TetRuns[b] != sum.tets || k.faces != sum.faces || k.side != sum.sides {
			l.changed[b] = true
		}
		l.VertexRuns[b], l.EdgeRuns[b], l.TetRuns[b], k.faces, k.side = sum.vertices, sum.edges, sum.tets, sum.faces, sum.sides
		sum.vertices += k.count.vertices
		sum.edges += k.count.edges
		sum.tets += k.count.tets
		sum.faces += k.count.faces
		sum.sides += k.count.sides
	}
	n := len(l.blocks)
	// Corners of polygons on the layout's sides are behind all tetrahedra.
	l.afresh = l.afresh || l.TetRuns[n] != sum.tets
	l.VertexRuns[n], l.EdgeRuns[n], l.TetRuns[n] = sum.vertices, sum.edges, sum.tets
	l.resize(&sum)
}

// resize gives the lists their lengths.
func (l *Lattice) resize(sum *counts) {
	v, e, t := int(sum.vertices), int(sum.edges), int(sum.tets)
	if v > cap(l.Position) || e > cap(l.Ends) || t+int(sum.sides) > cap(l.Centres) || t > cap(l.Corners) {
		l.afresh = true
	}
	l.Position, l.Cell = arrays.Resize(l.Position, v), arrays.Resize(l.Cell, v)
	l.Level, l.Beyond = arrays.Resize(l.Level, v), arrays.Resize(l.Beyond, v)
	l.Volume = arrays.Resize(l.Volume, v)
	l.VertexEdgeRuns, l.VertexEdges = arrays.Resize(l.VertexEdgeRuns, v+1), arrays.Resize(l.VertexEdges, 2*e)
	l.Ends, l.Dist, l.Area = arrays.Resize(l.Ends, e), arrays.Resize(l.Dist, e), arrays.Resize(l.Area, e)
	l.Middle, l.RingRuns = arrays.Resize(l.Middle, e), arrays.Resize(l.RingRuns, e+1)
	l.Corners, l.Shapes = arrays.Resize(l.Corners, t), arrays.Resize(l.Shapes, t)
	l.Centres, l.faces = arrays.Resize(l.Centres, t+int(sum.sides)), arrays.Resize(l.faces, int(sum.faces))
}

// of are a chunk's base cells.
func (l *Lattice) of(chunk int32) (lo, hi int32) {
	lo = chunk * chunkBases
	return lo, min(lo+chunkBases, int32(len(l.blocks)))
}

// markChunk tells whether a chunk is to be made: something has changed in one of its base cells, or next to it.
func (l *Lattice) markChunk(_ int, c int32) {
	stale := l.afresh
	for b, hi := l.of(c); b < hi && !stale; b++ {
		for _, nb := range l.nearby(b) {
			stale = stale || nb != layout.None && l.changed[nb]
		}
	}
	if l.chunks[c].stale = stale; stale {
		l.chunks[c].made = l.builds
	}
}

// buildTets makes a chunk's vertices and tetrahedra.
func (l *Lattice) buildTets(worker int, c int32) {
	if !l.chunks[c].stale {
		return
	}
	w := &l.windows[worker]
	for b, hi := l.of(c); b < hi; b++ {
		l.addVertices(b)
		l.addSides(b)
		l.fillFaces(&l.blocks[b])
		w.open(l, b)
		w.addTets()
	}
}

// buildEdges makes a chunk's edges, with their rings counted from the chunk's first.
func (l *Lattice) buildEdges(worker int, c int32) {
	if !l.chunks[c].stale {
		return
	}
	w, own := &l.windows[worker], &l.chunks[c]
	w.rings = own.rings[:0]
	for b, hi := l.of(c); b < hi; b++ {
		w.open(l, b)
		w.openPlain()
		w.addEdges()
	}
	own.rings, own.base, w.rings = w.rings, 0, nil
}

// numberRings tells where each chunk's rings go.
func (l *Lattice) numberRings() {
	at := int32(0)
	for c := range l.chunks {
		k := &l.chunks[c]
		k.move, k.base = at-k.base, at
		at += int32(len(k.rings))
	}
	l.afresh = l.afresh || int(at) > cap(l.Ring)
	l.Ring = arrays.Resize(l.Ring, int(at))
	l.RingRuns[l.Edges()] = at
}

// placeRings writes a chunk's rings where they go.
func (l *Lattice) placeRings(_ int, c int32) {
	k := &l.chunks[c]
	if !k.stale && k.move == 0 && !l.afresh {
		return
	}
	copy(l.Ring[k.base:], k.rings)
	if k.move == 0 {
		return
	}
	lo, hi := l.of(c)
	runs := l.RingRuns[l.EdgeRuns[lo]:l.EdgeRuns[hi]]
	for e := range runs {
		runs[e] += k.move
	}
}
