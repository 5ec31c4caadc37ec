package codec

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// List is a list of things in the order in which they were added, whose number is the same where it is read as where it was written. Before
// version 8 those that had been removed were listed, too, and are passed over.
type List struct {
	At      int // the place of the thing at hand
	c       *Codec
	n, left int
}

// List goes along a list of n things.
func (c *Codec) List(n int) List {
	return List{c: c, n: n, left: c.Count(n, math.MaxInt32, 8), At: -1}
}

// Next goes on to the next thing and tells whether there is one.
func (t *List) Next() bool {
	c := t.c
	for ; t.left > 0 && !c.Failed(); t.left-- {
		if removed := c.Count(0, 1, 0); removed == 1 && c.Version() < 8 {
			continue
		}
		if t.At++; t.At >= t.n {
			break
		}
		t.left--
		return true
	}
	if t.At+1 != t.n || t.left > 0 {
		c.Fail("their number is not what it was when this was saved")
	}
	return false
}

// Settable is for numbers from lo to hi that can be set while the liquid runs. Before version 8 they had to be the same.
func (c *Codec) Settable(what string, lo, hi float64, v ...*float64) {
	for _, p := range v {
		if c.Version() < 8 {
			c.SameFloats(what, *p)
		} else {
			c.Float64(p, lo, hi)
		}
	}
}

// SameBox is SameFloats for a box.
func (c *Codec) SameBox(what string, b r3.Box) {
	c.SameFloats(what, b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
}

// Vec is for a vector of which each part is at most so long.
func (c *Codec) Vec(v *r3.Vec, most float64) {
	for _, p := range [3]*float64{&v.X, &v.Y, &v.Z} {
		c.Float64(p, -most, most)
	}
}
