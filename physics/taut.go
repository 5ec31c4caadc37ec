package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Bodies in contact that joints pull on push back with more than their own mass: a link of a
// chain over a drum with that of all that hangs from it. Passes that know the link alone need
// as many turns as that ratio. Where joints are taut, the impulses along the normals are
// therefore found together, with the joints held: of the system [A Jc; Jcᵀ K] of joints and
// points of contact, A is factored already, C = K - JcᵀA⁻¹Jc is small, and what is left is a
// linear complementarity problem in C. Source: Baraff 1996, "Linear-Time Dynamics using
// Lagrange Multipliers", §7.

const (
	// tautness is the force in a joint, in weights of the lighter body that it holds, from which
	// on the normals of its group are solved with it. Ragdolls at rest have less.
	tautness = 8
	// maxPresses of a group: the work grows with their square, and the third power of those that bear.
	maxPresses = 128
	// yielding is the share of a point's own inverse mass by which its impulse yields in a pass. Where joints
	// and points contradict each other, as of a limb squeezed against its stop, impulses would be without
	// bound; what yields is made up for in the next pass.
	yielding = 0.1
	// maxTurns is how often the points that bear are chosen anew in a pass.
	maxTurns = 12
)

// press is a point at which a body of an articulation meets another.
type press struct {
	group int32
	k     *constraint
	l     *lane
	a, b  *body
}

// presses are the points of contact of taut articulations of a tier, group by group.
type presses struct {
	all   []press
	first []int32     // of each link of a group in y
	y     []float64   // L⁻¹Jc, a row for each point
	from  []int32     // where its first number is that is not 0
	c, f  [][]float64 // C, and the factor of that of the points that bear
	cells []float64   // of both
	speed []float64   // of each point if no impulse had been, less the one wanted, m/s
	next  []float64   // impulses, N·s
	bears []int32     // the points whose impulses are not 0
	in    []bool
}

// isTaut reports whether a joint of the group pulled hard in the last step.
func (s *articulations) isTaut(g *articulation, gravity float64) bool {
	for i := g.lo; i < g.hi; i++ {
		l := &s.links[i]
		least := math.Inf(1)
		if l.freeA {
			least = l.a.mass.Mass
		}
		if l.freeB {
			least = min(least, l.b.mass.Mass)
		}
		if reproducible.Norm(l.joint.force) > tautness*gravity*least {
			return true
		}
	}
	return false
}

// listPresses lists the points of contact of the taut articulations of a tier.
func (w *World) listPresses(t *tier) {
	p := &w.presses
	p.all = p.all[:0]
	taut, gravity := false, reproducible.Norm(w.def.Gravity)
	for i := range t.joints {
		g := &t.joints[i]
		g.presses = -1
		if g.hi-g.lo > 1 && w.solver.isTaut(g, gravity) {
			g.presses, taut = 0, true
		}
	}
	if !taut {
		return
	}
	for i := range t.constraints {
		k := &t.constraints[i]
		ga, gb := w.tautOf(t, k.a), w.tautOf(t, k.b)
		if ga == gb {
			gb = -1
		}
		for _, g := range [2]int32{ga, gb} {
			if g < 0 {
				continue
			}
			for n := range k.lanes {
				if l := &k.lanes[n]; l.normal.mass > 0 {
					t.joints[g].presses++
					p.all = append(p.all, press{g, k, l, k.a, k.b})
				}
			}
		}
	}
	p.all = slices.DeleteFunc(p.all, func(x press) bool { return t.joints[x.group].presses > maxPresses })
	slices.SortStableFunc(p.all, func(x, y press) int { return int(x.group - y.group) })
	for i := range p.all {
		p.all[i].l.shared, p.all[i].k.shared = true, true
	}
}

// follow finds the points of taut articulations anew where their bodies are in the middle of a
// step: a link that rocks on what it lies on is carried by another point of it, and its load is
// so great that a sixtieth of a second later is too late.
func (w *World) follow(t *tier) {
	if len(w.presses.all) == 0 {
		return
	}
	q := &w.pairing
	for i := range t.constraints {
		k := &t.constraints[i]
		if !k.shared {
			continue
		}
		c := k.contact
		k.a.refresh()
		k.b.refresh()
		sa, sb := &w.shapes[c.shapeA], &w.shapes[c.shapeB]
		sa.follow(k.a)
		sb.follow(k.b)
		q.solidA, q.solidB, q.manifold.n = sa.solid(c.partA), sb.solid(c.partB), 0
		w.collide(&q.solidA, &q.solidB, reproducible.Scale(t.h, r3.Sub(k.a.v, k.b.v)), &q.manifold)
		for n := range k.lanes {
			l := &k.lanes[n]
			for m := range q.manifold.hits[:q.manifold.n] {
				if h := &q.manifold.hits[m]; h.id == c.points[n].id {
					f := r3.Add(reproducible.Scale(l.f1, l.t1.n), reproducible.Scale(l.f2, l.t2.n))
					l.put(k, h)
					l.f1, l.f2 = reproducible.Dot(f, l.t1.n), reproducible.Dot(f, l.t2.n)
					break
				}
			}
		}
	}
}

