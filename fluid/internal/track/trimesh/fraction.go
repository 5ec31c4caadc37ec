package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// A cell's number along each axis has cellBits bits in its key. Cells farther from the origin than cellLimit count as those there.
const (
	cellBits  = 21
	cellLimit = 1<<(cellBits-1) - 2
	// coverRounding is how far from 0 or 1 the cover of a cell without surface may be by rounding: what is as thin has less than a billionth of a cell.
	coverRounding = 1e-10
)

// Fractions are which part of each cell of an endless cubic lattice lies inside a mesh: exact for any surface, also for sheets and drops that are thinner than a cell.
//
// Cells that the surface does not pass are wholly inside or outside; the others are held, by column along X.
//
// By the divergence theorem the part of a cell that lies inside is ∫ (x - x₀) n_x dA over the surface in the cell, with x₀ its lower side, and all of the surface's ∫ n_x dA
// at greater x of its column, times the cell's width.
type Fractions struct {
	// Pool, if it is not nil, shares the cutting of triangles.
	Pool *par.Pool

	origin  r3.Vec
	spacing float64

	mesh   *Mesh         // of Measure
	chunks [][]cellPiece // of Measure: what each chunk of triangles has been cut into
	pieces []cellPiece
	order  cellOrder
	cells  []cellPart
}

// cellPiece is of the surface in a cell: area is ∫ n_x dA, volume ∫ (x - x₀) n_x dA, and whole ∫ dA, in units of the spacing.
type cellPiece struct {
	key                 uint64
	area, volume, whole float64
}

// cellPart is a cell that the surface passes.
type cellPart struct {
	key   uint64
	part  float64 // of it that lies inside, 0 to 1
	area  float64 // of the surface in it, in squares of the spacing
	cover float64 // the part of the cells before it in its column, if they hold no surface
}

// Measure makes the parts for a mesh at its positions. Cell (i, j, k) of the lattice reaches from origin + spacing·(i, j, k) to origin + spacing·(i+1, j+1, k+1).
// Cells may have numbers from -10⁶ to 10⁶ along each axis.
func (f *Fractions) Measure(m *Mesh, origin r3.Vec, spacing float64) {
	f.begin(origin, spacing)
	f.mesh = m
	chunks := par.Chunks(len(m.Triangle), measureGrain)
	f.chunks = arrays.Lengthen(f.chunks, chunks)
	inChunks(f.Pool, len(m.Triangle), f, (*Fractions).cutChunk)
	for _, pieces := range f.chunks[:chunks] {
		f.pieces = append(f.pieces, pieces...)
	}
	f.mesh = nil
	f.sum()
}

// cutChunk cuts a chunk of the mesh's triangles.
func (f *Fractions) cutChunk(_, lo, hi int) {
	m := f.mesh
	cut := cutter{origin: f.origin, spacing: f.spacing, pieces: f.chunks[lo/measureGrain][:0]}
	for t := lo; t < hi; t++ {
		if m.Triangle[t][0] != Gone {
			cut.triangle(m.Corners(int32(t)))
		}
	}
	f.chunks[lo/measureGrain] = cut.pieces
}

// MeasurePart is Measure for some triangles of a mesh that are a closed surface.
func (f *Fractions) MeasurePart(m *Mesh, triangles []int32, origin r3.Vec, spacing float64) {
	f.begin(origin, spacing)
	cut := cutter{origin: origin, spacing: spacing, pieces: f.pieces}
	for _, t := range triangles {
		cut.triangle(m.Corners(t))
	}
	f.pieces = cut.pieces
	f.sum()
}

func (f *Fractions) begin(origin r3.Vec, spacing float64) {
	f.origin, f.spacing = origin, spacing
	f.pieces = f.pieces[:0]
}

