package viscosity

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// bodies is the solids that vertices move with. Those that something can move follow the liquid at once: given the velocity of the free vertices a body's twist V is
// that with M(V - V*) = -kρ Bᵀ A v, where B gives the vertices in it the body's velocity, so that the solve is for the free vertices alone.
type bodies struct {
	solids *rigid.NoSlip
	v      [][6]float64 // per body: its twist,
	turn   [][6]float64 // and that which belongs to the search direction
	pull   [][6]float64 // per body: Bᵀ A v
	walls  vec          // the same of what is static, of forces alone
	own    [][6][6]float64
	kick   []float64 // scratch of respond
	to     []float64
	free   bool // some can be moved
}

// begin takes the bodies' velocities, and has nothing be done to the solids yet.
func (h *bodies) begin(solids *rigid.NoSlip) {
	h.solids, h.free = solids, false
	if solids == nil {
		h.v, h.pull = h.v[:0], h.pull[:0]
		return
	}
	n := len(solids.Bodies)
	for _, a := range [3]*[][6]float64{&h.v, &h.turn, &h.pull} {
		*a = arrays.Resize(*a, n)
		clear(*a)
	}
	h.own = arrays.Resize(h.own, n)
	h.kick, h.to = arrays.Resize(h.kick, 6*n), arrays.Resize(h.to, 6*n)
	solids.Impulse, solids.Walls = arrays.Resize(solids.Impulse, n), [3]float64{}
	clear(solids.Impulse)
	for i := range solids.Bodies {
		h.v[i] = solids.Bodies[i].V
		h.free = h.free || solids.Bodies[i].InverseMass > 0
	}
}

// velocity is that of a solid at a place, m/s.
func (h *bodies) velocity(of int32, x *vec) (u vec) {
	if of >= 0 {
		return h.at(&h.v[of], of, x)
	}
	if h.solids.Side != nil {
		for a := range u {
			u[a] = h.solids.Side(uint8(a), *x)
		}
	}
	return u
}

// at is the velocity of a twist of a body at a place, m/s.
func (h *bodies) at(twist *[6]float64, of int32, x *vec) vec {
	arm, w := h.arm(of, x), vec{twist[3], twist[4], twist[5]}
	u := geom.Cross(&w, &arm)
	for a := range u {
		u[a] += twist[a]
	}
	return u
}

func (h *bodies) arm(of int32, x *vec) vec {
	c := &h.solids.Solids[of].Centre
	return vec{x[0] - c.X, x[1] - c.Y, x[2] - c.Z}
}

// increase has the bodies' inertia grow by what the stresses at their own vertices resist with.
func (h *bodies) increase(s *Solver) {
	if !h.free {
		return
	}
	clear(h.own)
	for i := range s.elements {
		h.addOwn(s, &s.elements[i])
	}
	by := s.k * h.solids.Density
	for i := range h.own {
		for a := range 6 {
			for b := range 6 {
				h.own[i][a][b] *= by
			}
		}
	}
	h.solids.Inertia.Increase(h.own)
}

// addOwn adds what an element resists to the motion of a body with those of its corners that are in it.
func (h *bodies) addOwn(s *Solver, e *element) {
	for c, v := range e.corner {
		of := s.solid[v]
		if s.kind[v] != solid || of < 0 || h.counted(s, e, c) {
			continue
		}
		var strain [6][6]float64 // of a unit of each of the six motions
		for d := range 6 {
			var unit [6]float64
			unit[d] = 1
			strain[d] = h.strainOf(s, e, of, &unit)
		}
		m := &h.own[of]
		for a := range 6 {
			for b := range 6 {
				x, y := &strain[a], &strain[b]
				m[a][b] += float64(2*e.weight*(float64(x[0]*y[0])+float64(x[1]*y[1])+float64(x[2]*y[2]))) +
					float64(e.weight*(float64(x[3]*y[3])+float64(x[4]*y[4])+float64(x[5]*y[5])))
			}
		}
	}
}

