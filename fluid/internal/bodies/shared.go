package bodies

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Bodies that several liquids push, or that joints and contacts connect across liquids, are part of each liquid's solve. A liquid
// that solved alone would miss what the others add to a body's inertia, and throw a body lighter than that.
//
// The liquids therefore solve in turns. Each uses the results of the others' last solves: the impulse J on a body with velocity
// V, and an inertia A, minus the derivative of J. A solve takes J - A(v - V) as the impulse of another liquid. Once all liquids find the same
// velocities that is J, for any A. A is estimated from successive solves of a liquid, and saves turns: for a body that moves along one
// line two solves of each liquid determine it.
//
// Source: block Gauss-Seidel on the joint system, which is symmetric and positive definite; A is a symmetric rank-one secant of K L⁻¹ Kᵀ.

const (
	// mostTurns is the greatest number of turns in a substep.
	mostTurns = 12
	// agreed is the greatest difference of velocities of liquids that agree, relative to the body's velocity plus what gravity adds in a substep.
	agreed = 1e-3
	// leastCurvature is the least cosine between a change of velocity and the part of the impulse's change that A misses, for an update of A.
	leastCurvature = .05
)

// Shared is the set of liquids that couple the same bodies in a substep.
type Shared struct {
	all    []*Coupling // in the order of Join
	sets   geom.Sets   // of bodies that joints and contacts connect
	last   []int32     // per root: the last liquid that pushes one of its bodies, from 1 on
	shared []bool      // per root: several liquids push its bodies
}

// solvedBody is the result of a liquid's solves of a substep for a body.
type solvedBody struct {
	known    bool
	velocity [6]float64
	impulse  [6]float64 // N·s and N·m·s about the centre of mass
	follows  matrix6    // A: minus the derivative of the impulse with respect to the velocity
}

// Keep stores the velocities and bodies before a solve, so that it can be repeated.
func (c *Coupling) Keep(u []float64) {
	k := &c.solves
	k.u, k.rigid = append(k.u[:0], u...), append(k.rigid[:0], c.Rigid...)
	k.body = arrays.Resize(k.body, len(c.state))
	clear(k.body)
	k.kept = true
}

// solves is the data of Keep and the results of the solves after it.
type solves struct {
	u     []float64
	rigid []rigid.Body
	body  []solvedBody
	kept  bool // there is a successful solve
}

// Begin removes all liquids, before a substep.
func (s *Shared) Begin() { s.all = s.all[:0] }

// Join adds a liquid.
func (s *Shared) Join(c *Coupling) {
	s.all, c.shared, c.solves.kept = append(s.all, c), s, false
}

// addGaps adds the inertia of body i's gaps in the liquids that have been solved.
func (s *Shared) addGaps(i int, to *[6][6]float64) {
	if s == nil {
		return
	}
	for _, c := range s.all {
		for a := 0; c.solves.kept && i < len(c.state) && a < 6; a++ {
			for b, x := range c.Rigid[i].Gap[a] {
				to[a][b] += x
			}
		}
	}
}

// find finds the bodies that several liquids push, and reports whether there are any.
func (s *Shared) find() (some bool) {
	n := 0
	for _, c := range s.all {
		if c.solves.kept {
			n = len(c.state)
		}
	}
	s.sets.Reset(n)
	s.last, s.shared = arrays.Resize(s.last, n), arrays.Resize(s.shared, n)
	clear(s.last)
	clear(s.shared)
	for _, c := range s.all {
		for j := 0; c.solves.kept && j < len(c.Joints); j++ {
			if a, b := c.Joints[j].A, c.Joints[j].B; c.gives(a) && c.gives(b) {
				s.sets.Join(a, b)
			}
		}
	}
	for k, c := range s.all {
		for i := 0; c.solves.kept && i < len(c.state); i++ {
			if !c.gives(int32(i)) || len(c.Graph.Bodies[i].Row) == 0 && c.Rigid[i].Impulse == ([6]float64{}) {
				continue
			}
			r := s.sets.Find(int32(i))
			if s.last[r] != 0 && s.last[r] != int32(k+1) {
				s.shared[r], some = true, true
			}
			s.last[r] = int32(k + 1)
		}
	}
	return some
}