// sum adds up the pieces of each column from its end.
func (f *Fractions) sum() {
	order := f.order.of(f.pieces)
	n := 0
	for i := range order {
		if i == 0 || order[i].key != order[i-1].key {
			n++
		}
	}
	f.cells = arrays.Resize(f.cells, n)
	column, cover := uint64(math.MaxUint64), 0.
	for i := len(order) - 1; i >= 0; {
		at, sum := order[i].key, cellPiece{}
		key := f.pieces[order[i].piece].key
		if key>>cellBits != column {
			column, cover = key>>cellBits, 0
		}
		for ; i >= 0 && order[i].key == at; i-- {
			p := &f.pieces[order[i].piece]
			sum.area += p.area
			sum.volume += p.volume
			sum.whole += p.whole
		}
		n--
		f.cells[n].key, f.cells[n].part, f.cells[n].area = key, cover+sum.volume, sum.whole
		cover += sum.area
		f.cells[n].cover = cover
		if settled := math.Round(cover); math.Abs(cover-settled) < coverRounding {
			f.cells[n].cover = settled
		}
	}
}

// Len is how many cells the surface passes.
func (f *Fractions) Len() int { return len(f.cells) }

// Cell is one of them, and which part of it lies inside.
func (f *Fractions) Cell(n int) (i, j, k int, part float64) {
	c := f.cells[n]
	i, j, k = cellOf(c.key)
	return i, j, k, c.part
}

// Box writes the parts of a box of cells into dst, that of cell (i, j, k) + first at i + count[0]·(j + count[1]·k): 0 to 1, within rounding.
func (f *Fractions) Box(dst []float64, first, count [3]int) {
	for k := range count[2] {
		for j := range count[1] {
			f.column(dst[count[0]*(j+count[1]*k):][:count[0]], first[0], first[1]+j, first[2]+k)
		}
	}
}

// column writes a row of a column of cells, from its end.
func (f *Fractions) column(dst []float64, first, j, k int) {
	column := cellKey(0, j, k) >> cellBits
	at := f.before((column + 1) << cellBits)
	cover, next := 0., len(dst) // what is from next on is written
	for at--; at >= 0 && f.cells[at].key>>cellBits == column && next > 0; at-- {
		i, _, _ := cellOf(f.cells[at].key)
		i -= first
		for next > max(i+1, 0) {
			next--
			dst[next] = cover
		}
		if i >= 0 && i < next {
			next = i
			dst[i] = f.cells[at].part
		}
		cover = f.cells[at].cover
	}
	for next > 0 {
		next--
		dst[next] = cover
	}
}

// Areas writes the area of the surface in each cell of a box, m², as Box writes the parts.
func (f *Fractions) Areas(dst []float64, first, count [3]int) {
	clear(dst[:count[0]*count[1]*count[2]])
	unit := f.spacing * f.spacing
	for k := range count[2] {
		for j := range count[1] {
			row := dst[count[0]*(j+count[1]*k):][:count[0]]
			from := cellKey(first[0], first[1]+j, first[2]+k)
			for at := f.before(from); at < len(f.cells) && f.cells[at].key < from+uint64(count[0]); at++ {
				row[f.cells[at].key-from] = f.cells[at].area * unit
			}
		}
	}
}

