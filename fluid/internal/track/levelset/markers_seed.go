package levelset

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// reseed drops markers that left the band, gives the others the radius that touches the
// surface, and fills up cells that have too few.
func (m *Markers) reseed() {
	for i := range m.stage {
		m.stage[i].reset(len(m.Position) + len(m.Position)/4 + 1024)
	}
	bases := m.s.g.Bases()
	par.For(m.s.pool, bases, 2, m, (*Markers).seedBlocks)
	total, room := int32(0), int32(max(m.Max, 0))
	m.Refused = 0
	for b := range m.seeded {
		q := &m.seeded[b]
		if over := total + q.to - q.from - room; over > 0 {
			m.Refused += int(over)
			q.to -= over
		}
		m.start[b] = total
		total += q.to - q.from
	}
	m.start[bases] = total
	m.resize(int(total))
	par.For(m.s.pool, bases, 16, m, (*Markers).packBlocks)
	m.swap()
	clear(m.escaped)
}

// reset empties the stage and makes room for all, since any worker may get most of the
// blocks.
func (st *stage) reset(room int) {
	if cap(st.position) < room {
		st.position = make([]layout.Point, 0, 2*room)
		st.radius = make([]float32, 0, 2*room)
	}
	st.position, st.radius = st.position[:0], st.radius[:0]
}

func (m *Markers) packBlocks(_, lo, hi int) {
	for b := lo; b < hi; b++ {
		q := m.seeded[b]
		position, radius := m.Position, m.Radius
		if q.worker != asBefore {
			position, radius = m.stage[q.worker].position, m.stage[q.worker].radius
		}
		copy(m.position[m.start[b]:], position[q.from:q.to])
		copy(m.radius[m.start[b]:], radius[q.from:q.to])
	}
}

func (m *Markers) seedBlocks(worker, lo, hi int) {
	st := &m.stage[worker]
	for b := lo; b < hi; b++ {
		if !m.isDue(int32(b)) && !m.hasEscaped(int32(b)) {
			m.seeded[b] = seeds{asBefore, m.start[b], m.start[b+1]}
			continue
		}
		from := int32(len(st.position))
		m.seedBlock(worker, int32(b))
		m.seeded[b] = seeds{int32(worker), from, int32(len(st.position))}
	}
}

// isDue tells whether a block is seeded in this step: every few steps, and where there are no markers.
func (m *Markers) isDue(b int32) bool {
	every := uint32(max(1, m.Every))
	return m.start[b] == m.start[b+1] || (uint32(b)+m.s.Tick/uint32(max(1, m.Cadence)))%every == 0 || m.s.Tick == 0
}

// hasEscaped tells whether markers of a block have escaped or are strays.
func (m *Markers) hasEscaped(b int32) bool { return m.escaped[b] > 0 || m.strays[b] > 0 }

// seedBlock appends the markers that a block of the settled layout shall have to the stage.
func (m *Markers) seedBlock(worker int, b int32) {
	s, w := m.s, &m.s.work[worker]
	l := s.g.Prev.Level[b]
	turn := m.isDue(b)
	near := turn && m.PerCell > 0 && s.low[b] < depth*float32(s.g.CellSize(l))
	if !near && m.start[b] == m.start[b+1] {
		return
	}
	count := w.count[:1<<(3*l)] // of markers per cell
	clear(count)
	if turn {
		h := float32(s.g.CellSize(l))
		findSmooth(&w.smooth, &w.near, s.Tiles.Tile(b), 1<<l, m.Smooth*h, -(depth+.87)*h, highest*h)
	} else {
		clear(w.smooth[:])
	}
	m.retain(worker, b, count)
	if near {
		m.fillBlock(worker, b, count)
	}
}

// highest is how far from the surface, in cells, the centre of a cell may be that takes markers.
const highest = .87 - minRadius

// rowBits has a bit for each cell of a block's rows along x, y fastest.
type rowBits [layout.Edge * layout.Edge]uint8

// findSmooth finds the cells of a block, whose tile is t, where the surface needs no markers since it bends by less than least, m, and
// those of the others where φ is from low to high, m. It exists in plain Go, here, and in assembly for processors with AVX2; both give
// the same bits.
var findSmooth = findSmoothGo

func findSmoothGo(smooth, near *rowBits, t []float32, n int, least, low, high float32) {
	e := n + 2
	for r := range n * n {
		smooth[r], near[r] = 0, 0
		for x := range n {
			at := x + 1 + e*(r%n+1+e*(r/n+1))
			phi, twice := t[at], 2*t[at]
			if abs32(t[at-1]+t[at+1]-twice)+abs32(t[at-e]+t[at+e]-twice)+abs32(t[at-e*e]+t[at+e*e]-twice) < least {
				smooth[r] |= 1 << x
			} else if !(phi < low) && !(phi > high) {
				near[r] |= 1 << x
			}
		}
	}
}

