package surface

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Markers are particles just under the surface that φ must not lose: where one ends up in
// the air, its sphere is put back; where the grid can't hold it, it becomes a droplet.
//
// They are kept in the order of their base cells, and within one in the order of seeding.
//
// Source: Enright, Fedkiw, Ferziger, Mitchell 2002 §3.
type Markers struct {
	// PerCell is how many markers a cell at the surface should have. 0: none. Default 4.
	PerCell int
	// TwoSided puts as many into the air, against the gain of volume where only liquid is
	// put back. Default false: the volume controller does that for less.
	TwoSided bool
	// Max is the most markers. Default 400 000; with its buffers one takes about 100 bytes.
	Max int
	// Cadence is how many steps pass between two looks at which markers are of use and where there are
	// too few. 0 means 1.
	Cadence int
	// Every is how many steps pass between two seedings of a block. Default 4.
	Every int

	Droplets Droplets

	// Position of each marker, in base cells.
	Position []grid.Point
	// Radius of each, m, signed as φ: negative in liquid. 0: dropped.
	Radius []float32
	// Refused counts the seeds that Max turned away in the last Publish.
	Refused int

	s        *LevelSet
	position []grid.Point // the other buffer
	radius   []float32
	key      []int32 // base cell of each marker
	start    []int32 // per base cell, the first of its markers; len = bases+1
	cursor   []int32
	fate     []uint8 // of each marker
	lost     []int32 // per base cell: markers on the wrong side, or unjudged
	seeded   []seeds // per base cell
	stage    []stage // per worker
	dt       float64
	v        *grid.Velocity

	moveChunk, judgeChunk, correctChunk, seedChunk, packChunk par.Body
}

// stage collects one worker's seeds and survivors until their places are known.
type stage struct {
	position []grid.Point
	radius   []float32
}

// seeds says where in its worker's stage a block's markers are.
type seeds struct {
	worker   int32
	from, to int32
}

// unjudged stands for the number of lost markers of a block whose turn has not come.
const unjudged = -1

const (
	present uint8 = iota // on its side, or close to it
	escaped              // on the wrong side by more than its radius
	gone                 // dropped, or a droplet now
)

// A marker's sphere touches the surface, within what the grid resolves, cells.
// Source: Enright et al. 2002 §3.1.
const (
	minRadius = .1
	maxRadius = .5
)

// depth is how far from the surface markers are seeded, cells; they are dropped 1.5 times deeper.
const depth = 1.

func newMarkers(s *LevelSet) *Markers {
	n := s.g.Bases()
	m := &Markers{PerCell: 4, Max: 400_000, Every: 4, s: s}
	m.start = make([]int32, n+1)
	m.cursor = make([]int32, n)
	m.lost = make([]int32, n)
	m.seeded = make([]seeds, n)
	m.stage = make([]stage, s.pool.Workers())
	m.moveChunk = m.moveRange
	m.judgeChunk = m.judgeBlocks
	m.correctChunk = m.correctBlocks
	m.seedChunk = m.seedBlocks
	m.packChunk = m.packBlocks
	m.Droplets.init()
	return m
}

// Len is the number of markers.
func (m *Markers) Len() int { return len(m.Position) }

// Load replaces the markers by saved ones: Position and Radius as they were.
func (m *Markers) Load(position []grid.Point, radius []float32) {
	if len(position) != len(radius) {
		panic("surface: Markers.Load: lengths differ")
	}
	m.resize(len(position))
	copy(m.Radius, radius)
	for i, p := range position {
		if !inBox(p, m.s.g.Dim) {
			panic("surface: Markers.Load: a marker is outside of the grid")
		}
		m.Position[i], m.key[i] = p, m.s.g.BaseAt(int(p.X), int(p.Y), int(p.Z))
	}
	m.sort()
}

func (m *Markers) clear() {
	m.resize(0)
	clear(m.start)
	m.Droplets.clear()
}

func (m *Markers) resize(n int) {
	if n > cap(m.Position) {
		c := min(max(n, 2*cap(m.Position)), max(n, m.Max))
		m.Position = append(make([]grid.Point, 0, c), m.Position...)
		m.Radius = append(make([]float32, 0, c), m.Radius...)
		m.position = make([]grid.Point, c)
		m.radius = make([]float32, c)
		m.key = make([]int32, c)
		m.fate = make([]uint8, c)
	}
	m.Position, m.Radius = m.Position[:n], m.Radius[:n]
}

// advance moves the markers and lets those that the surface lost pull it back.
func (m *Markers) advance(v *grid.Velocity, dt float64) {
	g := m.s.g
	m.Droplets.keep()
	m.v, m.dt = v, dt
	m.s.pool.For(len(m.Position), 1024, m.moveChunk)
	m.sort()
	m.s.pool.For(g.Bases(), 8, m.judgeChunk)
	if m.spray(v) {
		m.s.pool.For(g.Bases(), 8, m.correctChunk)
	}
	m.Droplets.advance(m.s, dt)
	m.v = nil
}

