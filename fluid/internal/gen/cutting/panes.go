package cutting

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Where the fields of panes are, bytes: distances at the four corners of each, then these.
const (
	paneMiddles = 4 * 32
	paneCrooked = paneMiddles + 32
	paneAgain   = paneCrooked + 8
	paneSolid   = paneAgain + 8
	paneX       = paneSolid + 32
	paneY       = paneX + 32
)

// four is a number for each of the four squares.
type four = VecVirtual

// point is a place in each.
type point struct{ x, y four }

// doubles is the same number four times in memory.
func doubles(name string, v float64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, F64(v))
	}
	return m
}

// panes writes cutPanesAVX2.
func panes() {
	TEXT("cutPanesAVX2", NOSPLIT, "func(p *float64)")
	p := avx.Argument("p")
	d := levelled(p)
	s := &sides{p: p, one: doubles("doubleOne", 1), two: doubles("doubleTwo", 2)}
	zero := YMM()
	VXORPD(zero, zero, zero)
	for i, v := range d {
		s.neg[i] = YMM()
		VCMPPD(Imm(avx.LessThan), zero, v, s.neg[i])
	}
	first := YMM()
	VMOVAPD(d[0], first)
	for i, v := range d { // where the surface is between a corner and the next, in place of the corner; else 0
		next := first
		if i < 3 {
			next = d[i+1]
		}
		t := YMM()
		VSUBPD(next, v, t)
		VDIVPD(t, v, v)
		VXORPD(s.neg[(i+1)%4], s.neg[i], t)
		VANDPD(t, v, v)
		s.at[i] = v
	}
	s.alongRight()
	s.alongTop()
	s.cuts()
	s.store()
	avx.Epilogue()
}

// levelled is the distances at the corners in their order around the squares, less what linear values between them exceed the distance by. It
// stores which squares are to be cut up, as bits, and, in place of what is solid, as a mask.
func levelled(p GPVirtual) (d [4]four) {
	var least, most, sum, t, zero = YMM(), YMM(), YMM(), YMM(), YMM()
	for i, corner := range [4]int{0, 1, 3, 2} {
		d[i] = YMM()
		VMOVUPD(Mem{Base: p, Disp: 32 * corner}, d[i])
	}
	VMINPD(d[1], d[0], least)
	VMAXPD(d[1], d[0], most)
	for _, v := range d[2:] {
		VMINPD(v, least, least)
		VMAXPD(v, most, most)
	}
	VXORPD(zero, zero, zero)
	mixed := least
	VCMPPD(Imm(avx.LessThan), zero, least, least)
	VCMPPD(Imm(avx.LessThan), zero, most, most)
	VANDNPD(least, most, mixed)

	VADDPD(d[1], d[0], sum)
	VADDPD(d[3], sum, sum)
	VADDPD(d[2], sum, sum)
	off := sum
	VMULPD(doubles("doubleQuarter", .25), sum, off)
	VSUBPD(Mem{Base: p, Disp: paneMiddles}, off, off)
	magnitude := GLOBL("doubleMagnitude", RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(math.MaxInt64))
	}
	again, bits := YMM(), GP32()
	VANDPD(magnitude, off, again)
	VBROADCASTSD(Mem{Base: p, Disp: paneCrooked}, t)
	VCMPPD(Imm(avx.LessThan), again, t, again)
	VANDPD(mixed, again, again)
	VMOVUPD(again, Mem{Base: p, Disp: paneSolid})
	VMOVMSKPD(again, bits)
	MOVQ(bits.As64(), Mem{Base: p, Disp: paneAgain})

	VMULPD(doubles("doubleTwoThirds", 2./3), off, off)
	VMINPD(doubles("doubleMost", .1), off, off)
	VMAXPD(doubles("doubleLeast", -.1), off, off)
	VANDPD(mixed, off, off)
	for _, v := range d {
		VSUBPD(off, v, v)
	}
	return d
}

