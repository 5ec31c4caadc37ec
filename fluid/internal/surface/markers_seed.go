package surface

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// reseed drops markers that left the band, gives the others the radius that touches the
// surface, and fills up cells that have too few.
func (m *Markers) reseed() {
	for i := range m.stage {
		m.stage[i].reset(len(m.Position) + len(m.Position)/4 + 1024)
	}
	bases := m.s.g.Bases()
	m.s.pool.For(bases, 8, m.seedChunk)
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
	clear(m.lost)
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
		q, st := m.seeded[b], &m.stage[m.seeded[b].worker]
		copy(m.Position[m.start[b]:], st.position[q.from:q.to])
		copy(m.Radius[m.start[b]:], st.radius[q.from:q.to])
	}
}

func (m *Markers) seedBlocks(worker, lo, hi int) {
	st := &m.stage[worker]
	for b := lo; b < hi; b++ {
		from := int32(len(st.position))
		m.seedBlock(worker, int32(b))
		m.seeded[b] = seeds{int32(worker), from, int32(len(st.position))}
	}
}

// seedBlock appends the markers that a block of the settled layout shall have to the stage.
func (m *Markers) seedBlock(worker int, b int32) {
	s := m.s
	l := s.g.Prev.Level[b]
	h := float32(s.g.CellSize(l))
	fill := m.PerCell > 0 && s.low[b] < depth*h && (m.Every < 2 || (uint32(b)+s.Tick/uint32(max(1, m.Cadence)))%uint32(m.Every) == 0 || s.Tick == 0)
	if !fill && m.start[b] == m.start[b+1] {
		return
	}
	w := &s.work[worker]
	count := w.count[:1<<(3*l)] // of markers per cell and side, four bits each
	clear(count)
	m.retain(worker, b, count)
	if fill {
		m.fillBlock(worker, b, count)
	}
}

// retain appends the block's markers that are still of use, or may become droplets when they are judged.
func (m *Markers) retain(worker int, b int32, count []uint8) {
	s, st := m.s, &m.stage[worker]
	l := s.g.Prev.Level[b]
	n, h := 1<<l, float32(s.g.CellSize(l))
	at, tile := s.g.BaseCoords(b), s.Tiles.Tile(b)
	most := uint8(min(2*m.PerCell, 15))
	for i := m.start[b]; i < m.start[b+1]; i++ {
		p, r := m.Position[i], m.Radius[i]
		if r == 0 {
			continue
		}
		x, y, z := local(p, at, n)
		phi, shift, side := linearAt(tile, n+2, x, y, z), 0, float32(-1)
		if r > 0 {
			shift, side = 4, 1
		}
		cx, cy, cz := min(int(x-.5), n-1), min(int(y-.5), n-1), min(int(z-.5), n-1) // x may be rounded up
		cell := &count[cx+n*(cy+n*cz)]
		if d := side * phi; d > 1.5*depth*h || d < -h && m.lost[b] != unjudged || *cell>>shift&15 >= most {
			continue
		} else if d > 0 {
			r = side * clamp32(d, minRadius*h, maxRadius*h)
		}
		*cell += 1 << shift
		st.position = append(st.position, p)
		st.radius = append(st.radius, r)
	}
}

// fillBlock seeds the cells near the surface up to PerCell.
func (m *Markers) fillBlock(worker int, b int32, count []uint8) {
	s, st := m.s, &m.stage[worker]
	l := s.g.Prev.Level[b]
	n, h := 1<<l, float32(s.g.CellSize(l))
	at, tile := s.g.BaseCoords(b), s.Tiles.Tile(b)
	f, walls := 1/float64(n), int(b) < len(s.ClipBlocks) && s.ClipBlocks[b]
	for i, have := range count {
		c := [3]int{i & (n - 1), i >> l & (n - 1), i >> (2 * l)}
		phi := tile[c[0]+1+(n+2)*(c[1]+1+(n+2)*(c[2]+1))]
		if abs32(phi) > (depth+.87)*h {
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
			u, v, w := float64(q>>43)*unit, float64(q>>22&(1<<21-1))*unit, float64(q&(1<<21-1))*unit
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
