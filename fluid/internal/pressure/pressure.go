// Package pressure makes the liquid incompressible and moves the rigid bodies in it, in
// one symmetric positive definite solve.
//
// Unknown is the pressure impulse π = dt·p per row, Pa·s:
//
//	(L + Kᵀ W K) π = Q - D u* - Kᵀ V*,   u = u* - Δπ/(ρ d),   V = V* + W K π,
//
// with W the inverse mass, reduced by the joints (methods.md §1 finding 11, §2; Klingner et
// al. 2006 §3.4; Batty, Bertails, Bridson 2007; Ng, Min, Gibou 2009).
package pressure

import (
	"errors"

	"github.com/meniscus3d/meniscus/fluid/internal/amg"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Options bound a solve.
type Options struct {
	Tolerance     float64 // of the residual against the right-hand side
	MaxIterations int
	Deadline      func() bool // true ends the solve; may be nil
}

// Report says how a solve went.
type Report struct {
	Iterations int
	Residual   float64 // true, relative
	Nonzeros   int     // diagonal and upper triangle
	Components int
	Converged  bool
}

// Solver holds the scratch of a solve.
type Solver struct {
	pool   *par.Pool
	amg    *amg.Solver
	matrix amg.Matrix
	levels []amg.Level
	k      amg.Coupling
	mass   mass

	face    []face
	entries []uint8 // per face: what each row on it has in its row of L for it
	rhs     []float64

	graph.Components
	Fastest  []float64 // per FaceChunk faces: the greatest velocity after Solve, m/s; NaN if one is not finite
	singular []int32
	kpi      []float64
	impulse  []float64

	gr                                     *graph.Graph
	rho, dt                                float64
	source                                 []float64
	pi                                     []float64
	coefBody, countBody, rowBody, faceBody par.Body
}

// face is what the rows on a face need of it.
type face struct {
	a, b int32
	coef float64 // A w / (ρ d)
	flux float64 // A w u, m³/s
}

// New makes a solver.
func New(pool *par.Pool) *Solver {
	s := &Solver{pool: pool, amg: amg.New(pool)}
	s.k.Apply = s.mass.apply
	s.coefBody = func(_, lo, hi int) { s.coefficients(lo, hi) }
	s.countBody = func(_, lo, hi int) { s.countEntries(lo, hi) }
	s.rowBody = func(_, lo, hi int) { s.assemble(lo, hi) }
	s.faceBody = func(_, lo, hi int) { s.updateFaces(lo, hi) }
	return s
}

const grain = 1024

// FaceChunk is how many faces an entry of Fastest is for.
const FaceChunk = grain

// worstResidual is the relative residual above which an iterate is no use: doing nothing leaves 1.
const worstResidual = .9

// ErrDiverged says that the solve got nowhere; nothing was applied.
var ErrDiverged = errors.New("pressure: the solve did not converge")

func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+n/4+64)
}

// Prepare labels the graph's connected components in Label, tells in Closed which of them touch
// no air, and returns how many there are. Solve must follow with the same graph.
func (s *Solver) Prepare(gr *graph.Graph) int {
	s.Find(gr)
	return len(s.Closed)
}

// Solve finds the pressure impulses and applies them to the faces' velocities and the bodies.
//
// pi: len rows, Pa·s; initial guess in, solution out. source: len rows, wanted outflow of each
// row, m³/s. bodies go with gr.Bodies: predicted velocities in, final ones out, and the impulse
// received. An error leaves U and bodies as they were, but for amg.ErrNotConverged, with which
// the best iterate has been applied.
func (s *Solver) Solve(gr *graph.Graph, rho, dt float64, bodies []Body, joints []Joint, source, pi []float64, opt Options) (Report, error) {
	s.gr, s.rho, s.dt, s.source, s.pi = gr, rho, dt, source, pi
	defer func() { s.gr, s.source, s.pi = nil, nil, nil }()
	s.face, s.entries, s.rhs = resize(s.face, gr.Faces()), resize(s.entries, gr.Faces()), resize(s.rhs, gr.Rows)
	for i := range bodies {
		if part := bodies[i].fillGap(&gr.Bodies[i], rho); part < 1 {
			shorten(gr, &gr.Bodies[i], 1-part)
		}
	}
	s.pool.For(gr.Faces(), grain, s.coefBody)
	s.shape()
	s.pool.For(gr.Rows, grain, s.rowBody)
	s.mass.set(bodies, joints)
	s.couple(bodies)
	s.findSingular(bodies)
	rep := Report{Components: len(s.Closed), Nonzeros: gr.Rows + len(s.matrix.Col)/2}
	s.hierarchy()
	r, err := s.amg.Solve(amg.System{L: &s.matrix, K: &s.k, Levels: s.levels}, pi, s.rhs, amg.Options{
		Tol: opt.Tolerance, MaxIter: opt.MaxIterations, Deadline: opt.Deadline,
		Component: s.Label, Singular: s.singular,
	})
	rep.Iterations, rep.Residual, rep.Converged = r.Iterations, r.Residual, r.Converged
	if err != nil && err != amg.ErrNotConverged {
		return rep, err
	}
	if rep.Residual > worstResidual {
		return rep, ErrDiverged
	}
	s.Fastest = resize(s.Fastest, par.Chunks(gr.Faces(), FaceChunk))
	s.pool.For(gr.Faces(), FaceChunk, s.faceBody)
	s.moveBodies(bodies)
	return rep, err
}

