package bodies

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Code encodes and decodes the state of the coupled bodies. Their poses are part of the game's own state.
func (c *Coupling) Code(d *codec.Codec) {
	d.Part("bodies")
	n := d.Count(len(c.state), math.MaxInt32, 8*len(bodyState{}.contact))
	if d.Reading() {
		c.state, c.Loads.body, c.changed = arrays.Resize(c.state, n), arrays.Resize(c.Loads.body, n), false
		c.indexed = false
	}
	var none bodyState
	var idle Load
	for i := range n {
		s, load := &none, &idle
		if !d.Checking() {
			s, load = &c.state[i], &c.Loads.body[i]
		}
		s.code(d, !d.Writing() || i >= c.Count() || c.Bodies.ID(i) != s.id || !c.revised(i))
		load.code(d)
	}
}

// CodeCoupled encodes and decodes which bodies are coupled. It comes last, since older files end before it.
func (c *Coupling) CodeCoupled(d *codec.Codec) {
	if d.Failed() || !d.Writing() && !d.More() {
		return
	}
	d.Part("bodies")
	d.Same("Def.BodyMask", c.Mask)
	n := d.Count(c.Count(), math.MaxInt32, 8)
	if n != c.Count() {
		d.Fail("%d are coupled, and %d were when this was saved; restore the bodies first", c.Count(), n)
		return
	}
	for i := range n {
		d.Same("the ID of a coupled body, or their order,", c.Bodies.ID(i))
	}
}

// SameBodies returns an error if two liquids are coupled to different bodies.
func (c *Coupling) SameBodies(d *Coupling) error {
	n := c.Count()
	if c.Mask != d.Mask {
		return fmt.Errorf("its Def.BodyMask is %#x, the other's %#x", c.Mask, d.Mask)
	}
	if d.Count() != n {
		return fmt.Errorf("it is coupled to %d bodies, the other to %d; copy the bodies first", n, d.Count())
	}
	for i := range n {
		if a, b := c.Bodies.ID(i), d.Bodies.ID(i); a != b {
			return fmt.Errorf("the ID of its body %d is %d, of the other's %d; copy the bodies first", i, a, b)
		}
	}
	return nil
}

// code encodes and decodes the state of a body. same is false if the body is not as the last step read it: the grid then has to read it anew. The
// revision is not encoded: whatever it is after decoding belongs to the state.
func (s *bodyState) code(c *codec.Codec, same bool) {
	c.Uint64(&s.id)
	placed := s.placed && same
	for _, v := range [5]*bool{&s.ok, &s.awake, &s.wet, &placed, &s.subgrid} {
		c.Bool(v)
	}
	if c.Reading() {
		s.placed, s.known, s.revision, s.movedAtRest = placed, false, 0, false
	}
	// Numbers of a rigid-body engine have no limits: each step checks them.
	for _, v := range [3]*[6]float64{&s.contact, &s.solved, &s.before} {
		for d := range v {
			c.Bits(&v[d])
		}
	}
	c.Float64s(s.damping[:], len(s.damping), -math.MaxFloat64, math.MaxFloat64)
	c.Float64s(s.extraWrench[:], len(s.extraWrench), -math.MaxFloat64, math.MaxFloat64)
	under := [3]float64{s.submersion.under, s.submersion.whole, s.submersion.area}
	c.Float64s(under[:], len(under), 0, math.MaxFloat64)
	s.submersion = submersion{under[0], under[1], under[2]}
	q, lo, hi := &s.turned, &s.bounds.Min, &s.bounds.Max
	c.Bits(&s.restLoad.X, &s.restLoad.Y, &s.restLoad.Z, &s.centre.X, &s.centre.Y, &s.centre.Z, &q.Real, &q.Imag, &q.Jmag, &q.Kmag)
	c.Bits(&lo.X, &lo.Y, &lo.Z, &hi.X, &hi.Y, &hi.Z)
	if c.Version() >= 11 {
		c.Bits(&s.restTurn.X, &s.restTurn.Y, &s.restTurn.Z)
	} else if c.Reading() {
		s.restTurn = r3.Vec{}
	}
	if c.Version() >= 7 {
		s.seen.Code(c)
	} else if c.Reading() {
		s.seen = rigid.Pose{Known: s.placed, Centre: s.centre, Turned: s.turned, Twist: s.before}
	}
}

func (b *Load) code(c *codec.Codec) {
	c.Bits(&b.Submerged, &b.Fraction, &b.Wetted, &b.Force.X, &b.Force.Y, &b.Force.Z, &b.Torque.X, &b.Torque.Y, &b.Torque.Z)
}
