package levelset

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// classifyBlocks finds the markers on the wrong side of the new φ, in the blocks that will be redistanced: those more
// than a cell from the liquid are strays, the others escaped.
func (m *Markers) classifyBlocks(worker, lo, hi int) {
	for b := lo; b < hi; b++ {
		m.escaped[b], m.strays[b] = 0, 0
		switch {
		case m.start[b] == m.start[b+1]:
		case m.s.due(int32(b)):
			m.classifyBlock(worker, int32(b))
		default:
			m.escaped[b] = unclassified
		}
	}
}

func (m *Markers) classifyBlock(worker int, b int32) {
	m.s.gatherNew(&m.s.work[worker], b)
	m.extent[b] = extent{low: [3]float32{1, 1, 1}}
	for lo := m.start[b]; lo < m.start[b+1]; lo += markerBatch {
		m.classifyBatch(worker, b, lo, min(lo+markerBatch, m.start[b+1]))
	}
}

// classifyBatch judges markers of a block whose new φ is in the worker's tile.
func (m *Markers) classifyBatch(worker int, b, lo, hi int32) {
	s := m.s
	w := &s.work[worker]
	l := s.g.Cur.Level[b]
	n, h, tile := 1<<l, float32(s.g.CellSize(l)), w.tile[:]
	from, to := m.start[b], m.start[b+1]
	at, frame, walls := s.g.BaseCoords(b), newFrame(s.g, b, l), s.clips(b)
	m.sample(w, tile, &frame, n, lo, hi)
	for i := lo; i < hi; i++ {
		k := (i - lo) & (markerBatch - 1)
		phi, r := w.value[k], m.Radius[i]
		if walls && phi > 0 {
			phi = m.oneSided(worker, b, tile, i, &frame, at, n, phi)
		}
		switch {
		case r == 0:
		case phi > h:
			m.strays[b]++
			m.list[to-m.strays[b]] = i
		case phi > -r:
			m.list[from+m.escaped[b]] = i
			m.escaped[b]++
			m.extent[b].add([3]float32{w.origin[0][k], w.origin[1][k], w.origin[2][k]}, n)
		}
	}
}

// add widens the extent to hold a place, given in cells of 1/n with a shift of half a one.
func (e *extent) add(x [3]float32, n int) {
	for a, v := range x {
		v = (v - .5) / float32(n)
		e.low[a], e.high[a] = min(e.low[a], v), max(e.high[a], v)
	}
}

// reaches tells whether something in the extent is within half a cell of 1/n of the neighbour that this base cell is at o from, so that one
// of the eight cells around it may be that one's.
func (e *extent) reaches(o [3]int, n int) bool {
	near := .501 / float32(n)
	for a, side := range o {
		if side > 0 && e.low[a] > near || side < 0 && e.high[a] < 1-near {
			return false
		}
	}
	return true
}

// oneSided is φ at marker i of a block at which walls stand, from the cells around it that no wall
// hides from it; phi if all are.
func (m *Markers) oneSided(worker int, b int32, tile []float32, i int32, frame *frame, at [3]int, n int, phi float32) float32 {
	x, y, z := frame.local(m.Position[i], .5)
	fx, fy, fz := floor(x), floor(y), floor(z)
	var weight [8]float32
	used := uint8(0)
	for c := range weight {
		bx, by, bz := c&1, c>>1&1, c>>2
		weight[c] = (1 - abs32(x-float32(fx+bx))) * (1 - abs32(y-float32(fy+by))) * (1 - abs32(z-float32(fz+bz)))
		if weight[c] > 0 {
			used |= 1 << c
		}
	}
	sum, seen := float32(0), float32(0)
	used = m.visibleCells(worker, b, i, at, [3]int{fx - 1, fy - 1, fz - 1}, n, used)
	for c, w := range weight {
		if used>>c&1 != 0 {
			sum += float32(w * tile[fx+c&1+(n+2)*(fy+c>>1&1+(n+2)*(fz+c>>2))])
			seen += w
		}
	}
	if seen < 1e-6 {
		return phi
	}
	return sum / seen
}

