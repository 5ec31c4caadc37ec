package waves

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// degree is that of the polynomial p in a step, and how often it applies the operator.
const degree = 11

// propagator is p(L) = 1 - L q(L), 0 < p ≤ 1 where L has eigenvalues, 0 to 1. q is a sum of Chebyshev polynomials of 1 - 2L.
type propagator struct {
	q [degree]float64

	medium       Medium // of the fit
	stiffest, dt float64

	wanted [samples]float64         // scratch: q at the samples
	values [samples][degree]float64 // and the polynomials
}

// Waves of shortest to longest are those that the fit is for, in lengths of √(8/stiffest): the edges of a mesh of squares. Longer ones go as fast as
// the longest, so that the fit has no cusp; the cells have them.
const shortest, longest = 4.8, 23.

// samples is how many angles from 0 to π the fit is made at: their cosines are 1 - 2L.
const samples = 160

// mostHalf is half the angle, rad, that the fastest waves turn by in a step. It leaves room for what the fit is wrong by.
const mostHalf = .7

// squaredFrequency is what Newmark needs, 1/s², to have waves of wave number k, 1/m, turn by their frequency times dt: (4/dt²) tan²(½ω dt) instead of ω².
func (m *Medium) squaredFrequency(k, dt float64) float64 {
	e := reproducible.Exp2(-2 * math.Log2E * min(k*m.Depth, 50))
	square := float64(m.Gravity*k)*(1-e)/(1+e) + float64(float64(m.Tension*k)*float64(k*k))
	s, c := reproducible.Sincos(min(float64(math.Sqrt(square)*dt)/2, mostHalf))
	t := float64(2/dt) * s / c
	return float64(t * t)
}

// waveNumber is that of waves for which L has an eigenvalue, on a mesh of squares, over 1/their edge: between those along the squares and along their
// diagonals.
func waveNumber(lambda float64) float64 {
	return float64(math.Sqrt(8*lambda) * (1 + min(lambda/4, .125)))
}

// fit finds q by least squares of its relative error, unless it has done so for the same.
func (p *propagator) fit(m Medium, stiffest, dt float64) {
	if p.medium == m && p.stiffest == stiffest && p.dt == dt {
		return
	}
	p.medium, p.stiffest, p.dt = m, stiffest, dt
	var normal [degree * degree]float64
	clear(p.q[:])
	unit := math.Sqrt(stiffest / 8)
	least, most := 2*math.Pi/longest*unit, 2*math.Pi/shortest*unit
	for i := range p.values {
		angle := (float64(i) + .5) * (math.Pi / samples)
		_, x := reproducible.Sincos(angle)
		lambda := (1 - x) / 2
		k := float64(unit * waveNumber(lambda))
		within := max(least, min(k, most))
		square := float64(float64(m.squaredFrequency(within, dt)*dt) * dt / 4 * (k / within) * (k / within))
		wanted := max(square/(1+square)/lambda, 1e-12)
		weight := .1
		if within == k {
			weight = 1 / angle
		}
		row := &p.values[i]
		chebyshev(row, x)
		p.wanted[i] = wanted
		square = float64(weight * weight / (wanted * wanted))
		for j, r := range row {
			w := float64(square * r)
			p.q[j] += float64(w * wanted)
			for l := range j + 1 {
				normal[j*degree+l] += float64(w * row[l])
			}
		}
	}
	for j := range degree {
		normal[j*degree+j] *= 1 + 1e-10
	}
	dense.Factor(normal[:], degree)
	dense.Solve(normal[:], p.q[:])
	p.bound()
}

func chebyshev(row *[degree]float64, x float64) {
	row[0], row[1] = 1, x
	for j := 2; j < degree; j++ {
		row[j] = float64(2*x*row[j-1]) - row[j-2]
	}
}

// bound mixes q with the least that is wanted of it, one speed for all waves, until 0 < p < 1 for certain.
func (p *propagator) bound() {
	least := p.wanted[0]
	for _, w := range p.wanted {
		least = min(least, w)
	}
	for range 4 {
		if p.isBounded() {
			return
		}
		for j := range p.q {
			p.q[j] /= 2
		}
		p.q[0] += float64(least / 2)
	}
	clear(p.q[:])
	p.q[0] = least
}

func (p *propagator) isBounded() bool {
	for i := range p.values {
		row := &p.values[i]
		q := dense.Dot(p.q[:], row[:])
		if !(q > p.wanted[i]/16 && float64((1-row[1])/2*q) < .99) {
			return false
		}
	}
	return true
}

// pass is a loop of propagate.
type pass struct {
	x            []float64 // what L is applied to
	before, to   []float64 // polynomials of degrees one less and one more
	own, further float64   // coefficients of x and of to in the sum
}

// propagate replaces the mean by p(L) of it.
func (w *Waves) propagate() {
	q := &w.prop.q
	w.pass = pass{x: w.mean, to: w.t[0], own: q[0], further: q[1]}
	par.For(w.pool, len(w.mean), grain, w, (*Waves).start)
	before, current, to := w.mean, w.t[0], w.t[1]
	for k := 2; k < degree; k++ {
		w.pass = pass{x: current, before: before, to: to, further: q[k]}
		par.For(w.pool, len(w.mean), grain, w, (*Waves).recur)
		before, current, to = current, to, current
	}
	w.pass = pass{}
	par.For(w.pool, len(w.mean), grain, w, (*Waves).subtract)
}

func (w *Waves) start(_, lo, hi int) {
	a, sum := &w.pass, w.sum
	for v := lo; v < hi; v++ {
		x := a.x[v]
		t := x - float64(2*w.mesh.part[v]*w.mesh.apply(a.x, v))
		a.to[v], sum[v] = t, float64(a.own*x)+float64(a.further*t)
	}
}

// recur makes T_{k+1} = 2 (1 - 2L) T_k - T_{k-1}, in place of T_{k-1} but where that is the mean.
func (w *Waves) recur(_, lo, hi int) {
	o, x, further := &w.mesh, w.pass.x, w.pass.further
	before, to, sum, part := w.pass.before[lo:hi], w.pass.to[lo:hi], w.sum[lo:hi], o.part[lo:hi]
	from := o.first[lo]
	for i, until := range o.first[lo+1 : hi+1] {
		own, a, b := x[lo+i], 0., 0.
		rows := o.edges[from:until]
		for k := range rows {
			e := &rows[k]
			a += float64(float64(e.weight[0])*(own-x[e.to[0]])) + float64(float64(e.weight[1])*(own-x[e.to[1]]))
			b += float64(float64(e.weight[2])*(own-x[e.to[2]])) + float64(float64(e.weight[3])*(own-x[e.to[3]]))
		}
		from = until
		t := float64(2*own) - float64(float64(4*part[i])*(a+b)) - before[i]
		to[i] = t
		sum[i] += float64(further * t)
	}
}

func (w *Waves) subtract(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		w.mean[v] -= float64(w.mesh.part[v] * w.mesh.apply(w.sum, v))
	}
}