// before is how many cells have lower keys.
func (f *Fractions) before(key uint64) int {
	low, high := 0, len(f.cells)
	for low < high {
		if middle := int(uint(low+high) >> 1); f.cells[middle].key < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func cellKey(i, j, k int) uint64 {
	const offset = 1 << (cellBits - 1)
	return uint64(k+offset)<<(2*cellBits) | uint64(j+offset)<<cellBits | uint64(i+offset)
}

func cellOf(key uint64) (i, j, k int) {
	const offset, mask = 1 << (cellBits - 1), 1<<cellBits - 1
	return int(key&mask) - offset, int(key>>cellBits&mask) - offset, int(key>>(2*cellBits)) - offset
}

// convex is a polygon, part of a triangle, in units of the spacing. A cut adds one corner at most, and a triangle is cut by six sides of a cell.
type convex struct {
	n      int
	corner [9][3]float64
}

// cutter cuts triangles along the planes of a lattice.
type cutter struct {
	origin  r3.Vec
	spacing float64
	pieces  []cellPiece
}

// triangle cuts a triangle, and notes what is in each cell.
func (f *cutter) triangle(a, b, c r3.Vec) {
	var p convex
	p.n = 3
	for i, x := range [3]r3.Vec{a, b, c} {
		d := r3.Sub(x, f.origin)
		p.corner[i] = [3]float64{d.X / f.spacing, d.Y / f.spacing, d.Z / f.spacing}
	}
	f.cut(&p, 2, [3]int{})
}

// cut cuts a polygon along the planes across an axis, and its parts along those across the axes before it. cell: its number along the axes behind.
func (f *cutter) cut(p *convex, axis int, cell [3]int) {
	if axis < 0 {
		f.note(p, cell)
		return
	}
	lo, hi := p.corner[0][axis], p.corner[0][axis]
	for i := 1; i < p.n; i++ {
		lo, hi = min(lo, p.corner[i][axis]), max(hi, p.corner[i][axis])
	}
	first := int(math.Floor(max(-cellLimit, min(cellLimit, lo))))
	last := max(first, int(math.Ceil(max(-cellLimit, min(cellLimit, hi))))-1)
	cell[axis] = first
	if first == last {
		f.cut(p, axis-1, cell)
		return
	}
	var low convex
	var rest [2]convex
	for n := 0; cell[axis] < last; n = 1 - n {
		p.split(axis, float64(cell[axis]+1), &low, &rest[n])
		f.cut(&low, axis-1, cell)
		p = &rest[n]
		cell[axis]++
	}
	f.cut(p, axis-1, cell)
}

// split divides a polygon by the plane where a coordinate is at. The cut of an edge is the same seen from either of its ends.
func (p *convex) split(axis int, at float64, low, high *convex) {
	low.n, high.n = 0, 0
	for i := range p.n {
		a, b := &p.corner[i], &p.corner[0]
		if i+1 < p.n {
			b = &p.corner[i+1]
		}
		da, db := a[axis]-at, b[axis]-at
		if da <= 0 {
			low.add(a)
		}
		if da >= 0 {
			high.add(a)
		}
		if da < 0 && db > 0 || da > 0 && db < 0 {
			if da > 0 {
				a, b, da, db = b, a, db, da
			}
			t := da / (da - db)
			x := [3]float64{a[0] + float64(t*(b[0]-a[0])), a[1] + float64(t*(b[1]-a[1])), a[2] + float64(t*(b[2]-a[2]))}
			x[axis] = at
			low.add(&x)
			high.add(&x)
		}
	}
}

func (p *convex) add(x *[3]float64) {
	p.corner[p.n] = *x
	p.n++
}

// note keeps a polygon's integrals over the cell that it is in.
func (f *cutter) note(p *convex, cell [3]int) {
	if p.n < 3 {
		return
	}
	x := float64(cell[0])
	ax, ay, az := p.corner[0][0]-x, p.corner[0][1], p.corner[0][2]
	twice, sixfold, y, z := 0., 0., 0., 0.
	for i := 2; i < p.n; i++ {
		b, c := &p.corner[i-1], &p.corner[i]
		turn := float64((b[1]-ay)*(c[2]-az)) - float64((b[2]-az)*(c[1]-ay))
		twice += turn
		sixfold += float64(turn * (ax + (b[0] - x) + (c[0] - x)))
		bx, cx := b[0]-x-ax, c[0]-x-ax
		y += float64((b[2]-az)*cx) - float64(bx*(c[2]-az))
		z += float64(bx*(c[1]-ay)) - float64((b[1]-ay)*cx)
	}
	f.pieces = append(f.pieces, cellPiece{key: cellKey(cell[0], cell[1], cell[2]), area: twice / 2, volume: sixfold / 6, whole: math.Sqrt(float64(twice*twice)+float64(y*y)+float64(z*z)) / 2})
}
