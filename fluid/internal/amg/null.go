package amg

import "fmt"

// null projects onto the complement of the constants of the singular components.
type null struct {
	component []int32
	slot      []int32 // component → place in mean, or -1
	mean      []float64
	count     []int32
	rhs       []float64 // the projected right-hand side
}

func (c *null) any() bool { return len(c.mean) > 0 }

func (c *null) set(n int, opt *Options) {
	c.mean = c.mean[:0]
	if len(opt.Singular) == 0 {
		return
	}
	if len(opt.Component) != n {
		panic(fmt.Sprintf("amg: components of %d unknowns, want %d", len(opt.Component), n))
	}
	top := int32(0)
	for _, id := range opt.Singular {
		top = max(top, id)
	}
	c.component = opt.Component
	c.slot = resize(c.slot, int(top)+1)
	for i := range c.slot {
		c.slot[i] = -1
	}
	for i, id := range opt.Singular {
		c.slot[id] = int32(i)
	}
	c.mean, c.count = resize(c.mean, len(opt.Singular)), resize(c.count, len(opt.Singular))
}

// project subtracts from v its mean over each singular component.
func (c *null) project(v []float64) {
	if !c.any() {
		return
	}
	clear(c.mean)
	clear(c.count)
	for i, id := range c.component {
		if int(id) < len(c.slot) && c.slot[id] >= 0 {
			c.mean[c.slot[id]] += v[i]
			c.count[c.slot[id]]++
		}
	}
	for i, n := range c.count {
		c.mean[i] /= float64(max(n, 1))
	}
	for i, id := range c.component {
		if int(id) < len(c.slot) && c.slot[id] >= 0 {
			v[i] -= c.mean[c.slot[id]]
		}
	}
}
