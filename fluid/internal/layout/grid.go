// Package layout holds the adaptive block grid: a box of base cells, each of which is one
// block of 1, 2³, 4³ or 8³ cubes, and the fields that live on the cubes and their faces.
//
// A cell is an int32 that indexes every cell field. The cells of a block are contiguous, x
// fastest. A face is the pair (axis, cell) of the cell on its high side; between blocks of
// different level the faces have the coarser block's size, and where the high side is
// the finer one they are stored at the even cells of that side.
//
// Two maps share one pool of blocks: Cur, which is being written, and Prev, the layout of
// the step before, whose state the tiles hold (see Tiles). An unchanged block is the same
// in both.
//
// Source: Kim, Ihm, Cha 2006 §3.
package layout

// Edge is the number of cells along a block of the finest level, MaxLevel.
const (
	MaxLevel = 3
	Edge     = 1 << MaxLevel
	pageSize = Edge * Edge * Edge
	// None stands for a cell or block outside of the grid.
	None int32 = -1
)

// Map gives each base cell its level, 0 (one cell) to MaxLevel, and its block's first cell.
type Map struct {
	Level []uint8
	First []int32
}

// Grid is the geometry, the two maps and the pool.
type Grid struct {
	Origin [3]float64 // m, low corner
	H      float64    // m, edge of the finest cells
	Dim    [3]int     // base cells along each axis
	Cur    Map
	Prev   Map

	Neighbour [][6]int32 // base cell across -x, +x, -y, +y, -z, +z, or None
	around    [][27]int32
	balance   Balance
	beside    [][18]int32 // per base cell, of BalanceEdges: those across faces and across edges, or None

	pool   pool
	grown  []func(cells int) // told when the cell capacity grows
	cells  int               // capacity
	levels [MaxLevel + 1]int // blocks per level of Cur
}

// New makes a grid of dim base cells, all of the given level.
func New(origin [3]float64, h float64, dim [3]int, level uint8) *Grid {
	g := &Grid{Origin: origin, H: h, Dim: dim}
	n := dim[0] * dim[1] * dim[2]
	g.Cur = Map{make([]uint8, n), make([]int32, n)}
	g.Prev = Map{make([]uint8, n), make([]int32, n)}
	g.Neighbour, g.around = make([][6]int32, n), make([][27]int32, n)
	stride := [3]int{1, dim[0], dim[0] * dim[1]}
	for b := range n {
		at := g.BaseCoords(int32(b))
		for a := range 3 {
			g.Neighbour[b][2*a], g.Neighbour[b][2*a+1] = None, None
			if at[a] > 0 {
				g.Neighbour[b][2*a] = int32(b - stride[a])
			}
			if at[a] < dim[a]-1 {
				g.Neighbour[b][2*a+1] = int32(b + stride[a])
			}
		}
		for c := range g.around[b] {
			g.around[b][c] = g.BaseAt(at[0]+c%3-1, at[1]+c/3%3-1, at[2]+c/9-1)
		}
		g.Cur.Level[b] = level
		g.Cur.First[b] = g.pool.take(level)
	}
	g.cells = len(g.pool.pages) * pageSize
	g.levels[level] = n
	g.settled()
	return g
}

// Bases is the number of base cells.
func (g *Grid) Bases() int { return len(g.Cur.Level) }

// Cells is the length that every cell field must have.
func (g *Grid) Cells() int { return g.cells }

// Blocks is the number of blocks of a level.
func (g *Grid) Blocks(level int) int { return g.levels[level] }

// CellsInUse is how many cells the blocks of Cur have.
func (g *Grid) CellsInUse() int {
	n := 0
	for l, blocks := range g.levels {
		n += blocks << (3 * l)
	}
	return n
}

// AppendCells appends how many cells of each level the blocks of Cur have, the finest first.
func (g *Grid) AppendCells(dst []int) []int {
	for l := MaxLevel; l >= 0; l-- {
		dst = append(dst, g.levels[l]<<(3*l))
	}
	return dst
}

// OnGrow registers a function that lengthens a field to the given number of cells; it is
// also called at once.
func (g *Grid) OnGrow(f func(cells int)) {
	g.grown = append(g.grown, f)
	f(g.cells)
}

// CellSize is the edge of a cell of the level, m.
func (g *Grid) CellSize(level uint8) float64 {
	return float64(g.H * float64(int(1)<<(MaxLevel-level)))
}

// BaseCoords is where a base cell stands in the grid.
func (g *Grid) BaseCoords(b int32) [3]int {
	x := int(b) % g.Dim[0]
	y := int(b) / g.Dim[0]
	return [3]int{x, y % g.Dim[1], y / g.Dim[1]}
}

// BaseAt is the base cell at integer coordinates, or None outside.
func (g *Grid) BaseAt(x, y, z int) int32 {
	if uint(x) >= uint(g.Dim[0]) || uint(y) >= uint(g.Dim[1]) || uint(z) >= uint(g.Dim[2]) {
		return None
	}
	return int32(x + g.Dim[0]*(y+g.Dim[1]*z))
}

// Around is the base cell that lies x, y and z, -1 to 1 each, from a base cell, or None.
func (g *Grid) Around(b int32, x, y, z int) int32 { return g.around[b][x+1+3*(y+1+3*(z+1))] }

// Nearby are the base cells around a base cell, and that one, x fastest, from the one below it along each axis on; None
// beyond the grid.
func (g *Grid) Nearby(b int32) *[27]int32 { return &g.around[b] }

