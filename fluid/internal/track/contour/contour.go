// Package contour tracks the liquid's surface by semi-Lagrangian contouring: signed distances at the nodes of a lattice that is
// finer than the grid's cells, kept in blocks that the surface passes, and the triangle mesh of their zero. A step traces each node
// back through the velocity, takes the exact distance to the old mesh there, and contours these.
//
// Lengths inside of the package are in units: one is the sample spacing in blocks of the finest level, Grid.H/detail. Local
// coordinates are from the low corner of a block, global ones from that of the grid.
//
// Source: Bargteil, Goktekin, O'Brien, Strain 2006; Chentanez et al. 2007 §3.2 and §3.4.
package contour

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"gonum.org/v1/gonum/spatial/r3"
)

const none int32 = -1

// Contour is a surface and how it moves. A substep: levels of the grid's Cur change; Advance, or Resize where nothing moves; edits;
// then Settle, or Revert for the surface as it was settled last.
type Contour struct {
	// Thickening keeps liquid that is thinner than a sample's spacing: see Thicken.
	Thickening bool
	// Redistribution is how far particles in thin liquid give theirs to those in thicker, cells of samples, 0 to 3. What is given tears
	// sheets into threads and drops. Default 0: they stay whole.
	Redistribution float64
	// Band is how far from the surface Distance tells distances, in cells of the finest level, 1 to 8. Default 3.
	Band float64

	// Fairing is what part of ripples too short for the cells goes in an Advance, 0 to 1: the velocity knows nothing of them, so that they would stay. Ripples on
	// rims and drops do.
	Fairing float64

	g       *layout.Grid
	pool    *par.Pool
	detail  int
	edge    int32     // of a block, units
	unit    float64   // m
	old     *layer    // settled
	now     *layer    // old itself where nothing has changed since
	layers  [3]*layer // of which old and now are two, or one
	work    []workspace
	todo    []int32 // slots that a loop works on
	output  mesh
	thick   thickening
	ripples rippleFilter

	sums     []float64
	lowered  []bool  // per tile: it has nodes that are lower than it has been swept with
	swept    []bool  // per tile: in the last round
	fill     []uint8 // see Code
	levels   []uint8
	velocity func(dst, at []r3.Vec) // arguments of the loop in progress
	dt       float64
	changing []bool // per base cell: Change reaches into it
	anew     []bool // per base cell: of these where liquid or air may appear
	edit     edit
	from     *layer    // what is sampled; nil for no liquid at all
	moved    []float32 // per tile at the start: how far its corners were traced, units
	stage    func(c *Contour, worker int, i int32)
	answers  []float32
	asked    []r3.Vec
	result   []float32 // scratch of edits
	points   []r3.Vec
}

// workspace is one worker's scratch.
type workspace struct {
	at, mid, moved []r3.Vec // nodes that are traced, global units or m
	value          []float32
	needs          needs
	rows           rows
	changing       []int32 // see listChanging
	was            []float32
	halo           []float32
	sum            []weighted
	segments       []segment
	ring           []crossing
	loop           []corner
	close          []place // see mergeVertices
	star           []ray
	link           [][2]int32
	faces          []face
}

// New makes a surface of a grid that is all air.
//
// detail: samples along a cell's edge, 1, 2 or 4.
func New(g *layout.Grid, pool *par.Pool, detail int) *Contour {
	if detail != 1 && detail != 2 && detail != 4 {
		panic("contour: detail must be 1, 2 or 4")
	}
	c := &Contour{Band: 3, g: g, pool: pool, detail: detail, edge: int32(layout.Edge * detail), unit: g.H / float64(detail)}
	for i := range c.layers {
		c.layers[i] = newLayer(c)
	}
	c.old, c.now = c.layers[0], c.layers[0]
	c.output.c, c.thick.c = c, c
	c.work = make([]workspace, pool.Workers())
	copy(c.now.level, g.Cur.Level)
	return c
}

// Settle makes the surface the one that the next step starts from.
func (c *Contour) Settle() {
	c.old = c.now
	c.thick.particles = c.thick.particles[:0]
}

