package pressure

import (
	"cmp"
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// mass applies W = M⁻¹ - M⁻¹Jᵀ(J M⁻¹ Jᵀ + εI)⁻¹J M⁻¹. The tiny ε makes redundant rows harmless.
type mass struct {
	bodies []rigid.Body
	sets   geom.Sets // of bodies: those that joints make depend on each other
	order  []int32   // joints, by the root of their bodies
	rows   []jointRow
	groups []articulation
	chol   []float64
	lambda []float64
	contacts
}

// articulation is a range of rows that depend on each other: J M⁻¹ Jᵀ has no entry between two.
type articulation struct {
	lo, hi int
	chol   []float64 // n×n, lower
}

type jointRow struct {
	a, b  int32
	joint int32
	j, w  [12]float64 // the row, and M⁻¹ times it
}

// compliance, relative to a row's own inverse mass, is what keeps redundant joint rows solvable. Contacts in a heap contradict
// each other besides, by what bodies turn in a step: with 1e-10 a floating heap bursts; with 1e-2 a wedged body trembles.
const (
	compliance        = 1e-10
	contactCompliance = 3e-4
)

// set prepares W, and brings the bodies' prediction onto the rows.
func (m *mass) set(bodies []rigid.Body, joints []rigid.Joint) {
	m.bodies, m.joints = bodies, joints
	m.begin()
	m.gather()
	m.limitArticulations()
	m.hold()
	m.keepContact()
}

// hold brings the prediction onto the rows that were gathered. It is on the joints at the end of the step at best.
func (m *mass) hold() {
	m.factor()
	m.lambda, m.held = arrays.Resize(m.lambda, len(m.rows)), arrays.Resize(m.held, len(m.rows))
	for p := range m.rows {
		r := &m.rows[p]
		m.held[p] = m.joints[r.joint].Expected
		r.apply(m.bodies, m.held[p])
	}
	for p := range m.rows {
		m.lambda[p] = m.rows[p].velocity(m.bodies)
	}
	m.solve()
	for p := range m.rows {
		m.held[p] -= m.lambda[p]
		m.rows[p].apply(m.bodies, -m.lambda[p])
	}
	m.setExpected()
}

// factor makes J M⁻¹ Jᵀ of each group and factors it.
func (m *mass) factor() {
	size := 0
	for _, g := range m.groups {
		size += (g.hi - g.lo) * (g.hi - g.lo)
	}
	m.chol = arrays.Resize(m.chol, size)
	size = 0
	for i := range m.groups {
		g := &m.groups[i]
		n := g.hi - g.lo
		g.chol = m.chol[size : size+n*n]
		size += n * n
		rows := m.rows[g.lo:g.hi]
		for p := range n {
			for q := range p + 1 {
				g.chol[p*n+q] = m.between(&rows[p], &rows[q])
			}
			give := compliance
			if m.joints[rows[p].joint].Kind != rigid.Bilateral {
				give = contactCompliance
			}
			g.chol[p*n+p] += float64(give*g.chol[p*n+p]) + math.SmallestNonzeroFloat32
		}
		dense.Factor(g.chol, n)
	}
}

// gather lists the rows of joints between bodies that something can move, by articulation.
func (m *mass) gather() {
	joints := m.joints
	m.sets.Reset(len(m.bodies))
	m.order = m.order[:0]
	for i := range joints {
		m.at[i] = -1
		if m.left[i] {
			continue
		}
		a, b := joints[i].A, joints[i].B
		if m.free(a) && m.free(b) {
			m.sets.Join(a, b)
		}
		if m.free(a) || m.free(b) {
			m.order = append(m.order, int32(i))
		}
	}
	of := func(i int32) int32 {
		if j := &joints[i]; m.free(j.A) {
			return m.sets.Find(j.A)
		}
		return m.sets.Find(joints[i].B)
	}
	slices.SortStableFunc(m.order, func(i, j int32) int { return cmp.Compare(of(i), of(j)) })
	m.rows, m.groups = m.rows[:0], m.groups[:0]
	for k, i := range m.order {
		if k == 0 || of(i) != of(m.order[k-1]) {
			m.groups = append(m.groups, articulation{lo: len(m.rows)})
		}
		j := &joints[i]
		m.at[i] = int32(len(m.rows))
		for r := range j.N {
			m.rows = append(m.rows, m.row(i, &j.Rows[r]))
		}
		m.groups[len(m.groups)-1].hi = len(m.rows)
	}
}

// row makes a row of joint i.
func (m *mass) row(i int32, j *[12]float64) jointRow {
	r := jointRow{a: m.joints[i].A, b: m.joints[i].B, joint: i, j: *j}
	for s, b := range [2]int32{r.a, r.b} {
		if b >= 0 {
			respond(&m.bodies[b], (*[6]float64)(r.w[6*s:]), (*[6]float64)(r.j[6*s:]))
		}
	}
	return r
}

// free tells whether something can move a body.
func (m *mass) free(b int32) bool { return b >= 0 && m.bodies[b].InverseMass > 0 }

// solve replaces lambda by (J M⁻¹ Jᵀ + εI)⁻¹ lambda.
func (m *mass) solve() {
	for _, g := range m.groups {
		dense.Solve(g.chol, m.lambda[g.lo:g.hi])
	}
}

// between is J_p M⁻¹ J_qᵀ.
func (m *mass) between(p, q *jointRow) float64 {
	sum := 0.
	for s, b := range [2]int32{p.a, p.b} {
		for t, c := range [2]int32{q.a, q.b} {
			if b == c && b >= 0 {
				sum += rigid.Dot((*[6]float64)(p.j[6*s:]), (*[6]float64)(q.w[6*t:]))
			}
		}
	}
	return sum
}

// respond sets w = M⁻¹ v, with the liquid in the gap and what other liquids add in M.
func respond(b *rigid.Body, w, v *[6]float64) {
	for i := range b.InverseWithGap {
		w[i] = rigid.Dot(&b.InverseWithGap[i], v)
	}
}

func (r *jointRow) velocity(bodies []rigid.Body) float64 {
	sum := 0.
	for s, b := range [2]int32{r.a, r.b} {
		if b >= 0 {
			for i := range 6 {
				sum += float64(r.j[6*s+i] * bodies[b].V[i])
			}
		}
	}
	return sum
}

// apply changes velocities by M⁻¹Jᵀλ.
func (r *jointRow) apply(bodies []rigid.Body, lambda float64) {
	for s, b := range [2]int32{r.a, r.b} {
		if b >= 0 {
			for i := range 6 {
				bodies[b].V[i] += float64(lambda * r.w[6*s+i])
			}
		}
	}
}

// apply is dst = W src, both of six per body.
func (m *mass) apply(dst, src []float64) {
	for b := range m.bodies {
		if to := (*[6]float64)(dst[6*b:]); m.bodies[b].InverseMass > 0 {
			respond(&m.bodies[b], to, (*[6]float64)(src[6*b:]))
		} else {
			*to = [6]float64{}
		}
	}
	if len(m.rows) == 0 {
		return
	}
	m.resist(dst)
	for p := range m.rows {
		r := &m.rows[p]
		for s, b := range [2]int32{r.a, r.b} {
			if b < 0 {
				continue
			}
			to, w := (*[6]float64)(dst[6*b:]), (*[6]float64)(r.w[6*s:])
			for i := range to {
				to[i] -= float64(m.lambda[p] * w[i])
			}
		}
	}
}

// resist sets lambda to the impulses that would undo velocities, six per body, along the rows.
func (m *mass) resist(velocity []float64) {
	for p := range m.rows {
		r, sum := &m.rows[p], 0.
		for s, b := range [2]int32{r.a, r.b} {
			if b >= 0 {
				sum += rigid.Dot((*[6]float64)(r.j[6*s:]), (*[6]float64)(velocity[6*b:]))
			}
		}
		m.lambda[p] = sum
	}
	m.solve()
}

// couple lays out K for the solver. Bodies that can not be moved have no part in K. Rows that have a part can not be eliminated.
func (s *Solver) couple(bodies []rigid.Body) {
	k := &s.k
	k.Ptr, k.Col, k.Val = append(k.Ptr[:0], 0), k.Col[:0], k.Val[:0]
	for i := range s.gr.Bodies {
		w, b := &s.gr.Bodies[i], &bodies[i]
		if b.InverseMass > 0 {
			k.Col, k.Val = append(k.Col, w.Row...), append(k.Val, w.K...)
			for _, r := range w.Row {
				s.matrix.Red[r] = false
			}
		}
		k.Ptr = append(k.Ptr, int32(len(k.Col)))
	}
}

// drive adds the bodies' own motion, times a factor, to the right-hand side.
func (s *Solver) drive(bodies []rigid.Body, factor float64) {
	for i := range s.gr.Bodies {
		w, v := &s.gr.Bodies[i], &bodies[i].V
		if *v == ([6]float64{}) {
			continue
		}
		for e, r := range w.Row {
			s.rhs[r] += float64(factor * rigid.Dot(&w.K[e], v))
		}
	}
}

// moveBodies gives the bodies V = V* + W K π, and the impulse K π with what the liquid in the gap
// gave or took.
func (s *Solver) moveBodies(bodies []rigid.Body) {
	s.receive(len(bodies))
	for i := range bodies {
		copy(bodies[i].Impulse[:], s.kpi[6*i:])
		for d := range 6 {
			bodies[i].V[d] += s.impulse[6*i+d]
		}
		subtractGap(&bodies[i])
		s.react(&bodies[i], &s.gr.Bodies[i])
	}
	s.mass.keepTaken(s.kpi, s.impulse)
}

// receive sets kpi to K π and impulse to W K π.
func (s *Solver) receive(bodies int) {
	s.gatherImpulses(bodies)
	s.pushByBubbles()
	s.mass.apply(s.impulse, s.kpi)
}

// gatherImpulses sets kpi to K π.
func (s *Solver) gatherImpulses(bodies int) {
	s.resizeMotion(bodies)
	for i := range s.gr.Bodies {
		w := &s.gr.Bodies[i]
		var sum [6]float64
		for e, r := range w.Row {
			for d := range 6 {
				sum[d] += float64(w.K[e][d] * s.pi[r])
			}
		}
		copy(s.kpi[6*i:], sum[:])
	}
}

func (s *Solver) resizeMotion(bodies int) {
	s.impulse, s.kpi = arrays.Resize(s.impulse, 6*bodies), arrays.Resize(s.kpi, 6*bodies)
}
