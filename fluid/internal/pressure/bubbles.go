package pressure

import (
	"cmp"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// A bubble is one unknown more, p: the pressure impulse of its air. With C what its faces' coefficients bond it to the rows by, S their sum, and k
// the surface of bodies in it, its volume stays if
//
//	S p - Cᵀπ - kᵀ(V* + W(Kπ + k p)) + g = 0,
//
// where g is what flows into it before the pressure acts (Goldade, Batty 2017). Eliminated, p leaves L and K as they are but
// for a term of rank one per bubble, which goes with the bodies: groups of the coupling with negative W. The sum is as positive definite as L,
// as long as some air beside the liquid is open. So of the bubbles beside liquid that no open air touches the largest stays open.

// bubbles are those of the graph in the solve.
type bubbles struct {
	active []int32   // of the graph's
	hold   []float64 // per active one: S, m³/s per Pa·s
	lack   []float64 // likewise: -g, m³/s
	intake []float64 // likewise: liquid of sources that only bubbles have room for, m³/s
	p      []float64 // likewise, Pa·s
	jumps  []float64 // per face of the active ones: the Jump before
	loaded []float64 // the right-hand side with them
	bonds  []bond    // scratch: of one

	moving []int32   // of the active ones: those that meet bodies that something can move
	give   []float64 // W k of those, six per body
	chol   []float64 // S + kᵀ W k of those
	some   []float64 // scratch: p of those
	shove  []float64 // scratch: k of one, six per body

	room    []float64 // scratch: per cluster
	cluster geom.Sets // scratch: of components, then bubbles
	vents   []int32   // scratch: per component, its faces with open air; then per cluster
}

// bond is what ties a row to a bubble.
type bond struct {
	row  int32
	coef float64
}

// shut stands for the vents of a cluster that has none but one of its bubbles.
const shut = -1

// mostMoving is how many bubbles, the first of them, may push bodies.
const mostMoving = 64

// beginBubbles is before the assembly. In a solve of the same graph again the air is as it was.
func (s *Solver) beginBubbles(again bool) {
	if again && len(s.active) > 0 {
		n := 0
		for _, b := range s.active {
			for _, f := range s.gr.Bubbles[b].Faces {
				s.gr.Jump[f.Face] = s.jumps[n]
				n++
			}
		}
	}
	for i := range s.gr.Bubbles {
		s.gr.Bubbles[i].Impulse = 0
	}
	s.active = s.active[:0]
}

// enterBubbles chooses which bubbles keep their volume, and couples them.
func (s *Solver) enterBubbles(bodies []rigid.Body) {
	if len(s.gr.Bubbles) == 0 {
		return
	}
	s.chooseBubbles()
	s.takeSources()
	s.hold = arrays.Resize(s.hold, len(s.active))
	k := &s.k
	if len(k.Ptr) == 0 {
		k.Ptr = append(k.Ptr, 0)
	}
	for i, b := range s.active {
		s.tieBubble(i, &s.gr.Bubbles[b])
		for _, t := range s.bonds {
			k.Col, k.Val = append(k.Col, t.row), append(k.Val, [6]float64{t.coef})
			s.matrix.Red[t.row] = false
		}
		k.Ptr = append(k.Ptr, int32(len(k.Col)))
	}
	s.lack, s.p = arrays.Resize(s.lack, len(s.active)), arrays.Resize(s.p, len(s.active))
}

// tieBubble finds what ties the i-th active bubble to rows: in ascending order, each once.
func (s *Solver) tieBubble(i int, b *graph.Bubble) {
	g := s.gr
	s.bonds, s.hold[i] = s.bonds[:0], 0
	for _, f := range b.Faces {
		coef, _ := g.Term(f.Face, s.rho)
		s.hold[i] += float64(coef * f.Share * f.Share)
		for n, side := range [2]int32{g.A[f.Face], g.B[f.Face]} {
			by, on := float64(coef*f.Share*float64(1-2*n)), g.RowsOn(side)
			for k, r := range on.Row[:on.N] {
				if r >= 0 {
					s.bonds = append(s.bonds, bond{r, by * on.Share[k]})
				}
			}
		}
	}
	slices.SortStableFunc(s.bonds, func(a, b bond) int { return cmp.Compare(a.row, b.row) })
	n := 0
	for _, t := range s.bonds {
		if n > 0 && s.bonds[n-1].row == t.row {
			s.bonds[n-1].coef += t.coef
		} else {
			s.bonds[n] = t
			n++
		}
	}
	s.bonds = s.bonds[:n]
}

// respond is the coupling's W: of the bodies, and of the active bubbles, in the first of six numbers each.
func (s *Solver) respond(dst, src []float64) {
	at := 6 * len(s.mass.bodies)
	s.mass.apply(dst[:at], src[:at])
	if len(dst) == at {
		return
	}
	for i := range s.active {
		s.p[i] = src[at+6*i]
	}
	s.solveBubbles(dst[:at])
	clear(dst[at:])
	for i := range s.active {
		dst[at+6*i] = -s.p[i]
	}
	s.yieldTo(dst[:at])
}

// solveBubbles takes what active bubbles lack, in p, to their pressures. motion is that of the bodies, six each, without them.
func (s *Solver) solveBubbles(motion []float64) {
	for j, i := range s.moving {
		s.some[j] = s.p[i]
		for n := range s.gr.Bubbles[s.active[i]].Bodies {
			m := &s.gr.Bubbles[s.active[i]].Bodies[n]
			s.some[j] -= rigid.Dot(&m.K, (*[6]float64)(motion[6*m.Body:]))
		}
	}
	for i := range s.p {
		if s.hold[i] > 0 {
			s.p[i] /= s.hold[i]
		} else {
			s.p[i] = 0
		}
	}
	if len(s.moving) > 0 {
		dense.Solve(s.chol, s.some)
		for j, i := range s.moving {
			s.p[i] = s.some[j]
		}
	}
}

// yieldTo adds to the motion of bodies what the pressures of bubbles, p, do to them.
func (s *Solver) yieldTo(motion []float64) {
	for j, i := range s.moving {
		for d, v := range s.give[j*len(motion):][:len(motion)] {
			motion[d] += float64(s.p[i] * v)
		}
	}
}

// meetBodies finds how bodies yield to the active bubbles. Those beyond mostMoving are as if no body were there.
func (s *Solver) meetBodies(bodies []rigid.Body) {
	s.moving = s.moving[:0]
	n := 6 * len(bodies)
	for i, b := range s.active {
		meets := slices.ContainsFunc(s.gr.Bubbles[b].Bodies, func(m graph.BubbleBody) bool { return bodies[m.Body].InverseMass > 0 })
		if meets && len(s.moving) == mostMoving {
			s.gr.Bubbles[b].Bodies = s.gr.Bubbles[b].Bodies[:0]
		} else if meets {
			s.moving = append(s.moving, int32(i))
		}
	}
	all := len(s.moving)
	s.give, s.chol, s.some, s.shove = arrays.Resize(s.give, all*n), arrays.Resize(s.chol, all*all), arrays.Resize(s.some, all), arrays.Resize(s.shove, n)
	for j, i := range s.moving {
		clear(s.shove)
		for _, m := range s.gr.Bubbles[s.active[i]].Bodies {
			if bodies[m.Body].InverseMass > 0 {
				copy(s.shove[6*m.Body:], m.K[:])
			}
		}
		s.mass.apply(s.give[j*n:][:n], s.shove)
		for q := range j + 1 {
			s.chol[j*all+q] = dense.Dot(s.shove, s.give[q*n:][:n])
		}
		s.chol[j*all+j] += s.hold[i]
	}
	dense.Factor(s.chol, all)
}

// bubbleRhs is the right-hand side with what the bubbles' pressures are before the rows' act. W is as for this round of contacts.
func (s *Solver) bubbleRhs(bodies []rigid.Body) []float64 {
	if len(s.active) == 0 {
		return s.rhs
	}
	s.meetBodies(bodies)
	for i, b := range s.active {
		s.lack[i] = s.inflow(&s.gr.Bubbles[b], bodies) - s.intake[i]
	}
	copy(s.p, s.lack)
	s.loaded = append(s.loaded[:0], s.rhs...)
	s.resizeMotion(len(bodies))
	clear(s.impulse)
	s.solveBubbles(s.impulse)
	s.yieldTo(s.impulse)
	k := &s.k
	for b := range bodies {
		v := (*[6]float64)(s.impulse[6*b:])
		for e := k.Ptr[b]; e < k.Ptr[b+1]; e++ {
			s.loaded[k.Col[e]] -= rigid.Dot(&k.Val[e], v)
		}
	}
	for i, p := range s.p {
		for e := k.Ptr[len(bodies)+i]; e < k.Ptr[len(bodies)+i+1]; e++ {
			s.loaded[k.Col[e]] += float64(k.Val[e][0] * p)
		}
	}
	return s.loaded
}

// inflow is what flows into a bubble beyond what is to, before the pressure acts, with what surface tension and the weight of liquid beside it add, m³/s.
func (s *Solver) inflow(b *graph.Bubble, bodies []rigid.Body) (sum float64) {
	g := s.gr
	sum = -b.Inflow
	for _, f := range b.Faces {
		coef, flux := g.Term(f.Face, s.rho)
		lean := g.HydrostaticOffset(g.B[f.Face]) - g.HydrostaticOffset(g.A[f.Face]) - float64(f.Share*g.Jump[f.Face])
		sum += float64(f.Share * (flux + float64(coef*lean*s.dt)))
	}
	for i := range b.Bodies {
		sum -= rigid.Dot(&b.Bodies[i].K, &bodies[b.Bodies[i].Body].V)
	}
	return sum
}

// inflate finds the bubbles' pressures from that of the rows.
func (s *Solver) inflate() {
	if len(s.active) == 0 {
		return
	}
	bodies := len(s.gr.Bodies)
	s.gatherImpulses(bodies)
	s.mass.apply(s.impulse, s.kpi)
	k := &s.k
	for i := range s.active {
		s.p[i] = s.lack[i]
		for e := k.Ptr[bodies+i]; e < k.Ptr[bodies+i+1]; e++ {
			s.p[i] += float64(k.Val[e][0] * s.pi[k.Col[e]])
		}
	}
	s.solveBubbles(s.impulse)
	for i, b := range s.active {
		s.gr.Bubbles[b].Impulse = s.p[i]
	}
}

// pushByBubbles adds to kpi what bubbles push bodies with.
func (s *Solver) pushByBubbles() {
	for i, b := range s.active {
		for n := range s.gr.Bubbles[b].Bodies {
			m := &s.gr.Bubbles[b].Bodies[n]
			for d, v := range &m.K {
				s.kpi[6*int(m.Body)+d] += float64(v * s.p[i])
			}
		}
	}
}

// raiseAir adds the bubbles' pressures to those of the air at their faces.
func (s *Solver) raiseAir() {
	s.jumps = s.jumps[:0]
	for i, b := range s.active {
		by := s.p[i] / s.dt
		for _, f := range s.gr.Bubbles[b].Faces {
			s.jumps = append(s.jumps, s.gr.Jump[f.Face])
			s.gr.Jump[f.Face] += by
		}
	}
}
