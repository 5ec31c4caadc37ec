package pressure

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// A row's pressure is that of its cell's centre, and the pressure on a body is that at its face. The
// liquid between the two moves with the body along the axis of each face that the body covers: in the
// solve it belongs to the body's inertia, and its weight to the body's load. Without it the column on a
// piston is half a cell short, and a box floats up to half a cell too high or too low.
//
// Summed over faces and cells these volumes give the pressure of a still liquid to
// rounding, wherever the body stands in the grid.
//
// Where a cell's centre lies inside the body the volume is negative and so is the inertia. A body that is too
// light to lose it all keeps a part, and the faces across which its rows push the rest of the liquid
// get shorter instead: exact as well where the flow is one-dimensional, but beside the body
// their pressure is then taken for that of another height.
//
// Of a graph that has no Gap, whose faces lie at any angle, a light body keeps a part along those motions alone along which it can't lose all, and no faces get shorter.
//
// A graph may leave all this out. Then each row presses on the body with the pressure of its centre.
//
// Where the surface meets the body BodyCoupling.Steps is part of the gaps. Of a body that is too light for it to be inertia it is only weight.

// heaviest is the part of a body's inertia that gaps may take off, along any motion, in all liquids together.
const heaviest = .8

// leastPart is the part of the negative gaps below which all gaps are left out.
const leastPart = 1. / 64

// gapGrain is how many bodies make a chunk: some 5 µs.
const gapGrain = 2

// Gaps tells what liquid moves with the bodies, and shortens faces of the graph for what they can't lose. Solve, which calls it if nobody has, must
// follow with the same graph and bodies.
func (s *Solver) Gaps(gr *graph.Graph, rho float64, bodies []rigid.Body) {
	s.gr, s.rho = gr, rho
	s.bodies, s.parts = bodies, arrays.Resize(s.parts, len(bodies))
	par.Each(s.pool, len(bodies), gapGrain, s, (*Solver).fillGapOf)
	s.bodies, s.gr = nil, nil
	for i, part := range s.parts {
		if part < 1 {
			gr.ShortenGaps(&gr.Bodies[i], 1-part)
		}
	}
	s.filled = true
}

// fillGapOf fills the gap of body i.
func (s *Solver) fillGapOf(_ int, i int32) {
	s.parts[i] = fillGap(&s.bodies[i], &s.gr.Bodies[i], s.rho)
}

// fillGap gathers the liquid in a body's gaps, and its inertia with the body's. It returns the part of the negative gaps that the body took on.
func fillGap(b *rigid.Body, w *graph.BodyCoupling, rho float64) float64 {
	if apart(b, w) {
		b.Gap, b.RestingImpulse, b.InverseWithGap = [6][6]float64{}, [6]float64{}, [6][6]float64{}
		for i := range 3 {
			b.InverseWithGap[i][i] = b.InverseMass
			copy(b.InverseWithGap[3+i][3:], b.InverseInertia[i][:])
		}
		return 1
	}
	plus, minus, steps := scaled(&w.More, rho), scaled(&w.Less, rho), scaled(&w.Steps, rho)
	add(&plus, &b.AddedInertia)
	root := inverseRoot(b)
	if len(w.Gap) == 0 && w.Less != ([6][6]float64{}) {
		lessen(b, &root, &plus, &minus)
	}
	part := 1.
	for part > 0 && !combineAll(b, &root, &plus, &minus, part) {
		if part *= .9; part < leastPart {
			part, plus = 0, b.AddedInertia
			combine(b, &root, &plus, &minus, 0) // fails only if nothing is finite, which the solve tells
		}
	}
	takeSteps(b, &root, &plus, &minus, &steps, part)
	for i := range b.RestingImpulse {
		b.RestingImpulse[i] += float64(rho * rigid.Dot(&w.Rests[i], &b.Fall))
	}
	for i := range 6 {
		for j := range 6 {
			b.Gap[i][j] = plus[i][j] + float64(part*minus[i][j])
		}
	}
	return part
}

