package pressure

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Contacts that pressed in the last step hold in the solve as joints do. Otherwise the liquid that moves with a body would drive it
// into what it is pressed on, the engine would push it back, and the pressure of the next step would react to that.
// A contact only pushes, and its friction is bounded. Contacts that would pull or exceed that are released.

// contacts is what mass knows of joints that are contacts.
type contacts struct {
	joints []rigid.Joint
	at     []int32      // of joints: their first row; -1: none
	left   []bool       // of joints: out of the rows
	slide  [][6]float64 // of joints that slide: what friction is left along their rows, N·s
	held   []float64    // per row: the impulse, N·s, that keeps the prediction on it
	before []prediction // of bodies
}

// prediction is a body's V before the rows hold it, and its Contact after they do.
type prediction struct{ v, contact [6]float64 }

const (
	// rounds is how often a solve may run again with fewer contacts. With none a body that slides under load jumps; a second one
	// changes little. The last step's pressure would cost no round, but cells that a body has just come into
	// have none yet, and the contacts of a float under a narrow beam would be released without need.
	rounds = 1
	// slack is the part of the greatest impulse in an articulation by which a contact must pull, or bear too much.
	slack = .01
	// mostRows is the rows that an articulation with contacts has at most: some seven boxes on each other.
	mostRows = 96
)

// begin has all joints in, and notes the prediction.
func (m *mass) begin() {
	n := len(m.joints)
	m.at, m.left, m.slide = arrays.Resize(m.at, n), arrays.Resize(m.left, n), arrays.Resize(m.slide, n)
	clear(m.left)
	clear(m.slide)
	m.before = arrays.Resize(m.before, len(m.bodies))
	for i := range m.bodies {
		m.before[i].v = m.bodies[i].V
	}
}

// keepContact notes what is expected of contacts beside those that hold.
func (m *mass) keepContact() {
	for i := range m.bodies {
		m.before[i].contact = m.bodies[i].Contact
	}
}

// limitArticulations leaves contacts out of articulations that are too large with them, for the cost grows with the cube: first
// those between bodies that can both move, which join them, then all.
func (m *mass) limitArticulations() {
	for all := range 2 {
		some := false
		for _, g := range m.groups {
			if g.hi-g.lo <= mostRows {
				continue
			}
			for _, r := range m.rows[g.lo:g.hi] {
				if m.joints[r.joint].Kind != rigid.Bilateral && (all == 1 || m.free(r.a) && m.free(r.b)) {
					m.left[r.joint], some = true, true
				}
			}
		}
		if some {
			m.gather()
		}
	}
}

// releaseContacts starts the bodies anew without the contacts that pull or slide under the pressure as it is now, and tells whether
// there are any.
func (s *Solver) releaseContacts(bodies []rigid.Body) bool {
	m := &s.mass
	if !m.presses() {
		return false
	}
	s.receive(len(bodies))
	if !m.release(s.kpi, s.impulse) {
		return false
	}
	s.drive(bodies, 1)
	m.restart()
	s.drive(bodies, -1)
	return true
}

// presses tells whether contacts hold.
func (m *mass) presses() bool {
	for i := range m.rows {
		if m.joints[m.rows[i].joint].Kind == rigid.Unilateral {
			return true
		}
	}
	return false
}

// release leaves out the contacts that pull to hold their bodies against the impulses kpi, or bear more friction than they
// can, and tells whether there are any. scratch is velocities; both are six per body.
func (m *mass) release(kpi, scratch []float64) (some bool) {
	m.takeRows(kpi, scratch)
	for _, g := range m.groups {
		most := 0.
		for p := g.lo; p < g.hi; p++ {
			most = max(most, abs(m.lambda[p]))
		}
		for p := g.lo; p < g.hi; p++ {
			i := m.rows[p].joint
			if m.at[i] != int32(p) {
				continue
			}
			kind := m.joints[i].Kind
			if kind == rigid.Unilateral && m.lambda[p] < -slack*most || kind == rigid.Frictional && m.slides(i, slack*most) {
				m.left[i], some = true, true
			}
		}
	}
	return some
}

