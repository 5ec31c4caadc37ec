// Package codec encodes state as bytes and decodes it. Each owner of state lists its values once, in a method that passes them to a Codec one after
// the other. The Codec's mode decides whether they are written, checked or read.
package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Codec encodes and decodes a sequence of values. After the first failure all its methods do nothing, and End returns the
// error. It allocates only to lengthen its buffer and for an error.
type Codec struct {
	out  []byte // written
	buf  []byte // the caller's, to be checked or read
	at   int    // offset in buf of the next value
	old  int    // version of buf
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

// ErrShort is the failure where the bytes end before the values do.
var ErrShort = errors.New("it ends too early")

// Write begins to write, into an empty buffer.
func (c *Codec) Write() { *c = Codec{out: c.out[:0], mode: writing} }

// Check begins to check untrusted data of some version: values are compared with their limits, and none is stored.
func (c *Codec) Check(data []byte, version int) {
	*c = Codec{out: c.out, buf: data, old: version, mode: checking}
}

// Read begins to read data of some version that was written by a Codec or has been checked.
func (c *Codec) Read(data []byte, version int) {
	*c = Codec{out: c.out, buf: data, old: version, mode: reading}
}

// Version returns the version of the data that is checked or read, and math.MaxInt when writing.
func (c *Codec) Version() int {
	if c.mode == writing {
		return math.MaxInt
	}
	return c.old
}

// Writing reports whether values are written.
func (c *Codec) Writing() bool { return c.mode == writing }

// Checking reports whether values are checked.
func (c *Codec) Checking() bool { return c.mode == checking }

// Reading reports whether values are read.
func (c *Codec) Reading() bool { return c.mode == reading }

// Bytes returns what was written, until the next Write.
func (c *Codec) Bytes() []byte { return c.out }

// More reports whether data is left to check or read. Older data may end before values that a later version added.
func (c *Codec) More() bool { return c.mode != writing && c.at < len(c.buf) }

// Part names the values that follow, for errors.
func (c *Codec) Part(name string) { c.part = name }

// Failed reports whether there was a failure.
func (c *Codec) Failed() bool { return c.err != nil }

// Fail records an error about the current part, unless there was one before.
func (c *Codec) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: "+format, append([]any{c.part}, args...)...)
	}
}

// End returns the first failure, and drops the data. Bytes that are left over are a failure.
func (c *Codec) End() error {
	if c.at != len(c.buf) {
		c.Fail("%d bytes are left over", len(c.buf)-c.at)
	}
	c.buf, c.at = nil, 0
	return c.err
}

// next returns the next n bytes, to be written or read; nil after a failure.
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

// Uint64 codes 64 bits without limits.
func (c *Codec) Uint64(v *uint64) {
	switch b := c.next(8); {
	case b == nil:
	case c.mode == writing:
		binary.LittleEndian.PutUint64(b, *v)
	case c.mode == reading:
		*v = binary.LittleEndian.Uint64(b)
	}
}

// Same codes a value that must be equal when it is read and when it was written; what names it in the error.
func (c *Codec) Same(what string, v uint64) {
	switch b := c.next(8); {
	case b == nil:
	case c.mode == writing:
		binary.LittleEndian.PutUint64(b, v)
	case binary.LittleEndian.Uint64(b) != v:
		c.Fail("%s is not what it was when this was saved", what)
	}
}

// SameBool is Same for a bool.
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

// Count codes the number of values that follow. It returns that number, and 0 after a failure.
//
// n:    the number, when writing.
// most: the largest number allowed.
// each: least bytes per value; the bytes that are left limit the number too.
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
		c.Fail("%d items; must be at most %d, and at most %d by the size of the data", v, most, left)
		return 0
	}
	return int(v)
}

// Halves codes two integers in 64 bits: low from 0 to mostLow and high from 0 to mostHigh, both below 2³².
// With a high of 0 the bytes are those of Int of low. It returns both numbers, and zeros after a failure.
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

// Int codes an integer from lo to hi.
func (c *Codec) Int(v *int, lo, hi int) {
	w := int64(*v)
	c.Int64(&w, int64(lo), int64(hi))
	if c.mode == reading {
		*v = int(w)
	}
}

// Int64 codes an integer from lo to hi.
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

// Float64 codes a number from lo to hi.
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
	case lo == hi && w != lo:
		c.Fail("%v; must be %v", w, lo)
	case !(w >= lo && w <= hi):
		c.Fail("%v; must be %v to %v", w, lo, hi)
	}
}

// Bits codes numbers that may be infinite or NaN.
func (c *Codec) Bits(v ...*float64) {
	for _, p := range v {
		w := math.Float64bits(*p)
		c.Uint64(&w)
		if c.mode == reading {
			*p = math.Float64frombits(w)
		}
	}
}

// Bool codes a bool.
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