// Agree repeats the liquids' solves in turns until all find the same velocities of the shared bodies. solve solves for
// the liquid with an index, and reports whether it succeeded. A liquid whose solve fails is left out.
func (s *Shared) Agree(solve func(k int) bool) {
	if !s.find() {
		return
	}
	for _, c := range s.all {
		if c.solves.kept {
			s.record(c)
		}
	}
	for range mostTurns {
		well := true
		for k, c := range s.all {
			if !c.solves.kept {
				continue
			}
			s.restart(c)
			if solve(k) {
				s.record(c)
			} else {
				well, c.solves.kept = false, false
			}
		}
		if well && s.agree() {
			return
		}
	}
}

// restart restores the data of Keep, with the effect of the other liquids on the shared bodies.
func (s *Shared) restart(c *Coupling) {
	k := &c.solves
	copy(c.Graph.U, k.u)
	copy(c.Rigid, k.rigid)
	for i := range c.state {
		if !s.has(i) {
			continue
		}
		r := &c.Rigid[i]
		for _, other := range s.all {
			if o := other.solves.of(i); other != c && o != nil {
				v := o.velocity
				for d, x := range c.state[i].clipped {
					v[d] += x
				}
				for d, x := range o.follows.times(&v) {
					r.OthersImpulse[d] += o.impulse[d] + x
				}
				for a := range 6 {
					for b := range 6 {
						r.OthersInertia[a][b] += o.follows[a][b]
					}
				}
			}
		}
	}
}

// of returns the result for body i, or nil.
func (k *solves) of(i int) *solvedBody {
	if !k.kept || i >= len(k.body) || !k.body[i].known {
		return nil
	}
	return &k.body[i]
}

func (s *Shared) has(i int) bool { return s.shared[s.sets.Find(int32(i))] }

// record stores the results of a liquid's solve for the shared bodies.
func (s *Shared) record(c *Coupling) {
	for i := range c.state {
		if !s.has(i) || !c.gives(int32(i)) {
			continue
		}
		b, r, st := &c.solves.body[i], &c.Rigid[i], &c.state[i]
		was := *b
		b.known = true
		for d := range 6 {
			b.velocity[d] = r.V[d] - st.clipped[d]
			b.impulse[d] = r.Impulse[d] + float64(c.now.Dt*(st.unsolvedWrench[d]+st.damping[d]))
		}
		if was.known {
			b.updateSecant(&was, c.state[i].radius())
		}
	}
}

// updateSecant adds a rank-one term to follows for the change since an earlier solve, unless that is nearly orthogonal to the change of velocity.
func (b *solvedBody) updateSecant(was *solvedBody, radius float64) {
	var moved, missed [6]float64
	for d := range 6 {
		moved[d] = b.velocity[d] - was.velocity[d]
		missed[d] = was.impulse[d] - b.impulse[d]
	}
	for d, x := range b.follows.times(&moved) {
		missed[d] -= x
	}
	along, far, much := 0., 0., 0.
	for d := range 6 {
		unit := 1.
		if d > 2 {
			unit = radius
		}
		along += float64(moved[d] * missed[d])
		far += float64(moved[d] * moved[d] * unit * unit)
		much += float64(missed[d] * missed[d] / (unit * unit))
	}
	if along > 0 && along*along > leastCurvature*leastCurvature*far*much {
		b.follows.add(1/along, &missed)
	}
}

// agree reports whether all liquids found the same velocities for the shared bodies.
func (s *Shared) agree() bool {
	for i := range s.sets {
		if !s.has(i) {
			continue
		}
		var first *solvedBody
		for _, c := range s.all {
			b := c.solves.of(i)
			switch {
			case b == nil:
			case first == nil:
				first = b
			default:
				var off [6]float64
				for d := range off {
					off[d] = b.velocity[d] - first.velocity[d]
				}
				radius := c.state[i].radius()
				fall := length(&c.Rigid[i].Fall, radius)
				if length(&off, radius) > float64(agreed*(length(&b.velocity, radius)+fall)) {
					return false
				}
			}
		}
	}
	return true
}

// radius returns the radius of the body's bounds, m.
func (s *bodyState) radius() float64 {
	return max(1e-9, reproducible.Norm(r3.Sub(s.bounds.Max, s.bounds.Min))/2)
}

// length returns an upper bound of the speeds of a twist within a radius, m/s.
func length(v *[6]float64, radius float64) float64 {
	return math.Sqrt(float64(v[0]*v[0])+float64(v[1]*v[1])+float64(v[2]*v[2])) + float64(radius*math.Sqrt(float64(v[3]*v[3])+float64(v[4]*v[4])+float64(v[5]*v[5])))
}
