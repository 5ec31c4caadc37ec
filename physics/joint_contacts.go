package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A jointed body in contact has an effective mass beyond its own: a link of a chain over a drum has that of all that
// hangs from it. Iterations that know only the link need a number of passes in proportion to that ratio. Contacts of
// articulations under high tension are therefore solved together with the joints. In the system [A Jc; Jcᵀ K] of joints
// and points of contact A is factored already; the Schur complement C = K - JcᵀA⁻¹Jc is small, and the normal impulses
// solve a linear complementarity problem in C. Source: Baraff 1996, "Linear-Time Dynamics using Lagrange Multipliers", §7.

const (
	// tautLoad is the force in a joint, in weights of the lighter body that it holds, from which on its articulation counts
	// as taut, and the normals of its contacts are solved with it. Ragdolls at rest have less.
	tautLoad = 8
	// maxJointContacts bounds the points of one articulation: the work grows with their square, and the third power of the active ones.
	maxJointContacts = 128
	// pointCompliance is added to C's diagonal, as a share of a point's own inverse mass. It bounds the impulses where
	// joints and points contradict each other, as for a limb squeezed against its limit; the next pass corrects the rest.
	pointCompliance = 0.1
	// maxActiveSetChanges bounds how often the active points change in a pass.
	maxActiveSetChanges = 12
)

// jointContact is a point of contact of a body of an articulation.
type jointContact struct {
	group int32
	k     *contactConstraint
	l     *constraintPoint
	a, b  *body
}

// jointContacts are the points of contact of the taut articulations of a substep group, sorted by articulation.
type jointContacts struct {
	all          []jointContact
	firstRow     []int32     // of each constraint of an articulation in y
	y            []float64   // L⁻¹Jc, a row for each point
	firstNonzero []int32     // of each row of y, the index of its first nonzero
	c, f         [][]float64 // C, and the Cholesky factor of its active part
	storage      []float64   // of both
	rhs          []float64   // of each point, speed without impulses less the wanted one, m/s
	impulse      []float64   // impulses, N·s
	active       []int32     // the points in the active set
	isActive     []bool
}

// isTaut reports whether a joint of the group pulled hard in the last step.
func (s *jointSolver) isTaut(g *articulation, gravity float64) bool {
	for i := g.lo; i < g.hi; i++ {
		l := &s.constraints[i]
		least := math.Inf(1)
		if l.freeA {
			least = l.a.mass.Mass
		}
		if l.freeB {
			least = min(least, l.b.mass.Mass)
		}
		if reproducible.Norm(l.joint.force) > tautLoad*gravity*least {
			return true
		}
	}
	return false
}

// listJointContacts lists the points of contact of the taut articulations of a substep group.
func (w *World) listJointContacts(t *substepGroup) {
	p := &w.jointContacts
	p.all = p.all[:0]
	taut, gravity := false, reproducible.Norm(w.def.Gravity)
	for i := range t.joints {
		g := &t.joints[i]
		g.contactPoints = -1
		if g.hi-g.lo > 1 && w.jointSolver.isTaut(g, gravity) {
			g.contactPoints, taut = 0, true
		}
	}
	if !taut {
		return
	}
	for i := range t.constraints {
		k := &t.constraints[i]
		ga, gb := w.tautArticulation(t, k.a), w.tautArticulation(t, k.b)
		if ga == gb {
			gb = -1
		}
		for _, g := range [2]int32{ga, gb} {
			if g < 0 {
				continue
			}
			for n := range k.points {
				if l := &k.points[n]; l.normal.mass > 0 {
					t.joints[g].contactPoints++
					p.all = append(p.all, jointContact{g, k, l, k.a, k.b})
				}
			}
		}
	}
	p.all = slices.DeleteFunc(p.all, func(x jointContact) bool { return t.joints[x.group].contactPoints > maxJointContacts })
	slices.SortStableFunc(p.all, func(x, y jointContact) int { return int(x.group - y.group) })
	for i := range p.all {
		p.all[i].l.coupled, p.all[i].k.coupled = true, true
	}
}