// Corner is a base cell's low corner, m.
func (g *Grid) Corner(b int32) [3]float64 {
	at := g.BaseCoords(b)
	e := g.H * Edge
	return [3]float64{g.Origin[0] + float64(e*float64(at[0])), g.Origin[1] + float64(e*float64(at[1])), g.Origin[2] + float64(e*float64(at[2]))}
}

// EachFace calls visit for the low faces across an axis of the cells of a block of Cur, x fastest, with their slots and middles, m.
func (g *Grid) EachFace(b int32, axis int, visit func(slot int32, x [3]float64)) {
	level, lo := g.Cur.Level[b], g.Corner(b)
	n, h, slot := 1<<level, g.CellSize(level), g.Cur.First[b]
	for z := range n {
		for y := range n {
			for x := range n {
				at := [3]float64{float64(x) + .5, float64(y) + .5, float64(z) + .5}
				at[axis] -= .5
				for a := range at {
					at[a] = lo[a] + float64(at[a]*h)
				}
				visit(slot, at)
				slot++
			}
		}
	}
}

// Point is a place in units of base cells from the grid's low corner.
type Point struct{ X, Y, Z float64 }

// ToPoint turns metres into base-cell units.
func (g *Grid) ToPoint(x, y, z float64) Point {
	s := 1 / (g.H * Edge)
	return Point{float64((x - g.Origin[0]) * s), float64((y - g.Origin[1]) * s), float64((z - g.Origin[2]) * s)}
}

// ToMetres is ToPoint's inverse.
func (g *Grid) ToMetres(p Point) (x, y, z float64) {
	e := g.H * Edge
	return g.Origin[0] + float64(p.X*e), g.Origin[1] + float64(p.Y*e), g.Origin[2] + float64(p.Z*e)
}

// Locate clamps a point into the grid and gives its base cell and the place within it, 0 to 1.
func (g *Grid) Locate(p Point) (base int32, fx, fy, fz float64) {
	x, fx := split(p.X, g.Dim[0])
	y, fy := split(p.Y, g.Dim[1])
	z, fz := split(p.Z, g.Dim[2])
	return int32(x + g.Dim[0]*(y+g.Dim[1]*z)), fx, fy, fz
}

func split(v float64, n int) (int, float64) {
	if !(v > 0) {
		return 0, 0
	}
	if v >= float64(n) {
		return n - 1, 1
	}
	i := int(v)
	return i, v - float64(i)
}

// CellIn is the cell of a map's block that holds a place within the base cell.
func (m *Map) CellIn(base int32, fx, fy, fz float64) int32 {
	l := m.Level[base]
	n := int32(1) << l
	s := float64(n)
	x, y, z := min(int32(fx*s), n-1), min(int32(fy*s), n-1), min(int32(fz*s), n-1)
	return m.First[base] + x + n*(y+n*z)
}

// Set asks for a level of a base cell in Cur; a new block replaces the old one, which
// stays alive in Prev until Settle. The new block's fields hold rubbish.
func (g *Grid) Set(base int32, level uint8) {
	if g.Cur.Level[base] == level {
		return
	}
	old := g.Cur.Level[base]
	if g.Cur.First[base] != g.Prev.First[base] {
		g.pool.free(old, g.Cur.First[base])
	}
	g.levels[old]--
	g.levels[level]++
	g.Cur.Level[base] = level
	if g.Prev.Level[base] == level {
		g.Cur.First[base] = g.Prev.First[base]
		return
	}
	g.Cur.First[base] = g.allocate(level)
}

// Lay gives every base cell a level; the layout is settled before and after. What the fields hold is rubbish then.
func (g *Grid) Lay(levels []uint8) {
	for b, l := range levels {
		g.Set(int32(b), l)
	}
	g.Settle()
}

// Settle ends a step: Prev becomes Cur, and blocks that only Prev had return to the pool.
func (g *Grid) Settle() {
	for b := range g.Cur.First {
		if g.Prev.First[b] != g.Cur.First[b] {
			g.pool.free(g.Prev.Level[b], g.Prev.First[b])
		}
	}
	g.settled()
}

// Revert undoes every Set since the last Settle.
func (g *Grid) Revert() {
	for b := range g.Cur.First {
		if l := g.Cur.Level[b]; g.Prev.First[b] != g.Cur.First[b] {
			g.pool.free(l, g.Cur.First[b])
			g.levels[l]--
			g.levels[g.Prev.Level[b]]++
		}
	}
	copy(g.Cur.Level, g.Prev.Level)
	copy(g.Cur.First, g.Prev.First)
}

func (g *Grid) settled() {
	copy(g.Prev.Level, g.Cur.Level)
	copy(g.Prev.First, g.Cur.First)
}

func (g *Grid) allocate(level uint8) int32 {
	first := g.pool.take(level)
	if need := len(g.pool.pages) * pageSize; need > g.cells {
		g.cells = max(need, g.cells+g.cells/4)
		g.cells = (g.cells + pageSize - 1) / pageSize * pageSize
		for _, f := range g.grown {
			f(g.cells)
		}
	}
	return first
}

// pool hands out blocks from pages of 512 cells; a page serves one level for good.
type pool struct {
	pages []uint8               // level of each page
	spare [MaxLevel + 1][]int32 // first cells of free blocks
}

func (p *pool) take(level uint8) int32 {
	s := p.spare[level]
	if len(s) == 0 {
		first := int32(len(p.pages)) * pageSize
		p.pages = append(p.pages, level)
		size := int32(1) << (3 * level)
		for c := first + pageSize - size; c >= first; c -= size {
			s = append(s, c)
		}
	}
	first := s[len(s)-1]
	p.spare[level] = s[:len(s)-1]
	return first
}

func (p *pool) free(level uint8, first int32) { p.spare[level] = append(p.spare[level], first) }
