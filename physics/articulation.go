package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A jointConstraint is a joint in the solver.
type jointConstraint struct {
	joint        *joint
	slot         int32
	a, b         *body
	freeA, freeB bool // the solver can move it
	pose         jointPose
	rows         jointRows
	selected     [maxRows]int8 // the rows of the system that is solved, n of them
	n            int
	impulse      [maxRows]float64 // in this substep, N·s or N·m·s
	force        r3.Vec           // sum of the impulses on B in this step, N·s
	torque       r3.Vec           // likewise about B's anchor, N·m·s
}

// block is a part of the system's matrix or of its factor.
type block = [maxRows][maxRows]float64

// articulation is a range of joint constraints that share bodies, directly or through each other.
type articulation struct {
	lo, hi        int32
	factored      bool
	contactPoints int32 // number of points of contact solved with it; -1: it is not taut
}

// jointSolver holds the joints to solve: A λ = r with A = J M⁻¹ Jᵀ, a sparse matrix of one block per pair of joints that
// share a body, solved directly. Neither the length of a chain nor the ratio of its masses slows it down. The order of
// elimination is the reverse of a breadth-first search, so that trees have no fill-in. Source: block Cholesky
// factorisation, Davis 2006, "Direct Methods for Sparse Linear Systems", chapter 4; the order, Baraff 1996, "Linear-Time
// Dynamics using Lagrange Multipliers".
type jointSolver struct {
	groups       []articulation
	constraints  []jointConstraint
	constraintOf []int32 // by joint slot, index into constraints; -1: not solved

	ptr       []int32 // start of each constraint's entries below the diagonal, len(constraints)+1
	entries   []int32 // constraints later in the order
	off       []block // of entries
	diag      []block
	minPivots [][maxRows]float64 // lower bounds of diag's pivots
	x         [][maxRows]float64
	child     []int32 // elimination tree: first child, next sibling
	sibling   []int32
	mark      []int32
}

// gatherJoints lists the joints that have a movable body, and groups them into articulations.
func (w *World) gatherJoints() {
	s := &w.jointSolver
	s.groups, s.constraints = s.groups[:0], s.constraints[:0]
	s.constraintOf = resize(s.constraintOf, len(w.joints.slots))
	for i := range s.constraintOf {
		s.constraintOf[i] = -1
	}
	for _, slot := range w.joints.order {
		if s.constraintOf[slot] >= 0 || !w.addJointConstraint(slot) {
			continue
		}
		lo := len(s.constraints) - 1
		for i := lo; i < len(s.constraints); i++ {
			j := s.constraints[i].joint
			for _, end := range [2]int32{j.a, j.b} {
				if end < 0 || !w.canMove(end) {
					continue
				}
				for _, next := range w.bodies[end].joints {
					if s.constraintOf[next] < 0 {
						w.addJointConstraint(next)
					}
				}
			}
		}
		slices.Reverse(s.constraints[lo:])
		for i := lo; i < len(s.constraints); i++ {
			s.constraintOf[s.constraints[i].slot] = int32(i)
		}
		s.groups = append(s.groups, articulation{lo: int32(lo), hi: int32(len(s.constraints))})
	}
	s.findFill(w)
}

// addJointConstraint lists a joint. It reports false if both bodies are immovable.
func (w *World) addJointConstraint(slot int32) bool {
	j := &w.joints.slots[slot]
	freeA, freeB := j.a >= 0 && w.canMove(j.a), j.b >= 0 && w.canMove(j.b)
	if !freeA && !freeB {
		return false
	}
	s := &w.jointSolver
	s.constraintOf[slot] = int32(len(s.constraints))
	s.constraints = append(s.constraints, jointConstraint{joint: j, slot: slot, a: w.bodyOrWorld(j.a), b: w.bodyOrWorld(j.b), freeA: freeA, freeB: freeB})
	return true
}

