package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A link is a joint in the solver.
type link struct {
	joint        *joint
	slot         int32
	a, b         *body
	freeA, freeB bool // the solver can move it
	at           stance
	rows         jointRows
	in           [maxRows]int8 // the rows of the system that is solved, n of them
	n            int
	impulse      [maxRows]float64 // in this substep, N·s or N·m·s
	force        r3.Vec           // sum of the impulses on B in this step, N·s
	torque       r3.Vec           // likewise about B's anchor, N·m·s
}

// block is a part of the system's matrix or of its factor.
type block = [maxRows][maxRows]float64

// articulation is a range of links that the bodies they share make depend on each other.
type articulation struct {
	lo, hi   int32
	factored bool
	presses  int32 // how many points of contact are solved with it; -1: it is not taut
}

// articulations are the joints to solve: A λ = r with A = J M⁻¹ Jᵀ, a sparse matrix whose
// blocks are links, solved directly, so that neither the length of a chain nor the ratio of
// its masses slows it down. Links lie in an order of elimination in which a tree of bodies
// fills in nothing: the reverse of the order in which a search from one of them finds them.
// Source: Cholesky factorisation by blocks, Davis 2006, "Direct Methods for Sparse Linear
// Systems", chapter 4; the order, Baraff 1996, "Linear-Time Dynamics using Lagrange Multipliers".
type articulations struct {
	groups []articulation
	links  []link
	where  []int32 // of a joint's slot in links; -1: not solved

	ptr     []int32 // of each link's entries below the diagonal, len(links)+1
	entries []int32 // links later in the order
	off     []block // of entries
	diag    []block
	least   [][maxRows]float64 // pivots of diag
	x       [][maxRows]float64
	child   []int32 // elimination tree: first child, next sibling
	sibling []int32
	mark    []int32
}

// gatherJoints lists the joints of which a body can be moved, in groups.
func (w *World) gatherJoints() {
	s := &w.solver
	s.groups, s.links = s.groups[:0], s.links[:0]
	s.where = resize(s.where, len(w.joints.slots))
	for i := range s.where {
		s.where[i] = -1
	}
	for _, slot := range w.joints.order {
		if s.where[slot] >= 0 || !w.addLink(slot) {
			continue
		}
		lo := len(s.links) - 1
		for i := lo; i < len(s.links); i++ {
			j := s.links[i].joint
			for _, end := range [2]int32{j.a, j.b} {
				if end < 0 || !w.solved(end) {
					continue
				}
				for _, next := range w.bodies[end].joints {
					if s.where[next] < 0 {
						w.addLink(next)
					}
				}
			}
		}
		slices.Reverse(s.links[lo:])
		for i := lo; i < len(s.links); i++ {
			s.where[s.links[i].slot] = int32(i)
		}
		s.groups = append(s.groups, articulation{lo: int32(lo), hi: int32(len(s.links))})
	}
	s.findFill(w)
}

// addLink lists a joint unless nothing can move its bodies.
func (w *World) addLink(slot int32) bool {
	j := &w.joints.slots[slot]
	freeA, freeB := j.a >= 0 && w.solved(j.a), j.b >= 0 && w.solved(j.b)
	if !freeA && !freeB {
		return false
	}
	s := &w.solver
	s.where[slot] = int32(len(s.links))
	s.links = append(s.links, link{joint: j, slot: slot, a: w.end(j.a), b: w.end(j.b), freeA: freeA, freeB: freeB})
	return true
}

// findFill lists, for each link, the later ones whose block in its column of the factor is
// not zero: those it shares a body with, and those of its children in the elimination tree.
func (s *articulations) findFill(w *World) {
	n := len(s.links)
	s.ptr, s.entries = append(s.ptr[:0], 0), s.entries[:0]
	s.child, s.sibling, s.mark = resize(s.child, n), resize(s.sibling, n), resize(s.mark, n)
	for i := range n {
		s.child[i], s.mark[i] = -1, -1
	}
	for i := range int32(n) {
		l := &s.links[i]
		start := len(s.entries)
		for _, end := range [2]int32{l.joint.a, l.joint.b} {
			if end >= 0 && w.solved(end) {
				for _, slot := range w.bodies[end].joints {
					s.enter(s.where[slot], i)
				}
			}
		}
		for c := s.child[i]; c >= 0; c = s.sibling[c] {
			for _, k := range s.entries[s.ptr[c]:s.ptr[c+1]] {
				s.enter(k, i)
			}
		}
		column := s.entries[start:]
		slices.Sort(column)
		s.ptr = append(s.ptr, int32(len(s.entries)))
		if len(column) > 0 {
			p := column[0]
			s.child[p], s.sibling[i] = i, s.child[p]
		}
	}
	s.diag, s.least, s.x, s.off = resize(s.diag, n), resize(s.least, n), resize(s.x, n), resize(s.off, len(s.entries))
}

// enter adds link k to the column of link i, once, if it comes later.
func (s *articulations) enter(k, i int32) {
	if k > i && s.mark[k] != i {
		s.mark[k] = i
		s.entries = append(s.entries, k)
	}
}

