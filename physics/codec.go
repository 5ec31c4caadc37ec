package physics

import (
	"encoding/binary"
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// codec writes values to buf, or reads them from it: one function per type serves both, so that
// the two cannot differ. What is read is finite and within its limits, or err is set and the
// rest is zero.
type codec struct {
	buf     []byte // written so far, or left to read
	reading bool
	err     error
}

// fail notes the first thing that is wrong.
func (c *codec) fail(what string) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", ErrNotSaved, what)
	}
	c.buf = nil
}

// require fails unless ok, which matters only to what is read.
func (c *codec) require(ok bool, what string) {
	if c.reading && !ok {
		c.fail(what)
	}
}

// uint64 codes eight bytes, little-endian, as all numbers.
func (c *codec) uint64(x *uint64) {
	if !c.reading {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, *x)
		return
	}
	if *x = 0; len(c.buf) < 8 {
		c.fail("too short")
		return
	}
	*x, c.buf = binary.LittleEndian.Uint64(c.buf), c.buf[8:]
}

// uint32 codes four bytes.
func (c *codec) uint32(x *uint32) {
	if !c.reading {
		c.buf = binary.LittleEndian.AppendUint32(c.buf, *x)
		return
	}
	if *x = 0; len(c.buf) < 4 {
		c.fail("too short")
		return
	}
	*x, c.buf = binary.LittleEndian.Uint32(c.buf), c.buf[4:]
}

// integer codes four bytes with a value from lo to hi.
func integer[T ~int | ~int8 | ~int32 | ~uint8 | ~uint16](c *codec, x *T, lo, hi int) {
	u := uint32(int32(*x))
	c.uint32(&u)
	i := int(int32(u))
	if c.require(i >= lo && i <= hi, "a number out of its range"); c.err != nil {
		i = 0
	}
	if c.reading {
		*x = T(i)
	}
}

func (c *codec) byte(x *byte) {
	if !c.reading {
		c.buf = append(c.buf, *x)
		return
	}
	if *x = 0; len(c.buf) == 0 {
		c.fail("too short")
		return
	}
	*x, c.buf = c.buf[0], c.buf[1:]
}

// flags codes up to eight bools as the bits of a byte.
func (c *codec) flags(x ...*bool) {
	bits := byte(0)
	for i, f := range x {
		if *f {
			bits |= 1 << i
		}
	}
	c.byte(&bits)
	c.require(bits>>len(x) == 0, "an unknown flag")
	if c.reading {
		for i, f := range x {
			*f = bits>>i&1 != 0
		}
	}
}

// float codes any float64.
func (c *codec) float(x *float64) {
	u := math.Float64bits(*x)
	if c.uint64(&u); c.reading {
		*x = math.Float64frombits(u)
	}
}

// numbers codes finite float64s.
func (c *codec) numbers(x ...*float64) {
	for _, f := range x {
		c.float(f)
		c.require(finite(*f), "a number that is not finite")
	}
}

func (c *codec) vecs(x ...*r3.Vec) {
	for _, v := range x {
		c.numbers(&v.X, &v.Y, &v.Z)
	}
}

// rotation codes a unit quaternion, up to rounding.
func (c *codec) rotation(q *quat.Number) {
	c.numbers(&q.Real, &q.Imag, &q.Jmag, &q.Kmag)
	c.require(math.Abs(reproducible.QuatNorm(*q)-1) < 1e-6, "a rotation that is no unit")
}

func (c *codec) box(b *r3.Box) {
	c.vecs(&b.Min, &b.Max)
	c.require(overlap(b, b), "a box inside out")
}

func (c *codec) text(s *string) {
	b := []byte(*s)
	list(c, &b, maxSnapshot, 1, c.byte)
	*s = string(b)
}

// list codes the length, at most limit, and each of the elements, which take at least size bytes:
// no more is allocated than the bytes left to read can fill.
func list[T any](c *codec, s *[]T, limit, size int, each func(x *T)) {
	n := len(*s)
	integer(c, &n, 0, limit)
	if c.require(n <= len(c.buf)/size, "too short"); c.err != nil {
		return
	}
	if c.reading {
		*s = make([]T, n)
	}
	for i := range *s {
		if each(&(*s)[i]); c.err != nil {
			return
		}
	}
}