// findFill lists, for each constraint, the later ones whose block in its column of the factor is not zero: those with
// which it shares a body, and those of its children in the elimination tree.
func (s *jointSolver) findFill(w *World) {
	n := len(s.constraints)
	s.ptr, s.entries = append(s.ptr[:0], 0), s.entries[:0]
	s.child, s.sibling, s.mark = resize(s.child, n), resize(s.sibling, n), resize(s.mark, n)
	for i := range n {
		s.child[i], s.mark[i] = -1, -1
	}
	for i := range int32(n) {
		l := &s.constraints[i]
		start := len(s.entries)
		for _, end := range [2]int32{l.joint.a, l.joint.b} {
			if end >= 0 && w.canMove(end) {
				for _, slot := range w.bodies[end].joints {
					s.addFill(s.constraintOf[slot], i)
				}
			}
		}
		for c := s.child[i]; c >= 0; c = s.sibling[c] {
			for _, k := range s.entries[s.ptr[c]:s.ptr[c+1]] {
				s.addFill(k, i)
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
	s.diag, s.minPivots, s.x, s.off = resize(s.diag, n), resize(s.minPivots, n), resize(s.x, n), resize(s.off, len(s.entries))
}

// addFill adds constraint k to the column of constraint i, once, if it comes later.
func (s *jointSolver) addFill(k, i int32) {
	if k > i && s.mark[k] != i {
		s.mark[k] = i
		s.entries = append(s.entries, k)
	}
}

// resize is s of length n, with whatever it holds.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// regularisation is added to the diagonal, as a share of a row's own inverse mass (constraint force mixing). It keeps
// the matrix regular where rows are linearly dependent, as in a closed loop, and bounds the impulses of rows that
// contradict each other. A load of a hundred times the mass of a chain opens a joint by a hundredth of a millimetre
// through it.
const regularisation = 1e-4

// assemble writes the matrix of a group's rows in the system.
func (s *jointSolver) assemble(g *articulation) {
	for i := g.lo; i < g.hi; i++ {
		l, d := &s.constraints[i], &s.diag[i]
		l.massBlock(l, d)
		for k, at := range l.selected[:l.n] {
			r := &l.rows.row[at]
			s.minPivots[i][k] = regularisation * d[k][k]
			d[k][k] += s.minPivots[i][k] + r.gamma
		}
		for e := s.ptr[i]; e < s.ptr[i+1]; e++ {
			s.constraints[s.entries[e]].massBlock(l, &s.off[e])
		}
	}
}

// massBlock writes the block J_l M⁻¹ J_mᵀ of the selected rows: rows of l down, of m across. Of a diagonal block it writes the lower triangle.
func (l *jointConstraint) massBlock(m *jointConstraint, out *block) {
	aa, bb := l.freeA && l.a == m.a, l.freeB && l.b == m.b
	ab, ba := l.freeA && l.a == m.b, l.freeB && l.b == m.a
	for i, at := range l.selected[:l.n] {
		p, columns := &l.rows.row[at], m.n
		if l == m {
			columns = i + 1
		}
		for k, at := range m.selected[:columns] {
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
func (s *jointSolver) factor(g *articulation) {
	for p := g.lo; p < g.hi; p++ {
		d, n := &s.diag[p], s.constraints[p].n
		cholesky(d, &s.minPivots[p], n)
		column := s.entries[s.ptr[p]:s.ptr[p+1]]
		for e, r := range column {
			forwardRows(d, &s.off[int(s.ptr[p])+e], s.constraints[r].n, n)
		}
		for e, r := range column {
			b := &s.off[int(s.ptr[p])+e]
			subtractSquare(&s.diag[r], b, s.constraints[r].n, n)
			// The later entries of this column are all in column r, in the same order.
			at := s.ptr[r]
			for f := e + 1; f < len(column); f++ {
				for s.entries[at] != column[f] {
					at++
				}
				subtract(&s.off[at], &s.off[int(s.ptr[p])+f], b, s.constraints[column[f]].n, s.constraints[r].n, n)
			}
		}
	}
}

// solve replaces x by the solution, with the group factored.
func (s *jointSolver) solve(g *articulation) {
	for p := g.lo; p < g.hi; p++ {
		forward(&s.diag[p], &s.x[p], s.constraints[p].n)
		x := s.x[p][:s.constraints[p].n]
		for e := s.ptr[p]; e < s.ptr[p+1]; e++ {
			r, b := s.entries[e], &s.off[e]
			for i := range s.x[r][:s.constraints[r].n] {
				s.x[r][i] = less(s.x[r][i], b[i][:], x)
			}
		}
	}
	for p := g.hi - 1; p >= g.lo; p-- {
		x := s.x[p][:s.constraints[p].n]
		for e := s.ptr[p]; e < s.ptr[p+1]; e++ {
			r, b := s.entries[e], &s.off[e]
			for i, y := range s.x[r][:s.constraints[r].n] {
				row := b[i][:len(x)]
				for k := range x {
					x[k] -= float64(row[k] * y)
				}
			}
		}
		backward(&s.diag[p], &s.x[p], s.constraints[p].n)
	}
}

// less is sum less the products of x and y, as many as x has, one after the other.
func less(sum float64, y, x []float64) float64 {
	y = y[:len(x)]
	for k, v := range x {
		sum -= float64(y[k] * v)
	}
	return sum
}

// cholesky replaces the lower triangle of a, n×n, by its factor. Squares of pivots are bounded from below by least:
// rounding can make those of dependent rows negative.
func cholesky(a *block, least *[maxRows]float64, n int) {
	for j := range a[:n] {
		row := a[j][:j]
		d := math.Sqrt(max(less(a[j][j], row, row), least[j]))
		a[j][j] = d
		for i := j + 1; i < n; i++ {
			a[i][j] = less(a[i][j], a[i][:], row) / d
		}
	}
}

// forward replaces x by L⁻¹x.
func forward(l *block, x *[maxRows]float64, n int) {
	for i := range x[:n] {
		x[i] = less(x[i], l[i][:], x[:i]) / l[i][i]
	}
}

// forwardRows is forward for each of the rows of b. They do not depend on each other, so that their divisions overlap.
func forwardRows(l, b *block, rows, n int) {
	for i := range l[:n] {
		row, d := l[i][:i], l[i][i]
		for r := range b[:rows] {
			b[r][i] = less(b[r][i], b[r][:], row) / d
		}
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

// subtract computes a -= b cᵀ, where b is rows×n and c columns×n.
func subtract(a, b, c *block, rows, columns, n int) {
	for i := range b[:rows] {
		subtractRow(&a[i], b[i][:n], c, columns)
	}
}

// subtractSquare computes the lower triangle of a -= b bᵀ, where b is rows×n.
func subtractSquare(a, b *block, rows, n int) {
	for i := range b[:rows] {
		subtractRow(&a[i], b[i][:n], b, i+1)
	}
}

// subtractRow subtracts from a the products of x with the first rows of c, two at a time.
func subtractRow(a *[maxRows]float64, x []float64, c *block, columns int) {
	k := 0
	for ; k+1 < columns && k+1 < maxRows; k += 2 {
		y, z := c[k][:len(x)], c[k+1][:len(x)]
		s, t := a[k], a[k+1]
		for m, v := range x {
			s -= float64(v * y[m])
			t -= float64(v * z[m])
		}
		a[k], a[k+1] = s, t
	}
	if k < columns {
		a[k] = less(a[k], c[k][:], x)
	}
}
