package codec

import (
	"encoding/binary"
	"math"
)

// These methods code the values of a slice, but not its length n. When checking, v may be nil.

// Float32s codes n numbers from lo to hi.
func (c *Codec) Float32s(v []float32, n int, lo, hi float32) {
	b := c.next(4 * n)
	switch {
	case b == nil:
	case c.mode == writing:
		for i, x := range v {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
		}
	case c.mode == reading:
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	default:
		for i := range n {
			if w := math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])); !(w >= lo && w <= hi) {
				c.Fail("%v; must be %v to %v", w, lo, hi)
				return
			}
		}
	}
}

// Float64s codes n numbers from lo to hi.
func (c *Codec) Float64s(v []float64, n int, lo, hi float64) {
	b := c.next(8 * n)
	switch {
	case b == nil:
	case c.mode == writing:
		for i, x := range v {
			binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(x))
		}
	case c.mode == reading:
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
	default:
		for i := range n {
			if w := math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])); !(w >= lo && w <= hi) {
				c.Fail("%v; must be %v to %v", w, lo, hi)
				return
			}
		}
	}
}

// Int32s codes n integers from lo to hi.
func (c *Codec) Int32s(v []int32, n int, lo, hi int32) {
	b := c.next(4 * n)
	switch {
	case b == nil:
	case c.mode == writing:
		for i, x := range v {
			binary.LittleEndian.PutUint32(b[4*i:], uint32(x))
		}
	case c.mode == reading:
		for i := range v {
			v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
		}
	default:
		for i := range n {
			if w := int32(binary.LittleEndian.Uint32(b[4*i:])); w < lo || w > hi {
				c.Fail("%d; must be %d to %d", w, lo, hi)
				return
			}
		}
	}
}

// Uint8s codes n integers from lo to hi.
func (c *Codec) Uint8s(v []uint8, n int, lo, hi uint8) {
	b := c.next(n)
	switch {
	case b == nil:
	case c.mode == writing:
		copy(b, v)
	case c.mode == reading:
		copy(v, b)
	default:
		for _, w := range b {
			if w < lo || w > hi {
				c.Fail("%d; must be %d to %d", w, lo, hi)
				return
			}
		}
	}
}

// Draft is Uint8s for a temporary copy of state. It fills v when checking too, so that later values can be checked against it.
func (c *Codec) Draft(v []uint8, lo, hi uint8) {
	at := c.at
	if c.Uint8s(v, len(v), lo, hi); c.mode == checking && c.err == nil {
		copy(v, c.buf[at:])
	}
}

// DraftInt32s is Draft for 32-bit integers.
func (c *Codec) DraftInt32s(v []int32, lo, hi int32) {
	at := c.at
	if c.Int32s(v, len(v), lo, hi); c.mode == checking && c.err == nil {
		for i := range v {
			v[i] = int32(binary.LittleEndian.Uint32(c.buf[at+4*i:]))
		}
	}
}

// DraftFloat64s is Draft for numbers.
func (c *Codec) DraftFloat64s(v []float64, lo, hi float64) {
	at := c.at
	if c.Float64s(v, len(v), lo, hi); c.mode == checking && c.err == nil {
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(c.buf[at+8*i:]))
		}
	}
}

// Bools codes n bools.
func (c *Codec) Bools(v []bool, n int) {
	b := c.next(n)
	switch {
	case b == nil:
	case c.mode == writing:
		for i, on := range v {
			b[i] = 0
			if on {
				b[i] = 1
			}
		}
	case c.mode == reading:
		for i := range v {
			v[i] = b[i] == 1
		}
	default:
		for _, w := range b {
			if w > 1 {
				c.Fail("%d is neither true nor false", w)
				return
			}
		}
	}
}