// Revert undoes what has changed since the last Settle.
func (c *Contour) Revert() {
	c.now = c.old
	c.thick.particles = c.thick.particles[:0]
}

// begin makes now another layer, in the levels of Cur, with the blocks' signs and without tiles, and returns what it was.
func (c *Contour) begin() (from *layer) {
	from = c.now
	for _, l := range c.layers {
		if l != c.old && l != from {
			c.now = l
			break
		}
	}
	copy(c.now.level, c.g.Cur.Level)
	copy(c.now.liquid, from.liquid)
	c.now.clear()
	return from
}

// layer is a surface: samples, and the mesh that follows from them.
type layer struct {
	c      *Contour
	level  []uint8 // per base cell
	liquid []bool  // per base cell without samples: what it is full of
	slot   []int32 // per base cell: its tile, or none
	tiles  []tile  // those with samples, by base cell, then those that only lie around them
	active int     // how many have samples
	f      []float32

	sign     []uint64    // per row of nodes: bit x is set in liquid
	crossed  [3][]uint64 // per row of nodes: bit x is set where the edge from that node on is cut and the tile's own
	rank     [3][]int32  // per row of nodes: vertices of the tile before that row
	cells    []uint64    // per row of cells: bit x is set where there are triangles
	cellRank []int32     // per row of cells: how many of these the tile has before that row
	occupied []uint64    // cells with two more around the tile, n+4 rows of n+4; see occupy
	nearby   []uint64    // per row of cells: bit x is set where a cell within reach of it is occupied
	beside   []uint64    // likewise, where it or one that touches it is

	position []float32 // xyz per vertex, local to its tile
	normal   []float32 // xyz per vertex, unit, out of the liquid
	pieces   []piece   // per tile with samples
	far      []float32 // distances at the nodes of stride samples, see propagate
	farOld   []float32
	ready    bool // far is up to date
	seams    seams
}

// tile is a block with samples, or one beside such.
type tile struct {
	base  int32
	level uint8
	finer bool // than it is one beside it that has samples
	mixed bool // the blocks around it are of different levels
	// While tiles agree: it knows more of some sample than the one that owns that; some that it owns have been corrected.
	knowsMore, corrected bool

	coords   [3]int32 // of the base cell
	n        int32    // cells along its edge
	cell     int32    // their edge, units
	stride   int32    // samples from node to node of far
	f        int32    // first of layer.f
	rows     int32    // first row of nodes
	cellRows int32    // first row of cells
	halo     int32    // first row of occupied
	far      int32
	first    int32 // vertex
	vertices int32
	around   [27]int32    // tiles, or none
	owner    [3][27]int32 // tile that has the vertices on the edges along an axis on a part of the border, or none
}

// piece is the mesh in a tile.
type piece struct {
	first     []int32    // per occupied cell, and one more: its first triangle
	triangles []triangle // -1-k is the tile's own middle k
	faces     []face
	bends     []bend
	particles []particle
	middles   []float32 // xyz of vertices within a cell, local
	close     []place   // see mergeVertices
	dirty     bool      // some triangles are edges
}

func newLayer(c *Contour) *layer {
	n := c.g.Bases()
	l := &layer{c: c, level: make([]uint8, n), liquid: make([]bool, n), slot: make([]int32, n)}
	l.seams.l = l
	l.clear()
	return l
}

// clear takes the tiles away.
func (l *layer) clear() {
	for b := range l.slot {
		l.slot[b] = none
	}
	l.tiles, l.f, l.active, l.ready = l.tiles[:0], l.f[:0], 0, false
}

// addTile makes a tile with samples of a base cell, which hold anything.
func (l *layer) addTile(b int32) int32 {
	t := l.newTile(b)
	n := int(t.n + 1)
	t.f = int32(len(l.f))
	l.f = extend(l.f, n*n*n)
	l.slot[b] = int32(len(l.tiles))
	l.tiles = append(l.tiles, t)
	l.active = len(l.tiles)
	return l.slot[b]
}