// lessen leaves of negative gaps what the body can lose, along each motion for itself: where no faces can be shortened instead, those along which it is too light are not to
// cost it the others.
func lessen(b *rigid.Body, l, plus, minus *[6][6]float64) {
	if combineAll(b, l, plus, minus, 1) {
		return
	}
	var half, c [6][6]float64 // Lᵀ(plus + minus), then that times L
	for i := range 6 {
		for q := range 6 {
			for p := i; p < 6; p++ {
				half[i][q] += float64(l[p][i] * (plus[p][q] + b.OtherGaps[p][q] + minus[p][q]))
			}
		}
		for j := range 6 {
			for q := j; q < 6; q++ {
				c[i][j] += float64(half[i][q] * l[q][j])
			}
		}
	}
	values, vectors := dense.Eigen(&c)
	for k, lambda := range values {
		more := -lambda - float64(mostLost*heaviest)
		if !(more > 0) {
			continue
		}
		var z [6]float64 // Lᵀ z is the eigenvector
		for i := 5; i >= 0; i-- {
			if l[i][i] == 0 {
				continue
			}
			z[i] = vectors[i][k]
			for p := i + 1; p < 6; p++ {
				z[i] -= float64(l[p][i] * z[p])
			}
			z[i] /= l[i][i]
		}
		for i := range z {
			for j := range z {
				minus[i][j] += float64(more * z[i] * z[j])
			}
		}
	}
}

// mostLost is the part of heaviest that lessen leaves at most: less than all, for rounding.
const mostLost = 1 - 1e-6

// apart tells whether no liquid has to do with a body.
func apart(b *rigid.Body, w *graph.BodyCoupling) bool {
	return len(w.Row) == 0 && w.Steps == ([6][6]float64{}) && b.AddedInertia == ([6][6]float64{}) && b.AddedMomentum == ([6]float64{})
}

// includeGap makes V that of the body, the liquid in its gaps and what other liquids add moving as one.
func includeGap(b *rigid.Body) {
	includeOthers(b)
	var kick, v [6]float64
	for i := range 6 {
		b.GapMomentum[i] = rigid.Dot(&b.Gap[i], &b.Liquid) - rigid.Dot(&b.AddedInertia[i], &b.Liquid) + b.AddedMomentum[i] + b.RestingImpulse[i]
		kick[i] = b.GapMomentum[i] - rigid.Dot(&b.Gap[i], &b.V) + (b.OthersImpulse[i] - rigid.Dot(&b.OthersInertia[i], &b.V))
	}
	respond(b, &v, &kick)
	for i := range 6 {
		b.V[i] += v[i]
	}
}

// includeOthers adds what other liquids add to the inertia of a body and its gaps.
func includeOthers(b *rigid.Body) {
	if b.OthersInertia == ([6][6]float64{}) {
		return
	}
	var none [6][6]float64
	root, with := inverseRoot(b), b.Gap
	add(&with, &b.OthersInertia)
	combine(b, &root, &with, &none, 0)
}

func scaled(m *[6][6]float64, by float64) (r [6][6]float64) {
	for i := range m {
		for j := range m[i] {
			r[i][j] = by * m[i][j]
		}
	}
	return r
}

// takeSteps adds the steps to plus, and to the body's inertia. Of a body that is too light for that they only weigh on it.
func takeSteps(b *rigid.Body, root, plus, minus, steps *[6][6]float64, part float64) {
	b.RestingImpulse = [6]float64{}
	if *steps == ([6][6]float64{}) {
		return
	}
	with := *plus
	add(&with, steps)
	if combineAll(b, root, &with, minus, part) {
		*plus = with
		return
	}
	for i := range b.RestingImpulse {
		b.RestingImpulse[i] = rigid.Dot(&steps[i], &b.Fall)
	}
	yields := yielding(b)
	for i := range b.RestingImpulse {
		b.RestingImpulse[i] -= rigid.Dot(&yields[i], &b.Fall) // it is there to be moved, and weighs nothing
	}
	add(plus, &yields)
	combine(b, root, plus, minus, part)
}