func (s *Solver) coefficients(lo, hi int) {
	g, faces := s.gr, s.face[lo:hi]
	n := len(faces)
	a, b, area, open, dist, u := g.A[lo:hi][:n], g.B[lo:hi][:n], g.Area[lo:hi][:n], g.Open[lo:hi][:n], g.Dist[lo:hi][:n], g.U[lo:hi][:n]
	count := s.entries[lo:hi][:n]
	for f := range faces {
		free := area[f] * open[f]
		faces[f] = face{a[f], b[f], free / (s.rho * dist[f]), free * u[f]}
		count[f] = 1
		if a[f]|b[f] < 0 {
			count[f] = rows(g, a[f]) + rows(g, b[f]) - 1
		}
	}
}

// rows counts the rows on a side of a face.
func rows(gr *graph.Graph, side int32) (n uint8) {
	switch {
	case side >= 0:
		return 1
	case side != graph.Air:
		for _, r := range gr.Quads[^side] {
			if r != graph.Air {
				n++
			}
		}
	}
	return n
}

// countEntries counts the entries of a chunk of rows, into the place in Ptr of the row behind it.
func (s *Solver) countEntries(lo, hi int) {
	count, n := s.entries, int32(0)
	for r := range s.gr.Sides[lo:hi] {
		for _, f := range &s.gr.Sides[lo+r] {
			if f >= 0 {
				n += int32(count[f])
			}
		}
	}
	s.matrix.Ptr[hi] = n
}

// shape lays out the rows of the matrix: a chunk's entries begin at Ptr of its first row.
func (s *Solver) shape() {
	m, rows := &s.matrix, s.gr.Rows
	m.Diag, m.Ptr = resize(m.Diag, rows), resize(m.Ptr, rows+1)
	s.pool.For(rows, grain, s.countBody)
	m.Ptr[0] = 0
	for lo := 0; lo < rows; lo += grain {
		m.Ptr[min(rows, lo+grain)] += m.Ptr[lo]
	}
	n := int(m.Ptr[rows])
	m.Col, m.Val = resize(m.Col, n), resize(m.Val, n)
}

// assemble writes a chunk of rows of L and of the right-hand side without the bodies' part.
func (s *Solver) assemble(lo, hi int) {
	m, sides, first := &s.matrix, s.gr.Sides[lo:hi], s.matrix.Ptr[lo]
	l := lines{faces: s.face, col: m.Col[first:m.Ptr[hi]], val: m.Val[first:m.Ptr[hi]]}
	ptr, diag, rhs, source := m.Ptr[lo:hi], m.Diag[lo:hi], s.rhs[lo:hi], s.source[lo:hi]
	ptr, diag, rhs, source = ptr[:len(sides)], diag[:len(sides)], rhs[:len(sides)], source[:len(sides)]
	for k := range sides {
		if k > 0 { // the other chunk has written its own
			ptr[k] = first + int32(l.at)
		}
		l.diag, l.rhs = 0, source[k]
		if side := &sides[k]; !l.inner(side) {
			for i, f := range side {
				if f < 0 {
					continue
				}
				if face := &l.faces[f]; face.a|face.b >= 0 {
					l.join(face, i)
				} else {
					s.addFace(&l, f, i, int32(lo+k))
				}
			}
		}
		diag[k], rhs[k] = l.diag, l.rhs
	}
}

// lines is what assemble writes: entries of the matrix, the next of them at, and diagonal and right-hand side of the row at hand.
type lines struct {
	faces     []face
	col       []int32
	val       []float64
	at        int
	diag, rhs float64
}

// inner writes a row that has six faces to six rows, as most have; otherwise it returns false.
func (l *lines) inner(side *[6]int32) bool {
	if side[0]|side[1]|side[2]|side[3]|side[4]|side[5] < 0 {
		return false
	}
	f0, f1, f2 := &l.faces[side[0]], &l.faces[side[1]], &l.faces[side[2]]
	f3, f4, f5 := &l.faces[side[3]], &l.faces[side[4]], &l.faces[side[5]]
	if f0.a|f1.b|f2.a|f3.b|f4.a|f5.b|f0.b|f1.a|f2.b|f3.a|f4.b|f5.a < 0 {
		return false
	}
	col, val := (*[6]int32)(l.col[l.at:]), (*[6]float64)(l.val[l.at:])
	col[0], col[1], col[2], col[3], col[4], col[5] = f0.a, f1.b, f2.a, f3.b, f4.a, f5.b
	val[0], val[1], val[2], val[3], val[4], val[5] = -f0.coef, -f1.coef, -f2.coef, -f3.coef, -f4.coef, -f5.coef
	l.diag = f0.coef + f1.coef + f2.coef + f3.coef + f4.coef + f5.coef
	l.rhs = l.rhs + f0.flux - f1.flux + f2.flux - f3.flux + f4.flux - f5.flux
	l.at += 6
	return true
}

