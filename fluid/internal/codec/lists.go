package codec

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// List iterates over a list whose length must be equal when it is read and when it was written. Files before
// version 8 list removed items too; Next skips them.
type List struct {
	At      int // index of the current item
	c       *Codec
	n, left int
}

// List begins a list of n items.
func (c *Codec) List(n int) List {
	return List{c: c, n: n, left: c.Count(n, math.MaxInt32, 8), At: -1}
}

// Next moves to the next item and reports whether there is one.
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

// Settable codes numbers from lo to hi that a game can set between steps. Files before version 8 must hold equal values (see SameFloats).
func (c *Codec) Settable(what string, lo, hi float64, v ...*float64) {
	for _, p := range v {
		if c.Version() < 8 {
			c.SameFloats(what, *p)
		} else {
			c.Float64(p, lo, hi)
		}
	}
}

// SameBox is SameFloats for the corners of a box.
func (c *Codec) SameBox(what string, b r3.Box) {
	c.SameFloats(what, b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
}

// Vec codes a vector whose components are from -most to most.
func (c *Codec) Vec(v *r3.Vec, most float64) {
	for _, p := range [3]*float64{&v.X, &v.Y, &v.Z} {
		c.Float64(p, -most, most)
	}
}