func (l *layer) newTile(b int32) tile {
	at, lv := l.c.g.BaseCoords(b), l.level[b]
	t := tile{base: b, level: lv, coords: [3]int32{int32(at[0]), int32(at[1]), int32(at[2])}, f: none}
	t.n, t.cell = int32(l.c.detail)<<lv, int32(1)<<(layout.MaxLevel-lv)
	t.stride = min(2, int32(l.c.detail))
	return t
}

// extend is s with n more elements, which hold anything.
func extend[T any](s []T, n int) []T {
	if len(s)+n <= cap(s) {
		return s[:len(s)+n]
	}
	grown := make([]T, len(s)+n, (len(s)+n)*5/4+64)
	copy(grown, s)
	return grown
}

// samples are those of a tile, x fastest.
func (l *layer) samples(t *tile) []float32 {
	n := int(t.n + 1)
	return l.f[t.f : int(t.f)+n*n*n]
}

// finish makes the mesh of new samples: tiles that the surface does not pass go.
func (l *layer) finish() {
	l.link()
	l.seams.agree()
	l.trim()
	l.sortTiles()
	l.layOut()
	l.makeMesh()
}

// resume makes the mesh of samples that were finished once, which it leaves as they are.
func (l *layer) resume() {
	l.layOut()
	if l.seams.check() != nil {
		l.seams.agree() // they were not
	}
	l.makeMesh()
}

// makeMesh makes the mesh of the samples.
func (l *layer) makeMesh() {
	c := l.c
	c.forTiles(l.active, 4, (*Contour).findSigns)
	c.forTiles(l.active, 4, (*Contour).findFiner)
	c.forTiles(l.active, 4, (*Contour).findEdges)
	n := int32(0)
	for i := range l.active {
		l.tiles[i].first = n
		n += l.tiles[i].vertices
	}
	l.position, l.normal = arrays.Resize(l.position, int(3*n)), arrays.Resize(l.normal, int(3*n))
	c.forTiles(l.active, 4, (*Contour).placeVertices)
	for len(l.pieces) < l.active {
		l.pieces = append(l.pieces, piece{})
	}
	c.forTiles(l.active, 1, (*Contour).triangulate)
	c.forTiles(l.active, 4, (*Contour).mergeVertices)
	c.mergeBorders()
	c.forTiles(len(l.tiles), 4, (*Contour).markNearby)
	l.ready = false
}

// forTiles runs a stage over the first n tiles of now.
func (c *Contour) forTiles(n, grain int, stage func(c *Contour, worker int, i int32)) {
	par.Each(c.pool, n, grain, c, stage)
}

// trim takes those tiles away whose samples are all on one side. One with finer tiles around it stays: they may have a sample of
// the other side on its border.
func (l *layer) trim() {
	kept := l.tiles[:0]
	for _, t := range l.tiles {
		s := l.samples(&t)
		liquid := s[0] < 0
		if !t.finer && uniform(s, liquid) {
			l.slot[t.base], l.liquid[t.base] = none, liquid
			continue
		}
		kept = append(kept, t)
	}
	l.tiles, l.active = kept, len(kept)
}

func uniform(s []float32, liquid bool) bool {
	for _, f := range s {
		if (f < 0) != liquid {
			return false
		}
	}
	return true
}

// sortTiles brings the tiles into the order of the base cells and numbers them.
func (l *layer) sortTiles() {
	for i := range l.slot {
		l.slot[i] = none
	}
	for i := range l.tiles {
		l.slot[l.tiles[i].base] = int32(i)
	}
	sorted := true
	for i := 1; i < len(l.tiles); i++ {
		sorted = sorted && l.tiles[i-1].base < l.tiles[i].base
	}
	if sorted {
		return
	}
	slices.SortFunc(l.tiles, func(a, b tile) int { return int(a.base - b.base) })
	for i := range l.tiles {
		l.slot[l.tiles[i].base] = int32(i)
	}
}