func (m *Markers) moveRange(worker, lo, hi int) {
	g := m.s.g
	q := tracer{v: m.v}
	base, part := grid.None, 0.
	for i := lo; i < hi; i++ {
		p := m.Position[i]
		m.key[i] = g.BaseAt(int(p.X), int(p.Y), int(p.Z))
		if b := m.key[i]; b != base { // they come block by block
			q.enter(g, b, m.dt)
			base, part = b, 1/q.frame.cells
		}
		dx, dy, dz := q.trace(q.frame.local(p, 0))
		m.position[i] = grid.Point{X: p.X + float64(dx)*part, Y: p.Y + float64(dy)*part, Z: p.Z + float64(dz)*part}
	}
	if m.s.ClipAhead != nil && len(m.s.ClipBlocks) > 0 {
		m.clip(worker, lo, hi)
	}
	for i := lo; i < hi; i++ {
		p := m.position[i]
		p.X = inGrid(p.X, g.Dim[0])
		p.Y = inGrid(p.Y, g.Dim[1])
		p.Z = inGrid(p.Z, g.Dim[2])
		m.Position[i] = p
		m.key[i] = g.BaseAt(int(p.X), int(p.Y), int(p.Z))
	}
}

// clip passes the ways of the markers that start in ClipBlocks through ClipAhead.
func (m *Markers) clip(worker, lo, hi int) {
	w, n := &m.s.work[worker], 0
	flush := func() {
		if n == 0 {
			return
		}
		m.s.ClipAhead(worker, w.from[:n], w.to[:n])
		for k, i := range w.index[:n] {
			m.position[i] = w.to[k]
		}
		n = 0
	}
	for i := lo; i < hi; i++ {
		if !m.s.clips(m.key[i]) {
			continue
		}
		w.index[n], w.from[n], w.to[n] = int32(i), m.Position[i], m.position[i]
		if n++; n == len(w.from) {
			flush()
		}
	}
	flush()
}

// inGrid keeps a coordinate off the grid's end by a thousandth of a finest cell.
func inGrid(v float64, n int) float64 {
	const off = .001 / grid.Edge
	return max(off, min(v, float64(n)-off))
}

// sort brings the markers into the order of their base cells again; equals keep theirs.
func (m *Markers) sort() {
	n := len(m.Position)
	clear(m.start)
	for _, b := range m.key[:n] {
		m.start[b+1]++
	}
	for b := range m.cursor {
		m.cursor[b] = m.start[b]
		m.start[b+1] += m.start[b]
	}
	for i, b := range m.key[:n] {
		to := m.cursor[b]
		m.cursor[b]++
		m.position[to], m.radius[to] = m.Position[i], m.Radius[i]
	}
	m.Position, m.position = m.position[:n], m.Position[:cap(m.Position)]
	m.Radius, m.radius = m.radius[:n], m.Radius[:cap(m.Radius)]
}

// judgeBlocks finds the markers on the wrong side of the new φ, in the blocks that will be redistanced.
func (m *Markers) judgeBlocks(worker, lo, hi int) {
	s := m.s
	tile := s.work[worker].tile[:]
	for b := lo; b < hi; b++ {
		m.lost[b] = 0
		from, to := m.start[b], m.start[b+1]
		if from == to {
			continue
		}
		if !s.due(int32(b)) {
			m.lost[b] = unjudged
			continue
		}
		s.gatherNew(int32(b), tile, false)
		l := s.g.Cur.Level[b]
		n := 1 << l
		h := float32(s.g.CellSize(l))
		at, frame, walls := s.g.BaseCoords(int32(b)), newFrame(s.g, int32(b), l), s.clips(int32(b))
		for i := from; i < to; i++ {
			x, y, z := frame.local(m.Position[i], .5)
			phi, r := linearAt(tile, n+2, x, y, z), m.Radius[i]
			m.fate[i] = present
			if walls && (phi > 0) != (r > 0) {
				phi = m.oneSided(worker, tile, i, at, n, phi)
			}
			side := phi
			if r > 0 {
				side = -phi
			}
			switch {
			case r == 0:
				m.fate[i] = gone
			case side > h:
				m.fate[i] = gone
				if r < 0 {
					m.lost[b]++
				}
			case side > abs32(r):
				m.fate[i] = escaped
				m.lost[b]++
			}
		}
	}
}

// oneSided is φ at marker i of a block at which walls stand, from the cells around it that no wall
// hides from it; phi if all are.
func (m *Markers) oneSided(worker int, tile []float32, i int32, at [3]int, n int, phi float32) float32 {
	x, y, z := local(m.Position[i], at, n)
	fx, fy, fz := floor(x), floor(y), floor(z)
	sum, seen := float32(0), float32(0)
	for c := range 8 {
		bx, by, bz := c&1, c>>1&1, c>>2
		w := (1 - abs32(x-float32(fx+bx))) * (1 - abs32(y-float32(fy+by))) * (1 - abs32(z-float32(fz+bz)))
		if w > 0 && m.sees(worker, i, at, [3]int{fx + bx - 1, fy + by - 1, fz + bz - 1}, n) {
			sum += w * tile[fx+bx+(n+2)*(fy+by+(n+2)*(fz+bz))]
			seen += w
		}
	}
	if seen < 1e-6 {
		return phi
	}
	return sum / seen
}