// refreshJointContacts runs the narrow phase again for the contacts of taut articulations, where their bodies are in the
// middle of a step. A link that rocks on its support moves to another point of contact, and under such a load the update
// of the next step is too late.
func (w *World) refreshJointContacts(t *substepGroup) {
	if len(w.jointContacts.all) == 0 {
		return
	}
	q := &w.pairing
	for i := range t.constraints {
		k := &t.constraints[i]
		if !k.coupled {
			continue
		}
		c := k.contact
		k.a.updateRotation()
		k.b.updateRotation()
		sa, sb := &w.shapes[c.shapeA], &w.shapes[c.shapeB]
		sa.updatePose(k.a)
		sb.updatePose(k.b)
		q.solidA, q.solidB, q.manifold.n = sa.solid(c.partA), sb.solid(c.partB), 0
		w.collide(&q.solidA, &q.solidB, reproducible.Scale(t.h, r3.Sub(k.a.v, k.b.v)), &q.manifold)
		for n := range k.points {
			l := &k.points[n]
			for m := range q.manifold.points[:q.manifold.n] {
				if h := &q.manifold.points[m]; h.id == c.points[n].id {
					f := r3.Add(reproducible.Scale(l.f1, l.t1.n), reproducible.Scale(l.f2, l.t2.n))
					l.setPoint(k, h)
					l.f1, l.f2 = reproducible.Dot(f, l.t1.n), reproducible.Dot(f, l.t2.n)
					break
				}
			}
		}
	}
}

// tautArticulation is the index in t.joints of the body's articulation, -1 if it has none or that is not taut.
func (w *World) tautArticulation(t *substepGroup, b *body) int32 {
	if len(b.joints) == 0 || b.kind != Dynamic || !b.awake || b.invMass == 0 {
		return -1
	}
	at := w.jointSolver.constraintOf[b.joints[0]]
	g, _ := slices.BinarySearchFunc(t.joints, at, func(g articulation, at int32) int {
		switch {
		case g.hi <= at:
			return -1
		case g.lo > at:
			return 1
		}
		return 0
	})
	if g == len(t.joints) || t.joints[g].lo > at || t.joints[g].contactPoints < 0 {
		return -1
	}
	return int32(g)
}

// solveJointContacts solves for the normal impulses of the taut articulations of a substep group.
func (w *World) solveJointContacts(t *substepGroup, bias bool) {
	p := &w.jointContacts
	for lo := 0; lo < len(p.all); {
		hi, g := lo+1, p.all[lo].group
		for hi < len(p.all) && p.all[hi].group == g {
			hi++
		}
		w.solveJointContactGroup(t, &t.joints[g], p.all[lo:hi], bias)
		lo = hi
	}
}

func (w *World) solveJointContactGroup(t *substepGroup, g *articulation, all []jointContact, bias bool) {
	p, s := &w.jointContacts, &w.jointSolver
	if !g.factored {
		s.assemble(g)
		s.factor(g)
		g.factored = true
	}
	for i := range all { // the bodies have turned
		all[i].l.normal.computeMass(all[i].a, all[i].b)
	}
	p.buildMatrix(s, g, all)
	p.setTargets(t, all, w.def.PushSpeed, bias)
	p.solveComplementarity()
	for i := range all {
		x := &all[i]
		m := velocitiesOf(x.a, x.b)
		m.applyImpulse(&x.l.normal, p.impulse[i]-x.l.impulse)
		m.store(x.a, x.b)
		x.l.impulse = p.impulse[i]
		x.l.peak = max(x.l.peak, x.l.impulse)
	}
	s.solvePass(g, bias)
}

