package amg

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// null handles the constant vectors of components on which the matrix is singular, and of leaky ones: those on which
// it is so nearly singular that in single precision it is singular or indefinite. The iteration excludes both;
// the constants of leaky components are solved for separately, in double precision.
type null struct {
	component []int32
	slot      []int32   // component → index in the slices below, or -1
	hold      []float64 // 1ᵀA1 on the component; the singular ones come first, with 0
	mean      []float64
	count     []int32
	rhs       []float64 // the projected right-hand side
	sum, diag []float64 // per component: of the matrix's rows, of its diagonal
	singular  int
}

// leak is the largest 1ᵀA1 of a leaky component, relative to the trace. Rounding changes it by
// some 1e-7.
const leak = 3e-5

func (c *null) any() bool { return len(c.hold) > 0 }

func (c *null) leaky() bool { return len(c.hold) > c.singular }

func (c *null) set(n int, opt *Options) {
	c.component, c.hold, c.singular = opt.Component, c.hold[:0], len(opt.Singular)
	if c.component == nil && c.singular == 0 {
		return
	}
	if len(c.component) != n {
		panic(fmt.Sprintf("amg: components of %d unknowns, want %d", len(c.component), n))
	}
	c.slot = c.slot[:0]
	for _, id := range opt.Singular {
		c.addComponent(id, 0)
	}
}

// addComponent adds a component.
func (c *null) addComponent(id int32, hold float64) {
	for int(id) >= len(c.slot) {
		c.slot = append(c.slot, -1)
	}
	c.slot[id] = int32(len(c.hold))
	c.hold = append(c.hold, hold)
	c.mean, c.count = arrays.Resize(c.mean, len(c.hold)), arrays.Resize(c.count, len(c.hold))
}

// findLeaks adds the leaky components.
func (c *null) findLeaks(s *Solver) {
	m := s.m
	c.sum, c.diag = c.sum[:0], c.diag[:0]
	for i, id := range c.component {
		for int(id) >= len(c.sum) {
			c.sum, c.diag = append(c.sum, 0), append(c.diag, 0)
		}
		c.diag[id] += m.Diag[i]
		c.sum[id] += m.Diag[i]
		_, val := m.row(int32(i))
		for _, v := range val {
			c.sum[id] += v
		}
	}
	for id, sum := range c.sum {
		if sum > leak*c.diag[id] || int(id) < len(c.slot) && c.slot[id] >= 0 {
			continue
		}
		if hold := sum + c.coupled(s, int32(id)); hold > roundoff*c.diag[id] && hold < leak*c.diag[id] {
			c.addComponent(int32(id), hold)
		}
	}
}

// coupled returns 1ᵀKᵀWK1 on a component.
func (c *null) coupled(s *Solver, id int32) float64 {
	k := s.coupling
	clear(s.kz)
	for g := range k.groups() {
		for e := k.Ptr[g]; e < k.Ptr[g+1]; e++ {
			if c.component[k.Col[e]] == id {
				for i, v := range k.Val[e] {
					s.kz[6*g+i] += v
				}
			}
		}
	}
	if k.groups() == 0 {
		return 0
	}
	return s.coupledEnergy()
}

// coupledEnergy returns (K z)·W K z for the K z in kz.
func (s *Solver) coupledEnergy() (sum float64) {
	s.coupling.Apply(s.wkz, s.kz)
	for i, v := range s.kz {
		sum += float64(v * s.wkz[i])
	}
	return sum
}

// project subtracts from v its mean over each singular component.
func (c *null) project(v []float64) {
	if c.singular == 0 {
		return
	}
	c.average(v)
	for i := range c.component {
		if k := c.of(int32(i)); k >= 0 && c.hold[k] == 0 {
			v[i] -= c.mean[k]
		}
	}
}

// level adds the constants to x that bring the sums of left to zero on leaky components.
func (c *null) level(x, left []float64) {
	c.average(left)
	for i := range c.component {
		if k := c.of(int32(i)); k >= 0 && c.hold[k] > 0 {
			x[i] += c.mean[k] * float64(c.count[k]) / c.hold[k]
		}
	}
}

// balance removes the constants that rounding leaves in the residual, in b over D. The coarsest level is singular on
// them, and would amplify them.
func (c *null) balance(f *finest) {
	if !c.any() {
		return
	}
	c.begin()
	for i, u := range f.unknown {
		if f.kind[i] != red {
			c.add(int32(i), float64(float64(f.b[u.place])*float64(f.diag[u.place])))
		}
	}
	c.divide()
	for i, u := range f.unknown {
		if k := c.of(int32(i)); k >= 0 && f.kind[i] != red {
			f.b[u.place] -= float32(float32(c.mean[k]) * f.inv[u.place])
		}
	}
}

// centre subtracts the mean of the black unknowns from the preconditioned residual, in y. The red ones, means
// of black ones, shift by it too.
func (c *null) centre(f *finest) {
	if !c.any() {
		return
	}
	c.begin()
	for i, u := range f.unknown {
		if f.kind[i] != red {
			c.add(int32(i), float64(f.y[u.place]))
		}
	}
	c.divide()
	for i, u := range f.unknown {
		if k := c.of(int32(i)); k >= 0 {
			f.y[u.place] -= float32(c.mean[k])
		}
	}
}

// of returns the index of unknown i's component in hold, or -1.
func (c *null) of(i int32) int32 {
	if id := c.component[i]; int(id) < len(c.slot) {
		return c.slot[id]
	}
	return -1
}

// average sets mean to the means of v over the components.
func (c *null) average(v []float64) {
	c.begin()
	for i := range c.component {
		c.add(int32(i), v[i])
	}
	c.divide()
}

func (c *null) begin() {
	clear(c.mean)
	clear(c.count)
}

// add adds unknown i's value v to the sum of its component.
func (c *null) add(i int32, v float64) {
	if k := c.of(i); k >= 0 {
		c.mean[k] += v
		c.count[k]++
	}
}

// divide turns the sums into means.
func (c *null) divide() {
	for k, n := range c.count {
		c.mean[k] /= float64(max(n, 1))
	}
}
