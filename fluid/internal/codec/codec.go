// Package codec turns state into bytes and back. What belongs to the state is listed once, in code
// that calls a Codec for one value after another: to write them, to check what was
// written, or to read it.
package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Codec goes along a sequence of values. The first failure ends it: whatever is asked of it later does nothing, and End
// tells. It allocates only to lengthen its buffer and for an error.
type Codec struct {
	out  []byte // written
	buf  []byte // the caller's, to be checked or read
	at   int
	old  int // version of buf
	mode mode
	part string
	err  error
}

type mode uint8

const (
	writing mode = iota
	checking
	reading
)

// ErrShort says that there are fewer bytes than values.
var ErrShort = errors.New("it ends too early")

// Write begins to write over what the buffer held.
func (c *Codec) Write() { *c = Codec{out: c.out[:0], mode: writing} }

// Check begins to check data of some version, which may be anything: values are compared with their limits and none is
// stored.
func (c *Codec) Check(data []byte, version int) {
	*c = Codec{out: c.out, buf: data, old: version, mode: checking}
}

// Read begins to read data of some version that was written here or has been checked.
func (c *Codec) Read(data []byte, version int) {
	*c = Codec{out: c.out, buf: data, old: version, mode: reading}
}

// Version is of what is checked or read; what is written is of the newest.
func (c *Codec) Version() int {
	if c.mode == writing {
		return math.MaxInt
	}
	return c.old
}

// Writing tells whether values are written.
func (c *Codec) Writing() bool { return c.mode == writing }

// Checking tells whether values are checked.
func (c *Codec) Checking() bool { return c.mode == checking }

// Reading tells whether values are read.
func (c *Codec) Reading() bool { return c.mode == reading }

// Bytes is what was written, until the next Write.
func (c *Codec) Bytes() []byte { return c.out }

// More tells whether there is more to check or read: what was written last may have been added to the format later.
func (c *Codec) More() bool { return c.mode != writing && c.at < len(c.buf) }

// Part names what comes next, for errors.
func (c *Codec) Part(name string) { c.part = name }

// Failed tells whether the sequence has ended early.
func (c *Codec) Failed() bool { return c.err != nil }

// Fail ends the sequence with an error about the part at hand.
func (c *Codec) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: "+format, append([]any{c.part}, args...)...)
	}
}

// End returns the first failure; bytes that are left over are one. It lets the bytes go.
func (c *Codec) End() error {
	if c.at != len(c.buf) {
		c.Fail("%d bytes are left over", len(c.buf)-c.at)
	}
	c.buf, c.at = nil, 0
	return c.err
}

// next is the place of the next n bytes; nil after a failure.
func (c *Codec) next(n int) []byte {
	if c.err != nil {
		return nil
	}
	if c.mode == writing {
		at := len(c.out)
		c.out = slices.Grow(c.out, n)[:at+n]
		return c.out[at:]
	}
	if n > len(c.buf)-c.at {
		c.err = fmt.Errorf("%s: %w", c.part, ErrShort)
		return nil
	}
	c.at += n
	return c.buf[c.at-n : c.at]
}

// Uint64 is for any 64 bits.
func (c *Codec) Uint64(v *uint64) {
	switch b := c.next(8); {
	case b == nil:
	case c.mode == writing:
		binary.LittleEndian.PutUint64(b, *v)
	case c.mode == reading:
		*v = binary.LittleEndian.Uint64(b)
	}
}

// Same is for what must be the same where it is read as where it was written.
func (c *Codec) Same(what string, v uint64) {
	switch b := c.next(8); {
	case b == nil:
	case c.mode == writing:
		binary.LittleEndian.PutUint64(b, v)
	case binary.LittleEndian.Uint64(b) != v:
		c.Fail("%s is not what it was when this was saved", what)
	}
}

// SameBool is Same for a bit.
func (c *Codec) SameBool(what string, on bool) {
	v := uint64(0)
	if on {
		v = 1
	}
	c.Same(what, v)
}

// SameFloats is Same for numbers.
func (c *Codec) SameFloats(what string, v ...float64) {
	for _, x := range v {
		c.Same(what, math.Float64bits(x))
	}
}

// Count is for how many values follow, n when writing, of at least so many bytes each. It returns the number, 0 after a
// failure: what was checked is no more than most and than the bytes allow.
func (c *Codec) Count(n, most, each int) int {
	v := uint64(n)
	b := c.next(8)
	switch {
	case b == nil:
		return 0
	case c.mode == writing:
		binary.LittleEndian.PutUint64(b, v)
		return n
	}
	v = binary.LittleEndian.Uint64(b)
	if left := (len(c.buf) - c.at) / max(each, 1); v > uint64(most) || v > uint64(left) {
		c.Fail("there are %d; at most %d may be, and there is room for %d", v, most, left)
		return 0
	}
	return int(v)
}

// Halves is for two whole numbers in the place of one, low from 0 to mostLow and high from 0 to mostHigh, below 2³² both.
// With a high of 0 the bytes are those of Int of low. It returns what there is, zeros after a failure.
func (c *Codec) Halves(low, high, mostLow, mostHigh int) (int, int) {
	b := c.next(8)
	if b == nil {
		return 0, 0
	}
	if c.mode == writing {
		binary.LittleEndian.PutUint64(b, uint64(high)<<32|uint64(low))
		return low, high
	}
	w := binary.LittleEndian.Uint64(b)
	if l, h := w&math.MaxUint32, w>>32; l > uint64(mostLow) || h > uint64(mostHigh) {
		c.Fail("%d and %d; must be at most %d and %d", l, h, mostLow, mostHigh)
		return 0, 0
	}
	return int(w & math.MaxUint32), int(w >> 32)
}

// Int is for a whole number from lo to hi.
func (c *Codec) Int(v *int, lo, hi int) {
	w := int64(*v)
	c.Int64(&w, int64(lo), int64(hi))
	if c.mode == reading {
		*v = int(w)
	}
}

// Int64 is for a whole number from lo to hi.
func (c *Codec) Int64(v *int64, lo, hi int64) {
	b := c.next(8)
	if b == nil {
		return
	}
	switch w := int64(binary.LittleEndian.Uint64(b)); {
	case c.mode == writing:
		binary.LittleEndian.PutUint64(b, uint64(*v))
	case c.mode == reading:
		*v = w
	case w < lo || w > hi:
		c.Fail("%d; must be %d to %d", w, lo, hi)
	}
}

// Float64 is for a number from lo to hi.
func (c *Codec) Float64(v *float64, lo, hi float64) {
	b := c.next(8)
	if b == nil {
		return
	}
	switch w := math.Float64frombits(binary.LittleEndian.Uint64(b)); {
	case c.mode == writing:
		binary.LittleEndian.PutUint64(b, math.Float64bits(*v))
	case c.mode == reading:
		*v = w
	case !(w >= lo && w <= hi):
		c.Fail("%v; must be %v to %v", w, lo, hi)
	}
}

// Bits is for numbers that may also be infinite or none.
func (c *Codec) Bits(v ...*float64) {
	for _, p := range v {
		w := math.Float64bits(*p)
		c.Uint64(&w)
		if c.mode == reading {
			*p = math.Float64frombits(w)
		}
	}
}

// Bool is for a truth.
func (c *Codec) Bool(v *bool) {
	b := c.next(1)
	if b == nil {
		return
	}
	switch {
	case c.mode == reading:
		*v = b[0] == 1
	case c.mode == checking && b[0] > 1:
		c.Fail("%d is neither true nor false", b[0])
	case c.mode == writing:
		b[0] = 0
		if *v {
			b[0] = 1
		}
	}
}