// buildMatrix writes C: the change of speed at each point for a unit impulse at each, with the joints held.
func (p *jointContacts) buildMatrix(s *jointSolver, g *articulation, all []jointContact) {
	n, rows := len(all), int32(0)
	p.firstRow = resize(p.firstRow, int(g.hi-g.lo))
	for i := g.lo; i < g.hi; i++ {
		p.firstRow[i-g.lo] = rows
		rows += int32(s.constraints[i].n)
	}
	p.y, p.storage = resize(p.y, n*int(rows)), resize(p.storage, 2*n*n)
	p.c, p.f, p.firstNonzero = resize(p.c, n), resize(p.f, n), resize(p.firstNonzero, n)
	for i := range n {
		p.c[i], p.f[i] = p.storage[i*n:(i+1)*n], p.storage[(n+i)*n:(n+i+1)*n]
		y := p.y[i*int(rows) : (i+1)*int(rows)]
		p.firstNonzero[i] = p.jointResponse(s, g, &all[i], y)
		for k := range i + 1 {
			first := max(p.firstNonzero[i], p.firstNonzero[k])
			sum := freeResponse(&all[i], &all[k]) - product(y[first:], p.y[k*int(rows)+int(first):(k+1)*int(rows)])
			p.c[i][k], p.c[k][i] = sum, sum
		}
	}
}

// product is the dot product of two vectors, in four independent sums.
func product(x, y []float64) float64 {
	var sum [4]float64
	y = y[:len(x)]
	for len(x) >= 4 {
		sum[0] += float64(x[0] * y[0])
		sum[1] += float64(x[1] * y[1])
		sum[2] += float64(x[2] * y[2])
		sum[3] += float64(x[3] * y[3])
		x, y = x[4:], y[4:]
	}
	for i := range x {
		sum[0] += float64(x[i] * y[i])
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3])
}

// jointResponse writes L⁻¹ times the rates that a unit impulse at a point gives to the rows of the articulation, and
// returns the index of the first nonzero.
func (p *jointContacts) jointResponse(s *jointSolver, g *articulation, x *jointContact, y []float64) int32 {
	for i := g.lo; i < g.hi; i++ {
		s.x[i] = [maxRows]float64{}
	}
	first := g.hi
	r := &x.l.normal
	for end, b := range [2]*body{x.a, x.b} {
		if b.invMass == 0 {
			continue
		}
		v, spin := mulElem(b.mobility, r.n), r.iB
		if end == 0 {
			v, spin = reproducible.Scale(-1, v), reproducible.Scale(-1, r.iA)
		}
		for _, slot := range b.joints {
			i := s.constraintOf[slot]
			if i < g.lo || i >= g.hi {
				continue
			}
			first = min(first, i)
			s.constraints[i].addRates(b, v, spin, &s.x[i])
		}
	}
	clear(y)
	for i := first; i < g.hi; i++ {
		n := s.constraints[i].n
		if s.x[i] == ([maxRows]float64{}) {
			continue
		}
		forward(&s.diag[i], &s.x[i], n)
		copy(y[p.firstRow[i-g.lo]:], s.x[i][:n])
		for e := s.ptr[i]; e < s.ptr[i+1]; e++ {
			k := s.entries[e]
			for a := range s.constraints[k].n {
				for c := range n {
					s.x[k][a] -= float64(s.off[e][a][c] * s.x[i][c])
				}
			}
		}
	}
	return p.firstRow[first-g.lo]
}

// addRates adds to x the rates of the selected rows for a velocity and a spin of body b.
func (l *jointConstraint) addRates(b *body, v, spin r3.Vec, x *[maxRows]float64) {
	for i, at := range l.selected[:l.n] {
		r := &l.rows.row[at]
		if l.freeB && l.b == b {
			x[i] += reproducible.Dot(r.lin, v) + reproducible.Dot(r.angB, spin)
		}
		if l.freeA && l.a == b {
			x[i] -= reproducible.Dot(r.lin, v) + reproducible.Dot(r.angA, spin)
		}
	}
}

// freeResponse is the change of speed at x for a unit impulse at y, without joints.
func freeResponse(x, y *jointContact) (sum float64) {
	r, q := &x.l.normal, &y.l.normal
	nn := mulElem(r.n, q.n)
	if x.a == y.a {
		sum += reproducible.Dot(x.a.mobility, nn) + reproducible.Dot(r.cA, q.iA)
	}
	if x.b == y.b {
		sum += reproducible.Dot(x.b.mobility, nn) + reproducible.Dot(r.cB, q.iB)
	}
	if x.a == y.b {
		sum -= reproducible.Dot(x.a.mobility, nn) + reproducible.Dot(r.cA, q.iB)
	}
	if x.b == y.a {
		sum -= reproducible.Dot(x.b.mobility, nn) + reproducible.Dot(r.cB, q.iA)
	}
	return sum
}