// sees tells whether no wall is between marker i and the centre of a cell.
func (m *Markers) sees(worker int, i int32, at, cell [3]int, n int) bool {
	if m.s.Between == nil {
		return true
	}
	w := &m.s.work[worker]
	centre := m.s.place(at, cell, 1/float64(n), .5, .5, .5)
	w.from[0], w.to[0] = m.Position[i], centre
	m.s.Between(worker, w.from[:1], w.to[:1])
	return w.to[0] == centre
}

// local is a point in the coordinates of linearAt for a tile with one layer of halo.
func local(p grid.Point, at [3]int, n int) (x, y, z float32) {
	f := float64(n)
	return float32((p.X-float64(at[0]))*f + .5), float32((p.Y-float64(at[1]))*f + .5), float32((p.Z-float64(at[2]))*f + .5)
}

// spray turns liquid markers that are further from the liquid than a cell into droplets. It tells
// whether others are left on the wrong side.
func (m *Markers) spray(v *grid.Velocity) (left bool) {
	for b, n := range m.lost {
		if n <= 0 {
			continue
		}
		for i := m.start[b]; i < m.start[b+1]; i++ {
			if m.fate[i] != gone {
				continue
			}
			if m.Radius[i] < 0 {
				m.lost[b]--
				x, y, z := v.At(m.Position[i])
				m.Droplets.add(m.s.g, m.Position[i], [3]float32{x, y, z}, -m.Radius[i])
			}
			m.Radius[i] = 0
		}
		left = left || m.lost[b] > 0
	}
	return left
}

// correctBlocks puts the spheres of escaped markers back into φ.
func (m *Markers) correctBlocks(worker, lo, hi int) {
	for b := lo; b < hi; b++ {
		any := false
		for _, o := range directions {
			nb := m.s.g.Around(int32(b), o[0], o[1], o[2])
			if nb == grid.None || m.lost[nb] <= 0 {
				continue
			}
			if !any {
				any = true
				m.open(&m.s.work[worker], int32(b))
			}
			m.apply(worker, int32(b), nb)
		}
		if any {
			m.close(&m.s.work[worker], int32(b))
		}
	}
}

func (m *Markers) open(w *workspace, b int32) {
	first, l := m.s.g.Cur.First[b], m.s.g.Cur.Level[b]
	n := copy(w.above[:], m.s.Phi[first:first+1<<(3*l)])
	copy(w.below[:], w.above[:n])
}

// apply merges the spheres of nb's escaped markers into the eight cells around each, as far
// as those are b's.
func (m *Markers) apply(worker int, b, nb int32) {
	g, w := m.s.g, &m.s.work[worker]
	walls := m.s.clips(nb)
	l := g.Cur.Level[b]
	n, h := 1<<l, float32(g.CellSize(l))
	at := g.BaseCoords(b)
	for q := m.start[nb]; q < m.start[nb+1]; q++ {
		if m.fate[q] != escaped {
			continue
		}
		x, y, z := local(m.Position[q], at, n)
		i, j, k := floor(x)-1, floor(y)-1, floor(z)-1
		r := abs32(m.Radius[q])
		for c := range 8 {
			ci, cj, ck := i+c&1, j+c>>1&1, k+c>>2
			if uint(ci) >= uint(n) || uint(cj) >= uint(n) || uint(ck) >= uint(n) {
				continue
			}
			dx, dy, dz := x-float32(ci+1), y-float32(cj+1), z-float32(ck+1)
			d := h*sqrt32(dx*dx+dy*dy+dz*dz) - r
			if walls && d < 0 && !m.sees(worker, q, at, [3]int{ci, cj, ck}, n) {
				continue
			}
			cell := ci + n*(cj+n*ck)
			if m.Radius[q] < 0 {
				w.below[cell] = min(w.below[cell], d)
			} else {
				w.above[cell] = max(w.above[cell], -d)
			}
		}
	}
}

func floor(v float32) int { return int(math.Floor(float64(v))) }

// close takes, of the two corrected values, the one nearer to the surface.
func (m *Markers) close(w *workspace, b int32) {
	s := m.s
	first, l := s.g.Cur.First[b], s.g.Cur.Level[b]
	phi := s.Phi[first : first+1<<(3*l)]
	for i := range phi {
		v := w.below[i]
		if abs32(w.above[i]) < abs32(v) {
			v = w.above[i]
		}
		phi[i] = v
	}
	s.measure(b)
}
