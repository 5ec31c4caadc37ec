package codec

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// values has a value of each kind.
type values struct {
	u     uint64
	i     int
	f, g  float64
	b     bool
	count int
	f32   []float32
	f64   []float64
	i32   []int32
	u8    []uint8
	bools []bool
}

func (v *values) code(c *Codec) {
	c.Part("all")
	c.Uint64(&v.u)
	c.Int(&v.i, -5, 5)
	c.Float64(&v.f, 0, 1)
	c.Bits(&v.g)
	c.Bool(&v.b)
	v.count = c.Count(v.count, 9, 1)
	c.Float32s(v.f32, 3, -1, 1)
	c.Float64s(v.f64, 2, -1, 1)
	c.Int32s(v.i32, 2, -1, 9)
	c.Uint8s(v.u8, 2, 1, 3)
	c.Bools(v.bools, 2)
	c.Same("a number", 7)
	c.SameFloats("a length", 2.5)
	c.SameBool("a bit", true)
}

func sample() values {
	return values{1 << 63, -3, .25, math.Inf(-1), true, 3, []float32{-1, 0, .5}, []float64{-.5, 1}, []int32{-1, 9}, []uint8{1, 3}, []bool{true, false}}
}

func TestWrittenIsRead(t *testing.T) {
	var c Codec
	v := sample()
	c.Write()
	v.code(&c)
	data := append([]byte(nil), c.Bytes()...)
	got := values{f32: make([]float32, 3), f64: make([]float64, 2), i32: make([]int32, 2), u8: make([]uint8, 2), bools: make([]bool, 2)}
	c.Read(data, 1)
	if got.code(&c); c.End() != nil {
		t.Fatal(c.End())
	}
	c.Write()
	got.code(&c)
	if string(c.Bytes()) != string(data) {
		t.Errorf("%v was read as %v", v, got)
	}
}

// Checking stores nothing but counts, and finds values out of limits, unequal values and missing data.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	for want, spoil := range map[string]func(v *values){
		"":                                 func(*values) {},
		"all: 6; must be -5 to 5":          func(v *values) { v.i = 6 },
		"all: NaN; must be 0 to 1":         func(v *values) { v.f = math.NaN() },
		"all: 10 items; must be at most 9": func(v *values) { v.count = 10 },
		"all: 2; must be -1 to 1":          func(v *values) { v.f32[1] = 2 },
		"all: -Inf; must be -1 to 1":       func(v *values) { v.f64[1] = math.Inf(-1) },
		"all: 10; must be -1 to 9":         func(v *values) { v.i32[0] = 10 },
		"all: 0; must be 1 to 3":           func(v *values) { v.u8[1] = 0 },
		"all: 9223372036854775807 items":   func(v *values) { v.count = math.MaxInt },
	} {
		var c Codec
		v := sample()
		spoil(&v)
		c.Write()
		v.code(&c)
		var none values
		c.Check(c.Bytes(), 1)
		none.code(&c)
		if err := c.End(); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if none.u != 0 || none.i != 0 || none.f != 0 || none.b {
			t.Errorf("checking stored %v", none)
		}
	}
}

func TestCheckFindsTheEnd(t *testing.T) {
	var c Codec
	v := sample()
	c.Write()
	v.code(&c)
	data := c.Bytes()
	for n := range data {
		var none values
		c.Check(data[:n], 1)
		if none.code(&c); c.End() == nil {
			t.Fatalf("%d bytes of %d pass", n, len(data))
		}
	}
	c.Check(data[:20], 1)
	if v.code(&c); !errors.Is(c.End(), ErrShort) {
		t.Error(c.End())
	}
	c.Check(append(data, 0), 1)
	var none values
	if none.code(&c); c.End() == nil || !strings.Contains(c.End().Error(), "1 bytes are left over") {
		t.Error(c.End())
	}
}

// Halves decodes two numbers as they were encoded; with a high of 0 the bytes are those of Int.
func TestHalves(t *testing.T) {
	var plain, c Codec
	n := 720
	plain.Write()
	plain.Int(&n, 0, 1000)
	c.Write()
	c.Halves(720, 0, 1000, 15)
	if string(c.Bytes()) != string(plain.Bytes()) {
		t.Errorf("%x, want %x", c.Bytes(), plain.Bytes())
	}
	c.Write()
	c.Halves(720, 3, 1000, 15)
	data := append([]byte(nil), c.Bytes()...)
	for _, begin := range []func([]byte, int){c.Check, c.Read} {
		begin(data, 7)
		if low, high := c.Halves(1, 2, 1000, 15); low != 720 || high != 3 || c.End() != nil {
			t.Errorf("read %d and %d", low, high)
		}
	}
	for _, most := range [][2]int{{719, 15}, {1000, 2}} {
		c.Check(data, 7)
		if low, high := c.Halves(1, 2, most[0], most[1]); low != 0 || high != 0 || c.End() == nil {
			t.Errorf("beyond %d it read %d and %d", most, low, high)
		}
	}
}