// sides is what is known of the squares' sides, and of the sums over what bounds their solid parts.
type sides struct {
	p        GPVirtual
	one, two Mem
	neg      [4]four // which corners are in the solid, around the square
	at       [4]four // where the surface is on the way to the next
	area     four
	moment   point
}

// solid is from where to where side i is solid: their sum and how long that is; 0 if it is not.
func (s *sides) solid(i int) (sum, length four) {
	from, to := YMM(), YMM()
	VANDNPD(s.at[i], s.neg[i], from)
	VMOVUPD(s.one, to)
	VBLENDVPD(s.neg[(i+1)%4], to, s.at[i], to)
	sum, length = YMM(), from
	VADDPD(from, to, sum)
	VSUBPD(from, to, length)
	return sum, length
}

// alongRight begins the sums with the side on the right.
func (s *sides) alongRight() {
	sum, length := s.solid(1)
	s.area, s.moment = length, point{YMM(), sum}
	VADDPD(length, length, s.moment.x)
	VMULPD(length, sum, sum)
}

// alongTop adds the side on top.
func (s *sides) alongTop() {
	sum, length := s.solid(2)
	t := YMM()
	VMOVUPD(s.two, t)
	VSUBPD(sum, t, sum)
	VMULPD(length, sum, sum)
	VADDPD(length, s.area, s.area)
	VADDPD(sum, s.moment.x, s.moment.x)
	VADDPD(length, length, length)
	VADDPD(length, s.moment.y, s.moment.y)
}

// cuts adds the cuts through the squares, each to where the surface comes in from where it last went out.
func (s *sides) cuts() {
	last, twice, t := point{YMM(), YMM()}, YMM(), YMM()
	VXORPD(last.x, last.x, last.x)
	VXORPD(last.y, last.y, last.y)
	for round := range 2 {
		for i := range 4 {
			q, here, next := point{YMM(), YMM()}, s.neg[i], s.neg[(i+1)%4]
			s.cut(i, q)
			if round == 1 {
				VMULPD(q.y, last.x, twice)
				VMULPD(q.x, last.y, t)
				VSUBPD(t, twice, twice)
				VANDNPD(next, here, t)
				VANDPD(t, twice, twice)
				VADDPD(twice, s.area, s.area)
				VADDPD(q.x, last.x, t)
				VMULPD(twice, t, t)
				VADDPD(t, s.moment.x, s.moment.x)
				VADDPD(q.y, last.y, t)
				VMULPD(twice, t, t)
				VADDPD(t, s.moment.y, s.moment.y)
			}
			VANDNPD(here, next, t)
			VBLENDVPD(t, q.x, last.x, last.x)
			VBLENDVPD(t, q.y, last.y, last.y)
		}
	}
}

// cut writes the place where the surface cuts side i.
func (s *sides) cut(i int, q point) {
	switch i {
	case 0:
		VMOVAPD(s.at[0], q.x)
		VXORPD(q.y, q.y, q.y)
	case 1:
		VMOVUPD(s.one, q.x)
		VMOVAPD(s.at[1], q.y)
	case 2:
		VMOVUPD(s.one, q.y)
		VSUBPD(s.at[2], q.y, q.x)
	case 3:
		VMOVUPD(s.one, q.y)
		VSUBPD(s.at[3], q.y, q.y)
		VXORPD(q.x, q.x, q.x)
	}
}

// store writes the sums of the squares that are not to be cut up.
func (s *sides) store() {
	again, t := YMM(), YMM()
	VMOVUPD(Mem{Base: s.p, Disp: paneSolid}, again)
	sixth := doubles("doubleSixth", 1./6)
	for _, v := range []struct {
		sum    four
		factor Mem
		to     int
	}{{s.area, doubles("doubleHalf", .5), paneSolid}, {s.moment.x, sixth, paneX}, {s.moment.y, sixth, paneY}} {
		VMULPD(v.factor, v.sum, t)
		VANDNPD(t, again, t)
		VMOVUPD(t, Mem{Base: s.p, Disp: v.to})
	}
}