// add adds an entry.
func (l *lines) add(col int32, val float64) {
	l.col[l.at], l.val[l.at] = col, val
	l.at++
}

// join adds a face to another row, on a side of the row.
func (l *lines) join(f *face, side int) {
	other, flux := f.b, f.flux
	if side&1 == 0 {
		other, flux = f.a, -flux
	}
	l.add(other, -f.coef)
	l.diag += f.coef
	l.rhs -= flux
}

// addFace adds face i, on a side of row r and composite or to the air, to the row.
func (s *Solver) addFace(l *lines, i int32, side int, r int32) {
	g, f := s.gr, &s.face[i]
	mine, other, flux := f.a, f.b, f.flux
	if side&1 == 0 {
		mine, other, flux = other, mine, -flux
	}
	air := g.Jump[i] * s.dt
	c := f.coef
	if mine >= 0 {
		l.diag += c
	} else {
		c, flux = c/4, flux/4
		t := 0.
		if g.Tied[^mine] {
			t = tie * c
		}
		for _, q := range g.Quads[^mine] {
			switch {
			case q == r:
				l.diag += c / 4
			case q != graph.Air:
				l.add(q, c/4-t)
				l.diag += t
			default:
				l.rhs -= c / 4 * air
			}
		}
	}
	switch {
	case other >= 0:
		l.add(other, -c)
	case other == graph.Air:
		l.rhs += c * air
	default:
		for _, q := range g.Quads[^other] {
			if q == graph.Air {
				l.rhs += c / 4 * air
				continue
			}
			l.add(q, -c/4)
		}
	}
	l.rhs -= flux
}

// hierarchy hands the graph's aggregation to the multigrid. Levels on which no two unknowns join are
// left out.
func (s *Solver) hierarchy() {
	g := s.gr
	s.levels = s.levels[:0]
	size := g.Size
	for i := range g.Levels {
		l := &g.Levels[i]
		if l.Count == len(l.Parent) {
			continue
		}
		s.levels = append(s.levels, amg.Level{Parent: l.Parent, Size: size})
		size = l.Size
	}
	s.levels = append(s.levels, amg.Level{Size: size})
}

// findSingular lists the closed components in which no body gives way.
func (s *Solver) findSingular(bodies []Body) {
	s.singular = s.singular[:0]
	for c, closed := range s.Closed {
		if closed && !s.gives(int32(c), bodies) {
			s.singular = append(s.singular, int32(c))
		}
	}
}

// tie is the conductance between the four fine cells of a tied composite face, as a part of their
// own share in it. A composite face sees their mean alone: where solids shut their other
// faces, pressures of opposite sign would go unseen and the matrix be singular.
const tie = .05

// leastGive is the part of the wetted area, summed up as vectors, that must not cancel for a
// component to push a body along. A pocket that a body encloses has none but rounding.
const leastGive = 1e-3

// gives tells whether some movable body is pushed by a uniform pressure in a component.
func (s *Solver) gives(c int32, bodies []Body) bool {
	for i := range s.gr.Bodies {
		if bodies[i].InverseMass == 0 {
			continue
		}
		w := &s.gr.Bodies[i]
		var sum [6]float64
		size := 0.
		for e, r := range w.Row {
			if s.Label[r] == c {
				for d := range 6 {
					sum[d] += w.K[e][d]
				}
				size += abs(w.K[e][0]) + abs(w.K[e][1]) + abs(w.K[e][2])
			}
		}
		for d := range 3 {
			if abs(sum[d]) > leastGive*size {
				return true
			}
		}
	}
	return false
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// updateFaces takes the pressure's part off the velocities of a chunk of faces, and notes the greatest.
func (s *Solver) updateFaces(lo, hi int) {
	g, pi, top, odd := s.gr, s.pi, 0., 0.
	u := g.U[lo:hi]
	a, b, dist := g.A[lo:hi][:len(u)], g.B[lo:hi][:len(u)], g.Dist[lo:hi][:len(u)]
	for i, v := range u {
		if a[i]|b[i] >= 0 {
			v -= (pi[b[i]] - pi[a[i]]) / (s.rho * dist[i])
		} else {
			air := g.Jump[lo+i] * s.dt
			v -= (g.Mean(b[i], pi, air) - g.Mean(a[i], pi, air)) / (s.rho * dist[i])
		}
		u[i] = v
		odd += v - v // NaN, if it is not finite
		if v > top || v < -top {
			top = abs(v)
		}
	}
	s.Fastest[lo/FaceChunk] = top + odd
}