// link makes the tiles around each known.
func (l *layer) link() { par.Each(l.c.pool, len(l.tiles), 16, l, (*layer).linkTile) }

func (l *layer) linkTile(_ int, i int32) {
	t := &l.tiles[i]
	t.finer, t.mixed = false, false
	for r, b := range l.c.g.Nearby(t.base) {
		t.around[r] = none
		if b == layout.None {
			continue
		}
		t.around[r] = l.slot[b]
		if l.level[b] != t.level {
			t.mixed = true
			t.finer = t.finer || l.slot[b] != none && l.level[b] > t.level
		}
	}
}

// findOwners makes known who has the vertices on a tile's border.
func (l *layer) findOwners(_ int, i int32) {
	t := &l.tiles[i]
	for axis := range 3 {
		a, u, v := tileSteps[axis], tileSteps[(axis+1)%3], tileSteps[(axis+2)%3]
		for k := range int32(9) {
			du, dv := k%3-1, k/3-1
			middle := 13 + du*u + dv*v
			o := l.ownerOf(t, du*u, dv*v)
			t.owner[axis][middle-a], t.owner[axis][middle], t.owner[axis][middle+a] = o, o, o
		}
	}
}

// tileSteps are from a tile to the next along each axis, among the 27 around one.
var tileSteps = [3]int32{1, 3, 9}

// ownerOf is the tile that has the vertices on the edges between a tile and those so many steps from it: of the finest ones there the first. It is none where
// that is finer than the tile.
func (l *layer) ownerOf(t *tile, u, v int32) int32 {
	best, level := none, uint8(0)
	for _, q := range [4]int32{13, 13 + u, 13 + v, 13 + u + v} {
		s := t.around[q]
		if s == none || int(s) >= l.active {
			continue
		}
		if o := l.tiles[s].level; best == none || o > level || o == level && s < best {
			best, level = s, o
		}
	}
	if level != t.level {
		return none
	}
	return best
}

// layOut adds the tiles around those with samples and gives each its part of the arrays.
func (l *layer) layOut() {
	for i := range l.active {
		for _, b := range l.c.g.Nearby(l.tiles[i].base) {
			if b != layout.None && l.slot[b] == none {
				l.slot[b] = int32(len(l.tiles))
				l.tiles = append(l.tiles, l.newTile(b))
			}
		}
	}
	rows, cellRows, halo, far := int32(0), int32(0), int32(0), int32(0)
	for i := range l.tiles {
		t := &l.tiles[i]
		t.cellRows, t.halo, t.far = cellRows, halo, far
		cellRows += t.n * t.n
		halo += (t.n + 4) * (t.n + 4)
		m := t.n/t.stride + 1
		far += m * m * m
		if i < l.active {
			t.rows = rows
			rows += (t.n + 1) * (t.n + 1)
		}
	}
	l.sign = arrays.Resize(l.sign, int(rows))
	for a := range 3 {
		l.crossed[a], l.rank[a] = arrays.Resize(l.crossed[a], int(rows)), arrays.Resize(l.rank[a], int(rows))
	}
	l.cells, l.cellRank, l.nearby = arrays.Resize(l.cells, int(cellRows)), arrays.Resize(l.cellRank, int(cellRows)), arrays.Resize(l.nearby, int(cellRows))
	l.beside = arrays.Resize(l.beside, int(cellRows))
	l.occupied, l.far = arrays.Resize(l.occupied, int(halo)), arrays.Resize(l.far, int(far))
	l.link()
	par.Each(l.c.pool, l.active, 16, l, (*layer).findOwners)
}

// fullUnits is how far the band reaches, units.
func (c *Contour) fullUnits() float32 {
	return float32(max(1, min(c.Band, layout.Edge)) * float64(c.detail))
}

// metres is the place of a node at global units.
func (c *Contour) metres(x, y, z float64) r3.Vec {
	return r3.Vec{X: c.g.Origin[0] + float64(x*c.unit), Y: c.g.Origin[1] + float64(y*c.unit), Z: c.g.Origin[2] + float64(z*c.unit)}
}

func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
