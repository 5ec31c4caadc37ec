package budget

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// CodeCounts encodes and decodes what the model has learnt from counts, which decides the plans of a budget in work.
func (m *Model) CodeCounts(c *codec.Codec) {
	l, r := &m.limits, &m.relief
	const most = math.MaxInt32
	c.Part("plan")
	c.Float64(&m.over, leastOver, mostOver)
	c.Float64(&r.target, 0, math.MaxFloat64)
	if c.Version() >= 2 {
		c.Float64(&r.recentTarget, 0, math.MaxFloat64)
	} else if c.Reading() {
		r.recentTarget = r.target
	}
	c.Float64(&r.decades, 0, 20)
	c.Int(&r.cadence, 1, 2)
	if c.Version() < 4 { // unseen liquid had its own level
		level := 0
		c.Int(&level, 0, most)
	}
	c.Int(&r.cap, 1, l.Substeps)
	for _, v := range [4]*int{&r.strain, &r.calm, &r.wait, &r.raised} {
		c.Int(v, 0, most)
	}
}

// CodeTimes encodes and decodes what the model has learnt from times. It drops the times of versions before 6, whose solver model
// was linear in the unknowns.
func (m *Model) CodeTimes(c *codec.Codec) {
	const most = math.MaxFloat64
	c.Part("timings")
	for i := range m.cost {
		c.Float64(&m.cost[i].unit, 0, most)
		if c.Version() < 3 {
			perUnknown := 0.
			c.Float64(&perUnknown, 0, most)
		}
	}
	for _, v := range [2]*float64{&m.fixed, &m.square} {
		c.Float64(v, 0, most)
	}
	if c.Version() < 3 {
		beside := 0.
		c.Float64(&beside, 0, most)
	}
	c.Float64(&m.wall, 0, most)
	c.Int(&m.seen, 0, math.MaxInt)
	if c.Version() < 2 {
		spiked := false
		c.Bool(&spiked)
	} else {
		c.Int(&m.outliers, 0, math.MaxInt)
		c.Float64(&m.fresh, 0, most)
	}
	c.Float64(&m.strain, 1, mostJump)
	if c.Version() >= 6 {
		c.Int(&m.unknowns, 0, math.MaxInt)
	}
	if c.Version() < 6 && c.Reading() {
		for i := range m.cost {
			m.cost[i] = cost{floor: m.cost[i].floor}
		}
		m.seen, m.outliers, m.fresh, m.fixed, m.unknowns = 0, 0, 0, 0, 0
	}
}