// tautOf is the taut articulation of the tier that moves with the body, -1 if there is none.
func (w *World) tautOf(t *tier, b *body) int32 {
	if len(b.joints) == 0 || b.kind != Dynamic || !b.awake || b.invMass == 0 {
		return -1
	}
	at := w.solver.where[b.joints[0]]
	g, _ := slices.BinarySearchFunc(t.joints, at, func(g articulation, at int32) int {
		switch {
		case g.hi <= at:
			return -1
		case g.lo > at:
			return 1
		}
		return 0
	})
	if g == len(t.joints) || t.joints[g].lo > at || t.joints[g].presses < 0 {
		return -1
	}
	return int32(g)
}

// solveTaut finds the impulses along the normals of the taut articulations of a tier.
func (w *World) solveTaut(t *tier, bias bool) {
	p := &w.presses
	for lo := 0; lo < len(p.all); {
		hi, g := lo+1, p.all[lo].group
		for hi < len(p.all) && p.all[hi].group == g {
			hi++
		}
		w.solvePresses(t, &t.joints[g], p.all[lo:hi], bias)
		lo = hi
	}
}

func (w *World) solvePresses(t *tier, g *articulation, all []press, bias bool) {
	p, s := &w.presses, &w.solver
	if !g.factored {
		s.assemble(g)
		s.factor(g)
		g.factored = true
	}
	for i := range all { // the bodies have turned
		all[i].l.normal.respond(all[i].a, all[i].b)
	}
	p.respond(s, g, all)
	p.aim(t, all, w.def.PushSpeed, bias)
	p.choose()
	for i := range all {
		x := &all[i]
		m := motionOf(x.a, x.b)
		m.push(&x.l.normal, p.next[i]-x.l.impulse)
		m.store(x.a, x.b)
		x.l.impulse = p.next[i]
		x.l.peak = max(x.l.peak, x.l.impulse)
	}
	s.pass(g, bias)
}

// respond writes C: what an impulse at each point adds to the speed at each, with the joints held.
func (p *presses) respond(s *articulations, g *articulation, all []press) {
	n, rows := len(all), int32(0)
	p.first = resize(p.first, int(g.hi-g.lo))
	for i := g.lo; i < g.hi; i++ {
		p.first[i-g.lo] = rows
		rows += int32(s.links[i].n)
	}
	p.y, p.cells = resize(p.y, n*int(rows)), resize(p.cells, 2*n*n)
	p.c, p.f, p.from = resize(p.c, n), resize(p.f, n), resize(p.from, n)
	for i := range n {
		p.c[i], p.f[i] = p.cells[i*n:(i+1)*n], p.cells[(n+i)*n:(n+i+1)*n]
		y := p.y[i*int(rows) : (i+1)*int(rows)]
		p.from[i] = p.pull(s, g, &all[i], y)
		for k := range i + 1 {
			first := max(p.from[i], p.from[k])
			sum := free(&all[i], &all[k]) - product(y[first:], p.y[k*int(rows)+int(first):(k+1)*int(rows)])
			p.c[i][k], p.c[k][i] = sum, sum
		}
	}
}

// product of two vectors, in four sums that do not wait for each other.
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

// pull writes L⁻¹ times the rates that a unit impulse at a point gives to the rows of the group,
// and returns where the first is that is not 0.
func (p *presses) pull(s *articulations, g *articulation, x *press, y []float64) int32 {
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
			i := s.where[slot]
			if i < g.lo || i >= g.hi {
				continue
			}
			first = min(first, i)
			s.links[i].moved(b, v, spin, &s.x[i])
		}
	}
	clear(y)
	for i := first; i < g.hi; i++ {
		n := s.links[i].n
		if s.x[i] == ([maxRows]float64{}) {
			continue
		}
		forward(&s.diag[i], &s.x[i], n)
		copy(y[p.first[i-g.lo]:], s.x[i][:n])
		for e := s.ptr[i]; e < s.ptr[i+1]; e++ {
			k := s.entries[e]
			for a := range s.links[k].n {
				for c := range n {
					s.x[k][a] -= float64(s.off[e][a][c] * s.x[i][c])
				}
			}
		}
	}
	return p.first[first-g.lo]
}

