package surface

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// reseed drops markers that left the band, gives the others the radius that touches the
// surface, and fills up cells that have too few.
func (m *Markers) reseed() {
	for i := range m.stage {
		m.stage[i].reset(len(m.Position) + len(m.Position)/4 + 1024)
	}
	bases := m.s.g.Bases()
	m.s.pool.For(bases, 2, m.seedChunk)
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
	m.s.pool.For(bases, 16, m.packChunk)
	m.swap()
	clear(m.escaped)
}

// reset empties the stage and makes room for all, since any worker may get most of the
// blocks.
func (st *stage) reset(room int) {
	if cap(st.position) < room {
		st.position = make([]grid.Point, 0, 2*room)
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
		if !m.turn(int32(b)) && !m.torn(int32(b)) {
			m.seeded[b] = seeds{asBefore, m.start[b], m.start[b+1]}
			continue
		}
		from := int32(len(st.position))
		m.seedBlock(worker, int32(b))
		m.seeded[b] = seeds{int32(worker), from, int32(len(st.position))}
	}
}

// turn tells whether a block is seeded in this step: every few steps, and where there are no markers.
func (m *Markers) turn(b int32) bool {
	every := uint32(max(1, m.Every))
	return m.start[b] == m.start[b+1] || (uint32(b)+m.s.Tick/uint32(max(1, m.Cadence)))%every == 0 || m.s.Tick == 0
}

// torn tells whether the surface has lost markers of a block.
func (m *Markers) torn(b int32) bool { return m.escaped[b] > 0 || m.strays[b] > 0 }

// seedBlock appends the markers that a block of the settled layout shall have to the stage.
func (m *Markers) seedBlock(worker int, b int32) {
	s, w := m.s, &m.s.work[worker]
	l := s.g.Prev.Level[b]
	turn := m.turn(b)
	near := turn && m.PerCell > 0 && s.low[b] < depth*float32(s.g.CellSize(l))
	if !near && m.start[b] == m.start[b+1] {
		return
	}
	count := w.count[:1<<(3*l)] // of markers per cell and side, four bits each
	clear(count)
	if smooth := w.smooth[:len(count)]; turn {
		m.findSmooth(b, smooth)
	} else {
		clear(smooth)
	}
	m.retain(worker, b, count)
	if near {
		m.fillBlock(worker, b, count)
	}
}

// findSmooth tells in which of a block's cells the surface needs no markers.
func (m *Markers) findSmooth(b int32, smooth []bool) {
	s := m.s
	l := s.g.Prev.Level[b]
	n, e, t := 1<<l, 1<<l+2, s.Tiles.Tile(b)
	least := m.Smooth * float32(s.g.CellSize(l))
	for i := range smooth {
		at := i&(n-1) + 1 + e*(i>>l&(n-1)+1+e*(i>>(2*l)+1))
		twice := 2 * t[at]
		smooth[i] = abs32(t[at-1]+t[at+1]-twice)+abs32(t[at-e]+t[at+e]-twice)+abs32(t[at-e*e]+t[at+e*e]-twice) < least
	}
}

// retain appends the block's markers that are still of use, or may become droplets when they are judged.
func (m *Markers) retain(worker int, b int32, count []uint8) {
	for lo := m.start[b]; lo < m.start[b+1]; lo += markerBatch {
		m.retainBatch(worker, b, count, lo, min(lo+markerBatch, m.start[b+1]))
	}
}

func (m *Markers) retainBatch(worker int, b int32, count []uint8, lo, hi int32) {
	s, w, st := m.s, &m.s.work[worker], &m.stage[worker]
	smooth := w.smooth[:len(count)]
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
		phi, shift, side := w.value[k], 0, float32(-1)
		if r > 0 {
			shift, side = 4, 1
		}
		cx, cy, cz := min(int(x-.5), n-1), min(int(y-.5), n-1), min(int(z-.5), n-1) // x may be rounded up
		c := cx + n*(cy+n*cz)
		cell := &count[c]
		if d := side * phi; d > 1.5*depth*h || d < -h && m.escaped[b] != unjudged || *cell>>shift&15 >= most {
			continue
		} else if d > 0 {
			if smooth[c] {
				continue
			}
			r = side * clamp32(d, minRadius*h, maxRadius*h)
		}
		*cell += 1 << shift
		st.position = append(st.position, m.Position[i])
		st.radius = append(st.radius, r)
	}
}

// fillBlock seeds the cells near the surface up to PerCell.
func (m *Markers) fillBlock(worker int, b int32, count []uint8) {
	s, st := m.s, &m.stage[worker]
	l := s.g.Prev.Level[b]
	n, h := 1<<l, float32(s.g.CellSize(l))
	at, tile := s.g.BaseCoords(b), s.Tiles.Tile(b)
	smooth, highest := m.s.work[worker].smooth[:len(count)], float32(.87-minRadius)
	if m.TwoSided {
		highest = depth + .87
	}
	f, walls := 1/float64(n), int(b) < len(s.ClipBlocks) && s.ClipBlocks[b]
	for i, have := range count {
		c := [3]int{i & (n - 1), i >> l & (n - 1), i >> (2 * l)}
		phi := tile[c[0]+1+(n+2)*(c[1]+1+(n+2)*(c[2]+1))]
		if smooth[i] || phi < -(depth+.87)*h || phi > highest*h { // no place in it is right
			continue
		}
		need := [2]int{m.PerCell - int(have&15), 0}
		if m.TwoSided {
			need[1] = m.PerCell - int(have>>4)
		}
		seed := mix(uint64(b)<<9|uint64(i)) ^ mix(uint64(s.Tick)<<1|1)
		for try := range 2 * m.PerCell {
			if need[0] <= 0 && need[1] <= 0 {
				break
			}
			q := mix(seed + uint64(try))
			const unit = 1. / (1 << 21)
			u, v, w := float64(float64(q>>43)*unit), float64(float64(q>>22&(1<<21-1))*unit), float64(float64(q&(1<<21-1))*unit)
			d := linearAt(tile, n+2, float32(c[0])+float32(u)+.5, float32(c[1])+float32(v)+.5, float32(c[2])+float32(w)+.5)
			side, k := float32(-1), 0
			if d > 0 {
				side, k = 1, 1
			}
			if need[k] <= 0 || abs32(d) < minRadius*h || abs32(d) > depth*h {
				continue
			}
			p := m.s.place(at, c, f, u, v, w)
			if walls && ((d > 0) != (phi > 0) || m.hidden(worker, p, at, c, f)) {
				continue
			}
			need[k]--
			st.position = append(st.position, p)
			st.radius = append(st.radius, side*min(abs32(d), maxRadius*h))
		}
	}
}

// hidden tells whether a wall is between a place and the centre of a cell.
func (m *Markers) hidden(worker int, p grid.Point, at, cell [3]int, f float64) bool {
	if m.s.Between == nil {
		return false
	}
	w := &m.s.work[worker]
	centre := m.s.place(at, cell, f, .5, .5, .5)
	w.from[0], w.to[0] = p, centre
	m.s.Between(worker, w.from[:1], w.to[:1])
	return w.to[0] != centre
}

// mix is a counter-based random number. Source: SplitMix64, Steele, Lea, Flood 2014.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
