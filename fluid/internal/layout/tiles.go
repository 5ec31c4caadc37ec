package layout

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// tiles keeps one array of size[level] floats per block, found through the block's first cell. Blocks where the field is 0
// may share one.
type tiles struct {
	g     *Grid
	size  [MaxLevel + 1]int
	pages [][]float32             // of each page of the pool: its tiles, or none
	none  [MaxLevel + 1][]float32 // by level: a page of zeros
	spare [][]float32             // pages of one tile of the finest level, all zeros
	order [MaxLevel + 1][]int32   // base cells by level
	level uint8                   // being gathered
	blank []int32                 // per base cell: the first cell of a block whose tile is known to be 0
	same  []copies                // per worker
}

func (t *tiles) init(g *Grid) {
	t.g, t.blank = g, make([]int32, g.Bases())
	for b := range t.blank {
		t.blank[b] = None
	}
}

// of is the tile of the block of the given level and first cell.
func (t *tiles) of(level uint8, first int32) []float32 {
	k := int(first&(pageSize-1)) >> (3 * level)
	s := t.size[level]
	return t.pages[first/pageSize][k*s : (k+1)*s]
}

// prepare makes room for every block of Cur and sorts the base cells in use by level.
func (t *tiles) prepare(use []bool) {
	for l := range t.order {
		t.order[l] = t.order[l][:0]
	}
	for len(t.pages) < len(t.g.pool.pages) {
		l := t.g.pool.pages[len(t.pages)]
		if t.none[l] == nil {
			t.none[l] = t.makePage(l)
		}
		t.pages = append(t.pages, t.none[l])
	}
	for b, l := range t.g.Cur.Level {
		if use == nil || use[b] {
			t.order[l] = append(t.order[l], int32(b))
		}
	}
}

func (t *tiles) makePage(level uint8) []float32 {
	return make([]float32, t.size[level]*(pageSize>>(3*level)))
}

// isNone tells whether the tile of a block has no memory of its own, since it is 0.
func (t *tiles) isNone(level uint8, first int32) bool {
	return &t.pages[first/pageSize][0] == &t.none[level][0]
}

// own gives the tile of a block memory of its own.
func (t *tiles) own(level uint8, first int32) {
	if !t.isNone(level, first) {
		return
	}
	page := &t.pages[first/pageSize]
	if last := len(t.spare) - 1; level == MaxLevel && last >= 0 {
		*page, t.spare = t.spare[last], t.spare[:last]
	} else {
		*page = t.makePage(level)
	}
}

// wipe makes the tile of a block 0. One that is alone on its page gives that back.
func (t *tiles) wipe(level uint8, first int32) {
	if t.isNone(level, first) {
		return
	}
	clear(t.of(level, first))
	if level == MaxLevel {
		page := &t.pages[first/pageSize]
		t.spare, *page = append(t.spare, *page), t.none[level]
	}
}

// Blank tells whether the field is known to be 0 in and around a block of Prev.
func (t *tiles) Blank(b int32) bool { return t.blank[b] == t.g.Prev.First[b] }

// gatherGrain is how many blocks of one cell workers take at a time; each finer level takes twice as long.
const gatherGrain = 16

// tiled is a Scalar or a Velocity.
type tiled interface{ all() *tiles }

func (t *tiles) all() *tiles { return t }

// run gathers the blocks that use names, nil for all, level by level, coarse first: a fine block's halo
// may read a coarse tile. It clears the others.
//
// gather gathers some blocks of order[level].
func run[C tiled](pool *par.Pool, c C, use []bool, gather func(c C, worker, lo, hi int)) {
	t := c.all()
	t.prepare(use)
	if len(t.same) != pool.Workers() {
		t.same = make([]copies, pool.Workers())
	}
	for b, l := range t.g.Cur.Level {
		first := t.g.Cur.First[b]
		if use == nil || use[b] {
			t.blank[b] = None
			t.own(l, first)
		} else if t.blank[b] != first {
			t.wipe(l, first)
			t.blank[b] = first
		}
	}
	for l := range t.order {
		t.level = uint8(l)
		par.For(pool, len(t.order[l]), gatherGrain>>l, c, gather)
	}
}

// span is the range of tile places -1..n that lies towards o.
func span(o, n int) (lo, hi int) {
	switch o {
	case -1:
		return -1, 0
	case 1:
		return n, n + 1
	}
	return 0, n
}

// Scalar tiles hold a cell field of the settled layout with one layer of halo, ready to
// be sampled anywhere: (n+2)³ values per block of n³ cells, x fastest.
type Scalar struct {
	tiles
	field []float32
}

// NewScalar makes tiles for a grid.
func NewScalar(g *Grid) *Scalar {
	s := &Scalar{}
	s.init(g)
	for l := range s.size {
		n := 1 << l
		s.size[l] = (n + 2) * (n + 2) * (n + 2)
	}
	return s
}

func (s *Scalar) gatherBlocks(worker, lo, hi int) {
	for _, b := range s.order[s.level][lo:hi] {
		s.gather(b, &s.same[worker])
	}
}

// Gather copies a field laid out by Cur. Sampling reads Prev, so call it when Cur is settled
// or before Cur is changed.
func (s *Scalar) Gather(pool *par.Pool, field []float32) { s.GatherIn(pool, field, nil) }

// GatherIn is Gather for the blocks that use names, per base cell; the field in the others is 0.
// A named block's halo says nothing true where it borders on a coarser one that is not named.
func (s *Scalar) GatherIn(pool *par.Pool, field []float32, use []bool) {
	s.field = field
	run(pool, s, use, (*Scalar).gatherBlocks)
	s.field = nil
}