// counted tells whether a corner before one is in the same body.
func (h *bodies) counted(s *Solver, e *element, c int) bool {
	for _, v := range e.corner[:c] {
		if s.kind[v] == solid && s.solid[v] == s.solid[e.corner[c]] {
			return true
		}
	}
	return false
}

// strainOf is an element's rate of strain, 1/s, where a twist moves its corners in a body and the others rest: xx, yy, zz, then the sums of two slopes yz, zx, xy.
func (h *bodies) strainOf(s *Solver, e *element, of int32, twist *[6]float64) (strain [6]float64) {
	var d [3]vec
	for c, v := range e.corner {
		if s.kind[v] != solid || s.solid[v] != of {
			continue
		}
		x, g := s.place(v), &e.slope[c]
		u := h.at(twist, of, &x)
		for a := range 3 {
			for b := range 3 {
				d[a][b] += float64(u[a] * g[b])
			}
		}
	}
	return [6]float64{d[0][0], d[1][1], d[2][2], d[1][2] + d[2][1], d[2][0] + d[0][2], d[0][1] + d[1][0]}
}

// gather sums up y at the vertices in each body, and in what is static.
func (h *bodies) gather(s *Solver) {
	clear(h.pull)
	h.walls = vec{}
	for _, v := range s.list {
		if s.kind[v] != solid {
			continue
		}
		y, of := &s.y[v], s.solid[v]
		if of < 0 {
			for a := range y {
				h.walls[a] += y[a]
			}
			continue
		}
		x := s.place(v)
		arm := h.arm(of, &x)
		turn := geom.Cross(&arm, y)
		for a := range y {
			h.pull[of][a] += y[a]
			h.pull[of][3+a] += turn[a]
		}
	}
}

// respond is by what the bodies' twists change where the stresses pull at them.
func (h *bodies) respond(s *Solver) {
	by := -s.k * h.solids.Density
	for i := range h.pull {
		for d, y := range h.pull[i] {
			h.kick[6*i+d] = by * y
		}
	}
	h.solids.Inertia.Respond(h.to, h.kick)
}

// start gives the bodies the twist that belongs to the liquid's velocity, of which y has the stresses.
func (h *bodies) start(s *Solver) {
	if !h.free {
		return
	}
	h.gather(s)
	h.respond(s)
	for i := range h.v {
		if h.solids.Bodies[i].InverseMass > 0 {
			for d := range 6 {
				h.v[i][d] += h.to[6*i+d]
			}
		}
	}
	h.place(s, s.v, h.v)
}

// follow gives the vertices in bodies the search direction's part that belongs to that of the free ones.
func (h *bodies) follow(s *Solver) {
	if !h.free {
		return
	}
	clear(h.turn)
	h.place(s, s.p, h.turn)
	s.multiply(s.p)
	h.gather(s)
	h.respond(s)
	for i := range h.turn {
		if h.solids.Bodies[i].InverseMass > 0 {
			copy(h.turn[i][:], h.to[6*i:])
		}
	}
	h.place(s, s.p, h.turn)
}

// place gives the vertices in bodies the velocity of twists.
func (h *bodies) place(s *Solver, to []vec, twists [][6]float64) {
	for _, v := range s.list {
		if of := s.solid[v]; s.kind[v] == solid && of >= 0 {
			x := s.place(v)
			to[v] = h.at(&twists[of], of, &x)
		}
	}
}

// advance moves the bodies on by the step that the free vertices have made.
func (h *bodies) advance(s *Solver) {
	if !h.free {
		return
	}
	for i := range h.v {
		for d, t := range h.turn[i] {
			h.v[i][d] += float64(s.alpha * t)
		}
	}
	h.place(s, s.v, h.v)
}

// push gives the solids the impulse of the stresses that y has.
func (h *bodies) push(s *Solver) {
	if h.solids == nil {
		return
	}
	h.gather(s)
	by := -s.k * h.solids.Density
	for i := range h.pull {
		for d, y := range h.pull[i] {
			h.solids.Impulse[i][d] = by * y
		}
	}
	for a, y := range h.walls {
		h.solids.Walls[a] += float64(by * y)
	}
}
