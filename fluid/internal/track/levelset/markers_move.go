package levelset

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

func (m *Markers) moveBlocks(worker, lo, hi int) {
	for b := lo; b < hi; b++ {
		for from := m.start[b]; from < m.start[b+1]; from += markerBatch {
			m.moveBatch(worker, int32(b), int(from), int(min(from+markerBatch, m.start[b+1])))
		}
	}
}

// moveBatch moves markers of a block and finds which block they are in now.
func (m *Markers) moveBatch(worker int, b int32, lo, hi int) {
	g, w := m.s.g, &m.s.work[worker]
	q := tracer{v: m.v}
	q.enter(g, b, m.dt)
	places := m.Position[lo:hi]
	for i, p := range places {
		w.origin[0][i&511], w.origin[1][i&511], w.origin[2][i&511] = q.frame.local(p, 0)
	}
	q.follow(w, len(places))
	part, to := 1/q.frame.cells, w.to[:len(places)]
	for i, p := range places {
		to[i] = layout.Point{
			X: p.X + float64(float64(w.way[0][i&511])*part),
			Y: p.Y + float64(float64(w.way[1][i&511])*part),
			Z: p.Z + float64(float64(w.way[2][i&511])*part),
		}
	}
	if m.s.ClipAhead != nil && m.s.clips(b) {
		copy(w.from[:], places) // Clip may change what it is given
		m.s.ClipAhead(worker, b, w.from[:len(places)], to)
	}
	inside := newInterior(g, b)
	for i, p := range to {
		if places[i], m.key[lo+i] = p, b; inside.holds(p) {
			continue
		}
		p.X = inGrid(p.X, g.Dim[0])
		p.Y = inGrid(p.Y, g.Dim[1])
		p.Z = inGrid(p.Z, g.Dim[2])
		places[i] = p
		m.key[lo+i] = g.BaseAt(int(p.X), int(p.Y), int(p.Z))
	}
}

// interior is the part of a base cell that is as far from the grid's end as inGrid keeps places.
type interior struct{ low, high layout.Point }

func newInterior(g *layout.Grid, b int32) interior {
	at := g.BaseCoords(b)
	x, y, z := float64(at[0]), float64(at[1]), float64(at[2])
	return interior{
		layout.Point{X: inGrid(x, g.Dim[0]), Y: inGrid(y, g.Dim[1]), Z: inGrid(z, g.Dim[2])},
		layout.Point{X: inGrid(x+1, g.Dim[0]), Y: inGrid(y+1, g.Dim[1]), Z: inGrid(z+1, g.Dim[2])},
	}
}

func (i *interior) holds(p layout.Point) bool {
	return p.X >= i.low.X && p.X < i.high.X && p.Y >= i.low.Y && p.Y < i.high.Y && p.Z >= i.low.Z && p.Z < i.high.Z
}

// inGrid limits a coordinate to a thousandth of a finest cell from the grid's end.
func inGrid(v float64, n int) float64 {
	const off = .001 / layout.Edge
	return max(off, min(v, float64(n)-off))
}

// sort brings the markers into the order of their base cells again; equals keep theirs. The parts of the markers are counted
// and moved side by side.
func (m *Markers) sort() {
	parts := len(m.cursor)
	par.For(m.s.pool, parts, 1, m, (*Markers).countParts)
	total := int32(0)
	for b := range m.start[1:] {
		m.start[b] = total
		for _, c := range m.cursor {
			c[b], total = total, total+c[b]
		}
	}
	m.start[len(m.start)-1] = total
	par.For(m.s.pool, parts, 1, m, (*Markers).scatterParts)
	m.swap()
}

// part is the range of markers that part i of the sort moves.
func (m *Markers) part(i int) (lo, hi int) {
	n, parts := len(m.Position), len(m.cursor)
	return n * i / parts, n * (i + 1) / parts
}

func (m *Markers) countParts(_, part, end int) {
	for ; part < end; part++ {
		lo, hi := m.part(part)
		count := m.cursor[part]
		clear(count)
		for lo < hi {
			end := m.runEnd(lo, hi)
			count[m.key[lo]] += int32(end - lo)
			lo = end
		}
	}
}

func (m *Markers) scatterParts(_, part, end int) {
	for ; part < end; part++ {
		lo, hi := m.part(part)
		cursor := m.cursor[part]
		for lo < hi {
			end := m.runEnd(lo, hi)
			b := m.key[lo]
			copy(m.position[cursor[b]:], m.Position[lo:end])
			copy(m.radius[cursor[b]:], m.Radius[lo:end])
			cursor[b] += int32(end - lo)
			lo = end
		}
	}
}

// runEnd is where the run of markers of one base cell ends that begins at from; most of them stay in theirs in a step.
func (m *Markers) runEnd(from, end int) int {
	b := m.key[from]
	for i, k := range m.key[from:end] {
		if k != b {
			return from + i
		}
	}
	return end
}

// swap makes the other buffer the markers.
func (m *Markers) swap() {
	n := len(m.Position)
	m.Position, m.position = m.position[:n], m.Position[:cap(m.Position)]
	m.Radius, m.radius = m.radius[:n], m.Radius[:cap(m.Radius)]
}
