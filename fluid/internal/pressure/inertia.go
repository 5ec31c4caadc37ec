package pressure

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Inertia is the bodies of a solve that is to come, as viscous stresses see them. It is a rigid.Inertia.
type Inertia struct {
	mass     mass
	bodies   []rigid.Body
	kpi, own []float64
}

// Predict copies the bodies as they will move if a pressure acts, Pa·s per row, and no viscous stresses. Gaps must have been called for them. Those at
// which the pressure isn't known move as they did, and so do those that are in several liquids, of how many liquids tells, as each knows its own pressure only; of
// their inertia this one is left a part, since each acts on them as if no other did, and together they must not turn them round.
func (n *Inertia) Predict(gr *graph.Graph, bodies []rigid.Body, joints []rigid.Joint, pi, liquids []float64) []rigid.Body {
	n.bodies = append(n.bodies[:0], bodies...)
	n.kpi, n.own = arrays.Resize(n.kpi, 6*len(bodies)), arrays.Resize(n.own, 6*len(bodies))
	clear(n.kpi)
	for i := range n.bodies {
		b := &n.bodies[i]
		shared := i < len(liquids) && liquids[i] > 1
		if b.InverseMass > 0 && (shared || !n.press(gr, i, pi)) {
			for d := range b.V {
				b.V[d] = b.Liquid[d] - b.Fall[d]
			}
		} else {
			includeGap(b)
		}
		if shared {
			b.Contact = [6]float64{}
		}
	}
	n.mass.set(n.bodies, joints)
	n.mass.apply(n.own, n.kpi)
	for i := range n.bodies {
		for d := range 6 {
			n.bodies[i].V[d] += n.own[6*i+d]
		}
	}
	n.share(liquids)
	return n.bodies
}

// share divides the inertia of each body by how many liquids it is in.
func (n *Inertia) share(liquids []float64) {
	for i, by := range liquids[:min(len(liquids), len(n.bodies))] {
		b := &n.bodies[i]
		if by <= 1 {
			continue
		}
		b.InverseMass *= by
		for a := range b.InverseInertia {
			for c := range b.InverseInertia[a] {
				b.InverseInertia[a][c] *= by
			}
		}
		for a := range b.Gap {
			for c := range b.Gap[a] {
				b.Gap[a][c] /= by
			}
		}
	}
}

// press sets kpi of body i, if the pressure is known: 0 is none but beside the air. Rows that the body has just left have that of those beside them.
func (n *Inertia) press(gr *graph.Graph, i int, pi []float64) bool {
	w := &gr.Bodies[i]
	to := n.kpi[6*i:][:6]
	for e, r := range w.Row {
		p, known := pi[r], true
		if p == 0 {
			p, known = pressureBeside(gr, r, pi)
		}
		if !known {
			clear(to)
			return false
		}
		for d := range to {
			to[d] += float64(w.K[e][d] * p)
		}
	}
	return true
}

// pressureBeside is the mean pressure of the rows beside one that has none; 0 beside the air. It is not known if none of them has one.
func pressureBeside(gr *graph.Graph, r int32, pi []float64) (p float64, known bool) {
	count := 0.
	for _, f := range gr.FacesOf(r) {
		if f < 0 {
			continue
		}
		for _, q := range [2]int32{gr.A[f], gr.B[f]} {
			if q == graph.Air {
				return 0, true
			}
			if q >= 0 && q != r && pi[q] != 0 {
				p, count = p+pi[q], count+1
			}
		}
	}
	return p / max(1, count), count > 0
}

// Increase has every body's inertia be more by so much, kg, kg·m and kg·m², than it was at Predict.
func (n *Inertia) Increase(by [][6][6]float64) {
	var none [6][6]float64
	for i := range n.bodies {
		b := &n.bodies[i]
		if b.InverseMass == 0 {
			continue
		}
		root, with := inverseRoot(b), b.Gap
		add(&with, &by[i])
		combine(b, &root, &with, &none, 1)
	}
	n.mass.factorAnew()
}

// Respond writes the velocities that impulses, N·s and N·m·s, give, m/s and rad/s.
func (n *Inertia) Respond(velocity, impulse []float64) { n.mass.apply(velocity, impulse) }

// factorAnew has the rows know that the bodies' inertia has changed.
func (m *mass) factorAnew() {
	for p := range m.rows {
		r := &m.rows[p]
		*r = m.row(int32(r.joint), &r.j)
	}
	m.factor()
}
