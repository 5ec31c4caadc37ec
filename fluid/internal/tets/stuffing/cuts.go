package stuffing

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// cut is where the surface crosses an edge whose ends have opposite signs.
type cut struct {
	t     float64 // share of the edge's length, from its first end
	edge  int32
	id    int32 // the vertex there, where the edge is still cut once vertices have been moved
	solid bool  // the surface is a solid's there
}

// opposite tells whether the surface crosses an edge, by the signs of its ends: one is inside, the other outside.
func (m *Mesher) opposite(state []uint8, e int32) bool {
	ends := &m.l.Ends[e]
	return (state[ends[0]]^state[ends[1]])&signMask == inside^outside
}

// findCuts lists the edges that the surface crosses, in their order.
func (m *Mesher) findCuts() {
	n := m.l.Edges()
	m.cutOf = arrays.Resize(m.cutOf, n)
	m.counts = arrays.Resize(m.counts, par.Chunks(n, grain))
	par.For(m.pool, n, grain, m, (*Mesher).countCuts)
	m.cuts = arrays.Resize(m.cuts, int(m.addCounts()))
	par.For(m.pool, n, grain, m, (*Mesher).listCuts)
}

func (m *Mesher) countCuts(_, from, to int) {
	n, state := int32(0), m.state
	for _, ends := range m.l.Ends[from:to] {
		differ := state[ends[0]] ^ state[ends[1]]
		n += int32(differ >> 1 &^ differ & 1) // as opposite, without a branch
	}
	m.counts[from/grain] = n
}

// addCounts makes each chunk's count the sum of those before it, and returns that of all.
func (m *Mesher) addCounts() (sum int32) {
	for c := range m.counts {
		m.counts[c], sum = sum, sum+m.counts[c]
	}
	return sum
}

func (m *Mesher) listCuts(_, from, to int) {
	n := m.counts[from/grain]
	if c := from/grain + 1; c < len(m.counts) && m.counts[c] == n {
		return
	}
	for e := int32(from); e < int32(to); e++ {
		if !m.opposite(m.state, e) {
			continue
		}
		m.cuts[n].edge, m.cutOf[e] = e, n
		for _, v := range m.l.Ends[e] {
			setBit(m.near, v)
		}
		n++
	}
}

// batch is how many cuts a worker searches at a time.
const batch = 256

// search is a worker's room for the zeros of a batch.
type search struct {
	pts           []r3.Vec
	inside, solid []float64 // both fields at pts
	at            []float64 // per cut: where it is taken to be, as a share of the edge from the end inside
	brackets      []bracket
}

// bracket is a part of an edge on which the field changes its sign: from neg, where it is negative, to pos, shares of the edge from the end inside,
// and what both fields are there.
type bracket struct {
	neg, pos            float64
	inside, solid       float64 // at neg
	posInside, posSolid float64
	stayed              int8 // the end that stayed the last time: -1 for neg, 1 for pos
}

// zero is where the greater of two linear fields is zero, and whether that is the solids'.
func (b *bracket) zero() (at float64, solid bool) {
	free, clipped := crossing(b.inside, b.posInside), crossing(b.solid, b.posSolid)
	return b.neg + float64((b.pos-b.neg)*min(free, clipped)), clipped <= free
}

// tighten takes a place within for one of the ends. The values at the other one are halved when it stays for a second time.
func (b *bracket) tighten(at, inside, solid float64) {
	if max(inside, solid) < 0 {
		b.neg, b.inside, b.solid = at, inside, solid
		if b.stayed > 0 {
			b.posInside, b.posSolid = b.posInside/2, b.posSolid/2
		}
		b.stayed = 1
		return
	}
	b.pos, b.posInside, b.posSolid = at, inside, solid
	if b.stayed < 0 {
		b.inside, b.solid = b.inside/2, b.solid/2
	}
	b.stayed = -1
}

func (s *search) resize(n int) {
	s.pts, s.brackets = arrays.Resize(s.pts, n), arrays.Resize(s.brackets, n)
	s.inside, s.solid, s.at = arrays.Resize(s.inside, n), arrays.Resize(s.solid, n), arrays.Resize(s.at, n)
}

