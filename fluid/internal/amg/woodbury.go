package amg

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// woodbury adds the strong groups of the coupling to the preconditioner:
//
//	M = V - Z C Zᵀ,  Z = V Kᵀ,  C = (I + W S)⁻¹ W,  S = K Z,
//
// with V the V-cycle, and K and W reduced to those groups. M is the inverse of V⁻¹ + KᵀWK, so
// it is as positive definite as V; W may be singular or zero.
//
// Z costs six V-cycles a group in every solve, so the plain preconditioner, which leaves six
// outlying eigenvalues a group to the conjugate gradients, is often the faster. Measured
// with spheres of 5 cells radius in 38k to 42k unknowns, cold start, iterations (plain → with
// Woodbury):
//
//	density    1 body, 1e-3    1 body, 1e-6    8 bodies, 1e-3    8 bodies, 1e-6
//	heavy      7 → 7           13 → 13         8 → 8             13 → 13
//	1          7 → 7           13 → 13         8 → 7             14 → 13
//	0.1        10 → 7          18 → 13         15 → 7            28 → 13
//	0.01       16 → 7          27 → 13         33 → 7            57 → 13
//	0.001      21 → 7          41 → 13         49 → 8            92 → 13
//	1e-6       68 → 8          > 100 → 14      > 100 → 12        > 100 → 16
//
// choose decides by the strength of the groups, their number and the digits wanted.
type woodbury struct {
	groups   []int32 // the strong ones
	rank     int     // 6·len(groups); 0: off
	strength []float64

	z      [][6]float32 // per place, set for black ones, and strong group
	c      []float64    // rank×rank: S, then C
	system []float64    // rank×2·rank: [I + W S | W]
	kz     []float64
	step   [][6]float32 // C K V r, per strong group
	full   []float64    // of all groups
	image  []float64

	column int
	factor float64 // scales the current column from single precision to Z
}

const (
	// woodburyMax is the largest number of groups: Z takes 24 bytes per unknown and group.
	woodburyMax = 8
	// strong is the strength from which a group may be included; a body of the liquid's own
	// density has 0.2 to 0.5 and costs one or two iterations at 1e-6.
	strong = 1.0
	// woodburyCost is the cost of a group's columns, in iterations: 6 for one group, 8 to 10 each for eight.
	woodburyCost = 8
)

// prepare chooses the groups and forms the correction, before the first iteration of a solve.
func (o *woodbury) prepare(s *Solver, digits float64) {
	o.chooseGroups(s, digits)
	if o.rank > 0 {
		o.setup(s)
	}
}

// chooseGroups lists the strong groups if including them pays off. digits is the number of decimal
// digits by which the residual is to be reduced.
//
// The strength of a group is the trace of W K D⁻¹ Kᵀ over its six rows (diagonals only).
// Without the correction g strong groups cost about √g · log10(3 · strength) · (1.9 + 0.8 · digits)
// more iterations, log10 being their mean: within a third of the table above where that many
// matter. The choice was never dearer than the alternative by more than a tenth.
func (o *woodbury) chooseGroups(s *Solver, digits float64) {
	k := s.coupling
	o.measureStrength(s)
	o.groups, o.rank = o.groups[:0], 0
	decades := 0.0
	for g := range k.groups() {
		if v := o.strength[g]; v > strong && geom.Finite(v) {
			o.groups = append(o.groups, int32(g))
			decades += reproducible.Log10(3 * v)
		}
	}
	n := float64(len(o.groups))
	if n == 0 || n > woodburyMax {
		return
	}
	if extra := decades / math.Sqrt(n) * (1.9 + float64(0.8*digits)); extra > woodburyCost*n {
		o.rank = 6 * len(o.groups)
	}
}

// measureStrength computes the strengths. Unit vectors of all groups share one product with W, which is
// exact where W couples no two groups.
func (o *woodbury) measureStrength(s *Solver) {
	k, diag := s.coupling, s.m.Diag
	n := k.groups()
	o.strength = arrays.Resize(o.strength, n)
	o.full, o.image = arrays.Resize(o.full, 6*n), arrays.Resize(o.image, 6*n)
	clear(o.strength)
	for c := range 6 {
		clear(o.full)
		for g := range n {
			o.full[6*g+c] = 1
		}
		k.Apply(o.image, o.full)
		for g := range n {
			sum := 0.0
			for e := k.Ptr[g]; e < k.Ptr[g+1]; e++ {
				if d := diag[k.Col[e]]; d > 0 {
					sum += k.Val[e][c] * k.Val[e][c] / d
				}
			}
			o.strength[g] += float64(sum * o.image[6*g+c])
		}
	}
}

// setup forms Z and C for the chosen groups. Numbers that are not finite turn the correction off.
func (o *woodbury) setup(s *Solver) {
	n, rank := len(s.fine.row), o.rank
	o.z, o.c = arrays.Resize(o.z, n*len(o.groups)), arrays.Resize(o.c, rank*rank)
	o.system, o.kz, o.step = arrays.Resize(o.system, 2*rank*rank), arrays.Resize(o.kz, rank), arrays.Resize(o.step, len(o.groups))
	for column := range rank {
		o.formColumn(s, column)
	}
	if !o.invert(s.coupling) {
		o.rank = 0
	}
}

