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
// which the pressure isn't known move as they did.
func (n *Inertia) Predict(gr *graph.Graph, bodies []rigid.Body, joints []rigid.Joint, pi []float64) []rigid.Body {
	n.bodies = append(n.bodies[:0], bodies...)
	n.kpi, n.own = arrays.Resize(n.kpi, 6*len(bodies)), arrays.Resize(n.own, 6*len(bodies))
	clear(n.kpi)
	for i := range n.bodies {
		b := &n.bodies[i]
		if b.InverseMass > 0 && !n.press(gr, i, pi) {
			for d := range b.V {
				b.V[d] = b.Liquid[d] - b.Fall[d]
			}
		} else {
			includeGap(b)
		}
	}
	n.mass.set(n.bodies, joints)
	n.mass.apply(n.own, n.kpi)
	for i := range n.bodies {
		for d := range 6 {
			n.bodies[i].V[d] += n.own[6*i+d]
		}
	}
	return n.bodies
}

// press sets kpi of body i, if the pressure is known: it is nowhere 0 but beside the air.
func (n *Inertia) press(gr *graph.Graph, i int, pi []float64) bool {
	w := &gr.Bodies[i]
	to := n.kpi[6*i:][:6]
	for e, r := range w.Row {
		if pi[r] == 0 && !airBeside(gr, r) {
			clear(to)
			return false
		}
		for d := range to {
			to[d] += float64(w.K[e][d] * pi[r])
		}
	}
	return true
}

// airBeside tells whether a face leads from a row to air.
func airBeside(gr *graph.Graph, r int32) bool {
	for _, f := range gr.FacesOf(r) {
		if f >= 0 && (gr.A[f] == graph.Air || gr.B[f] == graph.Air) {
			return true
		}
	}
	return false
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