// moved adds to x the rates of the rows in the system when body b gets a velocity and a spin.
func (l *link) moved(b *body, v, spin r3.Vec, x *[maxRows]float64) {
	for i, at := range l.in[:l.n] {
		r := &l.rows.row[at]
		if l.freeB && l.b == b {
			x[i] += reproducible.Dot(r.lin, v) + reproducible.Dot(r.angB, spin)
		}
		if l.freeA && l.a == b {
			x[i] -= reproducible.Dot(r.lin, v) + reproducible.Dot(r.angA, spin)
		}
	}
}

// free is what an impulse at the point y adds to the speed at x without joints.
func free(x, y *press) (sum float64) {
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

// aim sets what the impulses have to make of the speeds, as solveNormals does, and which points
// bear to begin with. What yields goes to the diagonal of C.
func (p *presses) aim(t *tier, all []press, push float64, bias bool) {
	soft, rate := softness{0, 1, 0}, 1/t.h
	if bias {
		soft = contactSoftness(t.h)
	}
	n := len(all)
	p.speed, p.next, p.in = resize(p.speed, n), resize(p.next, n), resize(p.in, n)
	for i := range all {
		x := &all[i]
		l := x.l
		if !bias { // the bodies have moved
			l.sep = l.separation(x.a, x.b)
		}
		m := motionOf(x.a, x.b)
		p.speed[i] = m.speed(&l.normal)
		p.in[i], p.next[i] = l.impulse > 0, l.impulse
		for k := range all {
			p.speed[i] -= float64(p.c[i][k] * all[k].l.impulse)
		}
		loose, soften := float64(yielding*free(x, x)), 0.0
		if l.sep > 0 {
			p.speed[i] += float64(l.sep * rate)
		} else {
			p.speed[i] += max(float64(soft.bias*l.sep), -push)
			soften = soft.impulse / soft.mass * max(p.c[i][i], loose)
		}
		p.speed[i] -= float64(loose * l.impulse)
		own := p.c[i][i] + loose + soften
		p.c[i][i] = own
	}
}

// choose finds the impulses: those of points that bear make their speed right, and none pulls.
func (p *presses) choose() {
	for turn := 0; ; turn++ {
		p.bear()
		changed := false
		for i, in := range p.in {
			if in && p.next[i] < 0 {
				p.in[i], changed = false, true
			}
		}
		if !changed {
			for i, in := range p.in {
				if !in && p.speedOf(i) < -1e-9 {
					p.in[i], changed = true, true
				}
			}
		}
		if !changed {
			return
		}
		if turn == maxTurns {
			break
		}
	}
	// One after the other, from what has been found.
	for i := range p.next {
		p.next[i] = max(p.next[i], 0)
	}
	for range maxTurns {
		for i := range p.next {
			p.next[i] = max(p.next[i]-p.speedOf(i)/p.c[i][i], 0)
		}
	}
}

// speedOf is the speed that the impulses leave at a point, less the one wanted.
func (p *presses) speedOf(i int) float64 {
	sum := p.speed[i]
	for k, x := range p.next {
		sum += float64(p.c[i][k] * x)
	}
	return sum
}

// bear solves for the impulses of the points that bear; the others have none.
func (p *presses) bear() {
	p.bears = p.bears[:0]
	for i, in := range p.in {
		if p.next[i] = 0; in {
			p.bears = append(p.bears, int32(i))
		}
	}
	for r, i := range p.bears {
		row := p.f[r]
		sum := -p.speed[i]
		for q, k := range p.bears[:r+1] {
			d := p.c[i][k]
			other := p.f[q]
			for m := range q {
				d -= float64(row[m] * other[m])
			}
			if q < r {
				row[q] = d / other[q]
				sum -= float64(row[q] * p.next[k])
			} else {
				row[r] = math.Sqrt(max(d, float64(slack*p.c[i][i]/2)))
			}
		}
		p.next[i] = sum / row[r]
	}
	for r := len(p.bears) - 1; r >= 0; r-- {
		i := p.bears[r]
		for q := r + 1; q < len(p.bears); q++ {
			p.next[i] -= float64(p.f[q][r] * p.next[p.bears[q]])
		}
		p.next[i] /= p.f[r][r]
	}
}