// formColumn computes one column of Z, by a V-cycle, and one of S.
func (o *woodbury) formColumn(s *Solver, column int) {
	k, top := &s.placed, &s.fine
	g, c := o.groups[column/6], column%6
	p, q := k.Ptr[g], k.Ptr[g+1]
	largest := 0.0
	for _, v := range k.Val[p:q] {
		largest = max(largest, v[c], -v[c])
	}
	if largest == 0 {
		largest = 1
	}
	clear(top.b)
	for e := p; e < q; e++ {
		i := k.Col[e]
		top.b[i] += float32(float32(k.Val[e][c]/largest) * top.inv[i])
	}
	s.vcycle()
	o.column, o.factor = column, largest*s.unit
	s.overZones((*Solver).placeZone)
	o.gather(s)
	for r, v := range o.kz {
		o.c[r*o.rank+column] = v * o.factor
	}
}

// gather sets kz = K z over the strong groups, z in y of the finest level.
func (o *woodbury) gather(s *Solver) {
	for i, g := range o.groups {
		*(*[6]float64)(o.kz[6*i:]) = gatherGroup(&s.placed, int(g), s.fine.y)
	}
}

func (s *Solver) placeZone(_ int, number int32) {
	o, y := &s.woodbury, s.fine.y
	lo, hi := s.fine.zone[number].begin, s.fine.zone[number].red
	groups, c, factor := len(o.groups), o.column%6, float32(o.factor)
	at := lo*groups + o.column/6
	for _, v := range y[lo:hi] {
		o.z[at][c] = v * factor
		at += groups
	}
}

// invert turns S into C. It reports whether all numbers stayed finite.
func (o *woodbury) invert(k *Coupling) bool {
	n := o.rank
	for i := range n {
		for j := range i {
			mean := (o.c[i*n+j] + o.c[j*n+i]) / 2
			o.c[i*n+j], o.c[j*n+i] = mean, mean
		}
	}
	for j := range n {
		o.applyW(k, o.c[j*n:j*n+n], j) // row j of S is its column j
		o.system[j*2*n+j]++
		clear(o.kz)
		o.kz[j] = 1
		o.applyW(k, o.kz, n+j)
	}
	if !eliminate(o.system, n) {
		return false
	}
	for i := range n {
		for j := range n {
			o.c[i*n+j] = (o.system[i*2*n+n+j] + o.system[j*2*n+n+i]) / 2
			if !geom.Finite(o.c[i*n+j]) {
				return false
			}
		}
	}
	return true
}

// applyW sets the given column of system to W v, v and W over the strong groups.
func (o *woodbury) applyW(k *Coupling, v []float64, column int) {
	clear(o.full)
	for i, g := range o.groups {
		copy(o.full[6*g:6*g+6], v[6*i:6*i+6])
	}
	k.Apply(o.image, o.full)
	for i, g := range o.groups {
		for c := range 6 {
			o.system[(6*i+c)*2*o.rank+column] = o.image[6*int(g)+c]
		}
	}
}

// eliminate brings the left half of a, n×2n by rows, to the identity (Gauss-Jordan with row
// pivoting). It reports false where the left half is singular.
func eliminate(a []float64, n int) bool {
	m := 2 * n
	for c := range n {
		best := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r*m+c]) > math.Abs(a[best*m+c]) {
				best = r
			}
		}
		pivot, other := a[c*m:c*m+m], a[best*m:best*m+m]
		if best != c {
			for j, v := range pivot {
				pivot[j], other[j] = other[j], v
			}
		}
		inv := 1 / pivot[c]
		if !geom.Finite(inv) || inv == 0 {
			return false
		}
		for j := range pivot {
			pivot[j] *= inv
		}
		for r := range n {
			if row := a[r*m : r*m+m]; r != c && row[c] != 0 {
				f := row[c]
				for j, v := range pivot {
					row[j] -= float64(f * v)
				}
			}
		}
	}
	return true
}

// correct subtracts Z C K z from z.
func (o *woodbury) correct(s *Solver) {
	o.gather(s)
	for i := range o.rank {
		sum := 0.0
		for j, v := range o.kz {
			sum += float64(o.c[i*o.rank+j] * v)
		}
		o.step[i/6][i%6] = float32(sum)
	}
	s.overZones((*Solver).correctZone)
}

func (s *Solver) correctZone(_ int, number int32) {
	lo, hi := s.fine.zone[number].begin, s.fine.zone[number].red
	step, y := s.woodbury.step, s.fine.y[lo:hi]
	z := s.woodbury.z[lo*len(step):]
	for i := range y {
		own := z[:len(step)]
		z = z[len(step):]
		sum := float32(0)
		for g := range step {
			a, b := &step[g], &own[g]
			sum += (float32(a[0]*b[0]) + float32(a[1]*b[1])) + (float32(a[2]*b[2]) + float32(a[3]*b[3])) + (float32(a[4]*b[4]) + float32(a[5]*b[5]))
		}
		y[i] -= sum
	}
}