// findZeros finds where on its edge each cut lies.
func (m *Mesher) findZeros() {
	for w := range m.searches {
		m.searches[w].resize(batch)
	}
	par.For(m.pool, len(m.cuts), batch, m, (*Mesher).findBatch)
}

func (m *Mesher) findBatch(worker, from, to int) {
	cuts, s := m.cuts[from:to], &m.searches[worker]
	s.resize(len(cuts))
	for i := range cuts {
		c := &cuts[i]
		a, b := m.inFirst(c.edge)
		k := bracket{pos: 1}
		k.inside, k.solid = m.values(a)
		k.posInside, k.posSolid = m.values(b)
		s.brackets[i] = k
		s.at[i], c.solid = k.zero()
	}
	if m.f.InsideAt != nil || m.f.SolidAt != nil {
		for range m.Rounds {
			m.approach(cuts, s)
		}
	}
	for i := range cuts {
		c := &cuts[i]
		if c.t = s.at[i]; m.state[m.l.Ends[c.edge][0]]&signMask != inside {
			c.t = 1 - c.t
		}
	}
}

// inFirst is the ends of an edge, the one inside first.
func (m *Mesher) inFirst(e int32) (in, out int32) {
	ends := &m.l.Ends[e]
	if isIn(m.state[ends[0]]) {
		return ends[0], ends[1]
	}
	return ends[1], ends[0]
}

// crossing is where a field that is a < 0 at one end of an edge and b at the other is zero if it is linear, and beyond the edge, 2, if b is negative too.
func crossing(a, b float64) float64 {
	if b < 0 {
		return 2
	}
	return between(a, b)
}

// between is where from a < 0 to b ≥ 0 a linear function is zero; in the middle where rounding leaves no such place.
func between(a, b float64) float64 {
	if t := a / (a - b); t >= 0 && t <= 1 && !math.IsInf(a-b, 0) {
		return t
	}
	return .5
}

// approach has the field measured where the zeros are taken to be, and brings them nearer. It is the Illinois method (Dowell, Jarratt 1971): the
// secant between two places where the field has opposite signs, with half the value at a place that stays for a second time. Each of the two fields
// has its secant.
func (m *Mesher) approach(cuts []cut, s *search) {
	for i := range cuts {
		a, b := m.inFirst(cuts[i].edge)
		s.pts[i] = along(&m.l.Position[a], &m.l.Position[b], s.at[i])
	}
	m.measure(cuts, s)
	for i := range cuts {
		in, solid := combine(s.inside[i], s.solid[i], m.gapOn(cuts[i].edge))
		k := &s.brackets[i]
		k.tighten(s.at[i], in, solid)
		s.at[i], cuts[i].solid = k.zero()
	}
}

// gapOn is how near to a solid is on it, m, on an edge.
func (m *Mesher) gapOn(e int32) float64 {
	ends := &m.l.Ends[e]
	return float64(m.Snap * m.leaf[max(m.l.Level[ends[0]], m.l.Level[ends[1]])])
}

// measure is both fields at a batch's points. One that is known at vertices alone is linear between them.
func (m *Mesher) measure(cuts []cut, s *search) {
	n := len(cuts)
	if m.f.InsideAt != nil {
		m.f.InsideAt(s.inside[:n], s.pts[:n])
	} else {
		m.interpolate(s.inside, m.f.Inside, cuts, s.at)
	}
	switch {
	case m.f.SolidAt != nil:
		m.f.SolidAt(s.solid[:n], s.pts[:n])
	case m.f.Solid != nil:
		m.interpolate(s.solid, m.f.Solid, cuts, s.at)
	default:
		for i := range n {
			s.solid[i] = math.Inf(1)
		}
	}
}

func (m *Mesher) interpolate(dst, field []float64, cuts []cut, at []float64) {
	for i := range cuts {
		a, b := m.inFirst(cuts[i].edge)
		dst[i] = field[a] + float64(at[i]*(field[b]-field[a]))
	}
}

// along is the point at a share of the way from a to b.
func along(a, b *[3]float64, t float64) r3.Vec {
	return r3.Vec{X: a[0] + float64(t*(b[0]-a[0])), Y: a[1] + float64(t*(b[1]-a[1])), Z: a[2] + float64(t*(b[2]-a[2]))}
}