// keepTaken notes what the rows have taken of the impulses kpi and of the prediction, and friction where it slides. scratch is velocities; both are six per body.
func (m *mass) keepTaken(kpi, scratch []float64) {
	if len(m.joints) == 0 {
		return
	}
	m.takeRows(kpi, scratch)
	for i := range m.joints {
		j := &m.joints[i]
		j.Impulse, j.Slides = m.slide[i], m.at[i] < 0
		if !j.Slides {
			copy(j.Impulse[:j.N], m.lambda[m.at[i]:])
		}
	}
}

// takeRows sets lambda to the rows' impulses under the impulses kpi.
func (m *mass) takeRows(kpi, scratch []float64) {
	for b := range m.bodies {
		respond(&m.bodies[b], (*[6]float64)(scratch[6*b:]), (*[6]float64)(kpi[6*b:]))
	}
	m.resist(scratch)
	for p := range m.rows {
		m.lambda[p] = m.held[p] - m.lambda[p]
	}
}

// slides tells whether joint i, which is frictional, bears more than it can by an impulse, and if so notes what it can. Of its points,
// as long as they push together, none is left out then: what friction was to bear would have tipped them.
func (m *mass) slides(i int32, by float64) bool {
	j, press, net, bears := &m.joints[i], 0., 0., 0.
	points := m.at[i-int32(j.Points) : i]
	for _, p := range points {
		if p >= 0 {
			net += m.lambda[p]
			press += max(0, m.lambda[p])
		}
	}
	rows := m.lambda[m.at[i]:][:j.N]
	for _, x := range rows {
		bears += float64(x * x)
	}
	bears = math.Sqrt(bears)
	if bears <= float64(j.Friction*press)+by {
		return false
	}
	for r, x := range rows {
		m.slide[i][r] = x * j.Friction * max(0, net) / bears
	}
	for k, p := range points {
		if p >= 0 && net > 0 {
			m.left[int(i)-j.Points+k] = false
		}
	}
	return true
}

// restart is set with the contacts that are left.
func (m *mass) restart() {
	for i := range m.bodies {
		m.bodies[i].V, m.bodies[i].Contact = m.before[i].v, m.before[i].contact
	}
	for i := range m.joints {
		j := &m.joints[i]
		for r, x := range m.slide[i][:j.N] {
			if x != 0 {
				m.addExpected(&jointRow{a: j.A, b: j.B, j: j.Rows[r]}, x)
			}
		}
	}
	m.gather()
	m.hold()
}

// addExpected adds an impulse along a row, N·s, to what contacts are expected to do.
func (m *mass) addExpected(r *jointRow, by float64) {
	for s, b := range [2]int32{r.a, r.b} {
		if m.free(b) {
			c := &m.bodies[b]
			for i := range 3 {
				c.Contact[i] += float64(by * c.InverseMass * r.j[6*s+i])
				for k := range 3 {
					c.Contact[3+i] += float64(by * c.InverseInertia[i][k] * r.j[6*s+3+k])
				}
			}
		}
	}
}

// setExpected adds to the prediction what contacts will add to it that no row holds: a body that stands on something falls into
// it in the prediction, and what contacts did to it in the last step they will do again.
func (m *mass) setExpected() {
	for p := range m.rows {
		r := &m.rows[p]
		m.lambda[p] = 0
		for s, b := range [2]int32{r.a, r.b} {
			if m.free(b) {
				v := expected(&m.bodies[b])
				for i := range 6 {
					m.lambda[p] += float64(r.j[6*s+i] * v[i])
				}
			}
		}
	}
	m.solve()
	for p := range m.rows {
		m.addExpected(&m.rows[p], -m.lambda[p])
	}
	for i := range m.bodies {
		b := &m.bodies[i]
		for d, v := range expected(b) {
			b.V[d] += v
		}
	}
}

// expected is Contact with the liquid in the gap, which has to follow, and what other liquids add.
func expected(b *rigid.Body) (v [6]float64) {
	var kick [6]float64
	for i := range 6 {
		kick[i] = rigid.Dot(&b.Gap[i], &b.Contact) + rigid.Dot(&b.OthersInertia[i], &b.Contact)
	}
	respond(b, &v, &kick)
	for i := range 6 {
		v[i] = b.Contact[i] - v[i]
	}
	return v
}