// resize is s of length n, with whatever it holds.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// slack is the share of a row's own inverse mass that it yields by. Rows that say the same
// twice, as in a closed loop, would have no solution without, and rows that contradict each
// other, as of a body that two others pull apart, impulses without bound; a load of a hundred
// times the links' mass opens a joint by a hundredth of a millimetre through it.
const slack = 1e-4

// assemble writes the matrix of a group's rows in the system.
func (s *articulations) assemble(g *articulation) {
	for i := g.lo; i < g.hi; i++ {
		l, d := &s.links[i], &s.diag[i]
		l.couple(l, d)
		for k, at := range l.in[:l.n] {
			r := &l.rows.row[at]
			s.least[i][k] = slack * d[k][k]
			d[k][k] += s.least[i][k] + r.gamma
		}
		for e := s.ptr[i]; e < s.ptr[i+1]; e++ {
			s.links[s.entries[e]].couple(l, &s.off[e])
		}
	}
}

// couple writes J_l M⁻¹ J_mᵀ for the rows in the system: rows of l down, of m across.
func (l *link) couple(m *link, out *block) {
	aa, bb := l.freeA && l.a == m.a, l.freeB && l.b == m.b
	ab, ba := l.freeA && l.a == m.b, l.freeB && l.b == m.a
	for i, at := range l.in[:l.n] {
		p := &l.rows.row[at]
		for k, at := range m.in[:m.n] {
			q := &m.rows.row[at]
			sum := 0.0
			if aa {
				sum += reproducible.Dot(p.lin, q.pA) + reproducible.Dot(p.angA, q.wA)
			}
			if bb {
				sum += reproducible.Dot(p.lin, q.pB) + reproducible.Dot(p.angB, q.wB)
			}
			if ab {
				sum -= reproducible.Dot(p.lin, q.pB) + reproducible.Dot(p.angA, q.wB)
			}
			if ba {
				sum -= reproducible.Dot(p.lin, q.pA) + reproducible.Dot(p.angB, q.wA)
			}
			out[i][k] = sum
		}
	}
}

// factor replaces a group's matrix by its Cholesky factor.
func (s *articulations) factor(g *articulation) {
	for p := g.lo; p < g.hi; p++ {
		d, n := &s.diag[p], s.links[p].n
		cholesky(d, &s.least[p], n)
		column := s.entries[s.ptr[p]:s.ptr[p+1]]
		for e, r := range column {
			b := &s.off[int(s.ptr[p])+e]
			for i := range s.links[r].n {
				forward(d, &b[i], n)
			}
		}
		for e, r := range column {
			b := &s.off[int(s.ptr[p])+e]
			subtract(&s.diag[r], b, b, s.links[r].n, s.links[r].n, n)
			// The later entries of this column are all in column r, in the same order.
			at := s.ptr[r]
			for f := e + 1; f < len(column); f++ {
				for s.entries[at] != column[f] {
					at++
				}
				subtract(&s.off[at], &s.off[int(s.ptr[p])+f], b, s.links[column[f]].n, s.links[r].n, n)
			}
		}
	}
}

// solve replaces x by the solution, with the group factored.
func (s *articulations) solve(g *articulation) {
	for p := g.lo; p < g.hi; p++ {
		n := s.links[p].n
		forward(&s.diag[p], &s.x[p], n)
		for e := s.ptr[p]; e < s.ptr[p+1]; e++ {
			r := s.entries[e]
			for i := range s.links[r].n {
				for k := range n {
					s.x[r][i] -= float64(s.off[e][i][k] * s.x[p][k])
				}
			}
		}
	}
	for p := g.hi - 1; p >= g.lo; p-- {
		n := s.links[p].n
		for e := s.ptr[p]; e < s.ptr[p+1]; e++ {
			r := s.entries[e]
			for i := range s.links[r].n {
				for k := range n {
					s.x[p][k] -= float64(s.off[e][i][k] * s.x[r][i])
				}
			}
		}
		backward(&s.diag[p], &s.x[p], n)
	}
}

// cholesky replaces the lower triangle of a, n×n, by its factor, with the squares of pivots at
// least so great: rounding can make those of rows that say the same twice negative.
func cholesky(a *block, least *[maxRows]float64, n int) {
	for j := range n {
		for k := range j {
			a[j][j] -= float64(a[j][k] * a[j][k])
		}
		d := math.Sqrt(max(a[j][j], least[j]))
		a[j][j] = d
		for i := j + 1; i < n; i++ {
			for k := range j {
				a[i][j] -= float64(a[i][k] * a[j][k])
			}
			a[i][j] /= d
		}
	}
}

// forward replaces x by L⁻¹x.
func forward(l *block, x *[maxRows]float64, n int) {
	for i := range n {
		for k := range i {
			x[i] -= float64(l[i][k] * x[k])
		}
		x[i] /= l[i][i]
	}
}

// backward replaces x by L⁻ᵀx.
func backward(l *block, x *[maxRows]float64, n int) {
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= float64(l[k][i] * x[k])
		}
		x[i] /= l[i][i]
	}
}

// subtract takes b cᵀ off a, where b is rows×n and c columns×n.
func subtract(a, b, c *block, rows, columns, n int) {
	for i := range rows {
		for k := range columns {
			for m := range n {
				a[i][k] -= float64(b[i][m] * c[k][m])
			}
		}
	}
}