// Tile is the (n+2)³ array of a block of Prev.
func (s *Scalar) Tile(b int32) []float32 {
	return s.of(s.g.Prev.Level[b], s.g.Prev.First[b])
}

// Component is the field in a block of Prev, for many places.
func (s *Scalar) Component(b int32) Component {
	return Component{s.Tile(b), &scalarShapes[s.g.Prev.Level[b]]}
}

// scalarShapes are by level.
var scalarShapes = makeScalarShapes()

func makeScalarShapes() (all [MaxLevel + 1]shape) {
	for l := range all {
		n := int32(1) << l
		e := n + 2
		all[l] = shape{dy: e, dz: e * e, before: [3]float32{.5, .5, .5}, last: [3]int32{n, n, n}, edge: float32(n)}
	}
	return all
}

// Restore copies the tiles back into a field of the settled layout.
func (s *Scalar) Restore(field []float32) {
	for b, l := range s.g.Prev.Level {
		n := 1 << l
		t := s.Tile(int32(b))
		for k := range n {
			for j := range n {
				copy(field[int(s.g.Prev.First[b])+n*(j+n*k):][:n], t[1+(n+2)*(j+1+(n+2)*(k+1)):])
			}
		}
	}
}

func (s *Scalar) gather(b int32, same *copies) {
	g := s.g
	l := g.Cur.Level[b]
	n := 1 << l
	dst := s.of(l, g.Cur.First[b])
	for c, nb := range &g.around[b] {
		if nb == None {
			continue
		}
		nl, from := g.Cur.Level[nb], g.Cur.First[nb]
		switch k := &patches[centred][l][nl][c]; {
		case nl == l:
			same.add(&runs[centred][l][c][0], s.field, from, n)
		case nl > l:
			takeMeans(dst, k.taken, s.field[from:], 1<<nl)
		default:
			k.blend(dst, s.of(nl, from))
		}
	}
	same.fill(dst, n, centred)
	g.seal(b, dst, centred, n)
}

// takeMeans fills places from a finer block of n³ cells: with the mean of the eight in the middle of
// those that make up one.
func takeMeans(dst []float32, list []taken, src []float32, n int) {
	for _, e := range list {
		t := src[e.from:]
		low, high := t[:n+2], t[n*n:][:n+2]
		dst[e.to] = (low[0] + low[1] + low[n] + low[n+1] + high[0] + high[1] + high[n] + high[n+1]) * .125
	}
}

// At is the field at a point, trilinear in the cells of its block.
func (s *Scalar) At(p Point) float32 {
	b, fx, fy, fz := s.g.Locate(p)
	return s.in(b, &s.g.Prev, fx, fy, fz)
}

func (s *Scalar) in(b int32, m *Map, fx, fy, fz float64) float32 {
	l := m.Level[b]
	n := 1 << l
	e := n + 2
	t := s.of(l, m.First[b])
	x, y, z := float64(fx*float64(n))+.5, float64(fy*float64(n))+.5, float64(fz*float64(n))+.5
	i, j, k := int(x), int(y), int(z)
	u, v, w := float32(x-float64(i)), float32(y-float64(j)), float32(z-float64(k))
	return trilinear(t[i+e*(j+e*k):], e, e*e, u, v, w)
}

// Row samples the block of a base cell along x at len(dst) places, from x on, step apart; in cells
// from the block's low corner.
func (s *Scalar) Row(b int32, dst []float32, x, step, y, z float32) {
	e := 1<<s.g.Prev.Level[b] + 2
	y, z = y+.5, z+.5
	j, k := int(y), int(z)
	v, w := y-float32(j), z-float32(k)
	t := s.Tile(b)[e*(j+e*k):]
	for n := range dst {
		x := x + float32(float32(n)*step) + .5
		i := int(x)
		dst[n] = trilinear(t[i:], e, e*e, x-float32(i), v, w)
	}
}

// trilinear blends the cube of eight values that starts at t.
func trilinear(t []float32, dy, dz int, u, v, w float32) float32 {
	return mix(bilinear(t, dy, u, v), bilinear(t[dz:], dy, u, v), w)
}

// bilinear blends the square of four values that starts at t.
func bilinear(t []float32, dy int, u, v float32) float32 {
	return mix(mix(t[0], t[1], u), mix(t[dy], t[dy+1], u), v)
}

func mix(a, b, u float32) float32 { return a + float32(u*(b-a)) }

// Gradient is the field at a point and its gradient per metre, by differences of half a cell.
func (s *Scalar) Gradient(p Point) (value float32, grad [3]float32) {
	b, fx, fy, fz := s.g.Locate(p)
	l := s.g.Prev.Level[b]
	n := float64(int(1) << l)
	d := .5 / n
	value = s.in(b, &s.g.Prev, fx, fy, fz)
	inv := float32(n / (s.g.H * Edge))
	for a, f := range [3]float64{fx, fy, fz} {
		lo, hi := [3]float64{fx, fy, fz}, [3]float64{fx, fy, fz}
		lo[a], hi[a] = max(f-d, 0), min(f+d, 1)
		width := float32((hi[a] - lo[a]) * n)
		grad[a] = (s.in(b, &s.g.Prev, hi[0], hi[1], hi[2]) - s.in(b, &s.g.Prev, lo[0], lo[1], lo[2])) * inv / width
	}
	return value, grad
}