// retain appends the block's markers that are still of use, or may become droplets when they are classified.
func (m *Markers) retain(worker int, b int32, count []uint8) {
	for lo := m.start[b]; lo < m.start[b+1]; lo += markerBatch {
		m.retainBatch(worker, b, count, lo, min(lo+markerBatch, m.start[b+1]))
	}
}

func (m *Markers) retainBatch(worker int, b int32, count []uint8, lo, hi int32) {
	s, w, st := m.s, &m.s.work[worker], &m.stage[worker]
	l := s.g.Prev.Level[b]
	n, h, frame := 1<<l, float32(s.g.CellSize(l)), newFrame(s.g, b, l)
	m.sample(w, s.Tiles.Tile(b), &frame, n, lo, hi)
	most := uint8(min(2*m.PerCell, 15))
	for i := lo; i < hi; i++ {
		r := m.Radius[i]
		if r == 0 {
			continue
		}
		k := (i - lo) & (markerBatch - 1)
		x, y, z := w.origin[0][k], w.origin[1][k], w.origin[2][k]
		d := -w.value[k]
		cx, cy, cz := min(int(x-.5), n-1), min(int(y-.5), n-1), min(int(z-.5), n-1) // x may be rounded up
		c := cx + n*(cy+n*cz)
		cell := &count[c]
		if d > 1.5*depth*h || d < -h && m.escaped[b] != unclassified || *cell >= most {
			continue
		} else if d > 0 {
			if w.smooth[cy+n*cz]>>cx&1 != 0 {
				continue
			}
			r = -clamp32(d, minRadius*h, maxRadius*h)
		}
		*cell++
		st.position = append(st.position, m.Position[i])
		st.radius = append(st.radius, r)
	}
}

// fillBlock seeds the cells near the surface up to PerCell.
func (m *Markers) fillBlock(worker int, b int32, count []uint8) {
	l := m.s.g.Prev.Level[b]
	n := 1 << l
	for r, set := range m.s.work[worker].near[:n*n] { // in other cells no place is right
		for ; set != 0; set &= set - 1 {
			x := bits.TrailingZeros8(set)
			if need := m.PerCell - int(count[x+n*r]); need > 0 {
				m.fillCell(worker, b, [3]int{x, r & (n - 1), r >> l}, need)
			}
		}
	}
}

// fillCell seeds cell c of a block with as many markers as it needs.
func (m *Markers) fillCell(worker int, b int32, c [3]int, need int) {
	s, st := m.s, &m.stage[worker]
	l := s.g.Prev.Level[b]
	n, h := 1<<l, float32(s.g.CellSize(l))
	at, tile := s.g.BaseCoords(b), s.Tiles.Tile(b)
	f, walls := 1/float64(n), int(b) < len(s.ClipBlocks) && s.ClipBlocks[b]
	phi := tile[c[0]+1+(n+2)*(c[1]+1+(n+2)*(c[2]+1))]
	seed := mix(uint64(b)<<9|uint64(c[0]+n*(c[1]+n*c[2]))) ^ mix(uint64(s.Tick)<<1|1)
	for try := range 2 * m.PerCell {
		if need <= 0 {
			break
		}
		q := mix(seed + uint64(try))
		const unit = 1. / (1 << 21)
		u, v, w := float64(float64(q>>43)*unit), float64(float64(q>>22&(1<<21-1))*unit), float64(float64(q&(1<<21-1))*unit)
		d := -linearAt(tile, n+2, float32(c[0])+float32(u)+.5, float32(c[1])+float32(v)+.5, float32(c[2])+float32(w)+.5)
		if d < minRadius*h || d > depth*h {
			continue
		}
		p := s.place(at, c, f, u, v, w)
		if walls && (phi > 0 || m.Room != nil && !m.Room(p) || m.hidden(worker, b, p, at, c, f)) {
			continue
		}
		need--
		st.position = append(st.position, p)
		st.radius = append(st.radius, -min(d, maxRadius*h))
	}
}

// hidden tells whether a wall is between a place and the centre of a cell of block b.
func (m *Markers) hidden(worker int, b int32, p layout.Point, at, cell [3]int, f float64) bool {
	if m.s.ClipLines == nil {
		return false
	}
	w := &m.s.work[worker]
	centre := m.s.place(at, cell, f, .5, .5, .5)
	w.from[0], w.to[0] = p, centre
	m.s.ClipLines(worker, b, w.from[:1], w.to[:1])
	return w.to[0] != centre
}

// mix is a counter-based random number. Source: SplitMix64, Steele, Lea, Flood 2014.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