// visibleCells tells which of the eight cells around marker i of block b no wall hides from it: of those whose bits are set in cells. first
// is their lowest, in cells of a base cell of n³ at at.
func (m *Markers) visibleCells(worker int, b, i int32, at, first [3]int, n int, cells uint8) uint8 {
	if m.s.ClipLines == nil || cells == 0 {
		return cells
	}
	w := &m.s.work[worker]
	var centre [8]layout.Point
	count := 0
	for c := range centre {
		if cells>>c&1 != 0 {
			centre[count] = m.s.place(at, [3]int{first[0] + c&1, first[1] + c>>1&1, first[2] + c>>2}, 1/float64(n), .5, .5, .5)
			w.from[count], w.to[count] = m.Position[i], centre[count]
			count++
		}
	}
	m.s.ClipLines(worker, b, w.from[:count], w.to[:count])
	count = 0
	for c := range centre {
		if cells>>c&1 != 0 {
			if w.to[count] != centre[count] {
				cells &^= 1 << c
			}
			count++
		}
	}
	return cells
}

// convertStrays turns strays into droplets. It tells whether escaped markers are left.
func (m *Markers) convertStrays(v *layout.Velocity) (left bool) {
	for b, n := range m.strays {
		for end := m.start[b+1]; n > 0; n-- {
			i := m.list[end-n]
			if m.Room == nil || m.Room(m.Position[i]) {
				x, y, z := v.At(m.Position[i])
				m.release(m.Position[i], [3]float32{x, y, z}, -m.Radius[i])
			}
			m.Radius[i] = 0
		}
		left = left || m.escaped[b] > 0
	}
	return left
}

// correctBlocks puts the spheres of escaped markers back into φ.
func (m *Markers) correctBlocks(worker, lo, hi int) {
	for b := lo; b < hi; b++ {
		any, n := false, 1<<m.s.g.Cur.Level[b]
		for _, o := range directions {
			nb := m.s.g.Around(int32(b), o[0], o[1], o[2])
			if nb == layout.None || m.escaped[nb] <= 0 || !m.extent[nb].reaches(o, n) {
				continue
			}
			if !any {
				any = true
				m.beginUnion(&m.s.work[worker], int32(b))
			}
			m.uniteSpheres(worker, int32(b), nb)
		}
		if any {
			m.endUnion(&m.s.work[worker], int32(b))
		}
	}
}

func (m *Markers) beginUnion(w *workspace, b int32) {
	first, l := m.s.g.Cur.First[b], m.s.g.Cur.Level[b]
	copy(w.united[:], m.s.Phi[first:first+1<<(3*l)])
}

// uniteSpheres merges the spheres of nb's escaped markers into the eight cells around each, as far
// as those are b's.
func (m *Markers) uniteSpheres(worker int, b, nb int32) {
	g, w := m.s.g, &m.s.work[worker]
	walls := m.s.clips(nb)
	l := g.Cur.Level[b]
	n, h := 1<<l, float32(g.CellSize(l))
	at, frame := g.BaseCoords(b), newFrame(g, b, l)
	for _, q := range m.list[m.start[nb]:][:m.escaped[nb]] {
		x, y, z := frame.local(m.Position[q], .5)
		i, j, k := floor(x)-1, floor(y)-1, floor(z)-1
		r := abs32(m.Radius[q])
		for c := range 8 {
			ci, cj, ck := i+c&1, j+c>>1&1, k+c>>2
			if uint(ci) >= uint(n) || uint(cj) >= uint(n) || uint(ck) >= uint(n) {
				continue
			}
			dx, dy, dz := x-float32(ci+1), y-float32(cj+1), z-float32(ck+1)
			d := float32(h*sqrt32(float32(dx*dx)+float32(dy*dy)+float32(dz*dz))) - r
			if walls && d < 0 && m.visibleCells(worker, nb, q, at, [3]int{i, j, k}, n, 1<<c) == 0 {
				continue
			}
			cell := ci + n*(cj+n*ck)
			w.united[cell] = min(w.united[cell], d)
		}
	}
}

func floor(v float32) int { return int(math.Floor(float64(v))) }

// endUnion takes, of φ and its union with the spheres, the value nearer to the surface.
func (m *Markers) endUnion(w *workspace, b int32) {
	s := m.s
	first, l := s.g.Cur.First[b], s.g.Cur.Level[b]
	phi := s.Phi[first : first+1<<(3*l)]
	for i := range phi {
		if v := w.united[i]; !(abs32(phi[i]) < abs32(v)) {
			phi[i] = v
		}
	}
	s.measure(b)
}
