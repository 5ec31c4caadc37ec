package stuffing

import (
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A vertex's state is its sign, whether it is the centre of a leaf, and whether it has been moved.
const (
	outside = iota
	surface
	inside
	signMask = 3
	centred  = 4 // as code of the stencils
	moved    = 8
	onSolid  = 16 // it is on the surface, and that is a solid's there
	resting  = 32 // it counts as on the surface, but is where the lattice has it until settle
)

// measureLeaves finds the edge of the leaves of each level: the line between two centres of a tetrahedron of the uniform lattice is as long.
func (m *Mesher) measureLeaves() {
	l := m.l
	m.leaf = [levels]float64{}
	for t, s := range l.Shapes {
		if s != bcc.Whole {
			continue
		}
		last := int32(-1)
		for _, v := range l.Corners[t] {
			switch {
			case !isCentre(l, v):
			case last < 0:
				last = v
			default:
				d := reproducible.Norm(difference(&l.Position[v], &l.Position[last]))
				for i := range m.leaf {
					m.leaf[i] = math.Ldexp(d, int(l.Level[v])-i)
					m.scale[i] = quarters / m.leaf[i]
				}
				return
			}
		}
	}
}

func isCentre(l *bcc.Lattice, v int32) bool { return l.Cell[v] >= 0 || l.Beyond[v] }

func difference(a, b *[3]float64) r3.Vec {
	return r3.Vec{X: a[0] - b[0], Y: a[1] - b[1], Z: a[2] - b[2]}
}

// readSigns finds the sign of each vertex, and the sides of the layout that it lies on.
func (m *Mesher) readSigns() {
	n := m.l.Vertices()
	m.state, m.sides, m.partner = arrays.Resize(m.state, n), arrays.Resize(m.sides, n), arrays.Resize(m.partner, n)
	chunks := par.Chunks(n, grain)
	m.boxes = arrays.Resize(m.boxes, chunks)
	par.For(m.pool, n, grain, m, (*Mesher).boundVertices)
	m.lo, m.hi = boundless()
	for _, b := range m.boxes[:chunks] {
		for a := range 3 {
			m.lo[a], m.hi[a] = min(m.lo[a], b[0][a]), max(m.hi[a], b[1][a])
		}
	}
	par.For(m.pool, n, grain, m, (*Mesher).readChunk)
}

func boundless() (lo, hi [3]float64) {
	for a := range 3 {
		lo[a], hi[a] = math.Inf(1), math.Inf(-1)
	}
	return lo, hi
}

func (m *Mesher) boundVertices(_, from, to int) {
	lo, hi := boundless()
	for v := from; v < to; v++ {
		if m.l.Beyond[v] {
			continue
		}
		for a, x := range m.l.Position[v] {
			lo[a], hi[a] = min(lo[a], x), max(hi[a], x)
		}
	}
	m.boxes[from/grain] = [2][3]float64{lo, hi}
}

func (m *Mesher) readChunk(_, from, to int) {
	l := m.l
	for v := from; v < to; v++ {
		s := uint8(0)
		switch {
		case l.Beyond[v]:
			m.state[v], m.sides[v], m.partner[v] = outside|centred, 0, -1
			continue
		case l.Cell[v] >= 0:
			s = centred
		default:
			m.sides[v] = m.sidesAt(int32(v))
		}
		in, solid := m.values(int32(v))
		switch x := max(in, solid); {
		case x < 0:
			s |= inside
		case x == 0 && solid == 0:
			s |= surface | onSolid
		case x == 0:
			s |= surface
		}
		m.state[v] = s
		if s&centred != 0 {
			m.sides[v] = 0
		}
	}
}

// sidesAt is the sides of the layout that a corner lies on, a bit each: low x, high x, low y, ...
func (m *Mesher) sidesAt(v int32) (s uint8) {
	eps := float64(m.leaf[m.l.Level[v]] / 4)
	for a, x := range m.l.Position[v] {
		if x < m.lo[a]+eps {
			s |= 1 << (2 * a)
		}
		if x > m.hi[a]-eps {
			s |= 2 << (2 * a)
		}
	}
	return s
}

// values are the two fields at a vertex, both negative inside, as combine makes them.
func (m *Mesher) values(v int32) (in, solid float64) {
	d := math.Inf(1)
	if m.f.Solid != nil {
		d = m.f.Solid[v]
	}
	return combine(m.f.Inside[v], d, float64(m.Snap*m.leaf[m.l.Level[v]]))
}

// combine is two fields whose greater one is negative in what is filled, from the distance to the surface and to solids. Within so many m of a solid
// the surface is moved out, by less the further from the solid: a gap that is thinner is closed, whichever way it runs.
func combine(inside, toSolid, gap float64) (in, solid float64) {
	if inside != inside {
		inside = math.Inf(1)
	}
	if toSolid != toSolid {
		toSolid = math.Inf(1)
	}
	if toSolid < gap {
		inside -= gap - max(0, toSolid)
	}
	return inside, -toSolid
}

// crossed is what a chunk of tetrahedra has of those that the surface crosses: how many are between leaves of different sizes, and the first;
// how many are cut, and the first, by level.
type crossed struct {
	transitions, transition int32
	cut, first              [levels]int32
}

// surveyTets marks the vertices of tetrahedra between leaves of different sizes, and counts those that the surface crosses.
func (m *Mesher) surveyTets() {
	n := m.l.Vertices()
	m.fixed, m.near = arrays.Resize(m.fixed, n/32+1), arrays.Resize(m.near, n/32+1)
	clear(m.fixed)
	clear(m.near)
	m.crossed = arrays.Resize(m.crossed, par.Chunks(m.l.Tets(), grain))
	par.For(m.pool, m.l.Tets(), grain, m, (*Mesher).surveyChunk)
}

func (m *Mesher) surveyChunk(_, from, to int) {
	found := crossed{transition: -1}
	for i, s := range m.l.Shapes[from:to] {
		if s == bcc.Whole {
			continue
		}
		in, out := false, false
		for _, v := range m.l.Corners[from+i] {
			setBit(m.fixed, v)
			sign := m.state[v] & signMask
			in = in || sign == inside
			out = out || sign == outside && !m.l.Beyond[v]
		}
		if in && out {
			if found.transition < 0 {
				found.transition = int32(from + i)
			}
			found.transitions++
		}
	}
	m.crossed[from/grain] = found
}

func isIn(s uint8) bool { return s&signMask == inside }

// setBit sets the bit of a vertex; several workers may.
func setBit(bits []uint32, v int32) {
	word, bit := &bits[v>>5], uint32(1)<<(v&31)
	if atomic.LoadUint32(word)&bit == 0 {
		atomic.OrUint32(word, bit)
	}
}

func hasBit(bits []uint32, v int32) bool { return bits[v>>5]>>(v&31)&1 != 0 }
