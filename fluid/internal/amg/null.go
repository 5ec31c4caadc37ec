package amg

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// nullSpace handles the constant vectors of components on which the matrix is singular, and of leaky ones: those on which
// it is so nearly singular that in single precision it is singular or indefinite. The iteration excludes both;
// the constants of leaky components are solved for separately, in double precision.
type nullSpace struct {
	component []int32
	slot      []int32   // component → index in the slices below, or -1
	energy    []float64 // 1ᵀA1 on the component; the singular ones come first, with 0
	mean      []float64
	count     []int32
	rhs       []float64 // the projected right-hand side
	sum, diag []float64 // per component: of the matrix's rows, of its diagonal
	singular  int
}

// leak is the largest 1ᵀA1 of a leaky component, relative to the trace. Rounding changes it by
// some 1e-7.
const leak = 3e-5

func (c *nullSpace) any() bool { return len(c.energy) > 0 }

func (c *nullSpace) leaky() bool { return len(c.energy) > c.singular }

func (c *nullSpace) reset(n int, opt *Options) {
	c.component, c.energy, c.singular = opt.Component, c.energy[:0], len(opt.Singular)
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
func (c *nullSpace) addComponent(id int32, hold float64) {
	for int(id) >= len(c.slot) {
		c.slot = append(c.slot, -1)
	}
	c.slot[id] = int32(len(c.energy))
	c.energy = append(c.energy, hold)
	c.mean, c.count = arrays.Resize(c.mean, len(c.energy)), arrays.Resize(c.count, len(c.energy))
}

// findLeaks adds the leaky components.
func (c *nullSpace) findLeaks(s *Solver) {
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
func (c *nullSpace) coupled(s *Solver, id int32) float64 {
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
func (c *nullSpace) project(v []float64) {
	if c.singular == 0 {
		return
	}
	c.average(v)
	for i := range c.component {
		if k := c.indexOf(int32(i)); k >= 0 && c.energy[k] == 0 {
			v[i] -= c.mean[k]
		}
	}
}

// level adds the constants to x that bring the sums of left to zero on leaky components.
func (c *nullSpace) level(x, left []float64) {
	c.average(left)
	for i := range c.component {
		if k := c.indexOf(int32(i)); k >= 0 && c.energy[k] > 0 {
			x[i] += c.mean[k] * float64(c.count[k]) / c.energy[k]
		}
	}
}

// balance removes the constants that rounding leaves in the residual, in b over D. The coarsest level is singular on
// them, and would amplify them.
func (c *nullSpace) balance(f *finest) {
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
		if k := c.indexOf(int32(i)); k >= 0 && f.kind[i] != red {
			f.b[u.place] -= float32(float32(c.mean[k]) * f.inv[u.place])
		}
	}
}

// centre subtracts the mean of the black unknowns from the preconditioned residual, in y. The red ones, means
// of black ones, shift by it too.
func (c *nullSpace) centre(f *finest) {
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
		if k := c.indexOf(int32(i)); k >= 0 {
			f.y[u.place] -= float32(c.mean[k])
		}
	}
}

// indexOf returns the index of unknown i's component in hold, or -1.
func (c *nullSpace) indexOf(i int32) int32 {
	if id := c.component[i]; int(id) < len(c.slot) {
		return c.slot[id]
	}
	return -1
}

// average sets mean to the means of v over the components.
func (c *nullSpace) average(v []float64) {
	c.begin()
	for i := range c.component {
		c.add(int32(i), v[i])
	}
	c.divide()
}

func (c *nullSpace) begin() {
	clear(c.mean)
	clear(c.count)
}

// add adds unknown i's value v to the sum of its component.
func (c *nullSpace) add(i int32, v float64) {
	if k := c.indexOf(i); k >= 0 {
		c.mean[k] += v
		c.count[k]++
	}
}

// divide turns the sums into means.
func (c *nullSpace) divide() {
	for k, n := range c.count {
		c.mean[k] /= float64(max(n, 1))
	}
}