// setTargets computes the right-hand side, as solveNormals does, and the initial active set, and adds the compliance to
// the diagonal of C.
func (p *jointContacts) setTargets(t *substepGroup, all []jointContact, push float64, bias bool) {
	soft, rate := softness{0, 1, 0}, 1/t.h
	if bias {
		soft = contactSoftness(t.h)
	}
	n := len(all)
	p.rhs, p.impulse, p.isActive = resize(p.rhs, n), resize(p.impulse, n), resize(p.isActive, n)
	for i := range all {
		x := &all[i]
		l := x.l
		if !bias { // the bodies have moved
			l.sep = l.separation(x.a, x.b)
		}
		m := velocitiesOf(x.a, x.b)
		p.rhs[i] = m.speed(&l.normal)
		p.isActive[i], p.impulse[i] = l.impulse > 0, l.impulse
		for k := range all {
			p.rhs[i] -= float64(p.c[i][k] * all[k].l.impulse)
		}
		loose, soften := float64(pointCompliance*freeResponse(x, x)), 0.0
		if l.sep > 0 {
			p.rhs[i] += float64(l.sep * rate)
		} else {
			p.rhs[i] += max(float64(soft.bias*l.sep), -push)
			soften = soft.impulse / soft.mass * max(p.c[i][i], loose)
		}
		p.rhs[i] -= float64(loose * l.impulse)
		own := p.c[i][i] + loose + soften
		p.c[i][i] = own
	}
}

// solveComplementarity solves for impulses ≥ 0: active points reach their wanted speed, the others separate.
func (p *jointContacts) solveComplementarity() {
	for turn := 0; ; turn++ {
		p.solveActive()
		changed := false
		for i, in := range p.isActive {
			if in && p.impulse[i] < 0 {
				p.isActive[i], changed = false, true
			}
		}
		if !changed {
			for i, in := range p.isActive {
				if !in && p.residual(i) < -1e-9 {
					p.isActive[i], changed = true, true
				}
			}
		}
		if !changed {
			return
		}
		if turn == maxActiveSetChanges {
			break
		}
	}
	// The active set does not settle: projected Gauss-Seidel from the last solution.
	for i := range p.impulse {
		p.impulse[i] = max(p.impulse[i], 0)
	}
	for range maxActiveSetChanges {
		for i := range p.impulse {
			p.impulse[i] = max(p.impulse[i]-p.residual(i)/p.c[i][i], 0)
		}
	}
}

// residual is the speed at point i after the impulses, less the wanted one, m/s.
func (p *jointContacts) residual(i int) float64 {
	sum := p.rhs[i]
	for k, x := range p.impulse {
		sum += float64(p.c[i][k] * x)
	}
	return sum
}

// solveActive solves for the impulses of the active points by Cholesky factorisation; the others are 0.
func (p *jointContacts) solveActive() {
	p.active = p.active[:0]
	for i, in := range p.isActive {
		if p.impulse[i] = 0; in {
			p.active = append(p.active, int32(i))
		}
	}
	for r, i := range p.active {
		row := p.f[r]
		sum := -p.rhs[i]
		for q, k := range p.active[:r+1] {
			d := p.c[i][k]
			other := p.f[q]
			for m := range q {
				d -= float64(row[m] * other[m])
			}
			if q < r {
				row[q] = d / other[q]
				sum -= float64(row[q] * p.impulse[k])
			} else {
				row[r] = math.Sqrt(max(d, float64(regularisation*p.c[i][i]/2)))
			}
		}
		p.impulse[i] = sum / row[r]
	}
	for r := len(p.active) - 1; r >= 0; r-- {
		i := p.active[r]
		for q := r + 1; q < len(p.active); q++ {
			p.impulse[i] -= float64(p.f[q][r] * p.impulse[p.active[q]])
		}
		p.impulse[i] /= p.f[r][r]
	}
}