// yielding is the inertia of the liquid that comes along where steps move a light body by their weight alone: as much as weighs, at the body's radius of
// gyration where it turns it. Without it the weight of a few litres throws a body of a few grams; with it that falls no faster than the liquid.
func yielding(b *rigid.Body) (yields [6][6]float64) {
	fall := length(b.Fall[:3])
	if fall == 0 {
		return yields
	}
	push, turn, radius := length(b.RestingImpulse[:3])/fall, length(b.RestingImpulse[3:])/fall, 0.
	if spins := (b.InverseInertia[0][0] + b.InverseInertia[1][1] + b.InverseInertia[2][2]) / 3; spins > 0 {
		radius = math.Sqrt(b.InverseMass / spins)
	}
	for i := range 3 {
		yields[i][i], yields[3+i][3+i] = push, turn*radius
	}
	return yields
}

func length(v []float64) float64 {
	return math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2]))
}

func add(to, m *[6][6]float64) {
	for i := range m {
		for j := range m[i] {
			to[i][j] += m[i][j]
		}
	}
}

// inverseRoot is L with L Lᵀ the inverse inertia of the body alone.
func inverseRoot(b *rigid.Body) (l [6][6]float64) {
	m := math.Sqrt(b.InverseMass)
	for i := range 3 {
		l[i][i] = m
		for j := range 3 {
			l[3+i][3+j] = b.InverseInertia[i][j]
		}
	}
	for j := 3; j < 6; j++ {
		for k := 3; k < j; k++ {
			for i := j; i < 6; i++ {
				l[i][j] -= float64(l[i][k] * l[j][k])
			}
		}
		d := 0.
		if l[j][j] > 0 {
			d = 1 / math.Sqrt(l[j][j])
		}
		for i := 3; i < 6; i++ {
			if l[i][j] *= d; i < j {
				l[i][j] = 0
			}
		}
	}
	return l
}

// combineAll is combine, and fails too if the gaps take off more together with those in other liquids.
func combineAll(b *rigid.Body, l, plus, minus *[6][6]float64, part float64) bool {
	if b.OtherGaps != ([6][6]float64{}) {
		with := *plus
		add(&with, &b.OtherGaps)
		if !combine(b, l, &with, minus, part) {
			return false
		}
	}
	return combine(b, l, plus, minus, part)
}

// combine sets inverse = L (1 + Lᵀ(plus + part minus)L)⁻¹ Lᵀ, which is (M + gap)⁻¹ also where a body
// can't move in some direction. It fails if the gaps take off more than heaviest.
func combine(b *rigid.Body, l, plus, minus *[6][6]float64, part float64) bool {
	var half, c [6][6]float64 // Lᵀ(plus + part minus), then that times L
	for i := range 6 {
		for q := range 6 {
			for p := i; p < 6; p++ {
				half[i][q] += float64(l[p][i] * (plus[p][q] + float64(part*minus[p][q])))
			}
		}
		for j := range 6 {
			for q := j; q < 6; q++ {
				c[i][j] += float64(half[i][q] * l[q][j])
			}
		}
		c[i][i] += heaviest
	}
	var f [36]float64
	for range 2 { // first: is it safe; then with the rest of the body's own inertia
		for i := range 6 {
			copy(f[6*i:], c[i][:])
			c[i][i] += 1 - heaviest
		}
		if !definite(f[:]) {
			return false
		}
	}
	for j := range 6 {
		var x [6]float64
		for i := range 6 {
			x[i] = l[j][i]
		}
		dense.Solve(f[:], x[:])
		for i := range 6 {
			b.InverseWithGap[i][j] = 0
			for k := range 6 {
				b.InverseWithGap[i][j] += float64(l[i][k] * x[k])
			}
		}
	}
	return true
}

// definite factors a 6×6 matrix by Cholesky in place and tells whether it is positive definite.
func definite(a []float64) bool {
	for j := range 6 {
		for k := range j {
			for i := j; i < 6; i++ {
				a[i*6+j] -= float64(a[i*6+k] * a[j*6+k])
			}
		}
		if !(a[j*6+j] > 1e-12) {
			return false
		}
		d := math.Sqrt(a[j*6+j])
		for i := j; i < 6; i++ {
			a[i*6+j] /= d
		}
	}
	return true
}

// subtractGap takes what the liquid in the gap now carries off the impulse that the body received.
func subtractGap(b *rigid.Body) {
	for i := range 6 {
		b.Impulse[i] += b.GapMomentum[i] - rigid.Dot(&b.Gap[i], &b.V)
	}
}
